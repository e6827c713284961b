// What all forms of a replay have in common, and how they are told apart.

package replay

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// A Format is a form of replay.
type Format string

// The formats.
const (
	FormatLadder  Format = "ladder"      // *Envelope
	FormatLesson  Format = "lesson"      // *Lesson
	FormatContest Format = "contest2011" // *Contest
)

// A Replay is a recorded game in one of the forms: *Envelope, *Lesson or
// *Contest. One that Open returned is valid; after changing it, call Validate.
type Replay interface {
	Format() Format
	// Board is the map of a valid replay. The caller must not change it.
	Board() *ants.Map
	// Rules is the rule set to play it again by.
	Rules() (ants.Rules, error)
	// Validate tells whether a game can have made the replay, as far as that
	// shows without playing it. Errors wrap ErrReplay.
	Validate() error
	// Encode is the JSON text, with unknown members kept. Errors wrap
	// ErrReplay: a replay without a map or the like.
	Encode() ([]byte, error)

	// script is a fresh reader of the valid replay's turns.
	script() script
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

// Open reads and validates a replay of any form, plain or gzip. It also opens
// a transcript of a contest game, which holds the game's replay. Errors wrap
// ErrReplay.
func Open(data []byte) (Replay, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		plain, err := gunzip(data)
		if err != nil {
			return nil, err
		}
		data = plain
	}
	data, err := compact(data)
	if err != nil {
		return nil, err
	}
	o := readObject("", data)
	if o.err != nil {
		return nil, o.err
	}
	if string(o.extra.Get("format")) == `"ants-transcript"` {
		data = o.extra.Get("replay")
		if o = readObject("replay", data); o.err != nil {
			return nil, o.err
		}
	}
	var r Replay
	switch {
	case o.extra.Get("deltas") != nil:
		r, err = Decode(data)
	case o.extra.Get("rows") != nil && o.extra.Get("game") != nil:
		r, err = DecodeLesson(data)
	case o.extra.Get("replaydata") != nil:
		r, err = DecodeContest(data)
	default:
		return nil, badf("", "an object of no known form: a ladder replay has deltas, a lesson has game and rows, a contest replay has replaydata")
	}
	if err != nil {
		return nil, err
	}
	if err := r.Validate(); err != nil {
		return nil, err
	}
	return r, nil
}

// gunzip decompresses at most MaxBytes.
func gunzip(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, badf("", "no gzip: %v", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, MaxBytes+1))
	if err != nil {
		return nil, badf("", "no gzip: %v", err)
	}
	if len(plain) > MaxBytes {
		return nil, badf("", "more than %d bytes after decompression", MaxBytes)
	}
	return plain, nil
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
