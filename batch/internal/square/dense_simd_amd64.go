//go:build goexperiment.simd && amd64

package square

import (
	"math/bits"
	"simd/archsimd"
	"unsafe"

	mbits "github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/env/ants"
)

// vectorLevels lists the vector levels that the processor has. Those with
// VBMI2 have all of BMI2. Some kernels are in assembly: no function of Go
// becomes PDEP or PEXT, or one instruction on three vectors.
func vectorLevels() []kernels {
	if !archsimd.X86.AVX512() || !archsimd.X86.AVX512VBMI() || !archsimd.X86.AVX512VBMI2() || !archsimd.X86.AVX512VPOPCNTDQ() {
		return nil
	}
	return []kernels{{
		level: "avx512", block: blockAVX512, march: marchAVX512, settle: settleAVX512,
		foes: foesAVX512, meet: meetAVX512, fight: fightAVX512, refuse: refuseAVX512, list: listAVX512, near: nearAVX512, view: viewAVX512, pack: packAVX512, report: reportAVX512, valid: validAVX512,
		moveTile: moveTileAVX512, fightTile: fightTileAVX512, gatherTile: gatherTileAVX512, seeWhole: seeWholeAVX512,
	}}
}

// Eight rows of a word are one vector. Planes are padded to whole vectors, so
// nothing has a tail. Shift counts are vectors: a count in a general register
// makes the compiler change instruction sets.

type vec = archsimd.Uint64x8

func load(p unsafe.Pointer, words int) vec {
	return archsimd.LoadUint64x8((*[8]uint64)(unsafe.Add(p, words*8)))
}

func store(p unsafe.Pointer, words int, x vec) { x.Store((*[8]uint64)(unsafe.Add(p, words*8))) }

func ptr(s []uint64) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

func blockAVX512(st *static, w *worker, food []uint64) {
	stride := st.shape.Stride
	_, _ = w.blockE[st.pw-1], w.blockW[st.pw-1]
	_ = w.blocked[st.shape.Words*st.hs-1]
	for word := range st.shape.Words {
		col := w.blocked[word*st.hs : (word+1)*st.hs]
		out := ptr(col[halo:])
		water := ptr(st.water[word*stride:])
		if food == nil {
			for r := 0; r < stride; r += 8 {
				store(out, r, load(water, r))
			}
		} else {
			f := ptr(food[word*stride:])
			for r := 0; r < stride; r += 8 {
				store(out, r, load(water, r).Or(load(f, r)))
			}
		}
		col[halo-1] = st.water[word*stride+st.shape.Rows-1]
		col[halo+st.shape.Rows] = st.water[word*stride]
		if food != nil {
			col[halo-1] |= food[word*stride+st.shape.Rows-1]
			col[halo+st.shape.Rows] |= food[word*stride]
		}
	}
	one := archsimd.BroadcastUint64x8(1)
	for word := range st.shape.Words {
		l := &st.lanes[word]
		at := ptr(w.blocked[word*st.hs+halo:])
		prev, next := ptr(w.blocked[l.prev*st.hs+halo:]), ptr(w.blocked[l.next*st.hs+halo:])
		fromPrev, fromNext := archsimd.BroadcastUint64x8(l.fromPrev), archsimd.BroadcastUint64x8(l.fromNext)
		mask := archsimd.BroadcastUint64x8(l.mask)
		east, west := ptr(w.blockE[word*stride:]), ptr(w.blockW[word*stride:])
		for r := 0; r < stride; r += 8 {
			x := load(at, r)
			store(west, r, x.ShiftLeft(one).Or(load(prev, r).ShiftRight(fromPrev)).And(mask))
			store(east, r, x.ShiftRight(one).Or(load(next, r).ShiftLeft(fromNext)).And(mask))
		}
	}
	archsimd.ClearAVXUpperBits()
}

// lowBits[n] is the n lowest bits.
var lowBits = func() (m [65]uint64) {
	for n := range m {
		m[n] = 1<<n - 1
	}
	return m
}()

// counts fills w.rank with the bits of each word of a plane.
func countsAVX512(w *worker, plane []uint64) {
	out, in := ptr(w.rank[:len(plane)]), ptr(plane)
	for i := 0; i < len(plane); i += 8 {
		store(out, i, load(in, i).OnesCount())
	}
}

// every2[x] has the bits of x two apart.
var every2 = func() (t [256]uint16) {
	for x := range t {
		for b := range 8 {
			t[x] |= uint16(x>>b&1) << (2 * b)
		}
	}
	return t
}()

func word(p unsafe.Pointer, i int) uint64 { return *(*uint64)(unsafe.Add(p, i*8)) }

func put(p unsafe.Pointer, i int, x uint64) { *(*uint64)(unsafe.Add(p, i*8)) = x }

// deposit spreads three streams of bits over the bits of a plane: the words of
// the plane that list names take, in that order, one bit of each stream for
// each of their own bits. code points to the three planes that are written. The
// streams begin span bytes apart and can be read 8 bytes past their end.
//
//go:noescape
func deposit(code, plane, list unsafe.Pointer, n int, stream unsafe.Pointer, span int)

