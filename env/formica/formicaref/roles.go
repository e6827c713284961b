package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// forager, without a load: on a cell with food it stays, to harvest. Else,
// with Trip at FruitlessTicks, it goes home. Else it steps to the adjacent
// cell with the most food, the first in scan order among equals. Else it
// samples a neighbour with weight
//
//	heading * (TrailBase + min(trail>>TrailShift, TrailMax)) * outward
//
// where heading is HeadingWeights[turn], turn 0..3 the sixths of a circle
// between the ant's heading and the direction; trail is the own pheromone on
// the neighbour; outward is OutwardWeights[0] if the neighbour is farther from
// the own nest than the ant is, [1] if as far, [2] if nearer.
func (m *mind) forager() int {
	if m.e.s.Food[m.a.Cell] > 0 {
		return stay
	}
	if int(m.a.Trip) >= m.e.c.FruitlessTicks {
		return m.homeward()
	}
	richest, most := stay, uint8(0)
	m.scan(func(_, d, next int) {
		if food := m.e.s.Food[next]; food > most {
			richest, most = d, food
		}
	})
	if richest != stay {
		return richest
	}
	return m.sample(func(d, next int) int {
		trail := m.e.c.TrailBase + min(int(m.k.Trail[next])>>m.e.c.TrailShift, m.e.c.TrailMax)
		return m.heading(d) * trail * m.outward(next)
	})
}

// defender: under defend it goes to the nest and stays there. Else it chases:
// of the cells with rival ants, at most ChaseSight from itself and at most
// ChaseNest from the own nest, it steps toward the nearest; the own cell means
// to stay. Equally near ones are tried in this order: at distance 1 in scan
// order; at distance 2 for i = 0..5 first two steps in the i-th scanned
// direction, then one in the i-th and one in the next. Else, farther from the
// nest than PatrolRadius, it goes home. Else it samples among the neighbours
// within PatrolRadius of the nest by HeadingWeights.
func (m *mind) defender() int {
	if m.k.Order.Defend {
		return m.homeward()
	}
	if cell := m.chased(); cell != formica.NoCell {
		return m.toward(cell)
	}
	if m.home(int(m.a.Cell)) > m.e.c.PatrolRadius {
		return m.homeward()
	}
	return m.sample(func(d, next int) int {
		if m.home(next) > m.e.c.PatrolRadius {
			return 0
		}
		return m.heading(d)
	})
}

// chased is the cell that a defender steps toward, or NoCell.
func (m *mind) chased() int {
	at := m.e.b.Hexes[m.a.Cell]
	places := []formica.Hex{at}
	if m.e.c.ChaseSight >= 1 {
		for i := range formica.Directions {
			places = append(places, at.Add(formica.Step[dir(m.k.Home, i)]))
		}
	}
	if m.e.c.ChaseSight >= 2 {
		for i := range formica.Directions {
			step, next := formica.Step[dir(m.k.Home, i)], formica.Step[dir(m.k.Home, i+1)]
			places = append(places, at.Add(step).Add(step), at.Add(step).Add(next))
		}
	}
	for _, p := range places {
		cell := m.e.b.Cell(p)
		if cell != formica.NoCell && m.home(cell) <= m.e.c.ChaseNest && m.rivalsAt(cell) {
			return cell
		}
	}
	return formica.NoCell
}

// expander: farther from the nest than ExpandLeash it goes home. Else it steps
// to the neighbour, of those within ExpandLeash of the nest, with the greatest
//
//	ExpandStale*staleness - ExpandCrowd*own + heading + noise
//
// the first in scan order among equals. staleness is Tick - Stamp of an
// own-held cell, ExpandOpen of any other; own counts the own ants on the cell;
// heading is as for foragers; noise is bits 32+4i..35+4i of the draw for the
// i-th scanned direction.
func (m *mind) expander() int {
	if m.home(int(m.a.Cell)) > m.e.c.ExpandLeash {
		return m.homeward()
	}
	best, bestValue := stay, 0
	m.scan(func(i, d, next int) {
		if m.home(next) > m.e.c.ExpandLeash {
			return
		}
		stale := m.e.c.ExpandOpen
		if m.e.s.Holds(m.e.c, m.seat, next) {
			stale = int(m.e.s.Tick) - int(m.e.s.Stamp[next])
		}
		noise := int(m.draw >> (32 + 4*i) & 15)
		value := m.e.c.ExpandStale*stale - m.e.c.ExpandCrowd*m.counts[m.seat][next] + m.heading(d) + noise
		if best == stay || value > bestValue {
			best, bestValue = d, value
		}
	})
	return best
}

