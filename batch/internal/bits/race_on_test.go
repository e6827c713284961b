//go:build race

package bits

// shapeShare: the race build checks every pointer conversion of the kernels
// and is some thirty times slower, so it takes one shape in shapeShare.
const shapeShare = 5