// streamOrders writes the three bits of the orders' values as streams of bits.
//
// The last masked load reads nothing past the end; the pointer checks of race
// builds would still refuse the conversion.
//
//go:nocheckptr
func streamOrdersAVX512(w *worker, orders []byte) (stream unsafe.Pointer, span int) {
	span = len(w.bits) / 3
	_ = orders[0]
	stream = unsafe.Pointer(unsafe.SliceData(w.bits))
	one, two, three := archsimd.BroadcastUint8x64(1), archsimd.BroadcastUint8x64(2), archsimd.BroadcastUint8x64(3)
	from := unsafe.Pointer(unsafe.SliceData(orders))
	n := len(orders)
	for at := 0; at < n; at += 64 {
		a := archsimd.LoadMaskedUint8x64((*[64]uint8)(unsafe.Add(from, at)), archsimd.Mask8x64FromBits(lowBits[min(64, n-at)]))
		to := unsafe.Add(stream, at/8)
		put(to, 0, a.And(one).Equal(one).ToBits())
		put(unsafe.Add(to, span), 0, a.And(two).Equal(two).ToBits())
		put(unsafe.Add(to, 2*span), 0, a.Greater(three).ToBits())
	}
	return stream, span
}

// fromAbove and fromBelow pick eight rows out of sixteen: those one further up
// and one further down than the second and the first eight.
var (
	fromAbove = [8]uint64{7, 8, 9, 10, 11, 12, 13, 14}
	fromBelow = [8]uint64{1, 2, 3, 4, 5, 6, 7, 8}
)

func marchAVX512(st *static, w *worker, orders []byte, mine []uint64) {
	stream, span := streamOrdersAVX512(w, orders)
	pw, stride := st.pw, st.shape.Stride
	mine = mine[:pw]
	code := ptr(w.code[:3*pw])
	planes := [3]unsafe.Pointer{code, unsafe.Add(code, 8*pw), unsafe.Add(code, 16*pw)}
	narrow := st.shape.Cols <= 32
	if narrow {
		// Two rows a word.
		in, out := ptr(mine), ptr(w.plane[:pw])
		for r := 0; r < stride; r += 8 {
			load(in, r).TruncateToUint32().Store((*[8]uint32)(unsafe.Add(out, 4*r)))
		}
		archsimd.ClearAVXUpperBits()
		deposit(unsafe.Pointer(&planes), out, unsafe.Pointer(&identity), stride/2, stream, span)
	} else {
		for i := 0; i < 3*pw; i += 8 {
			store(code, i, vec{})
		}
		n := occupiedAVX512(st, w.hits, mine)
		archsimd.ClearAVXUpperBits()
		deposit(unsafe.Pointer(&planes), ptr(mine), unsafe.Pointer(unsafe.SliceData(w.hits)), n, stream, span)
	}
	if st.shape.Rows == stride {
		moveWholeAVX512(st, w, mine, narrow)
	} else {
		moveAVX512(st, w, mine, narrow)
	}
}

// occupiedAVX512 lists the words of a plane that have bits, in row-major order.
func occupiedAVX512(st *static, dst []int32, plane []uint64) int {
	stride := st.shape.Stride
	in, to, n := ptr(plane[:st.pw]), unsafe.Pointer(unsafe.SliceData(dst[:st.pw+16])), 0
	switch st.shape.Words {
	case 1:
		at, next := archsimd.LoadInt32x8(&iota32), archsimd.BroadcastInt32x8(8)
		for r := 0; r < stride; r += 8 {
			lanes := load(in, r).NotEqual(vec{}).ToBits()
			at.Compress(archsimd.Mask32x8FromBits(lanes)).Store((*[8]int32)(unsafe.Add(to, 4*n)))
			n += bits.OnesCount8(lanes)
			at = at.Add(next)
		}
	case 2:
		at, next := archsimd.LoadInt32x16(&st.pairOrder), archsimd.BroadcastInt32x16(8)
		for r := 0; r < stride; r += 8 {
			first, second := load(in, r).NotEqual(vec{}).ToBits(), load(in, stride+r).NotEqual(vec{}).ToBits()
			lanes := every2[first] | every2[second]<<1
			at.Compress(archsimd.Mask32x16FromBits(lanes)).Store((*[16]int32)(unsafe.Add(to, 4*n)))
			n += bits.OnesCount16(lanes)
			at = at.Add(next)
		}
	default:
		for r := range stride {
			for i := r; i < st.pw; i += stride {
				if word(in, i) != 0 {
					dst[n] = int32(i)
					n++
				}
			}
		}
	}
	return n
}

// identity lists the words of a plane one after another.
var identity = func() (list [128]int32) {
	for i := range list {
		list[i] = int32(i)
	}
	return list
}()

// half loads eight rows of a plane of two rows a word.
func half(p unsafe.Pointer, rows int) vec {
	return archsimd.LoadUint32x8((*[8]uint32)(unsafe.Add(p, rows*4))).ExtendToUint64()
}

