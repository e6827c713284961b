package square

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/ants/policy"
	"github.com/myriant-rl/myriant/env/envtest"
)

// onWaves runs a test with every level of the policies' kernel.
func onWaves(t *testing.T, test func(t *testing.T)) {
	defer func(best waveKernel) { wave = best }(wave)
	for _, wave = range waveLevels {
		t.Run(wave.level, test)
	}
}

// A twin is a board of this engine for each policy, and the reference, which
// the policies' readable forms look at.
type twin struct {
	t     *testing.T
	what  string
	ref   *antsref.Engine
	names []string
	e     *Engine // board i is played by policy i
}

func newTwin(t *testing.T, what string, rules ants.Rules, m *ants.Map) *twin {
	t.Helper()
	ref, err := antsref.New(&rules, m)
	if err != nil {
		t.Fatal(err)
	}
	tw := &twin{t: t, what: what, ref: ref, names: policy.Names()}
	tw.e = newBoards(t, rules, m, tw.names...)
	return tw
}

// newBoards is an engine of a board for each policy, which plays all seats.
func newBoards(t testing.TB, rules ants.Rules, m *ants.Map, policies ...string) *Engine {
	t.Helper()
	cfg := kernel.Config{Rules: rules.JSON(), Maps: []env.Map{m}, Workers: 1}
	for _, name := range policies {
		seats := make([]string, m.Players)
		for s := range seats {
			seats[s] = name
		}
		cfg.MapOf, cfg.Policies = append(cfg.MapOf, 0), append(cfg.Policies, seats)
	}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// compare tells the number of orders compared in the reference's state.
func (tw *twin) compare() (orders int) {
	tw.t.Helper()
	state := tw.ref.State()
	w := &tw.e.workers[0]
	for b, name := range tw.names {
		readable, err := policy.New(name)
		if err != nil {
			tw.t.Fatal(err)
		}
		if err := tw.e.SetState(b, state.Append(nil)); err != nil {
			tw.t.Fatal(err)
		}
		tw.e.game(&w.g, b)
		for seat := range tw.ref.Seats() {
			view := tw.ref.View(seat)
			want := readable.Act(nil, view, policy.Draw(state.Gen.Seed, seat, int(state.Turn)))
			got := tw.e.actNative(w, seat, w.buffer[seat][:0])
			if len(want) != len(view.Mine) {
				tw.t.Fatalf("%s turn %d seat %d: readable %s gives %d orders to %d ants", tw.what, state.Turn, seat, name, len(want), len(view.Mine))
			}
			if !bytes.Equal(got, want) {
				tw.t.Fatalf("%s turn %d seat %d: %s orders\n%v, readable\n%v, view %s", tw.what, state.Turn, seat, name, got, want, view.AppendJSON(nil))
			}
			orders += len(want)
		}
	}
	return orders
}

// TestPoliciesAnywhere compares the orders of both forms of the policies on
// drawn states of drawn boards under drawn rules.
func TestPoliciesAnywhere(t *testing.T) {
	boards := 400
	if testing.Short() {
		boards = 60
	}
	onWaves(t, func(t *testing.T) {
		orders := 0
		for seed := range uint64(boards) {
			choose := envtest.Choices(seed)
			rules, m := envtest.AntsRules(choose), envtest.AntsMap(choose)
			tw := newTwin(t, fmt.Sprintf("seed %d (%dx%d)", seed, m.Rows, m.Cols), rules, m)
			state := envtest.AntsState(choose, &rules, m)
			if err := tw.ref.SetState(state.Append(nil)); err != nil {
				t.Fatal(err)
			}
			orders += tw.compare()
		}
		t.Logf("%d orders on %d boards", orders, boards)
	})
}

// TestPoliciesInPlay compares them along games between all of them.
func TestPoliciesInPlay(t *testing.T) {
	turns := 150
	if testing.Short() {
		turns = 40
	}
	specs := []string{
		"generated:cave:seats=2,hills=2,rows=32,cols=32,seed=1",
		"generated:open:seats=4,hills=2,rows=24,cols=64,seed=2",
		"generated:rooms:seats=3,rows=36,cols=65,seed=3",
		"generated:maze:seats=4,rows=28,cols=124,seed=4",
		"generated:colonnade:seats=3,rows=33,cols=31,seed=5",
	}
	onWaves(t, func(t *testing.T) {
		orders := 0
		for i, spec := range specs {
			o, err := ants.ParseGenerated(spec)
			if err != nil {
				t.Fatal(err)
			}
			m, err := ants.Generate(o)
			if err != nil {
				t.Fatal(err)
			}
			rules, err := ants.RuleSet(ants.RuleSetNames()[i%len(ants.RuleSetNames())])
			if err != nil {
				t.Fatal(err)
			}
			tw := newTwin(t, spec, rules, m)
			if err := tw.ref.Reset(uint64(i)); err != nil {
				t.Fatal(err)
			}
			for turn := 0; turn < turns && !tw.ref.Outcome().Done; turn++ {
				orders += tw.compare()
				step := make([][]byte, m.Players)
				for s := range step {
					p, err := policy.New(tw.names[2+(s+i)%2])
					if err != nil {
						t.Fatal(err)
					}
					step[s] = p.Act(nil, tw.ref.View(s), policy.Draw(uint64(i), s, turn))
				}
				if err := tw.ref.Step(step); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Logf("%d orders", orders)
	})
}
