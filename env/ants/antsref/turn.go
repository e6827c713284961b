package antsref

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// Step plays one turn. orders[seat] is one action for each of the seat's ants
// in row-major order; missing ones are Stay, surplus ones are ignored. An
// episode that is over stands still.
func (e *Engine) Step(orders [][]byte) error {
	if !e.started {
		return fmt.Errorf("step: %w", env.ErrNotReset)
	}
	if e.ending != 0 {
		return nil
	}
	actions, err := e.readOrders(orders)
	if err != nil {
		return err
	}
	e.now = newEvents(len(e.seats))

	e.move(actions)
	e.fight()
	e.raze()
	if e.rules.GatherFirst {
		e.gather()
		e.spawn()
	} else {
		e.spawn()
		e.gather()
	}
	e.newFood()

	e.lookAround()
	e.learn()
	e.turn++
	e.updateCutoff()
	e.checkEndings()

	e.scriptFood, e.scriptSpawns = nil, nil
	e.finishFrame()
	return nil
}

// readOrders returns the action of the ant on each cell. It changes nothing.
func (e *Engine) readOrders(orders [][]byte) ([]ants.Action, error) {
	if len(orders) > len(e.seats) {
		return nil, fmt.Errorf("%w: for %d seats on a board of %d", env.ErrOrders, len(orders), len(e.seats))
	}
	actions := make([]ants.Action, len(e.ants))
	for cell := range actions {
		actions[cell] = ants.Stay
	}
	dropped := e.overBeforeOrders()
	for seat, list := range orders {
		for i, cell := range e.antsOf(seat) {
			if i == len(list) {
				break
			}
			if list[i] >= ants.NumActions {
				return nil, fmt.Errorf("%w: seat %d, ant %d: action %d, want 0..%d", env.ErrOrders, seat, i, list[i], ants.NumActions-1)
			}
			if !dropped && !e.seats[seat].out {
				actions[cell] = list[i]
			}
		}
	}
	return actions, nil
}

// overBeforeOrders tells whether seats that were taken out have already
// decided the game. The turn is still played, but all ants stay.
func (e *Engine) overBeforeOrders() bool {
	if e.rules.Dropout != ants.DropoutOut {
		return false
	}
	for _, s := range e.seats {
		if s.out {
			return e.endingNow() != 0
		}
	}
	return false
}
