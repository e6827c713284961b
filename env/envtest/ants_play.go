package envtest

import (
	"slices"

	"github.com/myriant-rl/myriant/env/ants"
)

// AntsOrders draws any action for every ant.
func AntsOrders(choose Chooser, s *ants.State) [][]byte {
	orders := make([][]byte, len(s.Ants))
	for seat, cells := range s.Ants {
		orders[seat] = make([]byte, len(cells))
		for i := range orders[seat] {
			orders[seat][i] = byte(choose(int(ants.NumActions)))
		}
	}
	return orders
}

func playRandom(choose Chooser, _ *ants.Map, s *ants.State) [][]byte {
	return AntsOrders(choose, s)
}

// playIntent knows the whole board. Ants walk towards the nearest food, enemy
// hill or enemy, and sometimes anywhere, so that games have gathering, crowds,
// fights and razes.
func playIntent(choose Chooser, m *ants.Map, s *ants.State) [][]byte {
	orders := AntsOrders(choose, s)
	for seat, cells := range s.Ants {
		if len(cells) == 0 {
			continue
		}
		goals := slices.Clone(s.Food)
		for _, h := range s.Hills {
			if int(h.Owner) != seat && !h.Razed {
				goals = append(goals, h.Cell)
			}
		}
		if choose.one(2) {
			for other, enemies := range s.Ants {
				if other != seat {
					goals = append(goals, enemies...)
				}
			}
		}
		far := distances(m, goals)
		for i, cell := range cells {
			if choose.one(8) {
				continue
			}
			for a := ants.North; a < ants.Stay; a++ {
				if to := m.Neighbour(cell, a); far[to] >= 0 && far[to] < far[cell] {
					orders[seat][i] = a
				}
			}
		}
	}
	return orders
}

// distances are the steps over land from each cell to the nearest goal, -1
// where there is no way.
func distances(m *ants.Map, goals []int32) []int {
	far := make([]int, m.Rows*m.Cols)
	for cell := range far {
		far[cell] = -1
	}
	var queue []int32
	for _, cell := range goals {
		if far[cell] < 0 {
			far[cell] = 0
			queue = append(queue, cell)
		}
	}
	for len(queue) > 0 {
		cell := queue[0]
		queue = queue[1:]
		for a := ants.North; a < ants.Stay; a++ {
			if to := m.Neighbour(cell, a); far[to] < 0 && !m.Water[to] {
				far[to] = far[cell] + 1
				queue = append(queue, to)
			}
		}
	}
	return far
}
