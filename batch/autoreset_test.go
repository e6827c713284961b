// What happens when episodes end: the three modes, the final arrays, the seeds
// of the episodes.

package batch_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// threeTurns is a game of three turns.
const threeTurns = `{"name":"ladder","max_turns":3}`

// hold steps with all ants standing still.
func hold(t testing.TB, b *batch.Batch) {
	t.Helper()
	acts := slices.Repeat([]uint8{4}, listed(t, b))
	must(t, b.Step(batch.Actions{Head: "ant", Uint8: acts}))
}

// openMaps are boards on which nothing ends a game of a few turns early.
func openMaps(t testing.TB) []env.Map {
	t.Helper()
	return []env.Map{bundled(t, "tiny-2p"), bundled(t, "open-32x32-2p")}
}

// A moment is what the arrays say of a board after a step.
type moment struct {
	turn        int32
	done, valid bool
	episode     uint64 // of the board's state
}

// TestAutoreset plays four episodes of three turns in each mode.
func TestAutoreset(t *testing.T) {
	played := func(turn int32, episode uint64) moment { return moment{turn, false, true, episode} }
	for _, c := range []struct {
		mode batch.Autoreset
		want func(episode uint64) []moment
	}{
		{batch.NextStep, func(e uint64) []moment {
			return []moment{played(1, e), played(2, e), {3, true, true, e}, {0, false, false, e + 1}}
		}},
		{batch.SameStep, func(e uint64) []moment {
			return []moment{played(1, e), played(2, e), {3, true, true, e + 1}}
		}},
		{batch.Disabled, func(e uint64) []moment {
			return []moment{played(1, e), played(2, e), {3, true, true, e}, {3, true, false, e}, {3, true, false, e}}
		}},
	} {
		t.Run(c.mode.String(), func(t *testing.T) {
			const n = 5
			b := newBatch(t, batch.Config{
				Rules: threeTurns, Boards: n, Maps: openMaps(t), Arrays: everyArray, Autoreset: c.mode, Workers: 2,
				Rewards: map[string]float64{"explore": 1, "rank": 1, "score": 1},
			})
			must(t, b.Reset(77))
			checkFresh(t, b, 0)
			returns := make([]float32, n*2)
			for episode := range uint64(4) {
				for step, want := range c.want(episode) {
					hold(t, b)
					for i := range n {
						what := fmt.Sprintf("episode %d step %d board %d", episode, step, i)
						same(t, what+": turn", view[int32](t, b, "turn")[i], want.turn)
						same(t, what+": done", view[bool](t, b, "done")[i], want.done)
						same(t, what+": valid", view[bool](t, b, "valid")[i], want.valid)
						same(t, what+": reason", view[uint8](t, b, "reason")[i] != 0, want.done)
						same(t, what+": seed", stateOf(b, i).Gen.Seed, env.EpisodeSeed(77, uint64(i), want.episode))
						same(t, what+": board waits", b.Done(i), want.done && c.mode != batch.SameStep)
						for seat := range 2 {
							at := 2*i + seat
							same(t, what+": truncated", view[bool](t, b, "truncated")[at], want.done)
							same(t, what+": terminated", view[bool](t, b, "terminated")[at], false)
							reward := view[float32](t, b, "reward")[at]
							if !want.valid {
								same(t, what+": reward of no turn", reward, 0)
							}
							if want.turn <= 1 {
								returns[at] = 0
							}
							returns[at] += reward
							same(t, what+": return", view[float32](t, b, "episode_return")[at], returns[at])
						}
					}
				}
				if c.mode == batch.Disabled {
					must(t, b.ResetBoards(boards(n), nil))
				}
				if c.mode != batch.SameStep {
					checkFresh(t, b, episode+1)
				}
			}
		})
	}
}

// checkFresh checks boards that were just reset.
func checkFresh(t *testing.T, b *batch.Batch, episode uint64) {
	t.Helper()
	for i := range b.Config().Boards {
		what := fmt.Sprintf("board %d at the start of episode %d", i, episode)
		same(t, what+": turn", view[int32](t, b, "turn")[i], 0)
		same(t, what+": done", view[bool](t, b, "done")[i], false)
		same(t, what+": valid", view[bool](t, b, "valid")[i], false)
		same(t, what+": seed", stateOf(b, i).Gen.Seed, env.EpisodeSeed(77, uint64(i), episode))
		for _, name := range []string{"reward", "episode_return"} {
			for _, x := range view[float32](t, b, name)[2*i : 2*i+2] {
				same(t, what+": "+name, x, 0)
			}
		}
	}
}

