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
const maxLevel = 128

// A wave is the memory that waves spread in. Planes have words*rows words: word
// w of row r at r*words+w.
type wave struct {
	board      Board
	words      int
	last       uint64 // columns of a row's last word
	shut, dark []uint64
	front      []uint64
	next       []uint64
	units      []uint64
	on         []uint8 // by cell: directions that lead on
}

func newWave(b Board) wave {
	words := (b.Cols + 63) / 64
	plane := func() []uint64 { return make([]uint64, words*b.Rows) }
	last := ^uint64(0) >> (-b.Cols & 63)
	return wave{board: b, words: words, last: last, shut: plane(), dark: plane(), front: plane(), next: plane(), units: plane(), on: make([]uint8, b.Rows*b.Stride)}
}

// word reads word w of row r of a packed plane, with columns past the board.
func (s *Sight) word(plane []byte, r, w int) uint64 {
	at := r*s.Stride + 8*w
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
		w.units[r*w.words+c/64] |= 1 << (c % 64)
		w.on[cell] = 0
	}
	left := len(cells)
	live := uint64(0)
	for r := range w.board.Rows {
		for k := range w.words {
			i := r*w.words + k
			in := ^uint64(0)
			if k == w.words-1 {
				in = w.last
			}
			walls, targets := s.word(s.Walls, r, k), s.word(s.Targets, r, k)&in
			w.dark[i] = in &^ (walls | s.word(s.Visible, r, k))
			w.shut[i] = walls | s.word(s.Items, r, k) | targets
			w.front[i] = targets
			live |= targets
		}
	}
	level := 0
	if live == 0 {
		level = farLevel
	}
	// Cells that the wave has passed are shut to it.
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
		if w.words == 1 {
			live = w.flow1(&left)
		} else {
			live = w.flow(&left)
		}
		w.front, w.next = w.next, w.front
	}
	clear(w.units)
}

// flow1 is flow for boards of one word a row.
func (w *wave) flow1(left *int) (live uint64) {
	rows, wrap := w.board.Rows, uint(w.board.Cols-1)
	front := w.front[:rows]
	shut, units, next := w.shut[:rows], w.units[:rows], w.next[:rows]
	up := front[rows-1]
	for r, x := range front {
		down := front[0]
		if r+1 < rows {
			down = front[r+1]
		}
		n := uint64(0)
		if up|x|down != 0 {
			n = (up | down | x<<1 | x>>1 | x>>wrap | x&1<<wrap) & w.last &^ shut[r]
			shut[r] |= n
			live |= n
			if hit := n & units[r]; hit != 0 {
				w.reach(r, 0, hit)
				*left -= bits.OnesCount64(hit)
			}
		}
		next[r] = n
		up = x
	}
	return live
}

// flow moves the front on by a step into next.
func (w *wave) flow(left *int) (live uint64) {
	rows, words := w.board.Rows, w.words
	for r := range rows {
		up, down := w.front[(r+rows-1)%rows*words:][:words], w.front[(r+1)%rows*words:][:words]
		row := w.front[r*words:][:words]
		for k, x := range row {
			n := up[k] | down[k] | x<<1 | x>>1
			if k > 0 {
				n |= row[k-1] >> 63
			} else {
				n |= row[words-1] >> ((w.board.Cols - 1) % 64) & 1
			}
			if k < words-1 {
				n |= row[k+1] << 63
			} else {
				n = (n | row[0]&1<<((w.board.Cols-1)%64)) & w.last
			}
			i := r*words + k
			n &^= w.shut[i]
			w.shut[i] |= n
			w.next[i] = n
			live |= n
			if hit := n & w.units[i]; hit != 0 {
				w.reach(r, k, hit)
				*left -= bits.OnesCount64(hit)
			}
		}
	}
	return live
}

// reach notes for units that the wave has reached where it came from.
func (w *wave) reach(r, k int, hit uint64) {
	rows, cols := w.board.Rows, w.board.Cols
	at := func(r, c int) uint8 { return uint8(w.front[r*w.words+c/64] >> (c % 64) & 1) }
	north, south := r-1, r+1
	if north < 0 {
		north = rows - 1
	}
	if south == rows {
		south = 0
	}
	for ; hit != 0; hit &= hit - 1 {
		c := 64*k + bits.TrailingZeros64(hit)
		east, west := c+1, c-1
		if east == cols {
			east = 0
		}
		if west < 0 {
			west = cols - 1
		}
		w.on[r*w.board.Stride+c] = at(north, c) | at(r, east)<<1 | at(south, c)<<2 | at(r, west)<<3
	}
}
