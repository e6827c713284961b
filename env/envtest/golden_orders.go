package envtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// GoldenOrderLines checks the verdicts of golden/contest2011/order_lines.json
// on order lines, each case on the same scenario board.
func GoldenOrderLines(t *testing.T) {
	var file struct {
		MapText string `json:"map_text"`
		Player  int
		Cases   []struct {
			Lines, Valid, Ignored, Invalid []string
			Orders                         []orderVector
		}
	}
	readGolden(t, goldenFiles(t, "contest2011", "order_lines.json")[0], &file)
	m, err := ants.ParseMapText([]byte(file.MapText))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ants.RuleSet("contest2011")
	if err != nil {
		t.Fatal(err)
	}
	var mine []int32
	for _, a := range m.Ants {
		if int(a.Owner) == file.Player {
			mine = append(mine, a.Cell)
		}
	}
	for i, want := range file.Cases {
		var c checker
		actions, lines := ants.ParseOrderLines(strings.Join(want.Lines, "\n"), m, &rules, sorted(mine), sorted(m.Food))
		got := map[ants.Verdict][]string{}
		for _, l := range lines {
			got[l.Verdict] = append(got[l.Verdict], l.String())
		}
		c.same("valid", quoted(got[ants.OrderValid]), quoted(want.Valid))
		c.same("ignored", quoted(got[ants.OrderIgnored]), quoted(want.Ignored))
		c.same("invalid", quoted(got[ants.OrderInvalid]), quoted(want.Invalid))
		wantActions := make([]ants.Action, len(mine))
		for i, cell := range sorted(mine) {
			wantActions[i] = ants.Stay
			for _, o := range want.Orders {
				if cellOf(m, rc{o.row, o.col}) == cell {
					wantActions[i] = actionsOf(strings.ToUpper(o.dir))[0]
				}
			}
		}
		c.same("actions", actions, wantActions)
		if len(c.diffs) > 0 {
			t.Errorf("case %d, lines %q:\n  %s", i, want.Lines, strings.Join(c.diffs, "\n  "))
		}
	}
	t.Logf("order lines: 1 file, %d cases checked", len(file.Cases))
}

// An orderVector is [r, c, direction].
type orderVector struct {
	row, col int
	dir      string
}

func (o *orderVector) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &o.row, &o.col, &o.dir)
}

func quoted(lines []string) string { return fmt.Sprintf("%q", lines) }
