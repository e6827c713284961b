package antsref

import "github.com/myriant-rl/myriant/env/ants"

// move is step 1. All ants go at once. Water refuses a move, and so does food
// where the rules say so, as it lies at the start of the turn: the ant stays.
// Then every cell with two ants or more kills all of them, whoever owns them.
func (e *Engine) move(actions []ants.Action) {
	arrived := make([][]int, len(e.ants)) // owners of the ants on each cell
	for cell, owner := range e.ants {
		if owner == nobody {
			continue
		}
		target := int(e.m.Neighbour(int32(cell), actions[cell]))
		if e.refuses(target) {
			target = cell
		}
		arrived[target] = append(arrived[target], owner)
	}
	for cell, owners := range arrived {
		e.ants[cell] = nobody
		if len(owners) == 1 {
			e.ants[cell] = owners[0]
			continue
		}
		for _, owner := range owners {
			e.now.die(cell, owner, nil)
		}
	}
}

func (e *Engine) refuses(cell int) bool {
	return e.m.Water[cell] || e.rules.FoodBlocks && e.food[cell]
}
