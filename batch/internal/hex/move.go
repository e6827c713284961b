package hex

import "github.com/myriant-rl/myriant/env/formica"

// stay is the step of an ant that does not move.
const stay = 255

// A mind is what one colony's ants decide from.
type mind struct {
	e      *Engine
	w      *worker
	c      *colony
	seat   int
	home   uint8
	nest   int32  // origin - at[nest]: a cell's relation to the nest is at at[cell]+nest
	others uint64 // lanes of the rivals
	trail  []uint64
	shift  uint // of the seat's lane
	chase  bool // rivals stand near the nest
	key    uint64
}

// move takes the steps of all ants, decided from the arrays as they were
// before the tick: of those only the ants' own fields change here, so each ant
// decides and steps at once. It fills w.after, and notes what the next steps
// need to look at. Reference: formicaref intents and move.
func (e *Engine) move(w *worker) {
	g := &w.g
	st := g.st
	n := st.cells + 1
	after := w.after[:n]
	clear(after)
	w.contested, w.claims, w.thieves = w.contested[:0], w.claims[:0], false
	invaded := uint16(0)
	for s := range g.colonies {
		c := &g.colonies[s]
		seen := uint16(0)
		for i := range c.ants[:c.n] {
			seen |= w.near[c.ants[i].cell]
		}
		invaded |= seen &^ (1 << s)
	}
	for _, s := range w.order[:g.seats] {
		c := &g.colonies[s]
		m := mind{
			e: e, w: w, c: c, seat: int(s), home: c.home, nest: st.origin - st.at[c.nest], others: ^(uint64(0xFF) << (8 * s)),
			trail: g.words[s/lanesPerWord], shift: 16 * uint(s%lanesPerWord), chase: invaded>>s&1 != 0,
			key: w.key + (uint64(formica.StreamAnt)<<20+uint64(c.home)<<16+1)*golden,
		}
		lane := uint64(1) << (8 * s)
		rivals := uint16(0xFF00) &^ (1 << (8 + s))
		for i := range c.ants[:c.n] {
			a := &c.ants[i]
			if d := m.intent(i, a); d != stay {
				a.cell, a.heading = st.neighbours[a.cell][d], d
			}
			there := after[a.cell]
			if there&m.others != 0 && there&^m.others == 0 {
				w.contest(a.cell, there)
			}
			after[a.cell] = there + lane
			switch formica.Role(a.role) {
			case formica.RoleForage:
				if a.carry == 0 {
					if a.trip < e.tune.fruitless {
						a.trip++
					}
					if g.food[a.cell] > 0 {
						w.addClaim(s, uint8(i), a.cell)
					}
				}
			case formica.RoleRaid:
				w.thieves = w.thieves || w.near[a.cell]&rivals != 0
			}
		}
	}
}

// contest notes a cell that a second colony comes to.
func (w *worker) contest(cell uint16, there uint64) {
	// It is noted already if two colonies are there.
	first := there & -there
	for lane := uint64(0xFF); ; lane <<= 8 {
		if first&lane != 0 {
			if there&^lane == 0 {
				w.contested = append(w.contested, cell)
			}
			return
		}
	}
}

// intent is the direction of an ant's step. Reference: formicaref mind.intent.
func (m *mind) intent(i int, a *ant) uint8 {
	role := formica.Role(a.role)
	if m.c.defend != 0 && role != formica.RoleDefense && role != formica.RoleRaid && m.draw(i)>>56 < m.e.tune.defendSkip {
		return stay
	}
	if a.carry > 0 {
		return m.homeward(a)
	}
	switch role {
	case formica.RoleForage:
		return m.forager(i, a)
	case formica.RoleDefense:
		return m.defender(i, a)
	case formica.RoleExpansion:
		return m.expander(i, a)
	case formica.RoleRaid:
		return m.raider(i, a)
	}
	return m.homeward(a)
}

// draw is ant i's draw of the tick.
func (m *mind) draw(i int) uint64 { return mix(m.key + uint64(i)*golden) }

// homeward is the step to the own nest.
func (m *mind) homeward(a *ant) uint8 {
	st := m.w.g.st
	return firstFrom[st.nearer[st.at[a.cell]+m.nest]][m.home]
}

// far is the distance of a cell to the own nest.
func (m *mind) far(cell uint16) uint8 {
	st := m.w.g.st
	return st.far[st.at[cell]+m.nest]
}

// forager. Reference: formicaref mind.forager.
func (m *mind) forager(i int, a *ant) uint8 {
	g := &m.w.g
	st := g.st
	if g.food[a.cell] > 0 {
		return stay
	}
	t := &m.e.tune
	if a.trip >= t.fruitless {
		return m.homeward(a)
	}
	near := &st.neighbours[a.cell]
	food := g.food
	if food[near[0]]|food[near[1]]|food[near[2]]|food[near[3]]|food[near[4]]|food[near[5]] != 0 {
		richest, most := uint8(stay), uint8(0)
		d := m.home
		for range dirs {
			if f := food[near[d]]; f > most {
				richest, most = d, f
			}
			if d++; d == dirs {
				d = 0
			}
		}
		return richest
	}
	walk := &t.walk[st.pattern[st.at[a.cell]+m.nest]][a.heading]
	var weights [dirs]uint32
	sum := uint32(0)
	for d := range dirs {
		to := near[d]
		trail := uint32(uint16(m.trail[to]>>m.shift)) >> t.trailShift
		x := walk[d] * (t.trailBase + min(trail, t.trailMax))
		if int(to) == st.cells {
			x = 0
		}
		weights[d] = x
		sum += x
	}
	return m.pick(&weights, below(m.draw(i), sum))
}

