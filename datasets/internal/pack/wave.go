// Where units may be heading: a wave spreads from what a seat may want to
// reach, and a unit's next step leads on when it goes where the wave came from.

package pack

import (
	"encoding/binary"
	"math/bits"
)

// A Sight is what a seat sees before it orders: planes of one bit a cell, the
// lowest first, rows of Stride bytes.
type Sight struct {
	Stride  int
	Visible []byte // cells seen now
	Walls   []byte // cells known to refuse units for good
	Items   []byte // cells that refuse units now
	Targets []byte // what units go for
}

// farLevel is the level at which cells out of sight enter the wave; targets
// enter it at the first.
const farLevel = 8

// maxLevel bounds the wave.
const maxLevel = farLevel + 32

// A wave is the memory that waves spread in. A plane has a column of words for
// every 64 columns of the board: word k of row r at k*height+r+1, where height
// is rows+2. The first and last word of a column of the front repeat the rows at
// its other end.
type wave struct {
	board      Board
	words      int    // of a row
	height     int    // of a column
	last       uint64 // columns of a row's last word
	shut, dark []uint64
	front      []uint64
	next       []uint64
	units      []uint64
	on         []uint8 // by cell: directions that lead on
}

func newWave(b Board) wave {
	w := wave{board: b, words: (b.Cols + 63) / 64, height: b.Rows + 2, last: ^uint64(0) >> (-b.Cols & 63), on: make([]uint8, b.Rows*b.Stride)}
	for _, plane := range []*[]uint64{&w.shut, &w.dark, &w.front, &w.next, &w.units} {
		*plane = make([]uint64, w.words*w.height)
	}
	return w
}

// word reads word k of row r of a packed plane, with columns past the board.
func (s *Sight) word(plane []byte, r, k int) uint64 {
	at := r*s.Stride + 8*k
	if at+8 <= len(plane) {
		return binary.LittleEndian.Uint64(plane[at:])
	}
	var rest [8]byte
	copy(rest[:], plane[at:])
	return binary.LittleEndian.Uint64(rest[:])
}

// spread fills w.on for the units on the given cells.
func (w *wave) spread(cells []int32, s *Sight) {
	for _, cell := range cells {
		r, c := int(cell)/w.board.Stride, int(cell)%w.board.Stride
		w.units[c>>6*w.height+r+1] |= 1 << (c & 63)
		w.on[cell] = 0
	}
	left := len(cells)
	live := uint64(0)
	for k := range w.words {
		in := ^uint64(0)
		if k == w.words-1 {
			in = w.last
		}
		for r := range w.board.Rows {
			i := k*w.height + r + 1
			walls, targets := s.word(s.Walls, r, k), s.word(s.Targets, r, k)&in
			w.dark[i] = in &^ (walls | s.word(s.Visible, r, k))
			// Cells past the board and those that the wave has passed are shut.
			w.shut[i] = ^in | walls | s.word(s.Items, r, k) | targets
			w.front[i] = targets
			live |= targets
		}
	}
	level := 0
	if live == 0 {
		level = farLevel
	}
	for ; level < maxLevel && left > 0; level++ {
		if level == farLevel {
			live = 0
			for i, d := range w.dark {
				d &^= w.shut[i] &^ w.front[i]
				w.front[i] |= d
				w.shut[i] |= d
				live |= w.front[i]
			}
		}
		if live == 0 && level >= farLevel {
			break
		}
		for k := 0; k < len(w.front); k += w.height {
			column := w.front[k : k+w.height]
			column[0], column[w.height-1] = column[w.height-2], column[1]
		}
		live = 0
		for k := range w.words {
			live |= w.flow(k, &left)
		}
		w.front, w.next = w.next, w.front
	}
	clear(w.units)
}

// flow moves a column of the front on by a step into next.
func (w *wave) flow(k int, left *int) (live uint64) {
	column := func(plane []uint64, k int) []uint64 { return plane[k*w.height : (k+1)*w.height] }
	// What comes in from the columns beside it, or round the edge.
	wrap := uint(w.board.Cols-1) & 63
	before, after, fromBefore, fromAfter := k-1, k+1, uint(63), uint(63)
	if before < 0 {
		before, fromBefore = w.words-1, wrap
	}
	if after == w.words {
		after, fromAfter = 0, wrap
	}
	front := column(w.front, k)
	n := len(front) - 2
	up, here, down := front[:n], front[1:][:n], front[2:][:n]
	west, east := column(w.front, before)[1:][:n], column(w.front, after)[1:][:n]
	shut, units, next := column(w.shut, k)[1:][:n], column(w.units, k)[1:][:n], column(w.next, k)[1:][:n]
	for r, x := range here {
		to := (up[r] | down[r] | x<<1 | x>>1 | west[r]>>(fromBefore&63)&1 | east[r]&1<<(fromAfter&63)) &^ shut[r]
		shut[r] |= to
		next[r] = to
		live |= to
		if hit := to & units[r]; hit != 0 {
			w.reach(r, k, hit)
			*left -= bits.OnesCount64(hit)
		}
	}
	return live
}

// reach notes for units that the wave has reached where it came from.
func (w *wave) reach(r, k int, hit uint64) {
	at := func(r, c int) uint8 { return uint8(w.front[c>>6*w.height+r] >> (c & 63) & 1) }
	for ; hit != 0; hit &= hit - 1 {
		c := 64*k + bits.TrailingZeros64(hit)
		east, west := c+1, c-1
		if east == w.board.Cols {
			east = 0
		}
		if west < 0 {
			west = w.board.Cols - 1
		}
		w.on[r*w.board.Stride+c] = at(r, c) | at(r+1, east)<<1 | at(r+2, c)<<2 | at(r+1, west)<<3
	}
}
