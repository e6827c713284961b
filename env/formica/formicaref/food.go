package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// harvest: on every cell with food, the claimants are the foragers there
// without a load, numbered from 0 by home direction, then index. If the food
// suffices each takes Carry. Else each takes floor(food/claimants), and the
// food mod claimants left over go one each to the claimants first, first+1, ..
// (mod claimants), first = formica.Below(draw, claimants), draw StreamHarvest,
// home 0, n the cell. The trip of who got something becomes 0.
func (e *Engine) harvest() {
	seats := e.byHome()
	for cell := range e.b.Cells {
		food := int(e.s.Food[cell])
		if food == 0 {
			continue
		}
		var claimants []*formica.Ant
		for _, seat := range seats {
			for i := range e.s.Colonies[seat].Ants {
				a := &e.s.Colonies[seat].Ants[i]
				if int(a.Cell) == cell && a.Role == formica.RoleForage && a.Carry == 0 {
					claimants = append(claimants, a)
				}
			}
		}
		n := len(claimants)
		if n == 0 {
			continue
		}
		share, rest, first := e.c.Carry, 0, 0
		if food < n*e.c.Carry {
			share, rest = food/n, food%n
			first = formica.Below(e.draw(formica.StreamHarvest, 0, cell), n)
		}
		for i, a := range claimants {
			got := share
			if (i-first+n)%n < rest {
				got++
			}
			if got > 0 {
				a.Carry, a.Trip = uint8(got), 0
				e.s.Food[cell] -= uint8(got)
			}
		}
	}
}

// steal: on the nest of every living colony, the raiders of others that stand
// there without a load and with Trip 0 touch it. Each takes StealMax, or
// StealDefended if the victim is under defend; if the store does not suffice
// for all, each takes floor(store/raiders). The trip of all of them becomes
// FruitlessTicks: they go home, even with nothing.
func (e *Engine) steal() {
	for victim := range e.s.Colonies {
		v := &e.s.Colonies[victim]
		if !v.Alive {
			continue
		}
		var raiders []*formica.Ant
		for seat := range e.s.Colonies {
			for i := range e.s.Colonies[seat].Ants {
				a := &e.s.Colonies[seat].Ants[i]
				if seat != victim && a.Cell == v.Nest && a.Role == formica.RoleRaid && a.Carry == 0 && a.Trip == 0 {
					raiders = append(raiders, a)
				}
			}
		}
		if len(raiders) == 0 {
			continue
		}
		take := e.c.StealMax
		if v.Order.Defend {
			take = e.c.StealDefended
		}
		take = min(take, int(v.Food)/len(raiders))
		for _, a := range raiders {
			a.Carry, a.Trip = uint8(take), uint8(e.c.FruitlessTicks)
		}
		v.Food -= int32(take * len(raiders))
	}
}

// deposit: every ant on its own nest puts its load into the store, which holds
// at most formica.MaxFood. One that brought a load, and a raider after its
// touch, turns round (heading + 3); a forager that came home fruitless (Trip
// at FruitlessTicks) turns to heading + 2. Trip becomes 0 for all on the nest.
func (e *Engine) deposit() {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		for i := range k.Ants {
			a := &k.Ants[i]
			if a.Cell != k.Nest {
				continue
			}
			switch {
			case a.Carry > 0, a.Role == formica.RoleRaid && a.Trip > 0:
				a.Heading = (a.Heading + 3) % formica.Directions
			case a.Role == formica.RoleForage && int(a.Trip) >= e.c.FruitlessTicks:
				a.Heading = (a.Heading + 2) % formica.Directions
			}
			k.Food = min(k.Food+int32(a.Carry), formica.MaxFood)
			a.Carry, a.Trip = 0, 0
		}
	}
}

// regrow: every RegrowEvery ticks each cell below its cap gains 1 food.
func (e *Engine) regrow() {
	if !e.every(e.c.RegrowEvery) {
		return
	}
	for cell := range e.s.Food {
		if e.s.Food[cell] < e.s.Cap[cell] {
			e.s.Food[cell]++
		}
	}
}
