// Boards as bytes: a restored or cloned board plays on as the original, and
// bytes that are no snapshot change nothing.

package batch_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// snapshotConfig has short episodes, so that play goes over their ends.
func snapshotConfig(t testing.TB, mode batch.Autoreset) batch.Config {
	return batch.Config{
		Rules: `{"name":"contest2011","max_turns":9}`, Boards: 8, Maps: mixedMaps(t), MapOf: []int{0, 1, 2, 3, 0, 1, 2, 3},
		Arrays: everyArray, Rewards: everyReward, Autoreset: mode, Workers: 2,
	}
}

// TestClone clones four boards onto the other four: told the same they must
// stay the same, over the end of an episode too.
func TestClone(t *testing.T) {
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep} {
		b := newBatch(t, snapshotConfig(t, mode))
		must(t, b.Reset(4))
		scatter(t, b, 1)
		rng := env.RNG(3)
		for range 3 {
			must(t, b.Step(randomActions(t, b, "ant", &rng)))
		}
		must(t, b.Clone([]int{4, 5, 6, 7}, []int{0, 1, 2, 3}))
		for step := range 24 {
			half := 0
			for i := range 4 {
				what := fmt.Sprintf("%s, step %d: clone of board %d", mode, step, i)
				same(t, what, b.Hash(i+4), b.Hash(i))
				same(t, what+": waits", b.Done(i+4), b.Done(i))
				for _, name := range everyArray {
					if step > 0 || told(b.Array(name)) {
						sameBoard(t, what, name, boardBytes(t, b, b.Array(name), i+4), boardBytes(t, b, b.Array(name), i))
					}
				}
				half = int(view[int64](t, b, "ant_offsets")[(i+1)*b.Sizes()["S"]])
			}
			a := randomActions(t, b, "ant", &rng)
			copy(a.Uint8[half:], a.Uint8[:half])
			must(t, b.Step(a))
		}
	}
}

func TestCloneRefused(t *testing.T) {
	b := newBatch(t, snapshotConfig(t, batch.NextStep))
	if err := b.Clone([]int{4}, []int{0}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("a clone before the reset gave %v", err)
	}
	must(t, b.Reset(4))
	want := hashes(b)
	for _, c := range []struct{ dst, src []int }{
		{[]int{4, 5}, []int{0}}, {[]int{4, 8}, []int{0, 1}}, {[]int{4, 5}, []int{0, -1}}, {[]int{4, 5}, []int{0, 2}},
	} {
		if err := b.Clone(c.dst, c.src); !errors.Is(err, batch.ErrConfig) {
			t.Errorf("a clone of boards %v onto %v gave %v", c.src, c.dst, err)
		}
	}
	same(t, "boards after refused clones", fmt.Sprint(hashes(b)), fmt.Sprint(want))
}

func hashes(b *batch.Batch) []uint64 {
	var list []uint64
	for i := range b.Config().Boards {
		list = append(list, b.Hash(i))
	}
	return list
}

// TestRestore moves boards to another batch, in another order and with other
// workers, in the middle of their episodes and between two of them.
func TestRestore(t *testing.T) {
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		for _, before := range []int{0, 4, 9, 10} {
			t.Run(fmt.Sprintf("%s-%d", mode, before), func(t *testing.T) {
				c := snapshotConfig(t, mode)
				b := newBatch(t, c)
				must(t, b.Reset(4))
				scatter(t, b, 2)
				rng := env.RNG(3)
				for range before {
					must(t, b.Step(randomActions(t, b, "ant", &rng)))
				}
				order := []int{7, 2, 5, 0, 3, 6, 1, 4}
				data, err := b.Snapshot(order)
				must(t, err)
				c.Workers = 3
				other := newBatch(t, c)
				must(t, other.Reset(99))
				// Board order[j] of b goes where its map allows: to itself.
				must(t, other.Restore(order, data))
				again, err := other.Snapshot(order)
				must(t, err)
				same(t, "snapshot of the restored boards", bytes.Equal(again, data), true)
				b.Refresh()
				for _, name := range b.Names() {
					sameArray(t, "restored", other.Array(name), b.Array(name))
				}
				for step := range 14 {
					a := randomActions(t, b, "cell", &rng)
					must(t, b.Step(a))
					must(t, other.Step(a))
					for _, name := range b.Names() {
						sameArray(t, fmt.Sprintf("step %d", step), other.Array(name), b.Array(name))
					}
					same(t, "states", fmt.Sprint(hashes(other)), fmt.Sprint(hashes(b)))
					revive(t, b, step)
					revive(t, other, step)
				}
			})
		}
	}
}

