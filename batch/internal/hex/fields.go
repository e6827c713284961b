package hex

import (
	"unsafe"

	"github.com/myriant-rl/myriant/env/formica"
)

// settle takes what each ant does where it now stands: it puts its load into
// its own nest, stamps the cell, and leaves pheromone; and it sees nests. No
// two of these meet. Reference: formicaref deposit, stamp and addPheromone, and
// w.seen for scout.
func (e *Engine) settle(w *worker) {
	g := &w.g
	claimed := g.claimed
	after, near := w.after[:len(claimed)], w.near[:len(claimed)]
	empty, carrying := e.tune.trailEmpty, e.tune.trailCarrying
	for s := range g.colonies {
		c := &g.colonies[s]
		trail, shift := g.words[s/lanesPerWord][:len(claimed)], 16*uint(s%lanesPerWord)&63
		others := ^(uint64(0xFF) << (8 * s))
		mine := claimOf(uint8(s), int16(g.clock.tick))
		seen := uint16(0)
		for i := range c.ants[:c.n] {
			a := &c.ants[i]
			cell := a.cell
			if cell == c.nest {
				e.deposit(c, a)
			}
			if after[cell]&others == 0 {
				claimed[cell] = mine
			}
			add := empty
			if a.carry > 0 {
				add = carrying
			}
			v := trail[cell] >> shift & 0xFFFF
			trail[cell] += (min(v+add, formica.MaxPheromone) - v) << shift
			seen |= near[cell]
		}
		w.seen[s] = seen
	}
	for _, cell := range w.contested {
		best, most, tie := 0, uint8(0), false
		there := w.after[cell]
		for s := range g.colonies {
			switch n := uint8(there >> (8 * s)); {
			case n > most:
				best, most, tie = s, n, false
			case n == most:
				tie = true
			}
		}
		if most > 0 && !tie {
			g.claimed[cell] = claimOf(uint8(best), int16(g.clock.tick))
		}
	}
	for s := range g.colonies {
		if c := &g.colonies[s]; c.diedAt < 0 {
			g.claimed[c.nest] = claimOf(uint8(s), int16(g.clock.tick))
		}
	}
}

// deposit is an ant on its own nest. Reference: formicaref deposit.
func (e *Engine) deposit(c *colony, a *ant) {
	turn := uint8(0)
	switch {
	case a.carry > 0, a.role == uint8(formica.RoleRaid) && a.trip > 0:
		turn = 3
	case a.role == uint8(formica.RoleForage) && a.trip >= e.tune.fruitless:
		turn = 2
	}
	if a.heading += turn; a.heading >= dirs {
		a.heading -= dirs
	}
	c.food = min(c.food+int32(a.carry), formica.MaxFood)
	a.carry, a.trip = 0, 0
}

// decay. Reference: formicaref decayPheromone.
func (e *Engine) decay(w *worker) {
	times := 1
	if c := w.g.clock; c.rain > 0 {
		times = e.rules.RainDecays
		c.rain--
	}
	for _, trail := range w.g.trail() {
		for range times {
			dense.decay(trail, uint(e.rules.DecayShift))
		}
	}
	e.weigh(w)
}

// weigh fills w.trails.
func (e *Engine) weigh(w *worker) {
	t := &e.tune
	for word, trail := range w.g.trail() {
		weights := w.trails[word][:len(trail)]
		dense.weigh(weights, trail, uint(t.trailShift), uint16(t.trailBase), uint16(t.trailMax))
		weights[w.g.st.cells] = 0
	}
}

// lanesOf are the lanes of words one by one. Lane i of a word is entry
// i^laneOrder of its four.
func lanesOf(words []uint64) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// countsOf are the bytes of words one by one. Byte i of a word is entry
// i^byteOrder of its eight.
func countsOf(words []uint64) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

// laneOrder and byteOrder are 0 where the lowest byte comes first in memory.
var laneOrder, byteOrder = func() (lane, octet int) {
	if countsOf([]uint64{1})[0] == 1 {
		return 0, 0
	}
	return 3, 7
}()
