// What a game adds: how its orders are packed, and how its rules and maps are
// read.

package datasets

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// A game is what datasets know of a game.
type game struct {
	// rules is a rule set's canonical JSON.
	rules func(text string) (string, error)
	// signature is the behaviour signature of a rule set's JSON, maxSteps the
	// most steps that an episode can have under it.
	signature func(rules string) string
	maxSteps  func(rules string) int
	// reasons are the names of all endings under it.
	reasons func(rules string) []string
	// parseMap reads and validates a map.
	parseMap func(data []byte) (env.Map, error)
	// arrays are those of a batch that orders are packed against.
	arrays []string
	// shown are the arrays that the steps kind keeps of what a seat sees, in the
	// order of its columns.
	shown []shown
	// offsets is the array that says whose the entries of ragged ones are.
	offsets string
	// count is how many orders the seats gave in a step.
	count func(orders [][]byte) int
	// points is what a score of 1 is worth; units is the array of how many ants
	// seats have.
	points float64
	units  string
	// actions names what an order can be, and tally counts those of a seat.
	actions []string
	tally   func(counts []int64, given []byte)
	// scribe and oracle pack and unpack the orders of a batch's boards. The
	// batch exports arrays and observes every seat.
	scribe func(b *batch.Batch) scribe
	oracle func(b *batch.Batch) oracle
}

// A shown array is a column of the steps kind. With bits its elements, which
// are 0 or 1, are packed along the last axis, lowest bit first, to whole bytes.
type shown struct {
	field obs.Field
	bits  bool
}

// A scribe packs the orders of the boards of a batch. begin, note and finish
// may be called at once for different boards.
type scribe interface {
	// before keeps what the next step's orders will be packed against.
	before()
	// begin starts an episode on a board.
	begin(board int, policies []string)
	// note packs what the board's seats ordered.
	note(board int, orders [][]byte)
	// finish appends the packed episode.
	finish(board int, dst []byte) []byte
}

// An oracle unpacks the orders of the boards of a batch, step by step as they
// play. begin, next, idle, give, orders and end may be called at once for
// different boards.
type oracle interface {
	// begin starts an episode on a board.
	begin(board int, policies []string, packed []byte) error
	// room makes room for the actions of the next step of all boards.
	room()
	// next unpacks the board's orders of the step; idle gives orders to a board
	// without an episode.
	next(board int) error
	idle(board int)
	// give takes a board's orders of the step as they are, in place of next. An
	// error says that their number or form cannot be played.
	give(board int, orders [][]byte) error
	// count is how many orders next unpacked last.
	count(board int) int
	// orders are what next unpacked last, per seat, until it unpacks more.
	orders(board int) [][]byte
	// actions are the orders of all boards as the batch takes them.
	actions() batch.Actions
	// end tells whether the episode was read to its end.
	end(board int) error
}

var games = map[string]*game{"ants": &antsGame, "formica": &formicaGame}

// Games lists the games that datasets can hold.
func Games() []string {
	names := make([]string, 0, len(games))
	for name := range games {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func gameNamed(name string) (*game, error) {
	if g := games[name]; g != nil {
		return g, nil
	}
	return nil, fmt.Errorf("no datasets of game %q (have %s)", name, strings.Join(Games(), ", "))
}

// shares numbers the models that an episode's orders are learned with: seats
// of one policy share one.
func shares(policies []string) []uint8 {
	share := make([]uint8, len(policies))
	for s, p := range policies {
		share[s] = uint8(slices.Index(policies, p))
	}
	return share
}
