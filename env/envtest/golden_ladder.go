package envtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

type ladderGame struct {
	Name     string
	Map      json.RawMessage
	Seed     json.Number
	MaxTurns int                          `json:"max_turns"`
	FoodRate struct{ Rate, Period int32 } `json:"food_rate"`
	Orders   [][]string
	States   []ladderState
	Result   struct {
		Turns  int
		Reason string
		Score  []int32
		Ranks  []int32
	}
}

type ladderState struct {
	T         int
	Ants      [][]rc
	Food      []rc
	Hills     [][3]int
	Hive      []int32
	Score     []int32
	Cutoff    cutoff
	Visible   []int
	Known     []int
	Pending   []rc
	FoodExtra int64 `json:"food_extra"`
}

// A cutoff is written [holder, count], the holder a seat, "food" or null.
type cutoff ants.CutoffCounter

func (c *cutoff) UnmarshalJSON(data []byte) error {
	var pair [2]any
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	switch h := pair[0].(type) {
	case nil:
		c.Holder = ants.HolderNone
	case string:
		if h != "food" {
			return fmt.Errorf("cutoff holder %q", h)
		}
		c.Holder = ants.HolderFood
	case float64:
		c.Holder = int32(h)
	}
	n, ok := pair[1].(float64)
	if !ok {
		return fmt.Errorf("cutoff count %v", pair[1])
	}
	c.Count = int32(n)
	return nil
}

// GoldenLadder replays every recorded match and lesson of golden/ladder and
// compares every state.
func GoldenLadder(t *testing.T, newEngine NewAnts) {
	games, turns := 0, 0
	for _, path := range goldenFiles(t, "ladder", "*.golden.json") {
		t.Run(strings.TrimSuffix(baseName(path), ".golden"), func(t *testing.T) {
			var g ladderGame
			readGolden(t, path, &g)
			g.compareRecording(t, strings.TrimSuffix(path, ".golden.json")+".json")
			turns += g.play(t, newEngine)
			games++
		})
	}
	t.Logf("ladder: %d recordings and %d golden files checked, %d turns", games, games, turns)
}

// compareRecording checks that the game's orders and result are those of the
// recording itself: a match's envelope or a lesson's scripts.
func (g *ladderGame) compareRecording(t *testing.T, path string) {
	t.Helper()
	var rec struct {
		Seed     json.Number
		MaxTurns int     `json:"max_turns"`
		Ranks    []int32 `json:"engine_ranks"`
		Scores   []int32
		Reason   string
		Turns    int
		Deltas   []struct {
			T int
			A []string
		}
		Vars struct {
			MaxTurns int `json:"max_turns"`
		}
		Rows []struct {
			Seed  json.Number
			Seats []struct{ Script []any }
		}
	}
	readGolden(t, path, &rec)
	var c checker
	if len(rec.Rows) == 0 {
		c.same("seed", g.Seed, rec.Seed)
		c.same("max_turns", g.MaxTurns, rec.MaxTurns)
		c.same("result", g.Result, struct {
			Turns        int
			Reason       string
			Score, Ranks []int32
		}{rec.Turns, rec.Reason, rec.Scores, rec.Ranks})
		c.same("number of orders", len(g.Orders), len(rec.Deltas))
		for i, d := range rec.Deltas {
			c.same(fmt.Sprintf("orders[%d]", i), g.Orders[d.T], d.A)
		}
	} else {
		row := rec.Rows[0]
		c.same("seed", g.Seed, row.Seed)
		c.same("max_turns", g.MaxTurns, rec.Vars.MaxTurns)
		for turn, orders := range g.Orders {
			for seat, chars := range orders {
				c.same(fmt.Sprintf("orders[%d][%d]", turn, seat), chars, scripted(row.Seats[seat].Script, turn, len(g.States[turn].Ants[seat])))
			}
		}
	}
	c.report(t, 0)
}

