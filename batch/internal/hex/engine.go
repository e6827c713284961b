package hex

import (
	"fmt"
	"sort"
	"strings"
	"unsafe"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// An ant is one ant. Reference: formica.Ant.
type ant struct {
	cell                       uint16
	role, carry, heading, trip uint8
}

// A colony is one seat of one board. Reference: formica.Colony; its pheromone
// is in Engine.trail.
type colony struct {
	food, frozen, upkeep, diedAt int32
	held                         int32 // cells that it holds after the last step; once dead, frozen
	// Statistics of the episode.
	harvested, stolen, births, losses int32
	returns                           float32

	nest          uint16
	alloc         [3]uint16
	target        uint16 // of the latched order, or noCell
	known         [seats]uint16
	seen          [seats]int16
	home          uint8
	n             uint8 // ants; it is alive while it has any
	chambers, dig uint8
	mode, defend  uint8
	moveWait      uint8
	ants          [slots]ant
}

// noCell is formica.NoCell in 16 bits.
const noCell = 0xFFFF

// A clock is the part of a board that no cell and no colony has.
type clock struct {
	seed        uint64
	tick, phase int32
	elapsed     int32 // ticks of the last step
	event, rain uint8
	started     bool
}

// An Engine steps boards of Formica. It fills kernel.Kernel.
type Engine struct {
	cfg     kernel.Config
	rules   formica.Config
	boardOf []*formica.Board // per map
	statics []*static        // per map; maps of a radius share one
	mapOf   []int32
	boards  int
	p       int // seats of the largest board
	cells   int // of the largest board, and one more
	lanes   int // words of pheromone a cell
	width   int // rows, and columns, of the outputs' grid
	seats   kernel.Seats
	weights weights

	// Per board, see doc.go.
	clocks   []clock
	colonies []colony // board*p + seat
	trail    []uint64 // (board*lanes + word)*cells + cell
	food     []uint8  // board*cells + cell
	cap      []uint8
	claimed  []uint32  // see claimOf
	reward   []float32 // board*p + seat

	all     kernel.Columns
	workers []worker
	sinks   []sink
	acts    []act // decoded, per board and observed seat
	tune    tuning
}

// New builds an engine. Errors wrap env.ErrRules or env.ErrMap.
func New(cfg kernel.Config) (*Engine, error) {
	rules, err := formica.ParseConfig(cfg.Rules)
	if err != nil {
		return nil, err
	}
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	if err := cfg.CheckOptions(); err != nil {
		return nil, err
	}
	if err := cfg.CheckPlanes(obs.Uint8, obs.Float16, obs.Float32); err != nil {
		return nil, fmt.Errorf("%w: Formica's planes count ants, food and pheromone", err)
	}
	e := &Engine{cfg: cfg, rules: rules, boards: len(cfg.MapOf), lanes: 1}
	for i, em := range cfg.Maps {
		b, ok := em.(*formica.Board)
		if !ok {
			return nil, fmt.Errorf("%w: map %d is a %T, want a Formica board", env.ErrMap, i, em)
		}
		if err := rules.CheckBoard(b); err != nil {
			return nil, fmt.Errorf("map %d (%s): %w", i, b.Name, err)
		}
		e.boardOf = append(e.boardOf, b)
		e.p = max(e.p, b.Players)
		e.width = max(e.width, b.Side)
		e.cells = max(e.cells, b.Cells+1)
	}
	if e.p > lanesPerWord {
		e.lanes = 2
	}
	byRadius := map[int]*static{}
	for _, b := range e.boardOf {
		if byRadius[b.Radius] == nil {
			byRadius[b.Radius] = newStatic(b.Geometry, e.width)
		}
		e.statics = append(e.statics, byRadius[b.Radius])
	}
	for _, m := range cfg.MapOf {
		e.mapOf = append(e.mapOf, int32(m))
	}
	if e.seats, err = kernel.NewSeats(&cfg, e.p, func(b int) int { return e.boardOf[e.mapOf[b]].Players }, findNative); err != nil {
		return nil, err
	}
	if e.weights, err = newWeights(cfg.Rewards); err != nil {
		return nil, err
	}
	e.tune = newTuning(&e.rules)
	e.allocate()
	e.workers = make([]worker, max(1, cfg.Workers))
	for i := range e.workers {
		e.workers[i] = e.newWorker()
	}
	return e, nil
}

func (e *Engine) allocate() {
	n := e.boards
	e.clocks, e.colonies = sliceOf[clock](n), sliceOf[colony](n*e.p)
	e.trail = sliceOf[uint64](n * e.lanes * e.cells)
	e.food, e.cap = sliceOf[uint8](n*e.cells), sliceOf[uint8](n*e.cells)
	e.claimed = sliceOf[uint32](n * e.cells)
	e.reward = make([]float32, n*e.p)
	e.acts = make([]act, n*len(e.seats.Observe))
	kernel.AddColumns(&e.all, 1, e.clocks)
	kernel.AddColumns(&e.all, e.p, e.colonies)
	kernel.AddColumns(&e.all, e.lanes*e.cells, e.trail)
	kernel.AddColumns(&e.all, e.cells, e.food, e.cap)
	kernel.AddColumns(&e.all, e.cells, e.claimed)
}

// sliceOf allocates n zero values, without pointers in them, in the memory of
// obs.Bytes.
func sliceOf[T any](n int) []T {
	var value T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(obs.Bytes(n*int(unsafe.Sizeof(value)))))), n)
}

