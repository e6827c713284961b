// A picture: what there is to see on each cell.

package draw

// kind is what a cell shows. Higher kinds hide lower ones.
type kind uint8

const (
	off kind = iota // no cell of the board
	unseen
	remembered
	land
	water
	held
	scent
	ruin
	death
	food
	hill
	ant
	antOnHill
	kinds
)

// thing is one cell of a picture.
type thing struct {
	kind kind
	seat uint8 // of hill, ant, antOnHill and held
	n    uint8 // how many there are, shown on boards of hexes
	// ground is 1 + the seat that holds the cell, 0 for none: what stands there
	// is drawn on its colour.
	ground uint8
}

// char is the character that a thing is drawn with.
func (t thing) char() byte {
	switch t.kind {
	case hill, held:
		return '0' + t.seat
	case ant:
		return 'a' + t.seat
	case antOnHill:
		return 'A' + t.seat
	}
	return " ?,.%0~x!*"[t.kind]
}

// count is the character after it on a board of hexes.
func (t thing) count() byte {
	switch {
	case t.n == 0 || t.n == 1 && t.kind != food && t.kind != scent:
		return ' '
	case t.n > 9:
		return '+'
	}
	return '0' + t.n
}

// A Picture is a board at one moment, ready to be drawn.
type Picture struct {
	rows, cols int
	// hex: rows and columns are axial, r and q from -radius. Each row is shown
	// half a cell further right than the one above it, a cell two characters
	// wide.
	hex    bool
	radius int
	scale  int // cells of the board per cell of the picture and axis
	cells  []thing
}

func newPicture(rows, cols int) *Picture {
	p := &Picture{rows: rows, cols: cols, scale: 1, cells: make([]thing, rows*cols)}
	for i := range p.cells {
		p.cells[i].kind = unseen
	}
	return p
}

// newHexes is a picture of a hexagon, its cells unseen.
func newHexes(radius int) *Picture {
	side := 2*radius + 1
	p := &Picture{rows: side, cols: side, hex: true, radius: radius, scale: 1, cells: make([]thing, side*side)}
	for i := range p.cells {
		if r, q := i/side-radius, i%side-radius; q+r >= -radius && q+r <= radius {
			p.cells[i].kind = unseen
		}
	}
	return p
}

// Size is the picture's extent in characters, without coordinates.
func (p *Picture) Size() (rows, cols int) {
	if !p.hex {
		return p.rows, p.cols
	}
	left, right := p.edges()
	return p.rows, right - left
}

// edges are the least and, past the end, the greatest position of what is shown
// of a board of hexes: column j of row i begins at 2*j + i.
func (p *Picture) edges() (left, right int) {
	left, right = 2*p.cols+p.rows, 0
	for i, t := range p.cells {
		if t.kind != off {
			x := 2*(i%p.cols) + i/p.cols
			left, right = min(left, x), max(right, x+2)
		}
	}
	return left, right
}

// put shows a thing unless the cell shows a higher one.
func (p *Picture) put(cell int32, k kind, seat uint8) {
	if t := &p.cells[cell]; k > t.kind {
		*t = thing{kind: k, seat: seat, ground: t.ground}
	}
}

// putAnt shows an ant; on its own hill the two are one character. An ant on a
// hill of another seat hides it.
func (p *Picture) putAnt(cell int32, seat uint8) {
	if t := &p.cells[cell]; t.kind == hill && t.seat == seat {
		t.kind = antOnHill
	} else {
		*t = thing{kind: ant, seat: seat}
	}
}
