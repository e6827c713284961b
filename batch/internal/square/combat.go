package square

import "math/bits"

// combat resolves focus: an ant dies if an enemy in its range has a focus no
// higher than its own. It tells whether an ant died on a contested hill.
// Reference: antsref combat.
func (e *Engine) combat(w *worker) (contested bool) {
	g := &w.g
	st := g.st
	w.contact = w.contact[:0]
	for s := range st.seats {
		// Contact takes two: with none among the others the last seat has none.
		if e.ants[g.b*e.p+s] > 0 && (s < st.seats-1 || len(w.contact) > 0) {
			e.contacts(w, s)
		}
	}
	if len(w.contact) == 0 {
		return false
	}
	if st.wraps {
		for i := range w.contact {
			w.focus[w.contact[i].cell] = 0
		}
		e.fightPairs(w)
	} else {
		e.fight(w)
	}
	clear(w.dead[:st.pw])
	for i := range w.contact {
		c := &w.contact[i]
		if !c.dies {
			continue
		}
		w.dead[c.word] |= c.bitmask
		g.mine[c.seat][c.word] &^= c.bitmask
		w.all[c.word] &^= c.bitmask
		w.losses[c.seat]++
		e.ants[g.b*e.p+int(c.seat)]--
	}
	return e.contested(w, w.dead)
}

// contacts lists a seat's ants with an enemy in range.
func (e *Engine) contacts(w *worker, s int) {
	g := &w.g
	st := g.st
	mine := g.mine[s]
	foes := w.foes[:st.pw]
	if !dense.foes(foes, w.all[:st.pw], mine) {
		return
	}
	near := w.near[:st.pw]
	st.attack.Dilate(near, foes, w.disk)
	for word := range st.shape.Words {
		for r := range st.shape.Rows {
			k := word*st.shape.Stride + r
			for m := near[k] & mine[k]; m != 0; m &= m - 1 {
				c := word*64 + bits.TrailingZeros64(m)
				w.contact = append(w.contact, contact{
					cell: int32(r*st.shape.Cols + c), row: int16(r), col: int16(c), seat: uint8(s), word: int32(k), bitmask: m & -m,
				})
			}
		}
	}
}

// window is the bits of one row of a plane from column c-half to c+half,
// lowest first, wrapping at the board's edge. The width is at most the board's
// and at most 64.
func (s *static) window(p []uint64, r, c, half int) uint64 {
	width := 2*half + 1
	from := c - half
	if from < 0 {
		from += s.shape.Cols
	}
	stride := s.shape.Stride
	word, shift := from/64, from%64
	x := p[word*stride+r] >> shift
	got := min(64, s.shape.Cols-word*64) - shift
	for got < width {
		word++
		if word == s.shape.Words {
			word = 0
		}
		x |= p[word*stride+r] << got
		got += min(64, s.shape.Cols-word*64)
	}
	return x & (1<<width - 1)
}

// fight computes the focus of every ant in contact, then who dies.
func (e *Engine) fight(w *worker) {
	g := &w.g
	st := g.st
	rows, cols := st.shape.Rows, st.shape.Cols
	for i := range w.contact {
		c := &w.contact[i]
		mine := g.mine[c.seat]
		n := 0
		for _, d := range st.reach {
			r := int(c.row) + d.dr
			if r < 0 {
				r += rows
			} else if r >= rows {
				r -= rows
			}
			n += bits.OnesCount64(st.window(w.all, r, int(c.col), d.half) &^ st.window(mine, r, int(c.col), d.half))
		}
		c.focus = uint8(n)
		w.focus[c.cell] = uint8(n)
	}
	for i := range w.contact {
		c := &w.contact[i]
		mine := g.mine[c.seat]
		killers := uint16(0)
		for _, d := range st.reach {
			r := int(c.row) + d.dr
			if r < 0 {
				r += rows
			} else if r >= rows {
				r -= rows
			}
			for m := st.window(w.all, r, int(c.col), d.half) &^ st.window(mine, r, int(c.col), d.half); m != 0; m &= m - 1 {
				col := int(c.col) - d.half + bits.TrailingZeros64(m)
				if col < 0 {
					col += cols
				} else if col >= cols {
					col -= cols
				}
				if w.focus[r*cols+col] <= c.focus {
					killers |= 1 << e.owner(g, col/64*st.shape.Stride+r, col%64)
				}
			}
		}
		e.die(w, c, killers)
	}
}

// fightPairs is fight on boards smaller than the attack disk: by pairs.
func (e *Engine) fightPairs(w *worker) {
	g := &w.g
	st := g.st
	r2 := e.rules.AttackRadius2
	for i := range w.contact {
		c := &w.contact[i]
		n := 0
		for j := range w.contact {
			if o := &w.contact[j]; o.seat != c.seat && st.m.Distance2(c.cell, o.cell) <= r2 {
				n++
			}
		}
		c.focus = uint8(n)
	}
	for i := range w.contact {
		c := &w.contact[i]
		killers := uint16(0)
		for j := range w.contact {
			if o := &w.contact[j]; o.seat != c.seat && o.focus <= c.focus && st.m.Distance2(c.cell, o.cell) <= r2 {
				killers |= 1 << o.seat
			}
		}
		e.die(w, c, killers)
	}
	_ = g
}

func (e *Engine) die(w *worker, c *contact, killers uint16) {
	c.dies = killers != 0
	for ; killers != 0; killers &= killers - 1 {
		w.kills[bits.TrailingZeros16(killers)]++
	}
}

// owner is the seat whose ant stands on bit c of a word.
func (e *Engine) owner(g *game, word, c int) int {
	for s := range g.st.seats {
		if g.mine[s][word]>>c&1 != 0 {
			return s
		}
	}
	panic("square: no ant where one was counted")
}
