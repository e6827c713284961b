package mapsource

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

func TestLoadFormica(t *testing.T) {
	for name, want := range map[string]struct{ seats, side int }{
		"duel": {2, 21}, "default": {4, 25}, "generated:seats=3": {3, 25}, "generated:radius=14,seats=6": {6, 29},
	} {
		m, err := Formica.Load(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if rows, cols := m.Size(); m.Seats() != want.seats || rows != want.side || cols != want.side {
			t.Errorf("%s has %d seats on %dx%d", name, m.Seats(), rows, cols)
		}
	}
	// A generated board's name makes it again; a file names a board without a name.
	m, err := Formica.Load("generated:seats=6")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Formica.Load(m.ID()); err != nil || again.Digest() != m.Digest() {
		t.Errorf("%s is another board: %v", m.ID(), err)
	}
	path := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(path, []byte(`{"game":"formica","seats":3,"radius":11}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err = Formica.Load(path); err != nil || m.ID() != "mine" || m.Seats() != 3 {
		t.Errorf("%s: %v, %v", path, m, err)
	}
}

func TestLoadFormicaErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, part string }{
		{"", "the name is empty"},
		{"tiny-2p", "neither a file nor a bundled map (have default, duel, seeded-quartet)"},
		{"generated:seats=5", "5 colonies cannot stand symmetrically"},
		{"generated:radius=4", "radius 4 is too small for 4 seats"},
		{"generated:rows=4", `no key "rows", want seats or radius`},
		{"generated:seats=many", `seats is "many", want a number`},
		{file("ants.json", `{"rows":2,"cols":2}`), "ants.json: bad map"},
		{file("five.json", `{"game":"formica","seats":5,"radius":12}`), "five.json: bad map: seats: 5 colonies"},
		{file("large.json", strings.Repeat(" ", 1<<16+9)), "large.json: bad map: more than 65536 bytes"},
	} {
		if _, err := Formica.Load(c.name); err == nil || !strings.Contains(err.Error(), c.part) || !errors.Is(err, env.ErrMap) {
			t.Errorf("%q: %v, want %q in it", c.name, err, c.part)
		}
	}
}
