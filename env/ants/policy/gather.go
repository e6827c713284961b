package policy

import "github.com/myriant-rl/myriant/env/ants"

// GatherLevels is how many steps away from ants food is looked for.
const GatherLevels = 12

// none is the level of cells that no wave has reached.
const none = -1

// gather sends each food the ant that is nearest to it.
func (s *sight) gather(draw uint64) {
	level := make([]int, len(s.open))
	var front []int
	for cell := range level {
		level[cell] = none
		if s.waiting[cell] {
			level[cell] = 0
			front = append(front, cell)
		}
	}
	left := append([]bool(nil), s.food...)
	for k := range GatherLevels {
		found := make([]bool, len(left))
		var next []int
		for _, cell := range front {
			for a := ants.North; a < ants.Stay; a++ {
				to := s.step(cell, a)
				found[to] = found[to] || left[to]
				if s.open[to] && !s.barred[to] && level[to] == none {
					level[to] = k + 1
					next = append(next, to)
				}
			}
		}
		for cell := range found {
			if found[cell] {
				left[cell] = false
				s.claim(cell, k, level, around(rotation(draw, cell)))
			}
		}
		front = next
	}
}

// claim walks from a food beside level k down to an ant, and orders the ant to
// come that way.
func (s *sight) claim(food, k int, level []int, directions [4]ants.Action) {
	ant, back := food, ants.Stay
	for ; k >= 0; k-- {
		for _, a := range directions {
			if to := s.step(ant, a); level[to] == k {
				if ant == food {
					back = ants.Stay // beside the food is near enough
				} else {
					back = (a + 2) % 4
				}
				ant = to
				break
			}
		}
	}
	if s.waiting[ant] && (back == ants.Stay || s.free(s.step(ant, back))) {
		s.order(ant, back)
	}
}