// moveWholeAVX512 moves ants on boards of whole vectors of rows, by the bits of
// their orders in w.code. Rows above and below come from the vectors beside:
// to load across two that were just stored would wait for both.
func moveWholeAVX512(st *static, w *worker, mine []uint64, narrow bool) {
	stride, pw := st.shape.Stride, st.pw
	_, _, _ = mine[pw-1], w.once[pw-1], w.twice[pw-1]
	_, _ = w.dir[0][pw-1], w.dir[1][pw-1]
	_ = w.blocked[st.shape.Words*st.hs-1]
	above, below := load(unsafe.Pointer(&fromAbove), 0), load(unsafe.Pointer(&fromBelow), 0)
	code := ptr(w.code[:3*pw])
	for word := range st.shape.Words {
		base := word * stride
		block := ptr(w.blocked[word*st.hs+halo:])
		n, e, s, x := ptr(w.dir[0][base:]), ptr(w.dir[1][base:]), ptr(w.dir[2][base:]), ptr(w.dir[3][base:])
		blockE, blockW := ptr(w.blockE[base:]), ptr(w.blockW[base:])
		from, once, twice := ptr(mine[base:]), ptr(w.once[base:]), ptr(w.twice[base:])
		before, here := load(block, stride-8), load(block, 0)
		for r := 0; r < stride; r += 8 {
			next := r + 8
			if next == stride {
				next = 0
			}
			after := load(block, next)
			var b0, b1, b2 vec
			if narrow {
				b0, b1, b2 = half(code, r), half(code, 2*pw+r), half(code, 4*pw+r)
			} else {
				b0, b1, b2 = load(code, base+r), load(code, pw+base+r), load(code, 2*pw+base+r)
			}
			m := load(from, r)
			toN := m.AndNot(b0.Or(b1).Or(b2)).AndNot(before.ConcatPermute(here, above))
			toS := b1.AndNot(b0).AndNot(here.ConcatPermute(after, below))
			toE := b0.AndNot(b1).AndNot(load(blockE, r))
			toW := b0.And(b1).AndNot(load(blockW, r))
			store(n, r, toN)
			store(s, r, toS)
			store(e, r, toE)
			store(x, r, toW)
			stay := m.AndNot(toN.Or(toS).Or(toE.Or(toW)))
			store(from, r, stay)
			o := load(once, r)
			store(twice, r, load(twice, r).Or(o.And(stay)))
			store(once, r, o.Or(stay))
			before, here = here, after
		}
	}
	one := archsimd.BroadcastUint64x8(1)
	for word := range st.shape.Words {
		base := word * stride
		l := &st.lanes[word]
		fromPrev, fromNext := archsimd.BroadcastUint64x8(l.fromPrev), archsimd.BroadcastUint64x8(l.fromNext)
		mask := archsimd.BroadcastUint64x8(l.mask)
		n, s := ptr(w.dir[0][base:]), ptr(w.dir[2][base:])
		e, prev := ptr(w.dir[1][base:]), ptr(w.dir[1][l.prev*stride:])
		x, next := ptr(w.dir[3][base:]), ptr(w.dir[3][l.next*stride:])
		from, once, twice := ptr(mine[base:]), ptr(w.once[base:]), ptr(w.twice[base:])
		southBefore, north := load(s, stride-8), load(n, 0)
		for r := 0; r < stride; r += 8 {
			after := r + 8
			if after == stride {
				after = 0
			}
			o, t, to := load(once, r), load(twice, r), load(from, r)
			northAfter, south := load(n, after), load(s, r)
			y := north.ConcatPermute(northAfter, below)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			y = southBefore.ConcatPermute(south, above)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			y = load(e, r).ShiftLeft(one).Or(load(prev, r).ShiftRight(fromPrev)).And(mask)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			y = load(x, r).ShiftRight(one).Or(load(next, r).ShiftLeft(fromNext)).And(mask)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			store(once, r, o)
			store(twice, r, t)
			store(from, r, to)
			north, southBefore = northAfter, south
		}
	}
	archsimd.ClearAVXUpperBits()
}

