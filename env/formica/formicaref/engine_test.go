package formicaref_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
)

func started(t *testing.T, rules string) formica.Engine {
	t.Helper()
	c, err := formica.ParseConfig(rules)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Board()
	if err != nil {
		t.Fatal(err)
	}
	e, err := formicaref.New(&c, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(5); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestGame(t *testing.T) {
	g, err := env.Lookup("formica")
	if err != nil {
		t.Fatal(err)
	}
	if names := g.RuleSets(); len(names) != 3 || names[0] != "default" {
		t.Errorf("rule sets %v", names)
	}
	m, err := g.DecodeMap([]byte(`{"game":"formica","seats":6,"radius":13}`))
	if err != nil {
		t.Fatal(err)
	}
	e, err := g.NewReference(`{"name":"duel","max_ticks":7}`, m)
	if err != nil {
		t.Fatal(err)
	}
	board := e.(formica.Engine)
	if board.Config().MaxTicks != 7 || board.Seats() != 6 || board.Board().Radius != 13 {
		t.Errorf("%d ticks, %d seats, radius %d, want 7, 6, 13", board.Config().MaxTicks, board.Seats(), board.Board().Radius)
	}
}

// TestRefuses: each kind of bad input is a clear error of its own kind.
func TestRefuses(t *testing.T) {
	g, err := env.Lookup("formica")
	if err != nil {
		t.Fatal(err)
	}
	m, err := g.DecodeMap([]byte("default"))
	if err != nil {
		t.Fatal(err)
	}
	newOn := func(rules string, m env.Map) error {
		_, err := g.NewReference(rules, m)
		return err
	}
	decode := func(text string) error {
		_, err := g.DecodeMap([]byte(text))
		return err
	}
	e := started(t, "default")
	before := e.AppendState(nil)
	for _, c := range []struct {
		name string
		err  error
		is   error
		says string
	}{
		{"five seats", decode(`{"game":"formica","seats":5,"radius":12}`), env.ErrMap, "5 colonies cannot stand symmetrically"},
		{"a small radius", decode(`{"game":"formica","seats":6,"radius":6}`), env.ErrMap, "radius 6 is too small for 6 seats"},
		{"rules that need more room", newOn(`{"nest_inset":10}`, m), env.ErrMap, "radius 12 is too small for 4 seats: nests at distance 2"},
		{"unknown rules", newOn("chess", m), env.ErrRules, `no variant "chess"`},
		{"other rules", newOn(`{"rules_version":7}`, m), env.ErrRules, "rules_version is 7, this engine plays 1"},
		{"no map", newOn("default", nil), env.ErrMap, "a board of another game"},
		{"a short order", e.Step([][]byte{nil, {1, 2, 3}}), env.ErrOrders, "seat 1: bad orders: order of 3 bytes, want 10"},
		{"too many seats", e.Step(make([][]byte, 5)), env.ErrOrders, "orders of 5 seats on a board of 4"},
		{"a short state", e.SetState(before[:100]), env.ErrState, "ends at byte 100, inside food"},
		{"a state of a duel", e.SetState(started(t, "duel").AppendState(nil)), env.ErrState, "seats is 2, want 4"},
	} {
		if !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s gave %v, want %v: %q", c.name, c.err, c.is, c.says)
		}
	}
	if !bytes.Equal(e.AppendState(nil), before) {
		t.Error("refused input changed the state")
	}
}

// TestStateRefuses: states that play could not go on from.
func TestStateRefuses(t *testing.T) {
	for says, spoil := range map[string]func(s *formica.State){
		"no phase waits at tick 9":                        func(s *formica.State) { s.Tick = 9 },
		"tick 601 of 600":                                 func(s *formica.State) { s.Tick = 601 },
		"event 4":                                         func(s *formica.State) { s.Event = 4 },
		"11 ticks of rain":                                func(s *formica.State) { s.Rain = 11 },
		"food on cell 0, cap 0":                           func(s *formica.State) { s.Food[0] = 1 },
		"cell 3 owned by seat 4":                          func(s *formica.State) { s.Owner[3] = 4 },
		"stamp 1 on cell 3, which nobody owns":            func(s *formica.State) { s.Stamp[3] = 1 },
		"stamp 1 on cell 3 at tick 0":                     func(s *formica.State) { s.Owner[3], s.Stamp[3] = 0, 1 },
		"home direction":                                  func(s *formica.State) { s.Colonies[1].Home = s.Colonies[0].Home },
		"nest on cell":                                    func(s *formica.State) { s.Colonies[1].Nest = s.Colonies[0].Nest },
		"nest on food cell":                               func(s *formica.State) { s.Cap[s.Colonies[1].Nest] = 1 },
		"-1 food":                                         func(s *formica.State) { s.Colonies[2].Food = -1 },
		"upkeep 80, want below 80":                        func(s *formica.State) { s.Colonies[2].Upkeep = 80 },
		"5 chambers, at most 4":                           func(s *formica.State) { s.Colonies[2].Chambers = 5 },
		"alive is true with 0 ants":                       func(s *formica.State) { s.Colonies[2].Ants = nil },
		"49 ants":                                         func(s *formica.State) { s.Colonies[2].Ants = make([]formica.Ant, 49) },
		"died at 3 with 0 cells":                          func(s *formica.State) { s.Colonies[2].DiedAt = 3 },
		"died at 0 with 0 cells, at tick 0":               func(s *formica.State) { s.Colonies[2].Alive, s.Colonies[2].Ants, s.Colonies[2].DiedAt = false, nil, 0 },
		"waits 2 ticks to move nowhere":                   func(s *formica.State) { s.Colonies[0].MoveWait = 2 },
		"moves to cell 5 in 2 ticks":                      func(s *formica.State) { s.Colonies[0].MoveWait, s.Colonies[0].Order.Target = 2, 5 },
		"nest of seat 0 cannot be known":                  func(s *formica.State) { s.Colonies[0].Known[0].Cell = 3 },
		"nest of seat 1 known on cell 469":                func(s *formica.State) { s.Colonies[0].Known[1].Cell = 469 },
		"ant 2 on cell 469":                               func(s *formica.State) { s.Colonies[0].Ants[2].Cell = 469 },
		"ant 2 is {Cell":                                  func(s *formica.State) { s.Colonies[0].Ants[2].Heading = 6 },
		"pheromone 32768 on cell 7":                       func(s *formica.State) { s.Colonies[0].Trail[7] = 32768 },
		"order of seat 3: bad orders: alloc sums to 9999": func(s *formica.State) { s.Colonies[3].Order.Alloc[0]-- },
	} {
		e := started(t, "default")
		before := e.AppendState(nil)
		s := e.State()
		spoil(s)
		if err := e.SetState(s.Append(nil)); !errors.Is(err, env.ErrState) || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
		if !bytes.Equal(e.AppendState(nil), before) {
			t.Errorf("the state of %q changed the engine", says)
		}
	}
}

func TestBeforeReset(t *testing.T) {
	ready := started(t, "default")
	e, err := formicaref.New(ready.Config(), ready.Board())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Step(nil); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("a step before the reset gave %v", err)
	}
	for name, ask := range map[string]func(){
		"state": func() { e.State() }, "view": func() { e.AppendView(nil, 0) }, "outcome": func() { e.Outcome() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the %s of a board that was never reset did not panic", name)
				}
			}()
			ask()
		}()
	}
}

