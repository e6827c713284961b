package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
)

// ErrOptions: options that name no workload or cannot be measured.
var ErrOptions = errors.New("bad benchmark options")

// Turns is the length of what is recorded and replayed.
const Turns = 8

// A Scene is a moment of games that are alike.
type Scene struct {
	Game   string // a game that can be batched
	Rules  string // a rule set's name or JSON
	Map    func() (env.Map, error)
	Policy string // a bundled policy, plays all seats
	Seed   uint64 // of the episode seeds
	Turn   int    // turns played before the recorded ones
	// LeadIn is the rules of the turns before Turn, "" for Rules. Enter, if not
	// nil, makes a board fit to go on by Rules.
	LeadIn string
	Enter  func(board env.Engine) error
	// Count counts a board's units, of all seats, from the arrays of Counts.
	// Units bounds their mean number a seat at Turn: boards outside are not used.
	Count  func(b *batch.Batch, board int) int
	Counts []string
	Units  [2]float64
	// Ticks is how many ticks of the game the last step of a board took, from the
	// arrays of Counts too; nil for games whose step is one tick.
	Ticks func(b *batch.Batch, board int) int
	// Actions gives recorded orders, [board][seat], to a batch.
	Actions func(orders [][][]byte) batch.Actions
	// Sources and QuickSources are the distinct boards to record.
	Sources, QuickSources int
}

// A Workload is a scene on many boards.
type Workload struct {
	Name   string
	Doc    string
	Scene  *Scene
	Boards int
	Native bool // the batch's own policies play, not the recorded orders
	// Arrays are those that a step writes, nil the game's default ones.
	Arrays []string
}

// workloads lists those of all games.
var workloads = slices.Concat(antsWorkloads, formicaWorkloads)

// Workloads lists all workloads.
func Workloads() []Workload { return slices.Clone(workloads) }

// Names lists the names of all workloads.
func Names() []string {
	names := make([]string, len(workloads))
	for i := range names {
		names[i] = workloads[i].Name
	}
	return names
}

// Lookup finds a workload by name. The error wraps ErrOptions and lists the
// names that exist.
func Lookup(name string) (Workload, error) {
	for _, w := range workloads {
		if w.Name == name {
			return w, nil
		}
	}
	return Workload{}, fmt.Errorf("%w: no workload %q (have %s)", ErrOptions, name, strings.Join(Names(), ", "))
}
