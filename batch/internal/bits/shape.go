package bits

// The geometry of a board's planes.

import "fmt"

const (
	// MaxSide is the largest number of rows or columns.
	MaxSide = 255
	// MaxWords is the number of words in a row of MaxSide columns.
	MaxWords = (MaxSide + wordBits - 1) / wordBits

	wordBits = 64
	// lanes is the multiple to which Stride is rounded: the number of words
	// in the widest vector.
	lanes = 8
)

// Shape is the geometry of one board's planes. The zero value is not valid;
// use NewShape.
type Shape struct {
	Rows, Cols int    // 1..MaxSide
	Words      int    // words per row, ceil(Cols/64), 1..MaxWords
	Stride     int    // words per column of words: Rows rounded up to a multiple of 8
	Last       uint64 // mask of the valid bits of a row's last word
}

// NewShape returns the shape of a board. It panics unless both sides are in
// 1..MaxSide.
func NewShape(rows, cols int) Shape {
	if rows < 1 || rows > MaxSide || cols < 1 || cols > MaxSide {
		panic(fmt.Sprintf("bits: board of %d rows and %d columns, want 1..%d each", rows, cols, MaxSide))
	}
	words := (cols + wordBits - 1) / wordBits
	return Shape{
		Rows:   rows,
		Cols:   cols,
		Words:  words,
		Stride: roundUp(rows),
		Last:   ^uint64(0) >> uint(words*wordBits-cols),
	}
}

// PlaneWords is the length of a plane.
func (s *Shape) PlaneWords() int { return s.Words * s.Stride }

// Locate returns the index of the word that holds cell (row, col), and the
// cell's bit in it. 0 <= row < Rows, 0 <= col < Cols.
func (s *Shape) Locate(row, col int) (word int, bit uint64) {
	return (col/wordBits)*s.Stride + row, 1 << uint(col%wordBits)
}

// Neighbours tells where the columns just west and east of row word w are: in
// which words, and which shifts to the right and to the left bring the one
// before to bit 0 and the one after to the word's last bit. mask is the word's
// valid bits.
func (s *Shape) Neighbours(w int) (west, east int, fromWest, fromEast uint, mask uint64) {
	west, east, fromWest, fromEast, mask = w-1, w+1, wordBits-1, wordBits-1, ^uint64(0)
	if w == 0 {
		west, fromWest = s.Words-1, uint(s.lastBits()-1)
	}
	if w == s.Words-1 {
		east, fromEast, mask = 0, uint(s.lastBits()-1), s.Last
	}
	return west, east, fromWest, fromEast, mask
}

// lastBits is the number of valid bits of a row's last word, 1..64.
func (s *Shape) lastBits() int { return s.Cols - (s.Words-1)*wordBits }

// roundUp rounds a row count up to whole vectors.
func roundUp(rows int) int { return (rows + lanes - 1) &^ (lanes - 1) }
