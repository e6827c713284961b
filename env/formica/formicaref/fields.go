package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// stamp: every cell with ants goes to the colony with strictly the most ants
// there, stamped with this tick; a tie leaves owner and stamp. Then every
// living colony's nest cell goes to it, whoever stands there.
func (e *Engine) stamp() {
	counts := e.antsAt()
	for cell := range e.b.Cells {
		best, most, tie := formica.Nobody, 0, false
		for seat := range counts {
			switch n := counts[seat][cell]; {
			case n > most:
				best, most, tie = seat, n, false
			case n == most && n > 0:
				tie = true
			}
		}
		if most > 0 && !tie {
			e.s.Owner[cell], e.s.Stamp[cell] = uint8(best), int16(e.s.Tick)
		}
	}
	for seat := range e.s.Colonies {
		if k := &e.s.Colonies[seat]; k.Alive {
			e.s.Owner[k.Nest], e.s.Stamp[k.Nest] = uint8(seat), int16(e.s.Tick)
		}
	}
}

// addPheromone: every ant adds TrailCarrying with a load, else TrailEmpty, to
// its colony's pheromone on its cell, up to MaxPheromone.
func (e *Engine) addPheromone() {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		for _, a := range k.Ants {
			add := e.c.TrailEmpty
			if a.Carry > 0 {
				add = e.c.TrailCarrying
			}
			k.Trail[a.Cell] = uint16(min(int(k.Trail[a.Cell])+add, formica.MaxPheromone))
		}
	}
}

// decayPheromone: every value v, of the dead too, becomes
// max(0, v - (v>>DecayShift) - 1); in rain RainDecays times. Then a tick of
// rain is over.
func (e *Engine) decayPheromone() {
	times := 1
	if e.s.Rain > 0 {
		times = e.c.RainDecays
		e.s.Rain--
	}
	for seat := range e.s.Colonies {
		trail := e.s.Colonies[seat].Trail
		for cell, v := range trail {
			for range times {
				v = uint16(max(0, int(v)-int(v>>e.c.DecayShift)-1))
			}
			trail[cell] = v
		}
	}
}
