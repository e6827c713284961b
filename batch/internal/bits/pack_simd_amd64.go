//go:build goexperiment.simd && amd64

package bits

// Packing and expansion, vector forms. Reference: pack_generic.go.

import (
	"simd/archsimd"
	"unsafe"
)

// packIndex[n] picks the bytes of eight packed rows of n bytes, in order, out
// of eight first words and eight second words (from 64 on).
var packIndex = func() (index [17][128]uint8) {
	for n := 1; n < len(index); n++ {
		for i := range 8 * n {
			row, b := i/n, i%n
			index[n][i] = uint8(b/8*64 + row*8 + b%8)
		}
	}
	return index
}()

// packRowsVBMI is packRowsGeneric, eight rows of up to 16 bytes at a time.
func packRowsVBMI(dst []byte, rowBytes int, s *Shape, src []uint64) {
	if rowBytes >= len(packIndex) {
		packRowsGeneric(dst, rowBytes, s, src)
		return
	}
	in, out := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	index := unsafe.Pointer(&packIndex[rowBytes])
	pick := load8(index, 0).AsUint8x64()
	if rowBytes <= 8 {
		for row := 0; row < s.Rows; row += 8 {
			x := load8(in, row).AsUint8x64().Permute(pick)
			store8(unsafe.Add(out, row*rowBytes), 0, x.AsUint64x8())
		}
		archsimd.ClearAVXUpperBits()
		return
	}
	pickRest := load8(index, 8).AsUint8x64()
	for row := 0; row < s.Rows; row += 8 {
		x := load8(in, row).AsUint8x64()
		var y archsimd.Uint8x64
		if s.Words > 1 {
			y = load8(in, s.Stride+row).AsUint8x64()
		}
		at := unsafe.Add(out, row*rowBytes)
		store8(at, 0, x.ConcatPermute(y, pick).AsUint64x8())
		// The second vector of the last rows fits the slack only if it
		// holds some of them.
		if (s.Rows-row)*rowBytes > 64 {
			store8(at, 8, x.ConcatPermute(y, pickRest).AsUint64x8())
		}
	}
	archsimd.ClearAVXUpperBits()
}

// The expansions write whole vectors. Words go from the last to the first, so
// that what goes past a row's end is overwritten by the next row's first word.
// The last rows, where that would leave dst, are left to expandTable.

// wholeRows is the number of rows that can be written in vectors of n elements.
func wholeRows(s *Shape, rowLen, n int) int {
	spill := (rowLen+n-1)/n*n - rowLen
	return max(s.Rows-(spill+rowLen-1)/rowLen, 0)
}

// expandU8AVX512 is expandU8Generic.
func expandU8AVX512(dst []byte, rowLen int, s *Shape, src []uint64) {
	const n = 64
	out := unsafe.Pointer(unsafe.SliceData(dst))
	one := archsimd.BroadcastUint8x64(1)
	var zero archsimd.Uint8x64
	whole := wholeRows(s, rowLen, n)
	for at := s.Words * wordBits; at < rowLen; at += n {
		for r := range whole {
			zero.Store((*[n]byte)(unsafe.Add(out, (r*rowLen + at))))
		}
	}
	for w := s.Words - 1; w >= 0; w-- {
		in := unsafe.Pointer(&src[w*s.Stride])
		to := unsafe.Add(out, w*wordBits)
		for r := range whole {
			x := *(*uint64)(unsafe.Add(in, r*8))
			one.Masked(archsimd.Mask8x64FromBits(x)).Store((*[n]byte)(unsafe.Add(to, r*rowLen)))
		}
	}
	archsimd.ClearAVXUpperBits()
	expandTable(dst, &eightU8, rowLen, s, src, whole)
}

// expandF16AVX512 is expandF16Generic.
func expandF16AVX512(dst []uint16, rowLen int, s *Shape, src []uint64) {
	const n = 32
	out := unsafe.Pointer(unsafe.SliceData(dst))
	one := archsimd.BroadcastUint16x32(halfOne)
	var zero archsimd.Uint16x32
	whole := wholeRows(s, rowLen, n)
	for at := s.Words * wordBits; at < rowLen; at += n {
		for r := range whole {
			zero.Store((*[n]uint16)(unsafe.Add(out, (r*rowLen+at)*2)))
		}
	}
	for w := s.Words - 1; w >= 0; w-- {
		in := unsafe.Pointer(&src[w*s.Stride])
		to, size := unsafe.Add(out, w*wordBits*2), min(rowLen-w*wordBits, wordBits)
		for r := range whole {
			x := *(*uint64)(unsafe.Add(in, r*8))
			at := unsafe.Add(to, r*rowLen*2)
			for k := 0; k < size; k += n {
				one.Masked(archsimd.Mask16x32FromBits(uint32(x))).Store((*[n]uint16)(unsafe.Add(at, k*2)))
				x >>= n
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	expandTable(dst, &eightF16, rowLen, s, src, whole)
}

// expandF32AVX512 is expandF32Generic.
func expandF32AVX512(dst []float32, rowLen int, s *Shape, src []uint64) {
	const n = 16
	out := unsafe.Pointer(unsafe.SliceData(dst))
	one := archsimd.BroadcastFloat32x16(1)
	var zero archsimd.Float32x16
	whole := wholeRows(s, rowLen, n)
	for at := s.Words * wordBits; at < rowLen; at += n {
		for r := range whole {
			zero.Store((*[n]float32)(unsafe.Add(out, (r*rowLen+at)*4)))
		}
	}
	for w := s.Words - 1; w >= 0; w-- {
		in := unsafe.Pointer(&src[w*s.Stride])
		to, size := unsafe.Add(out, w*wordBits*4), min(rowLen-w*wordBits, wordBits)
		for r := range whole {
			x := *(*uint64)(unsafe.Add(in, r*8))
			at := unsafe.Add(to, r*rowLen*4)
			for k := 0; k < size; k += n {
				one.Masked(archsimd.Mask32x16FromBits(uint16(x))).Store((*[n]float32)(unsafe.Add(at, k*4)))
				x >>= n
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	expandTable(dst, &eightF32, rowLen, s, src, whole)
}
