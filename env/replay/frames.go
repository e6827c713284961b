// Frames: what a replay looks like, turn by turn.

package replay

import "github.com/myriant-rl/myriant/env/ants"

// A Framer is an engine that remembers what happened in a turn.
type Framer interface {
	ants.Engine
	// Frame is the last turn and the board after it; after a reset, a turn in
	// which nothing happened.
	Frame() ants.Frame
}

// Frames plays the replay on the engine, which must have been made for the
// replay's rules and board, and calls f with each frame, from frame 0, the
// state before the first turn. It stops at the first error of f and returns
// it. Between calls the engine stands at the frame, so that f may ask it for a
// seat's view.
func Frames(r Replay, e Framer, f func(frame *ants.Frame) error) error {
	if err := r.Validate(); err != nil {
		return err
	}
	return play(r.script(), e, func(*turn, *ants.State, *ants.State) error {
		frame := e.Frame()
		return f(&frame)
	})
}
