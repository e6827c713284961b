package policy

import (
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// A Policy orders one colony from what its seat may know. It keeps nothing
// between calls and allocates nothing: equal facts and draws give equal orders.
// Names, and so slots, play no part in it.
//
// A Policy may be shared between goroutines.
type Policy struct {
	name, about string
	looks       Looks
	order       func(f *Facts, draw uint64) formica.Order
}

// Name is the word that New knows it by.
func (p *Policy) Name() string { return p.name }

// About says in a line what it does.
func (p *Policy) About() string { return p.about }

// Looks tells which costly facts it reads. The others may be left zero.
func (p *Policy) Looks() Looks { return p.looks }

// Order is the order of a living colony. It does not change f, and keeps none
// of its memory. draw is the colony's random word of this phase, see Draw.
func (p *Policy) Order(f *Facts, draw uint64) formica.Order { return p.order(f, draw) }

// Act appends the encoded order for an observation (formica.OrderBytes bytes),
// or nothing for a dead colony. It does not change o.
func (p *Policy) Act(dst []byte, o *formica.Observation, draw uint64) []byte {
	if !o.Alive[o.Slot] {
		return dst
	}
	f := FactsOf(o)
	return p.Order(&f, draw).Append(dst)
}

// bundled lists the policies: the one that reacts, the fixed strategies, the
// one without sense.
var bundled = []*Policy{&scripted, &forage, &raid, &defend, &buildForage, &buildRaid, &random}

// Names lists the bundled policies.
func Names() []string {
	names := make([]string, len(bundled))
	for i, p := range bundled {
		names[i] = p.name
	}
	return names
}

// New returns the named policy. The error lists the names that exist.
func New(name string) (*Policy, error) {
	for _, p := range bundled {
		if p.name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("unknown policy %q (have %s)", name, strings.Join(Names(), ", "))
}

// drawStream separates the draws of policies from every other use of a seed.
const drawStream = 0x504F4C494359464F

// Draw is the random word of one colony and phase (its number) of the episode
// with the given seed, formica.State.Seed. home is the colony's direction, never
// its seat, so that relabelled seats draw the same.
func Draw(seed uint64, home uint8, phase int32) uint64 {
	return env.Derive(seed, drawStream, uint64(home), uint64(phase))
}
