// Frames: what a replay looks like, turn by turn.

package replay

import (
	"errors"

	"github.com/myriant-rl/myriant/env/ants"
)

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

// FrameAt is the frame after so many turns; the engine stands at it. Errors
// wrap ErrReplay: a game that was shorter.
func FrameAt(r Replay, e Framer, turns int) (*ants.Frame, error) {
	found := errors.New("found")
	var last *ants.Frame
	err := Frames(r, e, func(f *ants.Frame) error {
		last = f
		if int(f.Turn) == turns {
			return found
		}
		return nil
	})
	switch {
	case errors.Is(err, found):
		return last, nil
	case err != nil:
		return nil, err
	}
	return nil, badf("turns", "no frame %d in a game of %d turns", turns, last.Turn)
}
