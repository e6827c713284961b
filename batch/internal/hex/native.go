package hex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/policy"
)

// natives are the bundled policies.
var natives = func() (list []*policy.Policy) {
	for _, name := range policy.Names() {
		p, err := policy.New(name)
		if err != nil {
			panic("hex: a bundled policy is missing: " + err.Error())
		}
		list = append(list, p)
	}
	return list
}()

// findNative is the index of a policy in natives. Errors wrap env.ErrRules.
func findNative(name string) (int, error) {
	i := slices.IndexFunc(natives, func(p *policy.Policy) bool { return p.Name() == name })
	if i < 0 {
		return 0, fmt.Errorf("%w: no policy %q (have %s)", env.ErrRules, name, strings.Join(policy.Names(), ", "))
	}
	return i, nil
}

// actNative is the order of a living seat that a policy plays. The facts that
// it needs are gathered without an observation. Reference: policy.FactsOf.
func (e *Engine) actNative(w *worker, seat int) formica.Order {
	g := &w.g
	c := &g.colonies[seat]
	p := natives[e.seats.Player[g.b*e.p+seat]-1]
	f := &w.facts
	*f = policy.Facts{
		Tick: g.clock.tick, MaxTicks: e.tune.maxTicks, Food: c.food, Population: int32(c.n),
		PopCap: int32(e.rules.PopCap(int(c.chambers))), Chambers: int32(c.chambers), Score2: e.score2(c), Order: c.order(),
	}
	for s := range g.colonies {
		if s != seat {
			f.Best2 = max(f.Best2, e.score2(&g.colonies[s]))
		}
	}
	if p.Looks()&policy.LooksAtRivals != 0 {
		e.factsOfRivals(w, seat, f)
	}
	if p.Looks()&policy.LooksAtLegal != 0 {
		f.Legal = e.legalTargets(w, seat)
	}
	return p.Order(f, policy.Draw(g.clock.seed, c.home, g.clock.phase))
}

// factsOfRivals fills the facts of LooksAtRivals.
func (e *Engine) factsOfRivals(w *worker, seat int, f *policy.Facts) {
	g := &w.g
	st := g.st
	c := &g.colonies[seat]
	prey, best := &f.Prey, -1
	for i := range uint8(dirs) {
		for s := range g.colonies {
			k := &g.colonies[s]
			if k.home != (c.home+i)%dirs || c.known[s] == noCell {
				continue
			}
			if far := int32(st.distance(c.nest, c.known[s])); best < 0 || far < prey.Far {
				best = s
				*prey = policy.Prey{Known: true, Far: far, Age: g.clock.tick - int32(c.seen[s]), Score2: e.score2(k)}
			}
		}
	}
	e.sights(w, c, 0)
	for s := range g.colonies {
		if s == seat {
			continue
		}
		k := &g.colonies[s]
		for i := range k.ants[:k.n] {
			a := &k.ants[i]
			switch raider := a.role == uint8(formica.RoleRaid); {
			case raider && int(st.distance(a.cell, c.nest)) <= e.rules.ThreatRange && hasSpot(w.view.rivals, st.spot[0][a.cell]):
				f.Threat++
			case !raider && s == best && st.distance(a.cell, c.known[s]) <= policy.GuardRange && hasSpot(w.view.rivals, st.spot[0][a.cell]):
				prey.Guards++
			}
		}
	}
}
