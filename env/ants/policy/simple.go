package policy

import (
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// hold lets every ant stay.
type hold struct{}

func (hold) Name() string { return "hold" }

func (hold) Act(dst []byte, v *ants.View, _ uint64) []byte {
	for range v.Mine {
		dst = append(dst, ants.Stay)
	}
	return dst
}

// random draws uniformly among the moves that the mask allows and that lead to
// no cell of another own ant. Without the second condition ants that hatch
// side by side kill each other, and random loses to hold.
type random struct{}

func (random) Name() string { return "random" }

func (random) Act(dst []byte, v *ants.View, draw uint64) []byte {
	s := newSight(v)
	rng := env.RNG(draw)
	for _, cell := range v.Mine {
		var choices []ants.Action
		for a := ants.North; a < ants.Stay; a++ {
			if to := s.step(int(cell), a); !s.shut[to] && s.free(to) {
				choices = append(choices, a)
			}
		}
		choices = append(choices, ants.Stay)
		s.order(int(cell), choices[rng.Below(uint64(len(choices)))])
	}
	return s.appendOrders(dst, v)
}
