package square

import (
	mathbits "math/bits"

	"github.com/myriant-rl/myriant/env/ants"
)

// gather gives each food to the one colony in range of it, and destroys what
// several are in range of. Reference: antsref gather.
func (e *Engine) gather(w *worker) {
	g := &w.g
	st := g.st
	if e.foodCount[g.b] == 0 {
		return
	}
	if got, gone, ok := dense.gatherTile(w); ok {
		e.foodCount[g.b] -= gone
		for s, n := range got {
			e.hive[g.b*e.p+s] += n
			e.gathered[g.b*e.p+s] += n
			w.food[s] += n
		}
		return
	}
	pw := st.pw
	once, twice := w.once[:pw], w.twice[:pw]
	clear(once)
	clear(twice)
	for s := range st.seats {
		if e.ants[g.b*e.p+s] > 0 {
			st.gather.Dilate(w.reach[s], g.mine[s], w.disk)
			dense.near(once, twice, w.reach[s][:pw], g.food)
		}
	}
	// Food is sparse, so who gets it is asked cell by cell.
	for _, i := range w.hits[:dense.meet(w.hits, once, g.food)] {
		x := once[i]
		g.food[i] &^= x
		e.foodCount[g.b] -= int32(mathbits.OnesCount64(x))
		for x &^= twice[i]; x != 0; x &= x - 1 {
			s := 0
			for bit := x & -x; e.ants[g.b*e.p+s] == 0 || w.reach[s][i]&bit == 0; {
				s++
			}
			e.hive[g.b*e.p+s]++
			e.gathered[g.b*e.p+s]++
			w.food[s]++
		}
	}
}

// newFood puts new food on the board. Reference: antsref newFood.
func (e *Engine) newFood(w *worker, sc *script) {
	switch e.rules.Food {
	case ants.FoodSets, ants.FoodSetsOverWater:
		e.dueFood(w)
	case ants.FoodTopUp:
		e.topUp(w)
	case ants.FoodScripted:
		if sc != nil {
			for _, cell := range sc.food {
				if cell >= 0 && int(cell) < len(w.g.st.m.Water) {
					e.place(w, cell)
				}
			}
		}
	}
}

// nextSet is the set at the cursor of the walk.
func (e *Engine) nextSet(g *game) []int32 {
	b := g.b
	if e.ordered[b] != e.rotation[b] {
		e.shuffle(g)
	}
	return g.st.sets.Set(int(e.order[b*e.maxSets+int(e.cursor[b])]))
}

// shuffle brings a board's order of the sets to its rotation.
func (e *Engine) shuffle(g *game) {
	ants.ShuffleSets(e.order[g.b*e.maxSets:], g.st.sets.Len(), e.seed[g.b], e.rotation[g.b])
	e.ordered[g.b] = e.rotation[g.b]
}

func (e *Engine) advance(g *game) {
	e.cursor[g.b]++
	if int(e.cursor[g.b]) == g.st.sets.Len() {
		e.cursor[g.b] = 0
		e.rotation[g.b]++
	}
}

// dueFood places what waits and can be placed, then the sets that fit in what
// is due; what cannot be placed waits.
func (e *Engine) dueFood(w *worker) {
	g := &w.g
	st := g.st
	b := g.b
	if e.pendingLen[b] > 0 {
		queue := e.pending[b*e.pendingCap : b*e.pendingCap+int(e.pendingLen[b])]
		left := int32(0)
		for _, cell := range queue {
			if !e.place(w, int32(cell)) {
				queue[left] = cell
				left++
			}
		}
		e.pendingLen[b] = left
	}
	e.extra[b] += int64(e.rate[b]) * int64(st.seats)
	if e.period[b] == 0 || st.sets.Len() == 0 {
		return
	}
	// Most turns pay for nothing: the price of the next set is kept at hand.
	if e.price[b] == 0 {
		e.price[b] = int32(st.setSize) * e.period[b]
	}
	for e.extra[b] >= int64(e.price[b]) {
		set := e.nextSet(g)
		price := int32(len(set)) * e.period[b]
		if e.extra[b] < int64(price) {
			e.price[b] = price
			break
		}
		for _, cell := range set {
			word, bit := st.at(cell)
			switch {
			case e.bare(w, word, bit):
				g.food[word] |= bit
				e.foodCount[b]++
			case st.water[word]&bit == 0:
				e.pending[b*e.pendingCap+int(e.pendingLen[b])] = uint16(cell)
				e.pendingLen[b]++
			}
		}
		e.extra[b] -= int64(price)
		e.price[b] = int32(st.setSize) * e.period[b]
		e.advance(g)
	}
}

