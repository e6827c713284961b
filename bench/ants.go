package bench

import (
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// toppedUp is the ladder's rules with food kept up to the map's target. Under
// the ladder's own food, greedy colonies that share a small board have fought
// each other down to a few ants, or to the end, by turn 150. With more food and
// more hills they keep the number of ants that a scene asks for; at the scene's
// turn the ladder's food takes over.
const toppedUp = `{"name":"ladder","food":"top_up"}`

// The scenes of Ants.
var (
	ants32x32 = &Scene{
		Game: "ants", Rules: "ladder", Map: antsMap("generated:cave:seats=2,hills=3,rows=32,cols=32,seed=1", 60),
		LeadIn: toppedUp, Enter: ladderFood,
		Policy: "greedy", Seed: 1, Turn: 150, Units: [2]float64{35, 45}, Count: antsCount, Counts: []string{ants.FieldAntOffsets.Name}, Actions: antsActions,
		Sources: 64, QuickSources: 16,
	}
	ants64x96 = &Scene{
		Game: "ants", Rules: "ladder", Map: antsMap("generated:open:seats=2,hills=4,rows=64,cols=96,seed=1", 60),
		LeadIn: toppedUp, Enter: ladderFood,
		Policy: "greedy", Seed: 1, Turn: 150, Units: [2]float64{90, 110}, Count: antsCount, Counts: []string{ants.FieldAntOffsets.Name}, Actions: antsActions,
		Sources: 64, QuickSources: 16,
	}
	ants8p = &Scene{
		Game: "ants", Rules: "ladder", Map: antsMap("xlarge-8p", 0),
		Policy: "greedy", Seed: 1, Turn: 150, Units: [2]float64{20, 60}, Count: antsCount, Counts: []string{ants.FieldAntOffsets.Name}, Actions: antsActions,
		Sources: 16, QuickSources: 8,
	}
)

var antsWorkloads = []Workload{
	{Name: "ants-32x32", Doc: "32x32, 2 seats of about 40 ants, recorded orders", Scene: ants32x32, Boards: 4096},
	{Name: "ants-64x96", Doc: "64x96, 2 seats of about 100 ants, recorded orders", Scene: ants64x96, Boards: 2048},
	{Name: "ants-8p", Doc: "the bundled map xlarge-8p, 120x124, 8 seats, recorded orders", Scene: ants8p, Boards: 256},
	{Name: "ants-32x32-greedy", Doc: "the turns of ants-32x32, played by the batch's greedy", Scene: ants32x32, Boards: 4096, Native: true},
}

// antsCount is how many ants the seats of a board have.
func antsCount(b *batch.Batch, board int) int {
	offsets := obs.View[int64](b.Array(ants.FieldAntOffsets.Name))
	per := (len(offsets) - 1) / b.Config().Boards
	return int(offsets[(board+1)*per] - offsets[board*per])
}

// antsActions gives an action to each ant, seat after seat.
func antsActions(orders [][][]byte) batch.Actions {
	a := batch.Actions{Head: ants.HeadAnt.Name}
	for _, board := range orders {
		a.Uint8 = append(a.Uint8, slices.Concat(board...)...)
	}
	return a
}

// antsMap is a bundled map, or a generated one with a food target.
func antsMap(name string, food int) func() (env.Map, error) {
	return func() (env.Map, error) {
		if !strings.HasPrefix(name, ants.GeneratedPrefix) {
			return ants.BundledMap(name)
		}
		o, err := ants.ParseGenerated(name)
		if err != nil {
			return nil, err
		}
		m, err := ants.Generate(o)
		if err != nil {
			return nil, err
		}
		m.FoodTarget = food
		return m, nil
	}
}

// ladderFood makes a board that food was topped up on go on with the ladder's
// food: with the hidden rate of its episode.
func ladderFood(board env.Engine) error {
	s := board.(ants.Engine).State()
	s.Gen.Rate, s.Gen.Period = ants.FoodRate(s.Gen.Seed)
	return board.SetState(s.Append(nil))
}
