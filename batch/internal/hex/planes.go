package hex

import (
	"math/bits"
	"unsafe"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// Observe writes what the observed seats see: planes, scalars, masks.
func (e *Engine) Observe(worker, b, handle int, _ *kernel.Ragged) {
	k := &e.sinks[handle]
	if !k.observes {
		return
	}
	w := &e.workers[worker]
	g := &w.g
	e.game(g, b)
	for i, s := range e.seats.Observe {
		at := b*len(e.seats.Observe) + i
		if s >= g.seats {
			e.observeAbsent(k, at)
			continue
		}
		e.observeSeat(w, k, s, at)
	}
}

// observeSeat writes what one seat sees, in row at of each array. It says the
// same as the observation that look makes.
func (e *Engine) observeSeat(w *worker, k *sink, s, at int) {
	c := &w.g.colonies[s]
	e.sights(w, c, c.home)
	legal := e.legalTargets(w, s)
	e.writeMasks(w, k, s, at, legal)
	f := figures{}
	if k.planes != nil {
		dst := k.planes.Data[at*k.perSeat:][:k.perSeat]
		if e.cfg.Planes == obs.Uint8 {
			e.fillPlanes(w, s, &f, legal, dst)
		} else {
			e.fillPlanes(w, s, &f, legal, w.wide)
			e.widen(dst, w.wide)
		}
	} else if k.scalars != nil {
		f.squads = w.g.colonies[s].squads()
		e.seeRivals(w, s, &f, nil, nil)
	}
	if k.scalars != nil {
		e.writeScalars(w, s, &f, k.scalars[at*formica.NumScalars:][:formica.NumScalars])
	}
}

// figures are scalars that come from going over ants.
type figures struct {
	squads [formica.NumRoles]int32
	threat int32
}

// observeAbsent writes the observation of a seat that the board does not have:
// nothing, and only the default allowed.
func (e *Engine) observeAbsent(k *sink, at int) {
	if k.planes != nil {
		clear(k.planes.Data[at*k.perSeat:][:k.perSeat])
	}
	if k.scalars != nil {
		clear(k.scalars[at*formica.NumScalars:][:formica.NumScalars])
	}
	e.maskAll(k, at)
}

// maskAll allows only the first of every choice.
func (e *Engine) maskAll(k *sink, at int) {
	if k.modes != nil {
		copy(k.modes[at*formica.NumModes:], []int8{1, 0, 0, 0})
	}
	if k.defend != nil {
		copy(k.defend[at*2:], []int8{1, 0})
	}
	if k.target != nil {
		clear(k.target[at*e.width*e.width:][:e.width*e.width])
	}
}

// writeMasks writes what the seat may choose.
func (e *Engine) writeMasks(w *worker, k *sink, s, at int, legal []int32) {
	e.maskAll(k, at)
	c := &w.g.colonies[s]
	if c.n == 0 {
		return
	}
	if k.modes != nil {
		modes := k.modes[at*formica.NumModes:][:formica.NumModes]
		modes[formica.ModeRaid], modes[formica.ModeBuild] = 1, 1
		if len(legal) > 0 {
			modes[formica.ModeRelocate] = 1
		}
	}
	if k.defend != nil {
		k.defend[at*2+1] = 1
	}
	if k.target != nil {
		plane, place := k.target[at*e.width*e.width:][:e.width*e.width], w.g.st.place[c.home]
		for _, cell := range legal {
			plane[place[cell]] = 1
		}
	}
}

// widen turns planes of bytes into the array's dtype.
func (e *Engine) widen(dst []byte, planes []uint8) {
	if e.cfg.Planes == obs.Float16 {
		for i, v := range planes {
			le.PutUint16(dst[2*i:], halves[v])
		}
		return
	}
	wide := unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(dst))), len(planes))
	for i, v := range planes {
		wide[i] = float32(v)
	}
}

// halves are the numbers 0..255 as 16-bit floats.
var halves = func() (h [256]uint16) {
	for n := 1; n < len(h); n++ {
		exp := bits.Len(uint(n)) - 1
		h[n] = uint16(exp+15)<<10 | uint16(n<<(10-exp))&0x3FF
	}
	return h
}()

// fillPlanes writes a seat's planes as bytes. The planes are declared, in
// order, by formica.Planes.
func (e *Engine) fillPlanes(w *worker, s int, f *figures, legal []int32, dst []uint8) {
	g := &w.g
	st := g.st
	v := &w.view
	c := &g.colonies[s]
	size := e.width * e.width
	place := st.place[c.home]
	plane := func(i int) []uint8 { return dst[i*size:][:size] }
	copy(dst, st.board)
	clear(dst[size:])
	e.fillCells(g, s, plane(formica.PlaneOwnHeld), plane(formica.PlaneFreshness), plane(formica.PlanePheromone))
	for i := range c.ants[:c.n] {
		a := &c.ants[i]
		f.squads[a.role]++
		p := formica.PlaneCarrying
		if a.carry == 0 {
			p = rolePlanes[a.role]
		}
		dst[p*size+int(place[a.cell])]++
	}
	e.fillFood(w, c.home, plane(formica.PlaneFood))
	scent, grid := plane(formica.PlaneScent), st.grid[c.home]
	for row, set := range v.scent[:st.side] {
		for ; set != 0; set &= set - 1 {
			bit := bits.TrailingZeros64(set)
			scent[(row+st.pad)*e.width+bit+st.pad] = g.scent(s, grid[row*64+bit])
		}
	}
	e.fillSet(st, plane(formica.PlaneFoodVision), v.food)
	e.fillSet(st, plane(formica.PlaneRivalVision), v.rivals)
	e.seeRivals(w, s, f, plane(formica.PlaneRivals), plane(formica.PlaneRivalRaiders))
	if c.n > 0 {
		dst[formica.PlaneOwnNest*size+int(place[c.nest])] = 1
	}
	for _, cell := range c.known[:g.seats] {
		if cell != noCell {
			dst[formica.PlaneKnownNests*size+int(place[cell])] = 1
		}
	}
	for _, cell := range legal {
		dst[formica.PlaneLegalRelocation*size+int(place[cell])] = 1
	}
}

