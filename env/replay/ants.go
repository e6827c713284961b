// What the forms of Ants have in common: a script of turns, and how it drives an
// engine.

package replay

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// An AntsReplay is a recorded game of Ants: *Envelope, *Lesson or *Contest.
type AntsReplay interface {
	Replay
	// Board is the map of a valid replay. The caller must not change it.
	Board() *ants.Map
	// Rules is the rule set to play it again by.
	Rules() (ants.Rules, error)

	// script is a fresh reader of the valid replay's turns.
	script() script
}

// A Framer is an engine that remembers what happened in a turn.
type Framer interface {
	ants.Engine
	// Frame is the last turn and the board after it; after a reset, a turn in
	// which nothing happened.
	Frame() ants.Frame
}

// A script hands out a replay's turns in order and knows what was recorded
// about the states in between.
type script interface {
	// seed is what the engine is reset with.
	seed() uint64
	// start changes the state after the reset to the recorded first one; it
	// tells whether there was anything to change.
	start(state *ants.State) bool
	// next is the turn to be played on the state; ok is false after the last.
	next(state *ants.State) (t turn, ok bool)
	// check compares the state after the turn with what was recorded.
	check(state *ants.State) *Difference
	// end compares the outcome after the last turn with what was recorded.
	end(out env.Outcome) *Difference
}

// A turn is what goes into an engine for one step.
type turn struct {
	orders [][]byte // per seat, one action per ant, row-major
	counts []int    // per seat: orders recorded; nil where the form has no counts
	food   []int32  // cells where scripted food appears
	spawns []int32  // hills on which ants were born
	drops  []int    // seats that drop out before the turn
	// moved, if not nil, is the board with the moves of the turn already made:
	// seats drop out after orders were read, and an engine cannot be told so.
	moved *ants.State
}

// rules derives the rule set of a replay and wraps its errors.
func rules(text string, change func(r *ants.Rules)) (ants.Rules, error) {
	r, err := ants.ParseRules(text)
	if err != nil {
		return r, fmt.Errorf("%w: rules: %w", ErrReplay, err)
	}
	change(&r)
	if err := r.Validate(); err != nil {
		return r, fmt.Errorf("%w: rules: %w", ErrReplay, err)
	}
	return r, nil
}

// antsSetup is the setup of a replay of Ants.
func antsSetup(r AntsReplay, players []string) (Setup, error) {
	rules, err := r.Rules()
	return Setup{Game: "ants", Rules: rules.JSON(), Map: r.Board(), Players: players}, err
}

// antsEngine is an engine as the replays of Ants drive it.
func antsEngine(e env.Engine) (ants.Engine, error) {
	board, ok := e.(ants.Engine)
	if !ok {
		return nil, fmt.Errorf("replay: a game of Ants on an engine of another game (%T)", e)
	}
	return board, nil
}

// playAnts is Replay.Play of the forms of Ants.
func playAnts(r AntsReplay, e env.Engine, each func() error) error {
	board, err := antsEngine(e)
	if err != nil {
		return err
	}
	return play(r.script(), board, func(*turn, *ants.State, *ants.State) error { return each() })
}

// play resets the engine and plays a replay's turns on it. each is called
// first for the state before the first turn, with no turn and no state before,
// and then after every turn. It ends with the recording, or with an error.
func play(s script, e ants.Engine, each func(t *turn, before, after *ants.State) error) error {
	if err := e.Reset(s.seed()); err != nil {
		return fmt.Errorf("replay: reset: %w", err)
	}
	state := e.State()
	if s.start(state) {
		if err := e.SetState(state.Append(nil)); err != nil {
			return wrapf("start", err)
		}
		state = e.State()
	}
	if err := each(nil, nil, state); err != nil {
		return err
	}
	for {
		t, ok := s.next(state)
		if !ok {
			return nil
		}
		if t.moved != nil {
			if err := e.SetState(t.moved.Append(nil)); err != nil {
				return wrapf(fmt.Sprintf("turn %d", state.Turn), err)
			}
		}
		for _, seat := range t.drops {
			e.Drop(seat)
		}
		e.Script(t.food, t.spawns)
		if err := e.Step(t.orders); err != nil {
			return fmt.Errorf("replay: turn %d: %w", state.Turn, err)
		}
		after := e.State()
		if err := each(&t, state, after); err != nil {
			return err
		}
		state = after
	}
}

// verifyAnts is Replay.verify of the forms of Ants.
func verifyAnts(r AntsReplay, e env.Engine, report *Report) error {
	board, err := antsEngine(e)
	if err != nil {
		return err
	}
	rules, err := r.Rules()
	if err != nil {
		return err
	}
	s := r.script()
	err = play(s, board, func(t *turn, before, after *ants.State) error {
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
		return err
	}
	return orNil(s.end(report.Outcome))
}
