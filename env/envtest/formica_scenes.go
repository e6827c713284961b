package envtest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// FormicaScenes checks the drawings of env/formica/testdata/scenes: a list of
// blocks as in Playthroughs, each a directive, its input, a line of four dashes
// and what must come out.
//
//	board [seats=2] [radius=7] [rules=JSON] [seed=N]
//
// sets up a board without food, the nests at their places (seat a's in
// direction 0). If the rules do not say how often phases come, one comes each
// tick, so that a step is a tick. Below it may stand a drawing, a row a line: .
// a cell, 0-9 food (the patch's cap is as much), A-F a nest; and lines
//
//	ants a forage q,r [x3] [carry=2] [heading=1] [trip=4]
//	store a 20 | upkeep a 79 | chambers a 1 | dig a 14 | home a 2
//	latch a ORDER | wait a 3
//	known a b q,r SEEN | trail a q,r 500 | held a q,r STAMP | cap q,r 6
//	tick 49 | rain 3 | dead a TICK CELLS
//
// A living colony without ants gets one expander on its nest. A colony without
// a latch gets one that keeps its ants in their roles: each raider or builder
// needs about two foragers beside it.
//
//	step [a=ORDER] [b=ORDER] .. [n=STEPS]
//
// plays phases, the orders given in the first. An ORDER is as in FormicaGames,
// the target as @q,r.
//
//	held | trail a | view a
//
// draw who holds which cells, list a colony's pheromone, and show its message.
//
// Out come the drawing, lower-case letters being cells with ants of one colony
// and * cells with several's, and lines for colonies and ants.
//
// With update, what comes out is written to the files instead.
func FormicaScenes(t *testing.T, newEngine NewEngine, update bool) {
	files, err := filepath.Glob(filepath.Join(projectRoot(t), "env", "formica", "testdata", "scenes", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no scenes")
	}
	for _, path := range files {
		t.Run(baseName(strings.TrimSuffix(path, ".txt")), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := &scene{t: t, newEngine: newEngine}
			out := blocks(string(data), p.do)
			if !update {
				sameDrawing(t, out, string(data), true)
				return
			}
			if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

type scene struct {
	t         *testing.T
	newEngine NewEngine
	c         formica.Config
	b         *formica.Board
	e         env.Engine
}

func (p *scene) do(directive string, input []string) string {
	p.t.Helper()
	words := strings.Fields(directive)
	args := map[string]string{}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		args[key] = value
	}
	switch words[0] {
	case "board":
		p.board(args, input)
		return p.draw()
	case "step":
		p.step(args)
		return p.draw()
	case "held":
		s := p.state()
		return p.drawing(func(cell int) byte {
			for seat := range s.Colonies {
				if s.Holds(&p.c, seat, cell) {
					return 'a' + byte(seat)
				}
			}
			return '.'
		})
	case "trail":
		return p.trail(p.seat(words[1]))
	case "view":
		return string(p.e.AppendView(nil, p.seat(words[1]))) + "\n"
	}
	p.t.Fatalf("unknown directive %q", directive)
	return ""
}

func (p *scene) state() *formica.State { return formicaStateOf(p.t, p.e, &p.c, p.b) }

func (p *scene) seat(word string) int {
	seat := int(word[0]) - 'a'
	if len(word) != 1 || seat < 0 || seat >= p.b.Players {
		p.t.Fatalf("no seat %q", word)
	}
	return seat
}

func (p *scene) num(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		p.t.Fatalf("number %q: %v", word, err)
	}
	return n
}

func (p *scene) cell(word string) int {
	q, r, _ := strings.Cut(word, ",")
	cell := p.b.Cell(formica.Hex{Q: p.num(q), R: p.num(r)})
	if cell == formica.NoCell {
		p.t.Fatalf("no cell %q", word)
	}
	return cell
}

func (p *scene) order(text string) []byte {
	if order, place, ok := strings.Cut(text, "@"); ok {
		text = fmt.Sprintf("%s@%d", order, p.cell(place))
	}
	return readOrder(text)
}

func (p *scene) board(args map[string]string, input []string) {
	p.t.Helper()
	rules := cmp.Or(args["rules"], `{}`)
	if !strings.Contains(rules, "command_every") {
		rules = `{"command_every":1,` + rules[1:]
		rules = strings.Replace(rules, ",}", "}", 1)
	}
	var err error
	if p.c, err = formica.ParseConfig(rules); err != nil {
		p.t.Fatal(err)
	}
	if p.b, err = formica.NewBoard("", p.num(cmp.Or(args["seats"], "2")), p.num(cmp.Or(args["radius"], "7"))); err != nil {
		p.t.Fatal(err)
	}
	s := formica.NewState(&p.c, p.b, uint64(p.num(cmp.Or(args["seed"], "0"))))
	for cell := range s.Cap {
		s.Cap[cell], s.Food[cell], s.Owner[cell] = 0, 0, formica.Nobody
	}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		home := p.b.PlaceDirection(seat)
		k.Home, k.Nest, k.Ants = uint8(home), uint16(p.b.Cell(formica.Step[home].Times(p.b.Radius-p.c.NestInset))), nil
	}
	row := -p.b.Radius
	for _, line := range input {
		if words := strings.Fields(line); len(words[0]) > 1 {
			p.set(s, words)
			continue
		}
		q := max(-p.b.Radius, -p.b.Radius-row)
		for _, glyph := range strings.ReplaceAll(line, " ", "") {
			cell := p.b.Cell(formica.Hex{Q: q, R: row})
			switch {
			case cell == formica.NoCell:
				p.t.Fatalf("row %d is too long: %q", row, line)
			case glyph >= '0' && glyph <= '9':
				s.Food[cell] = uint8(glyph - '0')
				s.Cap[cell] = max(s.Food[cell], 1)
			case glyph >= 'A' && int(glyph-'A') < p.b.Players:
				s.Colonies[glyph-'A'].Nest = uint16(cell)
			case glyph != '.':
				p.t.Fatalf("glyph %q in row %d", glyph, row)
			}
			q++
		}
		row++
	}
	if row != -p.b.Radius && row != p.b.Radius+1 {
		p.t.Fatalf("a drawing of %d rows, want %d", row+p.b.Radius, p.b.Side)
	}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		if k.Alive && len(k.Ants) == 0 {
			k.Ants = []formica.Ant{{Cell: k.Nest, Role: formica.RoleExpansion, Heading: k.Home}}
		}
		if k.Alive && !latched(input, seat) {
			p.keepRoles(seat, k)
		}
	}
	if p.e, err = p.newEngine(p.c.JSON(), p.b); err != nil {
		p.t.Fatal(err)
	}
	if err := p.e.SetState(s.Append(nil)); err != nil {
		p.t.Fatal(err)
	}
}

