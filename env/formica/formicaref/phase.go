package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// answerPhase applies the orders of the phase that waits: every living seat
// that gave one latches it, then every living colony reassigns its ants, with
// or without a new order. The phase's number goes up by 1.
func (e *Engine) answerPhase(orders []formica.Order, given []bool) {
	for seat := range e.s.Colonies {
		if !e.s.Colonies[seat].Alive {
			continue
		}
		if given[seat] {
			e.latch(seat, orders[seat])
		}
		reassign(&e.s.Colonies[seat])
	}
	e.s.Phase++
}

// latch replaces a colony's order. In a mode other than relocate its target is
// dropped and a move under way ends. In relocate mode a target that
// State.CanRelocate allows becomes the goal; if it was not the goal already,
// the next hex is RelocateEvery ticks off. Without a target, or with one that
// is not allowed, a move under way goes on to the goal it has; if there is
// none, the order stands without a target and the colony acts as in forage
// mode.
func (e *Engine) latch(seat int, o formica.Order) {
	k := &e.s.Colonies[seat]
	goal := k.Order.Target
	switch {
	case o.Mode != formica.ModeRelocate:
		o.Target = formica.NoCell
	case o.Target == formica.NoCell || !e.s.CanRelocate(e.c, e.b.Geometry, seat, int(o.Target)):
		o.Target = goal
	}
	switch {
	case o.Target == formica.NoCell:
		k.MoveWait = 0
	case o.Target != goal:
		k.MoveWait = uint8(e.c.RelocateEvery)
	}
	k.Order = o
}

// reassign gives roles the numbers of Order.Targets with the fewest changes:
// in index order, an ant whose role still has more ants than its target takes
// the first role (in role order) that still has fewer. Only its role changes,
// and Trip, which becomes 0; a load stays.
func reassign(k *formica.Colony) {
	targets, have := k.Order.Targets(len(k.Ants)), squads(k)
	for i := range k.Ants {
		a := &k.Ants[i]
		if have[a.Role] <= targets[a.Role] {
			continue
		}
		for role := range formica.NumRoles {
			if have[role] < targets[role] {
				have[a.Role]--
				have[role]++
				a.Role, a.Trip = formica.Role(role), 0
				break
			}
		}
	}
}

// squads counts a colony's ants by role.
func squads(k *formica.Colony) (n [formica.NumRoles]int) {
	for _, a := range k.Ants {
		n[a.Role]++
	}
	return n
}
