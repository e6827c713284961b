package square

import "math/bits"

// move resolves the orders: refused moves, then collisions. It tells whether
// an ant died on a standing hill that counts as contested.
// Reference: antsref move.
func (e *Engine) move(w *worker) (contested bool) {
	g := &w.g
	st := g.st
	pw := st.pw
	for s := range st.seats {
		// The kernels trust the length.
		if n := int(e.ants[g.b*e.p+s]); n > 0 && len(w.orders[s]) != n {
			panic("square: orders are not one an ant: was a board changed without Refresh?")
		}
	}
	clash, left, ok := dense.moveTile(w, e.foodThatRefuses(g))
	if !ok {
		dense.block(st, w, e.foodThatRefuses(g))
		clear(w.once[:pw])
		clear(w.twice[:pw])
		for s := range st.seats {
			if e.ants[g.b*e.p+s] > 0 {
				dense.march(st, w, w.orders[s], g.mine[s])
			}
		}
		clash = dense.settle(w.all[:pw], w.once[:pw], w.twice[:pw])
	}
	if !clash {
		return false
	}
	for s := range st.seats {
		n := int32(0)
		if ok {
			n = left[s]
		} else {
			n = int32(subtract(g.mine[s], w.twice[:pw]))
		}
		i := g.b*e.p + s
		w.losses[s] += e.ants[i] - n
		e.ants[i] = n
	}
	return e.contested(w, w.twice)
}

// subtract takes a plane off another and counts what is left.
func subtract(mine, off []uint64) int {
	n := 0
	for i, t := range off {
		mine[i] &^= t
		n += bits.OnesCount64(mine[i])
	}
	return n
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
