// Where a generated board puts hills and food.

package ants

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
)

const (
	// minHillsApart is the least walk between two hills of a generated board.
	minHillsApart = 4
	// hillCandidates are looked at for each hill.
	hillCandidates = 64
)

// walks is the number of steps to each land cell from the nearest of some
// cells, -1 where there is no way.
func (g *ground) walks(from []int32) []int {
	steps := make([]int, len(g.water))
	for c := range steps {
		steps[c] = -1
	}
	queue := make([]int32, 0, len(steps))
	for _, c := range from {
		steps[c] = 0
		queue = append(queue, c)
	}
	for i := 0; i < len(queue); i++ {
		for _, n := range g.sides[queue[i]] {
			if !g.water[n] && steps[n] < 0 {
				steps[n] = steps[queue[i]] + 1
				queue = append(queue, n)
			}
		}
	}
	return steps
}

// placeHills picks the hills of seat 0: of a number of random cells, each time
// the one that is the longest walk from all hills so far and from its own
// images, on open land if it can be. It clears the land around each within a
// squared radius of court.
func placeHills(g *ground, rng *env.RNG, n, court, apart int) ([]int32, error) {
	var hills, all []int32
	for range n {
		near := g.walks(all)
		best, bestScore := int32(-1), -1
		for range hillCandidates {
			c := g.random(rng)
			if g.water[c] {
				continue
			}
			walk := g.Rows + g.Cols
			if len(g.orbit(c)) > 1 {
				walk = min(walk, g.walkHome(c, walk))
			}
			if len(all) > 0 {
				walk = min(walk, near[c])
			}
			if walk < apart {
				continue
			}
			land := 0
			for _, around := range g.within(c, 13) {
				if !g.water[around] {
					land++
				}
			}
			if score := walk*3 + land; score > bestScore {
				best, bestScore = c, score
			}
		}
		if best < 0 {
			return nil, fmt.Errorf("%w: no place for a hill %d steps from the others", errPoor, apart)
		}
		hills = append(hills, best)
		all = append(all, g.orbit(best)...)
		g.disc(best, court, false)
	}
	// Cleared land can shorten ways.
	for i, h := range all {
		steps := g.walks([]int32{h})
		for _, other := range all[:i] {
			if steps[other] < apart {
				return nil, fmt.Errorf("%w: hills %d steps apart, want %d", errPoor, steps[other], apart)
			}
		}
	}
	return hills, nil
}

// walkHome is the number of steps from a cell to the nearest of its images, or
// limit if that is less.
func (g *ground) walkHome(cell int32, limit int) int {
	home := g.orbit(cell)[1:]
	seen := make([]bool, len(g.water))
	seen[cell] = true
	queue, depth := []int32{cell}, 0
	for len(queue) > 0 && depth < limit {
		depth++
		var next []int32
		for _, c := range queue {
			for _, n := range g.sides[c] {
				if g.water[n] || seen[n] {
					continue
				}
				for _, h := range home {
					if n == h {
						return depth
					}
				}
				seen[n] = true
				next = append(next, n)
			}
		}
		queue = next
	}
	return limit
}

// placeFood picks the food the map starts with, orbit by orbit: some within a
// short walk of every hill, the rest anywhere. Food of one orbit is listed in
// order of seats.
func placeFood(g *ground, rng *env.RNG, hills []int32) []int32 {
	var all []int32
	for _, h := range hills {
		all = append(all, g.orbit(h)...)
	}
	steps := g.walks(all)
	land := len(g.water) - g.wet()
	perSeat := min(max(land/g.Players/45, 6), 26)
	perSeat = min(perSeat, max(1, land/g.Players/8))
	taken := make([]bool, len(g.water))
	var food []int32
	try := func(c int32) bool {
		// Not beside a hill, where it needs no step, nor beside other food or
		// its own images.
		if g.water[c] || steps[c] < 2 || taken[c] {
			return false
		}
		for _, image := range g.orbit(c)[1:] {
			if g.Distance2(c, image) <= 2 {
				return false
			}
		}
		for _, image := range g.orbit(c) {
			food = append(food, image)
			for _, around := range g.within(image, 2) {
				taken[around] = true
			}
		}
		return true
	}
	near := min(4, max(1, perSeat/(2*len(hills))))
	for _, h := range hills {
		walk := g.walks([]int32{h})
		var around []int32
		for c, n := range walk {
			if n >= 2 && n <= 8 {
				around = append(around, int32(c))
			}
		}
		shuffle(around, rng)
		placed := 0
		for _, c := range around {
			if placed == near || len(food) == perSeat*g.Players {
				break
			}
			if try(c) {
				placed++
			}
		}
	}
	for range 40 * perSeat {
		if len(food) >= perSeat*g.Players {
			break
		}
		try(g.random(rng))
	}
	return food
}
