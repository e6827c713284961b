// The food that an episode starts with.

package ants

import (
	"slices"

	"github.com/myriant-rl/myriant/env"
)

const startStream = 0x57A27F00D0000000

// Bounds of the drawn starting food of FoodSetsOverWater.
const (
	minLandPerFood, maxLandPerFood = 75, 175
	minInView, maxInView           = 3, 5
)

// StartFood lists the cells with food at the start of an episode, ascending.
// sets are those of FoodSets.
//
// FoodSetsOverWater ignores the map's own food. From rng(seed ^ startStream)
// it draws the land cells for each food (75..175) and the food that each seat
// is to have in view (3..5). Sets without water, with one cell for each seat,
// and with a cell in view of seat 0's first hill are shuffled (Fisher-Yates,
// from the last down) and taken while the next fits in what all seats are to
// have in view. What the land allows beyond that is taken in the same way from
// the sets that are left, shuffled; water cells in them are charged and stay
// water. All other food sources start with the map's food.
func (m *Map) StartFood(r *Rules, sets *SetList, seed uint64) []int32 {
	if r.Food != FoodSetsOverWater {
		food := slices.Clone(m.Food)
		slices.Sort(food)
		return food
	}
	rng := env.RNG(seed ^ startStream)
	perFood := minLandPerFood + int(rng.Below(maxLandPerFood-minLandPerFood+1))
	inView := (minInView + int(rng.Below(maxInView-minInView+1))) * m.Players
	land := 0
	for _, wet := range m.Water {
		if !wet {
			land++
		}
	}
	var near, rest []int
	for i := range sets.Len() {
		if m.inFirstView(r, sets.Set(i)) {
			near = append(near, i)
		} else {
			rest = append(rest, i)
		}
	}
	var food []int32
	take := func(from []int, amount int) (left []int) {
		for i := len(from) - 1; i > 0; i-- {
			j := rng.Below(uint64(i + 1))
			from[i], from[j] = from[j], from[i]
		}
		for n, i := range from {
			set := sets.Set(i)
			if len(set) > amount {
				return from[n:]
			}
			amount -= len(set)
			for _, c := range set {
				if !m.Water[c] {
					food = append(food, c)
				}
			}
		}
		return nil
	}
	rest = append(rest, take(near, inView)...)
	if beyond := land/perFood - inView; beyond > 0 {
		take(rest, beyond)
	}
	slices.Sort(food)
	return food
}

// inFirstView tells whether a set has a cell for each seat, none of it water,
// and one in view of seat 0's first hill.
func (m *Map) inFirstView(r *Rules, set []int32) bool {
	if len(set) != m.Players {
		return false
	}
	for _, c := range set {
		if m.Water[c] {
			return false
		}
	}
	for _, h := range m.Hills {
		if h.Owner == 0 {
			return slices.ContainsFunc(set, func(c int32) bool { return m.Distance2(h.Cell, c) <= r.ViewRadius2 })
		}
	}
	return false
}
