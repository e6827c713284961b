// Where units may be heading: a wave spreads from what a seat may want to
// reach, and a unit's next step leads on when it goes where the wave came from.

package pack

import (
	"encoding/binary"
	"slices"
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
// every 64 columns of the board: word k of row r at k*stride+r, where stride is
// rows rounded up to a multiple of 8. Words of padding are 0.
type wave struct {
	board  Board
	words  int    // of a row
	stride int    // of a column
	last   uint64 // columns of a row's last word
	free   []uint64
	front  []uint64
	before []uint64 // the front of the level before
	units  []uint64
	levels [3][]uint64 // cells by the level that entered them, modulo 3
	spare  []uint64
	on     []uint8  // by unit: directions that lead on
	row    uint64   // 1<<40 over the board's stride, rounded up
	sides  []beside // by word of a row

	vectorWave // what the vector kernel keeps
}

// A beside tells which words hold the columns just west and east of a word, and
// how far their nearest column is from where it is needed.
type beside struct {
	west, east         int
	fromWest, fromEast uint
}

func newWave(b Board) wave {
	w := wave{board: b, words: (b.Cols + 63) / 64, stride: (b.Rows + 7) &^ 7, last: ^uint64(0) >> (-b.Cols & 63), row: 1<<40/uint64(b.Stride) + 1}
	for _, plane := range []*[]uint64{&w.free, &w.front, &w.before, &w.units, &w.levels[0], &w.levels[1], &w.levels[2]} {
		*plane = make([]uint64, w.words*w.stride)
	}
	w.spare = make([]uint64, b.Rows)
	wrap := uint(b.Cols-1) & 63
	for k := range w.words {
		side := beside{k - 1, k + 1, 63, 63}
		if k == 0 {
			side.west, side.fromWest = w.words-1, wrap
		}
		if k == w.words-1 {
			side.east, side.fromEast = 0, wrap
		}
		w.sides = append(w.sides, side)
	}
	w.prepare(&w)
	return w
}

// in is the columns of the board in word k of a row.
func (w *wave) in(k int) uint64 {
	if k == w.words-1 {
		return w.last
	}
	return ^uint64(0)
}

// column is word k of every row of a plane of the wave.
func (w *wave) column(plane []uint64, k int) []uint64 {
	return plane[k*w.stride:][:w.board.Rows]
}

// column reads word k of rows from `from` on of a packed plane, with columns past
// the board.
func (s *Sight) column(dst []uint64, plane []byte, k, from int) {
	at, r := from*s.Stride+8*k, from
	for ; r < len(dst) && at+8 <= len(plane); r++ {
		dst[r] = binary.LittleEndian.Uint64(plane[at:])
		at += s.Stride
	}
	for ; r < len(dst); r++ {
		var rest [8]byte
		copy(rest[:], plane[at:])
		dst[r] = binary.LittleEndian.Uint64(rest[:])
		at += s.Stride
	}
}

// place is where a cell is: its row and column.
func (w *wave) place(cell int32) (row, col int) {
	row = int(uint64(cell) * w.row >> 40)
	return row, int(cell) - row*w.board.Stride
}

// spread fills w.on for units on the given cells, which the seat sees.
func (w *wave) spread(cells []int32, s *Sight) {
	for _, cell := range cells {
		r, c := w.place(cell)
		w.units[c>>6*w.stride+r] |= 1 << (c & 63)
	}
	for _, plane := range w.levels {
		clear(plane)
	}
	left := true
	if flow.targets(w, s) {
		left = flow.run(w, 0, farLevel)
	}
	if left && flow.dark(w, s) {
		flow.run(w, farLevel, maxLevel)
	}
	w.on = slices.Grow(w.on[:0], len(cells))[:len(cells)]
	for i, cell := range cells {
		w.on[i] = w.leads(cell)
	}
	clear(w.units)
}

// rest fills w.on for so many units that are heading nowhere.
func (w *wave) rest(units int) {
	w.on = slices.Grow(w.on[:0], units)[:units]
	clear(w.on)
}

// leads tells which cells beside one were entered a level before it. Levels of
// cells beside each other, if both were entered, are one apart at most.
func (w *wave) leads(cell int32) uint8 {
	b := &w.board
	r, c := w.place(cell)
	north, south, west, east := r-1, r+1, c-1, c+1
	if r == 0 {
		north = b.Rows - 1
	}
	if south == b.Rows {
		south = 0
	}
	if c == 0 {
		west = b.Cols - 1
	}
	if east == b.Cols {
		east = 0
	}
	bit := func(plane []uint64, r, c int) uint8 { return uint8(plane[c>>6*w.stride+r] >> (c & 63) & 1) }
	zero, one, two := bit(w.levels[0], r, c), bit(w.levels[1], r, c), bit(w.levels[2], r, c)
	before := w.levels[(one+2*two+2)%3]
	on := bit(before, north, c) | bit(before, r, east)<<1 | bit(before, south, c)<<2 | bit(before, r, west)<<3
	return on & -(zero | one | two)
}
