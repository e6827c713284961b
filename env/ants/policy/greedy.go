package policy

import "github.com/myriant-rl/myriant/env/ants"

// DarkLevel is the level at which dark cells enter the spread wave. Hills of
// other seats enter at 0, so an ant passes up a dark cell for a hill that is
// less than DarkLevel steps further.
const DarkLevel = 8

// greedy gathers, explores and raids, and never looks at enemy ants.
type greedy struct{}

func (greedy) Name() string { return "greedy" }

func (greedy) Act(dst []byte, v *ants.View, draw uint64) []byte {
	s := newSight(v)
	s.gather(draw)
	s.spread(draw, s.targets())
	return s.appendOrders(dst, v)
}

// targets is the sources of greedy's spread wave.
func (s *sight) targets() []int {
	sources := make([]int, len(s.open))
	for cell := range sources {
		switch {
		case s.hills[cell]:
			sources[cell] = 0
		case s.dark[cell]:
			sources[cell] = DarkLevel
		default:
			sources[cell] = none
		}
	}
	return sources
}
