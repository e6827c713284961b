// One board of a batch as an engine of its own.

package batch_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// onBoth runs a check on a board of a batch and on the reference.
func onBoth(t *testing.T, rules string, m *ants.Map, check func(t *testing.T, e ants.Engine)) {
	t.Helper()
	for name, newEngine := range map[string]func(*ants.Rules, *ants.Map) (ants.Engine, error){"batch": newFast, "reference": newReference} {
		t.Run(name, func(t *testing.T) {
			e, err := newEngine(rulesOf(t, rules), m)
			must(t, err)
			must(t, e.Reset(1))
			check(t, e)
		})
	}
}

// TestScriptIsForgotten: what a step was told holds for the next step of the
// state that it was told about, and no other.
func TestScriptIsForgotten(t *testing.T) {
	onBoth(t, `{"name":"ladder","food":"scripted"}`, surrounded(), func(t *testing.T, e ants.Engine) {
		food := []int32{40}
		state := e.AppendState(nil)
		for what, forget := range map[string]func() error{
			"a reset":    func() error { return e.Reset(2) },
			"a state":    func() error { return e.SetState(state) },
			"a step":     func() error { return e.Step(nil) },
			"an old one": func() error { e.Script(nil, nil); return nil },
		} {
			must(t, e.Reset(1))
			e.Script(food, nil)
			must(t, forget())
			must(t, e.SetState(state))
			must(t, e.Step(nil))
			if left := e.State().Food; len(left) != 0 {
				t.Errorf("food %v was scripted before %s", left, what)
			}
		}
		must(t, e.Reset(1))
		e.Script(food, nil)
		if err := e.SetState(nil); !errors.Is(err, env.ErrState) {
			t.Errorf("no bytes gave %v", err)
		}
		must(t, e.Step(nil))
		if got := e.State().Food; len(got) != 1 || got[0] != food[0] {
			t.Errorf("a refused state cost the script: food %v, want %v", got, food)
		}
	})
}

// TestAfterTheEnd: nothing is read any more once the episode is over.
func TestAfterTheEnd(t *testing.T) {
	onBoth(t, `{"name":"ladder","max_turns":1}`, surrounded(), func(t *testing.T, e ants.Engine) {
		must(t, e.Step(nil))
		before := e.AppendState(nil)
		e.Drop(0)
		for _, orders := range [][][]byte{nil, {{9}}, {nil, nil, nil}} {
			if err := e.Step(orders); err != nil {
				t.Errorf("orders %v gave %v", orders, err)
			}
		}
		same(t, "the state stays", bytes.Equal(e.AppendState(nil), before), true)
	})
}

// TestDropOfNobody: a seat that does not exist is the caller's bug.
func TestDropOfNobody(t *testing.T) {
	onBoth(t, "ladder", surrounded(), func(t *testing.T, e ants.Engine) {
		for _, seat := range []int{-1, 2} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("seat %d was taken out", seat)
					}
				}()
				e.Drop(seat)
			}()
		}
	})
}

// TestView: a board's view says what the reference's does, the parts that the
// JSON view leaves out too.
func TestView(t *testing.T) {
	for _, rules := range ants.RuleSetNames() {
		b := newBatch(t, batch.Config{Rules: rules, Boards: 7, Maps: mixedMaps(t)})
		must(t, b.Reset(1))
		scatter(t, b, 1)
		for i := range 7 {
			ref := reference(t, b, i)
			for seat := range ref.Seats() {
				e := b.Board(i).(interface{ View(seat int) *ants.View })
				if diff := cmp.Diff(ref.View(seat), e.View(seat)); diff != "" {
					t.Fatalf("%s: board %d seat %d (-reference +batch):\n%s", rules, i, seat, diff)
				}
			}
		}
	}
}
