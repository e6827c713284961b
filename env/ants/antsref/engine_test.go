package antsref_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

func started(t *testing.T, rules, mapID string) ants.Engine {
	t.Helper()
	r, err := ants.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ants.BundledMap(mapID)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newReference(&r, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(5); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestGame(t *testing.T) {
	g, err := env.Lookup("ants")
	if err != nil {
		t.Fatal(err)
	}
	if names := g.RuleSets(); len(names) != 3 || names[0] != "ladder" {
		t.Errorf("rule sets %v", names)
	}
	bundled, err := ants.BundledMap("tiny-2p")
	if err != nil {
		t.Fatal(err)
	}
	m, err := g.DecodeMap(bundled.CanonicalJSON())
	if err != nil {
		t.Fatal(err)
	}
	e, err := g.NewReference(`{"name":"codeclash","max_turns":7}`, m)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.(ants.Engine).Rules().MaxTurns; got != 7 {
		t.Errorf("max_turns %d, want 7", got)
	}
	if _, err := g.DecodeMap([]byte("no map")); !errors.Is(err, env.ErrMap) {
		t.Errorf("a bad map gave %v", err)
	}
	if _, err := g.NewReference("chess", m); !errors.Is(err, env.ErrRules) {
		t.Errorf("unknown rules gave %v", err)
	}
	if _, err := g.NewReference("ladder", nil); !errors.Is(err, env.ErrMap) {
		t.Errorf("a map of no game gave %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	rules, err := ants.RuleSet("ladder")
	if err != nil {
		t.Fatal(err)
	}
	m, err := ants.BundledMap("tiny-2p")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newReference(&rules, &ants.Map{Rows: 3, Cols: 3, Players: 1, Water: make([]bool, 9)}); !errors.Is(err, env.ErrMap) {
		t.Errorf("a map of one seat gave %v", err)
	}
	rules.MaxTurns = 0
	if _, err := newReference(&rules, m); !errors.Is(err, env.ErrRules) {
		t.Errorf("rules without turns gave %v", err)
	}
}

// TestOrderErrors: bad orders name the seat and the ant, and change nothing.
func TestOrderErrors(t *testing.T) {
	e := started(t, "ladder", "medium-4p")
	before := e.AppendState(nil)
	err := e.Step([][]byte{{0, 1}, {2}, {3, 5, 9}})
	if !errors.Is(err, env.ErrOrders) || !strings.Contains(err.Error(), "seat 2, ant 1: action 5") {
		t.Errorf("an action past the last gave %v", err)
	}
	if err := e.Step(make([][]byte, 5)); !errors.Is(err, env.ErrOrders) {
		t.Errorf("orders for five seats of four gave %v", err)
	}
	if !bytes.Equal(e.AppendState(nil), before) {
		t.Error("refused orders changed the state")
	}
	// Surplus orders are not read.
	if err := e.Step([][]byte{{0, 0, 200}}); err != nil {
		t.Errorf("surplus orders gave %v", err)
	}
}

// TestSetStateRefuses: states that stand on the map but that these rules could
// not go on from.
func TestSetStateRefuses(t *testing.T) {
	for _, c := range []struct {
		name, rules string
		spoil       func(s *ants.State)
	}{
		{"an ending past the last", "ladder", func(s *ants.State) { s.Ending = 7 }},
		{"a cursor past the last set", "ladder", func(s *ants.State) { s.Gen.Cursor = 30_000 }},
		{"more owed than a set holds back", "ladder", func(s *ants.State) { s.Gen.Extra = 2 * int64(s.Gen.Period) }},
		{"pending food without a queue", "codeclash", func(s *ants.State) { s.Gen.Pending = []int32{3} }},
		{"a rate that is never drawn", "ladder", func(s *ants.State) { s.Gen.Rate = 12 }},
		{"a hive past any game", "ladder", func(s *ants.State) { s.Seats[0].Hive = 1<<30 + 1 }},
		{"food on a hill", "ladder", func(s *ants.State) { s.Food = []int32{s.Hills[0].Cell} }},
		{"two ants on a cell", "ladder", func(s *ants.State) { s.Ants[1] = s.Ants[0] }},
	} {
		e := started(t, c.rules, "tiny-2p")
		before := e.AppendState(nil)
		s := e.State()
		c.spoil(s)
		if err := e.SetState(s.Append(nil)); !errors.Is(err, env.ErrState) {
			t.Errorf("%s gave %v, want %v", c.name, err, env.ErrState)
		}
		if !bytes.Equal(e.AppendState(nil), before) {
			t.Errorf("%s changed the state", c.name)
		}
	}
}

// TestBugsPanic: what only a bug in the caller can ask for.
func TestBugsPanic(t *testing.T) {
	fresh := started(t, "ladder", "tiny-2p")
	rules := *fresh.Rules()
	unset, err := newReference(&rules, fresh.Map())
	if err != nil {
		t.Fatal(err)
	}
	for name, bug := range map[string]func(){
		"state before a reset": func() { unset.State() },
		"sight before a reset": func() { unset.Visible(0) },
		"view before a reset":  func() { unset.AppendView(nil, 0) },
		"drop of no seat":      func() { fresh.Drop(2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			bug()
		}()
	}
}

// TestDropHold: where dropping out only silences a seat, its ants stand still
// and it stays in the game.
func TestDropHold(t *testing.T) {
	e := started(t, "ladder", "tiny-2p")
	e.Drop(0)
	e.Drop(0)
	before := e.State()
	if err := e.Step([][]byte{{0}, {0}}); err != nil {
		t.Fatal(err)
	}
	after := e.State()
	if after.Ants[0][0] != before.Ants[0][0] || after.Ants[1][0] == before.Ants[1][0] {
		t.Errorf("ants %v moved to %v, want only seat 1's to move", before.Ants, after.Ants)
	}
	if after.Seats[0].Score != 1 || e.Outcome().Done {
		t.Errorf("score %d, outcome %+v after a silent drop", after.Seats[0].Score, e.Outcome())
	}
}

// TestStartFood: the contest's drawn food is the same for a seed, differs
// between seeds, and gives every seat as much in sight of its hills.
func TestStartFood(t *testing.T) {
	e := started(t, "contest2011", "medium-4p")
	first := e.State().Food
	for seed := range uint64(20) {
		if err := e.Reset(seed); err != nil {
			t.Fatal(err)
		}
		food := e.State().Food
		if seed == 5 && !bytes.Equal(e.AppendState(nil), started(t, "contest2011", "medium-4p").AppendState(nil)) {
			t.Error("one seed, two starts")
		}
		if seed != 5 && len(food) == len(first) && food[0] == first[0] && food[len(food)-1] == first[len(first)-1] {
			t.Errorf("seed %d starts with the food of seed 5", seed)
		}
		m := e.Map()
		near := make([]int, m.Players)
		for _, cell := range food {
			sees := make([]int, m.Players)
			for _, h := range m.Hills {
				if m.Distance2(h.Cell, cell) <= e.Rules().ViewRadius2 {
					sees[h.Owner] = 1
				}
			}
			for seat := range near {
				near[seat] += sees[seat]
			}
		}
		for seat, n := range near {
			if n != near[0] || n < 3 {
				t.Errorf("seed %d: seat %d sees %d food from its hills, seat 0 sees %d", seed, seat, n, near[0])
			}
		}
	}
}
