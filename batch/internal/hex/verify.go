package hex

import (
	"fmt"

	"github.com/myriant-rl/myriant/batch/internal/invariants"
	"github.com/myriant-rl/myriant/env/formica"
)

// verify panics when a board breaks what every step must keep. It costs more
// than a step and is compiled in with the invariants build tag only.
func (e *Engine) verify(w *worker) {
	if !invariants.Enabled {
		return
	}
	g := &w.g
	st := g.st
	bad := func(format string, a ...any) {
		panic(fmt.Sprintf("hex: board %d, tick %d: %s", g.b, g.clock.tick, fmt.Sprintf(format, a...)))
	}
	if err := e.State(g.b).Validate(&e.rules, e.boardOf[e.mapOf[g.b]]); err != nil {
		bad("%v", err)
	}
	counts := make([]uint64, st.cells+1)
	for s := range g.colonies {
		c := &g.colonies[s]
		for i, a := range c.ants {
			if i < int(c.n) {
				counts[a.cell] += 1 << (8 * s)
			} else if a != (ant{}) {
				bad("seat %d has a ghost %+v in slot %d of %d", s, a, i, c.n)
			}
		}
	}
	for cell, n := range counts {
		if n != w.before[cell] {
			bad("cell %d counts %#x ants and has %#x", cell, w.before[cell], n)
		}
	}
	if g.food[st.cells] != 0 || g.cap[st.cells] != 0 || g.claimed[st.cells] != claimOf(formica.Nobody, 0) {
		bad("something lies off the board")
	}
	for word, trail := range g.trail() {
		if trail[st.cells] != 0 {
			bad("pheromone off the board in word %d", word)
		}
		for cell, v := range trail {
			if v&0x8000_8000_8000_8000 != 0 {
				bad("pheromone of 16 bits on cell %d in word %d", cell, word)
			}
		}
	}
	for cell, n := range w.claimants {
		if n != 0 {
			bad("cell %d still has %d claimants", cell, n)
		}
	}
	near := append([]uint16(nil), w.near[:st.cells+1]...)
	e.nearNests(w)
	for cell, m := range w.near[:st.cells+1] {
		if m != near[cell] {
			bad("cell %d has nests %#x near and notes %#x", cell, m, near[cell])
		}
	}
	for s := range g.colonies {
		c := &g.colonies[s]
		if c.n == 0 && c.diedAt < 0 {
			bad("seat %d is alive without ants", s)
		}
	}
}