// moveAVX512 is moveWholeAVX512 for any number of rows.
func moveAVX512(st *static, w *worker, mine []uint64, narrow bool) {
	stride, rows, pw := st.shape.Stride, st.shape.Rows, st.pw
	code := ptr(w.code[:3*pw])
	for i := 0; i < pw; i += 8 {
		var b0, b1, b2 vec
		if narrow {
			b0, b1, b2 = half(code, i), half(code, 2*pw+i), half(code, 4*pw+i)
		} else {
			b0, b1, b2 = load(code, i), load(code, pw+i), load(code, 2*pw+i)
		}
		store(ptr(w.dir[0][:pw]), i, load(ptr(mine), i).AndNot(b0.Or(b1).Or(b2)))
		store(ptr(w.dir[1][:pw]), i, b0.AndNot(b1))
		store(ptr(w.dir[2][:pw]), i, b1.AndNot(b0))
		store(ptr(w.dir[3][:pw]), i, b0.And(b1))
	}
	_, _, _ = mine[pw-1], w.once[pw-1], w.twice[pw-1]
	_, _, _, _ = w.dir[0][pw-1], w.dir[1][pw-1], w.dir[2][pw-1], w.dir[3][pw-1]
	_, _, _ = w.blocked[st.shape.Words*st.hs-1], w.north[st.shape.Words*st.hs-1], w.south[st.shape.Words*st.hs-1]
	for word := range st.shape.Words {
		base := word * stride
		block := ptr(w.blocked[word*st.hs+halo:])
		north, south := ptr(w.north[word*st.hs+halo:]), ptr(w.south[word*st.hs+halo:])
		n, e, s, x := ptr(w.dir[0][base:]), ptr(w.dir[1][base:]), ptr(w.dir[2][base:]), ptr(w.dir[3][base:])
		blockE, blockW := ptr(w.blockE[base:]), ptr(w.blockW[base:])
		from, once, twice := ptr(mine[base:]), ptr(w.once[base:]), ptr(w.twice[base:])
		for r := 0; r < stride; r += 8 {
			toN := load(n, r).AndNot(load(block, r-1))
			toS := load(s, r).AndNot(load(block, r+1))
			toE := load(e, r).AndNot(load(blockE, r))
			toW := load(x, r).AndNot(load(blockW, r))
			store(north, r, toN)
			store(south, r, toS)
			store(e, r, toE)
			store(x, r, toW)
			stay := load(from, r).AndNot(toN.Or(toS).Or(toE.Or(toW)))
			store(from, r, stay)
			o := load(once, r)
			store(twice, r, load(twice, r).Or(o.And(stay)))
			store(once, r, o.Or(stay))
		}
		// The halo is computed again from the inputs, not read back.
		w.north[word*st.hs+halo+rows] = w.dir[0][base] &^ w.blocked[word*st.hs+halo-1]
		w.south[word*st.hs+halo-1] = w.dir[2][base+rows-1] &^ w.blocked[word*st.hs+halo+rows]
	}
	one := archsimd.BroadcastUint64x8(1)
	for word := range st.shape.Words {
		base := word * stride
		l := &st.lanes[word]
		fromPrev, fromNext := archsimd.BroadcastUint64x8(l.fromPrev), archsimd.BroadcastUint64x8(l.fromNext)
		mask := archsimd.BroadcastUint64x8(l.mask)
		north, south := ptr(w.north[word*st.hs+halo:]), ptr(w.south[word*st.hs+halo:])
		e, prev := ptr(w.dir[1][base:]), ptr(w.dir[1][l.prev*stride:])
		x, next := ptr(w.dir[3][base:]), ptr(w.dir[3][l.next*stride:])
		from, once, twice := ptr(mine[base:]), ptr(w.once[base:]), ptr(w.twice[base:])
		for r := 0; r < stride; r += 8 {
			o, t, to := load(once, r), load(twice, r), load(from, r)
			y := load(north, r+1)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			y = load(south, r-1)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			y = load(e, r).ShiftLeft(one).Or(load(prev, r).ShiftRight(fromPrev)).And(mask)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			y = load(x, r).ShiftRight(one).Or(load(next, r).ShiftLeft(fromNext)).And(mask)
			t, o, to = t.Or(o.And(y)), o.Or(y), to.Or(y)
			store(once, r, o)
			store(twice, r, t)
			store(from, r, to)
		}
		if rows != stride {
			// What arrived below the last row came round to the first.
			clear(mine[base+rows : base+stride])
			clear(w.once[base+rows : base+stride])
			clear(w.twice[base+rows : base+stride])
		}
	}
	archsimd.ClearAVXUpperBits()
}

func settleAVX512(all, once, twice []uint64) bool {
	a, o, t := ptr(all[:len(twice)]), ptr(once[:len(twice)]), ptr(twice)
	var clash vec
	for i := 0; i < len(twice); i += 8 {
		x := load(t, i)
		store(a, i, load(o, i).AndNot(x))
		clash = clash.Or(x)
	}
	any := clash.NotEqual(vec{}).ToBits() != 0
	archsimd.ClearAVXUpperBits()
	return any
}

func foesAVX512(dst, all, mine []uint64) bool {
	d, a, m := ptr(dst[:len(all)]), ptr(all), ptr(mine[:len(all)])
	var any vec
	for i := 0; i < len(all); i += 8 {
		x := load(a, i).AndNot(load(m, i))
		store(d, i, x)
		any = any.Or(x)
	}
	found := any.NotEqual(vec{}).ToBits() != 0
	archsimd.ClearAVXUpperBits()
	return found
}

var iota32 = [8]int32{0, 1, 2, 3, 4, 5, 6, 7}

func meetAVX512(dst []int32, a, b []uint64) int {
	p, q := ptr(a), ptr(b[:len(a)])
	_ = dst[len(a)+7]
	to := unsafe.Pointer(unsafe.SliceData(dst))
	at, eight := archsimd.LoadInt32x8(&iota32), archsimd.BroadcastInt32x8(8)
	n := 0
	for i := 0; i < len(a); i += 8 {
		lanes := load(p, i).And(load(q, i)).NotEqual(vec{}).ToBits()
		at.Compress(archsimd.Mask32x8FromBits(lanes)).Store((*[8]int32)(unsafe.Add(to, 4*n)))
		n += bits.OnesCount8(lanes)
		at = at.Add(eight)
	}
	archsimd.ClearAVXUpperBits()
	return n
}

