package square

import "math/bits"

// move resolves the orders: refused moves, then collisions. It tells whether
// an ant died on a standing hill that counts as contested.
// Reference: antsref move.
func (e *Engine) move(w *worker) (contested bool) {
	g := &w.g
	st := g.st
	pw := st.pw
	e.blocks(w)
	clear(w.once[:pw])
	clear(w.twice[:pw])
	for s := range st.seats {
		if e.ants[g.b*e.p+s] == 0 {
			continue
		}
		spread(st, w.orders[s], g.mine[s], &w.dir)
		moveSeat(st, w, g.mine[s])
	}
	all := w.all[:pw]
	clash := uint64(0)
	for i, t := range w.twice[:pw] {
		all[i] = w.once[i] &^ t
		clash |= t
	}
	if clash == 0 {
		return false
	}
	for s := range st.seats {
		mine := g.mine[s]
		n := 0
		for i, t := range w.twice[:pw] {
			mine[i] &^= t
			n += bits.OnesCount64(mine[i])
		}
		i := g.b*e.p + s
		w.losses[s] += e.ants[i] - int32(n)
		e.ants[i] = int32(n)
	}
	return e.contested(w, w.twice)
}

// blocks fills w.blocked with the cells that refuse a move, haloed, and their
// east and west shifts.
func (e *Engine) blocks(w *worker) {
	g := &w.g
	st := g.st
	stride := st.shape.Stride
	for word := range st.shape.Words {
		col := w.blocked[word*st.hs : (word+1)*st.hs]
		water := st.water[word*stride : (word+1)*stride]
		in := col[halo : halo+stride]
		if e.rules.FoodBlocks {
			food := g.food[word*stride : (word+1)*stride]
			for r, x := range water {
				in[r] = x | food[r]
			}
		} else {
			copy(in, water)
		}
		st.wrapRows(col)
	}
	for word := range st.shape.Words {
		for r := range st.shape.Rows {
			i := word*stride + r
			w.blockE[i] = st.west(w.blocked, st.hs, halo+r, word)
			w.blockW[i] = st.east(w.blocked, st.hs, halo+r, word)
		}
	}
}

// wrapRows fills the nearest halo rows of one word's column.
func (s *static) wrapRows(col []uint64) {
	col[halo-1] = col[halo+s.shape.Rows-1]
	col[halo+s.shape.Rows] = col[halo]
}

// east is word w of row r of a plane moved one column east: column c holds
// what stood in c-1. Words of a row are step apart.
func (s *static) east(p []uint64, step, r, w int) uint64 {
	x := p[w*step+r] << 1
	if w > 0 {
		x |= p[(w-1)*step+r] >> 63
	} else {
		x |= p[(s.shape.Words-1)*step+r] >> ((s.shape.Cols - 1) % 64) & 1
	}
	if w == s.shape.Words-1 {
		x &= s.shape.Last
	}
	return x
}

// west is east's mirror: column c holds what stood in c+1.
func (s *static) west(p []uint64, step, r, w int) uint64 {
	x := p[w*step+r] >> 1
	if w < s.shape.Words-1 {
		return x | p[(w+1)*step+r]<<63
	}
	return x | p[r]&1<<((s.shape.Cols-1)%64)
}

// spread turns a seat's orders into one plane a direction. Bits of an action's
// value select the plane, so that no ant costs a branch.
func spread(st *static, orders []byte, mine []uint64, dir *[4][]uint64) {
	n, e, s, w := dir[0], dir[1], dir[2], dir[3]
	stride := st.shape.Stride
	if st.shape.Words == 1 {
		mine = mine[:st.shape.Rows]
		n, e, s, w = n[:len(mine)], e[:len(mine)], s[:len(mine)], w[:len(mine)]
		for r, m := range mine {
			var b0, b1, b2 uint64
			k := bits.OnesCount64(m)
			row := orders[:k]
			orders = orders[k:]
			left := m
			for _, a := range row {
				c := uint(bits.TrailingZeros64(left)) & 63
				left &= left - 1
				b0 |= uint64(a&1) << c
				b1 |= uint64(a>>1&1) << c
				b2 |= uint64(a>>2) << c
			}
			m &^= b2
			n[r], e[r], s[r], w[r] = m&^(b0|b1), b0&^b1, b1&^b0, b0&b1
		}
		return
	}
	i := 0
	for r := range st.shape.Rows {
		for word := range st.shape.Words {
			k := word*stride + r
			m := mine[k]
			var b0, b1, b2 uint64
			for left := m; left != 0; left &= left - 1 {
				c := uint(bits.TrailingZeros64(left)) & 63
				a := orders[i]
				i++
				b0 |= uint64(a&1) << c
				b1 |= uint64(a>>1&1) << c
				b2 |= uint64(a>>2) << c
			}
			m &^= b2
			n[k], e[k], s[k], w[k] = m&^(b0|b1), b0&^b1, b1&^b0, b0&b1
		}
	}
}

// moveSeat moves one seat's ants. mine becomes the cells that they arrive at,
// collisions not yet resolved; w.once and w.twice gather the cells with one
// ant or more, and with two or more.
func moveSeat(st *static, w *worker, mine []uint64) {
	stride, rows := st.shape.Stride, st.shape.Rows
	for word := range st.shape.Words {
		block := w.blocked[word*st.hs+halo-1:]
		north := w.north[word*st.hs : (word+1)*st.hs]
		south := w.south[word*st.hs : (word+1)*st.hs]
		base := word * stride
		for r := range rows {
			i := base + r
			n := w.dir[0][i] &^ block[r]   // row above
			s := w.dir[2][i] &^ block[r+2] // row below
			e := w.dir[1][i] &^ w.blockE[i]
			x := w.dir[3][i] &^ w.blockW[i]
			north[halo+r], south[halo+r] = n, s
			w.dir[1][i], w.dir[3][i] = e, x
			stay := mine[i] &^ (n | s | e | x)
			mine[i] = stay
			w.twice[i] |= w.once[i] & stay
			w.once[i] |= stay
		}
		st.wrapRows(north)
		st.wrapRows(south)
	}
	for word := range st.shape.Words {
		north := w.north[word*st.hs+halo+1:]
		south := w.south[word*st.hs+halo-1:]
		for r := range rows {
			i := word*stride + r
			once, twice, to := w.once[i], w.twice[i], mine[i]
			for _, x := range [4]uint64{north[r], south[r], st.east(w.dir[1], stride, r, word), st.west(w.dir[3], stride, r, word)} {
				twice |= once & x
				once |= x
				to |= x
			}
			w.once[i], w.twice[i], mine[i] = once, twice, to
		}
	}
}

// contested tells whether an ant that died on one of the cells died on a
// standing hill that freezes the cutoff counter: one not owned by the watched
// holder, or any while food or nobody is watched. Reference: antsref contested.
func (e *Engine) contested(w *worker, dead []uint64) bool {
	g := &w.g
	holder := e.holder[g.b]
	for h, hill := range g.st.hills {
		if dead[hill.word]&hill.bit != 0 && !e.fallen[g.b*e.h+h] && int32(hill.owner) != holder {
			return true
		}
	}
	return false
}