// latched tells whether a line sets the seat's latch.
func latched(input []string, seat int) bool {
	return slices.ContainsFunc(input, func(line string) bool { return strings.HasPrefix(line, fmt.Sprintf("latch %c ", 'a'+seat)) })
}

// keepRoles latches an order whose targets are the squads as they stand.
func (p *scene) keepRoles(seat int, k *formica.Colony) {
	p.t.Helper()
	var squads [formica.NumRoles]int
	for _, a := range k.Ants {
		squads[a.Role]++
	}
	special := squads[formica.RoleRaid] + squads[formica.RoleBuild]
	weights := []int{squads[formica.RoleForage] + special, squads[formica.RoleDefense], squads[formica.RoleExpansion]}
	for i, share := range formica.Split(formica.AllocWhole, weights, len(k.Ants)) {
		k.Order.Alloc[i] = uint16(share)
	}
	switch {
	case squads[formica.RoleRaid] > 0:
		k.Order.Mode = formica.ModeRaid
	case squads[formica.RoleBuild] > 0:
		k.Order.Mode = formica.ModeBuild
	}
	if got := k.Order.Targets(len(k.Ants)); got != squads {
		p.t.Fatalf("no order keeps the squads %v of seat %d; the nearest gives %v", squads, seat, got)
	}
}

// set does one line below a drawing.
func (p *scene) set(s *formica.State, words []string) {
	p.t.Helper()
	switch words[0] {
	case "tick":
		s.Tick = int32(p.num(words[1]))
		return
	case "rain":
		s.Rain = uint8(p.num(words[1]))
		return
	case "cap":
		s.Cap[p.cell(words[1])] = uint8(p.num(words[2]))
		return
	}
	seat := p.seat(words[1])
	k := &s.Colonies[seat]
	switch words[0] {
	case "ants":
		p.ants(k, words[2:])
	case "store":
		k.Food = int32(p.num(words[2]))
	case "upkeep":
		k.Upkeep = int32(p.num(words[2]))
	case "chambers":
		k.Chambers = uint8(p.num(words[2]))
	case "dig":
		k.Dig = uint8(p.num(words[2]))
	case "home":
		k.Home = uint8(p.num(words[2]))
	case "wait":
		k.MoveWait = uint8(p.num(words[2]))
	case "latch":
		order, err := formica.DecodeOrder(p.order(words[2]), p.b.Cells)
		if err != nil {
			p.t.Fatal(err)
		}
		k.Order = order
	case "known":
		k.Known[p.seat(words[2])] = formica.Known{Cell: int32(p.cell(words[3])), Seen: int32(p.num(words[4]))}
	case "trail":
		k.Trail[p.cell(words[2])] = uint16(p.num(words[3]))
	case "held":
		cell := p.cell(words[2])
		s.Owner[cell], s.Stamp[cell] = uint8(seat), int16(p.num(words[3]))
	case "dead":
		k.Alive, k.DiedAt, k.Frozen = false, int32(p.num(words[2])), int32(p.num(words[3]))
	default:
		p.t.Fatalf("unknown line %q", strings.Join(words, " "))
	}
}

