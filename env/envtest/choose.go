package envtest

import "github.com/myriant-rl/myriant/env"

// A Chooser picks a number in [0, n); n is at least 1. Test cases are built
// from choices, so that they can come from a seed or from a fuzzer's bytes.
type Chooser func(n int) int

// Choices are uniform and depend on the seed alone.
func Choices(seed uint64) Chooser {
	rng := env.RNG(env.Derive(seed, 0x63686F6F7365))
	return func(n int) int { return int(rng.Below(uint64(n))) }
}

// ChoicesFrom takes its choices from bytes, and chooses 0 when they are used
// up.
func ChoicesFrom(data []byte) Chooser {
	return func(n int) int {
		v := 0
		for m := n - 1; m > 0; m >>= 8 {
			v <<= 8
			if len(data) > 0 {
				v |= int(data[0])
				data = data[1:]
			}
		}
		return v % n
	}
}

// one tells yes with a chance of 1 in n.
func (c Chooser) one(n int) bool { return c(n) == 0 }

// pick chooses among values.
func pick[T any](c Chooser, values ...T) T { return values[c(len(values))] }
