package bench

import (
	"bytes"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// The floor counts every byte of the exported arrays and of the actions, and
// the state that the engine says a step touches.
func TestFloorBytes(t *testing.T) {
	const boards = 2 * few
	w, err := Lookup("ants-32x32")
	if err != nil {
		t.Fatal(err)
	}
	r := scene(t, w.Scene)
	script := r.script(boards)
	s, err := newSide(&w, r, boards, 2, &script)
	if err != nil {
		t.Fatal(err)
	}
	defer s.b.Close()
	if err := s.b.Rewind(); err != nil {
		t.Fatal(err)
	}
	f, err := newFloor(s)
	if err != nil {
		t.Fatal(err)
	}
	if read, written := s.b.TouchedBytes(); f.read != read || f.written != written || read == 0 || written == 0 {
		t.Errorf("state %d read, %d written, want %d, %d", f.read, f.written, read, written)
	}
	const seats, rows = 2, 32
	fixed := seats*len(ants.Planes(seats, false, false))*rows*rows/8 + // planes
		seats*(4+1+1+4) + 1 + 1 + 1 + 4 + seats*(4+4) // reward, terminated, truncated, return; done, valid, reason, turn; score, rank
	for k := range Turns {
		before := len(script[k].Uint8)
		if want := before / boards; f.in[k] != want {
			t.Errorf("turn %d: %d bytes of actions a board, want %d", k, f.in[k], want)
		}
		// Offsets, and a cell and a mask for each ant that a turn leaves.
		after := s.b.Array("ant_cells").Dims[0]
		if k+1 < Turns {
			after = len(script[k+1].Uint8)
		}
		if want := (boards*fixed + 8*(boards*seats+1) + after*(4+5)) / boards; f.out[k] != want {
			t.Errorf("turn %d: %d bytes of arrays a board, want %d", k, f.out[k], want)
		}
	}
}

// A walk writes the state that is written and the arrays of every board, and
// no byte more; two workers do what one does.
func TestFloorWalk(t *testing.T) {
	const boards, read, written, out, arrays, stride = 5, 70, 65, 10, 128, 192
	for workers := 1; workers <= 2; workers++ {
		f := &floor{boards: boards, read: read, written: written, stride: stride, memory: bytes.Repeat([]byte{7}, boards*stride)}
		for k := range Turns {
			// What is written begins with the actions, which are read last.
			f.in[k], f.out[k], f.actions[k] = written, out, make([]byte, boards*written)
		}
		f.time(workers)
		for i, got := range f.memory {
			want := byte(7)
			if at := i % stride; at < written || at >= arrays && at < arrays+out {
				want = 0
			}
			if got != want {
				t.Fatalf("%d workers: board %d byte %d is %d, want %d", workers, i/stride, i%stride, got, want)
			}
		}
	}
}

func TestFloorChunks(t *testing.T) {
	src := make([]byte, 3*floorChunk+5)
	for i := range src {
		src[i] = byte(i % 251)
	}
	var chunk [floorChunk]byte
	pull(&chunk, src)
	if !bytes.Equal(chunk[:5], src[3*floorChunk:]) || !bytes.Equal(chunk[5:], src[2*floorChunk+5:3*floorChunk]) {
		t.Error("the chunk does not hold what was read last")
	}
	dst := make([]byte, len(src))
	push(dst, &chunk)
	if !bytes.Equal(dst[floorChunk:2*floorChunk], chunk[:]) || !bytes.Equal(dst[3*floorChunk:], chunk[:5]) {
		t.Error("not every byte was written")
	}
}
