package mapsource

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// small is a bundled map.
const small = "open-32x32-2p"

func TestLoad(t *testing.T) {
	bundled, err := Ants.Load(small)
	if err != nil {
		t.Fatal(err)
	}
	if bundled.ID() != small {
		t.Errorf("the bundled map %s is named %q", small, bundled.ID())
	}
	const spec = "generated:maze:seats=3,seed=5"
	loaded, err := Ants.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	generated := loaded.(*ants.Map)
	if generated.Players != 3 {
		t.Errorf("%s has %d seats", spec, generated.Players)
	}
	dir := t.TempDir()
	text := filepath.Join(dir, "from.text.map")
	if err := os.WriteFile(text, generated.AppendText(nil), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := Ants.Load(text)
	if err != nil {
		t.Fatal(err)
	}
	if rows, _ := m.Size(); m.ID() != "from.text" || rows != generated.Rows {
		t.Errorf("%s became %q of %d rows", text, m.ID(), rows)
	}
	whole, err := generated.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	// A file named like a bundled map is reached by a path.
	t.Chdir(dir)
	if err := os.WriteFile(small, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err = Ants.Load(small); err != nil || m.Digest() != bundled.Digest() {
		t.Errorf("%s is not the bundled map: %v", small, err)
	}
	if m, err = Ants.Load("./" + small); err != nil || m.Digest() != generated.Digest() {
		t.Errorf("./%s is not the file's map: %v", small, err)
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.map")
	if err := os.WriteFile(large, make([]byte, ants.MaxMapBytes+10), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken.map")
	if err := os.WriteFile(broken, []byte("rows 3\ncols 3\nplayers 2\nm ...\nm .0.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, part string
		is         error
	}{
		{"", "the name is empty", env.ErrMap},
		{"no-such-map", "have tiny-2p", env.ErrMap},
		{"./no-such-map", "no such file", fs.ErrNotExist},
		{"generated:moon", `no family "moon"`, env.ErrMap},
		{large, "large.map: bad map: size", env.ErrMap},
		{broken, "broken.map: bad map: size: 2 m lines, rows is 3", env.ErrMap},
		{dir, "is a directory", nil},
	} {
		_, err := Ants.Load(c.name)
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%q: %v, want %q in it", c.name, err, c.part)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%q: %v is no %v", c.name, err, c.is)
		}
	}
}
