package ants

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestDrawings shows a board of every family.
func TestDrawings(t *testing.T) {
	for _, spec := range []string{
		"generated:open:seats=2,rows=28,cols=40,seed=3",
		"generated:maze:seats=4,rows=32,cols=40,seed=3",
		"generated:cave:seats=3,rows=36,cols=45,seed=3",
		"generated:rooms:seats=2,hills=2,rows=40,cols=48,seed=3",
		"generated:colonnade:seats=2,rows=36,cols=36,seed=3",
		"generated:codeclash:seed=3",
	} {
		m := generated(t, spec)
		name := strings.Split(spec, ":")[1] + ".map"
		text := "# " + spec + "\n" + string(m.AppendText(nil))
		matchFile(t, filepath.Join("testdata", "generated", name), []byte(text))
	}
}

func generated(t interface{ Fatal(...any) }, spec string) *Map {
	o, err := ParseGenerated(spec)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Generate(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func drawOptions(t *rapid.T) GenerateOptions {
	o := GenerateOptions{
		Family:       rapid.SampledFrom(FamilyNames()).Draw(t, "family"),
		Seats:        rapid.IntRange(MinSeats, MaxGenerateSeats).Draw(t, "seats"),
		HillsPerSeat: rapid.IntRange(1, MaxGenerateHills).Draw(t, "hills"),
		Seed:         rapid.Uint64().Draw(t, "seed"),
	}
	if rapid.Bool().Draw(t, "sized") {
		// A multiple of the seats always has a move, if not always a wide one.
		least := (MinGenerateSide + o.Seats - 1) / o.Seats
		o.Rows = o.Seats * rapid.IntRange(least, 64/o.Seats).Draw(t, "rows/seats")
		o.Cols = rapid.IntRange(MinGenerateSide, 64).Filter(func(c int) bool { return hasMove(o.Rows, c, o.Seats) }).Draw(t, "cols")
	}
	if rapid.Bool().Draw(t, "wet") {
		o.WaterPercent = rapid.IntRange(1, MaxGenerateWaterPercent).Draw(t, "water")
	}
	return o
}

// TestGenerated checks what every generated board must be.
func TestGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		m, err := Generate(o)
		if err != nil {
			t.Fatal(err)
		}
		// Validate holds it to its symmetry, to hills in orbits and to
		// connected land.
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if m.Symmetry == nil || m.Players != o.Seats || len(m.Hills) != o.Seats*o.HillsPerSeat {
			t.Fatalf("symmetry %v, %d players, %d hills", m.Symmetry, m.Players, len(m.Hills))
		}
		if o.Rows != 0 && (m.Rows != o.Rows || m.Cols != o.Cols) {
			t.Fatalf("%dx%d, want %dx%d", m.Rows, m.Cols, o.Rows, o.Cols)
		}
		if m.FoodTarget != len(m.Food) || len(m.Food) == 0 || len(m.Food)%m.Players != 0 {
			t.Fatalf("%d food, target %d", len(m.Food), m.FoodTarget)
		}
		if m.Sets().Len() == 0 {
			t.Fatal("no food sets")
		}
		for i, h := range m.Hills {
			g := &ground{Map: m, water: m.Water, sides: newGround(m.Rows, m.Cols, m.Players, *m.Symmetry).sides}
			steps := g.walks([]int32{h.Cell})
			for _, other := range m.Hills[:i] {
				if steps[other.Cell] < minHillsApart {
					t.Fatalf("hills %d steps apart", steps[other.Cell])
				}
			}
		}
		// The name makes the same board again.
		again := generated(t, m.Name)
		if !bytes.Equal(again.CanonicalJSON(), m.CanonicalJSON()) {
			t.Fatalf("%s made another board", m.Name)
		}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ParseMap(data)
		if err != nil {
			t.Fatal(err)
		}
		diffMaps(t, "from JSON", read, m)
		text, err := ParseMap(m.AppendText(nil))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(text.Water, m.Water) || !slices.Equal(sorted(text.Hills), sorted(m.Hills)) {
			t.Fatal("the text form has other water or hills")
		}
		food := slices.Clone(m.Food)
		slices.Sort(food)
		if !slices.Equal(text.Food, food) {
			t.Fatalf("the text form has food %v, want %v", text.Food, food)
		}
	})
}

// TestGenerateCorners makes the smallest, the largest and the fullest boards.
func TestGenerateCorners(t *testing.T) {
	for _, family := range FamilyNames() {
		for _, o := range []GenerateOptions{
			{Rows: 24, Cols: 24, Seats: 2},
			{Rows: 24, Cols: 24, Seats: 8, HillsPerSeat: 4},
			{Rows: 24, Cols: 28, Seats: 7, HillsPerSeat: 4, WaterPercent: 60},
			{Rows: 29, Cols: 28, Seats: 7, HillsPerSeat: 4},
			{Rows: 26, Cols: 24, Seats: 8, HillsPerSeat: 4},
			{Rows: 124, Cols: 120, Seats: 8, HillsPerSeat: 4},
			{Rows: 124, Cols: 124, Seats: 2, WaterPercent: 60},
			{Rows: 124, Seats: 7},
			{Cols: 100, Seats: 5},
		} {
			o.Family, o.Seed = family, math.MaxUint64
			m, err := Generate(o)
			if err != nil {
				t.Errorf("%s: %v", o, err)
				continue
			}
			if o.Rows > 0 && m.Rows != o.Rows || o.Cols > 0 && m.Cols != o.Cols {
				t.Errorf("%s: is %dx%d", o, m.Rows, m.Cols)
			}
		}
	}
}

