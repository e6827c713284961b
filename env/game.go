package env

import "errors"

// Errors that callers may test for with errors.Is. Implementations wrap them
// with what was wrong and where.
var (
	// ErrOrders: orders that the game cannot read (wrong value or length).
	ErrOrders = errors.New("bad orders")
	// ErrState: bytes that are no state of the board they were given to.
	ErrState = errors.New("bad state")
	// ErrMap: a map that the rule set cannot be played on.
	ErrMap = errors.New("bad map")
	// ErrRules: a rule set that is unknown or contradicts itself.
	ErrRules = errors.New("bad rules")
	// ErrNotReset: a step before the first reset.
	ErrNotReset = errors.New("not reset")
)

// A Game is one game's rules as the rest of the project sees them.
type Game interface {
	// Name is the word used on the command line and in files, such as "ants".
	Name() string
	// RuleSets lists the named rule sets; the first is the default.
	RuleSets() []string
	// DecodeMap reads and validates a map in any of the game's formats.
	// Errors wrap ErrMap.
	DecodeMap(data []byte) (Map, error)
	// NewReference returns the readable engine. rules is the name of a rule
	// set or its JSON object. Errors wrap ErrRules or ErrMap.
	NewReference(rules string, m Map) (Engine, error)
}

// A Map is the place one board is played on.
type Map interface {
	// ID is the map's own name; it need not be unique.
	ID() string
	// Seats is the number of colonies.
	Seats() int
	// Size is the extent of the cell grid that arrays are laid out on.
	Size() (rows, cols int)
	// Digest is the lower-case hex SHA-256 of the map's canonical JSON.
	Digest() string
	// CanonicalJSON is the map with fixed field order and no unknown fields.
	CanonicalJSON() []byte
}

// An Engine plays one board. The reference, a slot of a batch and a handle of
// the shared library all fill it, and envtest.Run holds them to it.
//
// Orders are bytes: orders[seat] is what one seat submits for one step, in the
// game's own fixed encoding (Ants: one byte per own living ant in row-major
// order, values 0..4; Formica: one formica.Order). A nil or short entry is
// legal where the game says what a missing order means. What a step is, is the
// game's to say too (Ants: a turn; Formica: a command phase of several ticks).
//
// An Engine is not safe for concurrent use.
type Engine interface {
	// Seats is the number of colonies on the board.
	Seats() int
	// Reset starts a new episode.
	Reset(seed uint64) error
	// Step plays one step. After the end it changes nothing. On an error
	// (wrapping ErrOrders or ErrNotReset) nothing has changed.
	Step(orders [][]byte) error
	// Outcome tells how the episode stands.
	Outcome() Outcome
	// AppendState appends the canonical encoding of the whole state,
	// generators included. Two states are equal exactly when the bytes are.
	AppendState(dst []byte) []byte
	// SetState replaces the state. Errors wrap ErrState and change nothing.
	SetState(state []byte) error
	// AppendView appends the JSON view of one seat: what that seat may know.
	AppendView(dst []byte, seat int) []byte
}

// An Outcome is how an episode stands after a step.
type Outcome struct {
	Done      bool    // the episode is over
	Truncated bool    // it is over because of the turn limit and for no other reason
	Reason    string  // the rule set's name for the ending, "" while it goes on
	Steps     int     // steps played
	Scores    []int32 // per seat, in the game's own unit (Formica: doubled points)
	Ranks     []int32 // per seat, 1-based, ties share; provisional until Done
}
