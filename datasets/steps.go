// The columns of the steps kind: what is the same for every game, and then
// what the game shows a seat.

package datasets

import (
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/myriant-rl/myriant/env/obs"
)

// A stepColumn is a column of the steps kind and where its entries come from.
type stepColumn struct {
	column
	dtype obs.DType
	list  bool
	// Of an array that the game shows: the axes of an entry, and the name of its
	// offsets.
	shown   *shown
	entry   []obs.Dim
	offsets string
}

// Indices of the columns that every game has. Those that a game shows follow.
const (
	stepEpisode = iota
	stepStep
	stepSeat
	stepSeed
	stepMap
	stepPolicy
	stepActions
	stepReward
	stepTerminated
	stepTruncated
	stepFinal
	stepScore
	stepRank
	stepReturn
	stepStrikes
	stepReason
	stepHash
	numSteps
)

var commonSteps = [numSteps]stepColumn{
	stepEpisode:    {column: column{"episode", arrow.PrimitiveTypes.Uint64, "number of the episode in the dataset"}, dtype: obs.Uint64},
	stepStep:       {column: column{"step", arrow.PrimitiveTypes.Int32, "steps played before"}, dtype: obs.Int32},
	stepSeat:       {column: column{"seat", arrow.PrimitiveTypes.Int32, "whose row it is"}, dtype: obs.Int32},
	stepSeed:       {column: column{"seed", arrow.PrimitiveTypes.Uint64, "seed that the episode was reset with"}, dtype: obs.Uint64},
	stepMap:        {column: column{"map", named, "digest of the episode's map"}, dtype: obs.Int32},
	stepPolicy:     {column: column{"policy", named, "who played the seat"}, dtype: obs.Int32},
	stepActions:    {column: column{"actions", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Uint8), "what the seat ordered, in the game's encoding; empty in a last observation"}, dtype: obs.Uint8, list: true},
	stepReward:     {column: column{"reward", arrow.PrimitiveTypes.Float32, "reward of the step; 0 in a last observation"}, dtype: obs.Float32},
	stepTerminated: {column: column{"terminated", arrow.FixedWidthTypes.Boolean, "the step ended the game for the seat; repeated in a last observation"}, dtype: obs.Bool},
	stepTruncated:  {column: column{"truncated", arrow.FixedWidthTypes.Boolean, "the step was the last, though the game was not over; repeated in a last observation"}, dtype: obs.Bool},
	stepFinal:      {column: column{"is_final_obs", arrow.FixedWidthTypes.Boolean, "what the episode led to: an observation that nobody acted on"}, dtype: obs.Bool},
	stepScore:      {column: column{"score", arrow.PrimitiveTypes.Int32, "score as it is observed"}, dtype: obs.Int32},
	stepRank:       {column: column{"rank", arrow.PrimitiveTypes.Int32, "1-based rank as it is observed, ties share"}, dtype: obs.Int32},
	stepReturn:     {column: column{"return", arrow.PrimitiveTypes.Float32, "sum of the rewards before"}, dtype: obs.Float32},
	stepStrikes:    {column: column{"strikes", arrow.PrimitiveTypes.Int32, "failed answers in the whole episode"}, dtype: obs.Int32},
	stepReason:     {column: column{"reason", named, "why the episode will end"}, dtype: obs.Int32},
	stepHash:       {column: column{"state_hash", arrow.PrimitiveTypes.Uint64, "hash of the state after every so many steps and after the last, 0 elsewhere"}, dtype: obs.Uint64},
}

// elements are the Arrow types of the dtypes.
var elements = map[obs.DType]arrow.DataType{
	obs.Bit: arrow.PrimitiveTypes.Uint8, obs.Bool: arrow.PrimitiveTypes.Uint8, obs.Uint8: arrow.PrimitiveTypes.Uint8,
	obs.Int8: arrow.PrimitiveTypes.Int8, obs.Int32: arrow.PrimitiveTypes.Int32, obs.Int64: arrow.PrimitiveTypes.Int64,
	obs.Uint64: arrow.PrimitiveTypes.Uint64, obs.Float32: arrow.PrimitiveTypes.Float32,
}

// stepColumns are the columns of a game. The types do not depend on the sizes
// of boards: what is of one size in a whole dataset is binary when its elements
// are bytes, and a list otherwise.
func stepColumns(g *game) []stepColumn {
	list := slices.Clone(commonSteps[:])
	for i := range g.shown {
		s := stepColumn{shown: &g.shown[i]}
		f := &s.shown.field
		s.dtype = f.DType
		if s.shown.bits {
			s.dtype = obs.Bit
		}
		s.name, s.doc = f.Name, f.Doc
		if s.shown.bits {
			s.doc += "; packed along the last axis, lowest bit first"
		}
		if s.list = f.Ragged(); s.list {
			s.entry, s.offsets = f.Shape[1:], g.offsets
		} else {
			s.entry = f.Shape[2:]
		}
		switch t := elements[s.dtype]; {
		case s.list:
			s.typ = arrow.ListOfNonNullable(t)
		case s.scalar():
			s.typ = t
		case s.dtype.Size() == 1:
			s.typ = arrow.BinaryTypes.Binary
		default:
			s.typ = arrow.ListOfNonNullable(t)
		}
		list = append(list, s)
	}
	return list
}

// scalar tells whether an entry is one element whatever the sizes are.
func (s *stepColumn) scalar() bool {
	if len(s.entry) == 0 {
		return true
	}
	n, err := strconv.Atoi(string(s.entry[0]))
	return s.shown.bits && len(s.entry) == 1 && err == nil && n <= 8
}

// of are the names that a column of names can have; nil for other columns.
func (d *dictionaries) of(column string) []string {
	switch column {
	case "map":
		return d.maps
	case "policy":
		return d.policies
	case "reason":
		return d.reasons
	}
	return nil
}
