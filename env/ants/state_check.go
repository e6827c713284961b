// What a state must hold beyond standing on its map: that a rule set can go on
// from it.

package ants

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
)

// ValidateFor tells whether an engine of those rules and food sets can play on
// from a state that stands on its map (Validate): the ending exists, the
// cursor is a valid set or 0 without sets, and no more food is owed than the
// next sets can hold back. Errors wrap env.ErrState.
func (s *State) ValidateFor(r *Rules, sets *SetList) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", env.ErrState, fmt.Sprintf(format, a...))
	}
	if int(s.Ending) > len(r.Endings) {
		return bad("ending %d of a rule set with %d", s.Ending, len(r.Endings))
	}
	g := &s.Gen
	if int(g.Cursor) >= max(1, sets.Len()) {
		return bad("food cursor %d on a map of %d sets", g.Cursor, sets.Len())
	}
	largest := 0
	for i := range sets.Len() {
		largest = max(largest, len(sets.Set(i)))
	}
	if sets.Len() > 0 && g.Period > 0 && g.Extra >= int64(g.Period)*int64(largest) {
		return bad("food generator owes %d/%d, more than its largest set of %d", g.Extra, g.Period, largest)
	}
	if r.Food != FoodSets && r.Food != FoodSetsOverWater && len(g.Pending) > 0 {
		return bad("%d pending food under food source %q", len(g.Pending), r.Food)
	}
	return nil
}
