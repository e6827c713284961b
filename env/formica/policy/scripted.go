package policy

import "github.com/myriant-rl/myriant/env/formica"

// What scripted goes by.
const (
	AlarmThreat   = 2   // rival raiders near the nest that it defends against
	EarlyChambers = 2   // chambers that it builds early
	BuildFood     = 12  // and the store that it builds with
	LateTicks     = 160 // before the end it builds no more
	RaidFar       = 16  // the farthest nest that it raids
	RaidAge       = 120 // the oldest sighting that it raids on
	RaidGuards    = 1   // the most guards of a weak nest
	RaidHome      = 16  // the least own ants
)

// The orders of scripted.
var (
	scriptedAlarm  = plan(formica.ModeForage, 5000, 4000, 1000, true)
	scriptedBuild  = plan(formica.ModeBuild, 7000, 1000, 2000, false)
	scriptedRaid   = plan(formica.ModeRaid, 7000, 1000, 2000, false)
	scriptedForage = plan(formica.ModeForage, 6000, 1000, 3000, false)
)

var scripted = Policy{
	name: "scripted", about: "the Scripted Forager: forages, defends under threat, raids a weak nest, builds early", looks: LooksAtRivals,
	order: func(f *Facts, _ uint64) formica.Order {
		switch {
		case f.Threat >= AlarmThreat:
			return scriptedAlarm
		case f.Chambers < EarlyChambers && f.Food >= BuildFood && f.MaxTicks-f.Tick > LateTicks:
			return scriptedBuild
		case f.weakPrey():
			return scriptedRaid
		}
		return scriptedForage
	},
}

// weakPrey tells whether there is a nest to raid.
func (f *Facts) weakPrey() bool {
	p := &f.Prey
	return p.Known && p.Far <= RaidFar && p.Age <= RaidAge && p.Guards <= RaidGuards && f.Population >= RaidHome
}
