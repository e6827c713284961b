package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// A tally is how a policy did against another.
type tally struct{ won, drawn, lost, score, against int }

func (t tally) games() int { return t.won + t.drawn + t.lost }

// points is the share of the points: 1 a win, 1/2 a draw, in percent.
func (t tally) points() int { return (200*t.won + 100*t.drawn) / (2 * t.games()) }

// TestEachBeatsTheOneBefore plays all pairs on boards of two seats, both ways
// round on every seed, and prints the crosstable.
func TestEachBeatsTheOneBefore(t *testing.T) {
	specs, seeds := []string{"tiny-2p", "generated:cave:seats=2,rows=24,cols=24,seed=2"}, 2
	if !testing.Short() {
		specs = append(specs, "open-32x32-2p", "codeclash-32x32", "generated:maze:seats=2,rows=32,cols=32,seed=4",
			"generated:rooms:seats=2,hills=2,rows=36,cols=40,seed=5")
		seeds = 5
	}
	names := policy.Names()
	table := make([][]tally, len(names))
	for b := range names {
		table[b] = make([]tally, len(names))
		for a := range b {
			for _, spec := range specs {
				m := boardOf(t, spec)
				for game := range 2 * seeds {
					table[b][a].add(play(t, m, uint64(game/2), []string{names[a], names[b]}, game%2 == 1))
				}
			}
		}
	}
	t.Logf("points of the row against the column, in percent\n%s", crosstable(names, table))
	for b := 1; b < len(names); b++ {
		if got := table[b][b-1]; got.points() < 75 || got.score <= got.against {
			t.Errorf("%s against %s: %+v, %d%% of the points, want 75%%", names[b], names[b-1], got, got.points())
		}
		for a := range b - 1 {
			if got := table[b][a]; got.points() < 90 {
				t.Errorf("%s against %s: %+v, %d%% of the points, want 90%%", names[b], names[a], got, got.points())
			}
		}
	}
}

func (t *tally) add(a, b int32) {
	t.score, t.against = t.score+int(b), t.against+int(a)
	switch {
	case b > a:
		t.won++
	case b < a:
		t.lost++
	default:
		t.drawn++
	}
}

// play is the scores of two policies, whose seats are swapped if asked.
func play(t *testing.T, m *ants.Map, seed uint64, names []string, swapped bool) (a, b int32) {
	t.Helper()
	if swapped {
		names = []string{names[1], names[0]}
	}
	rules, err := ants.RuleSet("ladder")
	if err != nil {
		t.Fatal(err)
	}
	e, err := antsref.New(&rules, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(seed); err != nil {
		t.Fatal(err)
	}
	players := make([]policy.Policy, len(names))
	for s, name := range names {
		if players[s], err = policy.New(name); err != nil {
			t.Fatal(err)
		}
	}
	orders := make([][]byte, len(names))
	for turn := 0; !e.Outcome().Done; turn++ {
		for s, p := range players {
			orders[s] = p.Act(orders[s][:0], e.View(s), policy.Draw(seed, s, turn))
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
	}
	scores := e.Outcome().Scores
	if swapped {
		return scores[1], scores[0]
	}
	return scores[0], scores[1]
}

func boardOf(t *testing.T, spec string) *ants.Map {
	t.Helper()
	if !strings.HasPrefix(spec, ants.GeneratedPrefix) {
		m, err := ants.BundledMap(spec)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	o, err := ants.ParseGenerated(spec)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ants.Generate(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func crosstable(names []string, table [][]tally) string {
	var b strings.Builder
	for r := 1; r < len(names); r++ {
		fmt.Fprintf(&b, "%-8s", names[r])
		for c := range r {
			g := table[r][c]
			fmt.Fprintf(&b, "  %s %d%% (%d-%d-%d, score %.2f to %.2f)", names[c], g.points(), g.won, g.drawn, g.lost,
				float64(g.score)/float64(g.games()), float64(g.against)/float64(g.games()))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
