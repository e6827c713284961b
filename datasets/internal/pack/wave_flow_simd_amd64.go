//go:build goexperiment.simd && amd64

package pack

import (
	"simd/archsimd"
	"unsafe"
)

// vectorFlows lists the vector levels that the processor has.
func vectorFlows() []flowKernel {
	if !archsimd.X86.AVX512() {
		return nil
	}
	found := []flowKernel{{"avx512", targetsGeneric, darkGeneric, flowAVX512}}
	if archsimd.X86.AVX512VBMI() {
		found = append(found, flowKernel{"avx512vbmi", targetsVBMI, darkVBMI, flowAVX512})
	}
	return found
}

type vec = archsimd.Uint64x8

func load(p unsafe.Pointer, words int) vec {
	return archsimd.LoadUint64x8((*[8]uint64)(unsafe.Add(p, words*8)))
}

func store(p unsafe.Pointer, words int, x vec) { x.Store((*[8]uint64)(unsafe.Add(p, words*8))) }

func ptr(s []uint64) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// A ring picks the rows above a column's first eight out of its last eight and
// these, and the rows below its last eight out of these and its first eight.
type ring struct {
	aboveFirst, belowLast [8]uint64
}

// rings is by the lane of the last row.
var rings = func() (table [8]ring) {
	for last := range table {
		r := &table[last]
		for i := range 8 {
			r.aboveFirst[i], r.belowLast[i] = uint64(i+7), uint64(i+1)
		}
		r.aboveFirst[0], r.belowLast[last] = uint64(last), 8
	}
	return table
}()

type vectorWave struct {
	flowing flowing
}

// A flowing is what moveFront works on.
type flowing struct {
	front, before, free, units unsafe.Pointer
	seen                       [3]unsafe.Pointer // of the front's level, the next, and the one after

	sides  *beside
	ring   *ring
	words  int // of a row
	column int // bytes
	steps  int // levels to move on

	swapped int // 1: front and before are each other
	left    int // not 0: some unit
}

// moveFront is flowGeneric eight rows at a time. It leaves front and before where
// they are, but tells which is which.
//
//go:noescape
func moveFront(f *flowing)

func (v *vectorWave) prepare(w *wave) {
	n := w.words * w.stride
	for _, plane := range [][]uint64{w.free, w.front, w.before, w.units, w.levels[0], w.levels[1], w.levels[2]} {
		_ = plane[n-1]
	}
	v.flowing = flowing{
		free: ptr(w.free), units: ptr(w.units),
		sides: &w.sides[:w.words][0], words: w.words, column: 8 * w.stride, ring: &rings[(w.board.Rows-1)&7],
	}
}

func flowAVX512(w *wave, level, to int) (left bool) {
	f := &w.flowing
	f.front, f.before, f.steps = ptr(w.front), ptr(w.before), to-level
	for i := range f.seen {
		f.seen[i] = ptr(w.levels[(level+i)%3])
	}
	moveFront(f)
	if f.swapped != 0 {
		w.front, w.before = w.before, w.front
	}
	return f.left != 0
}

// pickRows[n] picks words out of rows of n packed bytes, which lie one after the
// other: the first words of eight rows and then the second ones. Of more than 8
// bytes, four rows are in one vector and four in another.
var pickRows = func() (index [17][128]uint8) {
	for n := 1; n < len(index); n++ {
		for i := range 128 {
			word, row, b := i/64, i/8%8, i%8
			switch {
			case n > 8:
				index[n][i] = uint8(row/4*64 + row%4*n + 8*word + b)
			case word == 0:
				index[n][i] = uint8(row*n + b)
			}
		}
	}
	return index
}()

// wholeRows is how many rows of a packed plane vectors can read: by eights, with
// no byte past the end.
func (w *wave) wholeRows(s *Sight, planes ...[]byte) int {
	if s.Stride >= len(pickRows) || w.words != (s.Stride+7)/8 {
		return 0
	}
	read := 64 // bytes from a group's begin
	if w.words == 2 {
		read += 4 * s.Stride
	}
	rows := w.board.Rows &^ 7
	for _, p := range planes {
		for rows > 0 && (rows-8)*s.Stride+read > cap(p) {
			rows -= 8
		}
	}
	return rows
}

func loadBytes(p unsafe.Pointer, at int) archsimd.Uint8x64 {
	return archsimd.LoadUint8x64((*[64]uint8)(unsafe.Add(p, at)))
}

