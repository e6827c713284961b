// Recording a game in the ladder's form while it is played.

package replay

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// A Recorder makes an envelope of one game. It is not safe for concurrent use.
type Recorder struct {
	e     Envelope
	seats int
}

// NewRecorder starts the record of a game on the map by the rules, from an
// engine that was reset with the seed. labels names who plays each seat; nil
// for nobody's names. Errors wrap ErrReplay: scripted food is in no envelope.
func NewRecorder(m *ants.Map, r *ants.Rules, seed uint64, labels []string) (*Recorder, error) {
	if r.Food == ants.FoodScripted {
		return nil, badf("rules", "food is %s, which an envelope does not record", r.Food)
	}
	if labels != nil && len(labels) != m.Players {
		return nil, badf("seats", "%d labels on a map of %d seats", len(labels), m.Players)
	}
	rec := &Recorder{seats: m.Players, e: Envelope{Seed: seed, MaxTurns: r.MaxTurns, RuleSet: ruleText(r), Map: m, Seats: make([]Seat, m.Players)}}
	for i := range rec.e.Seats {
		rec.e.Seats[i].Seat = i
		if labels != nil {
			rec.e.Seats[i].Label = labels[i]
		}
	}
	return rec, nil
}

// ruleText is the shortest text that gives the rules back when MaxTurns is
// known: "" for the ladder's, the name of another set, or the whole object.
func ruleText(r *ants.Rules) string {
	for i, name := range ants.RuleSetNames() {
		set, err := ants.RuleSet(name)
		if err != nil {
			panic("replay: " + err.Error())
		}
		set.MaxTurns = r.MaxTurns
		if set.JSON() == r.JSON() {
			if i == 0 {
				return ""
			}
			return name
		}
	}
	return r.JSON()
}

// Turn adds the orders of one turn: for each seat an action for every ant that
// it has, row-major. A nil list is a seat without ants. Errors wrap
// env.ErrOrders; nothing is added then.
func (rec *Recorder) Turn(orders [][]byte) error {
	if len(orders) != rec.seats {
		return fmt.Errorf("%w: for %d seats in a game of %d", env.ErrOrders, len(orders), rec.seats)
	}
	d := Delta{Turn: len(rec.e.Deltas), Orders: make([]string, rec.seats)}
	for seat, list := range orders {
		letters, err := Letters(list)
		if err != nil {
			return fmt.Errorf("turn %d, seat %d: %w", d.Turn, seat, err)
		}
		d.Orders[seat] = letters
	}
	rec.e.Deltas = append(rec.e.Deltas, d)
	return nil
}

// Finish adds how the game ended and returns the valid envelope, which the
// caller owns; strikes and forfeits are the caller's to fill in. Errors wrap
// ErrReplay: a game that is not over, or not of the turns recorded.
func (rec *Recorder) Finish(out env.Outcome) (*Envelope, error) {
	if !out.Done {
		return nil, badf("turns", "the game is not over after %d", out.Steps)
	}
	e := rec.e
	e.Turns, e.Reason = out.Steps, out.Reason
	e.Scores = append([]int32{}, out.Scores...)
	e.Ranks = append([]int32{}, out.Ranks...)
	if err := e.Validate(); err != nil {
		return nil, err
	}
	return &e, nil
}
