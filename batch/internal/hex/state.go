package hex

import (
	"fmt"
	"math"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// Outcome tells how a board stands. Reference: formicaref Engine.Outcome.
func (e *Engine) Outcome(b int) env.Outcome {
	var g game
	e.game(&g, b)
	o := env.Outcome{Done: e.Done(b), Steps: int(g.clock.phase), Scores: make([]int32, g.seats), Ranks: make([]int32, g.seats)}
	if o.Done {
		o.Reason = formica.ReasonFinalTick
	}
	for s := range g.colonies {
		o.Scores[s] = e.score2(&g.colonies[s])
	}
	e.ranks(&g, o.Ranks)
	return o
}

// State is a board's state in the common form.
func (e *Engine) State(b int) *formica.State {
	var g game
	e.game(&g, b)
	n := g.st.cells
	s := &formica.State{
		Seed: g.clock.seed, Tick: g.clock.tick, Phase: g.clock.phase, Event: formica.Event(g.clock.event), Rain: g.clock.rain,
		Food: append([]uint8(nil), g.food[:n]...), Cap: append([]uint8(nil), g.cap[:n]...),
		Owner: make([]uint8, n), Stamp: make([]int16, n),
	}
	for cell, x := range g.claimed[:n] {
		s.Owner[cell], s.Stamp[cell] = uint8(x>>16), int16(x)
	}
	for seat := range g.colonies {
		c := &g.colonies[seat]
		k := formica.Colony{
			Home: c.home, Alive: c.diedAt < 0, DiedAt: c.diedAt, Nest: c.nest, Food: c.food, Frozen: c.frozen, Upkeep: c.upkeep,
			Chambers: c.chambers, Dig: c.dig, Order: c.order(), MoveWait: c.moveWait,
		}
		for t := range g.colonies {
			k.Known = append(k.Known, formica.Known{Cell: int32(int16(c.known[t])), Seen: int32(c.seen[t])})
		}
		for _, a := range c.ants[:c.n] {
			k.Ants = append(k.Ants, formica.Ant{Cell: a.cell, Role: formica.Role(a.role), Carry: a.carry, Heading: a.heading, Trip: a.trip})
		}
		trail, shift := g.words[seat/lanesPerWord], 16*uint(seat%lanesPerWord)
		for _, v := range trail[:n] {
			k.Trail = append(k.Trail, uint16(v>>shift))
		}
		s.Colonies = append(s.Colonies, k)
	}
	return s
}

// order is the latched order.
func (c *colony) order() formica.Order {
	return formica.Order{Mode: formica.Mode(c.mode), Alloc: c.alloc, Defend: c.defend != 0, Target: int32(int16(c.target))}
}

// AppendState appends the canonical encoding of a board's state.
func (e *Engine) AppendState(dst []byte, b int) []byte { return e.State(b).Append(dst) }

// SetState replaces a board's state and forgets its statistics. Errors wrap
// env.ErrState and change nothing.
func (e *Engine) SetState(b int, data []byte) error {
	s, err := formica.DecodeState(data, &e.rules, e.boardOf[e.mapOf[b]])
	if err != nil {
		return err
	}
	e.load(s, 0, b)
	return nil
}

// load writes a valid state to a board.
func (e *Engine) load(s *formica.State, worker, b int) {
	g := &e.workers[worker].g
	e.game(g, b)
	*g.clock = clock{seed: s.Seed, tick: s.Tick, phase: s.Phase, event: uint8(s.Event), rain: s.Rain, started: true}
	copy(g.food, s.Food)
	copy(g.cap, s.Cap)
	for cell, owner := range s.Owner {
		g.claimed[cell] = claimOf(owner, s.Stamp[cell])
	}
	g.claimed[g.st.cells] = claimOf(formica.Nobody, 0)
	for _, trail := range g.trail() {
		clear(trail)
	}
	for seat := range g.colonies {
		k := &s.Colonies[seat]
		c := &g.colonies[seat]
		*c = colony{
			food: k.Food, frozen: k.Frozen, upkeep: k.Upkeep, diedAt: k.DiedAt, nest: k.Nest, home: k.Home, n: uint8(len(k.Ants)),
			chambers: k.Chambers, dig: k.Dig, mode: uint8(k.Order.Mode), alloc: k.Order.Alloc, target: uint16(k.Order.Target), moveWait: k.MoveWait,
		}
		if k.Order.Defend {
			c.defend = 1
		}
		for t := range c.known {
			c.known[t] = noCell
		}
		for t, n := range k.Known {
			c.known[t], c.seen[t] = uint16(n.Cell), int16(n.Seen)
		}
		for i, a := range k.Ants {
			c.ants[i] = ant{cell: a.Cell, role: uint8(a.Role), carry: a.Carry, heading: a.Heading, trip: a.Trip}
		}
		trail, shift := g.words[seat/lanesPerWord], 16*uint(seat%lanesPerWord)
		for cell, v := range k.Trail {
			trail[cell] |= uint64(v) << shift
		}
		e.reward[b*e.p+seat] = 0
	}
	e.countHeld(g)
}

// Bytes of a board's and a seat's statistics: elapsed; harvested, stolen,
// births, losses, return.
const (
	boardStats = 4
	seatStats  = 20
)

// AppendBoard appends a board's state and the statistics of its episode.
func (e *Engine) AppendBoard(dst []byte, b int) []byte {
	at := len(dst)
	dst = le.AppendUint32(dst, 0)
	dst = e.AppendState(dst, b)
	le.PutUint32(dst[at:], uint32(len(dst)-at-4))
	dst = le.AppendUint32(dst, uint32(e.clocks[b].elapsed))
	for s := range e.boardOf[e.mapOf[b]].Players {
		c := &e.colonies[b*e.p+s]
		for _, n := range []int32{c.harvested, c.stolen, c.births, c.losses} {
			dst = le.AppendUint32(dst, uint32(n))
		}
		dst = le.AppendUint32(dst, math.Float32bits(c.returns))
	}
	return dst
}

// LoadBoard reads what AppendBoard wrote for a board of the same map. Errors
// wrap env.ErrState and change nothing.
func (e *Engine) LoadBoard(b int, data []byte) error {
	if len(data) < 4 {
		return fmt.Errorf("%w: %d bytes for a board", env.ErrState, len(data))
	}
	n := uint64(le.Uint32(data))
	players := e.boardOf[e.mapOf[b]].Players
	if uint64(len(data)) != 4+n+uint64(boardStats+seatStats*players) {
		return fmt.Errorf("%w: %d bytes for a board whose state takes %d", env.ErrState, len(data), n)
	}
	if err := e.SetState(b, data[4:4+n]); err != nil {
		return err
	}
	stats := data[4+n:]
	e.clocks[b].elapsed = int32(le.Uint32(stats))
	stats = stats[boardStats:]
	for s := range players {
		c := &e.colonies[b*e.p+s]
		for i, v := range []*int32{&c.harvested, &c.stolen, &c.births, &c.losses} {
			*v = int32(le.Uint32(stats[4*i:]))
		}
		c.returns = math.Float32frombits(le.Uint32(stats[16:]))
		stats = stats[seatStats:]
	}
	return nil
}