// TestSameStepAgainstDisabled plays the same episodes in both modes: the final
// arrays of an ended board must be what the standing board shows, and its
// observation what that board shows after its reset.
func TestSameStepAgainstDisabled(t *testing.T) {
	steps := 30
	if testing.Short() {
		steps = 9
	}
	for _, workers := range []int{1, 3} {
		c := batch.Config{
			Rules: `{"name":"ladder","max_turns":4}`, Boards: 12, Maps: mixedMaps(t), Arrays: everyArray, Workers: workers,
			Rewards: everyReward, Autoreset: batch.SameStep,
		}
		auto := newBatch(t, c)
		c.Autoreset = batch.Disabled
		byHand := newBatch(t, c)
		for _, b := range []*batch.Batch{auto, byHand} {
			must(t, b.Reset(5))
			scatter(t, b, 6)
		}
		rng := env.RNG(2)
		ends := 0
		for step := range steps {
			a := randomActions(t, auto, "ant", &rng)
			must(t, auto.Step(a))
			must(t, byHand.Step(a))
			var over []int
			for i := range c.Boards {
				what := fmt.Sprintf("step %d board %d", step, i)
				done := byHand.Done(i)
				for _, name := range everyArray {
					got, want := auto.Array(name), byHand.Array(name)
					if done {
						sameBoard(t, what+", final", name, finalBytes(t, auto, name, i), boardBytes(t, byHand, want, i))
					}
					if !done || told(want) {
						sameBoard(t, what, name, boardBytes(t, auto, got, i), boardBytes(t, byHand, want, i))
					}
				}
				if done {
					over = append(over, i)
				} else if n := finalAnts(t, auto, i); n != 0 {
					t.Fatalf("%s: %d final ants of a board that goes on", what, n)
				}
			}
			ends += len(over)
			must(t, byHand.ResetBoards(over, nil))
			for _, i := range over {
				for _, name := range everyArray {
					if want := byHand.Array(name); !told(want) {
						sameBoard(t, fmt.Sprintf("step %d board %d, reset", step, i), name, boardBytes(t, auto, auto.Array(name), i), boardBytes(t, byHand, want, i))
					}
				}
			}
		}
		if ends < 2*c.Boards {
			t.Errorf("only %d episodes ended", ends)
		}
	}
}

// told tells whether an array is about the step and not about what seats see.
func told(a *obs.Array) bool {
	return !slices.Contains([]string{"planes", "ant_offsets", "ant_cells", "ant_mask", "cell_mask"}, a.Name)
}

func sameBoard(t *testing.T, what, name string, got, want []byte) {
	t.Helper()
	if at := firstDifference(got, want); at >= 0 {
		t.Fatalf("%s: array %s differs from byte %d of %d", what, name, at, len(want))
	}
}

// finalAnts is how many ants of a board the final lists have.
func finalAnts(t *testing.T, b *batch.Batch, board int) int {
	t.Helper()
	seats := b.Sizes()["S"]
	offsets := obs.View[int64](b.Final("ant_offsets"))
	return int(offsets[(board+1)*seats] - offsets[board*seats])
}

// finalBytes is boardBytes of a final array.
func finalBytes(t *testing.T, b *batch.Batch, name string, board int) []byte {
	t.Helper()
	a := b.Final(name)
	if !a.Ragged() {
		return boardBytes(t, b, a, board)
	}
	seats := b.Sizes()["S"]
	offsets := obs.View[int64](b.Final("ant_offsets"))
	return a.Data[int(offsets[board*seats])*a.Stride() : int(offsets[(board+1)*seats])*a.Stride()]
}

