// What must not matter to the outputs: the number of workers, and how many
// other boards there are.

package batch_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// hexSettings go through all heads in all autoreset modes. Variants and dtypes
// take turns; seats are the caller's, or policies' too.
func hexSettings(t *testing.T) []setting {
	rules := []string{`{"name":"default","max_ticks":90}`, `{"name":"duel","max_ticks":70,"command_every":5}`, `{"name":"seeded-quartet","max_ticks":60}`}
	dtypes := []obs.DType{obs.Unset, obs.Uint8, obs.Float16, obs.Float32}
	var list []setting
	for i, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		for j, head := range hexHeads {
			n := i*len(hexHeads) + j
			c := hexBatch(t, func(c *batch.Config) {
				c.Rules, c.Boards, c.Planes, c.Autoreset = rules[(i+j)%3], 16, dtypes[n%4], mode
				c.Rewards, c.ZeroSum = everyFormicaReward, n%5 == 0
				if n%4 == 3 {
					c.Rewards = nil
				}
				if n%2 == 1 {
					// All seats are observed, so that the heads have a row each.
					c.Observe = boards(6)
					c.Policies = [][]string{{"scripted", ""}, {"", "random"}, {"raid", "defend"}}
				}
			})
			list = append(list, setting{fmt.Sprintf("%s-%s-%d", mode, head, n), c, head})
		}
	}
	return list
}

// TestFormicaWorkers steps the same boards with different numbers of workers:
// every byte of every array must be equal after every step.
func TestFormicaWorkers(t *testing.T) {
	steps := 24
	if testing.Short() {
		steps = 6
	}
	if long() {
		steps = 400
	}
	for _, s := range hexSettings(t) {
		t.Run(s.name, func(t *testing.T) {
			var batches []*batch.Batch
			for _, n := range crews {
				c := s.config
				c.Workers = n
				b := newBatch(t, c)
				must(t, b.Reset(11))
				hexScatter(t, b, 3)
				batches = append(batches, b)
			}
			rng := env.RNG(5)
			for step := range steps {
				a := hexActions(t, batches[0], s.head, &rng)
				for i, b := range batches {
					must(t, b.Step(a))
					hexRevive(t, b, step)
					sameArrays(t, fmt.Sprintf("step %d, %d workers", step, crews[i]), b, batches[0])
				}
			}
			for i, b := range batches {
				for board := range s.config.Boards {
					if b.Hash(board) != batches[0].Hash(board) {
						t.Fatalf("%d workers: board %d has another state than with %d", crews[i], board, crews[0])
					}
				}
			}
		})
	}
}

// TestFormicaBatchOfOne plays some boards of a batch each alone in a batch of
// its own: what the arrays say of them must be equal.
func TestFormicaBatchOfOne(t *testing.T) {
	steps := 24
	if testing.Short() {
		steps = 6
	}
	for _, s := range hexSettings(t) {
		if s.head == "sampled" {
			continue // draws depend on the board's number
		}
		t.Run(s.name, func(t *testing.T) {
			c := s.config
			c.Observe = boards(6)
			many := newBatch(t, c)
			must(t, many.Reset(11))
			hexScatter(t, many, 4)
			which := []int{0, 3, 8, 15}
			var alone []*batch.Batch
			for _, i := range which {
				c := c
				// The largest board sets the grid, so it stays among the maps.
				c.Boards, c.MapOf = 1, []int{many.Config().MapOf[i]}
				if len(c.Policies) > 0 {
					c.Policies = c.Policies[i%len(c.Policies):][:1]
				}
				b := newBatch(t, c)
				must(t, b.Reset(0))
				snapshot, err := many.Snapshot([]int{i})
				must(t, err)
				must(t, b.Restore([]int{0}, snapshot))
				alone = append(alone, b)
			}
			rng := env.RNG(5)
			for step := range steps {
				a := hexActions(t, many, s.head, &rng)
				for j, i := range which {
					must(t, alone[j].Step(hexActionsOf(many, a, i)))
				}
				must(t, many.Step(a))
				for j, i := range which {
					for _, name := range many.Names() {
						got, want := alone[j].Array(name).Data, many.Array(name).Data[i*many.Array(name).Stride():][:many.Array(name).Stride()]
						if !bytes.Equal(got, want) {
							t.Fatalf("step %d: array %s of board %d differs from that of the board alone at byte %d",
								step, name, i, firstDifference(got, want))
						}
					}
					same(t, fmt.Sprintf("step %d: state of board %d", step, i), alone[j].Hash(0), many.Hash(i))
				}
			}
		})
	}
}

// hexActionsOf is one board's share of a step's orders.
func hexActionsOf(b *batch.Batch, a batch.Actions, board int) batch.Actions {
	n := b.Config().Boards
	share := func(all int) (lo, hi int) { return board * all / n, (board + 1) * all / n }
	switch {
	case a.Uint8 != nil:
		lo, hi := share(len(a.Uint8))
		a.Uint8 = a.Uint8[lo:hi]
	case a.Int32 != nil:
		lo, hi := share(len(a.Int32))
		a.Int32 = a.Int32[lo:hi]
	default:
		lo, hi := share(len(a.Float32))
		a.Float32 = a.Float32[lo:hi]
	}
	return a
}
