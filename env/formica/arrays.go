package formica

import (
	"fmt"

	"github.com/myriant-rl/myriant/env/obs"
)

// The arrays of a batch of Formica boards, and the heads that orders are given
// through. Every plane, mask and target cell is in the seat's home frame: the
// board turned so that its nest started in direction 0 (Hex.Turn by -home). The
// grid is axial, row r+M and column q+M with M the radius of the largest board
// of the batch, so that all boards share their centre. Seats on axis S are the
// observed seats; P counts all seats of the largest board.

// The planes, in order.
const (
	PlaneValid = iota
	PlaneOwnNest
	PlaneOwnHeld
	PlaneFreshness
	PlanePheromone
	PlaneSearching
	PlaneCarrying
	PlaneDefense
	PlaneExpansion
	PlaneRaid
	PlaneBuild
	PlaneFood
	PlaneFoodVision
	PlaneRivals
	PlaneRivalRaiders
	PlaneRivalVision
	PlaneScent
	PlaneKnownNests
	PlaneLegalRelocation
	NumPlanes
)

// Planes lists the observation channels in order. Values are whole numbers in
// 0..255, whatever the dtype.
func Planes() []obs.Plane {
	return []obs.Plane{
		PlaneValid:           {Name: "valid", Doc: "1 on the board"},
		PlaneOwnNest:         {Name: "own_nest", Doc: "1 on the own nest, while the colony lives"},
		PlaneOwnHeld:         {Name: "own_held", Doc: "1 on cells that the colony holds"},
		PlaneFreshness:       {Name: "freshness", Doc: "ticks that a held cell stays held without a visit, this one counted"},
		PlanePheromone:       {Name: "own_pheromone", Doc: "own pheromone / 8, rounded down, at most 255"},
		PlaneSearching:       {Name: "ants_searching", Doc: "own foragers without food"},
		PlaneCarrying:        {Name: "ants_carrying", Doc: "own ants of any role with food"},
		PlaneDefense:         {Name: "ants_defense", Doc: "own defenders without food"},
		PlaneExpansion:       {Name: "ants_expansion", Doc: "own expanders without food"},
		PlaneRaid:            {Name: "ants_raid", Doc: "own raiders without food"},
		PlaneBuild:           {Name: "ants_build", Doc: "own builders without food"},
		PlaneFood:            {Name: "food", Doc: "food that own ants see"},
		PlaneFoodVision:      {Name: "food_vision", Doc: "1 where own ants see food"},
		PlaneRivals:          {Name: "rivals", Doc: "ants of other colonies that own ants see"},
		PlaneRivalRaiders:    {Name: "rival_raiders", Doc: "the raiders among them"},
		PlaneRivalVision:     {Name: "rival_vision", Doc: "1 where own ants see rivals"},
		PlaneScent:           {Name: "scent", Doc: "scent level 0..7 next to own ants"},
		PlaneKnownNests:      {Name: "known_nests", Doc: "1 where a rival's nest was seen last"},
		PlaneLegalRelocation: {Name: "legal_relocation", Doc: "1 on cells that the nest may move to"},
	}
}

// The scalars, in order. ScalarScores and ScalarAlive have one entry for each
// direction offset 0..5: that of the colony whose nest started so many
// directions on from the own, 0 where none did.
const (
	ScalarTick       = iota // share of the episode's ticks that are played
	ScalarEvent             // 1 in an event phase
	ScalarRain              // ticks of rain left
	ScalarFood              // stored food
	ScalarPopulation        //
	ScalarCap               // population cap
	ScalarChambers          //
	ScalarSquads            // 5: ants by role
	ScalarScores     = ScalarSquads + NumRoles
	ScalarAlive      = ScalarScores + Directions
	ScalarMode       = ScalarAlive + Directions // 4: 1 at the latched mode
	ScalarAlloc      = ScalarMode + NumModes    // 3: latched shares, 0..1
	ScalarDefend     = ScalarAlloc + 3          // 1 if latched
	ScalarThreat     = ScalarDefend + 1         // visible rival raiders near the nest
	NumScalars       = ScalarThreat + 1
)

