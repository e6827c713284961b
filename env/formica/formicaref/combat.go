package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// combat: in every cell where ants of two or more colonies stand after the
// move, all of them at once. An ant's strength is
//
//	defender  StrengthAlert under defend, else StrengthDefender, if the cell is
//	          at most HomeRange from its nest; StrengthAway farther off
//	raider    StrengthRaider
//	builder   StrengthBuilder
//	others    0
//
// A colony in the cell faces E, the summed strength of all others there, and
// loses floor(E/div) ants, one more if formica.Below(draw, div) < E mod div, at
// most all it has there; div is KillArmed if it has a defender or raider in
// the cell, else KillUnarmed; draw is StreamCombat, its home, n the cell.
// Defenders and raiders die first, in index order, then the others in index
// order. Loads are lost. The dead leave the lists at the end of the step and
// those behind them move up.
func (e *Engine) combat() {
	counts := e.antsAt()
	killed := make([][]bool, len(e.s.Colonies))
	for seat := range e.s.Colonies {
		killed[seat] = make([]bool, len(e.s.Colonies[seat].Ants))
	}
	for cell := range e.b.Cells {
		present := 0
		for seat := range counts {
			if counts[seat][cell] > 0 {
				present++
			}
		}
		if present < 2 {
			continue
		}
		for seat := range counts {
			if counts[seat][cell] > 0 {
				e.kill(killed[seat], seat, cell, e.losses(seat, cell))
			}
		}
	}
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		var left []formica.Ant
		for i, a := range k.Ants {
			if !killed[seat][i] {
				left = append(left, a)
			}
		}
		k.Ants = left
	}
}

// losses is how many ants a colony in the cell loses.
func (e *Engine) losses(seat, cell int) int {
	enemy := 0
	for other := range e.s.Colonies {
		if other != seat {
			enemy += e.strength(other, cell)
		}
	}
	k := &e.s.Colonies[seat]
	div := e.c.KillUnarmed
	for _, a := range k.Ants {
		if int(a.Cell) == cell && isFighter(a) {
			div = e.c.KillArmed
		}
	}
	n := enemy / div
	if formica.Below(e.draw(formica.StreamCombat, int(k.Home), cell), div) < enemy%div {
		n++
	}
	return n
}

// strength is the summed strength of a colony's ants on a cell.
func (e *Engine) strength(seat, cell int) int {
	k := &e.s.Colonies[seat]
	sum := 0
	for _, a := range k.Ants {
		if int(a.Cell) != cell {
			continue
		}
		switch a.Role {
		case formica.RoleDefense:
			switch {
			case e.b.Distance(cell, int(k.Nest)) > e.c.HomeRange:
				sum += e.c.StrengthAway
			case k.Order.Defend:
				sum += e.c.StrengthAlert
			default:
				sum += e.c.StrengthDefender
			}
		case formica.RoleRaid:
			sum += e.c.StrengthRaider
		case formica.RoleBuild:
			sum += e.c.StrengthBuilder
		}
	}
	return sum
}

func isFighter(a formica.Ant) bool {
	return a.Role == formica.RoleDefense || a.Role == formica.RoleRaid
}

// kill marks n of a colony's ants on a cell, fighters first.
func (e *Engine) kill(killed []bool, seat, cell, n int) {
	for _, fighters := range []bool{true, false} {
		for i, a := range e.s.Colonies[seat].Ants {
			if n > 0 && int(a.Cell) == cell && isFighter(a) == fighters {
				killed[i] = true
				n--
			}
		}
	}
}
