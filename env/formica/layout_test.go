package formica

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

func TestSmallestBoards(t *testing.T) {
	for _, seats := range []int{2, 3, 4, 6} {
		least := 0
		for radius := 1; radius <= MaxRadius; radius++ {
			_, err := NewBoard("", seats, radius)
			if err == nil && least == 0 {
				least = radius
			}
			if least > 0 && err != nil {
				t.Errorf("%d seats fit on radius %d, but not on %d: %v", seats, least, radius, err)
			}
			if err != nil && (!errors.Is(err, env.ErrMap) || !strings.Contains(err.Error(), "too small")) {
				t.Errorf("%d seats on radius %d: %v", seats, radius, err)
			}
		}
		t.Logf("%d seats: radius %d", seats, least)
		if want := map[int]int{2: 7, 3: 8, 4: 10, 6: 11}[seats]; least != want {
			t.Errorf("%d seats need radius %d, want %d", seats, least, want)
		}
	}
}

// TestLayoutSymmetry: nests, food and nearest-nest distances are the same from
// every seat, for all seat counts and many seeds.
func TestLayoutSymmetry(t *testing.T) {
	c := defaultConfig()
	for _, seats := range []int{2, 3, 4, 6} {
		for _, radius := range []int{11, 12, 17} {
			b, err := NewBoard("", seats, radius)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(100) {
				l := c.Layout(b, seed)
				if err := symmetric(&c, b, l); err != "" {
					t.Fatalf("%d seats, radius %d, seed %d: %s: %+v", seats, radius, seed, err, l)
				}
			}
		}
	}
}

func symmetric(c *Config, b *Board, l *Layout) string {
	places := slices.Sorted(slices.Values(l.Place))
	for i, k := range places {
		if i != k {
			return "places are no permutation"
		}
	}
	for seat, nest := range l.Nest {
		want := Step[(l.Rot+6*l.Place[seat]/b.Players)%6].Times(b.Radius - 3)
		if b.Hexes[nest] != want {
			return "a nest is off its place"
		}
		if l.Cap[nest] != 0 {
			return "food on a nest"
		}
	}
	food := 0
	for _, v := range l.Cap {
		if v > 0 {
			food++
		}
	}
	if food != 7*(1+3*b.Players) || len(l.Centres) != 1+3*b.Players {
		return "patches overlap"
	}
	// Every symmetry that takes a nest to another takes food to food.
	for k := range b.Players {
		for cell, h := range b.Hexes {
			image := b.Cell(b.Image(k, h.Turn(-l.Rot)).Turn(l.Rot))
			if l.Cap[cell] != l.Cap[image] {
				return "food has no image"
			}
		}
		if home := b.Image(k, Step[0]).Turn(l.Rot); home != Step[(l.Rot+b.PlaceDirection(k))%6] {
			return "an image of the first nest is not a nest"
		}
	}
	for i, centre := range l.Centres[1:] {
		orbit := c.Orbits[i/b.Players]
		near := 100
		for _, nest := range l.Nest {
			near = min(near, b.Distance(centre, nest))
		}
		if near < orbit[0] || near > orbit[1] {
			return "a patch is out of its orbit's range"
		}
	}
	return ""
}

// TestLayoutVaries: seeds reach every turn and every first seat.
func TestLayoutVaries(t *testing.T) {
	c := defaultConfig()
	b, err := c.Board()
	if err != nil {
		t.Fatal(err)
	}
	rots, first, centres := map[int]int{}, map[int]int{}, map[int]int{}
	for seed := range uint64(300) {
		l := c.Layout(b, seed)
		rots[l.Rot]++
		first[l.Place[0]]++
		centres[l.Centres[1]]++
	}
	if len(rots) != 6 || len(first) != 4 || len(centres) < 20 {
		t.Errorf("300 seeds give %d turns, %d places of seat 0, %d first patches", len(rots), len(first), len(centres))
	}
}