func refuseAVX512(st *static, w *worker, mine, known, seen, food []uint64) {
	stride, rows, pw := st.shape.Stride, st.shape.Rows, st.pw
	_, _, _ = mine[pw-1], known[pw-1], seen[pw-1]
	_, _, _, _ = w.mask[0][pw-1], w.mask[1][pw-1], w.mask[2][pw-1], w.mask[3][pw-1]
	_ = w.blocked[st.shape.Words*st.hs-1]
	for word := range st.shape.Words {
		base := word * stride
		out := ptr(w.blocked[word*st.hs+halo:])
		water, k, s := ptr(st.water[base:]), ptr(known[base:]), ptr(seen[base:])
		top, bottom := st.water[base]&known[base], st.water[base+rows-1]&known[base+rows-1]
		if food == nil {
			for r := 0; r < stride; r += 8 {
				store(out, r, load(water, r).And(load(k, r)))
			}
		} else {
			f := ptr(food[base:])
			for r := 0; r < stride; r += 8 {
				store(out, r, load(water, r).And(load(k, r)).Or(load(f, r).And(load(s, r))))
			}
			top |= food[base] & seen[base]
			bottom |= food[base+rows-1] & seen[base+rows-1]
		}
		w.blocked[word*st.hs+halo-1], w.blocked[word*st.hs+halo+rows] = bottom, top
	}
	one := archsimd.BroadcastUint64x8(1)
	for word := range st.shape.Words {
		base := word * stride
		l := &st.lanes[word]
		at := ptr(w.blocked[word*st.hs+halo:])
		prev, next := ptr(w.blocked[l.prev*st.hs+halo:]), ptr(w.blocked[l.next*st.hs+halo:])
		fromPrev, fromNext := archsimd.BroadcastUint64x8(l.fromPrev), archsimd.BroadcastUint64x8(l.fromNext)
		m := ptr(mine[base:])
		n, e, s, x := ptr(w.mask[0][base:]), ptr(w.mask[1][base:]), ptr(w.mask[2][base:]), ptr(w.mask[3][base:])
		for r := 0; r < stride; r += 8 {
			y, own := load(at, r), load(m, r)
			store(n, r, load(at, r-1).And(own))
			store(s, r, load(at, r+1).And(own))
			// Bits past the last column fall to the own ants' mask.
			store(x, r, y.ShiftLeft(one).Or(load(prev, r).ShiftRight(fromPrev)).And(own))
			store(e, r, y.ShiftRight(one).Or(load(next, r).ShiftLeft(fromNext)).And(own))
		}
	}
	archsimd.ClearAVXUpperBits()
}

// iota64 is the column of each byte lane.
var iota64 = func() (x [64]uint8) {
	for i := range x {
		x[i] = uint8(i)
	}
	return x
}()

func listAVX512(st *static, w *worker, mine []uint64, width, n, count int, cells, mask []byte) {
	if count == 0 {
		return
	}
	narrow := st.shape.Cols <= 32
	if narrow {
		w.pair(st, mine, mask != nil)
	}
	listAllAVX512(st, w, mine, narrow, width, n, count, cells, mask)
}

// listAllAVX512 lists from w.code where narrow, else from mine and w.mask.
func listAllAVX512(st *static, w *worker, mine []uint64, narrow bool, width, n, count int, cells, mask []byte) {
	if cells != nil {
		listCellsAVX512(st, w, mine, width, cells[4*n:4*(n+count)+63])
	}
	if mask == nil {
		return
	}
	span := len(w.bits) / 4 &^ 7
	stream := unsafe.Pointer(unsafe.SliceData(w.bits))
	if narrow {
		pairs := ptr(w.code)
		extract(stream, span, unsafe.Add(pairs, 4*st.pw), 4*st.pw, pairs, unsafe.Pointer(&identity), st.shape.Stride/2)
	} else {
		words := occupiedAVX512(st, w.hits, mine)
		archsimd.ClearAVXUpperBits()
		extract(stream, span, ptr(w.refused), len(w.refused)/4*8, ptr(mine), unsafe.Pointer(unsafe.SliceData(w.hits)), words)
	}
	listMasksAVX512(stream, span, count, mask[5*n:5*(n+count)+64])
}

// pair writes a seat's ants and, if asked for, their refusals to w.code as
// planes of two rows a word.
func (w *worker) pair(st *static, mine []uint64, refusals bool) {
	in, out, size := ptr(mine[:st.pw]), ptr(w.code[:5*st.pw/2]), 4*st.pw
	for r := 0; r < st.pw; r += 8 {
		load(in, r).TruncateToUint32().Store((*[8]uint32)(unsafe.Add(out, 4*r)))
	}
	if refusals {
		for d := range w.mask {
			in, out = ptr(w.mask[d][:st.pw]), unsafe.Add(out, size)
			for r := 0; r < st.pw; r += 8 {
				load(in, r).TruncateToUint32().Store((*[8]uint32)(unsafe.Add(out, 4*r)))
			}
		}
	}
	archsimd.ClearAVXUpperBits()
}

