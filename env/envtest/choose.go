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

// ChoicesFrom takes its choices from bytes, over and over; without bytes it
// always chooses 0.
func ChoicesFrom(data []byte) Chooser {
	next := 0
	return func(n int) int {
		v := 0
		for m := n - 1; m > 0 && len(data) > 0; m >>= 8 {
			v = v<<8 | int(data[next%len(data)])
			next++
		}
		return v % n
	}
}

// one tells yes with a chance of 1 in n.
func (c Chooser) one(n int) bool { return c(n) == 0 }

// pick chooses among values.
func pick[T any](c Chooser, values ...T) T { return values[c(len(values))] }
