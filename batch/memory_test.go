// Arrays in memory from outside, and streams of seeds of the boards' own.

package batch_test

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
)

// ledger is memory that knows what it has given out. It gives no more than
// limit allocations, if that is not 0.
type ledger struct {
	out   map[*byte]int
	total int
	limit int
}

func (l *ledger) Alloc(n int) []byte {
	l.total++
	if l.limit != 0 && l.total > l.limit {
		panic("no memory left")
	}
	mem := make([]byte, n+64)
	at := -int(uintptr(unsafe.Pointer(&mem[0]))) & 63
	mem = mem[at : at+n]
	l.out[&mem[0]] = n
	return mem
}

func (l *ledger) Free(mem []byte) {
	if l.out[&mem[0]] != len(mem) {
		panic("freed what was not given out")
	}
	for i := range mem {
		mem[i] = 0xEE
	}
	delete(l.out, &mem[0])
}

// TestMemory steps a batch in memory from outside, which is poisoned when it
// is freed, beside one of Go's heap, until its ragged arrays have grown.
func TestMemory(t *testing.T) {
	l := &ledger{out: map[*byte]int{}}
	c := batch.Config{
		Rules: threeTurns, Boards: 9, Maps: openMaps(t), Arrays: everyArray, Autoreset: batch.SameStep, Workers: 3,
		Policies: [][]string{{"greedy", "hunter"}}, Observe: []int{0, 1},
	}
	heap := newBatch(t, c)
	c.Memory = l
	own := newBatch(t, c)
	begun := l.total
	must(t, heap.Reset(3))
	must(t, own.Reset(3))
	for range 5 {
		must(t, heap.Step(batch.Actions{}))
		must(t, own.Step(batch.Actions{}))
		for _, name := range everyArray {
			if !slices.Equal(own.Array(name).Data, heap.Array(name).Data) {
				t.Fatalf("%s differs", name)
			}
			for _, a := range [][]byte{own.Array(name).Mem(), own.Final(name).Mem()} {
				if l.out[unsafe.SliceData(a)] != len(a) {
					t.Fatalf("%s has other memory", name)
				}
			}
		}
	}
	if l.total == begun {
		t.Error("no ragged array grew")
	}
	if want := 2 * len(everyArray); len(l.out) != want {
		t.Errorf("%d allocations are out, want %d", len(l.out), want)
	}
	own.Close()
	own.Close()
	if len(l.out) != 0 {
		t.Errorf("%d allocations are out after Close", len(l.out))
	}
}

// TestMemoryGivenBack: a batch that cannot be made keeps nothing.
func TestMemoryGivenBack(t *testing.T) {
	l := &ledger{out: map[*byte]int{}, limit: 5}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("made without memory")
			}
		}()
		_, _ = batch.New(batch.Config{Boards: 1, Maps: openMaps(t), Memory: l})
	}()
	l.limit = 0
	if _, err := batch.New(batch.Config{Boards: 1, Maps: openMaps(t), Memory: l, Arrays: []string{"done", "none"}}); !errors.Is(err, batch.ErrConfig) {
		t.Errorf("an array that is none: %v", err)
	}
	if len(l.out) != 0 {
		t.Errorf("%d allocations are out", len(l.out))
	}
}

// TestResetStreams: a board with a stream of its own plays the episodes of a
// batch of one.
func TestResetStreams(t *testing.T) {
	maps := openMaps(t)
	config := func(maps []env.Map, boards int) batch.Config {
		return batch.Config{Rules: threeTurns, Boards: boards, Maps: maps, Policies: [][]string{{"random", "random"}}, Workers: 2}
	}
	b := newBatch(t, config(maps[:1], 4))
	seeds := []uint64{7, 1 << 63, 7, 0}
	if err := b.ResetStreams([]int{0, 1, 2, 2}, seeds); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("some boards of a batch that was never reset: %v", err)
	}
	if err := b.ResetStreams([]int{4}, seeds[:1]); !errors.Is(err, batch.ErrConfig) {
		t.Errorf("board 4 of 4: %v", err)
	}
	if err := b.ResetStreams([]int{1}, seeds); !errors.Is(err, batch.ErrConfig) {
		t.Errorf("4 seeds for a board: %v", err)
	}
	must(t, b.ResetStreams([]int{0, 1, 2, 3}, seeds))
	var one [4]*batch.Batch
	for i := range one {
		one[i] = newBatch(t, config(maps[:1], 1))
		must(t, one[i].Reset(seeds[i]))
	}
	for step := range 12 {
		for i := range one {
			if b.Hash(i) != one[i].Hash(0) {
				t.Fatalf("step %d: board %d is not as alone", step, i)
			}
		}
		must(t, b.Step(batch.Actions{}))
		for i := range one {
			must(t, one[i].Step(batch.Actions{}))
		}
	}
	must(t, b.ResetStreams([]int{3}, []uint64{7}))
	must(t, one[3].Reset(7))
	if b.Hash(3) != one[3].Hash(0) || b.Hash(0) != one[0].Hash(0) {
		t.Error("a new stream for one board of four")
	}
}

// TestBegun: every reset is counted with its seed, whatever makes it.
func TestBegun(t *testing.T) {
	b := newBatch(t, batch.Config{Rules: threeTurns, Boards: 2, Maps: openMaps(t)[:1], Policies: [][]string{{"hold", "hold"}}, Workers: 2})
	check := func(what string, board int, seed, count uint64) {
		t.Helper()
		if s, n := b.Begun(board); s != seed || n != count {
			t.Errorf("%s: board %d was reset %d times, last with %d; want %d, %d", what, board, n, s, count, seed)
		}
	}
	check("new", 0, 0, 0)
	must(t, b.Reset(7))
	check("reset", 1, env.EpisodeSeed(7, 1, 0), 1)
	must(t, b.ResetBoards([]int{1}, []uint64{9}))
	check("reset with a seed", 1, 9, 2)
	must(t, b.Clone([]int{0}, []int{1}))
	check("cloned onto", 0, env.EpisodeSeed(7, 0, 0), 1)
	for range 4 {
		must(t, b.Step(batch.Actions{}))
	}
	check("autoreset", 1, env.EpisodeSeed(7, 1, 1), 3)
	must(t, b.ResetStreams([]int{0}, []uint64{3}))
	check("a stream of its own", 0, env.EpisodeSeed(3, 0, 0), 3)
}
