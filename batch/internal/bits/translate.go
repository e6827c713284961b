package bits

// Torus translation.

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
