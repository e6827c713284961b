package bits

// Torus shifts.

import "fmt"

// Directions of Shift, in the channel order of the action heads.
const (
	North = iota
	East
	South
	West
)

// Shift moves every cell of src one step in direction dir and writes dst:
// north sets (r, c) from (r+1, c), east from (r, c-1), south from (r-1, c),
// west from (r, c+1). dst and src must not overlap, except that East and West
// allow dst to be src.
func Shift(s *Shape, dst, src []uint64, dir int) {
	n := s.PlaneWords()
	dst, src = dst[:n], src[:n]
	switch dir {
	case North:
		for at := 0; at < n; at += s.Stride {
			copy(dst[at:at+s.Stride], src[at+1:at+s.Rows])
			dst[at+s.Rows-1] = src[at]
			clear(dst[at+s.Rows : at+s.Stride])
		}
	case South:
		for at := 0; at < n; at += s.Stride {
			copy(dst[at+1:at+s.Stride], src[at:at+s.Stride])
			dst[at] = src[at+s.Rows-1]
			clear(dst[at+s.Rows : at+s.Stride])
		}
	case East:
		active.shiftEast(s, dst, src)
	case West:
		active.shiftWest(s, dst, src)
	default:
		panic(fmt.Sprintf("bits: direction %d", dir))
	}
}

// Translation is the plan of a move of whole boards of one shape. It is read
// only and may be shared.
type Translation struct {
	shape Shape
	plan  translation
}

// translation is the part of the plan that kernels take, small enough to pass
// by value.
type translation struct {
	down  int // rows, 0..Rows-1
	words [MaxWords]gathering
}

// NewTranslation plans the move by dr rows south and dc columns east, wrapped.
// Any dr and dc will do.
func NewTranslation(s Shape, dr, dc int) *Translation {
	return &Translation{shape: s, plan: planTranslation(&s, dr, dc)}
}

// Apply writes the cells of src, moved, to dst: dst (r+dr, c+dc) = src (r, c).
// dst and src must not overlap.
func (t *Translation) Apply(dst, src []uint64) {
	n := t.shape.PlaneWords()
	active.translate(&t.shape, t.plan, dst[:n], src[:n])
}

// Translate is NewTranslation and Apply at once, for a move that is made once.
func Translate(s *Shape, dst, src []uint64, dr, dc int) {
	n := s.PlaneWords()
	active.translate(s, planTranslation(s, dr, dc), dst[:n], src[:n])
}

// planTranslation plans a move: bit 0 of each word comes from dc columns to
// the west of it.
func planTranslation(s *Shape, dr, dc int) translation {
	t := translation{down: wrap(dr, s.Rows)}
	east := wrap(dc, s.Cols)
	for w := range s.Words {
		t.words[w] = gather(s, w*wordBits-east, min(wordBits, s.Cols-w*wordBits))
	}
	for i := range maxPieces {
		t.words[s.Words-1].pieces[i].mask &= s.Last
	}
	return t
}

// wrap returns v modulo n, 0..n-1.
func wrap(v, n int) int {
	v %= n
	if v < 0 {
		v += n
	}
	return v
}
