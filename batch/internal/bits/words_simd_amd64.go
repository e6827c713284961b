//go:build goexperiment.simd && amd64

package bits

// Word by word operations, vector forms. Reference: words_generic.go.

import (
	"simd/archsimd"
	"unsafe"
)

// countAVX512 is countGeneric.
func countAVX512(src []uint64) int {
	in := unsafe.Pointer(unsafe.SliceData(src))
	var sum archsimd.Uint64x8
	i := 0
	for ; i+8 <= len(src); i += 8 {
		sum = sum.Add(load8(in, i).OnesCount())
	}
	return total(sum) + countGeneric(src[i:])
}

// orIntoAVX512 is orIntoGeneric.
func orIntoAVX512(dst, src []uint64) int {
	in, out := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst))
	var sum archsimd.Uint64x8
	i := 0
	for ; i+8 <= len(src); i += 8 {
		x, old := load8(in, i), load8(out, i)
		sum = sum.Add(x.AndNot(old).OnesCount())
		store8(out, i, x.Or(old))
	}
	return total(sum) + orIntoGeneric(dst[i:], src[i:])
}

// total adds up the lanes, and ends the use of vectors.
func total(x archsimd.Uint64x8) int {
	y := x.GetLo().Add(x.GetHi())
	z := y.GetLo().Add(y.GetHi())
	n := int(z.GetElem(0) + z.GetElem(1))
	archsimd.ClearAVXUpperBits()
	return n
}

// orAVX512 is orGeneric.
func orAVX512(dst, a, b []uint64) {
	pa, pb, out := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.SliceData(dst))
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		store8(out, i, load8(pa, i).Or(load8(pb, i)))
	}
	archsimd.ClearAVXUpperBits()
	orGeneric(dst[i:], a[i:], b[i:])
}

// orAVX2 is orGeneric.
func orAVX2(dst, a, b []uint64) {
	pa, pb, out := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.SliceData(dst))
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		store4(out, i, load4(pa, i).Or(load4(pb, i)))
	}
	archsimd.ClearAVXUpperBits()
	orGeneric(dst[i:], a[i:], b[i:])
}
