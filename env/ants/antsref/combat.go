package antsref

import "github.com/myriant-rl/myriant/env/ants"

// fight is step 2. The focus of an ant is the number of enemy ants within
// attack radius. An ant dies if any enemy in its range has a focus of at most
// its own. All focus values come first; deaths are simultaneous.
func (e *Engine) fight() {
	focus := make([]int, len(e.ants))
	for cell, owner := range e.ants {
		if owner != nobody {
			focus[cell] = len(e.enemiesInRange(cell))
		}
	}
	type death struct {
		cell    int
		killers []ants.Spot
	}
	var deaths []death
	for cell, owner := range e.ants {
		if owner == nobody {
			continue
		}
		var killers []ants.Spot
		for _, enemy := range e.enemiesInRange(cell) {
			if focus[enemy.Cell] <= focus[cell] {
				killers = append(killers, enemy)
			}
		}
		if len(killers) > 0 {
			deaths = append(deaths, death{cell, killers})
		}
	}
	for _, d := range deaths {
		e.now.die(d.cell, e.ants[d.cell], d.killers)
		e.ants[d.cell] = nobody
	}
}

// enemiesInRange lists the enemies of the ant on a cell within attack radius.
func (e *Engine) enemiesInRange(cell int) []ants.Spot {
	var enemies []ants.Spot
	for _, o := range e.reach {
		other := e.at(cell, o)
		if owner := e.ants[other]; owner != nobody && owner != e.ants[cell] {
			enemies = append(enemies, ants.Spot{Cell: int32(other), Owner: uint8(owner)})
		}
	}
	return enemies
}
