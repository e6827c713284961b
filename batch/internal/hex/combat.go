package hex

import "github.com/myriant-rl/myriant/env/formica"

// A force is a colony's ants in one cell.
type force struct {
	count    uint8
	fighters uint8
	strength int32
}

// combat takes the dead of all contested cells off the board and tells whether
// there are any. Reference: formicaref combat.
func (e *Engine) combat(w *worker) bool {
	g := &w.g
	some := false
	var hurt [seats]bool
	for _, cell := range w.contested {
		var forces [seats]force
		there := w.after[cell]
		total := int32(0)
		for s := range g.colonies {
			f := &forces[s]
			if f.count = uint8(there >> (8 * s)); f.count > 0 {
				e.muster(w, f, s, cell)
				total += f.strength
			}
		}
		if total == 0 {
			continue
		}
		for s := range g.colonies {
			f := &forces[s]
			enemy := total - f.strength
			if f.count == 0 || enemy == 0 {
				continue
			}
			div := int32(e.rules.KillUnarmed)
			if f.fighters > 0 {
				div = int32(e.rules.KillArmed)
			}
			dead := enemy / div
			if int32(below(w.draw(formica.StreamCombat, g.colonies[s].home, int(cell)), uint32(div))) < enemy%div {
				dead++
			}
			if dead = min(dead, int32(f.count)); dead == 0 {
				continue
			}
			w.after[cell] -= uint64(dead) << (8 * s)
			kill(&g.colonies[s], cell, int(dead), int(f.fighters))
			hurt[s], some = true, true
		}
	}
	for s := range g.colonies {
		if hurt[s] {
			bury(&g.colonies[s])
		}
	}
	return some
}

// muster counts a colony's fighters in a cell and sums its strength there.
func (e *Engine) muster(w *worker, f *force, s int, cell uint16) {
	c := &w.g.colonies[s]
	r := &e.rules
	for i := range c.ants[:c.n] {
		a := &c.ants[i]
		if a.cell != cell {
			continue
		}
		switch formica.Role(a.role) {
		case formica.RoleDefense:
			f.fighters++
			switch {
			case w.g.st.distance(cell, c.nest) > e.tune.homeRange:
				f.strength += int32(r.StrengthAway)
			case c.defend != 0:
				f.strength += int32(r.StrengthAlert)
			default:
				f.strength += int32(r.StrengthDefender)
			}
		case formica.RoleRaid:
			f.fighters++
			f.strength += int32(r.StrengthRaider)
		case formica.RoleBuild:
			f.strength += int32(r.StrengthBuilder)
		}
	}
}

// doomed marks an ant that leaves the list at the end of the step.
const doomed = 0xFF

// kill marks some of a colony's ants in a cell, fighters first.
// Reference: formicaref kill.
func kill(c *colony, cell uint16, n, fighters int) {
	first := min(n, fighters)
	rest := n - first
	for i := range c.ants[:c.n] {
		a := &c.ants[i]
		if a.cell != cell {
			continue
		}
		left := &rest
		if role := formica.Role(a.role); role == formica.RoleDefense || role == formica.RoleRaid {
			left = &first
		}
		if *left > 0 {
			*left--
			a.role = doomed
		}
	}
}

// bury takes the marked ants out of a colony's list.
func bury(c *colony) {
	n := uint8(0)
	for i := range c.ants[:c.n] {
		if c.ants[i].role != doomed {
			c.ants[n] = c.ants[i]
			n++
		}
	}
	c.losses += int32(c.n - n)
	clear(c.ants[n:c.n])
	c.n = n
}
