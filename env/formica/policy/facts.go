package policy

import "github.com/myriant-rl/myriant/env/formica"

// Facts are what policies decide from: a few numbers that follow from the
// observation alone (FactsOf), and that a fast engine has at hand without
// making one. Times are in ticks, distances in hexes.
type Facts struct {
	Tick, MaxTicks int32
	Food           int32 // stored
	Population     int32
	PopCap         int32
	Chambers       int32
	// Score2 is the own doubled score, Best2 the greatest of the rivals'.
	Score2, Best2 int32
	Order         formica.Order // latched

	// With LooksAtRivals.
	Threat int32 // visible rival raiders within Config.ThreatRange of the nest
	Prey   Prey

	// With LooksAtLegal: the cells that the nest may move to, ascending.
	Legal []int32
}

// Prey is the latched rival nest that is nearest to the own nest; of equally
// near ones that of the colony whose home direction comes first, scanned from
// the own upwards.
type Prey struct {
	Known bool // there is one; else the rest is zero
	Far   int32
	Age   int32 // since it was seen last
	// Score2 is the doubled score of its colony.
	Score2 int32
	// Guards are that colony's ants that are visible within GuardRange of the
	// nest's latched cell and are no raiders.
	Guards int32
}

// GuardRange is how far from a nest an ant counts as its guard.
const GuardRange = 3

// Looks are the facts that cost something to gather, as bits.
type Looks uint8

// The bits.
const (
	LooksAtRivals Looks = 1 << iota // Facts.Threat and Facts.Prey
	LooksAtLegal                    // Facts.Legal
)

// FactsOf gathers all facts of an observation of a living colony. Legal is the
// observation's own list.
func FactsOf(o *formica.Observation) Facts {
	k := &o.Colony
	f := Facts{
		Tick: o.Tick, MaxTicks: int32(o.MaxTicks), Food: k.FoodStored,
		Population: int32(k.Population), PopCap: int32(k.PopCap), Chambers: int32(k.Chambers),
		Score2: o.Scores2[o.Slot], Order: k.Order, Threat: int32(o.Threat), Legal: o.LegalRelocate,
	}
	for slot, score := range o.Scores2 {
		if slot != o.Slot {
			f.Best2 = max(f.Best2, score)
		}
	}
	f.Prey = preyOf(o)
	return f
}

func preyOf(o *formica.Observation) Prey {
	g := formica.GeometryOf(o.Radius)
	home := o.Homes[o.Slot]
	var best formica.NestView
	p, turn := Prey{}, uint8(0)
	for _, n := range o.Nests {
		far := int32(g.Distance(int(o.Colony.Nest), int(n.Cell)))
		at := (o.Homes[n.Slot] + formica.Directions - home) % formica.Directions
		if !p.Known || far < p.Far || far == p.Far && at < turn {
			best, turn = n, at
			p = Prey{Known: true, Far: far, Age: o.Tick - n.SeenTick, Score2: o.Scores2[n.Slot]}
		}
	}
	if !p.Known {
		return p
	}
	for _, r := range o.Rivals {
		if r.Slot == best.Slot && !r.Raider && g.Distance(int(r.Cell), int(best.Cell)) <= GuardRange {
			p.Guards++
		}
	}
	return p
}
