package hex

import "github.com/myriant-rl/myriant/env/formica"

// stay is the step of an ant that does not move.
const stay = 255

// What an ant does in a tick, unless defend makes it skip.
const (
	goesHome = iota // carries, or builds
	forages
	defends
	expands
	raids
	numKinds
)

// kinds is what ants without a load do, by role; entry 7 is for those with one.
var kinds = [8]uint8{
	formica.RoleForage: forages, formica.RoleDefense: defends, formica.RoleExpansion: expands, formica.RoleRaid: raids,
	formica.RoleBuild: goesHome, 7: goesHome,
}

// A mind is what one colony's ants decide from.
type mind struct {
	e      *Engine
	w      *worker
	st     *static
	c      *colony
	seat   uint8
	home   uint8
	defend bool
	chase  bool       // rivals stand near the nest
	nest   int32      // origin - at[nest]: a cell's relation to the nest is at at[cell]+nest
	toHome *[16]uint8 // step home by pattern
	lane   uint64     // an ant in a word of counts
	others uint64     // the rivals' lanes
	key    uint64
	after  []uint64
}

// move takes the steps of all ants, decided from the arrays as they were
// before the tick: of those only the ants' own fields change here, so each ant
// decides and steps at once, those that do alike together. It fills w.after,
// and notes what the next steps need to look at.
// Reference: formicaref intents and move.
func (e *Engine) move(w *worker) {
	g := &w.g
	st := g.st
	after := w.after[:st.cells+1]
	clear(after)
	w.contested, w.claims, w.thieves = w.contested[:0], w.claims[:0], false
	invaded := uint16(0)
	for s := range g.colonies {
		invaded |= w.seen[s] &^ (1 << s)
	}
	for _, s := range w.order[:g.seats] {
		c := &g.colonies[s]
		m := mind{
			e: e, w: w, st: st, c: c, seat: s, home: c.home, defend: c.defend != 0, chase: invaded>>s&1 != 0,
			nest: st.origin - st.at[c.nest], toHome: &homeward[c.home],
			lane: 1 << (8 * s), others: ^(uint64(0xFF) << (8 * s)),
			key: w.key + (uint64(formica.StreamAnt)<<20+uint64(c.home)<<16+1)*golden, after: after,
		}
		var n [numKinds]int
		for i := range c.ants[:c.n] {
			role := c.ants[i].role
			if c.ants[i].carry > 0 {
				role = 7
			}
			kind := kinds[role&7]
			w.lists[kind][n[kind]&63] = uint8(i)
			n[kind]++
		}
		m.goHome(w.lists[goesHome][:n[goesHome]])
		m.forage(w.lists[forages][:n[forages]])
		m.guard(w.lists[defends][:n[defends]])
		m.expand(w.lists[expands][:n[expands]])
		m.raid(w.lists[raids][:n[raids]])
	}
}

// draw is ant i's draw of the tick.
func (m *mind) draw(i uint8) uint64 { return mix(m.key + uint64(i)*golden) }

// skips tells whether defend makes an ant that is no fighter stay.
func (m *mind) skips(i uint8) bool { return m.defend && m.draw(i)>>56 < m.e.tune.defendSkip }

// step moves an ant and counts it where it comes to be.
func (m *mind) step(a *ant, d uint8) {
	cell := a.cell
	if d != stay {
		cell = m.st.neighbours[cell][d]
		a.cell, a.heading = cell, d
	}
	count := &m.after[cell]
	there := *count
	if there&m.others != 0 && there&^m.others == 0 {
		m.w.contest(cell, there)
	}
	*count = there + m.lane
}

// contest notes a cell that a second colony comes to.
func (w *worker) contest(cell uint16, there uint64) {
	// It is noted already if two colonies are there.
	for lane := uint64(0xFF); ; lane <<= 8 {
		if there&lane != 0 {
			if there&^lane == 0 {
				w.contested = append(w.contested, cell)
			}
			return
		}
	}
}

// homeStep is the step to the own nest.
func (m *mind) homeStep(cell uint16) uint8 {
	return m.toHome[m.st.relation[m.st.at[cell]+m.nest]>>8&15]
}

// goHome moves the ants that carry, and builders.
func (m *mind) goHome(list []uint8) {
	for _, i := range list {
		a := &m.c.ants[i]
		d := m.homeStep(a.cell)
		if m.defend && a.role != uint8(formica.RoleDefense) && a.role != uint8(formica.RoleRaid) && m.skips(i) {
			d = stay
		}
		m.step(a, d)
	}
}

