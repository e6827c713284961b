// Playing a replay of Formica again.

package replay

import (
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// orders are what the seats ordered in a phase, as engines take it. rows are the
// orders from that phase on; the ones after it are returned.
func (f *Formica) orders(b *formica.Board, phase int, rows []FormicaOrder) (orders [][]byte, rest []FormicaOrder, err error) {
	orders = make([][]byte, b.Players)
	for len(rows) > 0 && int(rows[0].Phase) == phase {
		if orders[rows[0].Slot], err = rows[0].encode(b); err != nil {
			return nil, nil, err
		}
		rows = rows[1:]
	}
	return orders, rows, nil
}

// play resets the engine and plays the recorded phases on it. each is called
// with the number of phases played, and the orders that come next.
func (f *Formica) play(e env.Engine, each func(phase int, next []FormicaOrder) error) error {
	b, err := f.Board()
	if err != nil {
		return err
	}
	if err := e.Reset(f.SeedUsed); err != nil {
		return fmt.Errorf("replay: reset: %w", err)
	}
	rows := f.Orders
	for phase := 0; ; phase++ {
		if err := each(phase, rows); err != nil || phase == f.Phases() {
			return err
		}
		var orders [][]byte
		if orders, rows, err = f.orders(b, phase, rows); err != nil {
			return fmt.Errorf("replay: phase %d: %w", phase, err)
		}
		if err := e.Step(orders); err != nil {
			return fmt.Errorf("replay: phase %d: %w", phase, err)
		}
	}
}

// Play plays the game on an engine of Formica.
func (f *Formica) Play(e env.Engine, each func() error) error {
	return f.play(e, func(int, []FormicaOrder) error { return each() })
}

func (f *Formica) verify(e env.Engine, report *Report) error {
	b, err := f.Board()
	if err != nil {
		return err
	}
	frames := f.Frames
	err = f.play(e, func(phase int, next []FormicaOrder) error {
		report.Turns, report.Outcome = phase, e.Outcome()
		report.Orders = len(f.Orders) - len(next)
		encoded := e.AppendState(nil)
		state, err := formica.DecodeState(encoded, &f.Config, b)
		if err != nil {
			return fmt.Errorf("replay: after %d phases: %w", phase, err)
		}
		for len(frames) > 0 && frames[0].Tick < state.Tick {
			frames = frames[1:]
		}
		if len(frames) > 0 && frames[0].Tick == state.Tick {
			now := FormicaFrameOf(&f.Config, b, state)
			if d := frames[0].compare(phase, &now); d != nil {
				return d
			}
		}
		if d := differ(phase, -1, "state hash", fmt.Sprintf("%016x", f.Hashes[phase]), fmt.Sprintf("%016x", env.Hash(encoded))); d != nil {
			return d
		}
		if done := state.Done(&f.Config); done != (phase == f.Phases()) {
			ends := map[bool]string{true: "the game is over", false: "the game goes on"}
			return differ(phase, -1, "end of the game", ends[!done], ends[done])
		} else if done {
			return orNil(f.compareResults(phase, state.Results(&f.Config)))
		}
		for _, o := range next {
			if int(o.Phase) > phase {
				break
			}
			if d := differ(phase, o.Slot, "tick of the phase", o.Tick, state.Tick); d != nil {
				return d
			}
		}
		return nil
	})
	report.Outcome = e.Outcome()
	return err
}

// compareResults compares the recorded results with the computed ones.
func (f *Formica) compareResults(phases int, now *formica.Results) *Difference {
	r := &f.Results
	for _, list := range []struct {
		what               string
		recorded, computed []int32
	}{
		{"food stored", r.FoodStored, now.FoodStored}, {"territory cells", r.TerritoryCells, now.TerritoryCells},
		{"population", r.Population, now.Population}, {"tick of death", r.DiedAt, now.DiedAt},
	} {
		for seat := range list.computed {
			if d := differ(phases, seat, "results: "+list.what, list.recorded[seat], list.computed[seat]); d != nil {
				return d
			}
		}
	}
	for seat := range now.Alive {
		if d := differ(phases, seat, "results: alive", r.Alive[seat], now.Alive[seat]); d != nil {
			return d
		}
		if !slices.Equal(r.Scores2, now.Scores2) {
			if d := differ(phases, seat, "results: score", string(appendPoints(nil, r.Scores2[seat])), string(appendPoints(nil, now.Scores2[seat]))); d != nil {
				return d
			}
		}
	}
	return differ(phases, -1, "results: ticks", r.Ticks, now.Ticks)
}
