package bits

// Word by word operations, portable form.

import "math/bits"

// countGeneric is the portable form of Count.
func countGeneric(src []uint64) (n int) {
	for _, x := range src {
		n += bits.OnesCount64(x)
	}
	return n
}

// orIntoGeneric is the portable form of OrInto.
func orIntoGeneric(dst, src []uint64) (added int) {
	dst = dst[:len(src)]
	for i, x := range src {
		old := dst[i]
		added += bits.OnesCount64(x &^ old)
		dst[i] = old | x
	}
	return added
}

// orGeneric is the portable form of Or.
func orGeneric(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}