// forage moves foragers without a load. Reference: formicaref mind.forager.
func (m *mind) forage(list []uint8) {
	w, st, t, home := m.w, m.st, &m.e.tune, m.home
	g := &w.g
	food := g.food
	lanes, lane := lanesOf(w.trails[m.seat/lanesPerWord]), int(m.seat%lanesPerWord)^laneOrder
	// weigh is what pheromone on a cell weighs; 0 off the board.
	weigh := func(cell uint16) uint32 { return uint32(lanes[4*int(cell)+lane]) }
	for _, i := range list {
		a := &m.c.ants[i]
		relation := st.relation[st.at[a.cell]+m.nest]
		near := (*[dirs]uint16)(st.neighbours[a.cell][home:])
		d := uint8(stay)
		switch {
		case m.skips(i) || food[a.cell] > 0:
		case a.trip >= t.fruitless:
			d = m.toHome[relation>>8&15]
		case food[near[0]]|food[near[1]]|food[near[2]]|food[near[3]]|food[near[4]]|food[near[5]] != 0:
			richest := uint8(0)
			for k, to := range near {
				if f := food[to]; f > richest {
					d, richest = uint8(k), f
				}
			}
			d = turn(home, d)
		default:
			walk := (*[dirs]uint32)(t.walk[relation>>8&15][a.heading][home:])
			sums := [dirs]uint32{
				walk[0] * weigh(near[0]), walk[1] * weigh(near[1]), walk[2] * weigh(near[2]),
				walk[3] * weigh(near[3]), walk[4] * weigh(near[4]), walk[5] * weigh(near[5]),
			}
			d = m.pick(&sums, i)
		}
		m.step(a, d)
		if a.trip < t.fruitless {
			a.trip++
		}
		if food[a.cell] > 0 {
			w.addClaim(m.seat, i, a.cell)
		}
	}
}

// turn is the direction that is k-th in scan order from a home.
func turn(home, k uint8) uint8 {
	d := home + k
	if d >= dirs {
		d -= dirs
	}
	return d
}

// fence takes the weights away that lead off the board.
func (s *static) fence(weights *[dirs]uint32, near *[dirs]uint16) {
	for k, to := range near {
		if int(to) == s.cells {
			weights[k] = 0
		}
	}
}

// pick samples a direction by weights in scan order, for ant i; it leaves
// their sums in place of them. Without any weight the ant stays.
// Reference: formicaref mind.sample.
func (m *mind) pick(weights *[dirs]uint32, i uint8) uint8 {
	a := weights[0]
	b := a + weights[1]
	c := b + weights[2]
	d := c + weights[3]
	e := d + weights[4]
	f := e + weights[5]
	// The sums, all below 2^31, do not fall; the first above the number is
	// chosen: the top bit of the difference is set from there on.
	n := below(m.draw(i), f)
	above := (n-a)>>31 + (n-b)>>31 + (n-c)>>31 + (n-d)>>31 + (n-e)>>31 + (n-f)>>31
	if above == 0 {
		return stay
	}
	return turn(m.home, uint8(dirs-above))
}

// guard moves defenders without a load. Reference: formicaref mind.defender.
func (m *mind) guard(list []uint8) {
	st, t := m.st, &m.e.tune
	for _, i := range list {
		a := &m.c.ants[i]
		if m.defend {
			m.step(a, m.homeStep(a.cell))
			continue
		}
		if m.chase {
			if d, ok := m.chased(a); ok {
				m.step(a, d)
				continue
			}
		}
		relation := st.relation[st.at[a.cell]+m.nest]
		far, pattern := uint8(relation), relation>>8&15
		if far > t.patrol {
			m.step(a, m.toHome[pattern])
			continue
		}
		from := &t.heading[a.heading]
		if far == t.patrol {
			from = &t.inward[pattern][a.heading]
		}
		weights := *(*[dirs]uint32)(from[m.home:])
		if !st.inner[a.cell] {
			st.fence(&weights, (*[dirs]uint16)(st.neighbours[a.cell][m.home:]))
		}
		m.step(a, m.pick(&weights, i))
	}
}

