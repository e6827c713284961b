package bits

// Torus shifts, portable form.

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
	for w := range s.Words {
		g := &t.words[w]
		column := dst[w*s.Stride:][:s.Rows]
		kept := s.Rows - t.down
		for r := range column[t.down:] {
			column[t.down+r] = g.join(src[r:], s.Stride)
		}
		for r := range column[:t.down] {
			column[r] = g.join(src[kept+r:], s.Stride)
		}
	}
	clearPadding(s, dst)
}
