// What must not matter to the outputs: the number of workers, and how many
// other boards there are.

package batch_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// crews are the numbers of workers that are compared.
var crews = []int{1, 2, 3, 16}

// A setting is one way to set a batch up and to drive it.
type setting struct {
	name   string
	config batch.Config
	head   string
}

// settings go through all heads in all autoreset modes. Rule sets, dtypes and
// layouts take turns, so that each meets every head and every mode.
func settings(t *testing.T) []setting {
	rules := []string{
		`{"name":"ladder","max_turns":14}`, `{"name":"contest2011","max_turns":12}`, `{"name":"codeclash","max_turns":9}`,
	}
	dtypes := []obs.DType{obs.Bit, obs.Uint8, obs.Float16, obs.Float32}
	maps := mixedMaps(t)
	var list []setting
	for i, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		for j, head := range heads {
			n := i*len(heads) + j
			c := batch.Config{
				Rules: rules[(i+j)%3], Boards: 16, Maps: maps, Arrays: everyArray, Planes: dtypes[n%4],
				Options: options(n%2 == 0, n%3 != 0), Autoreset: mode, Rewards: everyReward, ZeroSum: n%5 == 0,
			}
			if n%4 == 3 {
				c.Rewards = nil
			}
			name := fmt.Sprintf("%s-%s-%s-%s", mode, head, rulesOf(t, c.Rules).Name, c.Planes)
			list = append(list, setting{name, c, head})
		}
	}
	return list
}

// An arena is how one game is played in the tests of what must not matter.
type arena struct {
	settings func(t *testing.T) []setting
	scatter  func(t testing.TB, b *batch.Batch, seed uint64)
	actions  func(t testing.TB, b *batch.Batch, head string, rng *env.RNG) batch.Actions
	// share is one board's share of a step's actions, alone the configuration
	// of a batch of that board alone.
	share func(t *testing.T, b *batch.Batch, a batch.Actions, board int) batch.Actions
	alone func(many *batch.Batch, c batch.Config, board int) batch.Config
	// short and usual are how many steps to play.
	short, usual int
}

var antsArena = arena{
	settings: settings, scatter: scatter, actions: randomActions, share: actionsOf, short: 8, usual: 24,
	alone: func(many *batch.Batch, c batch.Config, board int) batch.Config {
		c.Boards, c.MapOf, c.Observe = 1, []int{many.Config().MapOf[board]}, boards(many.Sizes()["S"])
		return c
	},
}

func (g *arena) steps() int {
	switch {
	case testing.Short():
		return g.short
	case long():
		return 400
	}
	return g.usual
}

// TestWorkers steps the same boards with different numbers of workers: every
// byte of every array must be equal after every step.
func TestWorkers(t *testing.T) { antsArena.workers(t) }

func (g *arena) workers(t *testing.T) {
	for _, s := range g.settings(t) {
		t.Run(s.name, func(t *testing.T) {
			var batches []*batch.Batch
			for _, n := range crews {
				c := s.config
				c.Workers = n
				b := newBatch(t, c)
				must(t, b.Reset(11))
				g.scatter(t, b, 3)
				batches = append(batches, b)
			}
			rng := env.RNG(5)
			for step := range g.steps() {
				a := g.actions(t, batches[0], s.head, &rng)
				for i, b := range batches {
					must(t, b.Step(a))
					revive(t, b, step)
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

// revive resets the boards that stand still, every few steps.
func revive(t testing.TB, b *batch.Batch, step int) {
	t.Helper()
	if b.Config().Autoreset != batch.Disabled || step%4 != 3 {
		return
	}
	var over []int
	var seeds []uint64
	for i := range b.Config().Boards {
		if b.Done(i) {
			over = append(over, i)
			seeds = append(seeds, env.Derive(9, uint64(step), uint64(i)))
		}
	}
	if step%8 == 3 {
		seeds = nil
	}
	must(t, b.ResetBoards(over, seeds))
}

// TestWorkersTinyBoards plays boards whose planes are a few bytes each, so that
// the boards of different workers lie in the same cache lines.
func TestWorkersTinyBoards(t *testing.T) {
	steps := 200
	if testing.Short() {
		steps = 40
	}
	config := batch.Config{Rules: `{"name":"ladder","max_turns":20}`, Boards: 61, Maps: []env.Map{tiny()}, Arrays: everyArray, Workers: 1}
	one := newBatch(t, config)
	config.Workers = 16
	many := newBatch(t, config)
	for _, b := range []*batch.Batch{one, many} {
		must(t, b.Reset(2))
	}
	rng := env.RNG(8)
	for step := range steps {
		a := randomActions(t, one, "ant", &rng)
		must(t, one.Step(a))
		must(t, many.Step(a))
		sameArrays(t, fmt.Sprintf("step %d", step), many, one)
	}
}

// TestBatchOfOne plays some boards of a batch each alone in a batch of its own:
// what the arrays say of them must be equal.
func TestBatchOfOne(t *testing.T) { antsArena.batchOfOne(t) }

func (g *arena) batchOfOne(t *testing.T) {
	for _, s := range g.settings(t) {
		if s.head == "sampled" {
			continue // draws depend on the board's number
		}
		t.Run(s.name, func(t *testing.T) {
			c := s.config
			c.Workers = 2
			many := newBatch(t, c)
			must(t, many.Reset(11))
			g.scatter(t, many, 4)
			which := []int{0, 3, 8, 15}
			var alone []*batch.Batch
			for _, i := range which {
				b := newBatch(t, g.alone(many, c, i))
				must(t, b.Reset(0))
				snapshot, err := many.Snapshot([]int{i})
				must(t, err)
				must(t, b.Restore([]int{0}, snapshot))
				alone = append(alone, b)
			}
			rng := env.RNG(5)
			for step := range g.steps() {
				a := g.actions(t, many, s.head, &rng)
				for j, i := range which {
					must(t, alone[j].Step(g.share(t, many, a, i)))
				}
				must(t, many.Step(a))
				for j, i := range which {
					for _, name := range many.Names() {
						got, want := boardBytes(t, alone[j], alone[j].Array(name), 0), boardBytes(t, many, many.Array(name), i)
						if !bytes.Equal(got, want) {
							t.Fatalf("step %d: array %s of board %d differs from that of the board alone at byte %d",
								step, name, i, firstDifference(got, want))
						}
					}
					if alone[j].Hash(0) != many.Hash(i) {
						t.Fatalf("step %d: board %d has another state than the board alone", step, i)
					}
				}
			}
		})
	}
}

// actionsOf is one board's share of a step's actions.
func actionsOf(t *testing.T, b *batch.Batch, a batch.Actions, board int) batch.Actions {
	t.Helper()
	each := 1
	if a.Head == "ant_logits" {
		each = int(ants.NumActions)
	}
	var lo, hi int
	if a.Head == "ant" || a.Head == "ant_logits" {
		offsets, seats := view[int64](t, b, "ant_offsets"), b.Sizes()["S"]
		lo, hi = each*int(offsets[board*seats]), each*int(offsets[(board+1)*seats])
	} else {
		n := elements(t, b, a.Head) / b.Config().Boards
		lo, hi = board*n, (board+1)*n
	}
	if a.Uint8 != nil {
		a.Uint8 = a.Uint8[lo:hi]
	} else {
		a.Float32 = a.Float32[lo:hi]
	}
	return a
}
