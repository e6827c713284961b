package square

import (
	"math/bits"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// random draws for each ant. Reference: random of package policy.
func (s *scratch) random(draw uint64) {
	rng := env.RNG(draw)
	for r := range s.rows {
		for w := range s.words {
			for m := s.mine[w*s.stride+r]; m != 0; m &= m - 1 {
				x := place{w, r, bits.TrailingZeros64(m)}
				var choices [ants.NumActions]ants.Action
				n := 0
				for a := ants.North; a < ants.Stay; a++ {
					to := s.step(x, a)
					choices[n] = a
					if i := s.at(to); (s.shut[i]|s.blocked[i])>>(to.c&63)&1 == 0 {
						n++
					}
				}
				choices[n] = ants.Stay
				s.order(x, choices[rng.Below(uint64(n+1))])
			}
		}
	}
}
