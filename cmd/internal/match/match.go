// One game between bundled policies.

package match

import (
	"context"
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
	"github.com/myriant-rl/myriant/env/replay"
)

// A Game is who plays where, by which rules.
type Game struct {
	Game     games.Game
	Rules    *games.Rules
	Map      env.Map
	Policies []string // a bundled policy for each seat
	Seed     uint64   // of the episode
}

// A Result is how a game went.
type Result struct {
	Outcome env.Outcome
	Seats   []SeatResult
	Replay  replay.Replay
	Last    []byte // the state after the last step
}

// A SeatResult is how a game went for one seat.
type SeatResult struct {
	Policy string
	Score  int32
	Rank   int32
	Stats  []int32 // as the game's Stats lists them
}

// recorder keeps the orders that board 0 played last.
type recorder struct{ orders [][]byte }

func (r *recorder) Orders(_ int, orders [][]byte) {
	r.orders = make([][]byte, len(orders))
	for s := range orders {
		r.orders[s] = slices.Clone(orders[s])
	}
}

// Play plays a game to its end on the fast engine. watch, if not nil, is called
// after the start and after every step; the board is its to look at until it
// returns, and its error ends the game.
func Play(ctx context.Context, g Game, watch func(board env.Engine) error) (*Result, error) {
	if len(g.Policies) != g.Map.Seats() {
		return nil, fmt.Errorf("%d policies for %d seats", len(g.Policies), g.Map.Seats())
	}
	stats := g.Game.Stats()
	var arrays []string
	for _, s := range stats {
		arrays = append(arrays, s.Array)
	}
	rec := &recorder{}
	b, err := batch.New(batch.Config{
		Game: g.Game.Name(), Rules: g.Rules.JSON, Maps: []env.Map{g.Map}, Boards: 1, Workers: 1, Policies: [][]string{g.Policies},
		Arrays: arrays, Autoreset: batch.Disabled, Recorder: rec,
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
	board := b.Board(0)
	to, err := g.Game.Record(g.Rules, g.Map, g.Seed, g.Policies, board)
	if err != nil {
		return nil, err
	}
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
			return nil, fmt.Errorf("stopped after %d %s: %w", b.Outcome(0).Steps, g.Game.Words().Steps, err)
		}
		if err := b.Step(batch.Actions{}); err != nil {
			return nil, err
		}
		if err := to.Add(rec.orders, board); err != nil {
			return nil, err
		}
	}
	r := &Result{Outcome: b.Outcome(0), Last: board.AppendState(nil), Seats: make([]SeatResult, g.Map.Seats())}
	for s := range r.Seats {
		seat := &r.Seats[s]
		*seat = SeatResult{Policy: g.Policies[s], Score: r.Outcome.Scores[s], Rank: r.Outcome.Ranks[s]}
		for _, stat := range stats {
			seat.Stats = append(seat.Stats, obs.View[int32](b.Array(stat.Array))[s])
		}
	}
	if r.Replay, err = to.Finish(r.Outcome); err != nil {
		return nil, err
	}
	return r, nil
}