// pick is the first direction in scan order whose weight, summed with those
// before it, is greater than a number below the sum of all.
func (m *mind) pick(weights *[dirs]uint32, number uint32) uint8 {
	d := m.home
	for range dirs {
		if number < weights[d] {
			return d
		}
		number -= weights[d]
		if d++; d == dirs {
			d = 0
		}
	}
	return stay
}

// defender. Reference: formicaref mind.defender.
func (m *mind) defender(i int, a *ant) uint8 {
	st := m.w.g.st
	t := &m.e.tune
	if m.c.defend != 0 {
		return m.homeward(a)
	}
	if m.chase {
		if d, ok := m.chased(a); ok {
			return d
		}
	}
	if m.far(a.cell) > t.patrol {
		return m.homeward(a)
	}
	near := &st.neighbours[a.cell]
	heading := &t.heading[a.heading]
	var weights [dirs]uint32
	sum := uint32(0)
	for d := range dirs {
		to := near[d]
		if int(to) == st.cells || m.far(to) > t.patrol {
			continue
		}
		weights[d] = heading[d]
		sum += heading[d]
	}
	return m.pick(&weights, below(m.draw(i), sum))
}

// chased is the step toward the rivals that a defender chases, if there are
// any. Reference: formicaref mind.chased.
func (m *mind) chased(a *ant) (uint8, bool) {
	st := m.w.g.st
	t := &m.e.tune
	rivals := func(cell uint16) bool {
		return int(cell) != st.cells && m.w.before[cell]&m.others != 0 && m.far(cell) <= t.chaseNest
	}
	if rivals(a.cell) {
		return stay, true
	}
	near := &st.neighbours[a.cell]
	if t.chaseSight >= 1 {
		for i := range dirs {
			d := (int(m.home) + i) % dirs
			if rivals(near[d]) {
				return uint8(d), true
			}
		}
	}
	if t.chaseSight < 2 {
		return stay, false
	}
	// A cell two steps off is reached over a neighbour; where that lies off the
	// board, over the grid.
	row, bit := int(st.row[a.cell]), int(st.bit[a.cell])
	for i := range dirs {
		one := (int(m.home) + i) % dirs
		for _, two := range [2]int{one, (one + 1) % dirs} {
			r, q := row+formica.Step[one].R+formica.Step[two].R, bit+formica.Step[one].Q+formica.Step[two].Q
			if r < 0 || r >= st.side || q < 0 || q >= st.side {
				continue
			}
			if to := st.grid[r*64+q]; rivals(to) {
				return st.toward(a.cell, to, m.home), true
			}
		}
	}
	return stay, false
}

// expander. Reference: formicaref mind.expander.
func (m *mind) expander(i int, a *ant) uint8 {
	g := &m.w.g
	st := g.st
	t := &m.e.tune
	if m.far(a.cell) > t.leash {
		return m.homeward(a)
	}
	near := &st.neighbours[a.cell]
	heading := &t.heading[a.heading]
	noise := m.draw(i) >> 32
	best, most := uint8(stay), int32(0)
	d := m.home
	for range dirs {
		to := near[d]
		if int(to) != st.cells && m.far(to) <= t.leash {
			stale := t.open
			if age := g.clock.tick - int32(g.stamp[to]); int(g.owner[to]) == m.seat && age <= t.holdTicks {
				stale = age
			}
			own := int32(m.w.before[to] >> (8 * m.seat) & 0xFF)
			value := t.stale*stale - t.crowd*own + int32(heading[d]) + int32(noise&15)
			if best == stay || value > most {
				best, most = d, value
			}
		}
		noise >>= 4
		if d++; d == dirs {
			d = 0
		}
	}
	return best
}

// raider. Reference: formicaref mind.raider.
func (m *mind) raider(i int, a *ant) uint8 {
	g := &m.w.g
	st := g.st
	if a.trip > 0 {
		return m.homeward(a)
	}
	target, nearest := uint16(noCell), uint8(0)
	// From the colony that comes first in scan order; the own is never known.
	first := 0
	for first < g.seats && g.colonies[m.w.order[first]].home < m.home {
		first++
	}
	for k := range g.seats {
		other := m.w.order[(first+k)%g.seats]
		if to := m.c.known[other]; to != noCell {
			if far := st.distance(a.cell, to); target == noCell || far < nearest {
				target, nearest = to, far
			}
		}
	}
	if target != noCell {
		return st.toward(a.cell, target, m.home)
	}
	walk := &m.e.tune.walk[st.pattern[st.at[a.cell]+m.nest]][a.heading]
	near := &st.neighbours[a.cell]
	var weights [dirs]uint32
	sum := uint32(0)
	for d := range dirs {
		if int(near[d]) != st.cells {
			weights[d] = walk[d]
			sum += walk[d]
		}
	}
	return m.pick(&weights, below(m.draw(i), sum))
}
