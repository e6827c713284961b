package bits

// Packing and expansion, portable form.

import "encoding/binary"

// packRowsGeneric is the portable form of PackRows. A row's last word may
// spill over the row's end; the next row's first word, written later, or the
// slack takes that.
func packRowsGeneric(dst []byte, rowBytes int, s *Shape, src []uint64) {
	if rowBytes > s.Words*8 {
		clear(dst[:s.Rows*rowBytes])
	}
	for w := s.Words - 1; w >= 0; w-- {
		out := dst[w*8:]
		for _, x := range src[w*s.Stride:][:s.Rows] {
			binary.LittleEndian.PutUint64(out, x)
			out = out[rowBytes:]
		}
	}
}

// Eight cells at a time, by table: index bit i is element i.
var (
	eightU8  = eight[uint8](1)
	eightF16 = eight[uint16](halfOne)
	eightF32 = eight[float32](1)
)

// eight returns the elements of every byte.
func eight[T uint8 | uint16 | float32](one T) (table [256][8]T) {
	for b := range table {
		for i := range 8 {
			if b>>i&1 != 0 {
				table[b][i] = one
			}
		}
	}
	return table
}

// expandU8Generic is the portable form of ExpandU8.
func expandU8Generic(dst []byte, rowLen int, s *Shape, src []uint64) {
	expandTable(dst, &eightU8, rowLen, s, src, 0)
}

// expandF32Generic is the portable form of ExpandF32.
func expandF32Generic(dst []float32, rowLen int, s *Shape, src []uint64) {
	expandTable(dst, &eightF32, rowLen, s, src, 0)
}

// expandF16Generic is the portable form of ExpandF16.
func expandF16Generic(dst []uint16, rowLen int, s *Shape, src []uint64) {
	expandTable(dst, &eightF16, rowLen, s, src, 0)
}

// expandTable expands the rows from first on, by a table.
func expandTable[T uint8 | uint16 | float32](dst []T, eight *[256][8]T, rowLen int, s *Shape, src []uint64, first int) {
	for r := first; r < s.Rows; r++ {
		row := dst[r*rowLen:][:rowLen]
		for w := range s.Words {
			x := src[w*s.Stride+r]
			n := min(len(row), wordBits)
			for part := row[:n]; ; part = part[8:] {
				if len(part) < 8 {
					copy(part, eight[x&255][:])
					break
				}
				*(*[8]T)(part) = eight[x&255]
				x >>= 8
			}
			row = row[n:]
		}
		clear(row)
	}
}