// Scalars lists the entries of the scalars array in order.
func Scalars() []obs.Plane {
	list := []obs.Plane{
		{Name: "tick", Doc: "share of the episode's ticks that are played"},
		{Name: "event", Doc: "1 in an event phase"},
		{Name: "rain", Doc: "ticks of rain left"},
		{Name: "food", Doc: "stored food"},
		{Name: "population", Doc: "own ants"},
		{Name: "pop_cap", Doc: "population cap"},
		{Name: "chambers", Doc: "chambers dug"},
	}
	for _, role := range RoleNames {
		list = append(list, obs.Plane{Name: "squad_" + role, Doc: "own ants of the role"})
	}
	for d := range Directions {
		list = append(list, obs.Plane{Name: fmt.Sprintf("score_%d", d), Doc: "score, in points, of the colony so many directions on"})
	}
	for d := range Directions {
		list = append(list, obs.Plane{Name: fmt.Sprintf("alive_%d", d), Doc: "1 if that colony lives"})
	}
	for _, mode := range ModeNames {
		list = append(list, obs.Plane{Name: "mode_" + mode, Doc: "1 if it is the latched mode"})
	}
	for _, part := range []string{"food", "defense", "expansion"} {
		list = append(list, obs.Plane{Name: "alloc_" + part, Doc: "latched share"})
	}
	return append(list,
		obs.Plane{Name: "defend", Doc: "1 if defend is latched"},
		obs.Plane{Name: "threat", Doc: "visible rival raiders near the nest"})
}

// The fields of the arrays. Scores are doubled points, as in Outcome; rewards
// and the scalars' scores are points.
var (
	FieldPlanes = obs.Field{Name: "planes", DType: obs.Uint8, Shape: []obs.Dim{"B", "S", "C", "H", "W"},
		Doc: "observation planes in the home frame, whole numbers 0..255"}
	FieldScalars = obs.Field{Name: "scalars", DType: obs.Float32, Shape: []obs.Dim{"B", "S", "K"},
		Doc: "observation scalars"}
	FieldModeMask = obs.Field{Name: "mode_mask", DType: obs.Int8, Shape: []obs.Dim{"B", "S", "4"},
		Doc: "1 where the mode makes sense: relocate needs a legal cell"}
	FieldDefendMask = obs.Field{Name: "defend_mask", DType: obs.Int8, Shape: []obs.Dim{"B", "S", "2"},
		Doc: "1 where defend may be off, on: always, of a living colony; only off of a dead one"}
	FieldTargetMask = obs.Field{Name: "target_mask", DType: obs.Int8, Shape: []obs.Dim{"B", "S", "H", "W"},
		Doc: "1 on cells that the nest may move to"}
	FieldReward     = obs.Field{Name: "reward", DType: obs.Float32, Shape: []obs.Dim{"B", "S"}, Doc: "weighted reward of the step"}
	FieldTerminated = obs.Field{Name: "terminated", DType: obs.Bool, Shape: []obs.Dim{"B", "S"}, Doc: "the last tick is played, or the colony is dead"}
	FieldTruncated  = obs.Field{Name: "truncated", DType: obs.Bool, Shape: []obs.Dim{"B", "S"}, Doc: "never: the last tick is the game's natural end"}
	FieldDone       = obs.Field{Name: "done", DType: obs.Bool, Shape: []obs.Dim{"B"}, Doc: "the board's episode is over"}
	FieldValid      = obs.Field{Name: "valid", DType: obs.Bool, Shape: []obs.Dim{"B"}, Doc: "the step was played, and no automatic reset"}
	FieldReason     = obs.Field{Name: "reason", DType: obs.Uint8, Shape: []obs.Dim{"B"}, Doc: "0 while the episode goes on, 1 after the final tick"}
	FieldTurn       = obs.Field{Name: "turn", DType: obs.Int32, Shape: []obs.Dim{"B"}, Doc: "command phases answered"}
	FieldTick       = obs.Field{Name: "tick", DType: obs.Int32, Shape: []obs.Dim{"B"}, Doc: "ticks played"}
	FieldTicks      = obs.Field{Name: "ticks", DType: obs.Int32, Shape: []obs.Dim{"B"}, Doc: "ticks that this step played; 0 if it was none"}
	FieldScore      = obs.Field{Name: "score", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "doubled scores of all seats as they stand"}
	FieldRank       = obs.Field{Name: "rank", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "1-based ranks of all seats, ties share; 0 where the board has no such seat"}
	FieldFoodStored = obs.Field{Name: "food_stored", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "food in store of all seats"}
	FieldTerritory  = obs.Field{Name: "territory", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "cells held by all seats; once dead, at death"}
	FieldPopulation = obs.Field{Name: "population", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "living ants of all seats"}
	FieldReturn     = obs.Field{Name: "episode_return", DType: obs.Float32, Shape: []obs.Dim{"B", "S"}, Doc: "sum of rewards since the episode began"}
	FieldHarvested  = obs.Field{Name: "episode_harvested", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "food picked up from patches since the episode began"}
	FieldStolen     = obs.Field{Name: "episode_stolen", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "food taken from rivals' stores since the episode began"}
	FieldBirths     = obs.Field{Name: "episode_births", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "ants born since the episode began"}
	FieldLosses     = obs.Field{Name: "episode_losses", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "own ants dead since the episode began"}
)

