// What is remembered of a seat's units: the last orders of each, and the last
// order given on each cell.

package pack

// A Board is the grid that cells are numbered on: row*Stride+column. It wraps
// around in both axes.
type Board struct {
	Rows, Cols, Stride int
}

// A spot is what is remembered of a cell, in digits of three bits: the last
// order given on it, and, when a unit was sent there in the step before, that
// unit's last order, the one before, and the last that was another one.
type spot uint16

const (
	spotTrail  = 0
	spotLast   = 3
	spotBefore = 6
	spotOther  = 9
	spotEnd    = 12
	spotEdge   = 15 // the cell is in the first or last row or column

	spotHere = 7 << spotTrail
	spotKeep = spotHere | 1<<spotEdge
)

// track is one seat's memory.
type track struct {
	board Board
	spots []spot
	delta [8]int32  // from a cell to the one that an order leads to
	sent  []sending // of the step before
	next  []sending // scratch
}

// A sending is where a unit was sent, and its last orders in their place.
type sending struct {
	to     int32
	orders spot
}

func newTrack(b Board) track {
	stride := int32(b.Stride)
	t := track{board: b, spots: make([]spot, b.Rows*b.Stride), delta: [8]int32{-stride, 1, stride, -1}}
	for r := range b.Rows {
		for c := range b.Cols {
			if r == 0 || c == 0 || r == b.Rows-1 || c == b.Cols-1 {
				t.spots[r*b.Stride+c] = 1 << spotEdge
			}
		}
	}
	return t
}

func (t *track) reset() {
	for i := range t.spots {
		t.spots[i] &= 1 << spotEdge
	}
	t.sent = t.sent[:0]
}

// mark is the mark of a unit on a cell, with the directions that are not
// refused and those that lead on.
func (t *track) mark(cell int32, mask, on uint) mark { return newMark(t.spots[cell], mask, on) }

// move remembers a step's orders.
func (t *track) move(cells []int32, given []byte) {
	if cap(t.next) < len(cells) {
		t.next = make([]sending, len(cells)+len(cells)/2)
	}
	next := t.next[:len(cells)]
	given = given[:len(cells)]
	for i, cell := range cells {
		order := given[i] & 7
		s, digit := t.spots[cell], spot(order+1)
		to := cell + t.delta[order]
		if s>>spotEdge != 0 {
			to = t.wrapped(cell, order)
		}
		last, other := s>>spotLast&7, s>>spotOther&7
		if last != digit {
			other = last
		}
		next[i] = sending{to, digit<<spotLast | last<<spotBefore | other<<spotOther}
		t.spots[cell] = s&^spotHere | digit<<spotTrail
	}
	for _, s := range t.sent {
		t.spots[s.to] &= spotKeep
	}
	for _, s := range next {
		t.spots[s.to] = t.spots[s.to]&spotKeep | s.orders
	}
	t.sent, t.next = next, t.sent
}

// wrapped is the cell that an order leads to, round the edge if need be.
func (t *track) wrapped(cell int32, order byte) int32 {
	b := t.board
	r, c := int(cell)/b.Stride, int(cell)%b.Stride
	switch order {
	case 0:
		r = (r + b.Rows - 1) % b.Rows
	case 1:
		c = (c + 1) % b.Cols
	case 2:
		r = (r + 1) % b.Rows
	case 3:
		c = (c + b.Cols - 1) % b.Cols
	}
	return int32(r*b.Stride + c)
}
