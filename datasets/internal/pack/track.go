// What is remembered of a seat's units: the last two orders of each, and the
// last two orders given on each cell.

package pack

import "encoding/binary"

// A Board is the grid that cells are numbered on: row*Stride+column. It wraps
// around in both axes.
type Board struct {
	Rows, Cols, Stride int
}

// A spot is what is remembered of a cell: digits of three bits for the last
// and next to last order given on it, and, when a unit was sent there in the
// step before, for that unit's last and next to last order.
type spot uint16

const (
	spotTrail  = 0
	spotTrail2 = 3
	spotLast   = 6
	spotBefore = 9
	spotEdge   = 15 // the cell is in the first or last row or column

	spotHere = 7<<spotTrail | 7<<spotTrail2
	spotKeep = spotHere | 1<<spotEdge
)

// track is one seat's memory.
type track struct {
	board Board
	spots []spot
	delta [orders + 3]int32 // from a cell to the one that an order leads to
	sent  []sending         // of the step before
	next  []sending         // scratch
}

// A sending is where a unit was sent, and its last two orders in their place.
type sending struct {
	to     int32
	orders spot
}

func newTrack(b Board) track {
	stride := int32(b.Stride)
	t := track{board: b, spots: make([]spot, b.Rows*b.Stride), delta: [orders + 3]int32{-stride, 1, stride, -1}}
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

// marks appends the contexts of a step's units. mask has five flags a unit.
func (t *track) marks(dst []mark, cells []int32, mask []byte) []mark {
	for i, cell := range cells {
		s := uint(t.spots[cell])
		dst = append(dst, newMark(gather(mask[i*orders:]), s>>spotLast&7, s>>spotBefore&7, s>>spotTrail&7, s>>spotTrail2&7))
	}
	return dst
}

// masks appends marks without any context but the mask.
func masks(dst []mark, units int, mask []byte) []mark {
	for i := range units {
		dst = append(dst, mark(gather(mask[i*orders:]))<<markMask)
	}
	return dst
}

// gather makes four bits of the first four flags, which are 0 or 1.
func gather(flags []byte) uint {
	v := binary.LittleEndian.Uint32(flags) & 0x01010101
	return uint(v * (1<<24 | 1<<17 | 1<<10 | 1<<3) >> 24 & 15)
}

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
		next[i] = sending{to, digit<<spotLast | s>>spotLast&7<<spotBefore}
		t.spots[cell] = s&^spotHere | digit<<spotTrail | s>>spotTrail&7<<spotTrail2
	}
	for _, s := range t.sent {
		t.spots[s.to] &= spotKeep
	}
	for _, s := range next {
		t.spots[s.to] = t.spots[s.to]&spotKeep | s.orders
	}
	t.sent, t.next = next, t.sent
}

// wrapped is the cell that an order leads to from a cell on the edge.
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
