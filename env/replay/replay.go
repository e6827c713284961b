// What all forms of a replay have in common, and how they are told apart.

package replay

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/myriant-rl/myriant/env"
)

// A Format is a form of replay.
type Format string

// The formats.
const (
	FormatLadder  Format = "ladder"      // *Envelope
	FormatLesson  Format = "lesson"      // *Lesson
	FormatContest Format = "contest2011" // *Contest
	FormatFormica Format = "formica"     // *Formica
)

// A Replay is a recorded game in one of the forms. One that Open returned is
// valid; after changing it, call Validate.
type Replay interface {
	Format() Format
	// Setup is what it takes to make an engine for a valid replay. Errors wrap
	// ErrReplay.
	Setup() (Setup, error)
	// Validate tells whether a game can have made the replay, as far as that
	// shows without playing it. Errors wrap ErrReplay.
	Validate() error
	// Encode is the JSON text, with unknown members kept. Errors wrap
	// ErrReplay: a replay without a map or the like.
	Encode() ([]byte, error)
	// Play resets an engine that was made for the replay's setup and plays the
	// valid replay on it. each is called for the state before the first step and
	// after every step; the engine is its to look at until it returns. Its first
	// error ends the play and is returned.
	Play(e env.Engine, each func() error) error

	// verify plays the valid replay and compares: see Verify.
	verify(e env.Engine, report *Report) error
}

// A Setup is what a replay was played on and by.
type Setup struct {
	Game    string   // as env.Lookup knows it
	Rules   string   // the rule set as JSON
	Map     env.Map  // the caller must not change it
	Players []string // per seat who played, "" for nobody's name
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
	case isFormica(o.extra.Get("format")):
		r, err = DecodeFormica(data)
	case o.extra.Get("deltas") != nil:
		r, err = Decode(data)
	case o.extra.Get("rows") != nil && o.extra.Get("game") != nil:
		r, err = DecodeLesson(data)
	case o.extra.Get("replaydata") != nil:
		r, err = DecodeContest(data)
	default:
		return nil, badf("", "an object of no known form: a ladder replay has deltas, a lesson has game and rows, a contest replay has replaydata, one of Formica has a format")
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