// fillCells writes what a colony has on each cell. The planes are clear.
func (e *Engine) fillCells(g *game, s int, held, fresh, pheromone []uint8) {
	st := g.st
	place := st.place[g.colonies[s].home]
	lanes, lane := lanesOf(g.words[s/lanesPerWord]), s%lanesPerWord^laneOrder
	if g.colonies[s].n == 0 {
		for cell, at := range place {
			pheromone[at] = uint8(min(255, lanes[4*cell+lane]>>formica.PheromoneShift))
		}
		return
	}
	now, hold := claimOf(uint8(s), int16(g.clock.tick)), uint32(e.rules.HoldTicks)
	claimed := g.claimed[:len(place)]
	fresh, pheromone = fresh[:len(held)], pheromone[:len(held)]
	for cell, at := range place {
		left := uint32(0)
		if age := now - claimed[cell]; age <= hold {
			left = hold + 1 - age
		}
		held[at] = uint8((left + 1<<31 - 1) >> 31)
		fresh[at] = uint8(min(255, left))
		pheromone[at] = uint8(min(255, lanes[4*cell+lane]>>formica.PheromoneShift))
	}
}

// fillFood writes the food that is seen.
func (e *Engine) fillFood(w *worker, home uint8, food []uint8) {
	st := w.g.st
	seen, spots, place := w.view.food, st.spot[home], st.place[home]
	for at := 0; at < st.cells; at += 8 {
		some := w.g.food[at:min(at+8, st.cells)]
		if len(some) == 8 && le.Uint64(some) == 0 {
			continue
		}
		for i, n := range some {
			spot := spots[at+i]
			food[place[at+i]] = n & -uint8(seen[spot>>6]>>(spot&63)&1)
		}
	}
}

// fillSet writes 1 where a set has cells, eight at a time.
func (e *Engine) fillSet(st *static, plane []uint8, set []uint64) {
	for row, x := range set[:st.side] {
		at := (row+st.pad)*e.width + st.pad
		bit := 0
		for ; bit+8 <= st.side; bit += 8 {
			le.PutUint64(plane[at+bit:], spreadBits(x>>(bit&63)))
		}
		for ; bit < st.side; bit++ {
			plane[at+bit] = uint8(x >> (bit & 63) & 1)
		}
	}
}

// spreadBits makes a byte 0 or 1 of each of the low eight bits.
func spreadBits(x uint64) uint64 {
	x = x & 0xFF * 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201
	return (x + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101
}

// seeRivals counts the rivals that a colony's ants see, on planes unless they
// are nil, and the threat.
func (e *Engine) seeRivals(w *worker, s int, f *figures, rivals, raiders []uint8) {
	g := &w.g
	st := g.st
	c := &g.colonies[s]
	seen, spots, place := w.view.rivals, st.spot[c.home], st.place[c.home]
	for t := range g.colonies {
		if t == s {
			continue
		}
		k := &g.colonies[t]
		for i := range k.ants[:k.n] {
			a := &k.ants[i]
			if !hasSpot(seen, spots[a.cell]) {
				continue
			}
			raider := a.role == uint8(formica.RoleRaid)
			if raider && int(st.distance(a.cell, c.nest)) <= e.rules.ThreatRange {
				f.threat++
			}
			if rivals == nil {
				continue
			}
			rivals[place[a.cell]]++
			if raider {
				raiders[place[a.cell]]++
			}
		}
	}
}

// rolePlanes are the planes of ants without food, by role.
var rolePlanes = [formica.NumRoles]int{
	formica.RoleForage: formica.PlaneSearching, formica.RoleDefense: formica.PlaneDefense, formica.RoleExpansion: formica.PlaneExpansion,
	formica.RoleRaid: formica.PlaneRaid, formica.RoleBuild: formica.PlaneBuild,
}

// writeScalars writes a seat's scalars. They are declared, in order, by
// formica.Scalars.
func (e *Engine) writeScalars(w *worker, s int, f *figures, dst []float32) {
	g := &w.g
	c := &g.colonies[s]
	clear(dst)
	dst[formica.ScalarTick] = float32(g.clock.tick) / float32(e.tune.maxTicks)
	if formica.Event(g.clock.event) == formica.EventLocust {
		dst[formica.ScalarEvent] = 1
	}
	dst[formica.ScalarRain], dst[formica.ScalarFood] = float32(g.clock.rain), float32(c.food)
	dst[formica.ScalarPopulation], dst[formica.ScalarCap] = float32(c.n), float32(e.rules.PopCap(int(c.chambers)))
	dst[formica.ScalarChambers] = float32(c.chambers)
	for role, n := range f.squads {
		dst[formica.ScalarSquads+role] = float32(n)
	}
	for t := range g.colonies {
		k := &g.colonies[t]
		d := int(k.home+dirs-c.home) % dirs
		dst[formica.ScalarScores+d] = float32(e.score2(k)) / 2
		if k.n > 0 {
			dst[formica.ScalarAlive+d] = 1
		}
	}
	dst[formica.ScalarMode+int(c.mode)] = 1
	for i, share := range c.alloc {
		dst[formica.ScalarAlloc+i] = float32(share) / formica.AllocWhole
	}
	dst[formica.ScalarDefend], dst[formica.ScalarThreat] = float32(c.defend), float32(f.threat)
}
