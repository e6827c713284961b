package hex

// kernels are the parts of a tick that take all cells alike. Each has a
// portable form in dense_generic.go, which is the reference of its vector form
// in dense_simd_amd64.go; both give identical bytes.
type kernels struct {
	level string
	// decay takes (v>>shift)+1, but no more than there is, off each of the four
	// 16-bit lanes of each word. Lanes hold 15 bits; shift is 0..15.
	decay func(trail []uint64, shift uint)
	// weigh sets each lane of dst to base + min(v>>shift, most), v the lane of
	// trail. Lanes hold 15 bits; shift is 0..15, base and most are below 256.
	weigh func(dst, trail []uint64, shift uint, base, most uint16)
}

// portable is the level that every machine has.
var portable = kernels{level: "portable", decay: decayGeneric, weigh: weighGeneric}

// levels lists what this build and machine can run, slowest first.
var levels = append([]kernels{portable}, vectorLevels()...)

// dense is the level in use: the best one. Only tests change it.
var dense = levels[len(levels)-1]
