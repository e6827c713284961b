// Where tests find the recorded data that is not part of the repository.

package ants

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goldenDir is the folder of recorded data; a test skips where there is none.
func goldenDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MYRIANT_GOLDEN")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "golden")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no golden data at %s (set MYRIANT_GOLDEN)", dir)
	}
	return dir
}

// mapsDir is the folder of real maps, beside the golden data.
func mapsDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(goldenDir(t), "..", "maps")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no maps at %s, beside the golden data", dir)
	}
	return dir
}

// readJSON reads a file, unpacked if its name says so, into v.
func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		dec = json.NewDecoder(z)
	}
	if err := dec.Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