// topUp places whole free sets while they fit under the map's target, looking
// at each set at most once.
func (e *Engine) topUp(w *worker) {
	g := &w.g
	for range g.st.sets.Len() {
		set := e.nextSet(g)
		if int(e.foodCount[g.b])+len(set) > g.st.target {
			return
		}
		free := true
		for _, cell := range set {
			free = free && e.free(w, cell)
		}
		if free {
			for _, cell := range set {
				e.place(w, cell)
			}
		}
		e.advance(g)
	}
}

// free tells whether food can appear on a cell: land without food, ant or
// standing or razed hill.
func (e *Engine) free(w *worker, cell int32) bool {
	word, bit := w.g.st.at(cell)
	return e.bare(w, word, bit)
}

func (e *Engine) bare(w *worker, word int, bit uint64) bool {
	return (w.g.st.barren[word]|w.g.food[word]|w.all[word])&bit == 0
}

// place puts food on a cell, if it can be there.
func (e *Engine) place(w *worker, cell int32) bool {
	word, bit := w.g.st.at(cell)
	if !e.bare(w, word, bit) {
		return false
	}
	w.g.food[word] |= bit
	e.foodCount[w.g.b]++
	return true
}

// Reset starts an episode. Reference: antsref Reset.
func (e *Engine) Reset(worker, b int, seed uint64) {
	w := &e.workers[worker]
	g := &w.g
	e.game(g, b)
	st := g.st
	e.unscript(b)
	clear(e.words[b*e.stride : (b+1)*e.stride])
	e.turn[b], e.holder[b], e.count[b], e.ending[b], e.started[b] = 0, ants.HolderNone, 0, 0, true
	e.seed[b], e.tie[b] = seed, ants.TieSeed(seed)
	e.rate[b], e.period[b] = 0, 0
	if e.rules.Food == ants.FoodSets || e.rules.Food == ants.FoodSetsOverWater {
		e.rate[b], e.period[b] = ants.FoodRate(seed)
	}
	e.extra[b], e.cursor[b], e.rotation[b], e.pendingLen[b], e.ordered[b], e.price[b] = 0, 0, 0, 0, -1, 0
	for s := range e.p {
		i := b*e.p + s
		e.ants[i], e.hive[i], e.score[i], e.razed[i], e.gathered[i] = 0, 0, 0, 0, 0
		e.kills[i], e.losses[i], e.out[i], e.reward[i], e.returns[i] = 0, 0, false, 0, 0
	}
	for h := range st.hills {
		hill := &st.hills[h]
		e.touched[b*e.h+h], e.fallen[b*e.h+h] = 0, false
		s := int(hill.owner)
		g.mine[s][hill.word] |= hill.bit
		e.ants[b*e.p+s]++
		if e.rules.Scoring == ants.ScoreHills {
			e.score[b*e.p+s]++
		}
	}
	e.foodCount[b] = 0
	start := st.start
	if e.rules.Food == ants.FoodSetsOverWater {
		start = st.m.StartFood(&e.rules, st.sets, st.nearSets, seed)
	}
	for _, cell := range start {
		word, bit := st.at(cell)
		if g.food[word]&bit == 0 {
			g.food[word] |= bit
			e.foodCount[b]++
		}
	}
	w.stepped = -1
	e.see(w)
}
