package antsref

import "github.com/myriant-rl/myriant/env/ants"

// gather is step 5. Food with ants of one colony within gather radius goes to
// that hive; with ants of more colonies it is destroyed; else it stays.
func (e *Engine) gather() {
	for cell, there := range e.food {
		if !there {
			continue
		}
		switch owners := e.ownersAround(cell); len(owners) {
		case 0:
		case 1:
			e.food[cell] = false
			e.seats[owners[0]].hive++
			e.seats[owners[0]].gathered++
			e.now.gathered = append(e.now.gathered, ants.FoodGone{Cell: int32(cell), Owner: int8(owners[0])})
		default:
			e.food[cell] = false
			e.now.gathered = append(e.now.gathered, ants.FoodGone{Cell: int32(cell), Owner: nobody})
		}
	}
}

// ownersAround lists the colonies that have an ant within gather radius.
func (e *Engine) ownersAround(cell int) []int {
	near := make([]bool, len(e.seats))
	for _, o := range e.grab {
		if owner := e.ants[e.at(cell, o)]; owner != nobody {
			near[owner] = true
		}
	}
	var owners []int
	for seat, in := range near {
		if in {
			owners = append(owners, seat)
		}
	}
	return owners
}
