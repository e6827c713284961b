//go:build !(goexperiment.simd && amd64)

package hex

// vectorLevels lists no vector level: this build has none.
func vectorLevels() []kernels { return nil }
