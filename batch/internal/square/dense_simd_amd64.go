//go:build goexperiment.simd && amd64

package square

import (
	"encoding/binary"
	"math/bits"
	"simd/archsimd"
	"unsafe"

	mbits "github.com/myriant-rl/myriant/batch/internal/bits"
)

// vectorLevels lists the vector levels that the processor has.
func vectorLevels() []kernels {
	if !archsimd.X86.AVX512() || !archsimd.X86.AVX512VBMI() || !archsimd.X86.AVX512VBMI2() {
		return nil
	}
	return []kernels{{
		level: "avx512", block: blockAVX512, spread: spreadAVX512, move: moveAVX512, settle: settleAVX512,
		foes: foesAVX512, meet: meetAVX512, refuse: refuseAVX512, list: listAVX512, near: nearAVX512, view: viewAVX512, pack: packAVX512,
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

// spreadAVX512 puts a word's orders on their columns by one expanding load and
// compares them with each direction. Boards of up to 32 columns take two rows
// at a time; wider ones skip words without ants.
//
// The last masked load may begin past the orders, where it reads nothing; the
// pointer checks of race builds would still refuse the conversion.
//
//go:nocheckptr
func spreadAVX512(st *static, w *worker, orders []byte, mine []uint64) {
	pw, stride := st.pw, st.shape.Stride
	mine = mine[:pw]
	var none [1]byte
	from := unsafe.Pointer(&none)
	if len(orders) > 0 {
		from = unsafe.Pointer(&orders[0])
	}
	countsAVX512(w, mine)
	in, count := ptr(mine), ptr(w.rank)
	n, e, s, x := ptr(w.dir[0][:pw]), ptr(w.dir[1][:pw]), ptr(w.dir[2][:pw]), ptr(w.dir[3][:pw])
	east, south, west := archsimd.BroadcastUint8x64(1), archsimd.BroadcastUint8x64(2), archsimd.BroadcastUint8x64(3)
	if st.shape.Cols <= 32 {
		for r := 0; r < stride; r += 2 {
			m := word(in, r) | word(in, r+1)<<32
			k := word(count, r) + word(count, r+1)
			a := archsimd.LoadMaskedUint8x64((*[64]uint8)(from), archsimd.Mask8x64FromBits(lowBits[k])).Expand(archsimd.Mask8x64FromBits(m))
			from = unsafe.Add(from, k)
			toN := m &^ a.Greater(archsimd.Uint8x64{}).ToBits()
			toE, toS, toW := a.Equal(east).ToBits(), a.Equal(south).ToBits(), a.Equal(west).ToBits()
			put(n, r, uint64(uint32(toN)))
			put(n, r+1, toN>>32)
			put(e, r, uint64(uint32(toE)))
			put(e, r+1, toE>>32)
			put(s, r, uint64(uint32(toS)))
			put(s, r+1, toS>>32)
			put(x, r, uint64(uint32(toW)))
			put(x, r+1, toW>>32)
		}
		archsimd.ClearAVXUpperBits()
		return
	}
	for i := 0; i < pw; i += 8 {
		store(n, i, vec{})
		store(e, i, vec{})
		store(s, i, vec{})
		store(x, i, vec{})
	}
	one := func(i int) {
		m, k := word(in, i), word(count, i)
		a := archsimd.LoadMaskedUint8x64((*[64]uint8)(from), archsimd.Mask8x64FromBits(lowBits[k])).Expand(archsimd.Mask8x64FromBits(m))
		from = unsafe.Add(from, k)
		put(n, i, m&^a.Greater(archsimd.Uint8x64{}).ToBits())
		put(e, i, a.Equal(east).ToBits())
		put(s, i, a.Equal(south).ToBits())
		put(x, i, a.Equal(west).ToBits())
	}
	switch st.shape.Words {
	case 1:
		for r := 0; r < stride; r += 8 {
			for any := load(in, r).NotEqual(vec{}).ToBits(); any != 0; any &= any - 1 {
				one(r + bits.TrailingZeros8(any))
			}
		}
	case 2:
		for r := 0; r < stride; r += 8 {
			any := every2[load(in, r).NotEqual(vec{}).ToBits()] | every2[load(in, stride+r).NotEqual(vec{}).ToBits()]<<1
			for ; any != 0; any &= any - 1 {
				b := bits.TrailingZeros16(any)
				one(r + b>>1 + b&1*stride)
			}
		}
	default:
		for r := range stride {
			for i := r; i < pw; i += stride {
				if word(in, i) != 0 {
					one(i)
				}
			}
		}
	}
	archsimd.ClearAVXUpperBits()
}

func moveAVX512(st *static, w *worker, mine []uint64) {
	stride, rows, pw := st.shape.Stride, st.shape.Rows, st.pw
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
	if cells != nil {
		listCellsAVX512(st, w, mine, width, cells[4*n:4*(n+count)+63])
	}
	if mask != nil {
		if st.shape.Cols <= 32 {
			listMasksPairsAVX512(st, w, mine, mask[5*n:5*(n+count)+64])
		} else {
			listMasksAVX512(st, w, mine, mask[5*n:5*(n+count)+63])
		}
	}
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
		mbits.PackRows(w.stream, width/8, &st.shape, mine)
		tail := (*[8]byte)(w.stream[n:])
		*tail = [8]byte{}
		in := unsafe.Pointer(unsafe.SliceData(w.stream))
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

// listMasksPairsAVX512 lists masks on boards of up to 32 columns, two rows at
// a time: the refusals of 64 cells, a byte each, compressed to those of ants.
func listMasksPairsAVX512(st *static, w *worker, mine []uint64, mask []byte) {
	countsAVX512(w, mine[:st.pw])
	in, count := ptr(mine), ptr(w.rank)
	north, east, south, west := ptr(w.mask[0][:st.pw]), ptr(w.mask[1][:st.pw]), ptr(w.mask[2][:st.pw]), ptr(w.mask[3][:st.pw])
	five, bit := archsimd.LoadUint8x64(&fiveOf), archsimd.LoadUint8x64(&bitOf)
	one, two, four, eight := archsimd.BroadcastUint8x64(1), archsimd.BroadcastUint8x64(2), archsimd.BroadcastUint8x64(4), archsimd.BroadcastUint8x64(8)
	to := unsafe.Pointer(unsafe.SliceData(mask))
	for r := 0; r < st.shape.Stride; r += 2 {
		m := word(in, r) | word(in, r+1)<<32
		k := int(word(count, r) + word(count, r+1))
		by := one.Masked(archsimd.Mask8x64FromBits(word(north, r) | word(north, r+1)<<32))
		by = by.Or(two.Masked(archsimd.Mask8x64FromBits(word(east, r) | word(east, r+1)<<32)))
		by = by.Or(four.Masked(archsimd.Mask8x64FromBits(word(south, r) | word(south, r+1)<<32)))
		by = by.Or(eight.Masked(archsimd.Mask8x64FromBits(word(west, r) | word(west, r+1)<<32)))
		by = by.Compress(archsimd.Mask8x64FromBits(m))
		one.Masked(by.Permute(five).And(bit).Equal(archsimd.Uint8x64{})).Store((*[64]uint8)(to))
		at := five
		for j := antsPerStore; j < k; j += antsPerStore {
			at = at.Add(archsimd.BroadcastUint8x64(antsPerStore))
			one.Masked(by.Permute(at).And(bit).Equal(archsimd.Uint8x64{})).Store((*[64]uint8)(unsafe.Add(to, 5*j)))
		}
		to = unsafe.Add(to, 5*k)
	}
	archsimd.ClearAVXUpperBits()
}

// listMasksAVX512 allows every ant everything, then takes back what the few
// next to water or food may not do.
func listMasksAVX512(st *static, w *worker, mine []uint64, mask []byte) {
	stride, pw := st.shape.Stride, st.pw
	one := archsimd.BroadcastUint8x64(1)
	to := unsafe.Pointer(unsafe.SliceData(mask))
	for at := 0; at < len(mask)-63; at += 64 {
		one.Store((*[64]uint8)(unsafe.Add(to, at)))
	}
	countsAVX512(w, mine[:pw])
	rank, n := w.rank[:pw], uint64(0)
	switch st.shape.Words {
	case 1:
		for i, k := range rank {
			rank[i] = n
			n += k
		}
	case 2:
		second := rank[stride:]
		for i, k := range rank[:stride] {
			rank[i] = n
			n += k
			second[i], n = n, n+second[i]
		}
	default:
		for r := range stride {
			for i := r; i < pw; i += stride {
				rank[i], n = n, n+rank[i]
			}
		}
	}
	north, east, south, west := w.mask[0][:pw], w.mask[1][:pw], w.mask[2][:pw], w.mask[3][:pw]
	pn, pe, ps, px := ptr(north), ptr(east), ptr(south), ptr(west)
	for at := 0; at < pw; at += 8 {
		any := load(pn, at).Or(load(pe, at)).Or(load(ps, at).Or(load(px, at)))
		for lanes := any.NotEqual(vec{}).ToBits(); lanes != 0; lanes &= lanes - 1 {
			i := at + bits.TrailingZeros8(lanes)
			n, e, s, x, m := north[i], east[i], south[i], west[i], mine[i]
			for left := n | e | s | x; left != 0; left &= left - 1 {
				c := uint(bits.TrailingZeros64(left)) & 63
				refused := n>>c&1 | e>>c&1<<1 | s>>c&1<<2 | x>>c&1<<3
				ant := int(rank[i]) + bits.OnesCount64(m&(left&-left-1))
				binary.LittleEndian.PutUint32(mask[5*ant:], uint32(maskRows[refused&15]))
			}
		}
	}
	archsimd.ClearAVXUpperBits()
}

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

func viewAVX512(v *viewPlanes) {
	n := len(v.seen)
	all, mine, seen := ptr(v.all[:n]), ptr(v.mine[:n]), ptr(v.seen)
	known, food, water := ptr(v.known[:n]), ptr(v.food[:n]), ptr(v.water[:n])
	foes, seenFood, knownWater := ptr(v.foes[:n]), ptr(v.seenFood[:n]), ptr(v.knownWater[:n])
	for i := 0; i < n; i += 8 {
		s := load(seen, i)
		store(foes, i, load(all, i).AndNot(load(mine, i)).And(s))
		store(seenFood, i, load(food, i).And(s))
		store(knownWater, i, load(water, i).And(load(known, i)))
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

// packAVX512 packs eight rows at a time. Stores are masked: nothing past a
// plane is touched. Rows of two words are packed plane after plane, so that
// memory is written in one stream.
func packAVX512(st *static, v *viewPlanes, dst []byte, rowBytes int) bool {
	if rowBytes >= len(packIndex) || st.shape.Words > 2 {
		return false
	}
	n := st.pw
	size := st.shape.Rows * rowBytes
	all, mine, seen := ptr(v.all[:n]), ptr(v.mine[:n]), ptr(v.seen[:n])
	known, food, water := ptr(v.known[:n]), ptr(v.food[:n]), ptr(v.water[:n])
	_ = dst[7*size-1]
	out := unsafe.Pointer(unsafe.SliceData(dst))
	clear(dst[3*size : 5*size])
	if rowBytes > 8 {
		p := packer{rows: st.shape.Rows, rowBytes: rowBytes}
		if st.shape.Words == 2 {
			p.second = st.shape.Stride
		}
		p.pack(out, mine, mine, nil, false)
		p.pack(unsafe.Add(out, 1*size), all, seen, mine, true)
		p.pack(unsafe.Add(out, 2*size), food, seen, nil, false)
		p.pack(unsafe.Add(out, 5*size), water, known, nil, false)
		p.pack(unsafe.Add(out, 6*size), seen, seen, nil, false)
		archsimd.ClearAVXUpperBits()
		return true
	}
	pick := load(unsafe.Pointer(&packIndex[rowBytes]), 0).AsUint8x64()
	for row := 0; row < st.shape.Rows; row += 8 {
		part := archsimd.Mask8x64FromBits(lowBits[min(8, st.shape.Rows-row)*rowBytes])
		m, s := load(mine, row), load(seen, row)
		at := unsafe.Add(out, row*rowBytes)
		to := func(plane int) *[64]uint8 { return (*[64]uint8)(unsafe.Add(at, plane*size)) }
		m.AsUint8x64().Permute(pick).StoreMasked(to(0), part)
		load(all, row).AndNot(m).And(s).AsUint8x64().Permute(pick).StoreMasked(to(1), part)
		load(food, row).And(s).AsUint8x64().Permute(pick).StoreMasked(to(2), part)
		load(water, row).And(load(known, row)).AsUint8x64().Permute(pick).StoreMasked(to(5), part)
		s.AsUint8x64().Permute(pick).StoreMasked(to(6), part)
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
