//go:build goexperiment.simd && amd64

package bits

// The vector levels, and loads and stores without bounds checks.

import (
	"simd/archsimd"
	"unsafe"
)

// vectorLevels lists the vector levels that the processor has.
func vectorLevels() []kernels {
	var found []kernels
	if archsimd.X86.AVX2() {
		k := portable
		k.level = "avx2"
		k.dilate = dilateAVX2
		k.translate = translateAVX2
		k.or = orAVX2
		found = append(found, k)
	}
	if archsimd.X86.AVX512() {
		k := portable
		k.level = "avx512"
		k.dilate = dilateAVX512
		k.translate = translateAVX512
		k.expandU8, k.expandF16, k.expandF32 = expandU8AVX512, expandF16AVX512, expandF32AVX512
		k.or = orAVX512
		if archsimd.X86.AVX512VBMI() {
			k.packRows = packRowsVBMI
		}
		if archsimd.X86.AVX512VPOPCNTDQ() {
			k.count, k.orInto = countAVX512, orIntoAVX512
		}
		found = append(found, k)
	}
	return found
}

// The vectors are unsigned where words come from memory and signed where three
// registers are joined: the compiler makes one ternary instruction of two
// signed operations (Go 1.26), but cannot encode it with an operand in memory,
// and gets AndNot wrong there, which is therefore used on unsigned ones only.
//
// While the upper halves of vector registers are in use, older instructions on
// vector registers cost tens of nanoseconds each. The compiler uses them for
// shift counts in general registers and for copies of structs, so the kernels
// have shift counts in constants or vectors, and copy no structs.

// load8 loads the eight words at p plus words.
func load8(p unsafe.Pointer, words int) archsimd.Uint64x8 {
	return archsimd.LoadUint64x8((*[8]uint64)(unsafe.Add(p, words*8)))
}

// store8 stores x to the eight words at p plus words.
func store8(p unsafe.Pointer, words int, x archsimd.Uint64x8) {
	x.Store((*[8]uint64)(unsafe.Add(p, words*8)))
}

// widen8 grows x by one column both ways, round the word.
func widen8(x archsimd.Uint64x8) archsimd.Uint64x8 {
	y := x.AsInt64x8()
	return y.Or(y.RotateAllLeft(1)).Or(y.RotateAllRight(1)).AsUint64x8()
}

// widenBy2 ORs x with itself two columns away both ways, round the word.
func widenBy2(x archsimd.Uint64x8) archsimd.Uint64x8 {
	y := x.AsInt64x8()
	return y.Or(y.RotateAllLeft(2)).Or(y.RotateAllRight(2)).AsUint64x8()
}

// loadHalf16 loads the sixteen half words at p plus halves.
func loadHalf16(p unsafe.Pointer, halves int) archsimd.Uint32x16 {
	return archsimd.LoadUint32x16((*[16]uint32)(unsafe.Add(p, halves*4)))
}

// storeHalf8 stores x to the eight half words at p plus halves.
func storeHalf8(p unsafe.Pointer, halves int, x archsimd.Uint32x8) {
	x.Store((*[8]uint32)(unsafe.Add(p, halves*4)))
}

// widen16 grows half words by one column both ways, round the half word.
func widen16(x archsimd.Uint32x16) archsimd.Uint32x16 {
	y := x.AsInt32x16()
	return y.Or(y.RotateAllLeft(1)).Or(y.RotateAllRight(1)).AsUint32x16()
}

// load4 loads the four words at p plus words.
func load4(p unsafe.Pointer, words int) archsimd.Uint64x4 {
	return archsimd.LoadUint64x4((*[4]uint64)(unsafe.Add(p, words*8)))
}

// store4 stores x to the four words at p plus words.
func store4(p unsafe.Pointer, words int, x archsimd.Uint64x4) {
	x.Store((*[4]uint64)(unsafe.Add(p, words*8)))
}