// TestRestoreAcrossModes restores a board whose episode is over: each mode
// goes on from there in its own way.
func TestRestoreAcrossModes(t *testing.T) {
	c := batch.Config{Rules: threeTurns, Boards: 1, Maps: openMaps(t)[:1], Arrays: everyArray, Autoreset: batch.Disabled}
	b := newBatch(t, c)
	must(t, b.Reset(6))
	for range 3 {
		hold(t, b)
	}
	data, err := b.Snapshot([]int{0})
	must(t, err)
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		c.Autoreset = mode
		other := newBatch(t, c)
		must(t, other.Reset(0))
		must(t, other.Restore([]int{0}, data))
		same(t, "done when restored", other.Done(0), true)
		hold(t, other)
		same(t, "valid", view[bool](t, other, "valid")[0], false)
		if mode == batch.SameStep {
			same(t, "finally done", obs.View[bool](other.Final("done"))[0], true)
			same(t, "finally valid", obs.View[bool](other.Final("valid"))[0], false)
		}
		want := env.EpisodeSeed(6, 0, 1)
		if mode == batch.Disabled {
			want = env.EpisodeSeed(6, 0, 0)
		}
		same(t, "seed after a step", stateOf(other, 0).Gen.Seed, want)
	}
}

// TestRulesOfSnapshots: equal rules may be written in different ways; other
// rules and maps are refused.
func TestRulesOfSnapshots(t *testing.T) {
	maps := []env.Map{bundled(t, "tiny-2p")}
	take := func(c batch.Config) (*batch.Batch, []byte) {
		c.Boards = 1
		b := newBatch(t, c)
		must(t, b.Reset(1))
		data, err := b.Snapshot([]int{0})
		must(t, err)
		return b, data
	}
	_, data := take(batch.Config{Maps: maps})
	for _, rules := range []string{"ladder", "{}", rulesOf(t, "").JSON()} {
		b, same := take(batch.Config{Maps: maps, Rules: rules})
		if err := b.Restore([]int{0}, data); err != nil {
			t.Errorf("rules %q: %v", rules, err)
		}
		if !bytes.Equal(same, data) {
			t.Errorf("rules %q give another snapshot", rules)
		}
	}
	for what, c := range map[string]batch.Config{
		"other rules":  {Maps: maps, Rules: "codeclash"},
		"other limits": {Maps: maps, Rules: threeTurns},
		"another map":  {Maps: []env.Map{bundled(t, "open-32x32-2p")}},
	} {
		b, _ := take(c)
		before := b.Hash(0)
		if err := b.Restore([]int{0}, data); !errors.Is(err, batch.ErrSnapshot) {
			t.Errorf("%s: %v", what, err)
		}
		same(t, what, b.Hash(0), before)
	}
}

// corruptible is a batch of two small boards in the middle of things, and a
// snapshot of them at another moment.
func corruptible(t testing.TB) (*batch.Batch, []byte) {
	t.Helper()
	b := newBatch(t, batch.Config{Rules: `{"name":"ladder","max_turns":40}`, Boards: 2, Maps: []env.Map{surrounded()}, Workers: 1, Arrays: everyArray})
	must(t, b.Reset(8))
	scatter(t, b, 4)
	data, err := b.Snapshot([]int{0, 1})
	must(t, err)
	for range 3 {
		hold(t, b)
	}
	return b, data
}

