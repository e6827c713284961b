package draw

import (
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/formica"
)

// colonies is a small board of two colonies with everything that a picture can
// show.
func colonies(t *testing.T) (*formica.Config, *formica.Board, *formica.State) {
	t.Helper()
	c, err := formica.Variant("duel")
	if err != nil {
		t.Fatal(err)
	}
	c.Orbits, c.PatchFood, c.CentreFood, c.StartAnts = [][2]int{{3, 5}, {5, 7}, {6, 12}}, 6, 8, 12
	b, err := c.Board()
	if err != nil {
		t.Fatal(err)
	}
	s := formica.NewState(&c, b, 5)
	s.Tick = 40
	// Nest 1 is that of a dead colony, its ground is nobody's any more.
	dead := &s.Colonies[1]
	dead.Alive, dead.DiedAt, dead.Ants = false, 30, nil
	mine := &s.Colonies[0]
	nest := b.Hexes[mine.Nest]
	for cell, h := range b.Hexes {
		switch d := h.Sub(nest).Length(); {
		case d <= 2:
			s.Owner[cell], s.Stamp[cell] = 0, 40
		case d == 3:
			s.Owner[cell], s.Stamp[cell] = 0, 10 // held no longer
		case h.Sub(b.Hexes[dead.Nest]).Length() <= 1:
			s.Owner[cell], s.Stamp[cell] = 1, 30
		}
	}
	out := b.Cell(nest.Add(formica.Step[2]))
	for i := range mine.Ants {
		switch {
		case i < 2:
			mine.Ants[i].Cell = uint16(out)
		case i == 2:
			mine.Ants[i].Cell = uint16(b.Cell(formica.Hex{}))
		}
	}
	return &c, b, s
}

func TestFormica(t *testing.T) {
	c, b, s := colonies(t)
	p := Formica(c, b, s)
	golden(t, "formica", string(p.Append(nil, Style{}))+p.Legend(0)+"\n")
	golden(t, "formica-color", string(p.Append(nil, Style{Color: true})))
	// Narrower than the board: shrunk, no line longer than there is room.
	for _, width := range []int{44, 30, 20} {
		for line := range strings.Lines(string(p.Append(nil, Style{Width: width}))) {
			if n := len(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("a line of %d characters in %d columns", n, width)
			}
		}
	}
	small := p.Shrink(p.Fit(12, 80))
	golden(t, "formica-small", string(small.Append(nil, Style{}))+small.Legend(40)+"\n")
	if rows, _ := small.Size(); rows > 11 {
		t.Errorf("%d rows where 11 fit", rows)
	}
}

// A view shows what the observation says, and nothing that a seat cannot know.
func TestFormicaView(t *testing.T) {
	c, b, s := colonies(t)
	o := formica.Observe(c, b, s, 0)
	golden(t, "formica-view", string(FormicaView(c, b, o).Append(nil, Style{}))+FormicaView(c, b, o).Legend(0)+"\n")

	// Rivals in sight, their scent, and a nest that was found.
	o.Rivals = []formica.RivalView{{Cell: int32(b.Cell(formica.Hex{Q: 1})), Slot: 1, Raider: true}, {Cell: int32(b.Cell(formica.Hex{Q: 1})), Slot: 1}}
	o.Scent = []formica.CellAmount{{Cell: int32(b.Cell(formica.Hex{R: -1})), Amount: 0}, {Cell: int32(b.Cell(formica.Hex{Q: -1, R: 4})), Amount: 3}}
	o.Nests = []formica.NestView{{Slot: 1, Cell: int32(s.Colonies[1].Nest)}}
	text := string(FormicaView(c, b, o).Append(nil, Style{}))
	for _, want := range []string{"b2", "~3", "B "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the view\n%s", want, text)
		}
	}
	if strings.Contains(text, "~0") {
		t.Errorf("scent of nobody is drawn\n%s", text)
	}
	// Without ants in sight of anything, nothing but the board's outline.
	o = &formica.Observation{Radius: b.Radius, Alive: []bool{false, true}}
	if text := string(FormicaView(c, b, o).Append(nil, Style{})); strings.Count(text, "?") != b.Cells || strings.ContainsAny(text, "abABC.*~") {
		t.Errorf("a dead seat sees\n%s", text)
	}
}
