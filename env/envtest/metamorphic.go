package envtest

import (
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// AntsTranslation plays drawn positions and the same positions moved over the
// torus, for some turns, and checks that the states stay moves of each other.
// Food sets are listed in cell order, which a move changes, so food is scripted.
func AntsTranslation(t *testing.T, newEngine NewAnts, seed uint64, boards int) {
	for i := range boards {
		seed := env.Derive(seed, uint64(i))
		choose := Choices(seed)
		turn := DrawAntsTurn(choose)
		turn.Rules.Food = ants.FoodScripted
		turn.State.Gen = ants.Generator{Tie: turn.State.Gen.Tie}
		w := warp{
			m: turn.Map, seats: identity(turn.Map.Players),
			dr: choose(turn.Map.Rows), dc: choose(turn.Map.Cols),
		}
		w.check(t, newEngine, turn, seed)
	}
	t.Logf("%d positions equal to their translations", boards)
}

// AntsRelabelling plays drawn positions and the same positions with the seats
// renumbered around the table, and checks that the states stay renumberings of
// each other and that every seat's view is the same bytes. Random hill ties are
// drawn in seat order, a cutoff share that several can hold goes by seat order,
// and the contest's food sets are found from seat 0, so those are left out.
func AntsRelabelling(t *testing.T, newEngine NewAnts, seed uint64, boards int) {
	for i := range boards {
		seed := env.Derive(seed, uint64(i))
		choose := Choices(seed)
		turn := DrawAntsTurn(choose)
		turn.Rules.HillTie = ants.TieListed
		turn.Rules.CutoffPercent = 85
		if turn.Rules.Food == ants.FoodSetsOverWater {
			turn.Rules.Food = ants.FoodScripted
			turn.State.Gen = ants.Generator{}
		}
		n := turn.Map.Players
		by := 1 + choose(n-1)
		w := warp{m: turn.Map, seats: make([]int, n)}
		for seat := range w.seats {
			w.seats[seat] = (seat + by) % n
		}
		w.check(t, newEngine, turn, seed)
	}
	t.Logf("%d positions equal to their relabellings, views too", boards)
}

// A warp moves cells over the torus and renumbers seats.
type warp struct {
	m      *ants.Map
	dr, dc int
	seats  []int // the new number of each seat
}

func identity(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func (w *warp) cell(cell int32) int32 {
	r := (int(cell)/w.m.Cols + w.dr) % w.m.Rows
	c := (int(cell)%w.m.Cols + w.dc) % w.m.Cols
	return int32(r*w.m.Cols + c)
}

func (w *warp) cells(list []int32) []int32 {
	out := make([]int32, len(list))
	for i, cell := range list {
		out[i] = w.cell(cell)
	}
	return out
}

func (w *warp) board() *ants.Map {
	m := &ants.Map{
		Name: w.m.Name, Rows: w.m.Rows, Cols: w.m.Cols, Players: w.m.Players, Water: make([]bool, len(w.m.Water)),
		Food: w.cells(w.m.Food), FoodTarget: w.m.FoodTarget,
	}
	for cell, wet := range w.m.Water {
		m.Water[w.cell(int32(cell))] = wet
	}
	for _, h := range w.m.Hills {
		m.Hills = append(m.Hills, ants.Spot{Cell: w.cell(h.Cell), Owner: uint8(w.seats[h.Owner])})
	}
	return m
}

func (w *warp) state(s *ants.State) *ants.State {
	out := s.Clone()
	out.Food = sorted(w.cells(s.Food))
	for i, h := range s.Hills {
		out.Hills[i].Cell, out.Hills[i].Owner = w.cell(h.Cell), uint8(w.seats[h.Owner])
	}
	for seat, to := range w.seats {
		out.Ants[to] = sorted(w.cells(s.Ants[seat]))
		out.Seats[to] = s.Seats[seat]
		out.Seats[to].Known = make([]uint64, len(s.Seats[seat].Known))
		for _, cell := range w.cells(cellsIn(s.Seats[seat].Known)) {
			out.Seats[to].Known[cell/64] |= 1 << (cell % 64)
		}
	}
	if s.Holder >= 0 {
		out.Holder = int32(w.seats[s.Holder])
	}
	out.Gen.Pending = w.cells(s.Gen.Pending)
	return out
}

// orders are aligned with the row-major ants of the state.
func (w *warp) orders(s *ants.State, orders [][]byte) [][]byte {
	out := make([][]byte, len(orders))
	for seat, to := range w.seats {
		order := identity(len(s.Ants[seat]))
		moved := w.cells(s.Ants[seat])
		slices.SortFunc(order, func(a, b int) int { return int(moved[a] - moved[b]) })
		for _, i := range order {
			out[to] = append(out[to], orders[seat][i])
		}
	}
	return out
}

// check plays a few turns on both boards.
func (w *warp) check(t *testing.T, newEngine NewAnts, turn *AntsTurn, seed uint64) {
	t.Helper()
	moved := w.dr != 0 || w.dc != 0
	plain, warped := turn.Map, w.board()
	if !moved {
		// Renumbered around the table, seat k+1's board is still seat k's, moved.
		warped.Symmetry = plain.Symmetry
	}
	start := func(m *ants.Map, s *ants.State) ants.Engine {
		e, err := newEngine(&turn.Rules, m)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := e.SetState(s.Append(nil)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		return e
	}
	a, b := start(plain, turn.State), start(warped, w.state(turn.State))
	choose := Choices(seed)
	for step := 1; step <= 6 && !a.Outcome().Done; step++ {
		s := a.State()
		orders := AntsOrders(choose, s)
		food := turn.Food
		a.Script(food, nil)
		b.Script(w.cells(food), nil)
		if err := a.Step(orders); err != nil {
			t.Fatal(err)
		}
		if err := b.Step(w.orders(s, orders)); err != nil {
			t.Fatal(err)
		}
		if got, want := b.AppendState(nil), w.state(a.State()).Append(nil); string(got) != string(want) {
			t.Fatalf("seed %d, step %d, moved by (%d, %d), seats %v: states differ:\n%s", seed, step, w.dr, w.dc, w.seats, AntsDiff(warped, got, want))
		}
		if !moved {
			for seat, to := range w.seats {
				if got, want := string(b.AppendView(nil, to)), string(a.AppendView(nil, seat)); got != want {
					t.Fatalf("seed %d, step %d, seats %v: the view of seat %d is\n%s\nwas\n%s", seed, step, w.seats, to, got, want)
				}
			}
		}
		if got, want := b.Outcome().Reason, a.Outcome().Reason; got != want {
			t.Fatalf("seed %d, step %d: reason %q, want %q", seed, step, got, want)
		}
	}
}
