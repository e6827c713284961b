//go:build goexperiment.simd && amd64

package bits

// Dilation, vector forms. Reference: dilate_generic.go.

import (
	"simd/archsimd"
	"unsafe"
)

// dilateAVX512 is Disk.Dilate eight rows at a time.
func dilateAVX512(d *Disk, dst, src, scratch []uint64) {
	switch {
	case d.form == formCopy || d.form == formRows:
		dilateGeneric(d, dst, src, scratch)
		return
	case d.common == diskPlus && d.shape.Rows >= 8:
		plusAVX512(&d.shape, dst, src)
		return
	case d.common == diskFive && d.shape.Rows >= 8 && d.shape.Rows != 9 && d.shape.Words <= 2 && d.shape.lastBits() >= 2:
		if d.shape.Words == 1 {
			fiveAVX512(&d.shape, dst, src)
		} else {
			fivePairAVX512(&d.shape, dst, src)
		}
		return
	}
	if d.common == diskView && d.shape.Cols == 32 && d.shape.Rows >= 16 {
		viewHalfAVX512(&d.shape, dst, src, scratch)
		return
	}
	if d.shape.Rows < d.halo {
		spread(d, src, scratch)
	} else {
		spreadAVX512(d, src, scratch)
	}
	switch d.common {
	case diskView:
		growViewAVX512(d, dst, scratch)
	default:
		growAnyAVX512(d, dst, scratch)
	}
	archsimd.ClearAVXUpperBits()
	if d.shape.Rows != d.shape.Stride {
		clearPadding(&d.shape, dst)
	}
}

// The direct kernels step through the rows by eight, the last eight ending at
// the last row: they overlap the eight before, and replace what those took
// from padding. Only the first and last eight meet the wrap.

// lanesFrom[k:k+8] are the lanes k to k+7 of two vectors in line.
var lanesFrom = [16]uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// plusAVX512 is dilatePlus. Rows >= 8.
func plusAVX512(s *Shape, dst, src []uint64) {
	in, out := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	above := load8(unsafe.Pointer(&lanesFrom), 7)
	below := load8(unsafe.Pointer(&lanesFrom), 1)
	one := archsimd.BroadcastUint64x8(1)
	var zero archsimd.Uint64x8
	end := s.Rows - 8
	for w := range s.Words {
		westWord, eastWord, west1, east1, valid := s.Neighbours(w)
		fromWest, fromEast := archsimd.BroadcastUint64x8(uint64(west1)), archsimd.BroadcastUint64x8(uint64(east1))
		mask := archsimd.BroadcastInt64x8(int64(valid))
		own, west, east := unsafe.Add(in, w*s.Stride*8), unsafe.Add(in, westWord*s.Stride*8), unsafe.Add(in, eastWord*s.Stride*8)
		to := unsafe.Add(out, w*s.Stride*8)
		store8(to, s.Stride-8, zero)
		for row := 0; ; row += 8 {
			row = min(row, end)
			x := load8(own, row)
			var up, down archsimd.Uint64x8
			if row == 0 {
				up = load8(own, end).ConcatPermute(x, above)
			} else {
				up = load8(own, row-1)
			}
			if row == end {
				down = x.ConcatPermute(load8(own, 0), below)
			} else {
				down = load8(own, row+1)
			}
			y := up.AsInt64x8().Or(down.AsInt64x8()).Or(x.Add(x).AsInt64x8())
			y = y.Or(x.AsInt64x8()).Or(x.ShiftRight(one).AsInt64x8())
			y = y.Or(load8(west, row).ShiftRight(fromWest).AsInt64x8()).Or(load8(east, row).ShiftLeft(fromEast).AsInt64x8())
			store8(to, row, y.And(mask).AsUint64x8())
			if row == end {
				break
			}
		}
	}
	archsimd.ClearAVXUpperBits()
}

