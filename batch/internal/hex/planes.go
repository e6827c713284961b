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
	for i, s := range e.observe {
		at := b*len(e.observe) + i
		if s >= g.seats {
			e.observeAbsent(k, at)
			continue
		}
		e.look(w, s)
		if k.planes != nil {
			dst := k.planes.Data[at*k.perSeat:][:k.perSeat]
			e.writePlanes(w, dst)
		}
		if k.scalars != nil {
			writeScalars(&w.view.o, k.scalars[at*formica.NumScalars:][:formica.NumScalars])
		}
		e.writeMasks(w, k, at)
	}
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
func (e *Engine) writeMasks(w *worker, k *sink, at int) {
	e.maskAll(k, at)
	o := &w.view.o
	if !o.Alive[o.Slot] {
		return
	}
	if k.modes != nil {
		modes := k.modes[at*formica.NumModes:][:formica.NumModes]
		modes[formica.ModeRaid], modes[formica.ModeBuild] = 1, 1
		if len(o.LegalRelocate) > 0 {
			modes[formica.ModeRelocate] = 1
		}
	}
	if k.defend != nil {
		k.defend[at*2+1] = 1
	}
	if k.target != nil {
		plane, place := k.target[at*e.width*e.width:][:e.width*e.width], w.g.st.place[o.Homes[o.Slot]]
		for _, cell := range o.LegalRelocate {
			plane[place[cell]] = 1
		}
	}
}

// writePlanes writes the planes of the worker's view in the array's dtype.
func (e *Engine) writePlanes(w *worker, dst []byte) {
	if e.cfg.Planes == obs.Uint8 {
		e.fillPlanes(w, dst)
		return
	}
	n := formica.NumPlanes * e.width * e.width
	if len(w.wide) < n {
		w.wide = make([]uint8, n)
	}
	e.fillPlanes(w, w.wide[:n])
	if e.cfg.Planes == obs.Float16 {
		for i, v := range w.wide[:n] {
			le.PutUint16(dst[2*i:], halves[v])
		}
		return
	}
	wide := unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(dst))), n)
	for i, v := range w.wide[:n] {
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

// fillPlanes writes the planes as bytes. The planes are declared, in order, by
// formica.Planes.
func (e *Engine) fillPlanes(w *worker, dst []uint8) {
	st := w.g.st
	v := &w.view
	o := &v.o
	size := e.width * e.width
	place := st.place[o.Homes[o.Slot]]
	copy(dst, st.board)
	clear(dst[size:])
	plane := func(i int) []uint8 { return dst[i*size:][:size] }
	if o.Alive[o.Slot] {
		plane(formica.PlaneOwnNest)[place[o.Colony.Nest]] = 1
	}
	held, fresh := plane(formica.PlaneOwnHeld), plane(formica.PlaneFreshness)
	for i, cell := range o.Colony.Territory {
		at := place[cell]
		held[at], fresh[at] = 1, uint8(min(255, o.Colony.Freshness[i]))
	}
	pheromone := plane(formica.PlanePheromone)
	for _, x := range o.Pheromone {
		pheromone[place[x.Cell]] = uint8(min(255, x.Amount>>formica.PheromoneShift))
	}
	for i := range o.Ants {
		a := &o.Ants[i]
		p := formica.PlaneCarrying
		if a.Carry == 0 {
			p = rolePlanes[a.Role]
		}
		plane(p)[place[a.Cell]]++
	}
	food, scent := plane(formica.PlaneFood), plane(formica.PlaneScent)
	for _, x := range o.Food {
		food[place[x.Cell]] = uint8(x.Amount)
	}
	for _, x := range o.Scent {
		scent[place[x.Cell]] = uint8(x.Amount)
	}
	st.mark(plane(formica.PlaneFoodVision), place, v.food)
	st.mark(plane(formica.PlaneRivalVision), place, v.rivals)
	rivals, raiders := plane(formica.PlaneRivals), plane(formica.PlaneRivalRaiders)
	for _, x := range o.Rivals {
		at := place[x.Cell]
		rivals[at]++
		if x.Raider {
			raiders[at]++
		}
	}
	for _, x := range o.Nests {
		plane(formica.PlaneKnownNests)[place[x.Cell]] = 1
	}
	for _, cell := range o.LegalRelocate {
		plane(formica.PlaneLegalRelocation)[place[cell]] = 1
	}
}

// rolePlanes are the planes of ants without food, by role.
var rolePlanes = [formica.NumRoles]int{
	formica.RoleForage: formica.PlaneSearching, formica.RoleDefense: formica.PlaneDefense, formica.RoleExpansion: formica.PlaneExpansion,
	formica.RoleRaid: formica.PlaneRaid, formica.RoleBuild: formica.PlaneBuild,
}

// mark writes 1 where a set has cells.
func (st *static) mark(plane []uint8, place []int32, set []uint64) {
	for row, x := range set[:st.side] {
		for ; x != 0; x &= x - 1 {
			plane[place[st.grid[row*64+bits.TrailingZeros64(x)]]] = 1
		}
	}
}

// writeScalars writes the scalars of an observation. They are declared, in
// order, by formica.Scalars.
func writeScalars(o *formica.Observation, dst []float32) {
	clear(dst)
	k := &o.Colony
	dst[formica.ScalarTick] = float32(o.Tick) / float32(o.MaxTicks)
	if o.Kind == formica.KindEvent {
		dst[formica.ScalarEvent] = 1
	}
	dst[formica.ScalarRain], dst[formica.ScalarFood] = float32(o.RainTicks), float32(k.FoodStored)
	dst[formica.ScalarPopulation], dst[formica.ScalarCap] = float32(k.Population), float32(k.PopCap)
	dst[formica.ScalarChambers] = float32(k.Chambers)
	for role, n := range k.Squads {
		dst[formica.ScalarSquads+role] = float32(n)
	}
	home := o.Homes[o.Slot]
	for s, h := range o.Homes {
		d := int(h+dirs-home) % dirs
		dst[formica.ScalarScores+d] = float32(o.Scores2[s]) / 2
		if o.Alive[s] {
			dst[formica.ScalarAlive+d] = 1
		}
	}
	dst[formica.ScalarMode+int(k.Order.Mode)] = 1
	for i, share := range k.Order.Alloc {
		dst[formica.ScalarAlloc+i] = float32(share) / formica.AllocWhole
	}
	if k.Order.Defend {
		dst[formica.ScalarDefend] = 1
	}
	dst[formica.ScalarThreat] = float32(o.Threat)
}
