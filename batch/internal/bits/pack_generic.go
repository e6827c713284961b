package bits

// Packing and expansion, portable form.

import "encoding/binary"

// packRowsGeneric is the portable form of PackRows. A row's last word may
// spill over the row's end; the next row, or the slack, takes it.
func packRowsGeneric(dst []byte, rowBytes int, s *Shape, src []uint64) {
	for r := range s.Rows {
		row := dst[r*rowBytes:]
		for w := range s.Words {
			binary.LittleEndian.PutUint64(row[w*8:], src[w*s.Stride+r])
		}
		if rowBytes > s.Words*8 {
			clear(row[s.Words*8 : rowBytes])
		}
	}
}

// Eight cells at a time, by table: index bit i is element i.
var (
	eightU8  [256]uint64
	eightF32 [256][8]float32
	eightF16 [256][8]uint16
)

func init() {
	for b := range 256 {
		for i := range 8 {
			if b>>i&1 != 0 {
				eightU8[b] |= 1 << (8 * i)
				eightF32[b][i] = 1
				eightF16[b][i] = halfOne
			}
		}
	}
}

// expandU8Generic is the portable form of ExpandU8.
func expandU8Generic(dst []byte, rowLen int, s *Shape, src []uint64) {
	for r := range s.Rows {
		row := dst[r*rowLen:][:rowLen]
		for w := range s.Words {
			x := src[w*s.Stride+r]
			for end := min(len(row), wordBits); end > 0; end -= 8 {
				if end < 8 {
					for i := range end {
						row[i] = byte(x >> i & 1)
					}
					row = row[end:]
					break
				}
				binary.LittleEndian.PutUint64(row, eightU8[x&255])
				row, x = row[8:], x>>8
			}
		}
		clear(row)
	}
}

// expandF32Generic is the portable form of ExpandF32.
func expandF32Generic(dst []float32, rowLen int, s *Shape, src []uint64) {
	expandTable(dst, &eightF32, rowLen, s, src)
}

// expandF16Generic is the portable form of ExpandF16.
func expandF16Generic(dst []uint16, rowLen int, s *Shape, src []uint64) {
	expandTable(dst, &eightF16, rowLen, s, src)
}

// expandTable expands by a table of eight elements per byte.
func expandTable[T float32 | uint16](dst []T, eight *[256][8]T, rowLen int, s *Shape, src []uint64) {
	for r := range s.Rows {
		row := dst[r*rowLen:][:rowLen]
		for w := range s.Words {
			x := src[w*s.Stride+r]
			for end := min(len(row), wordBits); end > 0; end -= 8 {
				n := copy(row, eight[x&255][:])
				row, x = row[n:], x>>8
			}
		}
		clear(row)
	}
}
