package batch

import (
	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/batch/internal/square"
)

// Acceleration names the kernels in use: "portable", "avx2" or "avx512".
// Vector kernels need a build with GOEXPERIMENT=simd and a processor that has
// them. All give identical results.
func Acceleration() string {
	if l := square.Level(); l != "portable" {
		return l
	}
	return bits.Level()
}
