// What happened in a turn, in words.

package draw

import (
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env/ants"
)

// Events tells a frame's razed hills, deaths, births and gathered food, a line
// each. Births and food are counted by seat.
func Events(m *ants.Map, f *ants.Frame, s Style) []string {
	at := func(c int32) string { return fmt.Sprintf("%d,%d", int(c)/m.Cols, int(c)%m.Cols) }
	var lines []string
	for _, r := range f.Razed {
		how := "razed by "
		if r.Bonus {
			how = "counts as razed by the last colony alive, "
		}
		lines = append(lines, fmt.Sprintf("hill of %s at %s %s%s", Seat(int(r.Owner), s), at(r.Cell), how, Seat(int(r.By), s)))
	}
	for _, d := range f.Deaths {
		how := "in a collision"
		if len(d.Killers) > 0 {
			killers := make([]string, len(d.Killers))
			for i, k := range d.Killers {
				killers[i] = Seat(int(k.Owner), s) + " at " + at(k.Cell)
			}
			how = "killed by " + strings.Join(killers, " and ")
		}
		lines = append(lines, fmt.Sprintf("ant of %s at %s died, %s", Seat(int(d.Owner), s), at(d.Cell), how))
	}
	seats := len(f.Hive)
	born, gathered := make([]int, seats), make([]int, seats)
	for _, b := range f.Spawned {
		born[b.Owner]++
	}
	destroyed := 0
	for _, g := range f.Gathered {
		if g.Owner < 0 {
			destroyed++
		} else {
			gathered[g.Owner]++
		}
	}
	lines = appendCounts(lines, "born", born, s)
	lines = appendCounts(lines, "food gathered", gathered, s)
	if destroyed > 0 {
		lines = append(lines, fmt.Sprintf("food destroyed between colonies: %d", destroyed))
	}
	if len(f.NewFood) > 0 {
		lines = append(lines, fmt.Sprintf("new food: %d", len(f.NewFood)))
	}
	return lines
}

// appendCounts appends a line of the seats' counts that are not 0.
func appendCounts(lines []string, what string, counts []int, s Style) []string {
	var list []string
	for seat, n := range counts {
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %d", Seat(seat, s), n))
		}
	}
	if list == nil {
		return lines
	}
	return append(lines, what+": "+strings.Join(list, ", "))
}
