package square

import (
	"fmt"
	"sort"
	"strings"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// A config is a kernel.Config with its options looked up.
type config struct {
	kernel.Config
	PerOwner bool // one foes plane per relative owner
	Recentre bool // shift every seat's arrays to its own first hill
}

// An Engine steps boards of Ants. It fills kernel.Kernel.
type Engine struct {
	cfg     config
	rules   ants.Rules
	maps    []static
	mapOf   []int32
	boards  int
	p       int // seats of the largest board
	h       int // hills of the board with most
	rows    int // of the largest board
	cols    int
	pad     bool   // boards differ in size, so there is a pad plane
	absent  []byte // the pad plane of a seat that a board does not have
	seats   kernel.Seats
	planes  []obs.Plane
	weights weights

	// Planes, see doc.go.
	words  []uint64
	stride int // words of a board

	// Per board.
	turn, holder, count []int32
	ending              []uint8
	started             []bool
	foodCount           []int32
	seed                []uint64
	tie                 []env.RNG
	rate, period        []int32
	extra               []int64
	cursor              []int32
	price               []int32 // of the set at the cursor, in units of extra; 0: not looked up
	rotation            []int64
	pendingLen          []int32
	pending             []uint16 // board*pendingCap
	pendingCap          int
	order               []uint16 // board*maxSets, the walk of rotation ordered
	ordered             []int64  // the rotation that order holds, -1 for none
	maxSets             int

	// Per board and seat.
	ants, hive, score, razed, gathered []int32
	kills, losses                      []int32
	out                                []bool
	reward, returns                    []float32

	// Per board and hill.
	touched []int32
	fallen  []bool

	workers []worker
	sinks   []sink
	// acts are the decoded actions of observed seats, aligned with the ragged
	// arrays; absolute tells that they are in the board's own row-major order
	// and not in that of a recentred seat.
	acts     []uint8
	decoded  []uint8
	offsets  []int64
	absolute bool

	scripts []script       // lazily made: see One
	all     kernel.Columns // every field of the boards, see columns.go
	told    ants.State     // memory of AppendState
}

// New builds an engine. Errors wrap env.ErrRules or env.ErrMap.
func New(cfg kernel.Config) (*Engine, error) {
	rules, err := ants.ParseRules(cfg.Rules)
	if err != nil {
		return nil, err
	}
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	if err := cfg.CheckOptions("per_owner", "recentre"); err != nil {
		return nil, err
	}
	if err := cfg.CheckPlanes(obs.Bit, obs.Uint8, obs.Float16, obs.Float32); err != nil {
		return nil, err
	}
	e := &Engine{cfg: config{cfg, cfg.Options["per_owner"], cfg.Options["recentre"]}, rules: rules, boards: len(cfg.MapOf)}
	for i, em := range cfg.Maps {
		m, ok := em.(*ants.Map)
		if !ok {
			return nil, fmt.Errorf("%w: map %d is a %T, want an Ants map", env.ErrMap, i, em)
		}
		if err := m.Validate(); err != nil {
			return nil, fmt.Errorf("map %d (%s): %w", i, m.Name, err)
		}
		s := newStatic(m, &e.rules)
		e.maps = append(e.maps, s)
		e.p = max(e.p, s.seats)
		e.h = max(e.h, len(s.hills))
		e.pad = e.pad || (i > 0 && (m.Rows != e.rows || m.Cols != e.cols))
		e.rows, e.cols = max(e.rows, m.Rows), max(e.cols, m.Cols)
		e.stride = max(e.stride, (3*s.seats+1)*s.pw)
		e.maxSets = max(e.maxSets, s.sets.Len())
	}
	for _, m := range cfg.MapOf {
		e.mapOf = append(e.mapOf, int32(m))
	}
	if e.seats, err = kernel.NewSeats(&cfg, e.p, func(b int) int { return e.maps[e.mapOf[b]].seats }, findNative); err != nil {
		return nil, err
	}
	if e.weights, err = newWeights(cfg.Rewards); err != nil {
		return nil, err
	}
	e.planes = ants.Planes(e.p, e.cfg.PerOwner, e.pad)
	if e.pad {
		e.absent = e.padPlane(0, 0)
		for i := range e.maps {
			e.maps[i].pad = e.padPlane(e.maps[i].shape.Rows, e.maps[i].shape.Cols)
		}
	}
	e.allocate()
	e.workers = make([]worker, max(1, cfg.Workers))
	for i := range e.workers {
		e.workers[i] = e.newWorker()
	}
	return e, nil
}

func (e *Engine) allocate() {
	n, ns, nh := e.boards, e.boards*e.p, e.boards*e.h
	e.words = alignedWords(n * e.stride)
	e.turn, e.holder, e.count = make([]int32, n), make([]int32, n), make([]int32, n)
	e.ending, e.started, e.foodCount = make([]uint8, n), make([]bool, n), make([]int32, n)
	e.seed, e.tie = make([]uint64, n), make([]env.RNG, n)
	e.rate, e.period = make([]int32, n), make([]int32, n)
	e.extra, e.cursor, e.rotation = make([]int64, n), make([]int32, n), make([]int64, n)
	e.pendingLen, e.price = make([]int32, n), make([]int32, n)
	if e.rules.Food == ants.FoodSets || e.rules.Food == ants.FoodSetsOverWater {
		// Every turn at most 11 a seat falls due, in units of 1/19 food.
		e.pendingCap = 11*e.p*e.rules.MaxTurns/19 + e.p + 16
	}
	e.pending = make([]uint16, n*e.pendingCap)
	e.order, e.ordered = make([]uint16, n*e.maxSets), make([]int64, n)
	for b := range e.ordered {
		e.ordered[b] = -1
	}
	e.ants, e.hive, e.score = make([]int32, ns), make([]int32, ns), make([]int32, ns)
	e.razed, e.gathered = make([]int32, ns), make([]int32, ns)
	e.kills, e.losses = make([]int32, ns), make([]int32, ns)
	e.out = make([]bool, ns)
	e.reward, e.returns = make([]float32, ns), make([]float32, ns)
	e.touched, e.fallen = make([]int32, nh), make([]bool, nh)
	e.all = e.columns()
}

// A game is one board's planes, cut out of the block.
type game struct {
	b     int
	st    *static
	mine  [ants.MaxSeats][]uint64
	known [ants.MaxSeats][]uint64
	seen  [ants.MaxSeats][]uint64 // visible now
	food  []uint64
}

func (e *Engine) game(g *game, b int) {
	st := &e.maps[e.mapOf[b]]
	g.b, g.st = b, st
	block := e.words[b*e.stride : (b+1)*e.stride]
	cut := func(i int) []uint64 { return block[i*st.pw : (i+1)*st.pw : (i+1)*st.pw] }
	for s := range st.seats {
		g.mine[s], g.known[s], g.seen[s] = cut(s), cut(st.seats+s), cut(2*st.seats+s)
	}
	g.food = cut(3 * st.seats)
}

// Rules is the rule set with all its fields, as JSON.
func (e *Engine) Rules() string { return e.rules.JSON() }

// Sizes resolves the symbols of the declared arrays.
func (e *Engine) Sizes() obs.Sizes {
	return obs.Sizes{
		"B": e.boards, "S": len(e.seats.Observe), "P": e.p, "C": len(e.planes), "H": e.rows, "W": e.cols,
		"RB": (e.cols + 7) / 8, "O": e.boards*len(e.seats.Observe) + 1,
	}
}

// Outputs declares the arrays that can be exported.
func (e *Engine) Outputs() []obs.Field {
	planes := ants.FieldPlanesPacked
	if e.cfg.Planes != obs.Bit {
		planes = ants.FieldPlanesDense
		planes.DType = e.cfg.Planes
	}
	return []obs.Field{
		planes, ants.FieldAntOffsets, ants.FieldAntCells, ants.FieldAntMask, ants.FieldCellMask,
		ants.FieldReward, ants.FieldTerminated, ants.FieldTruncated, ants.FieldDone, ants.FieldValid, ants.FieldReason,
		ants.FieldTurn, ants.FieldScore, ants.FieldRank, ants.FieldAntCount,
		ants.FieldReturn, ants.FieldGathered, ants.FieldKills, ants.FieldLosses, ants.FieldRazed,
	}
}

// Inputs declares the heads that actions can be given through.
func (e *Engine) Inputs() []obs.Field {
	return []obs.Field{ants.HeadAnt, ants.HeadCell, ants.HeadAntLogits, ants.HeadCellLogits}
}

// Defaults names the arrays that are exported when none are asked for.
func (e *Engine) Defaults() []string { return ants.DefaultArrays() }

// MaxGrowth bounds the ants that one board can gain in a step, or that it has
// after a reset: one a hill.
func (e *Engine) MaxGrowth() int { return e.h }

// Entries is how many ants of observed seats stand on a board.
func (e *Engine) Entries(b int) int {
	n := 0
	for _, s := range e.seats.Observe {
		n += int(e.ants[b*e.p+s])
	}
	return n
}

// TouchedBytes is what a step of the first map's boards must read and write of
// the state: every plane but the visible ones, and the counters, are read and
// written; water is read.
func (e *Engine) TouchedBytes() (read, written int) {
	st := &e.maps[0]
	planes := 8 * st.pw
	counters := 60 + 40*st.seats + 5*len(st.hills)
	return (2*st.seats+2)*planes + counters, (3*st.seats+1)*planes + counters
}

// weights are the factors of the reward's terms.
type weights struct {
	score, food, kills, losses, explore, win, rank float32
	any                                            bool // anything but score
}

func newWeights(named map[string]float64) (weights, error) {
	w := weights{}
	if named == nil {
		w.score = 1
		return w, nil
	}
	terms := map[string]*float32{"score": &w.score, "food": &w.food, "kills": &w.kills, "losses": &w.losses, "explore": &w.explore, "win": &w.win, "rank": &w.rank}
	names := make([]string, 0, len(named))
	for name := range named {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t, ok := terms[name]
		if !ok {
			return w, fmt.Errorf("no reward term %q (have %s)", name, strings.Join(RewardTerms, ", "))
		}
		*t = float32(named[name])
		w.any = w.any || name != "score"
	}
	return w, nil
}

// RewardTerms are the names of the reward's terms: score (change of the
// seat's score), food (gathered), kills (enemies killed in combat), losses (own ants dead),
// explore (cells seen for the first time, as a share of the board), win (at
// the end: 1 for a sole first rank), rank (at the end: 1 for the first down to -1 for the last).
var RewardTerms = []string{"score", "food", "kills", "losses", "explore", "win", "rank"}
