package hex

import (
	"math/bits"

	"github.com/myriant-rl/myriant/env/formica"
)

const (
	dirs  = formica.Directions
	seats = formica.MaxSeats
	slots = formica.AntSlots
	none  = formica.NoCell
)

// A static is what all boards of one radius share and nobody changes. It is
// derived from formica.Geometry, which is its reference.
type static struct {
	geo    *formica.Geometry
	radius int
	cells  int // also the number of the place off the board, see neighbours
	side   int // rows, and columns, of the axial grid
	// neighbours is the cell in each direction, and the same again, so that six
	// from any home on are in scan order. Those off the board are number cells,
	// where nothing is ever put.
	neighbours [][2 * dirs]uint16
	// inner cells have all six neighbours.
	inner []bool

	// relation of cell a to cell b, at at[a] - at[b] + origin: how far a is from
	// b, plus 256 times in which of 13 ways it lies from b, see patterns.
	at       []int32
	origin   int32
	relation []uint16

	// Sets of cells are bits: row r+radius of the axial grid is a word, column
	// q+radius a bit of it; valid are the cells of each row. A seat with home h
	// sees the board turned: spot is where it sees a cell, at row*64+bit, and
	// grid the cell that it sees there. Home 0 sees the board as it is.
	valid []uint64
	spot  [dirs][]uint16
	grid  [dirs][]uint16

	// place is the same in the padded grid of the outputs, which begins pad
	// rows and columns before the axial grid; from is the cell there, or NoCell.
	place [dirs][]uint16
	from  [dirs][]int32
	pad   int
	// board is the plane of the board's cells in the padded grid. It is the same
	// for every home.
	board []uint8
}

// patterns are the ways in which one cell lies from another that differ in
// which directions lead nearer or stay level: on it, on one of six axes, in
// one of six sectors between them.
const patterns = 13

// patternSteps is, per pattern and direction, what a step changes the distance
// by, plus 1.
var patternSteps = func() (steps [patterns][dirs]uint8) {
	for p := range patterns {
		h := patternHex(p)
		for d, step := range formica.Step {
			steps[p][d] = uint8(h.Add(step).Length() - h.Length() + 1)
		}
	}
	return steps
}()

// patternNearer is the directions, as bits, that lead nearer.
var patternNearer = func() (sets [patterns]uint8) {
	for p := range patterns {
		for d, step := range patternSteps[p] {
			if step == 0 {
				sets[p] |= 1 << d
			}
		}
	}
	return sets
}()

// patternHex is a place that lies from the centre as a pattern says.
func patternHex(p int) formica.Hex {
	switch {
	case p == 0:
		return formica.Hex{}
	case p <= dirs:
		return formica.Step[p-1].Times(2)
	}
	d := p - 1 - dirs
	return formica.Step[d].Times(2).Add(formica.Step[(d+1)%dirs].Times(2))
}

// patternOf is the pattern of an offset.
func patternOf(h formica.Hex) uint8 {
	if h == (formica.Hex{}) {
		return 0
	}
	// The sector between directions d and d+1 has positive multiples of both.
	for d := range dirs {
		a, b := formica.Step[d], formica.Step[(d+1)%dirs]
		// Solve h = x*a + y*b; the determinant of two adjacent steps is the same for all d.
		det := a.Q*b.R - a.R*b.Q
		x := (h.Q*b.R - h.R*b.Q) / det
		y := (a.Q*h.R - a.R*h.Q) / det
		switch {
		case x > 0 && y == 0:
			return uint8(1 + d)
		case x > 0 && y > 0:
			return uint8(1 + dirs + d)
		}
	}
	panic("hex: an offset in no sector")
}

