package envtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// Holders as the contest numbers them.
const (
	contestNobody = -2
	contestFood   = -3
)

type contestGame struct {
	Name                string
	Rows, Cols, Players int
	MapText             string `json:"map_text"`
	Options             struct {
		Turns                                    int
		ViewRadius2, AttackRadius2, SpawnRadius2 int
		LoadTime, TurnTime                       int64
		Food                                     string
		CutoffPercent                            float64 `json:"cutoff_percent"`
		CutoffTurn                               int     `json:"cutoff_turn"`
		PlayerSeed                               int64   `json:"player_seed"`
		FoodRate                                 int32   `json:"food_rate"`
		FoodTurn                                 int32   `json:"food_turn"`
	}
	Initial contestState
	Turns   []contestTurn
	Final   struct {
		Cutoff           string
		GameLength       int     `json:"game_length"`
		ScoreBeforeBonus []int32 `json:"score_before_bonus"`
		Bonus            []int32
		Score            []int32
		Rank             []int32
		WinningTurn      int `json:"winning_turn"`
		RankingTurn      int `json:"ranking_turn"`
		Alive            []int
	}
	Start []*string
	Views [][]*string
}

type contestState struct {
	Ants    [][]int32
	Food    []int32
	Hills   [][2]int32
	Touched []int32
	Hive    []int32
	Score   []int32
	Cutoff  *[2]int32
	Alive   []int
	Vis     []int
	Rev     []int
	Fx      [2]int64
}

type contestTurn struct {
	T             int
	Orders        []contestOrders
	Rejected      [][]contestRejection
	KilledPlayers []int `json:"killed_players"`
	MovesDropped  int   `json:"moves_dropped"`
	Dead          []contestDeath
	Razed         [][3]int32
	Spawned       [][2]int32
	NewFood       []int32    `json:"new_food"`
	GoneFood      [][2]int32 `json:"gone_food"`
	contestState
}

// contestOrders are [[r, c, r, c, ..], "dirs"].
type contestOrders struct {
	places []int
	dirs   string
}

func (o *contestOrders) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &o.places, &o.dirs)
}

// text is the orders as a bot would send them.
func (o *contestOrders) text() string {
	var b strings.Builder
	for i, dir := range o.dirs {
		fmt.Fprintf(&b, "o %d %d %c\n", o.places[2*i], o.places[2*i+1], dir)
	}
	return b.String()
}

// A contestRejection is [order index, reason].
type contestRejection struct {
	order  int
	reason string
}

func (r *contestRejection) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &r.order, &r.reason)
}

// A contestDeath is [cell, owner, "c" for collision or "b" for battle].
type contestDeath struct {
	cell, owner int32
	kind        string
}

func (d *contestDeath) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &d.cell, &d.owner, &d.kind)
}

// contestReasons are the codes of rejections.
var contestReasons = map[string]string{
	ants.ReasonBlocked: "blocked", ants.ReasonDuplicate: "duplicate", ants.ReasonNotOwn: "not_own", ants.ReasonBounds: "bounds",
}

// A framer tells what happened in the last turn, and what a seat may know. An
// engine that does not is compared by its states alone.
type framer interface {
	Frame() ants.Frame
	View(seat int) *ants.View
}

// GoldenContest replays every recorded game of golden/contest2011 and compares
// every turn. New food is scripted from the recording, and spawn ties go to
// the hills that it names.
func GoldenContest(t *testing.T, newEngine NewAnts) {
	games, turns := 0, 0
	for _, path := range goldenFiles(t, "contest2011", "g*.json.gz") {
		t.Run(baseName(path), func(t *testing.T) {
			var g contestGame
			readGolden(t, path, &g)
			turns += g.play(t, newEngine)
			games++
		})
	}
	t.Logf("contest2011: %d golden files checked, %d turns", games, turns)
}

// rules are the game's rules with another food source.
func (g *contestGame) rules(t *testing.T, food ants.FoodSource) *ants.Rules {
	t.Helper()
	rules, err := ants.RuleSet("contest2011")
	if err != nil {
		t.Fatal(err)
	}
	rules.Food = food
	rules.MaxTurns = g.Options.Turns
	rules.ViewRadius2, rules.AttackRadius2, rules.GatherRadius2 = g.Options.ViewRadius2, g.Options.AttackRadius2, g.Options.SpawnRadius2
	rules.CutoffPercent = int(g.Options.CutoffPercent*100 + 0.5)
	rules.CutoffTurns = g.Options.CutoffTurn
	return &rules
}

