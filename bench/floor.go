package bench

import (
	"sync"
	"time"

	"github.com/myriant-rl/myriant/env/obs"
)

// A floor copies the bytes that the steps of a side must read and write, and
// does nothing else. For each board in order it
//
//	reads   the state that a step reads (Batch.TouchedBytes), and the actions
//	writes  the state that a step writes, and the bytes of all exported arrays
//
// and so for each of the Turns turns. Reading is copying to a chunk that stays in the
// first-level cache, writing is copying from it; both are the runtime's
// memmove. The buffers are as large as all boards' touched state, the exported
// arrays, and the actions of every turn, and are not shared with the batch.
// State that a step need not touch (room for food to come, the order of food
// sets) is left out, so boards lie closer than in the batch. Actions and ragged
// arrays count with the mean of the turn's boards. Workers have the batch's
// shards, and wait for each other at the end of a pass only.
type floor struct {
	boards        int
	read, written int        // bytes of state, a board
	in, out       [Turns]int // bytes of actions and arrays, a board
	stride        int        // of state and arrays together
	memory        []byte     // per board: state, arrays
	actions       [Turns][]byte
}

const (
	floorChunk = 4096
	cacheLine  = 64
)

// newFloor prepares the floor of a side that stands at its mark. It plays a
// pass, to see how long the arrays become.
func newFloor(s *side) (*floor, error) {
	f := &floor{boards: s.b.Config().Boards}
	f.read, f.written = s.b.TouchedBytes()
	most := 0
	err := s.pass(func(k int) {
		f.in[k] = s.inputBytes(k) / f.boards
		f.out[k] = s.outputBytes() / f.boards
		f.actions[k] = make([]byte, f.boards*f.in[k])
		most = max(most, f.out[k])
	})
	if err != nil {
		return nil, err
	}
	f.stride = whole(max(f.read, f.written)) + whole(most)
	f.memory = obs.Bytes(f.boards * f.stride)
	// Untouched pages would all be the same page of zeros.
	for i := range f.memory {
		f.memory[i] = byte(i)
	}
	for k := range f.actions {
		for i := range f.actions[k] {
			f.actions[k][i] = byte(i)
		}
	}
	return f, nil
}

// whole rounds up to whole cache lines.
func whole(n int) int { return (n + cacheLine - 1) / cacheLine * cacheLine }

// time walks all turns on a number of workers.
func (f *floor) time(workers int) time.Duration {
	begin := time.Now()
	var others sync.WaitGroup
	for w := 1; w < workers; w++ {
		others.Go(func() { f.walk(w*f.boards/workers, (w+1)*f.boards/workers) })
	}
	f.walk(0, f.boards/workers)
	others.Wait()
	return time.Since(begin)
}

// walk does all turns for boards [lo, hi).
func (f *floor) walk(lo, hi int) {
	var chunk [floorChunk]byte
	arrays := whole(max(f.read, f.written))
	for k := range Turns {
		for b := lo; b < hi; b++ {
			board := f.memory[b*f.stride : (b+1)*f.stride]
			pull(&chunk, board[:f.read])
			pull(&chunk, f.actions[k][b*f.in[k]:(b+1)*f.in[k]])
			push(board[:f.written], &chunk)
			push(board[arrays:arrays+f.out[k]], &chunk)
		}
	}
}

func pull(chunk *[floorChunk]byte, src []byte) {
	for len(src) > 0 {
		src = src[copy(chunk[:], src):]
	}
}

func push(dst []byte, chunk *[floorChunk]byte) {
	for len(dst) > 0 {
		dst = dst[copy(dst, chunk[:]):]
	}
}
