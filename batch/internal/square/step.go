package square

import (
	"math/bits"

	"github.com/myriant-rl/myriant/env/ants"
)

// Step plays one turn of a board. The steps come in the order of the rules;
// each names its reference in package antsref.
func (e *Engine) Step(worker, b int) {
	if e.ending[b] != 0 {
		return
	}
	w := &e.workers[worker]
	g := &w.g
	e.game(g, b)
	seats := g.st.seats
	for s := range seats {
		i := b*e.p + s
		w.food[s], w.kills[s], w.losses[s], w.fresh[s] = 0, 0, 0, 0
		w.before[s] = e.score[i]
	}
	var sc *script
	if e.scripts != nil {
		sc = &e.scripts[b]
	}
	e.takeOrders(w)
	contested := e.move(w)
	contested = e.combat(w) || contested
	e.raze(w)
	if e.rules.GatherFirst {
		e.gather(w)
		e.spawn(w, sc)
	} else {
		e.spawn(w, sc)
		e.gather(w)
	}
	e.newFood(w, sc)
	e.see(w)
	e.turn[b]++
	e.cutoff(w, contested)
	e.ending[b] = e.end(w)
	if sc != nil {
		*sc = script{}
	}
	e.rewards(w)
	w.stepped = b
	e.verify(w)
}

// Done tells whether a board's episode is over.
func (e *Engine) Done(b int) bool { return e.ending[b] != 0 }

// see folds what each seat sees into what it knows. Reference: antsref vision.
func (e *Engine) see(w *worker) {
	g := &w.g
	for s := range g.st.seats {
		if e.ants[g.b*e.p+s] == 0 {
			clear(g.seen[s])
			continue
		}
		if e.weights.explore == 0 && dense.seeWhole(w, s) {
			continue
		}
		g.st.view.Dilate(g.seen[s], g.mine[s], w.disk)
		w.fresh[s] = int32(orInto(g.known[s], g.seen[s]))
	}
}

// rewards turns what the step did into each seat's reward.
func (e *Engine) rewards(w *worker) {
	g := &w.g
	wt := &e.weights
	base := g.b * e.p
	seats := g.st.seats
	if !wt.any {
		for s := range seats {
			e.reward[base+s] = wt.score * float32(e.score[base+s]-w.before[s])
		}
	} else {
		cells := float32(g.st.shape.Rows * g.st.shape.Cols)
		var ranks [ants.MaxSeats]int32
		done := e.ending[g.b] != 0
		if done {
			e.ranks(g.b, ranks[:seats])
		}
		for s := range seats {
			r := wt.score*float32(e.score[base+s]-w.before[s]) + wt.food*float32(w.food[s]) +
				wt.kills*float32(w.kills[s]) - wt.losses*float32(w.losses[s]) + wt.explore*float32(w.fresh[s])/cells
			if done {
				ahead, level := 0, 0
				for t := range seats {
					if t != s && ranks[t] < ranks[s] {
						ahead++
					}
					if t != s && ranks[t] == ranks[s] {
						level++
					}
				}
				if ahead == 0 && level == 0 {
					r += wt.win
				}
				// Ties share the mean of the places they take.
				r += wt.rank * (1 - float32(2*ahead+level)/float32(seats-1))
			}
			e.reward[base+s] = r
		}
	}
	if e.cfg.ZeroSum {
		sum := float32(0)
		for s := range seats {
			sum += e.reward[base+s]
		}
		for s := range seats {
			e.reward[base+s] -= (sum - e.reward[base+s]) / float32(seats-1)
		}
	}
	for s := range seats {
		e.returns[base+s] += e.reward[base+s]
		e.kills[base+s] += w.kills[s]
		e.losses[base+s] += w.losses[s]
	}
}

// takeOrders fills w.orders with each seat's actions in row-major order.
func (e *Engine) takeOrders(w *worker) {
	g := &w.g
	over := e.overBeforeOrders(g)
	for s := range g.st.seats {
		n := int(e.ants[g.b*e.p+s])
		switch {
		case over || e.out[g.b*e.p+s]:
			w.orders[s] = w.buffer[s][:n]
			fill(w.orders[s], ants.Stay)
		case w.given != nil:
			var list []byte
			if s < len(w.given) {
				list = w.given[s]
			}
			w.orders[s] = w.buffer[s][:n]
			fill(w.orders[s][copy(w.orders[s], list):], ants.Stay)
		case e.seats.Player[g.b*e.p+s] != 0:
			w.orders[s] = e.actNative(w, s, w.buffer[s][:0])
		default:
			i := g.b*len(e.seats.Observe) + e.seats.Axis[s]
			acts := e.acts[e.offsets[i]:e.offsets[i+1]]
			if e.cfg.Recentre && !e.absolute && g.st.centre[s] != nil {
				acts = e.unshift(w, s, acts)
			}
			w.orders[s] = acts
		}
	}
}

func fill(dst []byte, v byte) {
	for i := range dst {
		dst[i] = v
	}
}

// unshift brings actions in the row-major order of a recentred seat into the
// board's own.
func (e *Engine) unshift(w *worker, s int, acts []byte) []byte {
	g := &w.g
	st := g.st
	rows, cols := st.shape.Rows, st.shape.Cols
	shift := st.shift[s]
	shifted := w.plane
	st.centre[s].Apply(shifted, g.mine[s])
	i := 0
	for r := range rows {
		from := (r - shift.DR + rows) % rows * cols
		for word := range st.shape.Words {
			for m := shifted[word*st.shape.Stride+r]; m != 0; m &= m - 1 {
				c := word*64 + bits.TrailingZeros64(m)
				w.perCell[from+(c-shift.DC+cols)%cols] = acts[i]
				i++
			}
		}
	}
	dst := w.buffer[s][:0]
	for r := range rows {
		for word := range st.shape.Words {
			for m := g.mine[s][word*st.shape.Stride+r]; m != 0; m &= m - 1 {
				dst = append(dst, w.perCell[r*cols+word*64+bits.TrailingZeros64(m)])
			}
		}
	}
	return dst
}

// overBeforeOrders tells whether seats that were taken out have already decided
// the game: the turn is still played, but all ants stay.
// Reference: antsref overBeforeOrders.
func (e *Engine) overBeforeOrders(g *game) bool {
	if e.rules.Dropout != ants.DropoutOut {
		return false
	}
	for s := range g.st.seats {
		if e.out[g.b*e.p+s] {
			return e.endingNow(g) != 0
		}
	}
	return false
}