// newStatic makes the tables of a radius, for outputs on a grid of width cells
// a side.
func newStatic(geo *formica.Geometry, width int) *static {
	s := &static{geo: geo, radius: geo.Radius, cells: geo.Cells, side: geo.Side}
	n, r := s.cells, s.radius
	s.neighbours = make([][2 * dirs]uint16, n+1)
	s.inner = make([]bool, n)
	s.at = make([]int32, n)
	s.valid, s.pad = make([]uint64, s.side), (width-s.side)/2
	wide := int32(4*r + 1)
	s.origin = 2*int32(r)*wide + 2*int32(r)
	for cell, h := range geo.Hexes {
		s.inner[cell] = true
		for d, to := range geo.Neighbours[cell] {
			if to == none {
				to = int32(n)
				s.inner[cell] = false
			}
			s.neighbours[cell][d], s.neighbours[cell][d+dirs] = uint16(to), uint16(to)
		}
		s.at[cell] = int32(h.R)*wide + int32(h.Q)
		s.valid[h.R+r] |= 1 << (h.Q + r)
	}
	for d := range s.neighbours[n] {
		s.neighbours[n][d] = uint16(n)
	}
	s.relation = make([]uint16, wide*wide)
	for dr := -2 * r; dr <= 2*r; dr++ {
		for dq := -2 * r; dq <= 2*r; dq++ {
			h := formica.Hex{Q: dq, R: dr}
			i := s.origin + int32(dr)*wide + int32(dq)
			s.relation[i] = uint16(h.Length()) | uint16(patternOf(h))<<8
		}
	}
	s.board = make([]uint8, width*width)
	for home := range dirs {
		s.place[home], s.spot[home], s.grid[home] = make([]uint16, n), make([]uint16, n), make([]uint16, s.side*64)
		for i := range s.grid[home] {
			s.grid[home][i] = uint16(n)
		}
		s.from[home] = make([]int32, width*width)
		for i := range s.from[home] {
			s.from[home][i] = none
		}
		for cell, h := range geo.Hexes {
			h = h.Turn(-home)
			at := (h.R+width/2)*width + h.Q + width/2
			s.place[home][cell] = uint16(at)
			s.spot[home][cell] = uint16((h.R+r)*64 + h.Q + r)
			s.grid[home][s.spot[home][cell]] = uint16(cell)
			s.from[home][at] = int32(cell)
			s.board[at] = 1
		}
	}
	return s
}

// distance is the hexes between two cells.
func (s *static) distance(a, b uint16) uint8 { return uint8(s.relation[s.at[a]-s.at[b]+s.origin]) }

// firstFrom is, per set of directions and home, the first direction of the set
// that is scanned from home upwards; 255 for no direction.
var firstFrom = func() (first [1 << dirs][dirs]uint8) {
	for set := range first {
		for home := range dirs {
			turned := (set>>home | set<<(dirs-home)) & (1<<dirs - 1)
			first[set][home] = 255
			if turned != 0 {
				first[set][home] = uint8((home + bits.TrailingZeros(uint(turned))) % dirs)
			}
		}
	}
	return first
}()

// homeward is, per home and pattern of a cell to another, the first direction
// in scan order that leads nearer, 255 on it.
var homeward = func() (first [dirs][16]uint8) {
	for home := range dirs {
		for p, set := range patternNearer {
			first[home][p] = firstFrom[set][home]
		}
	}
	return first
}()

// toward is the direction of the first step from one cell to another, 255 when
// they are one. Reference: formica.Geometry.Toward.
func (s *static) toward(from, to uint16, home uint8) uint8 {
	return homeward[home][s.relation[s.at[from]-s.at[to]+s.origin]>>8]
}

// spread replaces a set by all cells within one step of it. dst and src are
// different.
func (s *static) spread(dst, src []uint64) {
	above := uint64(0)
	here := src[0]
	for r := range s.side {
		below := uint64(0)
		if r+1 < s.side {
			below = src[r+1]
		}
		// (q+1, r-1) and (q, r-1) lie above, (q-1, r+1) and (q, r+1) below.
		dst[r] = (here | here<<1 | here>>1 | above | above>>1 | below | below<<1) & s.valid[r]
		above, here = here, below
	}
}

// hasSpot tells whether a spot is in a set.
func hasSpot(set []uint64, spot uint16) bool { return set[spot>>6]>>(spot&63)&1 != 0 }

// around calls visit for every cell at most reach from one, ascending.
func (s *static) around(cell uint16, reach int, visit func(cell uint16)) {
	spot := s.spot[0][cell]
	row, bit := int(spot>>6), int(spot&63)
	for dr := max(-reach, -row); dr <= min(reach, s.side-1-row); dr++ {
		for dq := max(-reach, -reach-dr, -bit); dq <= min(reach, reach-dr, s.side-1-bit); dq++ {
			if to := s.grid[0][(row+dr)*64+bit+dq]; int(to) < s.cells {
				visit(to)
			}
		}
	}
}
