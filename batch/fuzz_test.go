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

// FuzzTurn plays one turn on boards of all sizes.
func FuzzTurn(f *testing.F) { envtest.FuzzAntsTurn(f, newFast, newReference) }

// FuzzSmallTurn plays one turn on small boards, of which the fuzzer's bytes
// reach every cell.
func FuzzSmallTurn(f *testing.F) {
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
		turn := &envtest.AntsTurn{Rules: envtest.AntsRules(choose), Map: smallMap(choose)}
		turn.State = envtest.AntsState(choose, &turn.Rules, turn.Map)
		turn.Orders = envtest.AntsOrders(choose, turn.State)
		turn.Drop = max(-1, choose(2*turn.Map.Players)-turn.Map.Players)
		turn.Food = []int32{int32(choose(len(turn.Map.Water))), -1}
		got, want := turn.Play(t, newFast), turn.Play(t, newReference)
		if a, b := got.AppendState(nil), want.AppendState(nil); !bytes.Equal(a, b) {
			t.Fatalf("states differ:\n%s\nrules %s\nmap %s\norders %v", envtest.AntsDiff(turn.Map, a, b), turn.Rules.JSON(), turn.Map.CanonicalJSON(), turn.Orders)
		}
		same(t, "outcome", fmt.Sprint(got.Outcome()), fmt.Sprint(want.Outcome()))
		for seat := range turn.Map.Players {
			same(t, fmt.Sprintf("view of seat %d", seat), string(got.AppendView(nil, seat)), string(want.AppendView(nil, seat)))
		}
	})
}
