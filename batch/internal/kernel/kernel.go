// Package kernel is the seam between the batch runner and the games' fast
// engines: what package batch needs of a game, and nothing about any one game.
package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// Config is what a game's kernel is built from; package batch has checked
// what is not the game's own business.
type Config struct {
	Rules    string
	Maps     []env.Map
	MapOf    []int           // per board, an index into Maps
	Policies [][]string      // per board, per seat; "" is the caller
	Observe  []int           // observed seats, ascending; nil: those that the caller drives
	Planes   obs.DType       // dtype of the planes array; Unset: the game's default
	Options  map[string]bool // the game's own switches, see CheckOptions
	HoldBad  bool            // read an invalid action as "do nothing" instead of refusing it
	Rewards  map[string]float64
	ZeroSum  bool
	Workers  int
}

// CheckOptions refuses options that are not among those that the game has.
func (c *Config) CheckOptions(have ...string) error {
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		if !slices.Contains(have, name) {
			if len(have) == 0 {
				return fmt.Errorf("no option %q (the game has none)", name)
			}
			return fmt.Errorf("no option %q (have %s)", name, strings.Join(have, ", "))
		}
	}
	return nil
}

// CheckPlanes refuses a dtype of the planes array that is not among those that
// the game can write. The first of those is its default and takes Unset's place.
func (c *Config) CheckPlanes(have ...obs.DType) error {
	if c.Planes == obs.Unset {
		c.Planes = have[0]
	}
	if slices.Contains(have, c.Planes) {
		return nil
	}
	names := make([]string, len(have))
	for i, d := range have {
		names[i] = d.String()
	}
	return fmt.Errorf("planes of %s (have %s)", c.Planes, strings.Join(names, ", "))
}

// Input is one step's actions from the caller: the name of a head that the
// kernel declares, and its elements.
type Input struct {
	Head        string // "" when every seat is played natively
	Uint8       []uint8
	Int32       []int32
	Float32     []float32
	Sample      bool   // logits: sample instead of argmax
	SampleSeed  uint64 // with Sample
	Temperature float32
}

// Ragged is where one worker appends the entries of ragged arrays. The memory
// of each has room for everything the worker's shard can hold.
type Ragged struct {
	Mem [][]byte // in the order of Sink.Ragged
	N   int      // entries written
	_   Apart    // workers have theirs side by side
}

// Apart keeps what workers write all the time from sharing cache lines, which
// processors fetch in pairs.
type Apart [128]byte

// A Sink is one set of arrays to write a step's outputs to.
type Sink struct {
	Arrays map[string]*obs.Array // the arrays asked for
	Ragged []string              // names of the ragged arrays among them
	Counts []int64               // per board and observed seat: entries of the ragged arrays; nil when there are none
}

// A Kernel steps the boards of one game. Methods that take a worker may be
// called at once from different workers for different boards.
type Kernel interface {
	// Rules is the rule set as text that is the same for every way to write it.
	Rules() string
	// Sizes resolves the symbols of the declared fields.
	Sizes() obs.Sizes
	// Outputs declares every array the kernel can write, Inputs every head.
	Outputs() []obs.Field
	Inputs() []obs.Field
	// Defaults names the arrays that are written when none are asked for.
	Defaults() []string
	// MaxGrowth bounds how many ragged entries one board can gain in a step
	// or hold after a reset. Entries is how many Observe would append now.
	MaxGrowth() int
	Entries(board int) int

	// Bind prepares writing to a sink; the handle is for Observe.
	Bind(s *Sink) (handle int)

	// Reset starts an episode on a board.
	Reset(worker, board int, seed uint64)
	// Prepare checks the sizes of a step's input; offsets are those of the
	// ragged arrays of the last observation. Called once, before Decode.
	Prepare(in *Input, offsets []int64) error
	// Decode reads the actions for boards [lo, hi). It changes nothing but the
	// kernel's own scratch, so that a refused input leaves every board as it was.
	Decode(worker, lo, hi int, in *Input) error
	// Step plays one step of a board that is not done.
	Step(worker, board int)
	// Done tells whether a board's episode is over.
	Done(board int) bool
	// Report writes what the step led to: rewards, flags, scores, statistics.
	// played is false when the board was reset or left alone instead.
	Report(board, handle int, played bool)
	// Observe writes what the seats see now: planes, lists, masks.
	Observe(worker, board, handle int, lists *Ragged)
	// Orders are the orders that Step played last on this worker, per seat;
	// valid until its next call.
	Orders(worker int) [][]byte

	// Outcome tells how a board stands.
	Outcome(board int) env.Outcome
	// AppendState appends the canonical state; SetState replaces it.
	AppendState(dst []byte, board int) []byte
	SetState(board int, state []byte) error
	// AppendBoard appends everything that the future of a board depends on,
	// AppendState and the episode's statistics; LoadBoard reads it back.
	AppendBoard(dst []byte, board int) []byte
	LoadBoard(board int, data []byte) error
	// CopyBoard copies a board onto another of the same map.
	CopyBoard(dst, src int)
	// Mark remembers every board as it is, Rewind goes back to it.
	Mark()
	Rewind()
	// BoardBytes is the memory one board takes in the kernel.
	BoardBytes() int
	// TouchedBytes are the bytes of state that a step must read and write, for
	// the benchmark's floor.
	TouchedBytes() (read, written int)
	// One is a board as an engine of its own, for tests and views.
	One(board int) env.Engine
}
