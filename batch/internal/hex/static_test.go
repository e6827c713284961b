package hex

import (
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// radii are those that are checked cell by cell.
var radii = []int{1, 2, 5, 7, 10, 12, 31}

// TestStatic compares the tables with the geometry that they are made from:
// neighbours, distances, ways home, cells that are far from each other.
func TestStatic(t *testing.T) {
	for _, radius := range radii {
		geo := formica.GeometryOf(radius)
		st := newStatic(geo, geo.Side+4)
		step := 1
		if radius > 12 {
			step = 37 // of the pairs of a large board, some
		}
		for a := range st.cells {
			for d := range 2 * dirs {
				want := geo.Neighbours[a][d%dirs]
				if want == none {
					want = int32(st.cells)
				}
				if got := st.neighbours[a][d]; int32(got) != want {
					t.Fatalf("radius %d: neighbour %d of cell %d is %d, want %d", radius, d, a, got, want)
				}
			}
			for home := range dirs {
				if got := st.grid[home][st.spot[home][a]]; int(got) != a {
					t.Fatalf("radius %d, home %d: the grid has cell %d where cell %d is", radius, home, got, a)
				}
			}
			for b := (a * 7) % step; b < st.cells; b += step {
				if got, want := int(st.distance(uint16(a), uint16(b))), geo.Distance(a, b); got != want {
					t.Fatalf("radius %d: cells %d and %d are %d apart, want %d", radius, a, b, got, want)
				}
				for home := range dirs {
					got, want := st.toward(uint16(a), uint16(b), uint8(home)), geo.Toward(a, b, home)
					if want == none {
						want = stay
					}
					if int(got) != want {
						t.Fatalf("radius %d: from cell %d toward %d, home %d: %d, want %d", radius, a, b, home, got, want)
					}
				}
				pattern := st.relation[st.at[a]-st.at[b]+st.origin] >> 8
				for d, next := range geo.Neighbours[a] {
					if next == none {
						continue
					}
					if got, want := int(patternSteps[pattern][d])-1, geo.Distance(int(next), b)-geo.Distance(a, b); got != want {
						t.Fatalf("radius %d: a step %d from cell %d changes the distance to %d by %d, want %d", radius, d, a, b, got, want)
					}
				}
			}
		}
	}
}

// TestPlaces: a seat's grid is the board turned by its home, in the middle of
// the padded grid, and leads back to the cell.
func TestPlaces(t *testing.T) {
	for _, radius := range radii {
		geo := formica.GeometryOf(radius)
		width := geo.Side + 6
		st := newStatic(geo, width)
		for home := range dirs {
			cells := 0
			for cell, h := range geo.Hexes {
				for range home {
					// Direction d goes to d-1.
					h = formica.Hex{Q: -h.R, R: h.Q + h.R}
				}
				want := (h.R+radius+3)*width + h.Q + radius + 3
				if got := int(st.place[home][cell]); got != want {
					t.Fatalf("radius %d, home %d: cell %d is at %d, want %d", radius, home, cell, got, want)
				}
				if spot := st.spot[home][cell]; int(spot>>6)+st.pad != want/width || int(spot&63)+st.pad != want%width {
					t.Fatalf("radius %d, home %d: cell %d has spot %d, and place %d", radius, home, cell, spot, want)
				}
				if got := int(st.from[home][want]); got != cell || st.board[want] != 1 {
					t.Fatalf("radius %d, home %d: at %d is cell %d, want %d", radius, home, want, got, cell)
				}
			}
			for at, cell := range st.from[home] {
				if cell != none {
					cells++
				} else if st.board[at] != 0 {
					t.Fatalf("radius %d: the board's plane has a cell at %d", radius, at)
				}
			}
			if cells != geo.Cells {
				t.Fatalf("radius %d, home %d: %d cells on the grid, want %d", radius, home, cells, geo.Cells)
			}
		}
	}
}

// TestSpread compares sets that grow with distances.
func TestSpread(t *testing.T) {
	for _, radius := range radii {
		geo := formica.GeometryOf(radius)
		st := newStatic(geo, geo.Side)
		rng := env.RNG(radius)
		for round := range 5 {
			set, spare := make([]uint64, st.side), make([]uint64, st.side)
			var from []int
			for range 1 + rng.Below(4) {
				cell := int(rng.Below(uint64(geo.Cells)))
				from = append(from, cell)
				set[st.spot[0][cell]>>6] |= 1 << (st.spot[0][cell] & 63)
			}
			for n := range 5 {
				count := 0
				for cell := range geo.Cells {
					near := false
					for _, f := range from {
						near = near || geo.Distance(cell, f) <= n
					}
					if hasSpot(set, st.spot[0][cell]) != near {
						t.Fatalf("radius %d, round %d: cell %d within %d of %v: %v", radius, round, cell, n, from, !near)
					}
					if near {
						count++
					}
				}
				bits := 0
				for _, row := range set {
					for ; row != 0; row &= row - 1 {
						bits++
					}
				}
				if bits != count {
					t.Fatalf("radius %d: %d cells in a set of %d", radius, bits, count)
				}
				st.spread(spare, set)
				set, spare = spare, set
			}
		}
	}
}

// TestLanes compares every level's kernels with the rules, value by value.
func TestLanes(t *testing.T) {
	for _, level := range levels {
		for shift := range uint(16) {
			for offset := range uint64(3) {
				trail := make([]uint64, 8197-offset)
				lanes := func(i, lane int) int { return (i*4 + lane + int(offset)*5) & 0x7FFF }
				for i := range trail {
					for lane := range 4 {
						trail[i] |= uint64(lanes(i, lane)) << (16 * lane)
					}
				}
				weights := make([]uint64, len(trail))
				base, most := uint16(shift*17), uint16(255-shift*5)
				level.weigh(weights, trail, shift, base, most)
				for i, x := range weights {
					for lane := range 4 {
						v := lanes(i, lane)
						want := int(base) + min(v>>shift, int(most))
						if got := int(x >> (16 * lane) & 0xFFFF); got != want {
							t.Fatalf("%s, shift %d: %d weighs %d, want %d", level.level, shift, v, got, want)
						}
					}
				}
				level.decay(trail, shift)
				for i, x := range trail {
					for lane := range 4 {
						v := lanes(i, lane)
						want := max(0, v-v>>shift-1)
						if got := int(x >> (16 * lane) & 0xFFFF); got != want {
							t.Fatalf("%s, shift %d: %d became %d, want %d", level.level, shift, v, got, want)
						}
					}
				}
			}
		}
	}
}

// TestLevelsPlayAlike plays the same boards with each level.
func TestLevelsPlayAlike(t *testing.T) {
	if len(levels) == 1 {
		t.Skip("this build has the portable kernels only")
	}
	best := dense
	defer func() { dense = best }()
	var want []uint64
	for _, level := range levels {
		dense = level
		e, _ := newScripted(t, 6)
		var hashes []uint64
		for i := range 6 {
			hashes = append(hashes, env.Hash(e.AppendState(nil, i)))
		}
		if want == nil {
			want = hashes
		}
		if got := fmt.Sprint(hashes); got != fmt.Sprint(want) {
			t.Errorf("%s: states %s, want %v", level.level, got, want)
		}
	}
}

// TestNear compares the marks around nests with distances.
func TestNear(t *testing.T) {
	e, _ := newScripted(t, 3)
	w := &e.workers[0]
	for b := range 3 {
		e.game(&w.g, b)
		e.nearNests(w)
		for cell := range w.g.st.cells {
			want := uint16(0)
			for s := range w.g.colonies {
				far := w.g.st.geo.Distance(cell, int(w.g.colonies[s].nest))
				if far <= e.rules.ChaseNest {
					want |= 1 << s
				}
				if far <= e.rules.NestSight {
					want |= 1 << (8 + s)
				}
			}
			if w.near[cell] != want {
				t.Fatalf("board %d: cell %d is near %#x, want %#x", b, cell, w.near[cell], want)
			}
		}
	}
}

// TestHalves: the 16-bit floats are the numbers.
func TestHalves(t *testing.T) {
	for n, bits := range halves {
		value := 0.0
		if bits != 0 {
			value = float64(bits&0x3FF|0x400) / 1024
			for range int(bits>>10) - 15 {
				value *= 2
			}
		}
		if value != float64(n) {
			t.Errorf("%#x is %v, want %d", bits, value, n)
		}
	}
}

// TestSpreadBits: every byte is a bit.
func TestSpreadBits(t *testing.T) {
	for x := range uint64(512) {
		got := spreadBits(x)
		for i := range 8 {
			if want := x >> i & 1; got>>(8*i)&0xFF != want {
				t.Fatalf("bit %d of %#x became %#x", i, x, got>>(8*i)&0xFF)
			}
		}
	}
}
