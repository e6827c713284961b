package hex

import (
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// golden is the increment of splitmix64, as in package formica.
const golden = 0x9E3779B97F4A7C15

// mix is splitmix64's output function. Reference: env.RNG.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// draw is one draw of the tick. Reference: formica.Draw.
func (w *worker) draw(s formica.Stream, home uint8, n int) uint64 {
	word := uint64(s)<<20 | uint64(home)<<16 | uint64(n)
	return mix(w.key + (word+1)*golden)
}

// below maps a draw's low half to 0..n-1. Reference: formica.Below.
func below(draw uint64, n uint32) uint32 { return uint32(uint64(uint32(draw)) * uint64(n) >> 32) }

// A nextEvent is the event of a window of ticks.
type nextEvent struct {
	window, tick int32
	event        formica.Event
}

// A row is a weight for each direction, twice.
type row [2 * dirs]uint32

// A tuning is the rule set in the form that ticks read.
type tuning struct {
	commandEvery, maxTicks, eventEvery   int32
	regrowEvery, digEvery                int32
	birthEvery, birthEveryBuild          int32
	carry, fruitless                     uint8
	patrol, chaseSight, chaseNest, leash uint8
	homeRange, nestSight                 uint8
	trailShift                           uint8
	trailBase, trailMax                  uint32
	trailEmpty, trailCarrying            uint64
	holdTicks, open                      uint32
	stale, crowd                         int32
	defendSkip                           uint64

	// Weights by heading and direction (twice, as in static.neighbours):
	// heading alone; the same, 0 away from the nest; heading times outward. The
	// last two are by pattern to the nest first.
	heading [dirs]row
	inward  [16][dirs]row
	walk    [16][dirs]row
}

func newTuning(c *formica.Config) tuning {
	t := tuning{
		commandEvery: int32(c.CommandEvery), maxTicks: int32(c.MaxTicks), eventEvery: int32(c.EventEvery),
		regrowEvery: int32(c.RegrowEvery), digEvery: int32(c.DigEvery),
		birthEvery: int32(c.BirthEvery), birthEveryBuild: int32(c.BirthEveryBuild),
		carry: uint8(c.Carry), fruitless: uint8(c.FruitlessTicks),
		patrol: uint8(c.PatrolRadius), chaseSight: uint8(c.ChaseSight), chaseNest: uint8(c.ChaseNest), leash: uint8(c.ExpandLeash),
		homeRange: uint8(c.HomeRange), nestSight: uint8(c.NestSight),
		trailShift: uint8(c.TrailShift), trailBase: uint32(c.TrailBase), trailMax: uint32(c.TrailMax),
		trailEmpty: uint64(c.TrailEmpty), trailCarrying: uint64(c.TrailCarrying),
		holdTicks: uint32(c.HoldTicks), open: uint32(c.ExpandOpen), stale: int32(c.ExpandStale), crowd: int32(c.ExpandCrowd),
		defendSkip: uint64(c.DefendSkip),
	}
	for h := range dirs {
		for i := range 2 * dirs {
			d := i % dirs
			turn := (d - h + dirs) % dirs
			weight := c.HeadingWeights[min(turn, dirs-turn)]
			t.heading[h][i] = uint32(weight)
			for p := range patterns {
				step := patternSteps[p][d]
				t.walk[p][h][i] = uint32(weight * c.OutwardWeights[2-step])
				if step <= 1 {
					t.inward[p][h][i] = uint32(weight)
				}
			}
		}
	}
	return t
}

// Reset starts an episode. Reference: formica.NewState.
func (e *Engine) Reset(worker, b int, seed uint64) {
	e.load(formica.NewState(&e.rules, e.boardOf[e.mapOf[b]], e.rules.EpisodeSeed(seed)), worker, b)
}

// Done tells whether a board's episode is over.
func (e *Engine) Done(b int) bool { return e.clocks[b].tick >= e.tune.maxTicks }

// Step plays one command phase of a board.
// Reference: formicaref Engine.Step, beginTick and playTick.
func (e *Engine) Step(worker, b int) {
	if e.Done(b) {
		return
	}
	w := &e.workers[worker]
	g := &w.g
	e.game(g, b)
	e.takeOrders(w)
	for s := range g.colonies {
		w.score[s], w.alive[s] = e.score2(&g.colonies[s]), g.colonies[s].n > 0
	}
	e.answer(w)
	e.enter(w)
	c := g.clock
	c.elapsed = 0
	for {
		e.tick(w)
		c.elapsed++
		c.event = uint8(formica.EventNone)
		if c.tick >= e.tune.maxTicks {
			break
		}
		e.weather(w)
		if c.tick%e.tune.commandEvery == 0 || formica.Event(c.event) == formica.EventLocust {
			break
		}
	}
	e.countHeld(g)
	e.rewards(w)
	e.verify(w)
}

// enter derives from the state what ticks keep up to date.
func (e *Engine) enter(w *worker) {
	g := &w.g
	n := g.st.cells + 1
	clear(w.before[:n])
	i := 0
	for home := range uint8(dirs) {
		for s := range g.colonies {
			if g.colonies[s].home == home {
				w.order[i] = uint8(s)
				i++
			}
		}
	}
	for s := range g.colonies {
		c := &g.colonies[s]
		for _, a := range c.ants[:c.n] {
			w.before[a.cell] += 1 << (8 * s)
		}
	}
	w.event.window = -1
	e.nearNests(w)
	w.seeAll()
	e.weigh(w)
}

// nearNests sets w.near: bit s of a cell is set if the nest of seat s, which
// lives, is at most ChaseNest away, and bit 8+s if it is at most NestSight away.
func (e *Engine) nearNests(w *worker) {
	g := &w.g
	near := w.near[:g.st.cells+1]
	clear(near)
	for s := range g.colonies {
		c := &g.colonies[s]
		if c.diedAt >= 0 {
			continue
		}
		e.markNear(w, c.nest, e.tune.chaseNest, 1<<s)
		e.markNear(w, c.nest, e.tune.nestSight, 1<<(8+s))
	}
}

func (e *Engine) markNear(w *worker, cell uint16, reach uint8, bit uint16) {
	w.g.st.around(cell, int(reach), func(to uint16) { w.near[to] |= bit })
}

// weather is the event of a tick. Reference: formicaref event.
func (e *Engine) weather(w *worker) {
	c := w.g.clock
	if window := c.tick / e.tune.eventEvery; window != w.event.window {
		w.event = e.eventOf(c.seed, window)
	}
	if w.event.tick != c.tick {
		return
	}
	c.event = uint8(w.event.event)
	switch w.event.event {
	case formica.EventLocust:
		for s := range w.g.colonies {
			if k := &w.g.colonies[s]; k.diedAt < 0 {
				k.food -= k.food * int32(e.rules.LocustToll) / 100
			}
		}
	case formica.EventRain:
		c.rain = uint8(e.rules.RainTicks)
	case formica.EventClear:
		c.rain = 0
	}
}

// eventOf is the event of a window. Reference: formica.Config.EventAt.
func (e *Engine) eventOf(seed uint64, window int32) nextEvent {
	n := nextEvent{window: window, tick: -1}
	if window == 0 {
		return n
	}
	h := env.Derive(seed, eventTag, uint64(window))
	n.tick = window*e.tune.eventEvery + int32(h%uint64(e.rules.EventSpread))
	if e.tune.commandEvery > 1 && n.tick%e.tune.commandEvery == 0 {
		n.tick++
	}
	switch roll := int(h >> 32 % 100); {
	case roll < e.rules.LocustPercent:
		n.event = formica.EventLocust
	case roll < e.rules.LocustPercent+e.rules.RainPercent:
		n.event = formica.EventRain
	default:
		n.event = formica.EventClear
	}
	return n
}

// eventTag is the word that derives events from the seed.
const eventTag = 0x4556454E54

// tick plays a tick after its event and phase. Reference: formicaref playTick.
// Where the steps of two ants cannot meet, several steps are taken ant by ant.
func (e *Engine) tick(w *worker) {
	c := w.g.clock
	w.key = env.Derive(c.seed, uint64(c.tick))
	w.moved = false
	e.move(w)
	if len(w.contested) > 0 && e.combat(w) {
		e.claim(w)
	}
	e.harvest(w)
	if w.thieves {
		e.steal(w)
	}
	e.settle(w)
	e.decay(w)
	e.upkeep(w)
	e.build(w)
	e.births(w)
	e.relocate(w)
	e.regrow(w)
	e.deaths(w)
	e.scout(w)
	w.before, w.after = w.after, w.before
	c.tick++
}

// every tells whether this tick completes a period of n ticks.
func (w *worker) every(n int32) bool { return (w.g.clock.tick+1)%n == 0 }
