package square

import (
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// One is a board as an engine of its own, driven by positional orders. It
// uses worker 0 and must not be used while the batch steps. Seats that the
// batch gives to a policy follow the given orders here.
func (e *Engine) One(b int) env.Engine {
	if e.scripts == nil {
		e.scripts = make([]script, e.boards)
	}
	return &one{e: e, b: b}
}

// A script is what one step is told by Engine.Script.
type script struct {
	food, spawn []int32
}

// unscript forgets what a board's next step was told.
func (e *Engine) unscript(b int) {
	if e.scripts != nil {
		e.scripts[b] = script{}
	}
}

type one struct {
	e *Engine
	b int
}

var _ ants.Engine = (*one)(nil)

func (o *one) Seats() int                 { return o.e.maps[o.e.mapOf[o.b]].seats }
func (o *one) Rules() *ants.Rules         { return &o.e.rules }
func (o *one) Map() *ants.Map             { return o.e.maps[o.e.mapOf[o.b]].m }
func (o *one) Outcome() env.Outcome       { return o.e.Outcome(o.b) }
func (o *one) State() *ants.State         { return o.e.State(o.b) }
func (o *one) SetState(data []byte) error { return o.e.SetState(o.b, data) }

func (o *one) Reset(seed uint64) error {
	o.e.Reset(0, o.b, seed)
	return nil
}

func (o *one) AppendState(dst []byte) []byte { return o.e.AppendState(dst, o.b) }

func (o *one) Script(food, spawns []int32) {
	s := &o.e.scripts[o.b]
	s.food, s.spawn = slices.Clone(food), slices.Clone(spawns)
}

// Drop takes a seat out by the rule set's Dropout. Reference: antsref Drop.
func (o *one) Drop(seat int) {
	if seat < 0 || seat >= o.Seats() {
		panic(fmt.Sprintf("square: drop of seat %d on a board of %d", seat, o.Seats()))
	}
	e, i := o.e, o.b*o.e.p+seat
	if e.out[i] || e.ending[o.b] != 0 {
		return
	}
	e.out[i] = true
	if e.rules.Dropout == ants.DropoutOut && e.rules.Scoring == ants.ScoreHills {
		var g game
		e.game(&g, o.b)
		hills, _ := e.standing(&g)
		e.score[i] -= hills[seat]
	}
}

// Step plays one turn with the given orders.
func (o *one) Step(orders [][]byte) error {
	e, b := o.e, o.b
	if !e.started[b] {
		return fmt.Errorf("board %d: %w", b, env.ErrNotReset)
	}
	if e.ending[b] != 0 {
		return nil
	}
	seats := o.Seats()
	if len(orders) > seats {
		return fmt.Errorf("%w: orders for %d seats on a board of %d", env.ErrOrders, len(orders), seats)
	}
	for s, list := range orders {
		n := min(len(list), int(e.ants[b*e.p+s]))
		for i, a := range list[:n] {
			if a >= ants.NumActions {
				return fmt.Errorf("%w: seat %d ant %d: action %d, want 0..%d", env.ErrOrders, s, i, a, ants.NumActions-1)
			}
		}
	}
	w := &e.workers[0]
	w.given = orders
	if w.given == nil {
		w.given = [][]byte{}
	}
	e.Step(0, b)
	w.stepped = -1 // the board may change before it is observed
	w.given = nil
	return nil
}

// Visible is which cells a seat sees now.
func (o *one) Visible(seat int) []uint64 {
	var g game
	o.e.game(&g, o.b)
	bitset := make([]uint64, ants.KnownWords(g.st.shape.Rows*g.st.shape.Cols))
	for _, cell := range o.e.cells(&g, g.seen[seat]) {
		bitset[cell/64] |= 1 << (cell % 64)
	}
	return bitset
}

func (o *one) AppendView(dst []byte, seat int) []byte { return o.View(seat).AppendJSON(dst) }

// View is what a seat may know.
func (o *one) View(seat int) *ants.View {
	e := o.e
	var g game
	e.game(&g, o.b)
	st := g.st
	n := st.shape.Rows * st.shape.Cols
	v := &ants.View{Rows: st.shape.Rows, Cols: st.shape.Cols, Seats: st.seats, FoodBlocks: e.rules.FoodBlocks,
		Mine: e.cells(&g, g.mine[seat]), Water: make([]bool, n), Visible: make([]bool, n), Seen: make([]bool, n)}
	for _, cell := range e.cells(&g, g.known[seat]) {
		v.Seen[cell] = true
		v.Water[cell] = st.m.Water[cell]
	}
	for _, cell := range e.cells(&g, g.seen[seat]) {
		v.Visible[cell] = true
	}
	relative := func(owner int) uint8 { return uint8((owner - seat + st.seats) % st.seats) }
	for s := range st.seats {
		if s == seat {
			continue
		}
		for _, cell := range e.cells(&g, g.mine[s]) {
			if v.Visible[cell] {
				v.Foes = append(v.Foes, ants.Spot{Cell: cell, Owner: relative(s)})
			}
		}
	}
	for h, hill := range st.hills {
		if !e.fallen[o.b*e.h+h] && v.Visible[hill.cell] {
			v.Hills = append(v.Hills, ants.Spot{Cell: hill.cell, Owner: relative(int(hill.owner))})
		}
	}
	byCell := func(a, b ants.Spot) int { return int(a.Cell) - int(b.Cell) }
	slices.SortFunc(v.Foes, byCell)
	slices.SortFunc(v.Hills, byCell)
	for _, cell := range e.cells(&g, g.food) {
		if v.Visible[cell] {
			v.Food = append(v.Food, cell)
		}
	}
	return v
}
