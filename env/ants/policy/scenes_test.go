package policy_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

var update = flag.Bool("update", false, "write the orders of testdata/scenes.txt")

// TestScenes reads testdata/scenes.txt: what policies order in drawn views.
// A scene is a title after "#", a drawing, and lines "policy draw: orders",
// an N, E, S, W or - for each own ant in row-major order.
//
//	.  land   %  water   *  food   ,  land seen before   ?  never seen
//	a  own ant   b..j  ant of another seat   0..9  standing hill of a seat
//	A..J  ant on its own standing hill
func TestScenes(t *testing.T) {
	const path = "testdata/scenes.txt"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var title string
	var rows []string
	lines := 0
	for n, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
			rows = nil
		case fields[0] == "#":
			title = line
		case strings.Contains(line, ":"):
			head, want, _ := strings.Cut(line, ":")
			name, number, _ := strings.Cut(head, " ")
			p, err := policy.New(name)
			if err != nil {
				t.Fatalf("line %d: %v", n+1, err)
			}
			draw, err := strconv.ParseUint(number, 10, 64)
			if err != nil {
				t.Fatalf("line %d: %v", n+1, err)
			}
			var got strings.Builder
			for _, a := range p.Act(nil, drawn(t, rows), draw) {
				got.WriteByte(ants.ActionChars[a])
			}
			if want = strings.TrimSpace(want); got.String() != want && !*update {
				t.Errorf("line %d, %s: %s orders %s, want %s", n+1, title, head, got.String(), want)
			}
			line = fmt.Sprintf("%s: %s", head, got.String())
			lines++
		default:
			rows = append(rows, line)
		}
		fmt.Fprintln(&out, line)
	}
	if lines == 0 {
		t.Fatalf("no scene in %s", path)
	}
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// drawn is the view that a drawing shows.
func drawn(t *testing.T, rows []string) *ants.View {
	t.Helper()
	v := &ants.View{Rows: len(rows), Cols: len(rows[0]), Seats: ants.MaxSeats, FoodBlocks: true}
	for r, row := range rows {
		if len(row) != v.Cols {
			t.Fatalf("drawing row %q is not %d cells", row, v.Cols)
		}
		for c, x := range []byte(row) {
			cell := int32(r*v.Cols + c)
			v.Water = append(v.Water, x == '%')
			v.Visible = append(v.Visible, x != '?' && x != ',')
			v.Seen = append(v.Seen, x != '?')
			ant, hill := -1, -1
			switch {
			case x == '*':
				v.Food = append(v.Food, cell)
			case x >= 'a' && x <= 'j':
				ant = int(x - 'a')
			case x >= 'A' && x <= 'J':
				ant, hill = int(x-'A'), int(x-'A')
			case x >= '0' && x <= '9':
				hill = int(x - '0')
			case !strings.ContainsRune(".%,?", rune(x)):
				t.Fatalf("drawing has a %q", x)
			}
			if ant == 0 {
				v.Mine = append(v.Mine, cell)
			} else if ant > 0 {
				v.Foes = append(v.Foes, ants.Spot{Cell: cell, Owner: uint8(ant)})
			}
			if hill >= 0 {
				v.Hills = append(v.Hills, ants.Spot{Cell: cell, Owner: uint8(hill)})
			}
		}
	}
	return v
}
