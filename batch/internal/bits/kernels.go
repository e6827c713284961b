package bits

// The table of kernels and the choice of a level.

// kernels is one level's set of kernels. Lengths are checked before they are
// called.
type kernels struct {
	level  string
	dilate func(d *Disk, dst, src, scratch []uint64)

	translate func(s *Shape, t translation, dst, src []uint64)

	packRows  func(dst []byte, rowBytes int, s *Shape, src []uint64)
	expandU8  func(dst []byte, rowLen int, s *Shape, src []uint64)
	expandF32 func(dst []float32, rowLen int, s *Shape, src []uint64)
	expandF16 func(dst []uint16, rowLen int, s *Shape, src []uint64)

	count  func(src []uint64) int
	orInto func(dst, src []uint64) int
	or     func(dst, a, b []uint64)
}

// portable is the level that every machine has, and the reference of the
// other levels.
var portable = kernels{
	level:     "portable",
	dilate:    dilateGeneric,
	translate: translateGeneric,
	packRows:  packRowsGeneric,
	expandU8:  expandU8Generic,
	expandF32: expandF32Generic,
	expandF16: expandF16Generic,
	count:     countGeneric,
	orInto:    orIntoGeneric,
	or:        orGeneric,
}

// levels lists what this build and machine can run, slowest first.
var levels = append([]kernels{portable}, vectorLevels()...)

// active is the level in use: the best one. Only tests change it.
var active = levels[len(levels)-1]

// Level names the kernels in use: "portable", "avx2" or "avx512".
func Level() string { return active.level }
