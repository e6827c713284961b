package bits

// Planes to packed rows and to dense values.

// PackSlack is the number of bytes after the last packed row that PackRows
// may overwrite.
const PackSlack = 64

// PackRows writes the rows of src one after another, each rowBytes bytes:
// column c is bit c%8 of byte c/8, bytes beyond the columns are zero.
// rowBytes >= ceil(Cols/8). len(dst) >= Rows*rowBytes+PackSlack; the slack may
// be overwritten with anything, so a caller that packs planes side by side
// does so in ascending order, and clears rows of padding afterwards.
func PackRows(dst []byte, rowBytes int, s *Shape, src []uint64) {
	if rowBytes*8 < s.Cols {
		panic("bits: packed rows are shorter than the board's")
	}
	active.packRows(dst[:s.Rows*rowBytes+PackSlack], rowBytes, s, src[:s.PlaneWords()])
}

// ExpandU8 writes one byte per cell, 0 or 1: row r is dst[r*rowLen:(r+1)*rowLen],
// of which the elements beyond Cols are 0. rowLen >= Cols and
// len(dst) >= Rows*rowLen; nothing beyond is written.
func ExpandU8(dst []byte, rowLen int, s *Shape, src []uint64) {
	active.expandU8(dst[:expanded(s, rowLen)], rowLen, s, src[:s.PlaneWords()])
}

// ExpandF32 is ExpandU8 to float32.
func ExpandF32(dst []float32, rowLen int, s *Shape, src []uint64) {
	active.expandF32(dst[:expanded(s, rowLen)], rowLen, s, src[:s.PlaneWords()])
}

// ExpandF16 is ExpandU8 to the bits of IEEE half floats.
func ExpandF16(dst []uint16, rowLen int, s *Shape, src []uint64) {
	active.expandF16(dst[:expanded(s, rowLen)], rowLen, s, src[:s.PlaneWords()])
}

// halfOne is 1.0 as an IEEE half float.
const halfOne = 0x3C00

// expanded is the number of elements of a dense plane.
func expanded(s *Shape, rowLen int) int {
	if rowLen < s.Cols {
		panic("bits: dense rows are shorter than the board's")
	}
	return s.Rows * rowLen
}
