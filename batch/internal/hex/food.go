package hex

import "github.com/myriant-rl/myriant/env/formica"

// addClaim notes a forager without a load on a cell with food.
func (w *worker) addClaim(s, index uint8, cell uint16) {
	w.claims = append(w.claims, claim{s, index, w.claimants[cell], cell})
	w.claimants[cell]++
}

// claim notes all foragers that harvest anew, after combat took ants away.
func (e *Engine) claim(w *worker) {
	g := &w.g
	for i := range w.claims {
		w.claimants[w.claims[i].cell] = 0
	}
	w.claims = w.claims[:0]
	for _, s := range w.order[:g.seats] {
		c := &g.colonies[s]
		for i := range c.ants[:c.n] {
			a := &c.ants[i]
			if a.role == uint8(formica.RoleForage) && a.carry == 0 && g.food[a.cell] > 0 {
				w.addClaim(s, uint8(i), a.cell)
			}
		}
	}
}

// harvest gives the food of a cell to those that claim it. Claims come by home
// direction, then index. Reference: formicaref harvest.
func (e *Engine) harvest(w *worker) {
	g := &w.g
	// Every claim but the last of its cell leaves the food as it was, so that
	// all see the same; the last takes what all of them got.
	for i := range w.claims {
		cl := &w.claims[i]
		n, food := w.claimants[cl.cell], int(g.food[cl.cell])
		got, all := int(e.tune.carry), int(n)*int(e.tune.carry)
		if food < all {
			rest := food % int(n)
			got, all = food/int(n), food
			first := int(below(w.draw(formica.StreamHarvest, 0, int(cl.cell)), uint32(n)))
			if (int(cl.number)-first+int(n))%int(n) < rest {
				got++
			}
		}
		if got > 0 {
			c := &g.colonies[cl.seat]
			a := &c.ants[cl.index]
			a.carry, a.trip = uint8(got), 0
			c.harvested += int32(got)
		}
		if cl.number == n-1 {
			g.food[cl.cell] -= uint8(all)
		}
	}
	for i := range w.claims {
		w.claimants[w.claims[i].cell] = 0
	}
}

// steal is called when raiders may be on rivals' nests.
// Reference: formicaref steal.
func (e *Engine) steal(w *worker) {
	g := &w.g
	for v := range g.colonies {
		victim := &g.colonies[v]
		if victim.diedAt >= 0 || w.after[victim.nest]&^(0xFF<<(8*v)) == 0 {
			continue
		}
		raiders := 0
		for pass := range 2 {
			take := uint8(0)
			if pass == 1 {
				if raiders == 0 {
					break
				}
				most := e.rules.StealMax
				if victim.defend != 0 {
					most = e.rules.StealDefended
				}
				take = uint8(min(most, int(victim.food)/raiders))
				victim.food -= int32(take) * int32(raiders)
			}
			for s := range g.colonies {
				if s == v {
					continue
				}
				c := &g.colonies[s]
				for i := range c.ants[:c.n] {
					a := &c.ants[i]
					if a.cell != victim.nest || a.role != uint8(formica.RoleRaid) || a.carry != 0 || a.trip != 0 {
						continue
					}
					if pass == 0 {
						raiders++
						continue
					}
					a.carry, a.trip = take, e.tune.fruitless
					c.stolen += int32(take)
				}
			}
		}
	}
}

// regrow. Reference: formicaref regrow.
func (e *Engine) regrow(w *worker) {
	if !w.every(e.tune.regrowEvery) {
		return
	}
	g := &w.g
	for cell, most := range g.cap {
		if g.food[cell] < most {
			g.food[cell]++
		}
	}
}