// TestResetBoards resets some boards and leaves the others alone.
func TestResetBoards(t *testing.T) {
	b := newBatch(t, batch.Config{Rules: threeTurns, Boards: 6, Maps: openMaps(t), Autoreset: batch.NextStep, Workers: 2})
	if err := b.ResetBoards([]int{0}, nil); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("a reset of boards before the reset gave %v", err)
	}
	must(t, b.Reset(9))
	hold(t, b)
	other := b.Hash(0)
	must(t, b.ResetBoards([]int{4, 1}, []uint64{100, 200}))
	must(t, b.ResetBoards([]int{2}, nil))
	seed := func(i int) uint64 { return stateOf(b, i).Gen.Seed }
	same(t, "given seed of board 4", seed(4), 100)
	same(t, "given seed of board 1", seed(1), 200)
	same(t, "next seed of board 2", seed(2), env.EpisodeSeed(9, 2, 1))
	same(t, "board 0", b.Hash(0), other)
	same(t, "turns", fmt.Sprint(view[int32](t, b, "turn")), "[1 0 0 1 0 1]")
	hold(t, b)
	hold(t, b)
	same(t, "who is over", fmt.Sprint(view[bool](t, b, "done")), "[true false false true false true]")
	hold(t, b)
	hold(t, b)
	// A given seed takes no episode of the board's own stream.
	same(t, "next seed of board 4", seed(4), env.EpisodeSeed(9, 4, 1))
	same(t, "next seed of board 2", seed(2), env.EpisodeSeed(9, 2, 2))

	before := fmt.Sprint(seed(0), seed(1), seed(2))
	for _, c := range []struct {
		boards []int
		seeds  []uint64
	}{{[]int{6}, nil}, {[]int{-1}, nil}, {[]int{0, 1}, []uint64{1}}, {[]int{0, 9}, []uint64{1, 2}}} {
		if err := b.ResetBoards(c.boards, c.seeds); !errors.Is(err, batch.ErrConfig) {
			t.Errorf("a reset of boards %v with seeds %v gave %v", c.boards, c.seeds, err)
		}
	}
	same(t, "seeds after refused resets", fmt.Sprint(seed(0), seed(1), seed(2)), before)
}

// TestChangedBoards changes boards through Board: the batch must notice ends
// that it did not play and starts that it did not make.
func TestChangedBoards(t *testing.T) {
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		played := newRecorder(3)
		b := newBatch(t, batch.Config{Rules: threeTurns, Boards: 3, Maps: openMaps(t)[:1], Autoreset: mode, Recorder: played})
		must(t, b.Reset(9))
		for range 3 {
			must(t, engineOf(b, 1).Step(nil))
		}
		b.Refresh()
		same(t, "done", fmt.Sprint(view[bool](t, b, "done")), "[false true false]")
		same(t, "waits", b.Done(1), true)
		hold(t, b)
		same(t, "board 1 was not played", played[1] == nil, true)
		same(t, "valid", fmt.Sprint(view[bool](t, b, "valid")), "[true false true]")
		same(t, "reward of board 1", view[float32](t, b, "reward")[2], 0)
		if mode == batch.Disabled {
			must(t, engineOf(b, 1).Reset(1))
			b.Refresh()
			hold(t, b)
			same(t, "turns after a reset through Board", fmt.Sprint(view[int32](t, b, "turn")), "[2 1 2]")
		}
	}
}

// TestResetForgets: boards with a past are, after a reset, what they are in a
// new batch: states, statistics, arrays.
func TestResetForgets(t *testing.T) {
	for _, rules := range []string{"ladder", "contest2011", "codeclash"} {
		c := batch.Config{Rules: rules, Boards: 10, Maps: mixedMaps(t), Arrays: everyArray, Rewards: everyReward, Workers: 2, Autoreset: batch.Disabled}
		fresh, used := newBatch(t, c), newBatch(t, c)
		must(t, used.Reset(1))
		scatter(t, used, 1)
		rng := env.RNG(1)
		for range 4 {
			must(t, used.Step(randomActions(t, used, "ant", &rng)))
		}
		kills := int32(0)
		for _, n := range view[int32](t, used, "episode_kills") {
			kills += n
		}
		same(t, "the past has fights", kills > 0, true)
		must(t, fresh.Reset(2))
		must(t, used.Reset(2))
		sameArrays(t, rules+", reset", used, fresh)
		want, err := fresh.Snapshot(boards(10))
		must(t, err)
		got, err := used.Snapshot(boards(10))
		must(t, err)
		same(t, rules+": first different byte of the snapshots", firstDifference(got, want), -1)
	}
}
