package envtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

// A shelf is where a game's golden playthroughs stand, and what playing them
// needs to know of the game. Its folder is the game's testdata: games/*.txt and
// signatures.txt. A file of games has a head,
//
//	rules NAME of a rule set
//	map ID of a bundled map
//	seed N
//	turns N
//	drop TURN SEAT    (any number: before that turn the seat is taken out)
//
// and then a line for each turn: its number, the hash of the state after it,
// and the orders of the seats, parted by slashes.
type shelf struct {
	dir       string // below the project's root
	ruleSets  []string
	boardOf   func(id string) (env.Map, error)
	newEngine NewEngine
	write     func(orders []byte) string // a seat's orders as text without slashes or space
	read      func(text string) []byte
	// play draws the orders of a turn for a recording, from the engine that
	// records.
	play func(choose Chooser, e env.Engine) [][]byte
}

// games replays the playthroughs and compares the hash of every state. With
// update the games are played anew, for as many turns as the head says, and
// written.
func (s *shelf) games(t *testing.T, update bool) {
	for _, path := range s.files(t) {
		t.Run(baseName(strings.TrimSuffix(path, ".txt")), func(t *testing.T) {
			g := s.readGame(t, path)
			if update {
				g.record(t)
				g.write(t, path)
			}
			hashes := g.play(t)
			for turn := range hashes {
				if hashes[turn] != g.hashes[turn] {
					t.Fatalf("state after turn %d has hash %016x, want %016x", turn, hashes[turn], g.hashes[turn])
				}
			}
		})
	}
}

// signatures folds every state of the games of each rule set into one number
// and compares it with signatures.txt. With update it writes that file instead.
func (s *shelf) signatures(t *testing.T, update bool) {
	folded := map[string]uint64{}
	for _, path := range s.files(t) {
		g := s.readGame(t, path)
		folded[g.rules] = env.Derive(folded[g.rules], g.play(t)...)
	}
	var out strings.Builder
	for _, name := range s.ruleSets {
		fmt.Fprintf(&out, "%s %016x\n", name, folded[name])
	}
	t.Logf("signatures:\n%s", out.String())
	path := filepath.Join(projectRoot(t), s.dir, "signatures.txt")
	if update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("signatures are\n%swant\n%s", out.String(), want)
	}
}

func (s *shelf) files(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(projectRoot(t), s.dir, "games", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no golden playthroughs")
	}
	return files
}

type game struct {
	*shelf
	head   []string // the lines before the turns
	rules  string
	mapID  string
	seed   uint64
	turns  int
	drops  [][2]int // turn, seat
	hashes []uint64 // after each turn, from turn 0
	orders []string // of each turn, from turn 1
}

func (s *shelf) readGame(t *testing.T, path string) *game {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g := &game{shelf: s}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] < '0' || words[0][0] > '9' {
			g.head = append(g.head, line)
		}
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if err := g.line(words); err != nil {
			t.Fatalf("%s: line %q: %v", path, line, err)
		}
	}
	return g
}

func (g *game) line(words []string) (err error) {
	if len(words) < 2 {
		return fmt.Errorf("want a key and a value")
	}
	switch words[0] {
	case "rules":
		g.rules = words[1]
	case "map":
		g.mapID = words[1]
	case "seed":
		g.seed, err = strconv.ParseUint(words[1], 10, 64)
	case "turns":
		g.turns, err = strconv.Atoi(words[1])
	case "drop":
		var d [2]int
		_, err = fmt.Sscan(strings.Join(words[1:], " "), &d[0], &d[1])
		g.drops = append(g.drops, d)
	default:
		var hash uint64
		hash, err = strconv.ParseUint(words[1], 16, 64)
		g.hashes = append(g.hashes, hash)
		if len(words) > 2 {
			g.orders = append(g.orders, words[2])
		}
	}
	return err
}

// engine is an engine at turn 0 of the game.
func (g *game) engine(t *testing.T) env.Engine {
	t.Helper()
	m, err := g.boardOf(g.mapID)
	if err != nil {
		t.Fatal(err)
	}
	e, err := g.newEngine(g.rules, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(g.seed); err != nil {
		t.Fatal(err)
	}
	return e
}

// step plays a turn, from 1, and returns the hash of the state after it.
func (g *game) step(t *testing.T, e env.Engine, turn int, text string) uint64 {
	t.Helper()
	for _, d := range g.drops {
		if d[0] == turn {
			e.(interface{ Drop(seat int) }).Drop(d[1])
		}
	}
	var orders [][]byte
	for _, seat := range strings.Split(text, "/") {
		orders = append(orders, g.shelf.read(seat))
	}
	if err := e.Step(orders); err != nil {
		t.Fatalf("turn %d: %v", turn, err)
	}
	return env.Hash(e.AppendState(nil))
}

// play replays the orders and returns the hashes, from turn 0.
func (g *game) play(t *testing.T) []uint64 {
	t.Helper()
	e := g.engine(t)
	hashes := []uint64{env.Hash(e.AppendState(nil))}
	for i, text := range g.orders {
		hashes = append(hashes, g.step(t, e, i+1, text))
	}
	return hashes
}

// record plays the game anew.
func (g *game) record(t *testing.T) {
	t.Helper()
	e := g.engine(t)
	choose := Choices(g.seed)
	g.orders = nil
	g.hashes = []uint64{env.Hash(e.AppendState(nil))}
	for turn := 1; turn <= g.turns && !e.Outcome().Done; turn++ {
		var texts []string
		for _, orders := range g.shelf.play(choose, e) {
			texts = append(texts, g.shelf.write(orders))
		}
		g.orders = append(g.orders, strings.Join(texts, "/"))
		g.hashes = append(g.hashes, g.step(t, e, turn, g.orders[turn-1]))
	}
	out := e.Outcome()
	t.Logf("%d turns, %q, score %v", out.Steps, out.Reason, out.Scores)
}

func (g *game) write(t *testing.T, path string) {
	t.Helper()
	out := strings.Join(g.head, "\n") + "\n"
	for turn, hash := range g.hashes {
		out += fmt.Sprintf("%d %016x", turn, hash)
		if turn > 0 {
			out += " " + g.orders[turn-1]
		}
		out += "\n"
	}
	if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
}