// fiveAVX512 is growWindows for half widths 2 2 1, on rows of one word of two
// columns or more. Rows >= 8, but not 9: the last eight rows would begin at row
// 1, and miss row -1.
func fiveAVX512(s *Shape, dst, src []uint64) {
	in, out := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	above, above2 := load8(unsafe.Pointer(&lanesFrom), 7), load8(unsafe.Pointer(&lanesFrom), 6)
	below, below2 := load8(unsafe.Pointer(&lanesFrom), 1), load8(unsafe.Pointer(&lanesFrom), 2)
	one, two := archsimd.BroadcastUint64x8(1), archsimd.BroadcastUint64x8(2)
	wrap, wrap2 := archsimd.BroadcastUint64x8(uint64(s.Cols-1)), archsimd.BroadcastUint64x8(uint64(s.Cols-2))
	mask := archsimd.BroadcastInt64x8(int64(s.Last))
	var zero archsimd.Uint64x8
	store8(out, s.Stride-8, zero)
	end := s.Rows - 8
	for row := 0; ; row += 8 {
		row = min(row, end)
		x := load8(in, row)
		var up, up2, down, down2 archsimd.Uint64x8
		if row == 0 {
			before := load8(in, end)
			up, up2 = before.ConcatPermute(x, above), before.ConcatPermute(x, above2)
		} else {
			up, up2 = load8(in, row-1), load8(in, row-2)
		}
		if row == end {
			after := load8(in, 0)
			down, down2 = x.ConcatPermute(after, below), x.ConcatPermute(after, below2)
		} else {
			down, down2 = load8(in, row+1), load8(in, row+2)
		}
		// near has half width 2 and all has 1, of which near is part.
		near := x.Or(up).Or(down)
		all := near.Or(up2).Or(down2)
		y := all.AsInt64x8().Or(all.Add(all).AsInt64x8()).Or(all.ShiftRight(one).AsInt64x8())
		y = y.Or(all.ShiftRight(wrap).AsInt64x8()).Or(all.ShiftLeft(wrap).AsInt64x8())
		y = y.Or(near.ShiftAllLeft(2).AsInt64x8()).Or(near.ShiftRight(two).AsInt64x8())
		y = y.Or(near.ShiftRight(wrap2).AsInt64x8()).Or(near.ShiftLeft(wrap2).AsInt64x8())
		store8(out, row, y.And(mask).AsUint64x8())
		if row == end {
			break
		}
	}
	archsimd.ClearAVXUpperBits()
}