func bytesOf(s []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// targetsVBMI is targetsGeneric for rows of up to 16 bytes.
func targetsVBMI(w *wave, s *Sight) bool {
	rows := w.wholeRows(s, s.Walls, s.Items, s.Targets)
	if rows == 0 {
		return targetsGeneric(w, s)
	}
	n := w.words * w.stride
	_, _ = w.free[n-1], w.front[n-1]
	walls, items, targets := bytesOf(s.Walls), bytesOf(s.Items), bytesOf(s.Targets)
	pick := unsafe.Pointer(&pickRows[s.Stride])
	first, second := loadBytes(pick, 0), loadBytes(pick, 64)
	in0, in1 := archsimd.BroadcastUint64x8(w.in(0)), archsimd.BroadcastUint64x8(w.in(w.words-1))
	free, front := ptr(w.free), ptr(w.front)
	var all vec
	for r := 0; r < rows; r += 8 {
		at := r * s.Stride
		if w.words == 1 {
			shut := loadBytes(walls, at).Or(loadBytes(items, at)).Permute(first).AsUint64x8()
			x := loadBytes(targets, at).Permute(first).AsUint64x8().And(in0)
			store(free, r, in0.AndNot(shut.Or(x)))
			store(front, r, x)
			all = all.Or(x)
			continue
		}
		to := at + 4*s.Stride
		shutA, shutB := loadBytes(walls, at).Or(loadBytes(items, at)), loadBytes(walls, to).Or(loadBytes(items, to))
		a, b := loadBytes(targets, at), loadBytes(targets, to)
		x, y := a.ConcatPermute(b, first).AsUint64x8(), a.ConcatPermute(b, second).AsUint64x8().And(in1)
		store(free, r, in0.AndNot(shutA.ConcatPermute(shutB, first).AsUint64x8().Or(x)))
		store(free, w.stride+r, in1.AndNot(shutA.ConcatPermute(shutB, second).AsUint64x8().Or(y)))
		store(front, r, x)
		store(front, w.stride+r, y)
		all = all.Or(x).Or(y)
	}
	live := all.NotEqual(vec{}).ToBits() != 0
	archsimd.ClearAVXUpperBits()
	if rows < w.board.Rows {
		live = w.targetsFrom(s, rows) || live
	}
	return live
}

// darkVBMI is darkGeneric for rows of up to 16 bytes.
func darkVBMI(w *wave, s *Sight) bool {
	rows := w.wholeRows(s, s.Walls, s.Visible)
	if rows == 0 {
		return darkGeneric(w, s)
	}
	n := w.words * w.stride
	_, _ = w.free[n-1], w.front[n-1]
	walls, visible := bytesOf(s.Walls), bytesOf(s.Visible)
	pick := unsafe.Pointer(&pickRows[s.Stride])
	first, second := loadBytes(pick, 0), loadBytes(pick, 64)
	in1 := archsimd.BroadcastUint64x8(w.in(w.words - 1))
	free, front := ptr(w.free), ptr(w.front)
	var all vec
	for r := 0; r < rows; r += 8 {
		at := r * s.Stride
		open, x := load(free, r), load(front, r)
		if w.words == 1 {
			seen := loadBytes(walls, at).Or(loadBytes(visible, at)).Permute(first).AsUint64x8()
			enter := open.Or(x).And(in1).AndNot(seen)
			store(free, r, open.AndNot(enter))
			store(front, r, x.Or(enter))
			all = all.Or(x).Or(enter)
			continue
		}
		to := at + 4*s.Stride
		seenA, seenB := loadBytes(walls, at).Or(loadBytes(visible, at)), loadBytes(walls, to).Or(loadBytes(visible, to))
		open1, x1 := load(free, w.stride+r), load(front, w.stride+r)
		enter := open.Or(x).AndNot(seenA.ConcatPermute(seenB, first).AsUint64x8())
		enter1 := open1.Or(x1).And(in1).AndNot(seenA.ConcatPermute(seenB, second).AsUint64x8())
		store(free, r, open.AndNot(enter))
		store(front, r, x.Or(enter))
		store(free, w.stride+r, open1.AndNot(enter1))
		store(front, w.stride+r, x1.Or(enter1))
		all = all.Or(x).Or(enter).Or(x1).Or(enter1)
	}
	live := all.NotEqual(vec{}).ToBits() != 0
	archsimd.ClearAVXUpperBits()
	if rows < w.board.Rows {
		live = w.darkFrom(s, rows) || live
	}
	return live
}
