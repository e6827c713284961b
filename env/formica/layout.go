package formica

import (
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
)

// A Layout is what the seed puts on a board.
type Layout struct {
	Rot   int   // turn of the whole board, in directions
	Place []int // ring place of each seat
	// Home is the direction of each seat's nest: (Rot + PlaceDirection(Place)) mod 6.
	Home []int
	Nest []int // cell of each seat's nest, at distance Radius - NestInset
	// Centres are the centres of the food patches: the board's, then each
	// orbit's images in the order of ring places.
	Centres []int
	Cap     []uint8 // per cell, most food that it holds; 0 off the patches
}

// layoutTag is the word that derives the layout's generator from the seed.
const layoutTag = 0x4C41594F5554

// orbitTries is how often a set of orbits is drawn before the first that fits
// is taken in its place.
const orbitTries = 64

// Layout draws the layout of a seed, which is EpisodeSeed's. With
// rng = env.RNG(env.Derive(seed, 0x4C41594F5554)) and draws in this order:
//
//  1. Rot = rng.Below(6).
//  2. Place: start from 0..seats-1; for i = seats-1 .. 1 swap entry i with
//     entry rng.Below(i+1).
//  3. Food, up to 64 times: for each orbit in order, entry rng.Below(len) of
//     the orbit's candidates; the draw is taken if all patches of all orbits
//     are apart. If none was, the first combination that fits is taken, the
//     last orbit's candidate changing fastest.
//
// The candidates of an orbit are cells of the unturned board (Rot 0), in cell
// order: at distance at most Radius-1 of the centre, whose distance to the
// nearest nest lies in the orbit's range, and whose images are apart from each
// other, from the centre patch and from every nest. Two patches are apart if
// their centres are 3 or more apart, a patch and a nest if 2 or more. What was
// chosen, and the images, are turned by Rot.
//
// The board must have passed CheckBoard.
func (c *Config) Layout(b *Board, seed uint64) *Layout {
	rng := env.RNG(env.Derive(seed, layoutTag))
	l := &Layout{Rot: int(rng.Below(Directions)), Place: make([]int, b.Players)}
	for i := range l.Place {
		l.Place[i] = i
	}
	for i := b.Players - 1; i > 0; i-- {
		j := int(rng.Below(uint64(i + 1)))
		l.Place[i], l.Place[j] = l.Place[j], l.Place[i]
	}
	for _, k := range l.Place {
		home := (l.Rot + b.PlaceDirection(k)) % Directions
		l.Home = append(l.Home, home)
		l.Nest = append(l.Nest, b.Cell(Step[home].Times(b.Radius-c.NestInset)))
	}
	l.Centres = append(l.Centres, b.Cell(Hex{}))
	for _, centre := range c.drawOrbits(b, &rng) {
		for k := range b.Players {
			l.Centres = append(l.Centres, b.Cell(b.Image(k, centre).Turn(l.Rot)))
		}
	}
	l.Cap = make([]uint8, b.Cells)
	for i, centre := range l.Centres {
		food := c.PatchFood
		if i == 0 {
			food = c.CentreFood
		}
		l.Cap[centre] = uint8(food)
		for _, cell := range b.Neighbours[centre] {
			l.Cap[cell] = uint8(food)
		}
	}
	return l
}

func (c *Config) drawOrbits(b *Board, rng *env.RNG) []Hex {
	lists := make([][]Hex, len(c.Orbits))
	for i, o := range c.Orbits {
		lists[i] = c.candidates(b, o)
	}
	for range orbitTries {
		drawn := make([]Hex, len(lists))
		for i, list := range lists {
			drawn[i] = list[rng.Below(uint64(len(list)))]
		}
		if b.orbitsApart(drawn) {
			return drawn
		}
	}
	return b.firstOrbits(lists)
}

// candidates lists the places of an orbit's patch for ring place 0.
func (c *Config) candidates(b *Board, within [2]int) []Hex {
	var list []Hex
	for _, h := range b.Hexes {
		if h.Length() > b.Radius-1 || h.Length() < 3 {
			continue
		}
		nearest := 4 * MaxRadius
		for k := range b.Players {
			nest := Step[b.PlaceDirection(k)].Times(b.Radius - c.NestInset)
			nearest = min(nearest, h.Sub(nest).Length())
		}
		if nearest < max(within[0], 2) || nearest > within[1] {
			continue
		}
		apart := true
		for k := 1; k < b.Players; k++ {
			apart = apart && h.Sub(b.Image(k, h)).Length() >= 3
		}
		if apart {
			list = append(list, h)
		}
	}
	return list
}

// orbitsApart tells whether the images of all centres are apart.
func (b *Board) orbitsApart(centres []Hex) bool {
	for i, x := range centres {
		for _, y := range centres[:i] {
			for k := range b.Players {
				if x.Sub(b.Image(k, y)).Length() < 3 {
					return false
				}
			}
		}
	}
	return true
}

// orbitSearch bounds the places that are tried for orbits that may not fit
// beside each other at all.
const orbitSearch = 20_000

// firstOrbits is the first combination that fits, or nil.
func (b *Board) firstOrbits(lists [][]Hex) []Hex {
	left := orbitSearch
	return b.completeOrbits([]Hex{}, lists, &left)
}

// completeOrbits completes the chosen centres by the first that fit, or is nil,
// also where so many places have been tried that none are left to try.
func (b *Board) completeOrbits(chosen []Hex, lists [][]Hex, left *int) []Hex {
	if len(chosen) == len(lists) {
		return chosen
	}
	for _, h := range lists[len(chosen)] {
		if *left--; *left < 0 {
			return nil
		}
		next := append(slices.Clone(chosen), h)
		if !b.orbitsApart(next) {
			continue
		}
		if all := b.completeOrbits(next, lists, left); all != nil {
			return all
		}
	}
	return nil
}

// CheckBoard tells whether the rule set can be played on a board: the nests
// are on it, apart from each other and from the centre patch, and all food
// orbits have room. Errors wrap env.ErrMap.
func (c *Config) CheckBoard(b *Board) error {
	small := func(format string, a ...any) error {
		return fmt.Errorf("%w: radius %d is too small for %d seats: %s", env.ErrMap, b.Radius, b.Players, fmt.Sprintf(format, a...))
	}
	ring := b.Radius - c.NestInset
	if ring < 3 {
		return small("nests at distance %d of the centre, want 3 or more", ring)
	}
	lists := make([][]Hex, len(c.Orbits))
	for i, o := range c.Orbits {
		if lists[i] = c.candidates(b, o); len(lists[i]) == 0 {
			return small("no place for food orbit %d, %d to %d from the nearest nest", i, o[0], o[1])
		}
	}
	if len(lists) > 0 && b.firstOrbits(lists) == nil {
		return small("its food orbits do not fit beside each other")
	}
	return nil
}
