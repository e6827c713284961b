package envtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// Playthroughs checks the board drawings of env/ants/testdata/play. Each file
// is a list of blocks, parted by blank lines; lines that begin with # are
// comments. A block is a directive, its input, a line of four dashes, and what
// must come out:
//
//	board [rules=NAME or JSON] [seed=N] [players=N]
//
// draws a board as the contest's map text does: . land, % water, * food, 0-9
// a standing hill, a-j an ant, A-J an ant on its own hill. A board without
// ants starts an episode on it; one with ants is set up as drawn. Lines below
// the drawing set more: "hive 1 0", "score 2 0", "turn 7", "cutoff a 149"
// (a seat's letter, food or nobody), "touched 3 0" (in listing order).
//
//	step [a=ORDERS] [b=ORDERS] .. [n=TURNS]
//
// plays a turn, or several alike; orders are one character an ant, row-major.
//
//	drop SEAT
//	view SEAT
//
// take a seat, by letter, out of the game, and show what it may know.
//
// Out come the board, x being a razed hill without an ant, the numbers that
// are not 0 everywhere, and what happened, in lines that begin with a dash.
// Those need an engine that tells frames; other engines are held to the rest.
//
// With update, what comes out is written to the files instead.
func Playthroughs(t *testing.T, newEngine NewAnts, update bool) {
	files, err := filepath.Glob(filepath.Join(antsTestdata(t), "play", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no playthroughs")
	}
	for _, path := range files {
		t.Run(baseName(strings.TrimSuffix(path, ".txt")), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := &playthrough{t: t, newEngine: newEngine}
			out := p.run(string(data))
			if !update {
				sameDrawing(t, out, string(data), p.frames)
				return
			}
			if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func antsTestdata(t *testing.T) string {
	t.Helper()
	return filepath.Join(projectRoot(t), "env", "ants", "testdata")
}

// sameDrawing compares line by line, without the events where the engine tells
// none.
func sameDrawing(t *testing.T, got, want string, frames bool) {
	t.Helper()
	if !frames {
		got, want = withoutEvents(got), withoutEvents(want)
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			from := max(0, i-12)
			t.Fatalf("line %d is %q, want %q; before it:\n%s", i+1, x, y, strings.Join(a[from:min(i, len(a))], "\n"))
		}
	}
}

func withoutEvents(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "- ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

type playthrough struct {
	t         *testing.T
	newEngine NewAnts
	e         ants.Engine
	frames    bool
}

const ruler = "----"

// run plays a file and returns it with what came out.
func (p *playthrough) run(text string) string { return blocks(text, p.do) }

// blocks does what every block of a file says and returns the file with what
// came out.
func blocks(text string, do func(directive string, input []string) string) string {
	var out strings.Builder
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] == "" || strings.HasPrefix(lines[i], "#") {
			out.WriteString(lines[i] + "\n")
			continue
		}
		directive := lines[i]
		var input []string
		for i++; i < len(lines) && lines[i] != ruler && lines[i] != ""; i++ {
			input = append(input, lines[i])
		}
		for i < len(lines) && lines[i] != "" {
			i++ // what came out before
		}
		out.WriteString(directive + "\n")
		for _, line := range input {
			out.WriteString(line + "\n")
		}
		out.WriteString(ruler + "\n" + do(directive, input))
		if i < len(lines) {
			out.WriteString("\n")
		}
	}
	return out.String()
}

func (p *playthrough) do(directive string, input []string) string {
	p.t.Helper()
	words := strings.Fields(directive)
	args := map[string]string{}
	var plain []string
	for _, w := range words[1:] {
		if key, value, ok := strings.Cut(w, "="); ok {
			args[key] = value
		} else {
			plain = append(plain, w)
		}
	}
	if words[0] != "board" && p.e == nil {
		p.t.Fatalf("%q before any board", directive)
	}
	switch words[0] {
	case "board":
		p.board(args, input)
	case "step":
		p.step(args)
	case "drop":
		p.e.Drop(p.seat(plain))
		return p.draw(false)
	case "view":
		return string(p.e.AppendView(nil, p.seat(plain))) + "\n"
	default:
		p.t.Fatalf("unknown directive %q", directive)
	}
	return p.draw(words[0] == "step")
}

func (p *playthrough) seat(words []string) int {
	p.t.Helper()
	if len(words) != 1 || len(words[0]) != 1 {
		p.t.Fatalf("want one seat's letter, have %q", words)
	}
	return int(words[0][0] - 'a')
}

func (p *playthrough) number(text string) int {
	p.t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

func (p *playthrough) board(args map[string]string, input []string) {
	p.t.Helper()
	rows := 0
	for rows < len(input) && !strings.Contains(input[rows], " ") {
		rows++
	}
	text := fmt.Sprintf("rows %d\ncols %d\nplayers %s\n", rows, len(input[0]), orDefault(args["players"], "2"))
	for _, line := range input[:rows] {
		text += "m " + line + "\n"
	}
	m, err := ants.ParseMapText([]byte(text))
	if err != nil {
		p.t.Fatal(err)
	}
	rules, err := ants.ParseRules(args["rules"])
	if err != nil {
		p.t.Fatal(err)
	}
	if p.e, err = p.newEngine(&rules, m); err != nil {
		p.t.Fatal(err)
	}
	_, p.frames = p.e.(framer)
	if err := p.e.Reset(uint64(p.number(orDefault(args["seed"], "1")))); err != nil {
		p.t.Fatal(err)
	}
	if len(m.Ants) > 0 || len(input) > rows {
		p.setUp(m, input[rows:])
	}
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// setUp puts the ants where they are drawn and sets what the lines say.
func (p *playthrough) setUp(m *ants.Map, lines []string) {
	p.t.Helper()
	s := p.e.State()
	s.Food = sorted(m.Food)
	if len(m.Ants) > 0 {
		for seat := range s.Ants {
			s.Ants[seat] = nil
			s.Seats[seat].Known = make([]uint64, len(s.Seats[seat].Known))
		}
		for _, a := range m.Ants {
			s.Ants[a.Owner] = append(s.Ants[a.Owner], a.Cell)
		}
		for seat := range s.Ants {
			slices.Sort(s.Ants[seat])
		}
	}
	for _, line := range lines {
		words := strings.Fields(line)
		for i, w := range words[1:] {
			switch words[0] {
			case "hive":
				s.Seats[i].Hive = int32(p.number(w))
			case "score":
				s.Seats[i].Score = int32(p.number(w))
			case "touched":
				s.Hills[i].Touched = int32(p.number(w))
			case "turn":
				s.Turn = int32(p.number(w))
			case "cutoff":
				if i == 1 {
					s.Count = int32(p.number(w))
				} else if s.Holder = int32(w[0] - 'a'); w == "food" {
					s.Holder = ants.HolderFood
				} else if w == "nobody" {
					s.Holder = ants.HolderNone
				}
			default:
				p.t.Fatalf("unknown line %q", line)
			}
		}
	}
	p.set(s)
	for seat := range s.Seats {
		s.Seats[seat].Known = p.e.Visible(seat)
	}
	p.set(s)
}

func (p *playthrough) set(s *ants.State) {
	p.t.Helper()
	if err := p.e.SetState(s.Append(nil)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *playthrough) step(args map[string]string) {
	p.t.Helper()
	orders := make([][]byte, p.e.Seats())
	for seat := range orders {
		orders[seat] = actionsOf(args[string(rune('a'+seat))])
	}
	for range p.number(orDefault(args["n"], "1")) {
		if err := p.e.Step(orders); err != nil {
			p.t.Fatal(err)
		}
	}
}

// draw shows the board, its numbers, and what happened in the last turn.
func (p *playthrough) draw(events bool) string {
	s, m := p.e.State(), p.e.Map()
	cells := make([]byte, m.Rows*m.Cols)
	for cell := range cells {
		cells[cell] = '.'
		if m.Water[cell] {
			cells[cell] = '%'
		}
	}
	for _, cell := range s.Food {
		cells[cell] = '*'
	}
	for seat, list := range s.Ants {
		for _, cell := range list {
			cells[cell] = 'a' + byte(seat)
		}
	}
	for _, h := range s.Hills {
		ant := cells[h.Cell] >= 'a'
		switch {
		case h.Razed && !ant:
			cells[h.Cell] = 'x'
		case !h.Razed && !ant:
			cells[h.Cell] = '0' + h.Owner
		case !h.Razed && cells[h.Cell] == 'a'+h.Owner:
			cells[h.Cell] = 'A' + h.Owner
		}
	}
	var b strings.Builder
	for r := range m.Rows {
		fmt.Fprintf(&b, "%s\n", cells[r*m.Cols:(r+1)*m.Cols])
	}
	fmt.Fprintf(&b, "turn %d, score %s", s.Turn, perSeat(s, func(seat *ants.Seat) int32 { return seat.Score }))
	for _, n := range []struct {
		name string
		of   func(*ants.Seat) int32
	}{
		{"hive", func(seat *ants.Seat) int32 { return seat.Hive }},
		{"gathered", func(seat *ants.Seat) int32 { return seat.Gathered }},
	} {
		if text := perSeat(s, n.of); strings.Trim(text, "0 ") != "" {
			fmt.Fprintf(&b, ", %s %s", n.name, text)
		}
	}
	if s.Holder != ants.HolderNone {
		holder := "food"
		if s.Holder >= 0 {
			holder = seatName(uint8(s.Holder))
		}
		fmt.Fprintf(&b, ", cutoff %s %d", holder, s.Count)
	}
	b.WriteString("\n")
	if out := p.e.Outcome(); out.Done {
		fmt.Fprintf(&b, "over: %s, ranks %s\n", out.Reason, join(out.Ranks))
	}
	if f, ok := p.e.(framer); ok && events {
		p.events(&b, f.Frame())
	}
	return b.String()
}

func perSeat(s *ants.State, of func(*ants.Seat) int32) string {
	numbers := make([]int32, len(s.Seats))
	for i := range s.Seats {
		numbers[i] = of(&s.Seats[i])
	}
	return join(numbers)
}

func seatName(seat uint8) string { return string(rune('a' + seat)) }

func (p *playthrough) events(b *strings.Builder, f ants.Frame) {
	cols := p.e.Map().Cols
	at := func(cell int32) string { return fmt.Sprintf("%d,%d", int(cell)/cols, int(cell)%cols) }
	spot := func(s ants.Spot) string { return seatName(s.Owner) + " at " + at(s.Cell) }
	for _, d := range f.Deaths {
		killers := make([]string, len(d.Killers))
		for i, k := range d.Killers {
			killers[i] = spot(k)
		}
		cause := "in a collision"
		if len(killers) > 0 {
			cause = "killed by " + strings.Join(killers, " and ")
		}
		fmt.Fprintf(b, "- %s died %s\n", spot(ants.Spot{Cell: d.Cell, Owner: d.Owner}), cause)
	}
	for _, r := range f.Razed {
		how := "razed by"
		if r.Bonus {
			how = "counts as razed by"
		}
		fmt.Fprintf(b, "- the hill of %s %s %s\n", spot(ants.Spot{Cell: r.Cell, Owner: r.Owner}), how, seatName(r.By))
	}
	for _, s := range f.Spawned {
		fmt.Fprintf(b, "- %s hatched\n", spot(s))
	}
	for _, g := range f.Gathered {
		if g.Owner < 0 {
			fmt.Fprintf(b, "- the food at %s was destroyed\n", at(g.Cell))
		} else {
			fmt.Fprintf(b, "- the food at %s went to %s\n", at(g.Cell), seatName(uint8(g.Owner)))
		}
	}
	for _, cell := range f.NewFood {
		fmt.Fprintf(b, "- food appeared at %s\n", at(cell))
	}
	for seat, cells := range f.Seen {
		if len(cells) > 0 {
			fmt.Fprintf(b, "- %s saw %d cells for the first time\n", seatName(uint8(seat)), len(cells))
		}
	}
}
