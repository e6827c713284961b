package ants

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the files that tests compare with")

// matchFile compares data with a file, or writes it with -update.
func matchFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if !bytes.Equal(data, want) {
		t.Errorf("%s differs from what is made now (-update rewrites it); now:\n%.6000s", path, data)
	}
}

// TestBundledFiles checks that every file is what the generator makes.
func TestBundledFiles(t *testing.T) {
	names := []string{}
	for _, b := range bundledBoards {
		o, err := ParseGenerated(b.spec)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Generate(o)
		if err != nil {
			t.Fatal(err)
		}
		m.Name = b.id
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		matchFile(t, filepath.Join("bundled", b.id+".json"), append(data, '\n'))
		names = append(names, b.id+".json")
	}
	entries, err := os.ReadDir("bundled")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(names, e.Name()) {
			t.Errorf("bundled/%s is not in the list", e.Name())
		}
	}
}

func TestBundled(t *testing.T) {
	seats := map[int]bool{}
	for _, id := range Bundled() {
		m, err := BundledMap(id)
		if err != nil {
			t.Fatal(err)
		}
		if m.ID() != id {
			t.Errorf("map %s is named %s", id, m.ID())
		}
		seats[m.Players] = true
	}
	for _, n := range []int{2, 3, 4, 6, 8} {
		if !seats[n] {
			t.Errorf("no board of %d seats", n)
		}
	}
	var bad *MapError
	if _, err := BundledMap("nowhere"); !errors.As(err, &bad) || bad.Code != CodeUnknown {
		t.Errorf("got %v for an unknown map, want %s", err, CodeUnknown)
	}
}
