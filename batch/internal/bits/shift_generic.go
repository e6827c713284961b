package bits

// Torus shifts, portable form.

import "math/bits"

// shiftEastGeneric is the portable form of Shift east.
func shiftEastGeneric(s *Shape, dst, src []uint64) {
	top := uint(s.lastBits() - 1)
	last := (s.Words - 1) * s.Stride
	for r := range s.Rows {
		carry := src[last+r] >> top
		for at := r; at < len(src); at += s.Stride {
			x := src[at]
			dst[at] = x<<1 | carry
			carry = x >> (wordBits - 1)
		}
		dst[last+r] &= s.Last
	}
	clearPadding(s, dst)
}

// shiftWestGeneric is the portable form of Shift west.
func shiftWestGeneric(s *Shape, dst, src []uint64) {
	top := uint(s.lastBits() - 1)
	last := (s.Words - 1) * s.Stride
	for r := range s.Rows {
		carry := src[r] & 1 << top
		for at := last + r; at >= 0; at -= s.Stride {
			x := src[at]
			dst[at] = x>>1 | carry
			carry = x << (wordBits - 1)
		}
	}
	clearPadding(s, dst)
}

// translateGeneric is the portable form of Translate.
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