// fivePairAVX512 is fiveAVX512 for rows of two words, the second of two
// columns or more.
func fivePairAVX512(s *Shape, dst, src []uint64) {
	in, out := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	in1, out1 := unsafe.Add(in, s.Stride*8), unsafe.Add(out, s.Stride*8)
	above, above2 := load8(unsafe.Pointer(&lanesFrom), 7), load8(unsafe.Pointer(&lanesFrom), 6)
	below, below2 := load8(unsafe.Pointer(&lanesFrom), 1), load8(unsafe.Pointer(&lanesFrom), 2)
	one, two := archsimd.BroadcastUint64x8(1), archsimd.BroadcastUint64x8(2)
	over, over2 := archsimd.BroadcastUint64x8(wordBits-1), archsimd.BroadcastUint64x8(wordBits-2)
	wrap, wrap2 := archsimd.BroadcastUint64x8(uint64(s.lastBits()-1)), archsimd.BroadcastUint64x8(uint64(s.lastBits()-2))
	mask := archsimd.BroadcastInt64x8(int64(s.Last))
	var zero archsimd.Uint64x8
	store8(out, s.Stride-8, zero)
	store8(out1, s.Stride-8, zero)
	end := s.Rows - 8
	for row := 0; ; row += 8 {
		row = min(row, end)
		x, x1 := load8(in, row), load8(in1, row)
		near, near1 := x, x1
		var all, all1 archsimd.Uint64x8
		if row == 0 {
			before, before1 := load8(in, end), load8(in1, end)
			near, near1 = near.Or(before.ConcatPermute(x, above)), near1.Or(before1.ConcatPermute(x1, above))
			all, all1 = before.ConcatPermute(x, above2), before1.ConcatPermute(x1, above2)
		} else {
			near, near1 = near.Or(load8(in, row-1)), near1.Or(load8(in1, row-1))
			all, all1 = load8(in, row-2), load8(in1, row-2)
		}
		if row == end {
			after, after1 := load8(in, 0), load8(in1, 0)
			near, near1 = near.Or(x.ConcatPermute(after, below)), near1.Or(x1.ConcatPermute(after1, below))
			all, all1 = all.Or(x.ConcatPermute(after, below2)), all1.Or(x1.ConcatPermute(after1, below2))
		} else {
			near, near1 = near.Or(load8(in, row+1)), near1.Or(load8(in1, row+1))
			all, all1 = all.Or(load8(in, row+2)), all1.Or(load8(in1, row+2))
		}
		all, all1 = all.Or(near), all1.Or(near1)
		y := all.AsInt64x8().Or(all.Add(all).AsInt64x8()).Or(all.ShiftRight(one).AsInt64x8())
		y = y.Or(all1.ShiftRight(wrap).AsInt64x8()).Or(all1.ShiftLeft(over).AsInt64x8())
		y = y.Or(near.ShiftAllLeft(2).AsInt64x8()).Or(near.ShiftRight(two).AsInt64x8())
		y = y.Or(near1.ShiftRight(wrap2).AsInt64x8()).Or(near1.ShiftLeft(over2).AsInt64x8())
		store8(out, row, y.AsUint64x8())
		y = all1.AsInt64x8().Or(all1.Add(all1).AsInt64x8()).Or(all1.ShiftRight(one).AsInt64x8())
		y = y.Or(all.ShiftRight(over).AsInt64x8()).Or(all.ShiftLeft(wrap).AsInt64x8())
		y = y.Or(near1.ShiftAllLeft(2).AsInt64x8()).Or(near1.ShiftRight(two).AsInt64x8())
		y = y.Or(near.ShiftRight(over2).AsInt64x8()).Or(near.ShiftLeft(wrap2).AsInt64x8())
		store8(out1, row, y.And(mask).AsUint64x8())
		if row == end {
			break
		}
	}
	archsimd.ClearAVXUpperBits()
}

// spreadAVX512 is spread. It needs Rows >= halo: the halo rows are computed
// again from the source rather than read back from scratch, where stores are
// still on their way.
func spreadAVX512(d *Disk, src, scratch []uint64) {
	s := &d.shape
	for i := range d.slots {
		p := &d.slots[i].pieces.pieces
		in0 := unsafe.Pointer(&src[int(p[0].word)*s.Stride])
		in1 := unsafe.Pointer(&src[int(p[1].word)*s.Stride])
		in2 := unsafe.Pointer(&src[int(p[2].word)*s.Stride])
		out := unsafe.Pointer(&scratch[i*d.span+d.halo])
		rot0, mask0 := archsimd.BroadcastInt64x8(int64(p[0].rot)), archsimd.BroadcastInt64x8(int64(p[0].mask))
		rot1, mask1 := archsimd.BroadcastInt64x8(int64(p[1].rot)), archsimd.BroadcastInt64x8(int64(p[1].mask))
		rot2, mask2 := archsimd.BroadcastInt64x8(int64(p[2].rot)), archsimd.BroadcastInt64x8(int64(p[2].mask))
		from, to, n := 0, 0, s.Stride
		for part := range 3 {
			switch part {
			case 1:
				from, to, n = s.Rows-d.halo, -d.halo, d.halo
			case 2:
				from, to, n = 0, s.Rows, d.halo
			}
			for k := 0; k < n; k += 8 {
				x := load8(in0, from+k).AsInt64x8().RotateLeft(rot0).And(mask0)
				x = load8(in1, from+k).AsInt64x8().RotateLeft(rot1).And(mask1).Or(x)
				x = load8(in2, from+k).AsInt64x8().RotateLeft(rot2).And(mask2).Or(x)
				store8(out, to+k, x.AsUint64x8())
			}
		}
	}
}

