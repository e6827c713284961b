package square

import (
	"slices"

	"github.com/myriant-rl/myriant/env/ants"
)

// raze lets surviving ants raze enemy hills and touch own ones.
// Reference: antsref raze.
func (e *Engine) raze(w *worker) {
	g := &w.g
	seats := g.st.seats
	for h := range g.st.hills {
		hill := &g.st.hills[h]
		if e.fallen[g.b*e.h+h] || w.all[hill.word]&hill.bit == 0 {
			continue
		}
		owner := int(hill.owner)
		for s := range seats {
			if g.mine[s][hill.word]&hill.bit == 0 {
				continue
			}
			if s == owner {
				e.touched[g.b*e.h+h] = e.turn[g.b] + 1
				break
			}
			e.razeHill(g, h, s)
			e.count[g.b] = 0
			break
		}
	}
}

// razeHill pays the razer and charges the owner. Reference: antsref razeHill.
func (e *Engine) razeHill(g *game, h, by int) {
	base := g.b * e.p
	gain, loss := e.stakes()
	e.fallen[g.b*e.h+h] = true
	e.razed[base+by]++
	e.score[base+by] += gain
	if owner := int(g.st.hills[h].owner); !e.paidUp(g.b, owner) {
		e.score[base+owner] -= loss
	}
}

// spawn hatches the hives' food on free hills. Reference: antsref spawn.
func (e *Engine) spawn(w *worker, sc *script) {
	g := &w.g
	for s := range g.st.seats {
		i := g.b*e.p + s
		for e.hive[i] > 0 {
			h := e.freeHill(w, s, sc)
			if h < 0 {
				break
			}
			hill := &g.st.hills[h]
			g.mine[s][hill.word] |= hill.bit
			w.all[hill.word] |= hill.bit
			e.touched[g.b*e.h+h] = e.turn[g.b] + 1
			e.hive[i]--
			e.ants[i]++
		}
	}
}

// freeHill is the hill that a seat's next ant hatches on, or -1.
func (e *Engine) freeHill(w *worker, seat int, sc *script) int {
	g := &w.g
	best, ties, oldest := -1, 0, int32(0)
	for _, h := range g.st.own[seat] {
		if !e.hatches(w, h) {
			continue
		}
		t := e.touched[g.b*e.h+h]
		switch {
		case best < 0 || t < oldest:
			best, ties, oldest = h, 1, t
		case t == oldest:
			ties++
		}
	}
	if ties < 2 {
		return best
	}
	pick := -1
	if sc == nil || len(sc.spawn) == 0 || !e.named(w, seat, sc, &best) {
		if e.rules.HillTie == ants.TieRandom {
			pick = int(e.tie[g.b].Below(uint64(ties)))
		}
	}
	for _, h := range g.st.own[seat] {
		if pick > 0 && h > best && e.hatches(w, h) && e.touched[g.b*e.h+h] == oldest {
			best = h
			pick--
		}
	}
	return best
}

// hatches tells whether a hill stands and is free of any ant.
func (e *Engine) hatches(w *worker, h int) bool {
	hill := &w.g.st.hills[h]
	return w.all[hill.word]&hill.bit == 0 && !e.fallen[w.g.b*e.h+h]
}

// named moves best to the first of the tied hills that the script names, and
// tells whether there is one.
func (e *Engine) named(w *worker, seat int, sc *script, best *int) bool {
	g := &w.g
	oldest := e.touched[g.b*e.h+*best]
	for _, h := range g.st.own[seat] {
		if h >= *best && e.hatches(w, h) && e.touched[g.b*e.h+h] == oldest && slices.Contains(sc.spawn, g.st.hills[h].cell) {
			*best = h
			return true
		}
	}
	return false
}