// TestGenerateSeeds checks that seeds matter and that water can be chosen.
func TestGenerateSeeds(t *testing.T) {
	for _, family := range append(FamilyNames(), CodeClash) {
		a, b := GenerateOptions{Family: family, Seed: 1}, GenerateOptions{Family: family, Seed: 2}
		m, err := Generate(a)
		if err != nil {
			t.Fatal(err)
		}
		n, err := Generate(b)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(m.Water, n.Water) || slices.Equal(m.Food, n.Food) {
			t.Errorf("%s: two seeds make the same water or food", family)
		}
		if family == CodeClash {
			continue
		}
		for _, percent := range []int{10, 40} {
			a.WaterPercent = percent
			m, err := Generate(a)
			if err != nil {
				t.Fatal(err)
			}
			if got := (&ground{water: m.Water}).wet() * 100 / len(m.Water); abs(got-percent) > 3 {
				t.Errorf("%s: %d%% water, asked for %d%%", family, got, percent)
			}
		}
	}
}

func TestGenerateCodeClash(t *testing.T) {
	for seed := range uint64(20) {
		m, err := GenerateCodeClash(seed)
		if err != nil {
			t.Fatal(err)
		}
		if m.Rows != 32 || m.Cols != 32 || m.Players != 2 || len(m.Hills) != 2 || *m.Symmetry != (Shift{16, 16}) {
			t.Errorf("seed %d: %dx%d, %d players, %d hills, move %v", seed, m.Rows, m.Cols, m.Players, len(m.Hills), *m.Symmetry)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, c := range []struct{ spec, says string }{
		{"maze:seats=2", "does not begin"},
		{"generated:swamp:seed=1", "have open, maze, cave, rooms, colonnade, codeclash"},
		{"generated:maze:seats=9", "want 2..8"},
		{"generated:maze:seats=1", "want 2..8"},
		{"generated:maze:hills=5", "want 1..4"},
		{"generated:maze:water=61", "want 0..60"},
		{"generated:maze:rows=23", "want 24..124"},
		{"generated:maze:rows=48,cols=125", "want 24..124"},
		{"generated:maze:rows=-1", "want 24..124"},
		{"generated:maze:seats=5,rows=32,cols=32", "nearest sizes that have one: 30x32, 32x30"},
		{"generated:maze:seats=8,rows=29,cols=24", "nearest sizes that have one: 28x24, 30x24"},
		{"generated:maze:seats", "no key=value"},
		{"generated:maze:", "no key=value"},
		{"generated:maze:size=3", "have seats, hills, rows, cols, water, seed"},
		{"generated:maze:seats=two", "is no number"},
		{"generated:maze:seed=-1", "is no 64-bit number"},
		{"generated:maze:seed=1,seed=2", "given twice"},
		{"generated:codeclash:rows=48", "only its seed"},
	} {
		_, err := ParseGenerated(c.spec)
		var bad *MapError
		if !errors.As(err, &bad) || bad.Code != CodeOptions || !strings.Contains(bad.Msg, c.says) {
			t.Errorf("%s: got %v, want %s: ..%s..", c.spec, err, CodeOptions, c.says)
		}
	}
	if _, err := Generate(GenerateOptions{}); err == nil {
		t.Error("no family was accepted")
	}
}

func TestParseGenerated(t *testing.T) {
	o, err := ParseGenerated("generated:maze:seats=4,hills=2,rows=48,cols=64,water=20,seed=0xffffffffffffffff")
	want := GenerateOptions{Family: "maze", Seats: 4, HillsPerSeat: 2, Rows: 48, Cols: 64, WaterPercent: 20, Seed: math.MaxUint64}
	if err != nil || o != want {
		t.Fatalf("got %+v, %v, want %+v", o, err, want)
	}
	if again, err := ParseGenerated(o.String()); err != nil || again != o {
		t.Errorf("%s reads as %+v, %v", o, again, err)
	}
	if o, err = ParseGenerated("generated:cave"); err != nil || o != (GenerateOptions{Family: "cave"}) {
		t.Errorf("got %+v, %v", o, err)
	}
	if o, err = ParseGenerated("generated:codeclash:seed=9,seats=2"); err != nil || o.Seed != 9 {
		t.Errorf("got %+v, %v", o, err)
	}
}

// TestSpare checks the local test for cutting land against the real thing.
func TestSpare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGround(12, 12, 2, Shift{6, 6})
		for c := range g.water {
			if rapid.IntRange(0, 2).Draw(t, "wet") == 0 {
				g.set(int32(c), true)
			}
		}
		_, before := g.regions()
		c := int32(rapid.IntRange(0, len(g.water)-1).Draw(t, "cell"))
		if g.water[c] || !g.spare(c) {
			return
		}
		g.set(c, true)
		if _, after := g.regions(); len(after) > len(before) {
			t.Fatalf("making %d water cut %d regions into %d", c, len(before), len(after))
		}
	})
}