// growViewAVX512 is growWindows for the view disk, half widths 8 8 8 8 7 7 6 5 3.
func growViewAVX512(d *Disk, dst, scratch []uint64) {
	s := &d.shape
	base := unsafe.Pointer(&scratch[d.halo])
	_ = scratch[len(d.slots)*d.span-1]
	for row := 0; row < s.Stride; row += 8 {
		var open archsimd.Int64x8
		for i := range d.slots {
			at := unsafe.Add(base, (i*d.span+row)*8)
			x := load8(at, 0).Or(load8(at, -1)).Or(load8(at, 1))
			x = x.Or(load8(at, -2)).Or(load8(at, 2))
			x = x.Or(load8(at, -3)).Or(load8(at, 3))
			x = widen8(x).Or(load8(at, -4)).Or(load8(at, 4))
			x = x.Or(load8(at, -5)).Or(load8(at, 5))
			x = widen8(x).Or(load8(at, -6)).Or(load8(at, 6))
			x = widen8(x).Or(load8(at, -7)).Or(load8(at, 7))
			x = widen8(widen8(x)).Or(load8(at, -8)).Or(load8(at, 8))
			x = widenBy2(widen8(x))

			w := &d.slots[i]
			y := x.RotateLeft(archsimd.BroadcastUint64x8(uint64(w.rot))).AsInt64x8()
			open = open.Or(y.And(archsimd.BroadcastInt64x8(int64(w.here))))
			if w.flush {
				store8(unsafe.Pointer(&dst[w.word*s.Stride+row]), 0, open.AsUint64x8())
				open = y.And(archsimd.BroadcastInt64x8(int64(w.next)))
			}
		}
		if d.rest {
			store8(unsafe.Pointer(&dst[(s.Words-1)*s.Stride+row]), 0, open.AsUint64x8())
		}
	}
}

// viewHalfAVX512 is growWindows for the view disk on boards of 32 columns:
// a row is half a lane, and needs no edges. Rows >= 16.
func viewHalfAVX512(s *Shape, dst, src, scratch []uint64) {
	const halo = 8
	in, out := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	// Scratch holds half as many bytes per row as for one window of whole
	// lanes.
	base := unsafe.Add(unsafe.Pointer(unsafe.SliceData(scratch)), halo*4)
	for row := 0; row < s.Stride; row += 8 {
		storeHalf8(base, row, load8(in, row).TruncateToUint32())
	}
	storeHalf8(base, -halo, load8(in, s.Rows-halo).TruncateToUint32())
	storeHalf8(base, s.Rows, load8(in, 0).TruncateToUint32())

	var zero archsimd.Uint64x8
	store8(out, s.Stride-8, zero)
	end := s.Rows - 16
	for row := 0; ; row += 16 {
		row = min(row, end)
		at := unsafe.Add(base, row*4)
		x := loadHalf16(at, 0).Or(loadHalf16(at, -1)).Or(loadHalf16(at, 1))
		x = x.Or(loadHalf16(at, -2)).Or(loadHalf16(at, 2))
		x = x.Or(loadHalf16(at, -3)).Or(loadHalf16(at, 3))
		x = widen16(x).Or(loadHalf16(at, -4)).Or(loadHalf16(at, 4))
		x = x.Or(loadHalf16(at, -5)).Or(loadHalf16(at, 5))
		x = widen16(x).Or(loadHalf16(at, -6)).Or(loadHalf16(at, 6))
		x = widen16(x).Or(loadHalf16(at, -7)).Or(loadHalf16(at, 7))
		x = widen16(widen16(x)).Or(loadHalf16(at, -8)).Or(loadHalf16(at, 8))
		y := widen16(x).AsInt32x16()
		x = y.Or(y.RotateAllLeft(2)).Or(y.RotateAllRight(2)).AsUint32x16()
		store8(out, row, x.GetLo().ExtendToUint64())
		store8(out, row+8, x.GetHi().ExtendToUint64())
		if row == end {
			break
		}
	}
	archsimd.ClearAVXUpperBits()
}

