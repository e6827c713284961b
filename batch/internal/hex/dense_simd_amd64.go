//go:build goexperiment.simd && amd64

package hex

// The vector forms of the kernels. Reference: dense_generic.go.

import (
	"simd/archsimd"
	"unsafe"
)

// vectorLevels lists the vector levels that the processor has.
func vectorLevels() []kernels {
	if !archsimd.X86.AVX512() {
		return nil
	}
	return []kernels{{level: "avx512", decay: decayAVX512, weigh: weighAVX512}}
}

// decayAVX512 is decayGeneric, 32 lanes at a time.
func decayAVX512(trail []uint64, shift uint) {
	one, by := archsimd.BroadcastUint16x32(1), archsimd.BroadcastUint16x32(uint16(shift))
	at := unsafe.Pointer(unsafe.SliceData(trail))
	i := 0
	for ; i+8 <= len(trail); i += 8 {
		p := (*[32]uint16)(unsafe.Add(at, 8*i))
		v := archsimd.LoadUint16x32(p)
		v.SubSaturated(v.ShiftRight(by).Add(one)).Store(p)
	}
	archsimd.ClearAVXUpperBits()
	decayGeneric(trail[i:], shift)
}

// weighAVX512 is weighGeneric, 32 lanes at a time.
func weighAVX512(dst, trail []uint64, shift uint, base, most uint16) {
	by := archsimd.BroadcastUint16x32(uint16(shift))
	add, limit := archsimd.BroadcastUint16x32(base), archsimd.BroadcastUint16x32(most)
	dst = dst[:len(trail)]
	from, to := unsafe.Pointer(unsafe.SliceData(trail)), unsafe.Pointer(unsafe.SliceData(dst))
	i := 0
	for ; i+8 <= len(trail); i += 8 {
		v := archsimd.LoadUint16x32((*[32]uint16)(unsafe.Add(from, 8*i)))
		v.ShiftRight(by).Min(limit).Add(add).Store((*[32]uint16)(unsafe.Add(to, 8*i)))
	}
	archsimd.ClearAVXUpperBits()
	weighGeneric(dst[i:], trail[i:], shift, base, most)
}
