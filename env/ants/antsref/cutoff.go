package antsref

import "github.com/myriant-rl/myriant/env/ants"

// updateCutoff keeps one counter for one holder of the cutoff share.
func (e *Engine) updateCutoff() {
	switch holder := e.shareHolder(); {
	case holder == ants.HolderNone:
		e.holder, e.count = ants.HolderNone, 0
	case holder != e.holder:
		e.holder, e.count = holder, 1
	case !e.now.contested:
		e.count++
	}
}

// shareHolder is who has the cutoff share of the population: all living ants,
// each hive once for each hill its colony has standing, and all food on the
// map. A share small enough for several goes to the first seat; food is last.
func (e *Engine) shareHolder() int32 {
	loose := int64(len(listOf(e.food)))
	population := loose
	shares := make([]int64, len(e.seats))
	for s := range e.seats {
		shares[s] = int64(len(e.antsOf(s))) + int64(e.seats[s].hive)*int64(e.standing(s))
		population += shares[s]
	}
	if population == 0 {
		return ants.HolderNone
	}
	enough := population * int64(e.rules.CutoffPercent)
	for s, share := range shares {
		if share*100 >= enough {
			return int32(s)
		}
	}
	if loose*100 >= enough {
		return ants.HolderFood
	}
	return ants.HolderNone
}

// diedOnContestedHill tells whether an ant died this turn on a standing hill
// that the watched holder does not own. Food and nobody own no hill.
func (e *Engine) diedOnContestedHill() bool {
	for _, d := range e.now.deaths {
		for _, h := range e.hills {
			if h.Cell == d.Cell && !h.Razed && int32(h.Owner) != e.holder {
				return true
			}
		}
	}
	return false
}
