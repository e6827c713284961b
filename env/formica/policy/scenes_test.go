package policy_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/policy"
)

var update = flag.Bool("update", false, "write the orders of testdata/scenes.txt")

// TestScenes reads testdata/scenes.txt: what policies order in observations
// that are told in words. A scene is a title after "#", the facts on a board
// of radius 12, and lines "policy draw: order". Colonies are named by their
// home direction.
//
//	tick T of MAX
//	own home D nest Q,R food N ants N cap N chambers N score2 N
//	rival home D score2 N           a living rival
//	nest home D at Q,R seen T       its latched nest
//	ant home D at Q,R [raider]      a visible ant of it
//	threat N
//	legal Q,R ..
func TestScenes(t *testing.T) {
	const path = "testdata/scenes.txt"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var title string
	var facts []string
	lines := 0
	for n, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		switch {
		case line == "":
			facts = nil
		case strings.HasPrefix(line, "#"):
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
			o := told(t, facts)
			got := wordsOf(t, o.Radius, p.Act(nil, o, draw))
			if want = strings.TrimSpace(want); got != want && !*update {
				t.Errorf("line %d, %s: %s orders %s, want %s", n+1, title, head, got, want)
			}
			line = head + ": " + got
			lines++
		default:
			facts = append(facts, line)
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

// told is the observation that a scene's lines tell of.
func told(t *testing.T, lines []string) *formica.Observation {
	t.Helper()
	o := &formica.Observation{Radius: 12, Scores2: []int32{0}, Alive: []bool{true}, Homes: []uint8{0}}
	o.Colony.Order = formica.DefaultOrder()
	slots := map[int]int{}
	for _, line := range lines {
		words := strings.Fields(line)
		number := func(after string) int {
			for i, w := range words[:len(words)-1] {
				if w == after {
					v, err := strconv.Atoi(words[i+1])
					if err != nil {
						t.Fatalf("scene line %q: %v", line, err)
					}
					return v
				}
			}
			t.Fatalf("scene line %q lacks %q", line, after)
			return 0
		}
		place := func(after string) int32 {
			for i, w := range words[:len(words)-1] {
				if w == after {
					return cellOf(t, o.Radius, words[i+1])
				}
			}
			t.Fatalf("scene line %q lacks %q", line, after)
			return 0
		}
		switch words[0] {
		case "tick":
			o.Tick, o.MaxTicks = int32(number("tick")), number("of")
		case "own":
			o.Homes[0], o.Scores2[0] = uint8(number("home")), int32(number("score2"))
			k := &o.Colony
			k.Nest, k.FoodStored = place("nest"), int32(number("food"))
			k.Population, k.PopCap, k.Chambers = number("ants"), number("cap"), number("chambers")
		case "rival":
			slots[number("home")] = len(o.Homes)
			o.Homes = append(o.Homes, uint8(number("home")))
			o.Scores2, o.Alive = append(o.Scores2, int32(number("score2"))), append(o.Alive, true)
		case "nest":
			o.Nests = append(o.Nests, formica.NestView{Slot: slots[number("home")], Cell: place("at"), SeenTick: int32(number("seen"))})
		case "ant":
			o.Rivals = append(o.Rivals, formica.RivalView{
				Cell: place("at"), Slot: slots[number("home")], Raider: words[len(words)-1] == "raider",
			})
		case "threat":
			o.Threat = number("threat")
		case "legal":
			for _, w := range words[1:] {
				o.LegalRelocate = append(o.LegalRelocate, cellOf(t, o.Radius, w))
			}
		default:
			t.Fatalf("scene line %q", line)
		}
	}
	return o
}

func cellOf(t *testing.T, radius int, text string) int32 {
	t.Helper()
	var h formica.Hex
	if _, err := fmt.Sscanf(text, "%d,%d", &h.Q, &h.R); err != nil {
		t.Fatalf("place %q: %v", text, err)
	}
	cell := formica.GeometryOf(radius).Cell(h)
	if cell == formica.NoCell {
		t.Fatalf("place %q is off the board", text)
	}
	return int32(cell)
}

// wordsOf is an encoded order in words, as the package's page writes it.
func wordsOf(t *testing.T, radius int, data []byte) string {
	t.Helper()
	g := formica.GeometryOf(radius)
	o, err := formica.DecodeOrder(data, g.Cells)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s %d/%d/%d", o.Mode, o.Alloc[0]/100, o.Alloc[1]/100, o.Alloc[2]/100)
	if o.Defend {
		text += " defend"
	}
	if o.Target != formica.NoCell {
		text += fmt.Sprintf(" to %d,%d", g.Hexes[o.Target].Q, g.Hexes[o.Target].R)
	}
	return text
}
