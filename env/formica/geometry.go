package formica

import "sync"

// Directions is the number of neighbours of a hex.
const Directions = 6

// A Hex is an axial place.
type Hex struct{ Q, R int }

// Step is the offset of each direction. Each is the one before it turned by 60
// degrees: (q, r) -> (q+r, -q).
var Step = [Directions]Hex{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}

// Add is the sum of two offsets.
func (h Hex) Add(o Hex) Hex { return Hex{h.Q + o.Q, h.R + o.R} }

// Sub is the offset that leads from o to h.
func (h Hex) Sub(o Hex) Hex { return Hex{h.Q - o.Q, h.R - o.R} }

// Times is the offset taken n times.
func (h Hex) Times(n int) Hex { return Hex{h.Q * n, h.R * n} }

// Length is the distance to (0, 0).
func (h Hex) Length() int { return max(abs(h.Q), abs(h.R), abs(h.Q+h.R)) }

// Turn is the place after n turns by 60 degrees about (0, 0); direction d
// goes to (d+n) mod 6.
func (h Hex) Turn(n int) Hex {
	for range (n%Directions + Directions) % Directions {
		h = Hex{h.Q + h.R, -h.Q}
	}
	return h
}

// Mirror is the reflection (q, r) -> (q, -q-r), which swaps directions 0 and
// 1, 2 and 5, 3 and 4.
func (h Hex) Mirror() Hex { return Hex{h.Q, -h.Q - h.R} }

func abs(n int) int { return max(n, -n) }

// NoCell is no cell.
const NoCell = -1

// A Geometry is the hexagon of one radius: all (q, r) with
// max(|q|, |r|, |q+r|) <= Radius. Cells are numbered from 0, r ascending, then
// q ascending, without gaps. It is shared and must not be changed.
type Geometry struct {
	Radius int
	Cells  int // 3*Radius*(Radius+1) + 1
	Side   int // 2*Radius + 1, rows and columns of the axial grid
	// Hexes is the place of each cell.
	Hexes []Hex
	// Neighbours is the cell in each direction of each cell, or NoCell.
	Neighbours [][Directions]int32
	// Grid is the cell at index (r+Radius)*Side + (q+Radius), or NoCell.
	Grid []int32
}

var geometries [MaxRadius + 1]struct {
	once sync.Once
	g    *Geometry
}

// GeometryOf is the hexagon of a radius in 0..MaxRadius.
func GeometryOf(radius int) *Geometry {
	slot := &geometries[radius]
	slot.once.Do(func() { slot.g = newGeometry(radius) })
	return slot.g
}

func newGeometry(radius int) *Geometry {
	g := &Geometry{Radius: radius, Cells: 3*radius*(radius+1) + 1, Side: 2*radius + 1}
	g.Grid = make([]int32, g.Side*g.Side)
	for r := -radius; r <= radius; r++ {
		for q := -radius; q <= radius; q++ {
			at := &g.Grid[(r+radius)*g.Side+q+radius]
			*at = NoCell
			if h := (Hex{q, r}); h.Length() <= radius {
				*at = int32(len(g.Hexes))
				g.Hexes = append(g.Hexes, h)
			}
		}
	}
	g.Neighbours = make([][Directions]int32, g.Cells)
	for cell, h := range g.Hexes {
		for d, step := range Step {
			g.Neighbours[cell][d] = int32(g.Cell(h.Add(step)))
		}
	}
	return g
}

// Cell is the number of the cell at a place, or NoCell off the board.
func (g *Geometry) Cell(h Hex) int {
	if h.Length() > g.Radius {
		return NoCell
	}
	return int(g.Grid[(h.R+g.Radius)*g.Side+h.Q+g.Radius])
}

// Distance is the hexes between two cells.
func (g *Geometry) Distance(a, b int) int { return g.Hexes[a].Sub(g.Hexes[b]).Length() }

// Toward is the direction of the first step from one cell to another: of the
// directions that lead nearer, the first that is scanned from home upwards,
// home, home+1, .. home+5 (mod 6). It is NoCell when the cells are one.
func (g *Geometry) Toward(from, to, home int) int {
	if from == to {
		return NoCell
	}
	delta := g.Hexes[to].Sub(g.Hexes[from])
	far := delta.Length()
	for i := range Directions {
		d := (home + i) % Directions
		if delta.Sub(Step[d]).Length() < far {
			return d
		}
	}
	panic("formica: no direction leads nearer")
}
