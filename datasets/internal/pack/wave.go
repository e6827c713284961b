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
	hits   []uint8 // a bit a word: front and units have cells in common there
	// hitStride is the bytes of hits for a column of words: a multiple of 8.
	hitStride int
	spare     []uint64
	on        []uint8  // by cell: directions that lead on
	sides     []beside // by word of a row

	vectorWave // what the vector kernel keeps
}

// A beside tells which words hold the columns just west and east of a word, and
// how far their nearest column is from where it is needed.
type beside struct {
	west, east         int
	fromWest, fromEast uint
}

func newWave(b Board) wave {
	w := wave{board: b, words: (b.Cols + 63) / 64, stride: (b.Rows + 7) &^ 7, last: ^uint64(0) >> (-b.Cols & 63), on: make([]uint8, b.Rows*b.Stride)}
	for _, plane := range []*[]uint64{&w.free, &w.front, &w.before, &w.units} {
		*plane = make([]uint64, w.words*w.stride)
	}
	w.hitStride = (w.stride/8 + 7) &^ 7
	w.hits = make([]uint8, w.words*w.hitStride)
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

// spread fills w.on for the units on the given cells.
func (w *wave) spread(cells []int32, s *Sight) {
	stride := int32(w.board.Stride)
	row, begin := 0, int32(0)
	for _, cell := range cells {
		for cell-begin >= stride {
			row, begin = row+1, begin+stride
		}
		c := cell - begin
		w.units[int(c>>6)*w.stride+row] |= 1 << (c & 63)
		w.on[cell] = 0
	}
	live := flow.targets(w, s)
	level := 0
	if !live {
		level = farLevel
	}
	for left := len(cells); level < maxLevel && left > 0; {
		if level == farLevel {
			live = flow.dark(w, s)
		}
		if !live {
			if level >= farLevel {
				break
			}
			level = farLevel
			continue
		}
		bound := maxLevel
		if level < farLevel {
			bound = farLevel
		}
		var done int
		var hit bool
		done, live, hit = flow.run(w, bound-level)
		level += done
		if hit {
			left -= w.reach()
		}
	}
	clear(w.units)
}

// reach notes for the units that the front has reached where it came from, and
// counts them.
func (w *wave) reach() (n int) {
	end := w.board.Rows - 1
	for k := range w.words {
		side := &w.sides[k]
		own, beforeWest, beforeEast := w.column(w.before, k), w.column(w.before, side.west), w.column(w.before, side.east)
		front, units := w.column(w.front, k), w.column(w.units, k)
		hits := w.hits[k*w.hitStride:][:w.hitStride]
		for i := 0; i < len(hits); i += 8 {
			for lanes := binary.LittleEndian.Uint64(hits[i:]); lanes != 0; lanes &= lanes - 1 {
				r := 8*i + bits.TrailingZeros64(lanes)
				north, south := r-1, r+1
				if r == 0 {
					north = end
				}
				if r == end {
					south = 0
				}
				// Bit c of a word that is moved by a column is of the cell west, or
				// east, of c.
				here, up, down := own[r], own[north], own[south]
				toWest := here<<1 | beforeWest[r]>>(side.fromWest&63)&1
				toEast := here>>1 | beforeEast[r]&1<<(side.fromEast&63)
				on := w.on[r*w.board.Stride+64*k:]
				for hit := front[r] & units[r]; hit != 0; hit &= hit - 1 {
					c := uint(bits.TrailingZeros64(hit)) & 63
					on[c] = uint8(up>>c&1 | toEast>>c&1<<1 | down>>c&1<<2 | toWest>>c&1<<3)
					n++
				}
			}
		}
	}
	return n
}
