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

// lanesFrom[k:k+8] are the lanes k to k+7 of two vectors in line.
var lanesFrom = [16]uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// flowAVX512 is flowGeneric eight rows at a time. The rows above and below are
// made of the vectors beside, as a load of them would meet two stores that are
// still on their way.
func flowAVX512(w *wave, levels int) (done int, live, hit bool) {
	n := w.words * w.stride
	_, _, _, _, _ = w.free[n-1], w.front[n-1], w.before[n-1], w.units[n-1], w.hits[n/8-1]
	// Above the first row is the last one, below the last the first. Arrays are
	// copied before vectors are in use, see package bits of batch.
	last := (w.board.Rows - 1) & 7
	firstAbove, lastBelow := lanesFrom, lanesFrom
	firstAbove[7], lastBelow[last+1] = uint64(last), 8
	above, below := load(unsafe.Pointer(&lanesFrom), 7), load(unsafe.Pointer(&lanesFrom), 1)
	aboveFirst, belowLast := load(unsafe.Pointer(&firstAbove), 7), load(unsafe.Pointer(&lastBelow), 1)
	one := archsimd.BroadcastUint64x8(1)
	var none vec
	end := w.stride - 8
	for done < levels {
		w.front, w.before = w.before, w.front
		var entered vec
		reached := uint8(0)
		for k := range w.words {
			westWord, eastWord, west1, east1 := w.beside(k)
			fromWest, fromEast := archsimd.BroadcastUint64x8(uint64(west1)), archsimd.BroadcastUint64x8(uint64(east1))
			at := k * w.stride
			own, west, east := ptr(w.before[at:]), ptr(w.before[westWord*w.stride:]), ptr(w.before[eastWord*w.stride:])
			to, enter, units, hits := ptr(w.front[at:]), ptr(w.free[at:]), ptr(w.units[at:]), w.hits[at/8:]
			first := load(own, 0)
			x := first
			up := load(own, end).ConcatPermute(x, aboveFirst)
			for r := 0; ; r += 8 {
				var after, down vec
				if r < end {
					after = load(own, r+8)
					down = x.ConcatPermute(after, below)
				} else {
					down = x.ConcatPermute(first, belowLast)
				}
				g := up.Or(down).Or(x.Add(x)).Or(x.ShiftRight(one))
				g = g.Or(load(west, r).ShiftRight(fromWest)).Or(load(east, r).ShiftLeft(fromEast))
				open := load(enter, r)
				f := g.And(open)
				store(to, r, f)
				store(enter, r, open.Xor(f))
				entered = entered.Or(f)
				lanes := f.And(load(units, r)).NotEqual(none).ToBits()
				hits[r/8] = lanes
				reached |= lanes
				if r == end {
					break
				}
				up = x.ConcatPermute(after, above)
				x = after
			}
		}
		done++
		live, hit = entered.NotEqual(none).ToBits() != 0, reached != 0
		if !live || hit {
			break
		}
	}
	archsimd.ClearAVXUpperBits()
	return done, live, hit
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
