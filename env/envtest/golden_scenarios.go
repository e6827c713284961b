package envtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

type scenario struct {
	Name                string
	Rows, Cols, Players int
	Water               []rc
	Hills               []scenarioHill
	Ants                [][3]int
	Food                []rc
	Hive, Score         []int32
	Turn                int32
	MaxTurns            int `json:"max_turns"`
	Cutoff              cutoff
	Orders              [][]string
	Turns               int
	Expect              struct {
		Turn           int32
		Ants           [][3]int
		Food           []rc
		Hills          [][3]int
		Hive, Score    []int32
		Cutoff         cutoff
		Done           bool
		Reason         *string
		Ranks          []int32
		Visible, Known []int
		LastTouched    []int32 `json:"last_touched"`
	}
}

// A scenarioHill is [r, c, owner(, last touched(, razed))].
type scenarioHill ants.Hill

func (h *scenarioHill) UnmarshalJSON(data []byte) error {
	var parts []any
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) < 3 || len(parts) > 5 {
		return fmt.Errorf("hill of %d parts", len(parts))
	}
	numbers := [4]int32{}
	for i := range min(len(parts), len(numbers)) {
		n, ok := parts[i].(float64)
		if !ok {
			return fmt.Errorf("hill part %v", parts[i])
		}
		numbers[i] = int32(n)
	}
	// The column count is not known here: the row waits in the high half.
	*h = scenarioHill{Cell: numbers[0]<<16 | numbers[1], Owner: uint8(numbers[2]), Touched: numbers[3]}
	if len(parts) == 5 {
		h.Razed, _ = parts[4].(bool)
	}
	return nil
}

// GoldenScenarios plays the positions of golden/ladder/scenarios.json, each
// from its own given state.
func GoldenScenarios(t *testing.T, newEngine NewAnts) {
	var file struct{ Scenarios []scenario }
	readGolden(t, goldenFiles(t, "ladder", "scenarios.json")[0], &file)
	for _, s := range file.Scenarios {
		t.Run(s.Name, func(t *testing.T) { s.play(t, newEngine) })
	}
	t.Logf("scenarios: 1 file, %d scenarios checked", len(file.Scenarios))
}

func (s *scenario) play(t *testing.T, newEngine NewAnts) {
	t.Helper()
	m := &ants.Map{Name: s.Name, Rows: s.Rows, Cols: s.Cols, Players: s.Players, Water: make([]bool, s.Rows*s.Cols)}
	for _, p := range s.Water {
		m.Water[cellOf(m, p)] = true
	}
	start := &ants.State{
		Turn: s.Turn, Ants: make([][]int32, s.Players), Food: cellsOf(m, s.Food),
		Seats: make([]ants.Seat, s.Players), Holder: s.Cutoff.Holder, Count: s.Cutoff.Count,
	}
	slices.Sort(start.Food)
	for _, h := range s.Hills {
		h.Cell = cellOf(m, rc{int(h.Cell >> 16), int(h.Cell & 0xFFFF)})
		m.Hills = append(m.Hills, ants.Spot{Cell: h.Cell, Owner: h.Owner})
		start.Hills = append(start.Hills, ants.Hill(h))
	}
	for _, a := range s.Ants {
		start.Ants[a[2]] = append(start.Ants[a[2]], cellOf(m, rc{a[0], a[1]}))
	}
	for seat := range start.Seats {
		slices.Sort(start.Ants[seat])
		start.Seats[seat] = ants.Seat{Hive: s.Hive[seat], Score: s.Score[seat], Known: make([]uint64, ants.KnownWords(s.Rows*s.Cols))}
	}
	rules, err := ants.RuleSet("ladder")
	if err != nil {
		t.Fatal(err)
	}
	rules.MaxTurns = s.MaxTurns
	e, err := newEngine(&rules, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetState(start.Append(nil)); err != nil {
		t.Fatal(err)
	}
	// What is in sight at the start is known from the start.
	for seat := range start.Seats {
		start.Seats[seat].Known = e.Visible(seat)
	}
	if err := e.SetState(start.Append(nil)); err != nil {
		t.Fatal(err)
	}
	for turn := range s.Turns {
		var orders [][]byte
		if turn < len(s.Orders) {
			for _, chars := range s.Orders[turn] {
				orders = append(orders, actionsOf(chars))
			}
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
	}
	var c checker
	s.compare(&c, e, e.State(), e.Outcome())
	c.report(t, s.Turns)
}

func (s *scenario) compare(c *checker, e ants.Engine, got *ants.State, out env.Outcome) {
	m, want := e.Map(), &s.Expect
	var antsGot []ants.Spot
	for seat, cells := range got.Ants {
		for _, cell := range cells {
			antsGot = append(antsGot, ants.Spot{Cell: cell, Owner: uint8(seat)})
		}
	}
	c.same("turn", got.Turn, want.Turn)
	c.same("ants", byCell(antsGot), wantHills(m, want.Ants))
	c.same("food", got.Food, cellsOf(m, want.Food))
	c.same("standing hills", standingHills(got), wantHills(m, want.Hills))
	for seat := range got.Seats {
		c.same(fmt.Sprintf("hive of seat %d", seat), got.Seats[seat].Hive, want.Hive[seat])
		c.same(fmt.Sprintf("score of seat %d", seat), got.Seats[seat].Score, want.Score[seat])
		c.same(fmt.Sprintf("known cells of seat %d", seat), ones(got.Seats[seat].Known), want.Known[seat])
		c.same(fmt.Sprintf("visible cells of seat %d", seat), ones(e.Visible(seat)), want.Visible[seat])
	}
	for i, h := range got.Hills {
		c.same(fmt.Sprintf("last touch of hill %d", i), h.Touched, want.LastTouched[i])
	}
	c.same("cutoff", cutoff{got.Holder, got.Count}, want.Cutoff)
	c.same("done", out.Done, want.Done)
	reason := ""
	if want.Reason != nil {
		reason = *want.Reason
	}
	c.same("reason", out.Reason, reason)
	c.same("ranks", out.Ranks, want.Ranks)
	c.same("scores", out.Scores, want.Score)
}
