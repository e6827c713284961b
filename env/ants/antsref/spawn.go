package antsref

import (
	"slices"

	"github.com/myriant-rl/myriant/env/ants"
)

// spawn is step 4. Seats in order: while the hive holds food and an own
// standing hill is free of any ant, one ant appears on the free hill that was
// touched least recently, and touches it.
func (e *Engine) spawn() {
	for s := range e.seats {
		for e.seats[s].hive > 0 {
			free := e.oldestFreeHills(s)
			if len(free) == 0 {
				break
			}
			h := &e.hills[e.breakTie(free)]
			e.ants[h.Cell] = s
			h.Touched = e.turn + 1
			e.seats[s].hive--
			e.now.spawned = append(e.now.spawned, ants.Spot{Cell: h.Cell, Owner: uint8(s)})
		}
	}
}

// oldestFreeHills lists, in listing order, the seat's standing hills without
// an ant that were touched least recently.
func (e *Engine) oldestFreeHills(seat int) []int {
	var oldest []int
	for i, h := range e.hills {
		if int(h.Owner) != seat || h.Razed || e.ants[h.Cell] != nobody {
			continue
		}
		if len(oldest) > 0 && h.Touched < e.hills[oldest[0]].Touched {
			oldest = nil
		}
		if len(oldest) == 0 || h.Touched == e.hills[oldest[0]].Touched {
			oldest = append(oldest, i)
		}
	}
	return oldest
}

// breakTie chooses among hills touched equally long ago: the first that the
// script names, else by the rule set.
func (e *Engine) breakTie(tied []int) int {
	for _, i := range tied {
		if slices.Contains(e.scriptSpawns, e.hills[i].Cell) {
			return i
		}
	}
	if len(tied) > 1 && e.rules.HillTie == ants.TieRandom {
		return tied[e.gen.Tie.Below(uint64(len(tied)))]
	}
	return tied[0]
}
