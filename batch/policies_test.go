// Seats played inside the batch, alone and mixed with the caller's.

package batch_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/ants/policy"
	"github.com/myriant-rl/myriant/env/obs"
)

// seatings are who plays, board by board: policies against each other and
// against the caller, who has other seats on other boards.
var seatings = [][]string{
	{"greedy", "greedy", "greedy", "greedy"}, {"hunter", "greedy", "random", "hunter"}, {"", "hunter", "hold", "greedy"},
	{"random", "", "greedy", ""}, {"hunter", "hunter", "hunter", "hunter"}, {"", "", "", "greedy"}, {"hold", batch.Caller, "random", "random"},
}

// seatedMaps are boards of 2 to 4 seats, some small enough to fight on soon.
func seatedMaps(t testing.TB) []env.Map {
	t.Helper()
	var maps []env.Map
	for _, m := range mixedMaps(t) {
		if m.Seats() <= 4 {
			maps = append(maps, m)
		}
	}
	return append(maps, bundled(t, "small-3p"), bundled(t, "open-32x32-2p"))
}

// seated cuts the seatings to the seats of the boards' maps.
func seated(maps []env.Map, n int) [][]string {
	all := make([][]string, n)
	for i := range all {
		all[i] = seatings[i%len(seatings)][:maps[i%len(maps)].Seats()]
	}
	return all
}

// TestPolicies plays whole games in the batch, and the same games on the
// reference with the readable policies: the orders and the states must be
// equal every turn.
func TestPolicies(t *testing.T) {
	n, steps := 35, 100
	if testing.Short() {
		n, steps = 8, 12
	}
	if long() {
		n, steps = 140, 1000
	}
	compared := 0
	for _, rules := range ants.RuleSetNames() {
		t.Run(rules, func(t *testing.T) {
			maps := seatedMaps(t)
			played := newRecorder(n)
			b := newBatch(t, batch.Config{
				Rules: rules, Boards: n, Maps: maps, Policies: seated(maps, n), Recorder: played, Autoreset: batch.Disabled, Workers: 2,
			})
			must(t, b.Reset(21))
			scatter(t, b, 17)
			refs := make([]*antsref.Engine, n)
			for i := range refs {
				refs[i] = reference(t, b, i)
			}
			rng := env.RNG(7)
			for step := range steps {
				for i := range played {
					played[i] = nil
				}
				a := randomActions(t, b, []string{"ant", "cell"}[step%2], &rng)
				must(t, b.Step(a))
				for i, ref := range refs {
					if played[i] == nil {
						continue
					}
					what := fmt.Sprintf("step %d board %d", step, i)
					state := ref.State()
					// A seat that is out holds, and all may where that decides the game.
					out := slices.ContainsFunc(state.Seats, func(s ants.Seat) bool { return s.Out })
					for seat, name := range b.Config().Policies[i] {
						if name == "" || name == batch.Caller || out {
							continue
						}
						readable, err := policy.New(name)
						must(t, err)
						want := readable.Act(nil, ref.View(seat), policy.Draw(state.Gen.Seed, seat, int(state.Turn)))
						if !bytes.Equal(played[i][seat], want) {
							t.Fatalf("%s: seat %d (%s) was ordered %v, want %v", what, seat, name, played[i][seat], want)
						}
					}
					must(t, ref.Step(played[i]))
					same(t, what+": state", b.Hash(i), env.Hash(ref.AppendState(nil)))
					compared++
				}
			}
		})
	}
	t.Logf("%d board-turns with policies equal to the reference", compared)
}

// TestPolicyWorkers: policies do the same for any number of workers, in every
// mode, and over a snapshot.
func TestPolicyWorkers(t *testing.T) {
	steps := 30
	if testing.Short() {
		steps = 8
	}
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		maps := seatedMaps(t)
		c := batch.Config{
			Rules: `{"name":"ladder","max_turns":12}`, Boards: 21, Maps: maps, Policies: seated(maps, 21), Arrays: everyArray,
			Autoreset: mode, Options: options(false, true), Rewards: everyReward,
		}
		var batches []*batch.Batch
		for _, workers := range crews {
			c.Workers = workers
			b := newBatch(t, c)
			must(t, b.Reset(3))
			scatter(t, b, 8)
			batches = append(batches, b)
		}
		rng := env.RNG(5)
		for step := range steps {
			if step == steps/2 {
				data, err := batches[0].Snapshot(boards(21))
				must(t, err)
				must(t, batches[1].Reset(99))
				must(t, batches[1].Restore(boards(21), data))
			}
			a := randomActions(t, batches[0], "ant", &rng)
			for i, b := range batches {
				must(t, b.Step(a))
				revive(t, b, step)
				for _, name := range b.Names() {
					sameArray(t, fmt.Sprintf("%s, step %d, %d workers", mode, step, crews[i]), b.Array(name), batches[0].Array(name))
				}
			}
		}
	}
}

// TestAllNative: with nobody to ask a step takes no actions, and the seats to
// observe are those that were asked for.
func TestAllNative(t *testing.T) {
	for _, observe := range [][]int{nil, {1}, {0, 1, 2}} {
		b := newBatch(t, batch.Config{
			Boards: 4, Maps: []env.Map{bundled(t, "small-3p")}, Policies: [][]string{{"greedy", "hunter", "random"}},
			Observe: observe, Arrays: everyArray, Workers: 2,
		})
		must(t, b.Reset(1))
		for range 5 {
			must(t, b.Step(batch.Actions{}))
		}
		same(t, "observed seats", b.Sizes()["S"], len(observe))
		same(t, "turn", view[int32](t, b, "turn")[3], 5)
		offsets := view[int64](t, b, "ant_offsets")
		want := 0
		for i := range 4 {
			for j, seat := range observe {
				n := len(stateOf(b, i).Ants[seat])
				want += n
				same(t, "listed ants", int(offsets[i*len(observe)+j+1]), want)
			}
		}
	}
}

// TestIgnoredSeats: what the caller gives a seat that a policy plays is not
// read.
func TestIgnoredSeats(t *testing.T) {
	c := batch.Config{Boards: 2, Maps: []env.Map{bundled(t, "tiny-2p")}, Policies: [][]string{{"greedy", ""}, {"", "greedy"}}, Observe: []int{0, 1}}
	b, other := newBatch(t, c), newBatch(t, c)
	for _, b := range []*batch.Batch{b, other} {
		must(t, b.Reset(1))
	}
	for range 20 {
		for i, b := range []*batch.Batch{b, other} {
			acts := make([]uint8, listed(t, b))
			offsets := obs.View[int64](b.Array("ant_offsets"))
			for _, at := range []int{0, 3} {
				for j := offsets[at]; j < offsets[at+1]; j++ {
					acts[j] = []uint8{200, 1}[i]
				}
			}
			must(t, b.Step(batch.Actions{Head: "ant", Uint8: acts}))
		}
		same(t, "states", fmt.Sprint(hashes(b)), fmt.Sprint(hashes(other)))
	}
}
