package batch

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch/internal/hex"
	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/batch/internal/square"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// ErrConfig: a configuration that no batch can be made from. Errors of New
// wrap it, or env.ErrRules or env.ErrMap.
var ErrConfig = errors.New("bad batch configuration")

// Autoreset is what happens to a board whose episode is over.
type Autoreset uint8

// The autoreset modes, named as in Gymnasium.
const (
	// NextStep: the next Step resets the board instead of playing it; its
	// actions are ignored, its reward is 0 and its valid flag false.
	NextStep Autoreset = iota
	// SameStep: the board is reset within the Step that ended it. The arrays
	// of Final hold what the ended episode led to; reward, flags and scores of
	// the main arrays are the ended episode's, the observation is the new one's.
	SameStep
	// Disabled: the board stands still until ResetBoards.
	Disabled
)

var autoresets = []string{"next_step", "same_step", "disabled"}

// String is the mode's name.
func (a Autoreset) String() string { return autoresets[a] }

// ParseAutoreset reads a mode's name.
func ParseAutoreset(name string) (Autoreset, error) {
	if i := slices.Index(autoresets, name); i >= 0 {
		return Autoreset(i), nil
	}
	return 0, fmt.Errorf("%w: no autoreset mode %q (have %s)", ErrConfig, name, strings.Join(autoresets, ", "))
}

// Caller is the policy name of a seat that the caller plays.
const Caller = "caller"

// A Config describes a batch. Only Maps and Boards are required.
type Config struct {
	Game   string    // a registered game, "" for Ants
	Rules  string    // name of a rule set or its JSON object, "" for the game's default
	Boards int       // 1 or more
	Maps   []env.Map // boards of one batch may differ in map, size and seats
	MapOf  []int     // per board, an index into Maps; nil: board modulo len(Maps)

	// Policies plays seats natively: Policies[board modulo its length][seat]
	// is the name of a bundled policy, or "" or Caller. nil: all seats are the
	// caller's. Observe lists the seats on axis S of the arrays; nil: those
	// that the caller plays on some board.
	Policies [][]string
	Observe  []int

	Arrays  []string  // the arrays to export; nil: the game's default
	Planes  obs.DType // dtype of the planes array, one that the game can write; Unset: the game's default
	HoldBad bool      // read an invalid action as the game's "do nothing" instead of refusing the step

	// Options are switches that only some games have; one that the game lacks is
	// refused. Ants: "per_owner", one foes plane per relative owner instead of
	// one; "recentre", shift each seat's arrays so that its own first hill is at
	// (rows/2, cols/2). Formica has none.
	Options map[string]bool

	Rewards map[string]float64 // weights of the game's reward terms; nil: the game's default
	ZeroSum bool               // subtract the mean reward of the other seats

	Autoreset Autoreset
	Workers   int // 0: GOMAXPROCS
	Recorder  Recorder

	// Memory is where the exported arrays have their memory from, until Close;
	// nil: Go's heap.
	Memory obs.Memory
}

// A Recorder is told the orders that boards play. The slices are valid during
// the call only. Calls come from the boards' workers: at once for different
// boards, in order for each.
type Recorder interface {
	Orders(board int, orders [][]byte)
}

// kernels are the games that can be batched.
var kernels = map[string]func(kernel.Config) (kernel.Kernel, error){
	"ants":    func(c kernel.Config) (kernel.Kernel, error) { return square.New(c) },
	"formica": func(c kernel.Config) (kernel.Kernel, error) { return hex.New(c) },
}

// resolve checks what is not the game's own business and fills defaults.
func (c *Config) resolve() (kernel.Config, error) {
	bad := func(format string, a ...any) (kernel.Config, error) {
		return kernel.Config{}, fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, a...))
	}
	if c.Game == "" {
		c.Game = "ants"
	}
	if kernels[c.Game] == nil {
		return bad("no game %q", c.Game)
	}
	if c.Boards < 1 {
		return bad("%d boards, want 1 or more", c.Boards)
	}
	if len(c.Maps) == 0 {
		return bad("no maps")
	}
	for i, m := range c.Maps {
		if m == nil {
			return bad("map %d is nil", i)
		}
	}
	if c.Workers < 0 {
		return bad("%d workers", c.Workers)
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	c.Workers = min(c.Workers, c.Boards)
	if int(c.Autoreset) >= len(autoresets) {
		return bad("autoreset mode %d", c.Autoreset)
	}
	if c.MapOf == nil {
		c.MapOf = make([]int, c.Boards)
		for b := range c.MapOf {
			c.MapOf[b] = b % len(c.Maps)
		}
	}
	if len(c.MapOf) != c.Boards {
		return bad("MapOf has %d entries for %d boards", len(c.MapOf), c.Boards)
	}
	for b, m := range c.MapOf {
		if m < 0 || m >= len(c.Maps) {
			return bad("board %d has map %d of %d", b, m, len(c.Maps))
		}
	}
	k := kernel.Config{
		Rules: c.Rules, Maps: c.Maps, MapOf: c.MapOf, Observe: c.Observe, Planes: c.Planes,
		Options: c.Options, HoldBad: c.HoldBad, Rewards: c.Rewards, ZeroSum: c.ZeroSum, Workers: c.Workers,
	}
	if len(c.Policies) > 0 {
		k.Policies = make([][]string, c.Boards)
		for b := range k.Policies {
			names := slices.Clone(c.Policies[b%len(c.Policies)])
			if seats := c.Maps[c.MapOf[b]].Seats(); len(names) > seats {
				return bad("board %d has %d policies for %d seats", b, len(names), seats)
			}
			for s, name := range names {
				if name == Caller {
					names[s] = ""
				}
			}
			k.Policies[b] = names
		}
	}
	return k, nil
}
