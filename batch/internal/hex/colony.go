package hex

import "github.com/myriant-rl/myriant/env/formica"

// upkeep. Reference: formicaref upkeep.
func (e *Engine) upkeep(w *worker) {
	g := &w.g
	per := int32(e.rules.UpkeepPerFood)
	for s := range g.colonies {
		c := &g.colonies[s]
		c.upkeep += int32(c.n)
		if c.upkeep < per {
			continue
		}
		c.upkeep -= per
		if c.food > 0 {
			c.food--
			continue
		}
		c.n--
		w.after[c.ants[c.n].cell] -= 1 << (8 * s)
		c.ants[c.n] = ant{}
		c.losses++
		w.moved = true
	}
}

// build. Reference: formicaref build.
func (e *Engine) build(w *worker) {
	g := &w.g
	r := &e.rules
	dig := w.every(e.tune.digEvery)
	for s := range g.colonies {
		c := &g.colonies[s]
		if c.diedAt >= 0 || int(c.chambers) >= r.MaxChambers {
			continue
		}
		if dig && int(c.dig) < r.DigPerChamber && w.after[c.nest]>>(8*s)&0xFF != 0 {
			for i := range c.ants[:c.n] {
				if a := &c.ants[i]; a.role == uint8(formica.RoleBuild) && a.cell == c.nest {
					c.dig++
				}
			}
		}
		if int(c.dig) >= r.DigPerChamber && int(c.food) >= r.ChamberFood {
			c.dig -= uint8(r.DigPerChamber)
			c.food -= int32(r.ChamberFood)
			c.chambers++
		}
	}
}

// births. Reference: formicaref births.
func (e *Engine) births(w *worker) {
	g := &w.g
	r := &e.rules
	usual, building := w.every(e.tune.birthEvery), w.every(e.tune.birthEveryBuild)
	if !usual && !building {
		return
	}
	for s := range g.colonies {
		c := &g.colonies[s]
		due, reserve := usual, r.Reserve
		if formica.Mode(c.mode) == formica.ModeBuild {
			due, reserve = building, r.ReserveBuild
		}
		switch {
		case c.diedAt >= 0, !due, c.target != noCell:
			continue
		case int(c.n) >= r.PopCap(int(c.chambers)), int(c.food) < r.BirthCost+reserve:
			continue
		}
		c.food -= int32(r.BirthCost)
		targets, have := c.targets(int(c.n)+1), c.squads()
		role := 0
		for i := range targets {
			if targets[i]-have[i] > targets[role]-have[role] {
				role = i
			}
		}
		heading := (c.home + uint8(below(w.draw(formica.StreamBirth, c.home, 0), dirs))) % dirs
		c.ants[c.n] = ant{cell: c.nest, role: uint8(role), heading: heading}
		c.n++
		c.births++
		w.after[c.nest] += 1 << (8 * s)
		w.seen[s] |= w.near[c.nest]
	}
}

// squads counts a colony's ants by role.
func (c *colony) squads() (n [formica.NumRoles]int32) {
	for i := range c.ants[:c.n] {
		n[c.ants[i].role]++
	}
	return n
}

// targets are the ants that the latched order gives each role.
// Reference: formica.Order.Targets and Split.
func (c *colony) targets(n int) (t [formica.NumRoles]int32) {
	var parts, rests [3]int32
	left := int32(n)
	for i, share := range c.alloc {
		whole := int32(n) * int32(share)
		parts[i], rests[i] = whole/formica.AllocWhole, whole%formica.AllocWhole
		left -= parts[i]
	}
	// Two parts' worth of remainders at most are left; each goes to another part.
	for ; left > 0; left-- {
		best := 0
		for i := range rests {
			if rests[i] > rests[best] {
				best = i
			}
		}
		parts[best]++
		rests[best] = -1
	}
	t[formica.RoleForage], t[formica.RoleDefense], t[formica.RoleExpansion] = parts[0], parts[1], parts[2]
	special := (2*parts[0] + 3) / 6
	switch formica.Mode(c.mode) {
	case formica.ModeRaid:
		t[formica.RoleRaid] = special
	case formica.ModeBuild:
		t[formica.RoleBuild] = special
	default:
		return t
	}
	t[formica.RoleForage] -= special
	return t
}