// chased is the step toward the rivals that a defender chases, if there are
// any. Reference: formicaref mind.chased.
func (m *mind) chased(a *ant) (uint8, bool) {
	st := m.st
	t := &m.e.tune
	rivals := func(cell uint16) bool {
		return int(cell) != st.cells && m.w.before[cell]&m.others != 0 && st.relation[st.at[cell]+m.nest]&0xFF <= uint16(t.chaseNest)
	}
	if rivals(a.cell) {
		return stay, true
	}
	near := (*[dirs]uint16)(st.neighbours[a.cell][m.home:])
	if t.chaseSight >= 1 {
		for k, to := range near {
			if rivals(to) {
				return turn(m.home, uint8(k)), true
			}
		}
	}
	if t.chaseSight < 2 {
		return stay, false
	}
	// The way to a cell two steps off may lead off the board.
	spot := st.spot[0][a.cell]
	row, bit := int(spot>>6), int(spot&63)
	for k := range uint8(dirs) {
		one := turn(m.home, k)
		for _, two := range [2]uint8{one, turn(one, 1)} {
			r, q := row+formica.Step[one].R+formica.Step[two].R, bit+formica.Step[one].Q+formica.Step[two].Q
			if r < 0 || r >= st.side || q < 0 || q >= st.side {
				continue
			}
			if to := st.grid[0][r*64+q]; rivals(to) {
				return st.toward(a.cell, to, m.home), true
			}
		}
	}
	return stay, false
}

// expand moves expanders without a load. Reference: formicaref mind.expander.
func (m *mind) expand(list []uint8) {
	w, st, t, home := m.w, m.st, &m.e.tune, m.home
	g := &w.g
	claimed, own, lane := g.claimed, countsOf(w.before), int(m.seat)^byteOrder
	now := claimOf(m.seat, int16(g.clock.tick))
	hold, stale, crowd, open := t.holdTicks, t.stale, t.crowd, t.stale*int32(t.open)
	for _, i := range list {
		a := &m.c.ants[i]
		relation := st.relation[st.at[a.cell]+m.nest]
		far := uint8(relation)
		d := uint8(stay)
		switch {
		case m.skips(i):
		case far > t.leash:
			d = m.toHome[relation>>8&15]
		default:
			near := (*[dirs]uint16)(st.neighbours[a.cell][home:])
			heading := (*[dirs]uint32)(t.heading[a.heading][home:])
			noise := m.draw(i) >> 32
			// The value of a direction, times 8, plus 7 less its place in scan order.
			var values [dirs]int32
			for k, to := range near {
				value := open
				if age := now - claimed[to]; age <= hold {
					value = stale * int32(age)
				}
				value += int32(heading[k]) + int32(noise&15) - crowd*int32(own[8*int(to)+lane])
				noise >>= 4
				values[k] = value*8 + 7 - int32(k)
			}
			if far == t.leash || !st.inner[a.cell] {
				m.leash(&values, near)
			}
			best := max(max(values[0], values[1], values[2]), max(values[3], values[4], values[5]))
			if best != never {
				d = turn(home, uint8(7-best&7))
			}
		}
		m.step(a, d)
	}
}

// never is the value of a step that no expander takes.
const never = -1 << 31

// leash makes the steps that lead off the board or the leash never taken.
func (m *mind) leash(values *[dirs]int32, near *[dirs]uint16) {
	st := m.st
	for k, to := range near {
		if int(to) == st.cells || st.relation[st.at[to]+m.nest]&0xFF > uint16(m.e.tune.leash) {
			values[k] = never
		}
	}
}

// raid moves raiders without a load. Reference: formicaref mind.raider.
func (m *mind) raid(list []uint8) {
	if len(list) == 0 {
		return
	}
	w, st, t := m.w, m.st, &m.e.tune
	g := &w.g
	// The nests that are known, from the colony that comes first in scan order.
	var nests [seats]uint16
	n, first := 0, 0
	for g.colonies[w.order[first]].home < m.home {
		first++
	}
	for k := range g.seats {
		if at := m.c.known[w.order[(first+k)%g.seats]]; at != noCell {
			nests[n] = at
			n++
		}
	}
	rivals := uint16(0xFF00) &^ (1 << (8 + m.seat))
	for _, i := range list {
		a := &m.c.ants[i]
		d := uint8(0)
		switch {
		case a.trip > 0:
			d = m.homeStep(a.cell)
		case n > 0:
			target, nearest := nests[0], st.distance(a.cell, nests[0])
			for _, at := range nests[1:n] {
				if far := st.distance(a.cell, at); far < nearest {
					target, nearest = at, far
				}
			}
			d = st.toward(a.cell, target, m.home)
		default:
			weights := *(*[dirs]uint32)(t.walk[st.relation[st.at[a.cell]+m.nest]>>8&15][a.heading][m.home:])
			if !st.inner[a.cell] {
				st.fence(&weights, (*[dirs]uint16)(st.neighbours[a.cell][m.home:]))
			}
			d = m.pick(&weights, i)
		}
		m.step(a, d)
		w.thieves = w.thieves || w.near[a.cell]&rivals != 0
	}
}
