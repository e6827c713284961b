// One turn from anywhere: the batch engine and the reference from the same
// state under the same orders.

package batch_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/envtest"
)

// smallMap draws a board of up to 9 rows and 70 columns with water, hills and
// food anywhere.
func smallMap(choose envtest.Chooser) *ants.Map {
	rows, cols := 1+choose(9), 1+choose(12)
	if choose(4) == 0 {
		cols = 60 + choose(11)
	}
	players := ants.MinSeats + choose(4)
	m := &ants.Map{Name: "small", Rows: rows, Cols: cols, Players: players, Water: make([]bool, rows*cols)}
	wet, hills, food := choose(8), choose(4), choose(4)
	for cell := range m.Water {
		switch x := choose(32); {
		case x < wet:
			m.Water[cell] = true
		case x < wet+hills:
			m.Hills = append(m.Hills, ants.Spot{Cell: int32(cell), Owner: uint8(choose(players))})
		case x < wet+hills+food:
			m.Food = append(m.Food, int32(cell))
		}
	}
	if len(m.Hills) > ants.MaxHills {
		m.Hills = m.Hills[:ants.MaxHills]
	}
	m.FoodTarget = choose(1 + len(m.Water))
	return m
}

// FuzzTurn plays one turn of a state that is built from the fuzzer's bytes.
func FuzzTurn(f *testing.F) {
	for seed := range 40 {
		rng := env.RNG(seed)
		data := make([]byte, 64<<(seed%7))
		for i := range data {
			data[i] = byte(rng.Next())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		choose := envtest.ChoicesFrom(data)
		rules, m := envtest.AntsRules(choose), smallMap(choose)
		state := envtest.AntsState(choose, &rules, m)
		orders := envtest.AntsOrders(choose, state)
		drop := choose(2*m.Players) - m.Players
		food := []int32{int32(choose(m.Rows * m.Cols)), -1}
		var spawns []int32
		if len(m.Hills) > 0 {
			spawns = []int32{m.Hills[choose(len(m.Hills))].Cell}
		}
		var after [2][]byte
		var seen [2]string
		for i, newEngine := range []envtest.NewAnts{newFast, newReference} {
			e, err := newEngine(&rules, m)
			must(t, err)
			must(t, e.SetState(state.Append(nil)))
			e.Script(food, spawns)
			if drop >= 0 {
				e.Drop(drop)
			}
			must(t, e.Step(orders))
			after[i] = e.AppendState(nil)
			seen[i] = fmt.Sprintf("%+v\n", e.Outcome())
			for seat := range m.Players {
				seen[i] += string(e.AppendView(nil, seat)) + "\n"
			}
		}
		if !bytes.Equal(after[0], after[1]) {
			t.Fatalf("states differ:\n%s\nrules %s\nmap %s\norders %v", envtest.AntsDiff(m, after[0], after[1]), rules.JSON(), m.CanonicalJSON(), orders)
		}
		if seen[0] != seen[1] {
			t.Fatalf("outcomes or views differ:\n%s\nwant\n%s", seen[0], seen[1])
		}
	})
}
