//go:build !(goexperiment.simd && amd64)

package square

// vectorWaves: this build has the portable kernel only.
func vectorWaves() []waveKernel { return nil }
