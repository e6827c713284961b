package square

import "math/bits"

// combat resolves focus: an ant dies if an enemy in its range has a focus no
// higher than its own. It tells whether an ant died on a contested hill.
// Reference: antsref combat.
func (e *Engine) combat(w *worker) (contested bool) {
	g := &w.g
	st := g.st
	if died, ok := dense.fightTile(w); ok {
		if died == [2]int32{} {
			return false
		}
		for s, n := range died {
			w.losses[s] += n
			w.kills[1-s] += n
			e.ants[g.b*e.p+s] -= n
		}
		return e.contested(w, w.dead)
	}
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
	if st.pairs {
		e.fightPairs(w)
	} else {
		dense.fight(e, w)
	}
	clear(w.dead[:st.pw])
	for i := range w.contact {
		// Who dies is anybody's guess, so it is no branch.
		c := &w.contact[i]
		n := count(c.dies)
		bit := c.bit & -uint64(n)
		w.dead[c.word] |= bit
		g.mine[c.seat][c.word] &^= bit
		w.all[c.word] &^= bit
		w.losses[c.seat] += int32(n)
		e.ants[g.b*e.p+int(c.seat)] -= int32(n)
	}
	return e.contested(w, w.dead)
}

func count(b bool) (n uint8) {
	if b {
		n = 1
	}
	return n
}

// contacts lists a seat's ants with an enemy in range.
func (e *Engine) contacts(w *worker, s int) {
	g := &w.g
	st := g.st
	mine := g.mine[s]
	foes := w.foes[:st.pw]
	if st.seats == 2 {
		foes = g.mine[1-s]
	} else if !dense.foes(foes, w.all[:st.pw], mine) {
		return
	}
	near := w.near[:st.pw]
	st.attack.Dilate(near, foes, w.disk)
	for _, k := range w.hits[:dense.meet(w.hits, near, mine)] {
		word, r := 0, int(k)
		for r >= st.shape.Stride {
			word, r = word+1, r-st.shape.Stride
		}
		for m := near[k] & mine[k]; m != 0; m &= m - 1 {
			c := word*64 + bits.TrailingZeros64(m)
			w.contact = append(w.contact, contact{
				cell: int32(r*st.shape.Cols + c), row: int16(r), col: int16(c), seat: uint8(s), word: k, bit: m & -m,
			})
		}
	}
}

// fight computes the focus of every ant in contact, then who dies.
func (e *Engine) fight(w *worker) {
	g := &w.g
	st := g.st
	for i := range w.contact {
		c := &w.contact[i]
		c.near = st.foesAround(w.all, g.mine[c.seat], int(c.row), int(c.col))
		c.focus = uint16(bits.OnesCount64(c.near))
		w.focus[c.cell] = c.focus
	}
	for i := range w.contact {
		c := &w.contact[i]
		killers := uint16(0)
		for m := c.near; m != 0; m &= m - 1 {
			o := &st.around[bits.TrailingZeros64(m)]
			r, col := wrap(int(c.row)+o.dr, st.shape.Rows), wrap(int(c.col)+o.dc, st.shape.Cols)
			if w.focus[r*st.shape.Cols+col] > c.focus {
				continue
			}
			if st.seats == 2 {
				killers = 2 >> c.seat
				break
			}
			killers |= 1 << e.owner(g, col/64*st.shape.Stride+r, col%64)
		}
		e.die(w, c, killers)
	}
}

// foesAround is the enemies of a seat in reach of one of its ants: bit i
// stands for st.around[i].
func (s *static) foesAround(all, mine []uint64, r, c int) uint64 {
	half, rows := s.half, s.shape.Rows
	from := wrap(c-half, s.shape.Cols)
	near, at := uint64(0), uint(0)
	if s.shape.Words == 1 {
		left, right := uint(s.shape.Cols-from)&63, uint(from)&63
		for dr := -half; dr <= half; dr++ {
			i := wrap(r+dr, rows)
			x := all[i] &^ mine[i]
			near |= ((x>>right | x<<left) & s.window) << (at & 63)
			at += s.width
		}
		return near & s.disk
	}
	word, shift := from/64, uint(from)&63
	base := word * s.shape.Stride
	if shift+s.width <= uint(min(64, s.shape.Cols-word*64)) {
		for dr := -half; dr <= half; dr++ {
			i := base + wrap(r+dr, rows)
			near |= ((all[i] &^ mine[i]) >> shift & s.window) << (at & 63)
			at += s.width
		}
		return near & s.disk
	}
	for dr := -half; dr <= half; dr++ {
		near |= s.foesIn(all, mine, wrap(r+dr, rows), from) << (at & 63)
		at += s.width
	}
	return near & s.disk
}

// foesIn is the enemies of a seat in one row, in a window of columns from the
// given one on that crosses words, lowest first, wrapping at the board's edge.
func (s *static) foesIn(all, mine []uint64, r, from int) uint64 {
	stride := s.shape.Stride
	word, shift := from/64, from%64
	i := word*stride + r
	x := (all[i] &^ mine[i]) >> shift
	for got := min(64, s.shape.Cols-word*64) - shift; got < int(s.width); got += min(64, s.shape.Cols-word*64) {
		if word++; word == s.shape.Words {
			word = 0
		}
		i := word*stride + r
		x |= (all[i] &^ mine[i]) << got
	}
	return x & s.window
}

// wrap brings a row or column that is less than a board away back onto it.
func wrap(i, n int) int {
	if i < 0 {
		return i + n
	}
	if i >= n {
		return i - n
	}
	return i
}

// fightPairs is fight by pairs, on boards smaller than the attack disk and for
// disks of more than 64 cells around.
func (e *Engine) fightPairs(w *worker) {
	g := &w.g
	st := g.st
	r2 := e.rules.AttackRadius2
	for i := range w.contact {
		c := &w.contact[i]
		n := uint16(0)
		for j := range w.contact {
			if o := &w.contact[j]; o.seat != c.seat && st.m.Distance2(c.cell, o.cell) <= r2 {
				n++
			}
		}
		w.focus[c.cell] = n
	}
	for i := range w.contact {
		c := &w.contact[i]
		killers := uint16(0)
		for j := range w.contact {
			if o := &w.contact[j]; o.seat != c.seat && w.focus[o.cell] <= w.focus[c.cell] && st.m.Distance2(c.cell, o.cell) <= r2 {
				killers |= 1 << o.seat
			}
		}
		e.die(w, c, killers)
	}
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
