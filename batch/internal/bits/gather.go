package bits

// Any run of up to 64 neighbouring columns of a torus row, as one word.

// maxPieces is the most row words that 64 columns can touch: a row's last word
// may be short, and so lie whole between its neighbours.
const maxPieces = 3

// gathering lists the row words that make up a run of columns.
type gathering struct {
	pieces [maxPieces]piece // unused ones have mask 0
	n      uint8            // pieces in use
}

// piece is one row word shifted into place, as a rotation and a mask.
type piece struct {
	mask uint64
	word uint8
	rot  uint8 // to the left, 0..63
}

// used returns the pieces in use.
func (g *gathering) used() []piece { return g.pieces[:g.n] }

// gather plans the n columns (1..64) from column first, wrapped:
// -Cols < first < Cols and first+n <= 2*Cols. Bits beyond n are undefined.
func gather(s *Shape, first, n int) gathering {
	var g gathering
	for turn := -1; turn <= 1; turn++ {
		for w := range s.Words {
			width := min(wordBits, s.Cols-w*wordBits)
			at := w*wordBits + turn*s.Cols - first
			if at >= n || at+width <= 0 {
				continue
			}
			p := piece{word: uint8(w), rot: uint8(at & (wordBits - 1))}
			if at >= 0 {
				p.mask = ^uint64(0) << uint(at)
			} else {
				p.mask = ^uint64(0) >> uint(-at)
			}
			g.pieces[g.n] = p
			g.n++
		}
	}
	return g
}
