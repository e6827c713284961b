package draw

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
)

var update = flag.Bool("update", false, "write the drawings in testdata again")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// board is a scenario with everything that a map can show.
const board = `rows 11
cols 24
players 2
m ........................
m .A..b...........%%%.....
m .....*..........%%%.....
m ....a...................
m ..b.....................
m ......................0.
m ...........%............
m .............B..........
m ........................
m ......*...............1.
m ........................
`

func parse(t *testing.T, text string) *ants.Map {
	t.Helper()
	m, err := ants.ParseMapText([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMap(t *testing.T) {
	p := Map(parse(t, board))
	golden(t, "map", string(p.Append(nil, Style{}))+p.Legend(0)+"\n")
	golden(t, "map-narrow", string(p.Append(nil, Style{Width: 18}))+p.Legend(18)+"\n")
	golden(t, "map-color", string(p.Append(nil, Style{Color: true})))
	golden(t, "map-half", string(p.Shrink(2).Append(nil, Style{}))+p.Shrink(2).Legend(0)+"\n")
}

// TestMapIsItsText: without coordinates the drawing is the map's text form.
func TestMapIsItsText(t *testing.T) {
	m := parse(t, board)
	var rows []string
	for line := range strings.Lines(string(Map(m).Append(nil, Style{}))) {
		rows = append(rows, strings.TrimSuffix(line[gutter:], "\n"))
	}
	var want []string
	for line := range strings.Lines(string(m.AppendText(nil))) {
		if cells, ok := strings.CutPrefix(line, "m "); ok {
			want = append(want, strings.TrimSuffix(cells, "\n"))
		}
	}
	if diff := cmp.Diff(want, rows[1:]); diff != "" {
		t.Errorf("(-text +drawing):\n%s", diff)
	}
}

// play starts the scenario with the map's ants and food on the reference.
func play(t *testing.T, m *ants.Map) *antsref.Engine {
	t.Helper()
	rules, err := ants.ParseRules(`{"food":"none","view_radius2":9}`)
	if err != nil {
		t.Fatal(err)
	}
	e, err := antsref.New(&rules, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(1); err != nil {
		t.Fatal(err)
	}
	s := e.State()
	s.Ants = make([][]int32, m.Players)
	for _, a := range m.Ants {
		s.Ants[a.Owner] = append(s.Ants[a.Owner], a.Cell)
	}
	s.Food = m.Food
	if err := e.SetState(s.Append(nil)); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestFrame(t *testing.T) {
	m := parse(t, `rows 9
cols 20
players 2
m ....................
m .A........b.b..*....
m .................%..
m .......a.a..........
m ..................0b
m ......b.............
m ................B...
m .......a1...........
m ............b.......
`)
	e := play(t, m)
	golden(t, "state", string(State(m, e.State()).Append(nil, Style{})))
	// Two of b collide at 1,11; a razes the hill at 7,8 and b the one at 4,18;
	// two of a kill the b that comes near them.
	a := []byte{ants.Stay, ants.Stay, ants.West, ants.East}
	b := []byte{ants.East, ants.West, ants.West, ants.North, ants.Stay, ants.East}
	if err := e.Step([][]byte{a, b}); err != nil {
		t.Fatal(err)
	}
	f := e.Frame()
	text := func(p *Picture) string {
		return string(p.Append(nil, Style{})) + p.Legend(40) + "\n" + strings.Join(Events(m, &f, Style{}), "\n") + "\n"
	}
	golden(t, "frame", text(Frame(m, &f)))
	golden(t, "view-b", text(View(e.View(1), 1, f.Deaths)))
	if err := e.Step([][]byte{{ants.South, ants.Stay, ants.Stay, ants.East}, {ants.West, ants.East}}); err != nil {
		t.Fatal(err)
	}
	after := State(m, e.State())
	golden(t, "state-after", string(after.Append(nil, Style{}))+after.Legend(0)+"\n")
}

func TestFit(t *testing.T) {
	p := newPicture(124, 90)
	for _, c := range []struct{ rows, cols, want int }{{125, 94, 1}, {124, 94, 2}, {125, 93, 2}, {25, 80, 6}, {0, 0, 124}, {-3, -3, 124}} {
		if got := p.Fit(c.rows, c.cols); got != c.want {
			t.Errorf("Fit(%d, %d) = %d, want %d", c.rows, c.cols, got, c.want)
		}
	}
	for k := range 5 {
		rows, cols := p.Shrink(k).Size()
		if k = max(k, 1); rows != (124+k-1)/k || cols != (90+k-1)/k {
			t.Errorf("Shrink(%d) is %dx%d", k, rows, cols)
		}
	}
}
