package ants

import "github.com/myriant-rl/myriant/env"

// An Engine plays one Ants board. It adds to env.Engine what is needed to
// drive it with the recorded games of other engines.
type Engine interface {
	env.Engine
	// Rules and Map are what it plays; the caller must not change them.
	Rules() *Rules
	Map() *Map
	// State is a deep copy of the whole state.
	State() *State
	// Script sets, for the next Step only, the cells where FoodScripted puts
	// food, and the hill cells that win a spawn tie (nil: by the rule set).
	Script(food, spawns []int32)
	// Drop takes a seat out by the rule set's Dropout, before the next Step.
	// Its orders are read as all '-' from then on. Where that decides the game
	// (DropoutOut), the next Step is still played, with all ants staying.
	Drop(seat int)
	// Visible is which cells the seat sees now: bit cell%64 of word cell/64.
	Visible(seat int) []uint64
}
