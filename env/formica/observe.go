package formica

import (
	"cmp"
	"slices"
)

// Observe is what a seat may know at a state.
func Observe(c *Config, b *Board, s *State, seat int) *Observation {
	k := &s.Colonies[seat]
	w := s.Waiting(c)
	o := &Observation{
		Phase: s.Phase, Kind: w.Kind, Event: w.Event, Tick: s.Tick, MaxTicks: c.MaxTicks, BudgetMS: w.BudgetMS,
		Slot: seat, Radius: b.Radius, RainTicks: int(s.Rain),
		Colony: ColonyView{
			Nest: int32(k.Nest), FoodStored: k.Food, Population: len(k.Ants), PopCap: c.PopCap(int(k.Chambers)), Chambers: int(k.Chambers),
			TerritoryCells: s.Territory(c, seat), Order: k.Order,
		},
	}
	for other := range s.Colonies {
		o.Scores2 = append(o.Scores2, s.Score2(c, other))
		o.Alive = append(o.Alive, s.Colonies[other].Alive)
		o.Homes = append(o.Homes, s.Colonies[other].Home)
	}
	for i, a := range k.Ants {
		o.Colony.Squads[a.Role]++
		o.Ants = append(o.Ants, AntView{ID: i, Cell: int32(a.Cell), Role: a.Role, Carry: a.Carry})
	}
	far := b.farFrom(k.Ants)
	for cell := range b.Cells {
		if k.Alive && s.Holds(c, seat, cell) {
			o.Colony.Territory = append(o.Colony.Territory, int32(cell))
			o.Colony.Freshness = append(o.Colony.Freshness, int32(s.Stamp[cell])+int32(c.HoldTicks)+1-s.Tick)
		}
		if s.Food[cell] > 0 && far[cell] <= c.FoodSight {
			o.Food = append(o.Food, CellAmount{int32(cell), int32(s.Food[cell])})
		}
		if far[cell] <= c.ScentSight {
			sum := 0
			for other := range s.Colonies {
				if other != seat {
					sum += int(s.Colonies[other].Trail[cell])
				}
			}
			o.Scent = append(o.Scent, CellAmount{int32(cell), ScentLevel(sum)})
		}
		if k.Trail[cell] > 0 {
			o.Pheromone = append(o.Pheromone, CellAmount{int32(cell), int32(k.Trail[cell])})
		}
		if s.CanRelocate(c, b.Geometry, seat, cell) {
			o.LegalRelocate = append(o.LegalRelocate, int32(cell))
		}
	}
	for other := range s.Colonies {
		if other == seat {
			continue
		}
		for _, a := range s.Colonies[other].Ants {
			if far[a.Cell] > c.RivalSight {
				continue
			}
			raider := a.Role == RoleRaid
			o.Rivals = append(o.Rivals, RivalView{Cell: int32(a.Cell), Slot: other, Raider: raider})
			if raider && b.Distance(int(a.Cell), int(k.Nest)) <= c.ThreatRange {
				o.Threat++
			}
		}
		if n := k.Known[other]; n.Cell != NoCell {
			o.Nests = append(o.Nests, NestView{Slot: other, Cell: n.Cell, SeenTick: n.Seen})
		}
	}
	slices.SortFunc(o.Rivals, func(x, y RivalView) int {
		return cmp.Or(cmp.Compare(x.Cell, y.Cell), cmp.Compare(x.Slot, y.Slot), cmp.Compare(boolByte(x.Raider), boolByte(y.Raider)))
	})
	return o
}

// farFrom is the distance of each cell to the nearest ant; without ants it is
// greater than any distance on a board.
func (g *Geometry) farFrom(ants []Ant) []int {
	const never = 4 * MaxRadius
	far := make([]int, g.Cells)
	for cell := range far {
		far[cell] = never
	}
	var queue []int
	for _, a := range ants {
		if far[a.Cell] == never {
			far[a.Cell] = 0
			queue = append(queue, int(a.Cell))
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, next := range g.Neighbours[queue[i]] {
			if next != NoCell && far[next] == never {
				far[next] = far[queue[i]] + 1
				queue = append(queue, int(next))
			}
		}
	}
	return far
}
