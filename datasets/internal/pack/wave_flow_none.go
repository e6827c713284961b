//go:build !(goexperiment.simd && amd64)

package pack

// vectorFlows: this build has the portable kernel only.
func vectorFlows() []flowKernel { return nil }

type vectorWave struct{}

func (vectorWave) prepare(*wave) {}
