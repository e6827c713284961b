package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// beginTick is the first step of a tick, the event, and tells whether the game
// must now wait: for a phase, or because it is over. A phase waits at every
// multiple of CommandEvery, and when the event was a locust. After the last
// tick there is no event.
func (e *Engine) beginTick() (waits bool) {
	e.s.Event = formica.EventNone
	if e.s.Done(e.c) {
		return true
	}
	e.event()
	return int(e.s.Tick)%e.c.CommandEvery == 0 || e.s.Event == formica.EventLocust
}

// event: Config.EventAt says what comes. A locust takes
// floor(food*LocustToll/100) from every living colony's store. Rain sets the
// rain to RainTicks, clear sets it to 0.
func (e *Engine) event() {
	e.s.Event = e.c.EventAt(e.s.Seed, e.s.Tick)
	switch e.s.Event {
	case formica.EventLocust:
		for i := range e.s.Colonies {
			if k := &e.s.Colonies[i]; k.Alive {
				k.Food -= k.Food * int32(e.c.LocustToll) / 100
			}
		}
	case formica.EventRain:
		e.s.Rain = uint8(e.c.RainTicks)
	case formica.EventClear:
		e.s.Rain = 0
	}
}

// playTick is the rest of a tick, after the event and the phase.
func (e *Engine) playTick() {
	e.key = formica.TickKey(e.s.Seed, e.s.Tick)
	e.move(e.intents())
	e.combat()
	e.harvest()
	e.steal()
	e.deposit()
	e.stamp()
	e.addPheromone()
	e.decayPheromone()
	e.upkeep()
	e.build()
	e.births()
	e.relocate()
	e.regrow()
	e.deaths()
	e.scout()
	e.s.Tick++
}

// every tells whether this tick completes a period of n ticks:
// (Tick+1) mod n = 0.
func (e *Engine) every(n int) bool { return (int(e.s.Tick)+1)%n == 0 }

// draw is one draw of this tick.
func (e *Engine) draw(s formica.Stream, home, n int) uint64 { return formica.Draw(e.key, s, home, n) }

// dir is the i-th direction in a colony's scan order.
func dir(home uint8, i int) int { return (int(home) + i) % formica.Directions }

// byHome lists the seats in ascending home direction.
func (e *Engine) byHome() []int {
	var seats []int
	for home := range formica.Directions {
		for seat := range e.s.Colonies {
			if int(e.s.Colonies[seat].Home) == home {
				seats = append(seats, seat)
			}
		}
	}
	return seats
}

// antsAt counts every seat's ants on every cell: [seat][cell].
func (e *Engine) antsAt() [][]int {
	counts := make([][]int, len(e.s.Colonies))
	for seat := range e.s.Colonies {
		counts[seat] = make([]int, e.b.Cells)
		for _, a := range e.s.Colonies[seat].Ants {
			counts[seat][a.Cell]++
		}
	}
	return counts
}
