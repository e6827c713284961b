// How a replay drives an engine.

package replay

import (
	"fmt"

	"github.com/myriant-rl/myriant/env/ants"
)

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
