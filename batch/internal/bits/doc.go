// Package bits holds the row bitboard kernels of the fast engine: torus
// dilation by a disk, torus translation, packing and expansion of planes, and
// counts.
//
// # Planes
//
// A plane is one bit per cell of a board, a []uint64 of Words*Stride words in
// word-major order:
//
//	word w of row r is plane[w*Stride+r]; column c is bit c%64 of word c/64
//
//	            r=0   r=1   ...  r=Rows-1  0 (up to Stride)
//	columns 0..63    |    |    |          |   |
//	columns 64..127  |    |    |          |   |
//
// So eight neighbouring rows of the same columns are one vector. Bits beyond
// Cols and words of rows beyond Rows are always zero: every function relies on
// it and keeps it.
//
// # Levels
//
// Every kernel has a portable form (files *_generic.go) and, when built with
// GOEXPERIMENT=simd on amd64, vector forms for AVX2 and AVX-512
// (files *_simd_amd64.go). The level is chosen once, from the processor. All
// levels give identical bytes; the tests compare them with cell loops.
//
// Read shape.go first, then disk.go for the dilation plan, then kernels.go.
//
// Nothing here allocates, except NewDisk. Functions may be called from many
// goroutines at once on different planes. A slice shorter than its documented
// length is a bug of the caller and panics.
package bits
