package square

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// The bundled policies on bit rows. Their reference, and the definition of
// what they do, is package policy: equal views and draws give equal orders.
//
// policy_sight.go holds the planes that they look at, policy_simple.go hold and
// random, policy_wave.go the waves of greedy, policy_combat.go what hunter adds.

// A native is a policy that plays inside the engine.
type native struct {
	name string
	// act orders the ants of s that shall not stay.
	act func(s *scratch, draw uint64)
}

var natives = []native{
	{"hold", nil},
	{"random", (*scratch).random},
	{"greedy", (*scratch).greedy},
	{"hunter", (*scratch).hunter},
}

// findNative is the index of a policy in natives. Errors wrap env.ErrRules.
func findNative(name string) (int, error) {
	i := slices.IndexFunc(natives, func(n native) bool { return n.name == name })
	if i < 0 {
		return 0, fmt.Errorf("%w: no policy %q (have %s)", env.ErrRules, name, strings.Join(policy.Names(), ", "))
	}
	return i, nil
}

// actNative appends the orders of a seat that a policy plays, one for each own
// ant in row-major order. The worker's game is the board.
func (e *Engine) actNative(w *worker, seat int, dst []byte) []byte {
	g := &w.g
	n := int(e.ants[g.b*e.p+seat])
	act := natives[e.seats.Player[g.b*e.p+seat]-1].act
	if act == nil || n == 0 {
		at := len(dst)
		dst = dst[:at+n]
		fill(dst[at:], ants.Stay)
		return dst
	}
	s := &w.native
	e.look(s, g, seat)
	act(s, policy.Draw(e.seed[g.b], seat, int(e.turn[g.b])))
	return s.list(dst)
}

// list appends the orders in row-major order.
func (s *scratch) list(dst []byte) []byte {
	for r := range s.rows {
		for i := r; i < s.pw; i += s.stride {
			for m := s.mine[i]; m != 0; m &= m - 1 {
				a := ants.Stay
				if s.waiting[i]&(m&-m) == 0 {
					a = s.orders[i*64+bits.TrailingZeros64(m)]
				}
				dst = append(dst, a)
			}
		}
	}
	return dst
}
