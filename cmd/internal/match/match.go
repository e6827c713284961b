// One game between bundled policies.

package match

import (
	"context"
	"fmt"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
	"github.com/myriant-rl/myriant/env/replay"
)

// A Game is who plays where, by which rules.
type Game struct {
	Rules    *ants.Rules
	Map      *ants.Map
	Policies []string // a bundled policy for each seat
	Seed     uint64   // of the episode
}

// A Result is how a game went.
type Result struct {
	Outcome env.Outcome
	Seats   []SeatResult
	Replay  *replay.Envelope
	Last    *ants.State // after the last turn
}

// A SeatResult is how a game went for one seat.
type SeatResult struct {
	Policy   string
	Score    int32
	Rank     int32
	Ants     int32 // living at the end
	Gathered int32 // food
	Razed    int32 // enemy hills
	Kills    int32 // enemy deaths in combat that an own ant was a killer in
	Losses   int32 // own ants dead
}

// statistics are the arrays that a SeatResult is filled from.
var statistics = []string{
	ants.FieldAntCount.Name, ants.FieldGathered.Name, ants.FieldRazed.Name, ants.FieldKills.Name, ants.FieldLosses.Name,
}

// recorder passes the orders of board 0 on.
type recorder struct {
	to  *replay.Recorder
	err error
}

func (r *recorder) Orders(_ int, orders [][]byte) {
	if r.err == nil {
		r.err = r.to.Turn(orders)
	}
}

// Play plays a game to its end on the fast engine. watch, if not nil, is called
// after the start and after every turn; the board is its to look at until it
// returns, and its error ends the game.
func Play(ctx context.Context, g Game, watch func(board ants.Engine) error) (*Result, error) {
	if len(g.Policies) != g.Map.Players {
		return nil, fmt.Errorf("%d policies for %d seats", len(g.Policies), g.Map.Players)
	}
	to, err := replay.NewRecorder(g.Map, g.Rules, g.Seed, g.Policies)
	if err != nil {
		return nil, err
	}
	rec := &recorder{to: to}
	b, err := batch.New(batch.Config{
		Rules: g.Rules.JSON(), Maps: []env.Map{g.Map}, Boards: 1, Workers: 1, Policies: [][]string{g.Policies},
		Arrays: statistics, Autoreset: batch.Disabled, Recorder: rec,
	})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if err := b.Reset(0); err != nil {
		return nil, err
	}
	if err := b.ResetBoards([]int{0}, []uint64{g.Seed}); err != nil {
		return nil, err
	}
	board := b.Board(0).(ants.Engine)
	for {
		if watch != nil {
			if err := watch(board); err != nil {
				return nil, err
			}
		}
		if b.Done(0) {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("stopped after %d turns: %w", b.Outcome(0).Steps, err)
		}
		if err := b.Step(batch.Actions{}); err != nil {
			return nil, err
		}
		if rec.err != nil {
			return nil, rec.err
		}
	}
	r := &Result{Outcome: b.Outcome(0), Last: board.State(), Seats: make([]SeatResult, g.Map.Players)}
	for s := range r.Seats {
		count := func(f obs.Field) int32 { return obs.View[int32](b.Array(f.Name))[s] }
		r.Seats[s] = SeatResult{
			Policy: g.Policies[s], Score: r.Outcome.Scores[s], Rank: r.Outcome.Ranks[s],
			Ants: count(ants.FieldAntCount), Gathered: count(ants.FieldGathered), Razed: count(ants.FieldRazed),
			Kills: count(ants.FieldKills), Losses: count(ants.FieldLosses),
		}
	}
	if r.Replay, err = to.Finish(r.Outcome); err != nil {
		return nil, err
	}
	return r, nil
}
