// Recording a game of Formica while it is played.

package replay

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// A FormicaRecorder makes the replay of one game. It is not safe for concurrent
// use.
type FormicaRecorder struct {
	f     Formica
	board *formica.Board
	last  *formica.State
}

// NewFormicaRecorder starts the record of a game on an engine that was just
// reset. players names who plays each seat; nil for nobody's names. The config
// is the engine's; the replay's has the seats and the radius of the board.
// Errors wrap ErrReplay, env.ErrRules or env.ErrState.
func NewFormicaRecorder(c *formica.Config, b *formica.Board, players []string, e env.Engine) (*FormicaRecorder, error) {
	if players != nil && len(players) != b.Players {
		return nil, badf("players", "%d names on a board of %d seats", len(players), b.Players)
	}
	rec := &FormicaRecorder{board: b, f: Formica{
		RulesVersion: formica.RulesVersion, Config: *c, Players: make([]FormicaPlayer, b.Players),
		Orders: []FormicaOrder{}, Frames: []FormicaFrame{},
	}}
	rec.f.Config.Seats, rec.f.Config.Radius = b.Players, b.Radius
	for i, name := range players {
		rec.f.Players[i].Name = name
	}
	if err := rec.look(e); err != nil {
		return nil, err
	}
	if rec.last.Tick != 0 {
		return nil, badf("frames", "the game is recorded from tick %d on", rec.last.Tick)
	}
	rec.f.SeedUsed = rec.last.Seed
	return rec, rec.f.Config.Validate()
}

// look adds the engine's state.
func (rec *FormicaRecorder) look(e env.Engine) error {
	encoded := e.AppendState(nil)
	s, err := formica.DecodeState(encoded, &rec.f.Config, rec.board)
	if err != nil {
		return err
	}
	rec.last = s
	rec.f.Hashes = append(rec.f.Hashes, env.Hash(encoded))
	rec.f.Frames = append(rec.f.Frames, FormicaFrameOf(&rec.f.Config, rec.board, s))
	return nil
}

// Add adds a phase: what each seat ordered, nil for nothing, and the engine after
// the step. Errors wrap env.ErrOrders; nothing is added then.
func (rec *FormicaRecorder) Add(orders [][]byte, after env.Engine) error {
	phase, tick := rec.last.Phase, rec.last.Tick
	list, given, err := formica.DecodeOrders(orders, rec.board.Players, rec.board.Cells, func(seat int) bool { return !rec.last.Colonies[seat].Alive })
	if err != nil {
		return fmt.Errorf("phase %d: %w", phase, err)
	}
	if err := rec.look(after); err != nil {
		return err
	}
	for seat, o := range list {
		if !given[seat] {
			continue
		}
		row := FormicaOrder{Phase: phase, Tick: tick, Slot: seat, Mode: o.Mode, Alloc: o.Alloc, Defend: o.Defend}
		if o.Target != formica.NoCell {
			h := rec.board.Hexes[o.Target]
			row.Target = &h
		}
		rec.f.Orders = append(rec.f.Orders, row)
	}
	return nil
}

// Finish adds the results of a game that is over and returns the valid replay,
// which the caller owns. Errors wrap ErrReplay: a game that is not over, or not
// of the phases recorded.
func (rec *FormicaRecorder) Finish(out env.Outcome) (*Formica, error) {
	if !out.Done || !rec.last.Done(&rec.f.Config) {
		return nil, badf("results", "the game is not over after %d phases", out.Steps)
	}
	f := rec.f
	if out.Steps != f.Phases() {
		return nil, badf("hashes", "%d phases were recorded of %d", f.Phases(), out.Steps)
	}
	f.Results = *rec.last.Results(&f.Config)
	return &f, f.Validate()
}