// TestPhases: phases come every CommandEvery ticks and at each locust, and a
// seed of the config overrides the reset's.
func TestPhases(t *testing.T) {
	e := started(t, "seeded-quartet")
	if seed := e.State().Seed; seed != 7 {
		t.Errorf("seed %d, want 7", seed)
	}
	tick, events := int32(0), 0
	for phase := int32(0); !e.Outcome().Done; phase++ {
		w := e.Waiting()
		if w.Phase != phase || w.Done || w.Tick != tick {
			t.Fatalf("phase %d at tick %d: %+v", phase, tick, w)
		}
		switch w.Kind {
		case formica.KindScheduled:
			if w.Tick%8 != 0 || w.BudgetMS != 3000 || w.Event != formica.EventNone {
				t.Fatalf("a scheduled phase: %+v", w)
			}
		case formica.KindEvent:
			events++
			if w.Tick%8 == 0 || w.Tick < 50 || w.BudgetMS != 1200 || w.Event != formica.EventLocust || e.Config().EventAt(7, w.Tick) != formica.EventLocust {
				t.Fatalf("an event phase: %+v", w)
			}
		}
		if err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		if w = e.Waiting(); w.Elapsed < 1 || w.Elapsed > 8 {
			t.Fatalf("a step of %d ticks", w.Elapsed)
		}
		tick += w.Elapsed
	}
	out, w := e.Outcome(), e.Waiting()
	if tick != 300 || events == 0 || out.Truncated || out.Reason != "final_tick" || !w.Done || out.Steps != 38+events {
		t.Errorf("%d ticks, %d events, %+v, %+v", tick, events, out, w)
	}
}

