//go:build goexperiment.simd && amd64

package square

import (
	"math/bits"
	"simd/archsimd"
	"unsafe"
)

// fightAVX512 is fight with one vector a window: lane i is its i-th row, of
// which the lowest bits are its columns. Reference: fight.
func fightAVX512(e *Engine, w *worker) {
	g := &w.g
	st := g.st
	if len(st.diskRows) == 0 {
		e.fight(w)
		return
	}
	size := st.hs * st.shape.Words
	disk := load(unsafe.Pointer(&st.diskRows[0]), 0)
	if need := size * (len(st.around) + 1); len(w.levels) < need {
		panic("square: no room for the levels of focus")
	}
	all, foes := w.all, ptr(w.north[:size])
	level := func(focus int) unsafe.Pointer { return unsafe.Add(ptr(w.levels), 8*size*focus) }
	most, seat := 0, -1
	for i := range w.contact {
		c := &w.contact[i]
		if int(c.seat) != seat {
			seat = int(c.seat)
			foesHaloed(st, foes, ptr(all[:st.pw]), ptr(g.mine[seat][:st.pw]))
		}
		near := windowAVX512(st, foes, int(c.row), int(c.col)).And(disk).TruncateToUint8().AsUint64x2().GetElem(0)
		focus := bits.OnesCount64(near)
		c.near, c.focus = near, uint16(focus)
		most = max(most, focus)
		// The halo repeats the rows at the edges.
		at := level(focus)
		r := int(c.row)
		j := int(c.word) - int(c.col)/64*st.shape.Stride + int(c.col)/64*st.hs + halo
		put(at, j, word(at, j)|c.bit)
		if r < st.half {
			j += st.shape.Rows
			put(at, j, word(at, j)|c.bit)
		} else if r >= st.shape.Rows-st.half {
			j -= st.shape.Rows
			put(at, j, word(at, j)|c.bit)
		}
	}
	// From those of one focus to those of no more.
	for k := 2; k <= most; k++ {
		from, to := level(k-1), level(k)
		for i := 0; i < size; i += 8 {
			store(to, i, load(to, i).Or(load(from, i)))
		}
	}
	for i := range w.contact {
		c := &w.contact[i]
		c.near &= windowAVX512(st, level(int(c.focus)), int(c.row), int(c.col)).And(disk).TruncateToUint8().AsUint64x2().GetElem(0)
	}
	for k := 1; k <= most; k++ {
		at := level(k)
		for i := 0; i < size; i += 8 {
			store(at, i, vec{})
		}
	}
	archsimd.ClearAVXUpperBits()
	for i := range w.contact {
		c := &w.contact[i]
		c.dies = c.near != 0
		if st.seats == 2 {
			w.kills[1-c.seat] += int32(count(c.dies))
			continue
		}
		killers := uint16(0)
		for m := c.near; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m)
			r, col := wrap(int(c.row)+k/8-st.half, st.shape.Rows), wrap(int(c.col)+k%8-st.half, st.shape.Cols)
			killers |= 1 << e.owner(g, col/64*st.shape.Stride+r, col%64)
		}
		e.die(w, c, killers)
	}
}

// foesHaloed writes all but a seat's ants, with the rows that a window at the
// edge takes in.
func foesHaloed(st *static, out, all, mine unsafe.Pointer) {
	stride, rows := st.shape.Stride, st.shape.Rows
	for word := range st.shape.Words {
		col := unsafe.Add(out, 8*(word*st.hs+halo))
		for r := 0; r < stride; r += 8 {
			store(col, r, load(all, word*stride+r).AndNot(load(mine, word*stride+r)))
		}
		for d := range st.half {
			i, j := word*stride+d, word*stride+rows-1-d
			put(col, rows+d, *(*uint64)(unsafe.Add(all, 8*i))&^*(*uint64)(unsafe.Add(mine, 8*i)))
			put(col, -1-d, *(*uint64)(unsafe.Add(all, 8*j))&^*(*uint64)(unsafe.Add(mine, 8*j)))
		}
	}
}

// windowAVX512 is the cells around one of a haloed plane.
func windowAVX512(st *static, plane unsafe.Pointer, r, c int) vec {
	from := c - st.half
	if from < 0 {
		from += st.shape.Cols
	}
	at := halo + r - st.half
	if st.shape.Words == 1 {
		x := load(plane, at)
		return x.ShiftRight(archsimd.BroadcastUint64x8(uint64(from))).Or(x.ShiftLeft(archsimd.BroadcastUint64x8(uint64(st.shape.Cols - from))))
	}
	word, shift := from/64, from%64
	width := min(64, st.shape.Cols-word*64)
	x := load(plane, word*st.hs+at).ShiftRight(archsimd.BroadcastUint64x8(uint64(shift)))
	if shift+int(st.width) > width {
		if word++; word == st.shape.Words {
			word = 0
		}
		x = x.Or(load(plane, word*st.hs+at).ShiftLeft(archsimd.BroadcastUint64x8(uint64(width - shift))))
	}
	return x
}