// Arrays declares every array, in order.
func Arrays() []obs.Field {
	return []obs.Field{
		FieldPlanes, FieldScalars, FieldModeMask, FieldDefendMask, FieldTargetMask,
		FieldReward, FieldTerminated, FieldTruncated, FieldDone, FieldValid, FieldReason,
		FieldTurn, FieldTick, FieldTicks, FieldScore, FieldRank, FieldFoodStored, FieldTerritory, FieldPopulation,
		FieldReturn, FieldHarvested, FieldStolen, FieldBirths, FieldLosses,
	}
}

// DefaultArrays names the arrays that a batch exports when none are asked for.
func DefaultArrays() []string {
	return []string{
		"planes", "scalars", "mode_mask", "defend_mask", "target_mask", "reward", "terminated", "truncated", "done", "valid",
		"reason", "turn", "tick", "ticks", "score", "rank", "episode_return",
	}
}

// RewardTerms are the names of the reward's terms, all in points: margin (at
// the end, or as it stands in the step in which the colony dies: the own score
// less the mean of the rivals'), win (at the end: 1 for the only highest score),
// score (change of the own score). The default is margin alone. A colony that
// dies is paid its margin at once, so that to die is never better than to lose.
func RewardTerms() []string { return []string{"margin", "win", "score"} }

// The arrays that a caller may give as orders; exactly one a step. A target is
// a cell of the grid, row*W + column, or -1; it is read in relocate mode only.
// A row whose mode is -1 (NoOrder in HeadBytes) is no order: the latch stays.
// Rows of dead colonies and of seats that a board lacks are not read.
var (
	HeadOrders = obs.Field{Name: "orders", DType: obs.Int32, Shape: []obs.Dim{"B", "S", "4"},
		Doc: "mode 0..3 or -1, point of AllocTenths 0..65, defend 0 or 1, target"}
	HeadWeights = obs.Field{Name: "order_weights", DType: obs.Int32, Shape: []obs.Dim{"B", "S", "6"},
		Doc: "mode 0..3 or -1; weights of food, defense, expansion, 0..1000000 and not all 0, brought to basis points by largest remainder; defend 0 or 1; target"}
	HeadBytes = obs.Field{Name: "order_bytes", DType: obs.Uint8, Shape: []obs.Dim{"B", "S", "10"},
		Doc: "an encoded order, see Order.Append, whose target is a cell of the board; or 255 and anything, for none"}
	HeadLogits = obs.Field{Name: "order_logits", DType: obs.Float32, Shape: []obs.Dim{"B", "S", "L"},
		Doc: "logits of 4 modes (masked by mode_mask), 66 points of AllocTenths, defend off and on (masked by defend_mask), H*W targets (masked by target_mask; read if the mode is relocate)"}
)

// Heads declares every head.
func Heads() []obs.Field { return []obs.Field{HeadOrders, HeadWeights, HeadBytes, HeadLogits} }

// The columns of HeadOrders and HeadWeights, and where HeadLogits has what.
const (
	OrderMode = iota
	OrderAlloc
	OrderDefend
	OrderTarget
	OrderColumns

	WeightsMode    = 0
	WeightsAlloc   = 1 // 3
	WeightsDefend  = 4
	WeightsTarget  = 5
	WeightsColumns = 6
	MaxWeight      = 1_000_000

	LogitsMode   = 0
	LogitsAlloc  = LogitsMode + NumModes
	LogitsDefend = LogitsAlloc + NumTenths
	LogitsTarget = LogitsDefend + 2
)

// NoOrder in place of the mode of an encoded order: none is given.
const NoOrder = 255

// NumTenths is the number of ways to share ten tenths among three.
const NumTenths = 66

// AllocTenths are those ways, food ascending, then defense.
var AllocTenths = func() (list [NumTenths]Alloc) {
	i := 0
	for food := range 11 {
		for defense := range 11 - food {
			list[i] = Alloc{uint16(1000 * food), uint16(1000 * defense), uint16(1000 * (10 - food - defense))}
			i++
		}
	}
	return list
}()

// PheromoneShift brings pheromone to its plane.
const PheromoneShift = 3
