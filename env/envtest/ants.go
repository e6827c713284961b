package envtest

import (
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// Ants makes an implementation of Ants to be held to a reference, on boards
// drawn from a seed: odd, prime and tiny sizes, one and several words wide,
// 2 to 10 seats, with and without symmetry, under all rule sets and mixtures
// of them, played at random and with intent, from the start and from the
// middle of things.
func Ants(name string, newEngine, newReference NewAnts, seed uint64, boards, steps int) Implementation {
	impl := Implementation{Name: name, New: byName(newEngine), Reference: byName(newReference), Diff: AntsDiff}
	for i := range boards {
		impl.Cases = append(impl.Cases, AntsCase(env.Derive(seed, uint64(i)), steps))
	}
	return impl
}

func byName(newEngine NewAnts) NewEngine {
	return func(text string, m env.Map) (env.Engine, error) {
		rules, err := ants.ParseRules(text)
		if err != nil {
			return nil, err
		}
		return newEngine(&rules, m.(*ants.Map))
	}
}

// AntsCase draws one board and how it is played.
func AntsCase(seed uint64, steps int) Case {
	choose := Choices(seed)
	rules := AntsRules(choose)
	m := AntsMap(choose)
	play := pick(choose, playRandom, playIntent, playIntent)
	c := Case{
		Rules: rules.JSON(), Map: m, Seed: seed, Steps: steps,
		Orders: func(choose Chooser, ref env.Engine) [][]byte {
			return spoilLengths(choose, play(choose, m, ref.(ants.Engine).State()))
		},
		Bad: badOrders,
		Before: func(choose Chooser, e env.Engine) {
			beforeStep(choose, &rules, m, e.(ants.Engine))
		},
	}
	start := "start"
	if choose.one(2) {
		start = "midgame"
		c.Start = func(choose Chooser, _ env.Engine) []byte { return AntsState(choose, &rules, m).Append(nil) }
	}
	c.Name = fmt.Sprintf("%s-%dx%d-%dp-%s-%d", rules.Name, m.Rows, m.Cols, m.Players, start, seed)
	return c
}

// AntsRules draws a named rule set, or one with some fields changed.
func AntsRules(choose Chooser) ants.Rules {
	rules, err := ants.RuleSet(pick(choose, ants.RuleSetNames()...))
	if err != nil {
		panic(err)
	}
	if choose.one(3) {
		rules.MaxTurns = 1 + choose(60)
	}
	if choose.one(3) {
		rules.CutoffTurns = 1 + choose(20)
		rules.CutoffPercent = pick(choose, 85, 40, 100, 1)
	}
	if choose.one(4) {
		rules.ViewRadius2 = pick(choose, 0, 1, 5, 20, 55, 78, 100, 200)
		rules.AttackRadius2 = pick(choose, 0, 1, 2, 4, 6, 9, 17, 25)
		rules.GatherRadius2 = pick(choose, 0, 1, 2, 4, 5, 9)
	}
	if choose.one(4) {
		rules.FoodBlocks = choose.one(2)
		rules.GatherFirst = choose.one(2)
		rules.HillTie = pick(choose, ants.TieListed, ants.TieRandom)
		rules.Food = pick(choose, ants.FoodSets, ants.FoodSetsOverWater, ants.FoodTopUp, ants.FoodScripted, ants.FoodNone)
		rules.Dropout = pick(choose, ants.DropoutHold, ants.DropoutOut)
	}
	return rules
}

// beforeStep scripts food and ties, and takes seats out, now and then.
func beforeStep(choose Chooser, rules *ants.Rules, m *ants.Map, e ants.Engine) {
	if choose.one(3) && (rules.Food == ants.FoodScripted || choose.one(4)) {
		food := make([]int32, choose(6))
		for i := range food {
			food[i] = int32(choose(m.Rows * m.Cols))
		}
		var spawns []int32
		if len(m.Hills) > 0 && choose.one(2) {
			spawns = append(spawns, m.Hills[choose(len(m.Hills))].Cell)
		}
		e.Script(food, spawns)
	}
	if choose.one(25) {
		e.Drop(choose(m.Players))
	}
}

// badOrders gives one ant an action that does not exist.
func badOrders(choose Chooser, ref env.Engine) [][]byte {
	s := ref.(ants.Engine).State()
	orders := make([][]byte, len(s.Ants))
	for seat, cells := range s.Ants {
		orders[seat] = make([]byte, len(cells))
		if len(cells) > 0 && !s.Seats[seat].Out {
			orders[seat][choose(len(cells))] = byte(int(ants.NumActions) + choose(256-int(ants.NumActions)))
			return orders
		}
	}
	return nil
}

// spoilLengths drops seats, drops the last orders of seats and adds surplus
// ones, which is all legal.
func spoilLengths(choose Chooser, orders [][]byte) [][]byte {
	if choose.one(8) {
		orders = orders[:choose(len(orders)+1)]
	}
	for seat := range orders {
		switch choose(12) {
		case 0:
			orders[seat] = orders[seat][:choose(len(orders[seat])+1)]
		case 1:
			orders[seat] = append(orders[seat], byte(choose(256)), byte(choose(256)))
		}
	}
	return orders
}

// AntsDiff lists the fields in which two states differ.
func AntsDiff(m env.Map, got, want []byte) string {
	board := m.(*ants.Map)
	g, err := ants.DecodeState(got, board)
	if err != nil {
		return fmt.Sprintf("  the engine's state does not decode: %v", err)
	}
	w, err := ants.DecodeState(want, board)
	if err != nil {
		return fmt.Sprintf("  the reference's state does not decode: %v", err)
	}
	var c checker
	c.same("turn", g.Turn, w.Turn)
	for seat := range w.Ants {
		c.same(fmt.Sprintf("ants of seat %d", seat), onlyIn(g.Ants[seat], w.Ants[seat]), onlyIn(w.Ants[seat], g.Ants[seat]))
	}
	c.same("food", onlyIn(g.Food, w.Food), onlyIn(w.Food, g.Food))
	for i := range w.Hills {
		c.same(fmt.Sprintf("hill %d", i), fmt.Sprintf("%+v", g.Hills[i]), fmt.Sprintf("%+v", w.Hills[i]))
	}
	for i := range w.Seats {
		a, b := g.Seats[i], w.Seats[i]
		c.same(fmt.Sprintf("known cells of seat %d", i), onlyIn(cellsIn(a.Known), cellsIn(b.Known)), onlyIn(cellsIn(b.Known), cellsIn(a.Known)))
		a.Known, b.Known = nil, nil
		c.same(fmt.Sprintf("seat %d", i), fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b))
	}
	c.same("cutoff", ants.CutoffCounter{Holder: g.Holder, Count: g.Count}, ants.CutoffCounter{Holder: w.Holder, Count: w.Count})
	c.same("generator", fmt.Sprintf("%+v", g.Gen), fmt.Sprintf("%+v", w.Gen))
	c.same("ending", g.Ending, w.Ending)
	return "  " + strings.Join(c.diffs, "\n  ")
}

// onlyIn lists the cells of a that are not in b.
func onlyIn(a, b []int32) []int32 {
	only := []int32{}
	for _, cell := range a {
		if !hasCell(b, cell) {
			only = append(only, cell)
		}
	}
	return only
}

func cellsIn(words []uint64) []int32 {
	var cells []int32
	for cell := range int32(64 * len(words)) {
		if words[cell/64]>>(cell%64)&1 == 1 {
			cells = append(cells, cell)
		}
	}
	return cells
}
