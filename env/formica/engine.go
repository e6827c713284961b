package formica

import "github.com/myriant-rl/myriant/env"

// An Engine plays one Formica board. A step is a command phase: Step applies
// the orders of the phase that waits, plays the rest of its tick, and goes on
// until the next phase waits or MaxTicks are played. orders[seat] is nil or
// empty (the latch stays) or an encoded Order; orders of dead seats are not
// read.
//
// Outcome: Steps counts phases; Scores are doubled points, so that they are
// integers; the only ending is "final_tick", which is a natural end and no
// truncation, since the score is defined at that tick.
type Engine interface {
	env.Engine
	// Config and Board are what it plays; the caller must not change them.
	Config() *Config
	Board() *Board
	// State is a deep copy of the whole state.
	State() *State
	// Observation is what a seat may know now.
	Observation(seat int) *Observation
	// Waiting tells which phase waits.
	Waiting() Waiting
	// Results are the episode's results as they stand.
	Results() *Results
}

// Waiting describes the phase that waits for orders.
type Waiting struct {
	Done     bool  // none: the last tick is played
	Phase    int32 // number, from 0
	Kind     Kind
	Event    Event // EventLocust in an event phase, else EventNone
	Tick     int32
	BudgetMS int
	Elapsed  int32 // ticks that the last Step played; 0 after Reset and SetState
}

// ReasonFinalTick is the name of the only ending.
const ReasonFinalTick = "final_tick"

// Results are what an episode comes to, per slot.
type Results struct {
	Scores2        []int32 // doubled; the JSON halves them
	FoodStored     []int32
	TerritoryCells []int32
	Population     []int32
	Alive          []bool
	DiedAt         []int32 // -1 (null in the JSON) for the living
	Ticks          int32
	SeedUsed       uint64
	RulesVersion   int
}