func (p *scene) ants(k *formica.Colony, words []string) {
	role := slices.Index(formica.RoleNames[:], words[0])
	if role < 0 {
		p.t.Fatalf("no role %q", words[0])
	}
	a := formica.Ant{Role: formica.Role(role), Cell: uint16(p.cell(words[1])), Heading: k.Home}
	n := 1
	for _, w := range words[2:] {
		key, value, _ := strings.Cut(w, "=")
		switch {
		case key == "carry":
			a.Carry = uint8(p.num(value))
		case key == "heading":
			a.Heading = uint8(p.num(value))
		case key == "trip":
			a.Trip = uint8(p.num(value))
		case key[0] == 'x':
			n = p.num(key[1:])
		default:
			p.t.Fatalf("unknown word %q", w)
		}
	}
	for range n {
		k.Ants = append(k.Ants, a)
	}
}

func (p *scene) step(args map[string]string) {
	p.t.Helper()
	orders := make([][]byte, p.b.Players)
	for seat := range orders {
		if text, ok := args[string(rune('a'+seat))]; ok {
			orders[seat] = p.order(text)
		}
	}
	for range p.num(cmp.Or(args["n"], "1")) {
		if err := p.e.Step(orders); err != nil {
			p.t.Fatal(err)
		}
		orders = nil
	}
}

func (p *scene) drawing(glyph func(cell int) byte) string {
	var out strings.Builder
	for row := -p.b.Radius; row <= p.b.Radius; row++ {
		out.WriteString(strings.Repeat(" ", max(row, -row)))
		for i, q := 0, max(-p.b.Radius, -p.b.Radius-row); ; i, q = i+1, q+1 {
			cell := p.b.Cell(formica.Hex{Q: q, R: row})
			if cell == formica.NoCell {
				break
			}
			if i > 0 {
				out.WriteByte(' ')
			}
			out.WriteByte(glyph(cell))
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func (p *scene) place(cell int) string {
	h := p.b.Hexes[cell]
	return fmt.Sprintf("%d,%d", h.Q, h.R)
}

// draw is the board and a line for every colony and ant.
func (p *scene) draw() string {
	s := p.state()
	out := p.drawing(func(cell int) byte { return sceneGlyph(s, cell) })
	out += fmt.Sprintf("tick %d, phase %d", s.Tick, s.Phase)
	if s.Rain > 0 {
		out += fmt.Sprintf(", rain %d", s.Rain)
	}
	if s.Event != formica.EventNone {
		out += ", " + s.Event.String()
	}
	out += "\n"
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		out += fmt.Sprintf("%c food %d, cells %d, score %d/2, upkeep %d", 'a'+seat, k.Food, s.Territory(&p.c, seat), s.Score2(&p.c, seat), k.Upkeep)
		if k.Chambers > 0 || k.Dig > 0 {
			out += fmt.Sprintf(", chambers %d, dig %d", k.Chambers, k.Dig)
		}
		if k.Alive {
			text, target, moves := strings.Cut(writeOrder(k.Order.Append(nil)), "@")
			if moves {
				text += fmt.Sprintf("@%s in %d", p.place(p.num(target)), k.MoveWait)
			}
			out += ", " + text
		}
		for other, known := range k.Known {
			if known.Cell != formica.NoCell {
				out += fmt.Sprintf(", knows %c at %s since %d", 'a'+other, p.place(int(known.Cell)), known.Seen)
			}
		}
		if !k.Alive {
			out += fmt.Sprintf(", died at %d", k.DiedAt)
		}
		out += "\n"
		for i := 0; i < len(k.Ants); {
			a, n := k.Ants[i], 1
			for i+n < len(k.Ants) && k.Ants[i+n] == a {
				n++
			}
			out += fmt.Sprintf("  %c%d %s %s heading %d", 'a'+seat, i, formica.RoleNames[a.Role], p.place(int(a.Cell)), a.Heading)
			if a.Carry > 0 {
				out += fmt.Sprintf(" carry %d", a.Carry)
			}
			if a.Trip > 0 {
				out += fmt.Sprintf(" trip %d", a.Trip)
			}
			if n > 1 {
				out += fmt.Sprintf(" x%d", n)
			}
			out += "\n"
			i += n
		}
	}
	return out
}

func sceneGlyph(s *formica.State, cell int) byte {
	glyph := byte('.')
	if s.Cap[cell] > 0 {
		glyph = '0' + min(s.Food[cell], 9)
	}
	colonies := 0
	for seat := range s.Colonies {
		if slices.ContainsFunc(s.Colonies[seat].Ants, func(a formica.Ant) bool { return int(a.Cell) == cell }) {
			glyph = 'a' + byte(seat)
			colonies++
		}
	}
	if colonies > 1 {
		glyph = '*'
	}
	for seat := range s.Colonies {
		if k := &s.Colonies[seat]; k.Alive && int(k.Nest) == cell {
			glyph = 'A' + byte(seat)
		}
	}
	return glyph
}

// trail lists a colony's pheromone.
func (p *scene) trail(seat int) string {
	out := ""
	for cell, v := range p.state().Colonies[seat].Trail {
		if v > 0 {
			out += fmt.Sprintf("%s: %d\n", p.place(cell), v)
		}
	}
	return out
}
