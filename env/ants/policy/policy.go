package policy

import (
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// A Policy orders one seat's ants from what the seat may know. It keeps
// nothing between calls: equal views and draws give equal orders.
//
// A Policy may be shared between goroutines.
type Policy interface {
	// Name is the word that New knows it by.
	Name() string
	// Act appends one action (an ants.Action, 0..4) per own ant to dst, in the
	// order of v.Mine, and returns the extended slice. It does not change v.
	// draw is the seat's random word of this turn, see Draw.
	Act(dst []byte, v *ants.View, draw uint64) []byte
}

// bundled lists the policies from the weakest to the strongest.
var bundled = []Policy{hold{}, random{}, greedy{}, hunter{}}

// Names lists the bundled policies from the weakest to the strongest.
func Names() []string {
	names := make([]string, len(bundled))
	for i, p := range bundled {
		names[i] = p.Name()
	}
	return names
}

// New returns the named policy. The error lists the names that exist.
func New(name string) (Policy, error) {
	for _, p := range bundled {
		if p.Name() == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("unknown policy %q (have %s)", name, strings.Join(Names(), ", "))
}

// drawStream separates the draws of policies from every other use of a seed.
const drawStream = 0x504F4C4943592121

// Draw is the random word of one seat and turn (turns played before it) of the
// episode with the given seed.
func Draw(seed uint64, seat, turn int) uint64 {
	return env.Derive(seed, drawStream, uint64(seat), uint64(turn))
}
