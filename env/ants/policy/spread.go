package policy

import (
	"slices"

	"github.com/myriant-rl/myriant/env/ants"
)

// SpreadLevels is the last level of the spread wave.
const SpreadLevels = 64

// spread moves the waiting ants one step down a wave that begins at the
// sources: sources[cell] is the level at which a cell enters it, or none.
func (s *sight) spread(draw uint64, sources []int) {
	level := make([]int, len(s.open))
	entering := make([][]int, SpreadLevels+1)
	for cell, k := range sources {
		level[cell] = none
		if k != none {
			entering[k] = append(entering[k], cell)
		}
	}
	var front []int
	for k := range SpreadLevels + 1 {
		var next []int
		reach := func(cell int) {
			if level[cell] == none {
				level[cell] = k
				next = append(next, cell)
			}
		}
		for _, cell := range entering[k] {
			reach(cell)
		}
		for _, cell := range front {
			for a := ants.North; a < ants.Stay; a++ {
				if to := s.step(cell, a); s.open[to] {
					reach(to)
				}
			}
		}
		slices.Sort(next)
		for _, cell := range next {
			if s.waiting[cell] {
				s.order(cell, s.down(cell, level, around(rotation(draw, cell))))
			}
		}
		front = next
	}
}

// down is the first direction that leads one level down to a free cell.
func (s *sight) down(cell int, level []int, directions [4]ants.Action) ants.Action {
	if level[cell] == 0 {
		return ants.Stay
	}
	for _, a := range directions {
		if to := s.step(cell, a); level[to] == level[cell]-1 && s.free(to) {
			return a
		}
	}
	return ants.Stay
}
