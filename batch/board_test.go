// One board of a batch as an engine of its own.

package batch_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// TestSetState: a state that the rules cannot go on from, or that the board
// has no room for, is refused whole.
func TestSetState(t *testing.T) {
	m := bundled(t, "tiny-2p")
	b := newBatch(t, batch.Config{Rules: `{"name":"ladder","max_turns":30}`, Boards: 2, Maps: []env.Map{m}})
	must(t, b.Reset(1))
	e := engineOf(b, 0)
	rules := e.Rules()
	before := e.AppendState(nil)
	sets := m.FoodSets(rules)
	crowd := func(n int) []int32 { return make([]int32, n) }
	for what, change := range map[string]func(s *ants.State){
		"an ending that does not exist": func(s *ants.State) { s.Ending = 7 },
		"a cursor past the sets":        func(s *ants.State) { s.Gen.Cursor = int32(sets.Len()) },
		"a debt that is overdue":        func(s *ants.State) { s.Gen.Extra = 2 * int64(s.Gen.Period) },
		"a full queue":                  func(s *ants.State) { s.Gen.Pending = crowd(20_000) },
		"a full queue without a rate":   func(s *ants.State) { s.Gen = ants.Generator{Pending: crowd(20_000)} },
		"an ant on water": func(s *ants.State) {
			for cell, wet := range m.Water {
				if wet {
					s.Ants[0] = []int32{int32(cell)}
				}
			}
		},
	} {
		s := e.State()
		change(s)
		if err := e.SetState(s.Append(nil)); !errors.Is(err, env.ErrState) {
			t.Errorf("%s gave %v", what, err)
		}
		same(t, what+": the state stays", bytes.Equal(e.AppendState(nil), before), true)
	}
	// As full as the queue may be, at the last turn and past it.
	for _, turn := range []int32{0, 15, 29, 30, 31, 1000} {
		for n := 0; ; n++ {
			s := e.State()
			s.Turn, s.Gen.Pending = turn, crowd(n)
			s.Gen.Rate, s.Gen.Period, s.Gen.Extra = 11, 19, 2*19-1
			for i := range s.Gen.Pending {
				s.Gen.Pending[i] = m.Hills[0].Cell // never free
			}
			if err := e.SetState(s.Append(nil)); err != nil {
				if n == 0 {
					t.Errorf("turn %d: %v", turn, err)
				}
				break
			}
			for !e.Outcome().Done {
				must(t, e.Step(nil))
			}
			must(t, e.SetState(before))
		}
	}
}