func (g *contestGame) play(t *testing.T, newEngine NewAnts) int {
	t.Helper()
	m, err := ants.ParseMapText([]byte(g.MapText))
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(g.rules(t, ants.FoodScripted), m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(1); err != nil {
		t.Fatal(err)
	}
	start := e.State()
	start.Food = slices.Clone(g.Initial.Food)
	slices.Sort(start.Food)
	if err := e.SetState(start.Append(nil)); err != nil {
		t.Fatal(err)
	}
	var c checker
	c.same("size", [3]int{m.Rows, m.Cols, m.Players}, [3]int{g.Rows, g.Cols, g.Players})
	g.Initial.compare(&c, e, nil)
	c.report(t, 0)
	owed := newOwedFood(t, g, m, newEngine)
	texts := newTextViews(m, g)
	if texts != nil {
		texts.compareStart(&c, e.Rules(), g)
	}
	history := scoreHistory{e.Outcome().Scores}
	for i := range g.Turns {
		want := &g.Turns[i]
		if texts != nil {
			texts.compareTurn(&c, e, want.T, g.Views[i])
		}
		for _, seat := range want.KilledPlayers {
			e.Drop(seat)
		}
		before := e.State()
		orders := want.orders(&c, e, before)
		owed.step(&c, before, orders, want)
		spawns := make([]int32, len(want.Spawned))
		for i, s := range want.Spawned {
			spawns[i] = s[0]
		}
		e.Script(want.NewFood, spawns)
		c.same("done before the turn", e.Outcome().Done, false)
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
		final := (*contestGame)(nil)
		if i == len(g.Turns)-1 {
			final = g
		}
		want.compare(&c, e, final)
		want.compareEvents(&c, e, before)
		history = append(history, e.Outcome().Scores)
		c.report(t, want.T)
	}
	g.compareFinal(&c, e, history)
	c.report(t, len(g.Turns))
	return len(g.Turns)
}

// orders makes the turn's positional orders out of the recorded order lines,
// and checks the verdicts on them.
func (want *contestTurn) orders(c *checker, e ants.Engine, s *ants.State) [][]byte {
	orders := make([][]byte, len(s.Ants))
	for seat := range want.Orders {
		if s.Seats[seat].Out || want.MovesDropped == 1 {
			// Nobody reads these. They go in all the same: a seat that is
			// out must not move, nor must anyone once the game was decided.
			orders[seat], _ = ants.ParseOrderLines(want.Orders[seat].text(), e.Map(), e.Rules(), s.Ants[seat], s.Food)
			continue
		}
		list, lines := ants.ParseOrderLines(want.Orders[seat].text(), e.Map(), e.Rules(), s.Ants[seat], s.Food)
		orders[seat] = list
		got := []contestRejection{}
		for _, l := range lines {
			if l.Verdict != ants.OrderValid {
				got = append(got, contestRejection{l.Index, contestReasons[l.Reason]})
			}
		}
		rejected := []contestRejection{}
		if want.Rejected != nil {
			rejected = slices.Clone(want.Rejected[seat])
		}
		slices.SortFunc(rejected, func(a, b contestRejection) int { return a.order - b.order })
		c.same(fmt.Sprintf("rejected orders of seat %d", seat), got, rejected)
	}
	return orders
}

// compare holds the engine's state to a recorded one. On the last turn of the
// game the engine has paid the last colony alive, which the recording does
// after the turn: final is the game then, else nil.
func (want *contestState) compare(c *checker, e ants.Engine, final *contestGame) {
	s := e.State()
	bonus := final != nil && final.Final.Cutoff == "lone survivor"
	var hills [][2]int32
	var touched []int32
	for _, h := range s.Hills {
		standing := !h.Razed
		if bonus && h.Razed {
			standing = slices.ContainsFunc(want.Hills, func(w [2]int32) bool { return w[0] == h.Cell })
			if standing && final.Final.Alive[h.Owner] == 1 {
				c.same(fmt.Sprintf("hill on cell %d of the last colony alive razed", h.Cell), true, false)
			}
		}
		if standing {
			hills = append(hills, [2]int32{h.Cell, int32(h.Owner)})
		}
	}
	slices.SortFunc(hills, func(a, b [2]int32) int { return int(a[0] - b[0]) })
	for _, hill := range hills {
		i := slices.IndexFunc(s.Hills, func(h ants.Hill) bool { return h.Cell == hill[0] })
		touched = append(touched, s.Hills[i].Touched)
	}
	c.same("standing hills", hills, want.Hills)
	c.same("last touches", touched, want.Touched)
	c.same("food", s.Food, sorted(want.Food))
	for seat := range s.Seats {
		c.same(fmt.Sprintf("ants of seat %d", seat), s.Ants[seat], want.Ants[seat])
		c.same(fmt.Sprintf("hive of seat %d", seat), s.Seats[seat].Hive, want.Hive[seat])
		score := want.Score[seat]
		if final != nil {
			c.same(fmt.Sprintf("recorded score before the bonus of seat %d", seat), score, final.Final.ScoreBeforeBonus[seat])
			score += final.Final.Bonus[seat]
		}
		c.same(fmt.Sprintf("score of seat %d", seat), s.Seats[seat].Score, score)
		alive := 0
		if !s.Seats[seat].Out && len(s.Ants[seat]) > 0 {
			alive = 1
		}
		c.same(fmt.Sprintf("seat %d alive", seat), alive, want.Alive[seat])
		c.same(fmt.Sprintf("visible cells of seat %d", seat), ones(e.Visible(seat)), want.Vis[seat])
		c.same(fmt.Sprintf("known cells of seat %d", seat), ones(s.Seats[seat].Known), want.Rev[seat])
	}
	if want.Cutoff != nil {
		holder := want.Cutoff[0]
		switch holder {
		case contestNobody:
			holder = ants.HolderNone
		case contestFood:
			holder = ants.HolderFood
		}
		c.same("cutoff", ants.CutoffCounter{Holder: s.Holder, Count: s.Count}, ants.CutoffCounter{Holder: holder, Count: want.Cutoff[1]})
	}
}

// compareEvents holds what happened in the turn to the recording: from the
// frame where the engine has one, else as far as two states tell.
func (want *contestTurn) compareEvents(c *checker, e ants.Engine, before *ants.State) {
	after := e.State()
	c.same("turn", after.Turn, want.T)
	f, ok := e.(framer)
	if !ok {
		var spawned [][2]int32
		for i, h := range after.Hills {
			newborn := h.Touched == after.Turn && !hasCell(after.Ants[h.Owner], h.Cell)
			if newborn && h.Touched != before.Hills[i].Touched {
				c.same(fmt.Sprintf("ant on the touched hill %d", i), false, true)
			}
			if slices.Contains(want.Spawned, [2]int32{h.Cell, int32(h.Owner)}) {
				spawned = append(spawned, [2]int32{h.Cell, int32(h.Owner)})
				c.same(fmt.Sprintf("newborn on hill %d", i), hasCell(after.Ants[h.Owner], h.Cell), true)
			}
		}
		c.same("hills of newborns", len(spawned), len(want.Spawned))
		return
	}
	frame := f.Frame()
	dead := []contestDeath{}
	for _, d := range frame.Deaths {
		kind := "b"
		if len(d.Killers) == 0 {
			kind = "c"
		}
		dead = append(dead, contestDeath{d.Cell, int32(d.Owner), kind})
	}
	wantDead := slices.Clone(want.Dead)
	slices.SortFunc(wantDead, func(a, b contestDeath) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.owner, b.owner))
	})
	c.same("deaths", dead, wantDead)
	var razed [][3]int32
	for _, r := range frame.Razed {
		if !r.Bonus {
			razed = append(razed, [3]int32{r.Cell, int32(r.Owner), int32(r.By)})
		}
	}
	c.same("razed", sortedBy(razed, func(r [3]int32) int32 { return r[0] }), sortedBy(want.Razed, func(r [3]int32) int32 { return r[0] }))
	var spawned, gone [][2]int32
	for _, s := range frame.Spawned {
		spawned = append(spawned, [2]int32{s.Cell, int32(s.Owner)})
	}
	for _, g := range frame.Gathered {
		gone = append(gone, [2]int32{g.Cell, int32(g.Owner)})
	}
	first := func(p [2]int32) int32 { return p[0] }
	c.same("spawned", spawned, sortedBy(want.Spawned, first))
	c.same("food gone", gone, sortedBy(want.GoneFood, first))
	c.same("new food", frame.NewFood, sorted(want.NewFood))
}

