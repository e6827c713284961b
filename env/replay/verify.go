// Verify: does playing a replay again give what was recorded?

package replay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// ErrMismatch is for a replay that comes out differently when it is played
// again. The error that wraps it is a *Difference.
var ErrMismatch = errors.New("replay does not match its game")

// A Difference is the first thing in which a replay and its game differ.
type Difference struct {
	// Turn is how many turns had been played where it shows: frame Turn.
	Turn int
	Seat int    // -1 where it is no seat's
	What string // such as orders, ants, score, reason
	// Recorded and Computed are the two values as text.
	Recorded, Computed string
}

// Error says where, what, and both values.
func (d *Difference) Error() string {
	seat := ""
	if d.Seat >= 0 {
		seat = fmt.Sprintf(", seat %d", d.Seat)
	}
	return fmt.Sprintf("%v: after %d turns%s: %s: recorded %s, computed %s", ErrMismatch, d.Turn, seat, d.What, d.Recorded, d.Computed)
}

// Unwrap is ErrMismatch.
func (d *Difference) Unwrap() error { return ErrMismatch }

// differ is nil where the values are equal. Their type must not be a pointer.
func differ[T comparable](turns, seat int, what string, recorded, computed T) *Difference {
	if recorded == computed {
		return nil
	}
	return &Difference{turns, seat, what, fmt.Sprint(recorded), fmt.Sprint(computed)}
}

// A Report is what Verify went through.
type Report struct {
	Format  Format
	Map     string // the map's own name
	Seats   int
	Turns   int // turns played
	Orders  int // ants that were given their order, over all turns
	Outcome env.Outcome
}

// Verify plays the replay again, on a new engine, and compares every turn's
// number of orders with the ants there are, and the result. Of a contest
// replay it compares ants, food, hills, hives and scores after every turn. A
// lesson records nothing to compare.
//
// The error is a *Difference for the first thing that does not match; others
// wrap ErrReplay or are newEngine's. The report is of the turns played so far.
func Verify(r Replay, newEngine func(*ants.Rules, *ants.Map) (ants.Engine, error)) (*Report, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	rules, err := r.Rules()
	if err != nil {
		return nil, err
	}
	m := r.Board()
	e, err := newEngine(&rules, m)
	if err != nil {
		return nil, err
	}
	report := &Report{Format: r.Format(), Map: m.ID(), Seats: m.Seats()}
	s := r.script()
	err = play(s, e, func(t *turn, before, after *ants.State) error {
		if t == nil {
			return orNil(s.check(after))
		}
		if before.Ending != 0 {
			return &Difference{int(before.Turn), -1, "end of the game", "none yet", rules.Endings[before.Ending-1].Reason}
		}
		report.Turns = int(after.Turn)
		for seat, cells := range before.Ants {
			report.Orders += len(cells)
			if t.counts == nil {
				continue
			}
			if d := differ(int(before.Turn), seat, "orders", t.counts[seat], len(cells)); d != nil {
				return d
			}
		}
		return orNil(s.check(after))
	})
	report.Outcome = e.Outcome()
	if err != nil {
		return report, err
	}
	return report, orNil(s.end(report.Outcome))
}

// orNil keeps a nil *Difference from becoming an error that is not nil.
func orNil(d *Difference) error {
	if d == nil {
		return nil
	}
	return d
}

// compareOutcome compares a recorded result with the engine's.
func compareOutcome(out env.Outcome, turns int, reason string, scores, ranks []int32) *Difference {
	if !out.Done {
		return &Difference{out.Steps, -1, "end of the game", reason, "none yet"}
	}
	if d := differ(out.Steps, -1, "turns", turns, out.Steps); d != nil {
		return d
	}
	if d := differ(out.Steps, -1, "reason", reason, out.Reason); d != nil {
		return d
	}
	if !slices.Equal(scores, out.Scores) {
		return differ(out.Steps, -1, "scores", fmt.Sprint(scores), fmt.Sprint(out.Scores))
	}
	if !slices.Equal(ranks, out.Ranks) {
		return differ(out.Steps, -1, "ranks", fmt.Sprint(ranks), fmt.Sprint(out.Ranks))
	}
	return nil
}
