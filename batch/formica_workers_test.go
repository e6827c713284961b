// What must not matter to the outputs: the number of workers, and how many
// other boards there are.

package batch_test

import (
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/batch"
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
				// All seats are observed, so that the heads have a row each.
				c.Observe = boards(6)
				if n%2 == 1 {
					c.Policies = [][]string{{"scripted", ""}, {"", "random"}, {"raid", "defend"}}
				}
			})
			list = append(list, setting{fmt.Sprintf("%s-%s-%d", mode, head, n), c, head})
		}
	}
	return list
}

var hexArena = arena{
	settings: hexSettings, scatter: hexScatter, actions: hexActions, share: hexActionsOf, short: 6, usual: 24,
	alone: func(many *batch.Batch, c batch.Config, board int) batch.Config {
		// The largest board sets the grid, so it stays among the maps.
		c.Boards, c.MapOf, c.Observe = 1, []int{many.Config().MapOf[board]}, boards(6)
		if len(c.Policies) > 0 {
			c.Policies = c.Policies[board%len(c.Policies):][:1]
		}
		return c
	},
}

// TestFormicaWorkers is TestWorkers.
func TestFormicaWorkers(t *testing.T) { hexArena.workers(t) }

// TestFormicaBatchOfOne is TestBatchOfOne.
func TestFormicaBatchOfOne(t *testing.T) { hexArena.batchOfOne(t) }

// hexActionsOf is one board's share of a step's orders.
func hexActionsOf(_ *testing.T, b *batch.Batch, a batch.Actions, board int) batch.Actions {
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
