package envtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

type foodVectors struct {
	Generator []struct {
		Seed  decimal
		First []decimal
	}
	Below []struct {
		Seed  decimal
		N     uint64
		First []uint64
	}
	Rate []rateVector
	Sets []struct {
		Board     string
		Seed      decimal
		Sets      int
		ListHead  []rc `json:"list_head"`
		ListTail  []rc `json:"list_tail"`
		Rotations []struct {
			Rotation int64
			Order    []rc
			Whole    bool
		}
	}
	Runs []foodRun
}

type foodRun struct {
	Board  string
	Seed   decimal
	Rate   [2]int32
	Turns  int
	Placed []placedFood
	Walk   [][4]int64 `json:"debt_cursor_rotation_pending"`
	Reason *string
}

// A decimal is a 64-bit number written as a string.
type decimal uint64

func (d *decimal) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	n, err := strconv.ParseUint(s, 10, 64)
	*d = decimal(n)
	return err
}

// A rateVector is [seed, rate, period].
type rateVector struct {
	seed         decimal
	rate, period int32
}

func (r *rateVector) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &r.seed, &r.rate, &r.period)
}

// A placedFood is [turn, cells].
type placedFood struct {
	turn   int
	places []rc
}

func (p *placedFood) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &p.turn, &p.places)
}

// unmarshalParts reads an array of mixed types.
func unmarshalParts(data []byte, parts ...any) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if len(raw) != len(parts) {
		return fmt.Errorf("%d parts, want %d", len(raw), len(parts))
	}
	for i := range parts {
		if err := json.Unmarshal(raw[i], parts[i]); err != nil {
			return err
		}
	}
	return nil
}

// GoldenFood checks golden/ladder/food-vectors.json: the generator, the hidden
// rate, the set lists and their shuffles as package ants declares them, and
// the runs in an engine whose ants all hold.
func GoldenFood(t *testing.T, newEngine NewAnts) {
	var v foodVectors
	readGolden(t, goldenFiles(t, "ladder", "food-vectors.json")[0], &v)
	var c checker
	for _, g := range v.Generator {
		rng := env.RNG(g.Seed)
		for i, want := range g.First {
			c.same(fmt.Sprintf("draw %d of seed %d", i, g.Seed), rng.Next(), uint64(want))
		}
	}
	for _, b := range v.Below {
		rng := env.RNG(b.Seed)
		for i, want := range b.First {
			c.same(fmt.Sprintf("draw %d below %d of seed %d", i, b.N, b.Seed), rng.Below(b.N), want)
		}
	}
	for _, r := range v.Rate {
		rate, period := ants.FoodRate(uint64(r.seed))
		c.same(fmt.Sprintf("rate of seed %d", r.seed), [2]int32{rate, period}, [2]int32{r.rate, r.period})
	}
	for _, s := range v.Sets {
		m := foodBoard(t, s.Board)
		sets := m.Sets()
		n := sets.Len()
		c.same("sets of "+s.Board, n, s.Sets)
		first := func(i int) int32 { return sets.Set(i)[0] }
		for i, p := range s.ListHead {
			c.same(fmt.Sprintf("set %d of %s", i, s.Board), first(i), cellOf(m, p))
		}
		for i, p := range s.ListTail {
			at := n - len(s.ListTail) + i
			c.same(fmt.Sprintf("set %d of %s", at, s.Board), first(at), cellOf(m, p))
		}
		for _, r := range s.Rotations {
			order := ants.ShuffleSets(make([]uint16, n), n, uint64(s.Seed), r.Rotation)
			if r.Whole {
				c.same("length of rotation", len(r.Order), n)
			}
			for i, p := range r.Order {
				c.same(fmt.Sprintf("place %d of rotation %d of %s", i, r.Rotation, s.Board), first(int(order[i])), cellOf(m, p))
			}
		}
	}
	c.report(t, 0)
	for _, r := range v.Runs {
		t.Run(strings.ReplaceAll(r.Board, "/", "-"), func(t *testing.T) { r.play(t, newEngine) })
	}
	t.Logf("food vectors: 1 file, %d generators, %d bounded draws, %d rates, %d set lists, %d runs checked",
		len(v.Generator), len(v.Below), len(v.Rate), len(v.Sets), len(v.Runs))
}

func (r *foodRun) play(t *testing.T, newEngine NewAnts) {
	rules, err := ants.RuleSet("ladder")
	if err != nil {
		t.Fatal(err)
	}
	m := foodBoard(t, r.Board)
	e, err := newEngine(&rules, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(uint64(r.Seed)); err != nil {
		t.Fatal(err)
	}
	var c checker
	before := e.State()
	c.same("rate", [2]int32{before.Gen.Rate, before.Gen.Period}, r.Rate)
	placed := r.Placed
	for turn := 1; turn <= r.Turns; turn++ {
		if err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		s := e.State()
		g := s.Gen
		c.same("owed, cursor, rotation, pending", [4]int64{g.Extra, int64(g.Cursor), g.Rotation, int64(len(g.Pending))}, r.Walk[turn-1])
		for len(placed) > 0 && placed[0].turn == turn {
			for _, cell := range cellsOf(m, placed[0].places) {
				c.same(fmt.Sprintf("food placed on cell %d", cell), hasCell(s.Food, cell) && !hasCell(before.Food, cell), true)
			}
			placed = placed[1:]
		}
		c.report(t, turn)
		before = s
	}
	c.same("placements not reached", len(placed), 0)
	reason := ""
	if r.Reason != nil {
		reason = *r.Reason
	}
	c.same("reason", e.Outcome().Reason, reason)
	c.report(t, r.Turns)
}

func hasCell(cells []int32, cell int32) bool {
	for _, c := range cells {
		if c == cell {
			return true
		}
	}
	return false
}

// foodBoard finds a board that the food vectors name: maps/NAME is a real map,
// others are of a recorded game, or of the map that the game was played on.
func foodBoard(t *testing.T, name string) *ants.Map {
	t.Helper()
	dir := GoldenDir(t)
	mapFile := func(name string) string { return filepath.Join(dir, "..", "maps", "ladder", name+".json") }
	var text json.RawMessage
	game := filepath.Join(dir, "ladder", name+".golden.json")
	if board, ok := strings.CutPrefix(name, "maps/"); ok {
		readGolden(t, mapFile(board), &text)
	} else if _, err := os.Stat(game); !errors.Is(err, fs.ErrNotExist) {
		var g struct{ Map json.RawMessage }
		readGolden(t, game, &g)
		text = g.Map
	} else {
		readGolden(t, mapFile(strings.TrimPrefix(name, "replay-")), &text)
	}
	m, err := ants.ParseMap(text)
	if err != nil {
		t.Fatalf("board %s: %v", name, err)
	}
	return m
}