// growAnyAVX512 is growWindows.
func growAnyAVX512(d *Disk, dst, scratch []uint64) {
	s := &d.shape
	base := unsafe.Pointer(&scratch[d.halo])
	_ = scratch[len(d.slots)*d.span-1]
	for row := 0; row < s.Stride; row += 8 {
		var open archsimd.Int64x8
		for i := range d.slots {
			at := unsafe.Add(base, (i*d.span+row)*8)
			var x archsimd.Uint64x8
			for j := range d.bands {
				b := &d.bands[j]
				for k := b.from; k <= b.to; k++ {
					x = x.Or(load8(at, -k)).Or(load8(at, k))
				}
				for _, n := range b.grow {
					by := archsimd.BroadcastInt64x8(int64(n))
					y := x.AsInt64x8()
					x = y.Or(y.RotateLeft(by)).Or(y.RotateRight(by)).AsUint64x8()
				}
			}
			w := &d.slots[i]
			y := x.RotateLeft(archsimd.BroadcastUint64x8(uint64(w.rot))).AsInt64x8()
			open = open.Or(y.And(archsimd.BroadcastInt64x8(int64(w.here))))
			if w.flush {
				store8(unsafe.Pointer(&dst[w.word*s.Stride+row]), 0, open.AsUint64x8())
				open = y.And(archsimd.BroadcastInt64x8(int64(w.next)))
			}
		}
		if d.rest {
			store8(unsafe.Pointer(&dst[(s.Words-1)*s.Stride+row]), 0, open.AsUint64x8())
		}
	}
}

// dilateAVX2 is Disk.Dilate four rows at a time.
func dilateAVX2(d *Disk, dst, src, scratch []uint64) {
	switch {
	case d.form == formCopy || d.form == formRows:
		dilateGeneric(d, dst, src, scratch)
		return
	case d.common == diskPlus && d.shape.Rows >= 6:
		plusAVX2(&d.shape, dst, src)
		return
	}
	if d.shape.Rows < d.halo {
		spread(d, src, scratch)
	} else {
		spreadAVX2(d, src, scratch)
	}
	switch {
	case d.form == formTurn:
		growTurnAVX2(d, dst, scratch)
	case d.common == diskView:
		growViewAVX2(d, dst, scratch)
	default:
		growAnyAVX2(d, dst, scratch)
	}
	archsimd.ClearAVXUpperBits()
	if d.shape.Rows != d.shape.Stride {
		clearPadding(&d.shape, dst)
	}
}