// raider, without a load: after the touch (Trip > 0) it goes home. Else it
// goes to the latched nest that is nearest to it; among equally near ones to
// that of the colony whose home direction comes first in scan order. Else it
// samples a neighbour by heading * outward, as foragers weigh them.
func (m *mind) raider() int {
	if m.a.Trip > 0 {
		return m.homeward()
	}
	target, nearest := formica.NoCell, 0
	for i := range formica.Directions {
		for other, known := range m.k.Known {
			if int(m.e.s.Colonies[other].Home) != dir(m.k.Home, i) || known.Cell == formica.NoCell {
				continue
			}
			far := m.e.b.Distance(int(m.a.Cell), int(known.Cell))
			if target == formica.NoCell || far < nearest {
				target, nearest = int(known.Cell), far
			}
		}
	}
	if target != formica.NoCell {
		return m.toward(target)
	}
	return m.sample(func(d, next int) int { return m.heading(d) * m.outward(next) })
}

// builder: it goes to the nest and stays there.
func (m *mind) builder() int { return m.homeward() }

// homeward is the step to the own nest.
func (m *mind) homeward() int { return m.toward(int(m.k.Nest)) }

// toward is the step toward a cell, or stay there.
func (m *mind) toward(cell int) int { return m.e.b.Toward(int(m.a.Cell), cell, int(m.k.Home)) }

// home is the distance of a cell to the own nest.
func (m *mind) home(cell int) int { return m.e.b.Distance(cell, int(m.k.Nest)) }

// heading is the weight of a direction by the turn that it takes.
func (m *mind) heading(d int) int {
	turn := (d - int(m.a.Heading) + formica.Directions) % formica.Directions
	return m.e.c.HeadingWeights[min(turn, formica.Directions-turn)]
}

// outward is the weight of a neighbour by its distance to the own nest.
func (m *mind) outward(next int) int {
	from, to := m.home(int(m.a.Cell)), m.home(next)
	switch {
	case to > from:
		return m.e.c.OutwardWeights[0]
	case to == from:
		return m.e.c.OutwardWeights[1]
	}
	return m.e.c.OutwardWeights[2]
}

// rivalsAt tells whether ants of other colonies stand on a cell.
func (m *mind) rivalsAt(cell int) bool {
	for seat := range m.counts {
		if seat != m.seat && m.counts[seat][cell] > 0 {
			return true
		}
	}
	return false
}

// scan visits the neighbours that are on the board in scan order: i is the
// number of the scanned direction, d the direction, next the cell.
func (m *mind) scan(visit func(i, d, next int)) {
	for i := range formica.Directions {
		d := dir(m.k.Home, i)
		if next := m.e.b.Neighbours[m.a.Cell][d]; next != formica.NoCell {
			visit(i, d, int(next))
		}
	}
}

// sample picks a neighbour by weight: with pick = formica.Below(draw, sum of
// the weights), the first in scan order whose weight, summed with those before
// it, is greater than pick. Without any weight the ant stays.
func (m *mind) sample(weight func(d, next int) int) int {
	sum := 0
	m.scan(func(_, d, next int) { sum += weight(d, next) })
	pick, chosen := formica.Below(m.draw, sum), stay
	m.scan(func(_, d, next int) {
		w := weight(d, next)
		if chosen == stay && pick < w {
			chosen = d
		}
		pick -= w
	})
	return chosen
}