// TestCorruptSnapshot cuts a snapshot at every length and flips every byte:
// what does not restore changes nothing, what does restore can be played on.
func TestCorruptSnapshot(t *testing.T) {
	b, data := corruptible(t)
	both := []int{0, 1}
	before, err := b.Snapshot(both)
	must(t, err)
	try := func(what string, bad []byte, must bool) {
		t.Helper()
		arrays := slices.Clone(b.Array("planes").Data)
		err := b.Restore(both, bad)
		if err == nil {
			if must {
				t.Fatalf("%s was restored", what)
			}
			for range 2 {
				hold(t, b)
			}
			if err := b.Restore(both, before); err != nil {
				t.Fatalf("%s: going back: %v", what, err)
			}
			return
		}
		if !errors.Is(err, batch.ErrSnapshot) && !errors.Is(err, env.ErrState) {
			t.Fatalf("%s: error %v is no documented one", what, err)
		}
		after, err := b.Snapshot(both)
		if err != nil || !bytes.Equal(after, before) {
			t.Fatalf("%s changed a board (%v)", what, err)
		}
		if !bytes.Equal(b.Array("planes").Data, arrays) {
			t.Fatalf("%s changed an array", what)
		}
	}
	for n := range data {
		try(fmt.Sprintf("the first %d of %d bytes", n, len(data)), data[:n], true)
	}
	try("a byte more", append(slices.Clone(data), 0), true)
	step := 1
	if testing.Short() {
		step = 5
	}
	for i := 0; i < len(data); i += step {
		for _, flip := range []byte{0x01, 0x80, 0xFF} {
			bad := slices.Clone(data)
			bad[i] ^= flip
			try(fmt.Sprintf("byte %d xor %#x", i, flip), bad, false)
		}
	}
	for _, list := range [][]int{{0}, {0, 1, 0}, nil} {
		if err := b.Restore(list, data); !errors.Is(err, batch.ErrSnapshot) {
			t.Errorf("two boards onto %v gave %v", list, err)
		}
	}
	if err := b.Restore([]int{0, 2}, data); !errors.Is(err, batch.ErrConfig) {
		t.Errorf("a board that does not exist gave %v", err)
	}
	must(t, b.Restore(both, data))
}

// FuzzRestore restores arbitrary bytes and plays on from what is accepted.
func FuzzRestore(f *testing.F) {
	b, data := corruptible(f)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		before, err := b.Snapshot([]int{0, 1})
		must(t, err)
		if err := b.Restore([]int{0, 1}, data); err != nil {
			after, err := b.Snapshot([]int{0, 1})
			if err != nil || !bytes.Equal(after, before) {
				t.Fatalf("refused bytes changed a board (%v)", err)
			}
			return
		}
		for range 3 {
			hold(t, b)
		}
		again, err := b.Snapshot([]int{0, 1})
		must(t, err)
		must(t, b.Restore([]int{0, 1}, again))
		must(t, b.Restore([]int{0, 1}, before))
	})
}

// TestRewind goes back to a mark again and again, over resets.
func TestRewind(t *testing.T) {
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		b := newBatch(t, snapshotConfig(t, mode))
		if err := b.Mark(); !errors.Is(err, env.ErrNotReset) {
			t.Errorf("a mark before the reset gave %v", err)
		}
		must(t, b.Reset(4))
		if err := b.Rewind(); !errors.Is(err, batch.ErrSnapshot) {
			t.Errorf("going back without a mark gave %v", err)
		}
		scatter(t, b, 2)
		rng := env.RNG(3)
		for mark := range 2 {
			for range 7 {
				must(t, b.Step(randomActions(t, b, "ant", &rng)))
			}
			must(t, b.Mark())
			want, err := b.Snapshot(boards(8))
			must(t, err)
			var first []uint64
			for round := range 3 {
				turn := env.RNG(9)
				for range 12 {
					must(t, b.Step(randomActions(t, b, "ant", &turn)))
				}
				if round == 0 {
					first = hashes(b)
				}
				same(t, "states after the same steps", fmt.Sprint(hashes(b)), fmt.Sprint(first))
				must(t, b.Rewind())
				got, err := b.Snapshot(boards(8))
				must(t, err)
				if !bytes.Equal(got, want) {
					t.Fatalf("%s, mark %d, round %d: going back gives other boards", mode, mark, round)
				}
				same(t, "listed ants", listed(t, b), countAnts(b))
			}
		}
	}
}

func countAnts(b *batch.Batch) int {
	n := 0
	for i := range b.Config().Boards {
		for _, list := range stateOf(b, i).Ants {
			n += len(list)
		}
	}
	return n
}
