// Small games for the tests: hand-made boards and players that wander.

package replay

import (
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
)

// A tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// drawing reads a board: '%' water, '*' food, a digit a hill of that seat.
func drawing(t tester, players int, move *ants.Shift, rows ...string) *ants.Map {
	t.Helper()
	m := &ants.Map{Name: "drawn", Rows: len(rows), Cols: len(rows[0]), Players: players, Symmetry: move}
	for _, c := range strings.Join(rows, "") {
		cell := int32(len(m.Water))
		m.Water = append(m.Water, c == '%')
		if c == '*' {
			m.Food = append(m.Food, cell)
		}
		if c >= '0' && c <= '9' {
			m.Hills = append(m.Hills, ants.Spot{Cell: cell, Owner: uint8(c - '0')})
		}
	}
	if move != nil {
		// Hill i is seat i mod players', and each is the one before it moved.
		own := slices.DeleteFunc(m.Hills, func(h ants.Spot) bool { return h.Owner != 0 })
		m.Hills = nil
		for _, h := range own {
			for seat := range players {
				r := (int(h.Cell)/m.Cols + seat*move.DR) % m.Rows
				c := (int(h.Cell)%m.Cols + seat*move.DC) % m.Cols
				m.Hills = append(m.Hills, ants.Spot{Cell: int32(r*m.Cols + c), Owner: uint8(seat)})
			}
		}
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// duel is a board of two seats with two hills each.
func duel(t tester) *ants.Map {
	return drawing(t, 2, &ants.Shift{DR: 6, DC: 8},
		".0...*0..*......",
		"..*%...*...%....",
		"....*....*......",
		"..%%....*..*....",
		"..............%.",
		".*....%..*......",
		".*......1....*1.",
		"...%......*%...*",
		".*..........*...",
		"*..*......%%....",
		"......%.........",
		".*.......*....%.")
}

// trio is a board of three seats without a translation.
func trio(t tester) *ants.Map {
	return drawing(t, 3, nil,
		"0...%.........",
		".......1......",
		"..%%%......*..",
		"..............",
		"...*.....%%...",
		"..........2...",
		".....*........",
		"..............",
		".%......*.....")
}

func ruleSet(t tester, name string, change func(r *ants.Rules)) *ants.Rules {
	t.Helper()
	r, err := ants.RuleSet(name)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&r)
	}
	return &r
}

func reference(t tester, r *ants.Rules, m *ants.Map, seed uint64) *antsref.Engine {
	t.Helper()
	e, err := antsref.New(r, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(seed); err != nil {
		t.Fatal(err)
	}
	return e
}

// wander orders each ant at random, but not to where an own ant is or goes.
func wander(m *ants.Map, state *ants.State, rng *env.RNG) [][]byte {
	orders := make([][]byte, len(state.Ants))
	for seat, cells := range state.Ants {
		taken := slices.Clone(cells)
		for _, cell := range cells {
			a := [...]byte{ants.North, ants.East, ants.East, ants.South, ants.West, ants.Stay}[rng.Below(6)]
			to := m.Neighbour(cell, a)
			if slices.Contains(taken, to) {
				a = ants.Stay
			}
			taken = append(taken, to)
			orders[seat] = append(orders[seat], a)
		}
	}
	return orders
}

// record plays a game of wanderers to its end.
func record(t tester, r *ants.Rules, m *ants.Map, seed uint64) *Envelope {
	t.Helper()
	e := reference(t, r, m, seed)
	rec, err := NewRecorder(m, r, seed, []string{"red", "blue", "green", "grey"}[:m.Players])
	if err != nil {
		t.Fatal(err)
	}
	rng := env.RNG(seed)
	for !e.Outcome().Done {
		orders := wander(m, e.State(), &rng)
		if err := rec.Turn(orders); err != nil {
			t.Fatal(err)
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
	}
	env, err := rec.Finish(e.Outcome())
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// recordContest plays a game of wanderers by the contest's rules. Player p
// drops out before turn drops[p], if it is alive.
func recordContest(t tester, r *ants.Rules, m *ants.Map, seed uint64, drops map[int]int32) *Contest {
	t.Helper()
	e := reference(t, r, m, seed)
	rec, err := NewContestRecorder(e, []string{"red", "blue", "green", "grey"}[:m.Players])
	if err != nil {
		t.Fatal(err)
	}
	rng := env.RNG(seed)
	for !e.Outcome().Done {
		state := e.State()
		for player := range m.Players {
			if drops[player] == state.Turn+1 && len(state.Ants[player]) > 0 {
				rec.Drop(player, StatusTimeout)
				e.Drop(player)
			}
		}
		orders := wander(m, state, &rng)
		if r.Food == ants.FoodScripted {
			e.Script([]int32{int32(rng.Below(uint64(m.Rows * m.Cols)))}, nil)
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
		if err := rec.Turn(orders); err != nil {
			t.Fatal(err)
		}
	}
	c, err := rec.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func encode(t tester, r Replay) []byte {
	t.Helper()
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// verified opens the text and plays it again.
func verified(t tester, data []byte) (Replay, *Report) {
	t.Helper()
	r, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Verify(r, newBoard)
	if err != nil {
		t.Fatal(err)
	}
	return r, report
}

var _ tester = (*testing.T)(nil)
