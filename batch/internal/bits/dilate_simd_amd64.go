//go:build goexperiment.simd && amd64

package bits

// Dilation, vector forms. Reference: dilate_generic.go.

import (
	"simd/archsimd"
	"unsafe"
)

// dilateAVX512 is Disk.Dilate eight rows at a time.
func dilateAVX512(d *Disk, dst, src, scratch []uint64) {
	if d.form == formCopy || d.form == formRows {
		dilateGeneric(d, dst, src, scratch)
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

// spreadAVX512 is spread. It needs Rows >= halo: the halo rows are computed
// again from the source rather than read back from scratch, where stores are
// still on their way.
func spreadAVX512(d *Disk, src, scratch []uint64) {
	s := &d.shape
	for i := range d.slots {
		p := &d.slots[i].pieces.pieces
		in0 := unsafe.Pointer(&src[p[0].word*s.Stride])
		in1 := unsafe.Pointer(&src[p[1].word*s.Stride])
		in2 := unsafe.Pointer(&src[p[2].word*s.Stride])
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
		at := unsafe.Add(base, row*8)
		var open archsimd.Int64x8
		for i := range d.slots {
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
			at = unsafe.Add(at, d.span*8)
		}
		if d.rest {
			store8(unsafe.Pointer(&dst[(s.Words-1)*s.Stride+row]), 0, open.AsUint64x8())
		}
	}
}

// growAnyAVX512 is growWindows.
func growAnyAVX512(d *Disk, dst, scratch []uint64) {
	s := &d.shape
	base := unsafe.Pointer(&scratch[d.halo])
	_ = scratch[len(d.slots)*d.span-1]
	for row := 0; row < s.Stride; row += 8 {
		at := unsafe.Add(base, row*8)
		var open archsimd.Int64x8
		for i := range d.slots {
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
			at = unsafe.Add(at, d.span*8)
		}
		if d.rest {
			store8(unsafe.Pointer(&dst[(s.Words-1)*s.Stride+row]), 0, open.AsUint64x8())
		}
	}
}

// dilateAVX2 is Disk.Dilate four rows at a time.
func dilateAVX2(d *Disk, dst, src, scratch []uint64) {
	if d.form == formCopy || d.form == formRows {
		dilateGeneric(d, dst, src, scratch)
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

// spreadAVX2 is spread, as spreadAVX512 does it.
func spreadAVX2(d *Disk, src, scratch []uint64) {
	s := &d.shape
	for i := range d.slots {
		p := &d.slots[i].pieces.pieces
		in0 := unsafe.Pointer(&src[p[0].word*s.Stride])
		in1 := unsafe.Pointer(&src[p[1].word*s.Stride])
		in2 := unsafe.Pointer(&src[p[2].word*s.Stride])
		out := unsafe.Pointer(&scratch[i*d.span+d.halo])
		left0, right0, mask0 := archsimd.BroadcastUint64x4(uint64(p[0].rot)), archsimd.BroadcastUint64x4(uint64(wordBits-p[0].rot)), archsimd.BroadcastUint64x4(p[0].mask)
		left1, right1, mask1 := archsimd.BroadcastUint64x4(uint64(p[1].rot)), archsimd.BroadcastUint64x4(uint64(wordBits-p[1].rot)), archsimd.BroadcastUint64x4(p[1].mask)
		left2, right2, mask2 := archsimd.BroadcastUint64x4(uint64(p[2].rot)), archsimd.BroadcastUint64x4(uint64(wordBits-p[2].rot)), archsimd.BroadcastUint64x4(p[2].mask)
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
		at := unsafe.Add(base, row*8)
		var open archsimd.Uint64x4
		for i := range d.slots {
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
			at = unsafe.Add(at, d.span*8)
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
		at := unsafe.Add(base, row*8)
		var open archsimd.Uint64x4
		for i := range d.slots {
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
			at = unsafe.Add(at, d.span*8)
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
