// Verify: does playing a replay again give what was recorded?

package replay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
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
	Turns   int // steps played
	Orders  int // orders given over all steps: one an ant, or one a colony
	Outcome env.Outcome
}

// Verify plays the replay again, on a new engine, and compares what it records:
//
//   - the ladder's form: every turn's number of orders with the ants there are,
//     and the result
//   - a contest replay: ants, food, hills, hives and scores after every turn too
//   - a lesson: nothing, as it records nothing
//
// The error is a *Difference for the first thing that does not match; others
// wrap ErrReplay or are newEngine's. The report is of the steps played so far.
func Verify(r Replay, newEngine func(rules string, m env.Map) (env.Engine, error)) (*Report, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	s, err := r.Setup()
	if err != nil {
		return nil, err
	}
	e, err := newEngine(s.Rules, s.Map)
	if err != nil {
		return nil, err
	}
	report := &Report{Format: r.Format(), Map: s.Map.ID(), Seats: s.Map.Seats()}
	return report, r.verify(e, report)
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