// plusAVX2 is dilatePlus, four rows at a time but for the first and last, which
// wrap. Rows >= 6.
func plusAVX2(s *Shape, dst, src []uint64) {
	in, out := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	one := archsimd.BroadcastUint64x4(1)
	end := s.Rows - 5
	for w := range s.Words {
		westWord, eastWord, west1, east1, valid := s.Neighbours(w)
		fromWest, fromEast := archsimd.BroadcastUint64x4(uint64(west1)), archsimd.BroadcastUint64x4(uint64(east1))
		mask := archsimd.BroadcastUint64x4(valid)
		own, west, east := unsafe.Add(in, w*s.Stride*8), unsafe.Add(in, westWord*s.Stride*8), unsafe.Add(in, eastWord*s.Stride*8)
		to := unsafe.Add(out, w*s.Stride*8)
		for row := 1; ; row += 4 {
			row = min(row, end)
			x := load4(own, row)
			y := x.Or(x.Add(x)).Or(x.ShiftRight(one)).Or(load4(own, row-1)).Or(load4(own, row+1))
			y = y.Or(load4(west, row).ShiftRight(fromWest)).Or(load4(east, row).ShiftLeft(fromEast))
			store4(to, row, y.And(mask))
			if row == end {
				break
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	for w := range s.Words {
		plusRows(s, dst, src, w, 0, 1)
		plusRows(s, dst, src, w, s.Rows-1, s.Rows)
	}
	if s.Rows != s.Stride {
		clearPadding(s, dst)
	}
}

// spreadAVX2 is spread, as spreadAVX512 does it.
func spreadAVX2(d *Disk, src, scratch []uint64) {
	s := &d.shape
	for i := range d.slots {
		p := &d.slots[i].pieces.pieces
		in0 := unsafe.Pointer(&src[int(p[0].word)*s.Stride])
		in1 := unsafe.Pointer(&src[int(p[1].word)*s.Stride])
		in2 := unsafe.Pointer(&src[int(p[2].word)*s.Stride])
		out := unsafe.Pointer(&scratch[i*d.span+d.halo])
		left0, right0, mask0 := archsimd.BroadcastUint64x4(uint64(p[0].rot)), archsimd.BroadcastUint64x4(wordBits-uint64(p[0].rot)), archsimd.BroadcastUint64x4(p[0].mask)
		left1, right1, mask1 := archsimd.BroadcastUint64x4(uint64(p[1].rot)), archsimd.BroadcastUint64x4(wordBits-uint64(p[1].rot)), archsimd.BroadcastUint64x4(p[1].mask)
		left2, right2, mask2 := archsimd.BroadcastUint64x4(uint64(p[2].rot)), archsimd.BroadcastUint64x4(wordBits-uint64(p[2].rot)), archsimd.BroadcastUint64x4(p[2].mask)
		from, to, n := 0, 0, s.Stride
		for part := range 3 {
			switch part {
			case 1:
				from, to, n = s.Rows-d.halo, -d.halo, d.halo
			case 2:
				from, to, n = 0, s.Rows, d.halo
			}
			for k := 0; k < n; k += 4 {
				a, b, c := load4(in0, from+k), load4(in1, from+k), load4(in2, from+k)
				a = a.ShiftLeft(left0).Or(a.ShiftRight(right0)).And(mask0)
				b = b.ShiftLeft(left1).Or(b.ShiftRight(right1)).And(mask1)
				c = c.ShiftLeft(left2).Or(c.ShiftRight(right2)).And(mask2)
				store4(out, to+k, a.Or(b).Or(c))
			}
		}
	}
}

// growViewAVX2 is growWindows for the view disk and windows with edges. What
// a rotation would bring in at a window's end is lost in a shift; the edge
// hides both.
func growViewAVX2(d *Disk, dst, scratch []uint64) {
	s := &d.shape
	base := unsafe.Pointer(&scratch[d.halo])
	_ = scratch[len(d.slots)*d.span-1]
	one, two := archsimd.BroadcastUint64x4(1), archsimd.BroadcastUint64x4(2)
	for row := 0; row < s.Stride; row += 4 {
		var open archsimd.Uint64x4
		for i := range d.slots {
			at := unsafe.Add(base, (i*d.span+row)*8)
			x := load4(at, 0).Or(load4(at, -1)).Or(load4(at, 1))
			x = x.Or(load4(at, -2)).Or(load4(at, 2))
			x = x.Or(load4(at, -3)).Or(load4(at, 3))
			x = x.Or(x.Add(x)).Or(x.ShiftRight(one))
			x = x.Or(load4(at, -4)).Or(load4(at, 4))
			x = x.Or(load4(at, -5)).Or(load4(at, 5))
			x = x.Or(x.Add(x)).Or(x.ShiftRight(one))
			x = x.Or(load4(at, -6)).Or(load4(at, 6))
			x = x.Or(x.Add(x)).Or(x.ShiftRight(one))
			x = x.Or(load4(at, -7)).Or(load4(at, 7))
			x = x.Or(x.Add(x)).Or(x.ShiftRight(one))
			x = x.Or(x.Add(x)).Or(x.ShiftRight(one))
			x = x.Or(load4(at, -8)).Or(load4(at, 8))
			x = x.Or(x.Add(x)).Or(x.ShiftRight(one))
			x = x.Or(x.ShiftAllLeft(2)).Or(x.ShiftRight(two))

			w := &d.slots[i]
			x = x.ShiftLeft(archsimd.BroadcastUint64x4(uint64(w.rot))).
				Or(x.ShiftRight(archsimd.BroadcastUint64x4(uint64(wordBits - w.rot))))
			open = open.Or(x.And(archsimd.BroadcastUint64x4(w.here)))
			if w.flush {
				store4(unsafe.Pointer(&dst[w.word*s.Stride+row]), 0, open)
				open = x.And(archsimd.BroadcastUint64x4(w.next))
			}
		}
		if d.rest {
			store4(unsafe.Pointer(&dst[(s.Words-1)*s.Stride+row]), 0, open)
		}
	}
}

// growAnyAVX2 is growWindows for windows with edges.
func growAnyAVX2(d *Disk, dst, scratch []uint64) {
	s := &d.shape
	base := unsafe.Pointer(&scratch[d.halo])
	_ = scratch[len(d.slots)*d.span-1]
	for row := 0; row < s.Stride; row += 4 {
		var open archsimd.Uint64x4
		for i := range d.slots {
			at := unsafe.Add(base, (i*d.span+row)*8)
			var x archsimd.Uint64x4
			for j := range d.bands {
				b := &d.bands[j]
				for k := b.from; k <= b.to; k++ {
					x = x.Or(load4(at, -k)).Or(load4(at, k))
				}
				for _, n := range b.grow {
					by := archsimd.BroadcastUint64x4(uint64(n))
					x = x.Or(x.ShiftLeft(by)).Or(x.ShiftRight(by))
				}
			}
			w := &d.slots[i]
			x = x.ShiftLeft(archsimd.BroadcastUint64x4(uint64(w.rot))).
				Or(x.ShiftRight(archsimd.BroadcastUint64x4(uint64(wordBits - w.rot))))
			open = open.Or(x.And(archsimd.BroadcastUint64x4(w.here)))
			if w.flush {
				store4(unsafe.Pointer(&dst[w.word*s.Stride+row]), 0, open)
				open = x.And(archsimd.BroadcastUint64x4(w.next))
			}
		}
		if d.rest {
			store4(unsafe.Pointer(&dst[(s.Words-1)*s.Stride+row]), 0, open)
		}
	}
}

// growTurnAVX2 is growWindows for rows of 64 columns.
func growTurnAVX2(d *Disk, dst, scratch []uint64) {
	base := unsafe.Pointer(&scratch[d.halo])
	_ = scratch[d.span-1]
	for row := 0; row < d.shape.Stride; row += 4 {
		at := unsafe.Add(base, row*8)
		var x archsimd.Uint64x4
		for j := range d.bands {
			b := &d.bands[j]
			for k := b.from; k <= b.to; k++ {
				x = x.Or(load4(at, -k)).Or(load4(at, k))
			}
			for _, n := range b.grow {
				by, back := archsimd.BroadcastUint64x4(uint64(n)), archsimd.BroadcastUint64x4(uint64(wordBits-n))
				x = x.Or(x.ShiftLeft(by)).Or(x.ShiftRight(back)).Or(x.ShiftRight(by)).Or(x.ShiftLeft(back))
			}
		}
		store4(unsafe.Pointer(&dst[row]), 0, x)
	}
}
