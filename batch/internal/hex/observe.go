package hex

import (
	"math/bits"

	"github.com/myriant-rl/myriant/env/formica"
)

// A view is what one seat may know now. Its observation is what the JSON view
// says; its lists are filled again and again, within the room that they have.
type view struct {
	o formica.Observation
	// Cells within the sights of own ants, as sets of static.
	food, rivals, scent []uint64
	set, spare          []uint64
}

func (e *Engine) newView() view {
	n, p := e.cells, e.p
	set := func() []uint64 { return make([]uint64, e.width) }
	return view{
		o: formica.Observation{
			Scores2: make([]int32, 0, p), Alive: make([]bool, 0, p), Homes: make([]uint8, 0, p),
			Colony: formica.ColonyView{Territory: make([]int32, 0, n), Freshness: make([]int32, 0, n)},
			Ants:   make([]formica.AntView, 0, slots), Food: make([]formica.CellAmount, 0, n),
			Rivals: make([]formica.RivalView, 0, p*slots), Scent: make([]formica.CellAmount, 0, n),
			Pheromone: make([]formica.CellAmount, 0, n), Nests: make([]formica.NestView, 0, p), LegalRelocate: make([]int32, 0, n),
		},
		food: set(), rivals: set(), scent: set(), set: set(), spare: set(),
	}
}

// look fills w.view with what a seat may know. Reference: formica.Observe.
func (e *Engine) look(w *worker, seat int) {
	g := &w.g
	c := &g.colonies[seat]
	v := &w.view
	o := &v.o
	r := &e.rules
	o.Phase, o.Kind, o.Event, o.Tick = g.clock.phase, formica.KindScheduled, formica.EventNone, g.clock.tick
	o.MaxTicks, o.BudgetMS, o.Slot, o.Radius, o.RainTicks = r.MaxTicks, r.BudgetMS, seat, g.st.radius, int(g.clock.rain)
	if formica.Event(g.clock.event) == formica.EventLocust {
		o.Kind, o.Event, o.BudgetMS = formica.KindEvent, formica.EventLocust, r.EventBudgetMS
	}
	o.Scores2, o.Alive, o.Homes = o.Scores2[:0], o.Alive[:0], o.Homes[:0]
	for s := range g.colonies {
		k := &g.colonies[s]
		o.Scores2, o.Alive, o.Homes = append(o.Scores2, e.score2(k)), append(o.Alive, k.n > 0), append(o.Homes, k.home)
	}
	k := &o.Colony
	k.Nest, k.FoodStored, k.Population, k.PopCap, k.Chambers = int32(c.nest), c.food, int(c.n), r.PopCap(int(c.chambers)), int(c.chambers)
	k.TerritoryCells, k.Order, k.Squads = int(c.held), c.order(), [formica.NumRoles]int{}
	o.Ants = o.Ants[:0]
	for i := range c.ants[:c.n] {
		a := &c.ants[i]
		k.Squads[a.role]++
		o.Ants = append(o.Ants, formica.AntView{ID: i, Cell: int32(a.cell), Role: formica.Role(a.role), Carry: a.carry})
	}
	e.sights(w, c, 0)
	e.ownCells(w, seat)
	e.seenCells(w, seat)
	e.seenRivals(w, seat)
	o.LegalRelocate = o.LegalRelocate[:0]
	o.LegalRelocate = e.appendLegal(g, seat, o.LegalRelocate)
	o.Nests = o.Nests[:0]
	for t := range g.colonies {
		if cell := c.known[t]; cell != noCell {
			o.Nests = append(o.Nests, formica.NestView{Slot: t, Cell: int32(cell), SeenTick: int32(c.seen[t])})
		}
	}
}

// sights finds the cells within each sight of a colony's ants, as a seat with
// that home sees the board.
func (e *Engine) sights(w *worker, c *colony, home uint8) {
	st := w.g.st
	spots := st.spot[home]
	v := &w.view
	set, spare := v.set[:st.side], v.spare[:st.side]
	clear(set)
	for i := range c.ants[:c.n] {
		spot := spots[c.ants[i].cell]
		set[spot>>6] |= 1 << (spot & 63)
	}
	r := &e.rules
	for n := 0; ; n++ {
		if n == r.FoodSight {
			copy(v.food, set)
		}
		if n == r.RivalSight {
			copy(v.rivals, set)
		}
		if n == r.ScentSight {
			copy(v.scent, set)
		}
		if n >= r.FoodSight && n >= r.RivalSight && n >= r.ScentSight {
			return
		}
		st.spread(spare, set)
		set, spare = spare, set
	}
}

