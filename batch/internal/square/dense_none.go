//go:build !(goexperiment.simd && amd64)

package square

// vectorLevels: this build has the portable kernels only.
func vectorLevels() []kernels { return nil }
