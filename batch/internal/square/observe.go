package square

import (
	"encoding/binary"
	mathbits "math/bits"
	"slices"

	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// A sink is a kernel.Sink with the arrays looked up; those not asked for are nil.
type sink struct {
	counts                []int64
	planes                *obs.Array
	cellMask              []int8
	cells, mask           int  // index in Ragged.Mem, or -1
	perSeat               int  // bytes of planes of a seat
	plain                 bool // the planes are those that kernels.pack writes
	reward, returns       []float32
	terminated, truncated []bool
	done, valid           []bool
	reason                []uint8
	turn, rank            []int32
	counters              []counter // of all seats, copied as they are
}

// A counter is an array of seats that is exported as the engine keeps it.
type counter struct{ dst, src []int32 }

// Bind looks the arrays of a sink up.
func (e *Engine) Bind(ks *kernel.Sink) int {
	s := sink{counts: ks.Counts, cells: -1, mask: -1, planes: ks.Arrays["planes"]}
	i32 := func(f obs.Field) []int32 { return view[int32](ks, f) }
	s.cellMask = view[int8](ks, ants.FieldCellMask)
	s.reward, s.returns = view[float32](ks, ants.FieldReward), view[float32](ks, ants.FieldReturn)
	s.terminated, s.truncated = view[bool](ks, ants.FieldTerminated), view[bool](ks, ants.FieldTruncated)
	s.done, s.valid = view[bool](ks, ants.FieldDone), view[bool](ks, ants.FieldValid)
	s.reason = view[uint8](ks, ants.FieldReason)
	s.turn, s.rank = i32(ants.FieldTurn), i32(ants.FieldRank)
	for _, c := range []struct {
		field obs.Field
		src   []int32
	}{
		{ants.FieldScore, e.score}, {ants.FieldAntCount, e.ants}, {ants.FieldGathered, e.gathered},
		{ants.FieldKills, e.kills}, {ants.FieldLosses, e.losses}, {ants.FieldRazed, e.razed},
	} {
		if dst := i32(c.field); dst != nil {
			s.counters = append(s.counters, counter{dst, c.src})
		}
	}
	for i, name := range ks.Ragged {
		switch name {
		case ants.FieldAntCells.Name:
			s.cells = i
		case ants.FieldAntMask.Name:
			s.mask = i
		}
	}
	if s.planes != nil {
		s.perSeat = s.planes.Stride() / max(1, len(e.seats.Observe))
		s.plain = s.planes.DType == obs.Bit && !e.pad && len(e.planes) == packedPlanes
	}
	e.sinks = append(e.sinks, s)
	return len(e.sinks) - 1
}

func view[T obs.Elem](ks *kernel.Sink, f obs.Field) []T {
	if a := ks.Arrays[f.Name]; a != nil {
		return obs.View[T](a)
	}
	return nil
}

// Report writes what the last step led to.
func (e *Engine) Report(b, handle int, played bool) {
	k := &e.sinks[handle]
	st := &e.maps[e.mapOf[b]]
	base := b * e.p
	done, truncated := e.ending[b] != 0, e.truncated(b)
	for i, s := range e.seats.Observe {
		at := b*len(e.seats.Observe) + i
		absent := s >= st.seats
		if k.reward != nil {
			k.reward[at] = 0
			if played {
				k.reward[at] = e.reward[base+s]
			}
		}
		if k.returns != nil {
			k.returns[at] = e.returns[base+s]
		}
		if k.terminated != nil {
			k.terminated[at] = absent || e.ants[base+s] == 0 || (done && !truncated)
		}
		if k.truncated != nil {
			k.truncated[at] = truncated && !absent
		}
	}
	if k.done != nil {
		k.done[b] = done
	}
	if k.valid != nil {
		k.valid[b] = played
	}
	if k.reason != nil {
		k.reason[b] = e.ending[b]
	}
	if k.turn != nil {
		k.turn[b] = e.turn[b]
	}
	if k.rank != nil {
		clear(k.rank[base : base+e.p])
		e.ranks(b, k.rank[base:base+st.seats])
	}
	for i := range k.counters {
		c := &k.counters[i]
		copy(c.dst[base:base+e.p], c.src[base:base+e.p])
	}
}

// Observe writes what the observed seats see.
func (e *Engine) Observe(worker, b, handle int, lists *kernel.Ragged) {
	k := &e.sinks[handle]
	w := &e.workers[worker]
	g := &w.g
	if w.stepped != b {
		e.game(g, b)
		all := w.all[:g.st.pw]
		copy(all, g.mine[0])
		for s := 1; s < g.st.seats; s++ {
			bits.Or(all, all, g.mine[s])
		}
	}
	w.stepped = -1
	for i, s := range e.seats.Observe {
		if s >= g.st.seats {
			e.observeAbsent(k, b, i)
			continue
		}
		if k.planes != nil {
			e.writePlanes(w, k, s, i)
		}
		if k.cellMask == nil && k.counts == nil {
			continue
		}
		mine := g.mine[s]
		centre := e.centreOf(g.st, s)
		if k.mask >= 0 && k.cellMask == nil && centre == nil {
			count := int(e.ants[b*e.p+s])
			var cells []byte
			if k.cells >= 0 {
				cells = lists.Mem[k.cells]
			}
			if dense.report(w, s, e.foodThatRefuses(g), e.cols, lists.N, count, cells, lists.Mem[k.mask]) {
				k.counts[b*len(e.seats.Observe)+i] = int64(count)
				lists.N += count
				continue
			}
		}
		if k.cellMask != nil || k.mask >= 0 {
			e.refusals(w, s)
		}
		if centre != nil {
			centre.Apply(w.plane2, mine)
			mine = w.plane2[:g.st.pw]
			if k.cellMask != nil || k.mask >= 0 {
				for d := range w.mask {
					centre.Apply(w.plane, w.mask[d])
					copy(w.mask[d][:g.st.pw], w.plane)
				}
			}
		}
		if k.counts != nil {
			var cells, mask []byte
			if k.cells >= 0 {
				cells = lists.Mem[k.cells]
			}
			if k.mask >= 0 {
				mask = lists.Mem[k.mask]
			}
			count := int(e.ants[b*e.p+s])
			dense.list(g.st, w, mine, e.cols, lists.N, count, cells, mask)
			k.counts[b*len(e.seats.Observe)+i] = int64(count)
			lists.N += count
		}
		if k.cellMask != nil {
			e.maskCells(w, k, mine, b*len(e.seats.Observe)+i)
		}
	}
}

func (e *Engine) shiftOf(st *static, seat int) ants.Shift {
	if !e.cfg.Recentre {
		return ants.Shift{}
	}
	return st.shift[seat]
}

// centreOf is the translation of a recentred seat's planes, or nil.
func (e *Engine) centreOf(st *static, seat int) *bits.Translation {
	if !e.cfg.Recentre {
		return nil
	}
	return st.centre[seat]
}

// observeAbsent writes the observation of a seat that the board does not have:
// all padding, no ants, only '-' allowed.
func (e *Engine) observeAbsent(k *sink, b, i int) {
	at := b*len(e.seats.Observe) + i
	if k.planes != nil {
		per := k.perSeat
		dst := k.planes.Data[at*per : (at+1)*per]
		clear(dst)
		if e.pad {
			copy(dst[per-len(e.absent):], e.absent)
		}
	}
	if k.counts != nil {
		k.counts[at] = 0
	}
	if k.cellMask != nil {
		stayOnly(k.cellMask[at*5*e.rows*e.cols:(at+1)*5*e.rows*e.cols], e.rows*e.cols)
	}
}

func stayOnly(dst []int8, plane int) {
	clear(dst[:4*plane])
	for i := range dst[4*plane:] {
		dst[4*plane+i] = 1
	}
}

// refusals fills w.mask for a seat. Reference: ants.View.Mask.
func (e *Engine) refusals(w *worker, s int) {
	g := &w.g
	dense.refuse(g.st, w, g.mine[s], g.known[s], g.seen[s], e.foodThatRefuses(g))
}

// foodThatRefuses is the food that a move is refused by, or nil.
func (e *Engine) foodThatRefuses(g *game) []uint64 {
	if e.rules.FoodBlocks {
		return g.food
	}
	return nil
}

// maskCells writes the per-cell mask of one seat.
func (e *Engine) maskCells(w *worker, k *sink, mine []uint64, at int) {
	st := w.g.st
	plane := e.rows * e.cols
	dst := k.cellMask[at*5*plane : (at+1)*5*plane]
	stayOnly(dst, plane)
	for r := range st.shape.Rows {
		for word := range st.shape.Words {
			i := word*st.shape.Stride + r
			for d := range 4 {
				for left := mine[i] &^ w.mask[d][i]; left != 0; left &= left - 1 {
					dst[d*plane+r*e.cols+word*64+mathbits.TrailingZeros64(left)] = 1
				}
			}
		}
	}
}

// writePlanes writes the planes of seat s, which is at index i of axis S.
func (e *Engine) writePlanes(w *worker, k *sink, s, i int) {
	g := &w.g
	st := g.st
	pw := st.pw
	at := g.b*len(e.seats.Observe) + i
	per := k.perSeat
	centre := e.centreOf(st, s)
	if k.plain && centre == nil {
		if dst := k.planes.Data[at*per : (at+1)*per]; dense.pack(w, s, st.ownHills[s], st.enemyHills[s], dst, (e.cols+7)/8) {
			e.eraseHills(g, s, dst)
			return
		}
	}
	own, enemy := e.standingHills(w, s)
	out := planeWriter{e: e, w: w, st: st, dtype: k.planes.DType, centre: centre}
	out.dst = k.planes.Mem()[at*per:]
	out.left = per * (len(e.seats.Observe) - i)
	mine, seen := g.mine[s], g.seen[s]
	dense.view(w, s)
	out.put(mine)
	p := w.plane[:pw]
	if e.cfg.PerOwner {
		for o := 1; o < e.p; o++ {
			clear(p)
			if o < st.seats {
				for j, f := range g.mine[(s+o)%st.seats] {
					p[j] = f & seen[j]
				}
			}
			out.put(p)
		}
	} else {
		out.put(w.foes[:pw])
	}
	out.put(w.near[:pw])
	for _, hills := range [2][]uint64{own, enemy} {
		for i, x := range hills {
			w.foes[i] = x & seen[i]
		}
		out.put(w.foes[:pw])
	}
	out.put(w.dead[:pw])
	out.put(seen)
	if e.pad {
		copy(out.dst, st.pad)
	}
}

// packedPlanes is how many planes kernels.pack writes.
const packedPlanes = 7

// planeOwnHills and planeEnemyHills are where the hills are among them.
const planeOwnHills, planeEnemyHills = 3, 4

// eraseHills takes the hills that do not stand off the packed planes of a seat.
func (e *Engine) eraseHills(g *game, s int, dst []byte) {
	row := (e.cols + 7) / 8
	for h, down := range e.fallen[g.b*e.h:][:len(g.st.hills)] {
		// Whether one stands is anybody's guess, so it is no branch.
		hill := &g.st.hills[h]
		plane := planeOwnHills
		if int(hill.owner) != s {
			plane = planeEnemyHills
		}
		dst[(plane*e.rows+int(hill.row))*row+int(hill.col)/8] &^= count(down) << (hill.col % 8)
	}
}

// standingHills are the planes of a seat's hills and of the others' that stand.
// They are static, or the worker's until its next call.
func (e *Engine) standingHills(w *worker, s int) (own, enemy []uint64) {
	st := w.g.st
	own, enemy = st.ownHills[s], st.enemyHills[s]
	fallen := e.fallen[w.g.b*e.h:][:len(st.hills)]
	if !slices.Contains(fallen, true) {
		return own, enemy
	}
	own = append(w.once[:0], own...)
	enemy = append(w.twice[:0], enemy...)
	for h, down := range fallen {
		if down {
			own[st.hills[h].word] &^= st.hills[h].bit
			enemy[st.hills[h].word] &^= st.hills[h].bit
		}
	}
	return own, enemy
}

// A planeWriter writes planes one after another in the array's dtype.
type planeWriter struct {
	e      *Engine
	w      *worker
	st     *static
	dtype  obs.DType
	centre *bits.Translation // of a recentred seat
	dst    []byte
	left   int // bytes to the end of the board's planes
}

func (o *planeWriter) put(p []uint64) {
	e, st := o.e, o.st
	if o.centre != nil {
		o.centre.Apply(o.w.plane2, p)
		p = o.w.plane2[:st.pw]
	}
	size := e.rows * e.cols * o.dtype.Size()
	row := e.cols * o.dtype.Size()
	if o.dtype == obs.Bit {
		row = (e.cols + 7) / 8
		size = e.rows * row
	}
	switch o.dtype {
	case obs.Bit:
		if o.left -= size; o.left >= bits.PackSlack {
			bits.PackRows(o.dst, row, &st.shape, p)
			break
		}
		// PackRows may write past the end, where another worker's board is.
		bits.PackRows(o.w.packed, row, &st.shape, p)
		copy(o.dst[:st.shape.Rows*row], o.w.packed)
	case obs.Uint8:
		bits.ExpandU8(o.dst, e.cols, &st.shape, p)
	case obs.Float16:
		bits.ExpandF16(u16s(o.dst[:size]), e.cols, &st.shape, p)
	case obs.Float32:
		bits.ExpandF32(f32s(o.dst[:size]), e.cols, &st.shape, p)
	}
	clear(o.dst[st.shape.Rows*row : size])
	o.dst = o.dst[size:]
}

// padPlane is the pad plane in the array's dtype: 1 outside rows x cols.
func (e *Engine) padPlane(rows, cols int) []byte {
	row := (e.cols + 7) / 8
	if e.cfg.Planes != obs.Bit {
		row = e.cols * e.cfg.Planes.Size()
	}
	dst := make([]byte, e.rows*row)
	for r := range e.rows {
		for c := range e.cols {
			if r < rows && c < cols {
				continue
			}
			switch e.cfg.Planes {
			case obs.Bit:
				dst[r*row+c/8] |= 1 << (c % 8)
			case obs.Uint8:
				dst[r*row+c] = 1
			case obs.Float16:
				binary.LittleEndian.PutUint16(dst[r*row+2*c:], 0x3C00)
			case obs.Float32:
				binary.LittleEndian.PutUint32(dst[r*row+4*c:], 0x3F800000)
			}
		}
	}
	return dst
}