// ownCells lists what a colony holds and its pheromone. Every cell is written
// to the end of its list, which grows by those that belong there.
func (e *Engine) ownCells(w *worker, seat int) {
	g := &w.g
	o := &w.view.o
	k := &o.Colony
	n := g.st.cells
	k.Territory, k.Freshness = k.Territory[:0], k.Freshness[:0]
	if g.colonies[seat].n > 0 {
		cells, fresh := k.Territory[:n+1], k.Freshness[:n+1]
		now, hold := claimOf(uint8(seat), int16(g.clock.tick)), uint32(e.rules.HoldTicks)
		held := 0
		for cell, x := range g.claimed[:n] {
			age := now - x
			cells[held], fresh[held] = int32(cell), int32(hold+1-age)
			held += int((uint64(age) - uint64(hold) - 1) >> 63)
		}
		k.Territory, k.Freshness = cells[:held], fresh[:held]
	}
	trail, shift := g.words[seat/lanesPerWord], 16*uint(seat%lanesPerWord)&63
	list, marked := o.Pheromone[:n+1], 0
	for cell, v := range trail[:n] {
		v = v >> shift & 0xFFFF
		list[marked] = formica.CellAmount{Cell: int32(cell), Amount: int32(v)}
		marked += int(-v >> 63)
	}
	o.Pheromone = list[:marked]
}

// seenCells lists the food and the scent that a colony's ants see.
func (e *Engine) seenCells(w *worker, seat int) {
	g := &w.g
	st := g.st
	v := &w.view
	o := &v.o
	o.Food, o.Scent = o.Food[:0], o.Scent[:0]
	eat, seen := o.Food[:st.cells+1], 0
	for at := 0; at < st.cells; at += 8 {
		some := g.food[at:min(at+8, st.cells)]
		if len(some) == 8 && le.Uint64(some) == 0 {
			continue
		}
		for i, n := range some {
			cell := uint16(at + i)
			eat[seen] = formica.CellAmount{Cell: int32(cell), Amount: int32(n)}
			spot := st.spot[0][cell]
			seen += int(-uint64(n) >> 63 & (v.food[spot>>6] >> (spot & 63)))
		}
	}
	o.Food = eat[:seen]
	for row, set := range v.scent[:st.side] {
		for ; set != 0; set &= set - 1 {
			cell := st.grid[0][row*64+bits.TrailingZeros64(set)]
			o.Scent = append(o.Scent, formica.CellAmount{Cell: int32(cell), Amount: int32(g.scent(seat, cell))})
		}
	}
}

// scent is the level of the rivals' summed pheromone on a cell.
// Reference: formica.ScentLevel.
func (g *game) scent(seat int, cell uint16) uint8 {
	own := uint64(0xFFFF) << (16 * uint(seat%lanesPerWord) & 63)
	sum := uint64(0)
	for word, trail := range g.trail() {
		x := trail[cell]
		if word == seat/lanesPerWord {
			x &^= own
		}
		// Lanes hold 15 bits: the sum of two fits in one.
		x = x&0x0000_FFFF_0000_FFFF + x>>16&0x0000_FFFF_0000_FFFF
		sum += x&0xFFFF_FFFF + x>>32
	}
	return uint8(min(7, (bits.Len64(sum)+1)/2))
}

// seenRivals lists the rivals that a colony's ants see, by cell, slot, raiders
// last, and counts the threat.
func (e *Engine) seenRivals(w *worker, seat int) {
	g := &w.g
	st := g.st
	v := &w.view
	o := &v.o
	o.Rivals, o.Threat = o.Rivals[:0], 0
	nest := g.colonies[seat].nest
	for s := range g.colonies {
		if s == seat {
			continue
		}
		c := &g.colonies[s]
		for i := range c.ants[:c.n] {
			a := &c.ants[i]
			if !hasSpot(v.rivals, st.spot[0][a.cell]) {
				continue
			}
			raider := a.role == uint8(formica.RoleRaid)
			if raider && int(st.distance(a.cell, nest)) <= e.rules.ThreatRange {
				o.Threat++
			}
			o.Rivals = insertRival(o.Rivals, formica.RivalView{Cell: int32(a.cell), Slot: s, Raider: raider})
		}
	}
}

// insertRival inserts in order.
func insertRival(list []formica.RivalView, r formica.RivalView) []formica.RivalView {
	list = append(list, r)
	i := len(list) - 1
	for ; i > 0; i-- {
		p := &list[i-1]
		if p.Cell < r.Cell || p.Cell == r.Cell && (p.Slot < r.Slot || p.Slot == r.Slot && (!p.Raider || r.Raider)) {
			break
		}
		list[i] = *p
	}
	list[i] = r
	return list
}

// appendLegal appends the cells that a seat's nest may move to, ascending.
func (e *Engine) appendLegal(g *game, seat int, dst []int32) []int32 {
	c := &g.colonies[seat]
	if c.n == 0 || int(c.food) < e.rules.RelocateMinFood {
		return dst
	}
	now, hold := claimOf(uint8(seat), int16(g.clock.tick)), uint32(e.rules.HoldTicks)
	g.st.around(c.nest, e.rules.RelocateRange, func(cell uint16) {
		if now-g.claimed[cell] <= hold && g.cap[cell] == 0 && cell != c.nest {
			dst = append(dst, int32(cell))
		}
	})
	return dst
}

// legalTargets are the cells that a seat's nest may move to, ascending, in the
// memory of the worker's view.
func (e *Engine) legalTargets(w *worker, seat int) []int32 {
	o := &w.view.o
	o.LegalRelocate = e.appendLegal(&w.g, seat, o.LegalRelocate[:0])
	return o.LegalRelocate
}
