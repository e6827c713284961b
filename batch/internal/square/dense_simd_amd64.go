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
		foes: foesAVX512, refuse: refuseAVX512, list: listAVX512, near: nearAVX512, view: viewAVX512,
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

// spreadAVX512 puts a row's orders on their columns by one expanding load and
// compares them with each direction. Boards of up to 32 columns take two rows
// at a time.
func spreadAVX512(st *static, orders []byte, mine []uint64, dir *[4][]uint64) {
	var none [1]byte
	from := unsafe.Pointer(&none)
	if len(orders) > 0 {
		from = unsafe.Pointer(&orders[0])
	}
	_ = mine[st.pw-1]
	stride := st.shape.Stride
	in := ptr(mine)
	n, e, s, w := ptr(dir[0][:st.pw]), ptr(dir[1][:st.pw]), ptr(dir[2][:st.pw]), ptr(dir[3][:st.pw])
	east, south, west := archsimd.BroadcastUint8x64(1), archsimd.BroadcastUint8x64(2), archsimd.BroadcastUint8x64(3)
	set := func(p unsafe.Pointer, i int, x uint64) { *(*uint64)(unsafe.Add(p, i*8)) = x }
	get := func(i int) uint64 { return *(*uint64)(unsafe.Add(in, i*8)) }
	left := len(orders)
	if st.shape.Cols <= 32 {
		for r := 0; r < stride; r += 2 {
			m := get(r) | get(r+1)<<32
			k := bits.OnesCount64(m)
			if left -= k; left < 0 {
				panic("square: fewer orders than ants")
			}
			x := archsimd.LoadMaskedUint8x64((*[64]uint8)(from), archsimd.Mask8x64FromBits(1<<uint(k)-1)).Expand(archsimd.Mask8x64FromBits(m))
			from = unsafe.Add(from, k)
			toE, toS, toW := x.Equal(east).ToBits(), x.Equal(south).ToBits(), x.Equal(west).ToBits()
			toN := m &^ x.Greater(archsimd.Uint8x64{}).ToBits()
			set(n, r, toN&0xFFFFFFFF)
			set(n, r+1, toN>>32)
			set(e, r, toE&0xFFFFFFFF)
			set(e, r+1, toE>>32)
			set(s, r, toS&0xFFFFFFFF)
			set(s, r+1, toS>>32)
			set(w, r, toW&0xFFFFFFFF)
			set(w, r+1, toW>>32)
		}
		archsimd.ClearAVXUpperBits()
		return
	}
	for r := range stride {
		for word := range st.shape.Words {
			i := word*stride + r
			m := get(i)
			if m == 0 {
				set(n, i, 0)
				set(e, i, 0)
				set(s, i, 0)
				set(w, i, 0)
				continue
			}
			k := bits.OnesCount64(m)
			if left -= k; left < 0 {
				panic("square: fewer orders than ants")
			}
			x := archsimd.LoadMaskedUint8x64((*[64]uint8)(from), archsimd.Mask8x64FromBits(1<<uint(k)-1)).Expand(archsimd.Mask8x64FromBits(m))
			from = unsafe.Add(from, k)
			set(n, i, m&^x.Greater(archsimd.Uint8x64{}).ToBits())
			set(e, i, x.Equal(east).ToBits())
			set(s, i, x.Equal(south).ToBits())
			set(w, i, x.Equal(west).ToBits())
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
		listMasksAVX512(st, w, mine, mask[5*n:5*(n+count)+63])
	}
}

// listCellsAVX512 compresses the columns of 64 cells to those with ants at a
// time. Where the arrays are as wide as the board and rows are whole bytes,
// the packed plane is one stretch of cells.
func listCellsAVX512(st *static, w *worker, mine []uint64, width int, cells []byte) {
	columns := archsimd.LoadUint8x64(&iota64)
	to := unsafe.Pointer(unsafe.SliceData(cells))
	end := unsafe.Add(to, len(cells)-63)
	if width == st.shape.Cols && width%8 == 0 {
		n := st.shape.Rows * width / 8
		mbits.PackRows(w.stream, width/8, &st.shape, mine)
		*(*uint64)(unsafe.Pointer(&w.stream[n])) = 0
		in := unsafe.Pointer(unsafe.SliceData(w.stream))
		for at := 0; at < n; at += 8 {
			m := *(*uint64)(unsafe.Add(in, at))
			c := columns.Compress(archsimd.Mask8x64FromBits(m))
			base := archsimd.BroadcastUint32x16(uint32(at * 8))
			c.GetLo().GetLo().ExtendToUint32().Add(base).Store((*[16]uint32)(to))
			k := bits.OnesCount64(m)
			if k > 16 {
				listMoreAVX512(c, base, to, k)
			}
			to = unsafe.Add(to, 4*k)
		}
	} else {
		for r := range st.shape.Rows {
			for word := range st.shape.Words {
				m := mine[word*st.shape.Stride+r]
				c := columns.Compress(archsimd.Mask8x64FromBits(m))
				base := archsimd.BroadcastUint32x16(uint32(r*width + word*64))
				c.GetLo().GetLo().ExtendToUint32().Add(base).Store((*[16]uint32)(to))
				k := bits.OnesCount64(m)
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

// listMasksAVX512 allows every ant everything, then takes back what the few
// next to water or food may not do.
func listMasksAVX512(st *static, w *worker, mine []uint64, mask []byte) {
	stride, pw := st.shape.Stride, st.pw
	one := archsimd.BroadcastUint8x64(1)
	to := unsafe.Pointer(unsafe.SliceData(mask))
	for at := 0; at < len(mask)-63; at += 64 {
		one.Store((*[64]uint8)(unsafe.Add(to, at)))
	}
	rank, n := w.rank[:pw], int32(0)
	_ = mine[pw-1]
	if st.shape.Words == 1 {
		for i, m := range mine[:pw] {
			rank[i] = n
			n += int32(bits.OnesCount64(m))
		}
	} else {
		for r := range stride {
			for i := r; i < pw; i += stride {
				rank[i] = n
				n += int32(bits.OnesCount64(mine[i]))
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
