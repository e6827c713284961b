// What the characters mean.

package draw

import "strings"

// An entry of a legend: what it explains, and how.
type entry struct {
	kind kind
	text string
}

// Legend explains the characters that the picture shows, in entries that are
// joined by two spaces and broken to lines of at most width (0: one line).
func (p *Picture) Legend(width int) string {
	var shown [kinds + 1]bool
	var seats [256]bool
	top := 0
	for _, t := range p.cells {
		shown[t.kind] = true
		if t.kind >= hill || t.kind == held {
			seats[t.seat] = true
			top = max(top, int(t.seat))
		}
	}
	span := func(first byte) string {
		from := 0
		for !seats[from] && from < top {
			from++
		}
		if from == top {
			return string(first + byte(top))
		}
		return string(first+byte(from)) + "-" + string(first+byte(top))
	}
	list := []entry{
		{ant, span('a') + " ant"}, {hill, span('0') + " hill"}, {antOnHill, span('A') + " ant on its hill"},
		{food, "* food"}, {water, "% water"}, {land, ". land"}, {remembered, ", land seen before"},
		{unseen, "? never seen"}, {death, "! died here"}, {ruin, "x fallen hill"},
	}
	if p.hex {
		list = []entry{
			{ant, span('a') + " ants"}, {antOnHill, span('A') + " nest"}, {held, span('0') + " held ground"},
			{food, "* food"}, {scent, "~ scent of rivals"}, {land, ". ground"}, {unseen, "? out of sight"}, {ruin, "x nest of the dead"},
		}
		if p.scale == 1 {
			list = append(list, entry{kinds, "2-9 after it: how many, + more"})
			shown[kinds] = true
		}
	}
	var entries []string
	for _, e := range list {
		if shown[e.kind] {
			entries = append(entries, e.text)
		}
	}
	return wrap(entries, width)
}

// wrap joins entries by two spaces into lines of at most width.
func wrap(entries []string, width int) string {
	var b strings.Builder
	line := 0
	for i, e := range entries {
		switch {
		case i == 0:
		case width > 0 && line+2+len(e) > width:
			b.WriteByte('\n')
			line = 0
		default:
			b.WriteString("  ")
			line += 2
		}
		b.WriteString(e)
		line += len(e)
	}
	return b.String()
}
