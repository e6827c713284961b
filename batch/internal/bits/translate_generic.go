package bits

// Torus translation, portable form.

import "math/bits"

// translateGeneric is the portable form of Translation.Apply.
func translateGeneric(s *Shape, t translation, dst, src []uint64) {
	clear(dst)
	kept := s.Rows - t.down
	for w := range s.Words {
		column := dst[w*s.Stride:][:s.Rows]
		for _, p := range t.words[w].used() {
			from := src[int(p.word)*s.Stride:][:s.Rows]
			for r, x := range from[:kept] {
				column[t.down+r] |= bits.RotateLeft64(x, int(p.rot)) & p.mask
			}
			for r, x := range from[kept:] {
				column[r] |= bits.RotateLeft64(x, int(p.rot)) & p.mask
			}
		}
	}
}
