// A picture: what there is to see on each cell.

package draw

// kind is what a cell shows. Higher kinds hide lower ones.
type kind uint8

const (
	unseen kind = iota
	remembered
	land
	water
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
	seat uint8 // of hill, ant and antOnHill
}

// char is the character that a thing is drawn with.
func (t thing) char() byte {
	switch t.kind {
	case hill:
		return '0' + t.seat
	case ant:
		return 'a' + t.seat
	case antOnHill:
		return 'A' + t.seat
	}
	return "?,.%x!*"[t.kind]
}

// A Picture is a board at one moment, ready to be drawn.
type Picture struct {
	rows, cols int
	scale      int // cells of the board per cell of the picture and axis
	cells      []thing
}

func newPicture(rows, cols int) *Picture {
	return &Picture{rows: rows, cols: cols, scale: 1, cells: make([]thing, rows*cols)}
}

// Size is the picture's extent in characters, without coordinates.
func (p *Picture) Size() (rows, cols int) { return p.rows, p.cols }

// put shows a thing unless the cell shows a higher one.
func (p *Picture) put(cell int32, k kind, seat uint8) {
	if t := &p.cells[cell]; k > t.kind {
		*t = thing{k, seat}
	}
}

// putAnt shows an ant; on its own hill the two are one character. An ant on a
// hill of another seat hides it.
func (p *Picture) putAnt(cell int32, seat uint8) {
	if t := &p.cells[cell]; t.kind == hill && t.seat == seat {
		t.kind = antOnHill
	} else {
		*t = thing{ant, seat}
	}
}
