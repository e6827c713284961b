package policy

import (
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// A plan is an order that depends on nothing.
func plan(mode formica.Mode, food, defense, expansion uint16, defend bool) formica.Order {
	return formica.Order{Mode: mode, Alloc: formica.Alloc{food, defense, expansion}, Defend: defend, Target: formica.NoCell}
}

// The orders of the fixed strategies.
var (
	forageOrder  = plan(formica.ModeForage, 7000, 1000, 2000, false)
	raidOrder    = plan(formica.ModeRaid, 8000, 0, 2000, false)
	defendOrder  = plan(formica.ModeForage, 4000, 4000, 2000, true)
	buildOrder   = plan(formica.ModeBuild, 8000, 0, 2000, false)
	harvestOrder = plan(formica.ModeForage, 9000, 500, 500, false)
)

// How many chambers build-forage and build-raid dig first.
const (
	ForageChambers = 3
	RaidChambers   = 4
)

var forage = Policy{
	name: "forage", about: "always forages, with few guards",
	order: func(*Facts, uint64) formica.Order { return forageOrder },
}

var raid = Policy{
	name: "raid", about: "always raids, without guards",
	order: func(*Facts, uint64) formica.Order { return raidOrder },
}

var defend = Policy{
	name: "defend", about: "always forages under defend, with many guards",
	order: func(*Facts, uint64) formica.Order { return defendOrder },
}

var buildForage = Policy{
	name: "build-forage", about: "builds three chambers, then forages with nearly all ants",
	order: func(f *Facts, _ uint64) formica.Order { return buildThen(f, ForageChambers, harvestOrder) },
}

var buildRaid = Policy{
	name: "build-raid", about: "builds four chambers, then raids",
	order: func(f *Facts, _ uint64) formica.Order { return buildThen(f, RaidChambers, raidOrder) },
}

func buildThen(f *Facts, chambers int32, then formica.Order) formica.Order {
	if f.Chambers < chambers {
		return buildOrder
	}
	return then
}

var random = Policy{
	name: "random", about: "a random legal order every phase", looks: LooksAtLegal,
	order: func(f *Facts, draw uint64) formica.Order {
		rng := env.RNG(draw)
		modes := uint64(formica.NumModes)
		if len(f.Legal) == 0 {
			modes = uint64(formica.ModeRelocate)
		}
		o := formica.Order{Mode: formica.Mode(rng.Below(modes)), Target: formica.NoCell}
		o.Alloc = formica.AllocTenths[rng.Below(formica.NumTenths)]
		o.Defend = rng.Below(2) == 1
		if o.Mode == formica.ModeRelocate {
			o.Target = f.Legal[rng.Below(uint64(len(f.Legal)))]
		}
		return o
	},
}
