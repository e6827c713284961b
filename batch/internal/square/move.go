package square

import "math/bits"

// move resolves the orders: refused moves, then collisions. It tells whether
// an ant died on a standing hill that counts as contested.
// Reference: antsref move.
func (e *Engine) move(w *worker) (contested bool) {
	g := &w.g
	st := g.st
	pw := st.pw
	dense.block(st, w, e.foodThatRefuses(g))
	clear(w.once[:pw])
	clear(w.twice[:pw])
	for s := range st.seats {
		if n := int(e.ants[g.b*e.p+s]); n > 0 {
			// The kernels trust the length.
			if len(w.orders[s]) != n {
				panic("square: orders are not one an ant: was a board changed without Refresh?")
			}
			dense.march(st, w, w.orders[s], g.mine[s])
		}
	}
	if !dense.settle(w.all[:pw], w.once[:pw], w.twice[:pw]) {
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