// relocate. Reference: formicaref relocate.
func (e *Engine) relocate(w *worker) {
	g := &w.g
	r := &e.rules
	var next [seats]uint16
	var steps [seats]bool
	some := false
	for s := range g.colonies {
		c := &g.colonies[s]
		next[s] = noCell
		if c.target == noCell {
			continue
		}
		c.moveWait--
		switch {
		case c.moveWait > 0:
		case int(c.food) < r.RelocateCost:
			c.moveWait = 1
		default:
			steps[s], next[s], some = true, e.nestStep(w, s), true
		}
	}
	if !some {
		return
	}
	for s := range g.colonies {
		if !steps[s] {
			continue
		}
		c := &g.colonies[s]
		blocked := next[s] == noCell
		for t := range g.colonies {
			blocked = blocked || t != s && next[t] == next[s]
		}
		if !blocked {
			c.nest = next[s]
			c.food -= int32(r.RelocateCost)
			c.moveWait = uint8(r.RelocateEvery)
			w.moved = true
		}
		if blocked || c.nest == c.target {
			c.target, c.moveWait = noCell, 0
		}
	}
	if w.moved {
		e.nearNests(w)
	}
}

// nestStep is the cell that a nest on its way steps to, or noCell.
// Reference: formicaref nestStep.
func (e *Engine) nestStep(w *worker, s int) uint16 {
	g := &w.g
	st := g.st
	c := &g.colonies[s]
	nearer := patternNearer[st.relation[st.at[c.nest]-st.at[c.target]+st.origin]>>8]
	for i := range uint8(dirs) {
		d := (c.home + i) % dirs
		next := st.neighbours[c.nest][d]
		if nearer>>d&1 == 0 || int(next) == st.cells || g.cap[next] > 0 {
			continue
		}
		free := true
		for t := range g.colonies {
			o := &g.colonies[t]
			free = free && (t == s || o.diedAt >= 0 || o.nest != next)
		}
		if free {
			return next
		}
	}
	return noCell
}

// deaths. Reference: formicaref deaths.
func (e *Engine) deaths(w *worker) {
	g := &w.g
	some := false
	for s := range g.colonies {
		c := &g.colonies[s]
		if c.diedAt >= 0 || c.n > 0 {
			continue
		}
		some = true
		c.frozen = 0
		for cell := range g.st.cells {
			if e.holds(g, s, uint16(cell)) {
				c.frozen++
			}
		}
		c.diedAt = g.clock.tick
		c.target, c.moveWait = noCell, 0
		for t := range g.colonies {
			c.forget(t)
			g.colonies[t].forget(s)
		}
	}
	if some {
		w.moved = true
		e.nearNests(w)
	}
}

// seeAll finds what nests each colony's ants are near.
func (w *worker) seeAll() {
	for s := range w.g.colonies {
		c := &w.g.colonies[s]
		w.seen[s] = 0
		for i := range c.ants[:c.n] {
			w.seen[s] |= w.near[c.ants[i].cell]
		}
	}
}

// forget drops what a colony knows of a rival's nest.
func (c *colony) forget(rival int) { c.known[rival], c.seen[rival] = noCell, 0 }

// scout. Reference: formicaref scout.
func (e *Engine) scout(w *worker) {
	g := &w.g
	if w.moved {
		w.seeAll()
	}
	for s := range g.colonies {
		c := &g.colonies[s]
		for t := range g.colonies {
			if t == s || g.colonies[t].diedAt >= 0 {
				continue
			}
			if w.seen[s]>>(8+t)&1 != 0 {
				c.known[t], c.seen[t] = g.colonies[t].nest, int16(g.clock.tick)
			} else if at := c.known[t]; at != noCell && w.after[at]>>(8*s)&0xFF != 0 {
				c.forget(t)
			}
		}
	}
}
