package antsref

import (
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

const nobody = -1

// An Engine plays one board. It fills ants.Engine. It is not safe for
// concurrent use.
type Engine struct {
	rules *ants.Rules
	m     *ants.Map
	sets  *ants.SetList
	near  *ants.SetList
	view  []offset // the disks of the view, attack and gather radii
	reach []offset
	grab  []offset

	started bool
	turn    int32
	ants    []int // owner of the ant on each cell, or nobody
	food    []bool
	hills   []ants.Hill
	seats   []seat
	holder  int32
	count   int32
	gen     ants.Generator
	ending  uint8

	walk         []uint16 // the order of the sets in rotation walkRotation of seed walkSeed
	walkRotation int64
	walkSeed     uint64

	scriptFood   []int32
	scriptSpawns []int32

	now events
}

// A seat is one colony.
type seat struct {
	hive, score, razed, gathered int32
	out                          bool
	known                        []bool // cells ever seen
	visible                      []bool // cells seen now
}

// New returns an engine that plays the rules on the map. Both must stay as
// they are. Errors wrap env.ErrRules or env.ErrMap.
func New(rules *ants.Rules, m *ants.Map) (*Engine, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return &Engine{
		rules: rules, m: m, sets: m.FoodSets(rules), near: m.NearSets(rules),
		view:  disk(m, rules.ViewRadius2),
		reach: disk(m, rules.AttackRadius2),
		grab:  disk(m, rules.GatherRadius2),
	}, nil
}

// Seats is the number of colonies.
func (e *Engine) Seats() int { return e.m.Players }

// Rules is what the engine plays.
func (e *Engine) Rules() *ants.Rules { return e.rules }

// Map is where it plays.
func (e *Engine) Map() *ants.Map { return e.m }

// Reset starts a new episode: one ant on every hill, and the starting food.
func (e *Engine) Reset(seed uint64) error {
	e.clear()
	e.gen = ants.Generator{Seed: seed, Tie: ants.TieSeed(seed)}
	if e.rules.Food == ants.FoodSets || e.rules.Food == ants.FoodSetsOverWater {
		e.gen.Rate, e.gen.Period = ants.FoodRate(seed)
	}
	for i, h := range e.hills {
		e.hills[i].Razed, e.hills[i].Touched = false, 0
		e.ants[h.Cell] = int(h.Owner)
		if e.rules.Scoring == ants.ScoreHills {
			e.seats[h.Owner].score++
		}
	}
	for _, cell := range e.m.StartFood(e.rules, e.sets, e.near, seed) {
		e.food[cell] = true
	}
	e.holder = ants.HolderNone
	e.started = true
	e.lookAround()
	e.learn()
	e.finishFrame()
	return nil
}

// clear empties the board and forgets what was scripted.
func (e *Engine) clear() {
	cells := e.m.Rows * e.m.Cols
	*e = Engine{rules: e.rules, m: e.m, sets: e.sets, near: e.near, view: e.view, reach: e.reach, grab: e.grab}
	e.ants = make([]int, cells)
	for cell := range e.ants {
		e.ants[cell] = nobody
	}
	e.food = make([]bool, cells)
	e.hills = make([]ants.Hill, len(e.m.Hills))
	for i, h := range e.m.Hills {
		e.hills[i] = ants.Hill{Cell: h.Cell, Owner: h.Owner}
	}
	e.seats = make([]seat, e.m.Players)
	for i := range e.seats {
		e.seats[i].known = make([]bool, cells)
		e.seats[i].visible = make([]bool, cells)
	}
	e.now = newEvents(e.m.Players)
}

// Script sets the next Step's scripted food and the hills that win its spawn
// ties. Cells that are not on the board are ignored.
func (e *Engine) Script(food, spawns []int32) {
	e.scriptFood, e.scriptSpawns = slices.Clone(food), slices.Clone(spawns)
}

// Drop takes a seat out of the game by the rule set's Dropout.
func (e *Engine) Drop(seat int) {
	if seat < 0 || seat >= len(e.seats) {
		panic(fmt.Sprintf("antsref: drop of seat %d on a board of %d", seat, len(e.seats)))
	}
	s := &e.seats[seat]
	if s.out || e.ending != 0 {
		return
	}
	s.out = true
	if e.rules.Dropout == ants.DropoutOut && e.rules.Scoring == ants.ScoreHills {
		s.score -= int32(e.standing(seat))
	}
}

// State is a deep copy of the whole state. It panics before the first Reset or
// SetState.
func (e *Engine) State() *ants.State {
	if !e.started {
		panic("antsref: state of a board that was never reset")
	}
	s := &ants.State{
		Turn: e.turn, Food: listOf(e.food), Hills: slices.Clone(e.hills),
		Ants: make([][]int32, len(e.seats)), Seats: make([]ants.Seat, len(e.seats)),
		Holder: e.holder, Count: e.count, Gen: e.gen, Ending: e.ending,
	}
	s.Gen.Pending = slices.Clone(e.gen.Pending)
	for i, from := range e.seats {
		s.Ants[i] = e.antsOf(i)
		s.Seats[i] = ants.Seat{
			Hive: from.hive, Score: from.score, Razed: from.razed, Gathered: from.gathered,
			Out: from.out, Known: bitsOf(from.known),
		}
	}
	return s
}

// AppendState appends the state's canonical encoding.
func (e *Engine) AppendState(dst []byte) []byte { return e.State().Append(dst) }

// SetState replaces the state, after checking that it can stand on this map
// and be played on under these rules.
func (e *Engine) SetState(state []byte) error {
	s, err := ants.DecodeState(state, e.m)
	if err != nil {
		return err
	}
	if err := s.ValidateFor(e.rules, e.sets); err != nil {
		return err
	}
	e.clear()
	e.started = true
	e.turn, e.holder, e.count, e.gen, e.ending = s.Turn, s.Holder, s.Count, s.Gen, s.Ending
	copy(e.hills, s.Hills)
	for _, cell := range s.Food {
		e.food[cell] = true
	}
	for i, from := range s.Seats {
		for _, cell := range s.Ants[i] {
			e.ants[cell] = i
		}
		to := &e.seats[i]
		to.hive, to.score, to.razed, to.gathered, to.out = from.Hive, from.Score, from.Razed, from.Gathered, from.Out
		for cell := range to.known {
			to.known[cell] = from.Known[cell/64]>>(cell%64)&1 == 1
		}
	}
	e.lookAround()
	e.finishFrame()
	return nil
}

// Visible is the cells a seat sees now, as bits.
func (e *Engine) Visible(seat int) []uint64 {
	if !e.started {
		panic("antsref: sight on a board that was never reset")
	}
	return bitsOf(e.seats[seat].visible)
}

// antsOf lists the cells of a seat's ants, ascending.
func (e *Engine) antsOf(seat int) []int32 {
	cells := []int32{}
	for cell, owner := range e.ants {
		if owner == seat {
			cells = append(cells, int32(cell))
		}
	}
	return cells
}

// standing counts the seat's hills that were not razed.
func (e *Engine) standing(seat int) int {
	n := 0
	for _, h := range e.hills {
		if int(h.Owner) == seat && !h.Razed {
			n++
		}
	}
	return n
}

func listOf(set []bool) []int32 {
	cells := []int32{}
	for cell, in := range set {
		if in {
			cells = append(cells, int32(cell))
		}
	}
	return cells
}

func bitsOf(set []bool) []uint64 {
	words := make([]uint64, ants.KnownWords(len(set)))
	for cell, in := range set {
		if in {
			words[cell/64] |= 1 << (cell % 64)
		}
	}
	return words
}

// An offset leads from a cell to another one, down and right, wrapping.
type offset struct{ dr, dc int }

// disk lists the offsets to every cell within a squared distance, each cell
// once even where the disk is wider than the board.
func disk(m *ants.Map, radius2 int) []offset {
	var offsets []offset
	for dr := range m.Rows {
		for dc := range m.Cols {
			if m.Distance2(0, int32(dr*m.Cols+dc)) <= radius2 {
				offsets = append(offsets, offset{dr, dc})
			}
		}
	}
	return offsets
}

// at is the cell that an offset leads to.
func (e *Engine) at(cell int, o offset) int {
	r, c := cell/e.m.Cols+o.dr, cell%e.m.Cols+o.dc
	if r >= e.m.Rows {
		r -= e.m.Rows
	}
	if c >= e.m.Cols {
		c -= e.m.Cols
	}
	return r*e.m.Cols + c
}

var _ ants.Engine = (*Engine)(nil)
var _ env.Engine = (*Engine)(nil)
