//go:build !race

package bits

// shapeShare: eachShape takes one shape in shapeShare.
const shapeShare = 1
