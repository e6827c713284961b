package envtest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// NewAnts makes an Ants engine to be tested.
type NewAnts func(rules *ants.Rules, m *ants.Map) (ants.Engine, error)

// GoldenDir is the folder of recorded data: MYRIANT_GOLDEN, by default
// ../shared/golden from the project's root. A test skips where there is none.
func GoldenDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MYRIANT_GOLDEN")
	if dir == "" {
		dir = filepath.Join(projectRoot(t), "..", "shared", "golden")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no golden data at %s (set MYRIANT_GOLDEN)", dir)
	}
	return dir
}

// projectRoot is the nearest folder upwards with a go.mod.
func projectRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// goldenFiles lists the files of a pattern in the golden folder; there must be
// some.
func goldenFiles(t *testing.T, pattern ...string) []string {
	t.Helper()
	glob := filepath.Join(append([]string{GoldenDir(t)}, pattern...)...)
	files, err := filepath.Glob(glob)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no golden files match %s", glob)
	}
	return files
}

// readGolden reads a JSON file, unpacked if its name says so. Numbers of any
// size come back exact where v holds json.Number.
func readGolden(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func baseName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".json")
}

// A rc is a row and a column.
type rc [2]int

func cellOf(m *ants.Map, p rc) int32 { return int32(p[0]*m.Cols + p[1]) }

func cellsOf(m *ants.Map, places []rc) []int32 {
	cells := make([]int32, len(places))
	for i, p := range places {
		cells[i] = cellOf(m, p)
	}
	return cells
}

// actionsOf reads one character an ant; an unknown one is Stay.
func actionsOf(chars string) []ants.Action {
	actions := make([]ants.Action, len(chars))
	for i := range chars {
		actions[i] = ants.Stay
		if a := strings.IndexByte(ants.ActionChars, chars[i]); a >= 0 {
			actions[i] = ants.Action(a)
		}
	}
	return actions
}

// ones counts the bits of a set of cells.
func ones(words []uint64) int {
	n := 0
	for _, w := range words {
		for ; w != 0; w &= w - 1 {
			n++
		}
	}
	return n
}

// A checker collects what differs in one turn.
type checker struct{ diffs []string }

// same notes a difference between two values that print alike when equal.
func (c *checker) same(what string, got, want any) {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		c.diffs = append(c.diffs, fmt.Sprintf("%s is %s, want %s", what, g, w))
	}
}

// report fails the test, naming the turn, if anything differed.
func (c *checker) report(t *testing.T, turn int) {
	t.Helper()
	if len(c.diffs) > 0 {
		t.Fatalf("turn %d:\n  %s", turn, strings.Join(c.diffs, "\n  "))
	}
}

func parseSeed(t *testing.T, n json.Number) uint64 {
	t.Helper()
	seed, err := strconv.ParseUint(n.String(), 10, 64)
	if err != nil {
		t.Fatalf("seed: %v", err)
	}
	return seed
}
