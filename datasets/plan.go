// What episode e of a dataset is: a function of the dataset's seed and e alone.

package datasets

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
)

// ErrOptions: options that no dataset can be made from. Errors of Generate
// wrap it, or env.ErrRules or env.ErrMap, or a file system's error.
var ErrOptions = errors.New("bad dataset options")

// The streams of the seed plan.
const (
	seedStream = 0x44415441_53454544
	mapStream  = 0x44415441_4D415053
)

// episodeSeed is what episode e is reset with.
func episodeSeed(seed, e uint64) uint64 { return env.Derive(seed, seedStream, e) }

// episodeMap is which of n maps episode e is played on.
func episodeMap(seed, e uint64, n int) int { return int(env.Derive(seed, mapStream, e) % uint64(n)) }

// seatPolicies are who plays the seats of a board: the names in turn.
func seatPolicies(names []string, seats int) []string {
	policies := make([]string, seats)
	for s := range policies {
		policies[s] = names[s%len(names)]
	}
	return policies
}

// Options say what Generate writes. Maps and Policies are required; every
// other field has a default.
type Options struct {
	Out      string    // the folder
	Game     string    // "" for ants
	Rules    string    // name of a rule set or its JSON object, "" for the game's default
	Maps     []env.Map // episode e is played on one of them, by hash
	Policies []string  // bundled policies; seat s is played by entry s modulo their number
	Episodes int       // 0 for DefaultEpisodes
	First    int       // number of the first one: those before it are other parts of the dataset, see Merge
	Seed     uint64

	Kind            Kind   // "" for Orders
	Format          string // "" for arrow
	ShardSize       int64  // raw bytes of the rows of a shard, 0 for the kind's default
	CheckpointEvery int    // steps from one state hash to the next, 0 for DefaultCheckpointEvery

	// These change how fast, never what.
	Workers int // 0: GOMAXPROCS
	Boards  int // boards played at once, 0 for a default
	// Resume goes on with a dataset that was interrupted, and does nothing
	// when it is complete.
	Resume bool
}

// The defaults of Options.
const (
	DefaultEpisodes        = 1000
	DefaultShardSize       = 32 << 20  // of kind orders
	DefaultStepsShardSize  = 128 << 20 // of kind steps
	DefaultCheckpointEvery = 100
)

// maxShardSize keeps every column of a shard well below 2^31 bytes.
const maxShardSize = 1 << 30

// A plan is options that were checked, with defaults filled in.
type plan struct {
	Options
	game *game
	// group is the raw bytes after which a group of rows is closed.
	group int64
	// choose, when set, plays every seat in place of the policies.
	choose func(a *arena) batch.Actions
	// recorded says that episodes come from elsewhere, see record.go.
	recorded bool
}

func (o Options) plan() (*plan, error) {
	bad := func(format string, a ...any) (*plan, error) {
		return nil, fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, a...))
	}
	if o.Game == "" {
		o.Game = "ants"
	}
	g, err := gameNamed(o.Game)
	if err != nil {
		return bad("%v", err)
	}
	if o.Rules, err = g.rules(o.Rules); err != nil {
		return nil, err
	}
	if o.Kind == "" {
		o.Kind = Orders
	}
	if !slices.Contains(Kinds(), o.Kind) {
		return bad("no kind %q can be written (have %v)", o.Kind, Kinds())
	}
	if o.Format == "" {
		o.Format = Formats()[0]
	}
	if !slices.Contains(Formats(), o.Format) {
		return bad("no format %q can be written (have %s)", o.Format, strings.Join(Formats(), ", "))
	}
	if len(o.Maps) == 0 {
		return bad("no maps")
	}
	if len(o.Policies) == 0 {
		return bad("no policies")
	}
	for i, name := range o.Policies {
		if name == "" || name == batch.Caller {
			return bad("policy %d is %q, want a bundled one", i, name)
		}
	}
	size := int64(DefaultShardSize)
	if o.Kind == Steps {
		size = DefaultStepsShardSize
	}
	for _, f := range []struct {
		name               string
		value              *int64
		fallback, min, max int64
	}{
		{"shard size", &o.ShardSize, size, 1, maxShardSize},
	} {
		if *f.value == 0 {
			*f.value = f.fallback
		}
		if *f.value < f.min || *f.value > f.max {
			return bad("%s %d, want %d..%d", f.name, *f.value, f.min, f.max)
		}
	}
	for _, f := range []struct {
		name               string
		value              *int
		fallback, min, max int
	}{
		{"episodes", &o.Episodes, DefaultEpisodes, 1, math.MaxInt32},
		{"steps between checkpoints", &o.CheckpointEvery, DefaultCheckpointEvery, 1, math.MaxInt32},
		{"workers", &o.Workers, 0, 0, 1 << 16},
		{"boards", &o.Boards, 0, 0, 1 << 20},
	} {
		if *f.value == 0 {
			*f.value = f.fallback
		}
		if *f.value < f.min || *f.value > f.max {
			return bad("%s %d, want %d..%d", f.name, *f.value, f.min, f.max)
		}
	}
	if o.First < 0 || o.First > math.MaxInt32-o.Episodes {
		return bad("%d episodes from %d", o.Episodes, o.First)
	}
	if o.Out == "" {
		return bad("no folder to write to")
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Boards == 0 {
		o.Boards = boardsPerWorker * o.Workers
	}
	return &plan{Options: o, game: g, group: groupSize[o.Kind]}, nil
}

// end is the number after the last episode's.
func (p *plan) end() uint64 { return uint64(p.First + p.Episodes) }

// checkPlayers tells whether the policies can play, before anything is
// written.
func (p *plan) checkPlayers() error {
	if p.choose != nil {
		return nil
	}
	most := p.Maps[0]
	for _, m := range p.Maps {
		if m.Seats() > most.Seats() {
			most = m
		}
	}
	b, err := batch.New(batch.Config{
		Game: p.Game, Rules: p.Rules, Boards: 1, Maps: []env.Map{most}, Workers: 1,
		Policies: [][]string{seatPolicies(p.Policies, most.Seats())}, Arrays: []string{returnsArray},
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	b.Close()
	return nil
}