func (g *contestGame) compareFinal(c *checker, e ants.Engine, history scoreHistory) {
	out := e.Outcome()
	c.same("done", out.Done, true)
	c.same("truncated", out.Truncated, g.Final.Cutoff == "turn limit reached")
	c.same("reason", out.Reason, g.Final.Cutoff)
	c.same("game length", out.Steps, g.Final.GameLength)
	c.same("scores", out.Scores, g.Final.Score)
	ranks := make([]int32, len(g.Final.Rank))
	for seat, r := range g.Final.Rank {
		ranks[seat] = r + 1
	}
	c.same("ranks", out.Ranks, ranks)
	s := e.State()
	for seat, alive := range g.Final.Alive {
		c.same(fmt.Sprintf("seat %d alive at the end", seat), !s.Seats[seat].Out && len(s.Ants[seat]) > 0, alive == 1)
	}
	winning, ranking := history.significantTurns()
	c.same("winning turn", winning, g.Final.WinningTurn)
	c.same("ranking turn", ranking, g.Final.RankingTurn)
}

func sorted(cells []int32) []int32 {
	cells = slices.Clone(cells)
	slices.Sort(cells)
	return cells
}

func sortedBy[T any](list []T, key func(T) int32) []T {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b T) int { return int(key(a) - key(b)) })
	return list
}