// A game is one board, cut out of the engine's arrays.
type game struct {
	b        int
	st       *static
	seats    int
	clock    *clock
	colonies []colony
	words    [2][]uint64 // of pheromone, see trails: cells+1 entries
	trails   int
	food     []uint8 // cells+1 entries, as those below; the last is off the board
	cap      []uint8
	claimed  []uint32
}

func (e *Engine) game(g *game, b int) {
	g.b, g.st, g.seats = b, e.statics[e.mapOf[b]], e.boardOf[e.mapOf[b]].Players
	n := g.st.cells + 1
	g.clock, g.colonies = &e.clocks[b], e.colonies[b*e.p:][:g.seats:g.seats]
	g.trails = e.lanes
	for word := range e.lanes {
		g.words[word] = e.trail[(b*e.lanes+word)*e.cells:][:n:n]
	}
	at := b * e.cells
	g.food, g.cap, g.claimed = e.food[at:][:n:n], e.cap[at:][:n:n], e.claimed[at:][:n:n]
}

// trail is the pheromone, row by row of words.
func (g *game) trail() [][]uint64 { return g.words[:g.trails] }

// claimOf is a cell's owner and the tick of its last visit in one word, so that
// claimOf(seat, tick) less a cell's word, without sign, is how long ago the
// seat visited it, and more than any tick if another owns it.
func claimOf(owner uint8, stamp int16) uint32 { return uint32(owner)<<16 | uint32(stamp) }

// holds tells whether a seat holds a cell. Reference: formica.State.Holds.
func (e *Engine) holds(g *game, seat int, cell uint16) bool {
	return claimOf(uint8(seat), int16(g.clock.tick))-g.claimed[cell] <= uint32(e.rules.HoldTicks)
}

// countHeld counts the cells that each living colony holds.
// Reference: formica.State.Territory.
func (e *Engine) countHeld(g *game) {
	// The second half counts cells that lapsed.
	var held [512]int32
	oldest := g.clock.tick - int32(e.rules.HoldTicks)
	for _, x := range g.claimed[:g.st.cells] {
		lapsed := uint32(int32(x&0xFFFF)-oldest) >> 31
		held[(x>>16|lapsed<<8)&511]++
	}
	for s := range g.colonies {
		c := &g.colonies[s]
		if c.held = c.frozen; c.n > 0 {
			c.held = held[s]
		}
	}
}

// score2 is a colony's doubled score. Reference: formica.State.Score2.
func (e *Engine) score2(c *colony) int32 {
	score := int32(e.rules.Score2Food)*c.food + int32(e.rules.Score2Cell)*c.held
	if c.n > 0 {
		score += int32(e.rules.Score2Alive)
	}
	return score
}

// ranks writes 1-based ranks, ties shared.
func (e *Engine) ranks(g *game, dst []int32) {
	for s := range dst {
		dst[s] = 1
		for t := range dst {
			if e.score2(&g.colonies[t]) > e.score2(&g.colonies[s]) {
				dst[s]++
			}
		}
	}
}

// Rules is the rule set with all its fields, as JSON.
func (e *Engine) Rules() string { return e.rules.JSON() }

// Sizes resolves the symbols of the declared arrays.
func (e *Engine) Sizes() obs.Sizes {
	return obs.Sizes{
		"B": e.boards, "S": len(e.seats.Observe), "P": e.p, "C": formica.NumPlanes, "K": formica.NumScalars,
		"H": e.width, "W": e.width, "L": formica.LogitsTarget + e.width*e.width,
	}
}

// Outputs declares the arrays that can be exported.
func (e *Engine) Outputs() []obs.Field {
	fields := formica.Arrays()
	for i := range fields {
		if fields[i].Name == formica.FieldPlanes.Name {
			fields[i].DType = e.cfg.Planes
		}
	}
	return fields
}

// Inputs declares the heads that orders can be given through.
func (e *Engine) Inputs() []obs.Field { return formica.Heads() }

// Defaults names the arrays that are exported when none are asked for.
func (e *Engine) Defaults() []string { return formica.DefaultArrays() }

// MaxGrowth is 0: there are no ragged arrays.
func (e *Engine) MaxGrowth() int { return 0 }

// Entries is 0: there are no ragged arrays.
func (e *Engine) Entries(int) int { return 0 }

// CopyBoard makes board dst the same as board src, which is on the same map.
func (e *Engine) CopyBoard(dst, src int) { e.all.Copy(dst, src) }

// Mark remembers every board as it is; Rewind goes back to it.
func (e *Engine) Mark() { e.all.Mark() }

// Rewind puts every board back to where Mark was called last. It panics before
// the first Mark.
func (e *Engine) Rewind() { e.all.Rewind() }

// BoardBytes is the memory of one board: its columns, who plays it, its map
// and the rewards of its last step.
func (e *Engine) BoardBytes() int { return e.all.Bytes() + e.p + 4 + 4*e.p }

// TouchedBytes is what a step must read and write of the state. It need not
// read the caps, and of the cells it writes all pheromone but food and owners
// where ants are.
func (e *Engine) TouchedBytes() (read, written int) {
	read = e.all.Bytes() - e.cells
	return read, read - 5*e.cells
}

// weights are the factors of the reward's terms.
type weights struct {
	margin, win, score float32
}

func newWeights(named map[string]float64) (weights, error) {
	w := weights{}
	if named == nil {
		w.margin = 1
		return w, nil
	}
	terms := map[string]*float32{"margin": &w.margin, "win": &w.win, "score": &w.score}
	names := make([]string, 0, len(named))
	for name := range named {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t, ok := terms[name]
		if !ok {
			return w, fmt.Errorf("no reward term %q (have %s)", name, strings.Join(formica.RewardTerms(), ", "))
		}
		*t = float32(named[name])
	}
	return w, nil
}
