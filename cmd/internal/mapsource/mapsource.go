// Package mapsource finds the map that a command line names: a bundled one by
// its id, one generated from options, or a file.
package mapsource

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// Default is the bundled map that commands use when none is named.
const Default = "open-32x32-2p"

// Help says what Load reads, for flag descriptions.
const Help = "bundled id, map file (JSON or text), or generated:FAMILY:key=value,.."

// Load returns the map that a name stands for. A bundled id goes before a file
// of the same name; write ./NAME for the file. Errors wrap env.ErrMap or are
// the file system's.
func Load(name string) (*ants.Map, error) {
	switch {
	case name == "":
		return nil, fmt.Errorf("%w: the name is empty; want a %s", env.ErrMap, Help)
	case slices.Contains(ants.Bundled(), name):
		return ants.BundledMap(name)
	case strings.HasPrefix(name, ants.GeneratedPrefix):
		o, err := ants.ParseGenerated(name)
		if err != nil {
			return nil, err
		}
		return ants.Generate(o)
	}
	m, err := File(name)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("%w: %q is neither a file nor a bundled map (have %s)", env.ErrMap, name, strings.Join(ants.Bundled(), ", "))
	}
	return m, err
}

// File reads and validates a map file in either form. A map without a name of
// its own, as all in text form, is named after the file.
func File(path string) (*ants.Map, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	m, err := ants.ParseMap(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Name == "" {
		m.Name = baseName(path)
	}
	return m, nil
}

// read reads a file of at most the size of a map, and a byte to show that it
// is larger.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read from
	return io.ReadAll(io.LimitReader(f, ants.MaxMapBytes+1))
}

// baseName is the file's name without folders and ending.
func baseName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	return name
}