// scripted is a lesson script's orders for n ants: a string orders every ant,
// an array goes by position, and past the end an ant holds.
func scripted(script []any, turn, n int) string {
	chars := []byte(strings.Repeat("-", n))
	if turn < len(script) {
		switch s := script[turn].(type) {
		case string:
			for i := range chars {
				chars[i] = s[0]
			}
		case []any:
			for i := 0; i < n && i < len(s); i++ {
				chars[i] = s[i].(string)[0]
			}
		}
	}
	return string(chars)
}

// play steps an engine through the game and returns the turns it compared.
func (g *ladderGame) play(t *testing.T, newEngine NewAnts) int {
	t.Helper()
	m, err := ants.ParseMap(g.Map)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ants.RuleSet("ladder")
	if err != nil {
		t.Fatal(err)
	}
	rules.MaxTurns = g.MaxTurns
	e, err := newEngine(&rules, m)
	if err != nil {
		t.Fatal(err)
	}
	seed := parseSeed(t, g.Seed)
	if err := e.Reset(seed); err != nil {
		t.Fatal(err)
	}
	var c checker
	start := e.State()
	c.same("food rate", [2]int32{start.Gen.Rate, start.Gen.Period}, [2]int32{g.FoodRate.Rate, g.FoodRate.Period})
	g.States[0].compare(&c, e)
	c.report(t, 0)
	for turn, chars := range g.Orders {
		orders := make([][]byte, len(chars))
		for seat := range chars {
			orders[seat] = actionsOf(chars[seat])
		}
		c.same("done before the turn", e.Outcome().Done, false)
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
		g.States[turn+1].compare(&c, e)
		c.report(t, turn+1)
	}
	out := e.Outcome()
	c.same("done", out.Done, true)
	c.same("truncated", out.Truncated, g.Result.Reason == "turn_limit")
	c.same("turns", out.Steps, g.Result.Turns)
	c.same("reason", out.Reason, g.Result.Reason)
	c.same("scores", out.Scores, g.Result.Score)
	c.same("ranks", out.Ranks, g.Result.Ranks)
	c.report(t, len(g.Orders))
	return len(g.Orders)
}

func (want *ladderState) compare(c *checker, e ants.Engine) {
	m, s := e.Map(), e.State()
	c.same("turn", s.Turn, want.T)
	for seat, cells := range s.Ants {
		c.same(fmt.Sprintf("ants of seat %d", seat), cells, cellsOf(m, want.Ants[seat]))
	}
	c.same("food", s.Food, cellsOf(m, want.Food))
	c.same("standing hills", standingHills(s), wantHills(m, want.Hills))
	for seat := range s.Seats {
		c.same(fmt.Sprintf("hive of seat %d", seat), s.Seats[seat].Hive, want.Hive[seat])
		c.same(fmt.Sprintf("score of seat %d", seat), s.Seats[seat].Score, want.Score[seat])
		c.same(fmt.Sprintf("known cells of seat %d", seat), ones(s.Seats[seat].Known), want.Known[seat])
		c.same(fmt.Sprintf("visible cells of seat %d", seat), ones(e.Visible(seat)), want.Visible[seat])
	}
	c.same("cutoff", cutoff{s.Holder, s.Count}, want.Cutoff)
	c.same("pending food", s.Gen.Pending, cellsOf(m, want.Pending))
	c.same("food extra", s.Gen.Extra, want.FoodExtra)
}

// standingHills are the standing hills by cell.
func standingHills(s *ants.State) []ants.Spot {
	var standing []ants.Spot
	for _, h := range s.Hills {
		if !h.Razed {
			standing = append(standing, ants.Spot{Cell: h.Cell, Owner: h.Owner})
		}
	}
	return byCell(standing)
}

func wantHills(m *ants.Map, hills [][3]int) []ants.Spot {
	var spots []ants.Spot
	for _, h := range hills {
		spots = append(spots, ants.Spot{Cell: cellOf(m, rc{h[0], h[1]}), Owner: uint8(h[2])})
	}
	return byCell(spots)
}

func byCell(spots []ants.Spot) []ants.Spot {
	slices.SortFunc(spots, func(a, b ants.Spot) int { return int(a.Cell - b.Cell) })
	return spots
}
