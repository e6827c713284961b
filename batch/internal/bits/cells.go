package bits

// The set cells of a plane as a list.

import "math/bits"

// cellBurst is how many cells Cells writes for a word before it looks at how
// many there are: most words hold few, and a fixed count needs no branch.
const cellBurst = 2

// Cells writes the set cells of src to dst in row-major order, each as
// row*width+column, and returns how many there are. dst must have room for
// them; elements after the last cell may be overwritten.
func Cells(dst []int32, s *Shape, src []uint64, width int) int {
	src = src[:s.PlaneWords()]
	n := 0
	for r := range s.Rows {
		base := int32(r * width)
		for at := r; at < len(src); at += s.Stride {
			x := src[at]
			if x != 0 {
				if n+cellBurst <= len(dst) {
					burst := dst[n : n+cellBurst]
					y := x & (x - 1)
					burst[0] = base + int32(bits.TrailingZeros64(x))
					burst[1] = base + int32(bits.TrailingZeros64(y))
					if y&(y-1) == 0 {
						n++
						if y != 0 {
							n++
						}
						base += wordBits
						continue
					}
				}
				for ; x != 0; x &= x - 1 {
					dst[n] = base + int32(bits.TrailingZeros64(x))
					n++
				}
			}
			base += wordBits
		}
	}
	return n
}