// reportAVX512 serves boards of whole vectors of rows of up to 32 columns, and
// of any rows of 65 to 126. The refusals never are planes of a row a word.
// Reference: refuseGeneric, listGeneric.
func reportAVX512(w *worker, s int, food []uint64, width, n, count int, cells, mask []byte) bool {
	g := &w.g
	st := g.st
	stride, pw := st.shape.Stride, st.pw
	wide := len(st.bases) > 0 && cells != nil
	if mask == nil || !wide && (st.shape.Cols > 32 || st.shape.Rows != stride) {
		return false
	}
	if count == 0 {
		return true
	}
	if wide {
		reportWide(w, s, food, width, n, count, cells, mask)
		return true
	}
	if st.tile.move && width == 32 && cells != nil {
		reportTile(w, s, food, n, count, cells, mask)
		return true
	}
	mine, water := ptr(g.mine[s][:pw]), ptr(st.water[:pw])
	known, seen, eat := ptr(g.known[s][:pw]), ptr(g.seen[s][:pw]), ptr(noFood[:pw])
	if food != nil {
		eat = ptr(food[:pw])
	}
	refuses := func(r int) vec { return load(water, r).And(load(known, r)).Or(load(eat, r).And(load(seen, r))) }
	above, below := load(unsafe.Pointer(&fromAbove), 0), load(unsafe.Pointer(&fromBelow), 0)
	l := &st.lanes[0]
	one := archsimd.BroadcastUint64x8(1)
	fromPrev, fromNext := archsimd.BroadcastUint64x8(l.fromPrev), archsimd.BroadcastUint64x8(l.fromNext)
	out, size := ptr(w.code[:5*pw/2]), 4*pw
	before, here := refuses(stride-8), refuses(0)
	for r := 0; r < stride; r += 8 {
		next := r + 8
		if next == stride {
			next = 0
		}
		after, own := refuses(next), load(mine, r)
		at := unsafe.Add(out, 4*r)
		own.TruncateToUint32().Store((*[8]uint32)(at))
		before.ConcatPermute(here, above).And(own).TruncateToUint32().Store((*[8]uint32)(unsafe.Add(at, size)))
		here.ShiftRight(one).Or(here.ShiftLeft(fromNext)).And(own).TruncateToUint32().Store((*[8]uint32)(unsafe.Add(at, 2*size)))
		here.ConcatPermute(after, below).And(own).TruncateToUint32().Store((*[8]uint32)(unsafe.Add(at, 3*size)))
		here.ShiftLeft(one).Or(here.ShiftRight(fromPrev)).And(own).TruncateToUint32().Store((*[8]uint32)(unsafe.Add(at, 4*size)))
		before, here = here, after
	}
	archsimd.ClearAVXUpperBits()
	listAllAVX512(st, w, g.mine[s], true, width, n, count, cells, mask)
	return true
}

// noFood is an empty plane of a board of up to 32 columns.
var noFood [256]uint64

// validAVX512 is validGeneric, 64 bytes at a time.
//
// The last masked load reads nothing past the end; the pointer checks of race
// builds would still refuse the conversion.
//
//go:nocheckptr
func validAVX512(acts []byte) bool {
	n := len(acts)
	if n == 0 {
		return true
	}
	from := unsafe.Pointer(unsafe.SliceData(acts))
	most := archsimd.Uint8x64{}
	for at := 0; at < n; at += 64 {
		most = most.Max(archsimd.LoadMaskedUint8x64((*[64]uint8)(unsafe.Add(from, at)), archsimd.Mask8x64FromBits(lowBits[min(64, n-at)])))
	}
	ok := most.Greater(archsimd.BroadcastUint8x64(ants.NumActions-1)).ToBits() == 0
	archsimd.ClearAVXUpperBits()
	return ok
}

// extract gathers the bits of four planes under those of another, word by word
// as list names them, to four streams of bits, width bytes apart. The planes
// are span bytes apart.
//
//go:noescape
func extract(stream unsafe.Pointer, width int, planes unsafe.Pointer, span int, plane, list unsafe.Pointer, n int)

// listMasksAVX512 writes five mask bytes an ant from the streams of refusals.
func listMasksAVX512(stream unsafe.Pointer, span, count int, mask []byte) {
	bit := archsimd.LoadUint8x64(&bitOf)
	one, two, four, eight := archsimd.BroadcastUint8x64(1), archsimd.BroadcastUint8x64(2), archsimd.BroadcastUint8x64(4), archsimd.BroadcastUint8x64(8)
	next := archsimd.BroadcastUint8x64(antsPerStore)
	to := unsafe.Pointer(unsafe.SliceData(mask[:5*count+59]))
	for i := 0; i < count; i += 64 {
		in := unsafe.Add(stream, i/8)
		by := one.Masked(archsimd.Mask8x64FromBits(word(in, 0)))
		by = by.Or(two.Masked(archsimd.Mask8x64FromBits(word(unsafe.Add(in, span), 0))))
		by = by.Or(four.Masked(archsimd.Mask8x64FromBits(word(unsafe.Add(in, 2*span), 0))))
		by = by.Or(eight.Masked(archsimd.Mask8x64FromBits(word(unsafe.Add(in, 3*span), 0))))
		at := archsimd.LoadUint8x64(&fiveOf)
		for j := i; j < min(i+64, count); j += antsPerStore {
			one.Masked(by.Permute(at).And(bit).Equal(archsimd.Uint8x64{})).Store((*[64]uint8)(unsafe.Add(to, 5*j)))
			at = at.Add(next)
		}
	}
	archsimd.ClearAVXUpperBits()
}

// lowBytes32 picks the first sixteen bytes of a vector, one for each 32 bits.
var lowBytes32 = func() (x [64]uint8) {
	for i := range 16 {
		x[4*i] = uint8(i)
	}
	return x
}()