// TestEvents: one a window of 50 ticks from the second on, never on a scheduled
// tick, in the shares that the rules say.
func TestEvents(t *testing.T) {
	e := started(t, "default")
	c := e.Config()
	count := map[formica.Event]int{}
	for seed := range uint64(200) {
		for window := int32(0); window < 12; window++ {
			n := 0
			for tick := 50 * window; tick < 50*(window+1); tick++ {
				ev := c.EventAt(seed, tick)
				if ev == formica.EventNone {
					continue
				}
				n++
				count[ev]++
				if tick%8 == 0 {
					t.Fatalf("seed %d: %s at tick %d", seed, ev, tick)
				}
			}
			if want := min(1, int(window)); n != want {
				t.Fatalf("seed %d: %d events in window %d, want %d", seed, n, window, want)
			}
		}
	}
	for ev, percent := range map[formica.Event]int{formica.EventLocust: 40, formica.EventRain: 30, formica.EventClear: 30} {
		if got := count[ev] * 100 / 2200; got < percent-4 || got > percent+4 {
			t.Errorf("%d%% of events are %s, want about %d%%", got, ev, percent)
		}
	}
}

// TestMessage: the command message is JSON that says what the observation
// holds, and the results' too.
func TestMessage(t *testing.T) {
	e := started(t, "default")
	choose := envtest.Choices(9)
	for range 30 {
		if err := e.Step(envtest.FormicaOrders(choose, e.Config(), e.Board(), e.State())); err != nil {
			t.Fatal(err)
		}
	}
	o := e.Observation(1)
	var m struct {
		Type, Protocol, Kind string
		Event                *string
		Phase, Tick, Slot    int
		Scores               []float64
		Alive                []bool
		Colony               struct {
			Nest      [2]int
			Squads    map[string]int
			Territory [][2]int
			Orders    struct {
				Mode  string
				Alloc map[string]float64
			}
		}
		Ants, Food, Rivals, Scent, Pheromone [][]int
		LegalRelocate                        [][2]int `json:"legal_relocate"`
	}
	if err := json.Unmarshal(e.AppendView(nil, 1), &m); err != nil {
		t.Fatal(err)
	}
	at := func(cell int32) [2]int { return [2]int{e.Board().Hexes[cell].Q, e.Board().Hexes[cell].R} }
	type pair struct{ got, want any }
	pairs := []pair{
		{m.Type, "command"}, {m.Protocol, "formica/1"}, {m.Phase, int(o.Phase)}, {m.Tick, int(o.Tick)}, {m.Slot, 1}, {m.Alive, o.Alive},
		{m.Colony.Nest, at(o.Colony.Nest)}, {len(m.Colony.Territory), o.Colony.TerritoryCells}, {m.Colony.Orders.Mode, o.Colony.Order.Mode.String()},
		{len(m.Food), len(o.Food)}, {len(m.Rivals), len(o.Rivals)}, {len(m.LegalRelocate), len(o.LegalRelocate)},
		{len(m.Scent), len(o.Scent)}, {len(m.Pheromone), len(o.Pheromone)},
	}
	for seat, score := range o.Scores2 {
		pairs = append(pairs, pair{m.Scores[seat], float64(score) / 2})
	}
	for role, n := range o.Colony.Squads {
		pairs = append(pairs, pair{m.Colony.Squads[formica.RoleNames[role]], n})
	}
	for i, share := range o.Colony.Order.Alloc {
		pairs = append(pairs, pair{m.Colony.Orders.Alloc[[]string{"food", "defense", "expansion"}[i]], float64(share) / 10_000})
	}
	for i, a := range o.Ants {
		pairs = append(pairs, pair{m.Ants[i], []int{i, at(a.Cell)[0], at(a.Cell)[1], int(a.Role), int(a.Carry)}})
	}
	for i, p := range pairs {
		if !reflect.DeepEqual(p.got, p.want) {
			t.Errorf("pair %d: %v, want %v", i, p.got, p.want)
		}
	}
	if len(o.Ants) == 0 || len(o.Pheromone) == 0 || len(o.Colony.Territory) == 0 {
		t.Error("the observation is empty")
	}

	var r struct {
		Scores     []float64
		FoodStored []int  `json:"food_stored"`
		DiedAt     []*int `json:"died_at"`
		SeedUsed   uint64 `json:"seed_used"`
	}
	if err := json.Unmarshal(e.Results().AppendJSON(nil), &r); err != nil {
		t.Fatal(err)
	}
	res := e.Results()
	for seat := range res.Scores2 {
		if r.Scores[seat] != float64(res.Scores2[seat])/2 || r.FoodStored[seat] != int(res.FoodStored[seat]) || (r.DiedAt[seat] == nil) != res.Alive[seat] {
			t.Errorf("results %s of %+v", res.AppendJSON(nil), res)
		}
	}
	if r.SeedUsed != 5 {
		t.Errorf("seed_used %d, want 5", r.SeedUsed)
	}
}
