// A step allocates nothing.

package batch_test

import (
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/batch/internal/invariants"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// withoutChecks skips a test in builds whose engine checks itself.
func withoutChecks(t *testing.T) {
	t.Helper()
	if invariants.Enabled {
		t.Skip("the checks of the invariants build tag allocate")
	}
}

// TestNoAllocation steps boards over the ends of their episodes, through each
// head, with every array exported.
func TestNoAllocation(t *testing.T) {
	withoutChecks(t)
	maps := []env.Map{bundled(t, "tiny-2p"), bundled(t, "small-3p")}
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep} {
		for _, head := range heads {
			for _, recentre := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s-%s-recentre=%v", mode, head, recentre), func(t *testing.T) {
					b := newBatch(t, batch.Config{
						Rules: `{"name":"ladder","max_turns":25}`, Boards: 6, Maps: maps, Arrays: everyArray,
						Rewards: everyReward, Options: options(false, recentre), Autoreset: mode, Workers: 1,
					})
					must(t, b.Reset(1))
					rng := env.RNG(1)
					a := batch.Actions{Head: head}
					if head == "sampled" {
						a = batch.Actions{Head: "ant_logits", Sample: true}
					}
					// Room for more ants than these games come to have.
					bytes, floats := make([]uint8, 1<<17), make([]float32, 1<<17)
					for i := range bytes {
						bytes[i], floats[i] = uint8(rng.Below(uint64(ants.NumActions))), randomLogit(&rng)
					}
					var fixed int
					if a.Head == "cell" || a.Head == "cell_logits" {
						fixed = elements(t, b, a.Head)
						floats = make([]float32, fixed)
						for i := range floats {
							floats[i] = randomLogit(&rng)
						}
					}
					step := func() {
						n := fixed
						offsets := b.Array("ant_offsets").Data
						if n == 0 {
							n = int(offsets[len(offsets)-8]) | int(offsets[len(offsets)-7])<<8
						}
						switch a.Head {
						case "ant", "cell":
							a.Uint8 = bytes[:n]
						case "cell_logits":
							a.Float32 = floats[:n]
						default:
							a.Float32 = floats[:5*n]
						}
						a.Seed++
						if err := b.Step(a); err != nil {
							t.Fatal(err)
						}
					}
					// The lists grow to what the games need.
					for range 120 {
						step()
					}
					if n := testing.AllocsPerRun(60, step); n != 0 {
						t.Errorf("%v allocations a step", n)
					}
				})
			}
		}
	}
}

// TestNoAllocationNative does the same with every policy at play.
func TestNoAllocationNative(t *testing.T) {
	withoutChecks(t)
	b := newBatch(t, batch.Config{
		Rules: `{"name":"ladder","max_turns":60}`, Boards: 20, Maps: []env.Map{bundled(t, "open-32x32-2p"), bundled(t, "tiny-2p")},
		Arrays: everyArray, Observe: []int{0, 1}, Workers: 1,
		Policies: [][]string{{"greedy", "hunter"}, {"hunter", "random"}, {"hunter", "hunter"}, {"random", "hold"}, {"greedy", "greedy"}},
	})
	must(t, b.Reset(1))
	step := func() {
		if err := b.Step(batch.Actions{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 130 {
		step()
	}
	if n := testing.AllocsPerRun(70, step); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}