// listCellsAVX512 compresses the columns of 64 cells to those with ants at a
// time. Where the arrays are as wide as the board and rows are whole bytes,
// the packed plane is one stretch of cells.
func listCellsAVX512(st *static, w *worker, mine []uint64, width int, cells []byte) {
	columns := archsimd.LoadUint8x64(&iota64)
	pick := archsimd.LoadUint8x64(&lowBytes32)
	low := archsimd.BroadcastUint32x16(255)
	to := unsafe.Pointer(unsafe.SliceData(cells))
	end := unsafe.Add(to, len(cells)-63)
	count := ptr(w.rank)
	if width == st.shape.Cols && width%8 == 0 {
		n := st.shape.Rows * width / 8
		in := ptr(w.code)
		if width != 32 {
			mbits.PackRows(w.stream, width/8, &st.shape, mine)
			tail := (*[8]byte)(w.stream[n:])
			*tail = [8]byte{}
			in = unsafe.Pointer(unsafe.SliceData(w.stream))
		}
		words := (n + 7) / 8
		for i := 0; i < words; i += 8 {
			// Past the end the counts are not used.
			store(count, i, load(in, i).OnesCount())
		}
		base, next := archsimd.Uint32x16{}, archsimd.BroadcastUint32x16(64)
		for i := range words {
			c := columns.Compress(archsimd.Mask8x64FromBits(word(in, i)))
			c.Permute(pick).AsUint32x16().And(low).Add(base).Store((*[16]uint32)(to))
			k := int(word(count, i))
			if k > 16 {
				listMoreAVX512(c, base, to, k)
			}
			base = base.Add(next)
			to = unsafe.Add(to, 4*k)
		}
	} else {
		countsAVX512(w, mine[:st.pw])
		for r := range st.shape.Rows {
			for j := range st.shape.Words {
				i := j*st.shape.Stride + r
				c := columns.Compress(archsimd.Mask8x64FromBits(mine[i]))
				base := archsimd.BroadcastUint32x16(uint32(r*width + j*64))
				c.Permute(pick).AsUint32x16().And(low).Add(base).Store((*[16]uint32)(to))
				k := int(word(count, i))
				if k > 16 {
					listMoreAVX512(c, base, to, k)
				}
				to = unsafe.Add(to, 4*k)
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	if to != end {
		panic("square: a plane has other ants than the count says")
	}
}

// listMoreAVX512 writes the cells after the sixteenth.
func listMoreAVX512(c archsimd.Uint8x64, base archsimd.Uint32x16, to unsafe.Pointer, k int) {
	part := func(from int) archsimd.Mask32x16 {
		return archsimd.Mask32x16FromBits(uint16(1<<uint(min(16, max(0, k-from))) - 1))
	}
	c.GetLo().GetHi().ExtendToUint32().Add(base).StoreMasked((*[16]uint32)(unsafe.Add(to, 64)), part(16))
	c.GetHi().GetLo().ExtendToUint32().Add(base).StoreMasked((*[16]uint32)(unsafe.Add(to, 128)), part(32))
	c.GetHi().GetHi().ExtendToUint32().Add(base).StoreMasked((*[16]uint32)(unsafe.Add(to, 192)), part(48))
}

// fiveOf and bitOf spread refusals, one byte an ant, over five mask bytes each:
// byte j is bit j%5 of ant j/5.
var fiveOf, bitOf = func() (of, bit [64]uint8) {
	for j := range of {
		of[j], bit[j] = uint8(j/5), 1<<(j%5)
	}
	return of, bit
}()

// antsPerStore is how many ants' masks fit in one vector.
const antsPerStore = 12

func nearAVX512(once, twice, reach, food []uint64) {
	n := len(reach)
	o, t, x, f := ptr(once[:n]), ptr(twice[:n]), ptr(reach), ptr(food[:n])
	for i := 0; i < n; i += 8 {
		y := load(x, i).And(load(f, i))
		was := load(o, i)
		store(t, i, load(t, i).Or(was.And(y)))
		store(o, i, was.Or(y))
	}
	archsimd.ClearAVXUpperBits()
}

func viewAVX512(w *worker, s int) {
	g := &w.g
	n := g.st.pw
	all, mine, seen := ptr(w.all[:n]), ptr(g.mine[s][:n]), ptr(g.seen[s][:n])
	known, food, water := ptr(g.known[s][:n]), ptr(g.food[:n]), ptr(g.st.water[:n])
	foes, near, dead := ptr(w.foes[:n]), ptr(w.near[:n]), ptr(w.dead[:n])
	for i := 0; i < n; i += 8 {
		x := load(seen, i)
		store(foes, i, load(all, i).AndNot(load(mine, i)).And(x))
		store(near, i, load(food, i).And(x))
		store(dead, i, load(water, i).And(load(known, i)))
	}
	archsimd.ClearAVXUpperBits()
}

// packIndex[n] picks the bytes of eight packed rows of n bytes, in order, out
// of eight first words and eight second words (from 64 on).
var packIndex = func() (index [17][128]uint8) {
	for n := 1; n < len(index); n++ {
		for i := range 8 * n {
			row, b := i/n, i%n
			index[n][i] = uint8(b/8*64 + row*8 + b%8)
		}
	}
	return index
}()

// evens picks the lower halves of sixteen words.
var evens = func() (index [16]uint32) {
	for i := range index {
		index[i] = uint32(2 * i)
	}
	return index
}()

// packAVX512 packs eight rows at a time. Stores are masked: nothing past a
// plane is touched. Rows of two words are packed plane after plane, so that
// memory is written in one stream.
func packAVX512(w *worker, s int, ownHills, enemyHills []uint64, dst []byte, rowBytes int) bool {
	g := &w.g
	st := g.st
	if rowBytes >= len(packIndex) || st.shape.Words > 2 {
		return false
	}
	n := st.pw
	size := st.shape.Rows * rowBytes
	all, mine, seen := ptr(w.all[:n]), ptr(g.mine[s][:n]), ptr(g.seen[s][:n])
	known, food, water := ptr(g.known[s][:n]), ptr(g.food[:n]), ptr(st.water[:n])
	_ = dst[7*size-1]
	own, enemy := ptr(ownHills[:n]), ptr(enemyHills[:n])
	out := unsafe.Pointer(unsafe.SliceData(dst))
	if rowBytes == 4 && st.shape.Rows%16 == 0 {
		// Sixteen rows are one vector.
		pick := archsimd.LoadUint32x16(&evens)
		for row := 0; row < st.shape.Rows; row += 16 {
			m, n := load(mine, row), load(mine, row+8)
			x, y := load(seen, row), load(seen, row+8)
			at := unsafe.Add(out, 4*row)
			put := func(plane int, a, b vec) {
				a.AsUint32x16().ConcatPermute(b.AsUint32x16(), pick).Store((*[16]uint32)(unsafe.Add(at, plane*size)))
			}
			put(0, m, n)
			put(1, load(all, row).AndNot(m).And(x), load(all, row+8).AndNot(n).And(y))
			put(2, load(food, row).And(x), load(food, row+8).And(y))
			put(3, load(own, row).And(x), load(own, row+8).And(y))
			put(4, load(enemy, row).And(x), load(enemy, row+8).And(y))
			put(5, load(water, row).And(load(known, row)), load(water, row+8).And(load(known, row+8)))
			put(6, x, y)
		}
		archsimd.ClearAVXUpperBits()
		return true
	}
	if rowBytes > 8 {
		p := packer{rows: st.shape.Rows, rowBytes: rowBytes}
		if st.shape.Words == 2 {
			p.second = st.shape.Stride
		}
		p.pack(out, mine, mine, nil, false)
		p.pack(unsafe.Add(out, 1*size), all, seen, mine, true)
		p.pack(unsafe.Add(out, 2*size), food, seen, nil, false)
		p.pack(unsafe.Add(out, 3*size), own, seen, nil, false)
		p.pack(unsafe.Add(out, 4*size), enemy, seen, nil, false)
		p.pack(unsafe.Add(out, 5*size), water, known, nil, false)
		p.pack(unsafe.Add(out, 6*size), seen, seen, nil, false)
		archsimd.ClearAVXUpperBits()
		return true
	}
	pick := load(unsafe.Pointer(&packIndex[rowBytes]), 0).AsUint8x64()
	for row := 0; row < st.shape.Rows; row += 8 {
		part := archsimd.Mask8x64FromBits(lowBits[min(8, st.shape.Rows-row)*rowBytes])
		m, x := load(mine, row), load(seen, row)
		at := unsafe.Add(out, row*rowBytes)
		to := func(plane int) *[64]uint8 { return (*[64]uint8)(unsafe.Add(at, plane*size)) }
		m.AsUint8x64().Permute(pick).StoreMasked(to(0), part)
		load(all, row).AndNot(m).And(x).AsUint8x64().Permute(pick).StoreMasked(to(1), part)
		load(food, row).And(x).AsUint8x64().Permute(pick).StoreMasked(to(2), part)
		load(own, row).And(x).AsUint8x64().Permute(pick).StoreMasked(to(3), part)
		load(enemy, row).And(x).AsUint8x64().Permute(pick).StoreMasked(to(4), part)
		load(water, row).And(load(known, row)).AsUint8x64().Permute(pick).StoreMasked(to(5), part)
		x.AsUint8x64().Permute(pick).StoreMasked(to(6), part)
	}
	archsimd.ClearAVXUpperBits()
	return true
}

// A packer packs planes of rows of 9 to 16 bytes. second is where the second
// word of the rows begins; 0 when the board has only one and the rest of the
// row is padding.
type packer struct{ rows, rowBytes, second int }

// pack packs a & b, without c if so told.
func (p *packer) pack(out, a, b, c unsafe.Pointer, without bool) {
	index := unsafe.Pointer(&packIndex[p.rowBytes])
	pick, pickRest := load(index, 0).AsUint8x64(), load(index, 8).AsUint8x64()
	for row := 0; row < p.rows; row += 8 {
		x, y := load(a, row).And(load(b, row)), vec{}
		if p.second != 0 {
			y = load(a, p.second+row).And(load(b, p.second+row))
		}
		if without {
			x = x.AndNot(load(c, row))
			if p.second != 0 {
				y = y.AndNot(load(c, p.second+row))
			}
		}
		bytes := min(8, p.rows-row) * p.rowBytes
		x.AsUint8x64().ConcatPermute(y.AsUint8x64(), pick).StoreMasked((*[64]uint8)(out), archsimd.Mask8x64FromBits(lowBits[min(64, bytes)]))
		if bytes > 64 {
			x.AsUint8x64().ConcatPermute(y.AsUint8x64(), pickRest).StoreMasked((*[64]uint8)(unsafe.Add(out, 64)), archsimd.Mask8x64FromBits(lowBits[bytes-64]))
		}
		out = unsafe.Add(out, bytes)
	}
}
