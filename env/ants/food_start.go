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
// sets and near are those of FoodSets and NearSets.
//
// FoodSetsOverWater ignores the map's own food. From rng(seed ^ startStream)
// it draws the land cells for each food (75..175) and the food that each seat
// is to have in view (3..5). The near sets are shuffled (Fisher-Yates, from
// the last down) and taken while the next fits in what all seats are to have
// in view. What the land allows beyond that is taken in the same way from the
// sets that are left, in listing order before the shuffle; water cells in them
// are charged and stay water. All other food sources start with the map's
// food.
func (m *Map) StartFood(r *Rules, sets, near *SetList, seed uint64) []int32 {
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
	var food []int32
	taken := make([]bool, len(m.Water))
	take := func(from [][]int32, amount int) {
		for i := len(from) - 1; i > 0; i-- {
			j := rng.Below(uint64(i + 1))
			from[i], from[j] = from[j], from[i]
		}
		for _, set := range from {
			if len(set) > amount {
				return
			}
			amount -= len(set)
			for _, c := range set {
				taken[c] = true
				if !m.Water[c] {
					food = append(food, c)
				}
			}
		}
	}
	all := func(list *SetList) (left [][]int32) {
		for i := range list.Len() {
			if set := list.Set(i); !taken[set[0]] {
				left = append(left, set)
			}
		}
		return left
	}
	take(all(near), inView)
	if beyond := land/perFood - inView; beyond > 0 {
		take(all(sets), beyond)
	}
	slices.Sort(food)
	return food
}
