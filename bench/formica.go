package bench

import (
	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// The scene of Formica: four colonies in the middle of a game, a third of its
// ticks played.
var formicaDefault = &Scene{
	Game: "formica", Rules: "default", Map: func() (env.Map, error) { return formica.BundledBoard("default") },
	Policy: "scripted", Seed: 1, Turn: 26, Units: [2]float64{18, 40},
	Count: formicaCount, Counts: []string{formica.FieldPopulation.Name, formica.FieldTicks.Name},
	Ticks: formicaTicks, Actions: formicaActions,
	Sources: 64, QuickSources: 16,
}

var formicaWorkloads = []Workload{
	{Name: "formica", Doc: "Formica's default board, 4 seats, recorded orders; no planes", Scene: formicaDefault, Boards: 2048, Arrays: formicaResults},
	{Name: "formica-observed", Doc: "the phases of formica, with planes of four seats", Scene: formicaDefault, Boards: 2048},
	{Name: "formica-scripted", Doc: "the phases of formica, played by the batch's scripted", Scene: formicaDefault, Boards: 2048, Native: true},
}

// formicaResults are the arrays without what the seats see.
var formicaResults = []string{
	formica.FieldReward.Name, formica.FieldTerminated.Name, formica.FieldTruncated.Name, formica.FieldDone.Name,
	formica.FieldValid.Name, formica.FieldReason.Name, formica.FieldTicks.Name, formica.FieldScore.Name,
	formica.FieldRank.Name, formica.FieldReturn.Name,
}

// formicaCount is how many ants the colonies of a board have.
func formicaCount(b *batch.Batch, board int) int {
	population := obs.View[int32](b.Array(formica.FieldPopulation.Name))
	per := len(population) / b.Config().Boards
	n := int32(0)
	for _, ants := range population[board*per : (board+1)*per] {
		n += ants
	}
	return int(n)
}

// formicaTicks is how many ticks the last phase of a board took.
func formicaTicks(b *batch.Batch, board int) int {
	return int(obs.View[int32](b.Array(formica.FieldTicks.Name))[board])
}

// formicaActions gives each seat its encoded order, or none.
func formicaActions(orders [][][]byte) batch.Actions {
	a := batch.Actions{Head: formica.HeadBytes.Name}
	for _, board := range orders {
		for _, order := range board {
			at := len(a.Uint8)
			a.Uint8 = append(a.Uint8, make([]byte, formica.OrderBytes)...)
			if copy(a.Uint8[at:], order) == 0 {
				a.Uint8[at] = formica.NoOrder
			}
		}
	}
	return a
}
