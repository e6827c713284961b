package envtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// A scoreHistory is the scores after each turn, from turn 0.
type scoreHistory [][]int32

// significantTurns are the turns, from 1, since which the same seats have been
// ahead of all others, and since which every rank has been as it is.
func (h scoreHistory) significantTurns() (winning, ranking int) {
	ranks := func(scores []int32) []int {
		out := make([]int, len(scores))
		for i, s := range scores {
			for _, other := range scores {
				if other > s {
					out[i]++
				}
			}
		}
		return out
	}
	winners := func(scores []int32) []int {
		var out []int
		for i, s := range scores {
			if s == slices.Max(scores) {
				out = append(out, i)
			}
		}
		return out
	}
	since := func(of func([]int32) []int) int {
		turn := len(h) - 1
		for turn > 1 && slices.Equal(of(h[turn-1]), of(h[len(h)-1])) {
			turn--
		}
		return turn
	}
	return since(winners), since(ranks)
}

// An owedFood checks the food accumulator of a recorded game. The order of the
// recording's sets cannot be reproduced, so what is owed is played turn by
// turn from the recorded accumulator. Where all sets have one size that gives
// one answer, which the engine's own accumulator must give too; where sizes
// differ, only what any order would give is checked.
type owedFood struct {
	m        *ants.Map
	e        ants.Engine // nil where the sets differ in size
	num, den int64       // the accumulator after the turn before
	rate     int32
	period   int32
	largest  int64
}

func newOwedFood(t *testing.T, g *contestGame, m *ants.Map, newEngine NewAnts) *owedFood {
	t.Helper()
	o := &owedFood{m: m, num: g.Initial.Fx[0], den: g.Initial.Fx[1], rate: g.Options.FoodRate, period: g.Options.FoodTurn}
	if g.Options.Food == "none" {
		return o
	}
	rules := g.rules(t, ants.FoodSetsOverWater)
	sets := m.FoodSets(rules)
	if sets.Len() == 0 {
		t.Fatal("the recorded game has food sets, the map has none")
	}
	smallest := int64(m.Rows * m.Cols)
	for i := range sets.Len() {
		n := int64(len(sets.Set(i)))
		o.largest, smallest = max(o.largest, n), min(smallest, n)
	}
	if smallest < o.largest {
		return o
	}
	e, err := newEngine(rules, m)
	if err != nil {
		t.Fatal(err)
	}
	o.e = e
	return o
}

// extra is an accumulator in units of 1/period food.
func (o *owedFood) extra(c *checker, num, den int64) int64 {
	c.same(fmt.Sprintf("accumulator %d/%d in units of 1/%d", num, den, o.period), num*int64(o.period)%den, 0)
	return num * int64(o.period) / den
}

// step checks the turn that starts from a state.
func (o *owedFood) step(c *checker, before *ants.State, orders [][]byte, want *contestTurn) {
	was, is := o.extra(c, o.num, o.den), o.extra(c, want.Fx[0], want.Fx[1])
	o.num, o.den = want.Fx[0], want.Fx[1]
	charged := was + int64(o.rate)*int64(o.m.Players) - is
	if o.largest == 0 {
		c.same("food charged without sets", charged, 0)
		return
	}
	c.same("food charged is a whole number", charged >= 0 && charged%int64(o.period) == 0, true)
	c.same("food owed is less than the largest set", is < o.largest*int64(o.period), true)
	if o.e == nil {
		return
	}
	s := before.Clone()
	s.Gen = ants.Generator{Seed: 1, Rate: o.rate, Period: o.period, Extra: was}
	if err := o.e.SetState(s.Append(nil)); err != nil {
		c.same("state with the recorded accumulator", err, nil)
		return
	}
	if err := o.e.Step(orders); err != nil {
		c.same("step from the recorded accumulator", err, nil)
		return
	}
	c.same("accumulator", o.e.State().Gen.Extra, is)
}

// A textViews checks the texts that were sent to the players.
type textViews struct {
	m     *ants.Map
	views []*ants.TextView
}

// newTextViews is nil for a game recorded without texts.
func newTextViews(m *ants.Map, g *contestGame) *textViews {
	if g.Start == nil {
		return nil
	}
	v := &textViews{m: m}
	for range m.Players {
		v.views = append(v.views, ants.NewTextView(m))
	}
	return v
}

func (v *textViews) compareStart(c *checker, rules *ants.Rules, g *contestGame) {
	for seat, want := range g.Start {
		o := &g.Options
		got := v.views[seat].AppendStart(nil, v.m, rules, o.LoadTime, o.TurnTime, o.PlayerSeed)
		sameText(c, fmt.Sprintf("start text of seat %d", seat), string(got), *want)
	}
}

// compareTurn checks what was sent before the orders of a turn. Who is not
// alive is sent nothing.
func (v *textViews) compareTurn(c *checker, e ants.Engine, turn int, texts []*string) {
	f, ok := e.(framer)
	if !ok {
		return
	}
	for seat, want := range texts {
		s := e.State()
		if alive := !s.Seats[seat].Out && len(s.Ants[seat]) > 0; !alive || want == nil {
			c.same(fmt.Sprintf("seat %d is sent a text", seat), want != nil, alive)
			continue
		}
		got := v.views[seat].AppendTurn(nil, turn, f.View(seat), seat, f.Frame().Deaths)
		sameText(c, fmt.Sprintf("text to seat %d", seat), string(got), *want)
	}
}

// sameText notes the first line that differs between two texts.
func sameText(c *checker, what, got, want string) {
	if got == want {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			c.diffs = append(c.diffs, fmt.Sprintf("%s: line %d is %q, want %q", what, i+1, x, y))
			return
		}
	}
}
