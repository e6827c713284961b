package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// upkeep: every living colony owes an ant-tick for each ant. From
// UpkeepPerFood owed on it pays one food for that many; without food its ant
// of the highest index dies in place of it.
func (e *Engine) upkeep() {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		k.Upkeep += int32(len(k.Ants))
		if k.Upkeep < int32(e.c.UpkeepPerFood) {
			continue
		}
		k.Upkeep -= int32(e.c.UpkeepPerFood)
		if k.Food > 0 {
			k.Food--
		} else {
			k.Ants = k.Ants[:len(k.Ants)-1]
		}
	}
}

// build, for living colonies below MaxChambers: every DigEvery ticks, if Dig
// is below DigPerChamber, it goes up by the number of builders on the nest.
// Then, on any tick, with Dig at DigPerChamber or more and ChamberFood in
// store, both are paid for one chamber.
func (e *Engine) build() {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		if !k.Alive || int(k.Chambers) >= e.c.MaxChambers {
			continue
		}
		if e.every(e.c.DigEvery) && int(k.Dig) < e.c.DigPerChamber {
			for _, a := range k.Ants {
				if a.Role == formica.RoleBuild && a.Cell == k.Nest {
					k.Dig++
				}
			}
		}
		if int(k.Dig) >= e.c.DigPerChamber && int(k.Food) >= e.c.ChamberFood {
			k.Dig -= uint8(e.c.DigPerChamber)
			k.Food -= int32(e.c.ChamberFood)
			k.Chambers++
		}
	}
}

// births: every BirthEvery ticks (BirthEveryBuild in build mode) a living
// colony whose nest is not on its way, below its population cap, and with
// BirthCost + Reserve (ReserveBuild in build mode) in store buys one ant for
// BirthCost. It is put last, on the nest, in the role with the largest deficit
// of Order.Targets for the population with it (the first among equals),
// looking in direction (home + formica.Below(draw, 6)) mod 6, draw
// StreamBirth, home, 0. A colony whose last ant died in this tick can buy one.
func (e *Engine) births() {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		every, reserve := e.c.BirthEvery, e.c.Reserve
		if k.Order.Mode == formica.ModeBuild {
			every, reserve = e.c.BirthEveryBuild, e.c.ReserveBuild
		}
		switch {
		case !k.Alive, !e.every(every), k.Order.Target != formica.NoCell:
			continue
		case len(k.Ants) >= e.c.PopCap(int(k.Chambers)), int(k.Food) < e.c.BirthCost+reserve:
			continue
		}
		k.Food -= int32(e.c.BirthCost)
		targets, have := k.Order.Targets(len(k.Ants)+1), squads(k)
		role := 0
		for r := range formica.NumRoles {
			if targets[r]-have[r] > targets[role]-have[role] {
				role = r
			}
		}
		heading := dir(k.Home, formica.Below(e.draw(formica.StreamBirth, int(k.Home), 0), formica.Directions))
		k.Ants = append(k.Ants, formica.Ant{Cell: k.Nest, Role: formica.Role(role), Heading: uint8(heading)})
	}
}

// relocate, for colonies whose order has a target: MoveWait goes down by 1. At
// 0 the nest steps to the first neighbour in scan order that is nearer to the
// target, no patch cell, and free of living rivals' nests as they stood before
// this step, and RelocateCost is paid. Without the food it waits: MoveWait
// becomes 1. Without such a neighbour, or if another nest steps to the same
// one in this tick, the move ends where it is. It ends on the target too. Else
// MoveWait becomes RelocateEvery. A move that ended leaves the order without a
// target, so the colony acts as in forage mode.
func (e *Engine) relocate() {
	next := make([]int, len(e.s.Colonies)) // NoCell: does not step
	steps := make([]bool, len(e.s.Colonies))
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		next[seat] = formica.NoCell
		if k.Order.Target == formica.NoCell {
			continue
		}
		k.MoveWait--
		switch {
		case k.MoveWait > 0:
		case int(k.Food) < e.c.RelocateCost:
			k.MoveWait = 1
		default:
			steps[seat], next[seat] = true, e.nestStep(seat)
		}
	}
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		if !steps[seat] {
			continue
		}
		blocked := next[seat] == formica.NoCell
		for other := range next {
			blocked = blocked || other != seat && next[other] == next[seat]
		}
		if !blocked {
			k.Nest = uint16(next[seat])
			k.Food -= int32(e.c.RelocateCost)
			k.MoveWait = uint8(e.c.RelocateEvery)
		}
		if blocked || int32(k.Nest) == k.Order.Target {
			k.Order.Target, k.MoveWait = formica.NoCell, 0
		}
	}
}

// nestStep is the cell that a nest on its way steps to, or NoCell.
func (e *Engine) nestStep(seat int) int {
	k := &e.s.Colonies[seat]
	far := e.b.Distance(int(k.Nest), int(k.Order.Target))
	for i := range formica.Directions {
		next := int(e.b.Neighbours[k.Nest][dir(k.Home, i)])
		if next == formica.NoCell || e.b.Distance(next, int(k.Order.Target)) >= far || e.s.Cap[next] > 0 {
			continue
		}
		free := true
		for other := range e.s.Colonies {
			o := &e.s.Colonies[other]
			free = free && (other == seat || !o.Alive || int(o.Nest) != next)
		}
		if free {
			return next
		}
	}
	return formica.NoCell
}

// deaths: a living colony without ants is dead from this tick on. Its store
// and the cells that it holds now freeze. A move ends, it forgets the nests it
// knew, and nobody knows its nest.
func (e *Engine) deaths() {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		if !k.Alive || len(k.Ants) > 0 {
			continue
		}
		k.Frozen = int32(e.s.Territory(e.c, seat))
		k.Alive, k.DiedAt = false, e.s.Tick
		k.Order.Target, k.MoveWait = formica.NoCell, 0
		for other := range e.s.Colonies {
			k.Known[other] = formica.Known{Cell: formica.NoCell}
			e.s.Colonies[other].Known[seat] = formica.Known{Cell: formica.NoCell}
		}
	}
}

// scout: a living rival's nest at most NestSight from an own ant is latched,
// with this tick. Any other latched nest is forgotten if an own ant stands on
// its cell: it was seen there and is not there any more.
func (e *Engine) scout() {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		for other := range e.s.Colonies {
			o := &e.s.Colonies[other]
			if other == seat || !o.Alive {
				continue
			}
			known := &k.Known[other]
			seen, visited := false, false
			for _, a := range k.Ants {
				seen = seen || e.b.Distance(int(a.Cell), int(o.Nest)) <= e.c.NestSight
				visited = visited || int32(a.Cell) == known.Cell
			}
			switch {
			case seen:
				*known = formica.Known{Cell: int32(o.Nest), Seen: e.s.Tick}
			case visited:
				*known = formica.Known{Cell: formica.NoCell}
			}
		}
	}
}
