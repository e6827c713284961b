// Package mapsource finds the map that a command line names: a bundled one by
// its id, one generated from options, or a file. mapsource.go says how, ants.go
// and formica.go what each game has.
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
)

// A Source is where the maps of one game come from.
type Source struct {
	// Help says what Load reads, for flag descriptions.
	Help string
	// Bundled lists the ids of the maps that come with the program.
	Bundled func() []string

	bundled func(id string) (env.Map, error)
	// generated makes a map of a name that begins with generatedPrefix.
	generated func(name string) (env.Map, error)
	// decode reads a file of at most maxBytes; base names a map without a name.
	decode   func(data []byte, base string) (env.Map, error)
	maxBytes int64
}

const generatedPrefix = "generated:"

// Load returns the map that a name stands for. A bundled id goes before a file
// of the same name; write ./NAME for the file. Errors wrap env.ErrMap or are
// the file system's.
func (s *Source) Load(name string) (env.Map, error) {
	switch {
	case name == "":
		return nil, fmt.Errorf("%w: the name is empty; want a %s", env.ErrMap, s.Help)
	case slices.Contains(s.Bundled(), name):
		return s.bundled(name)
	case strings.HasPrefix(name, generatedPrefix):
		return s.generated(name)
	}
	m, err := s.File(name)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("%w: %q is neither a file nor a bundled map (have %s)", env.ErrMap, name, strings.Join(s.Bundled(), ", "))
	}
	return m, err
}

// File reads and validates a map file in any of the game's forms. A map without
// a name of its own is named after the file.
func (s *Source) File(path string) (env.Map, error) {
	data, err := s.read(path)
	if err != nil {
		return nil, err
	}
	m, err := s.decode(data, baseName(path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// read reads a file of at most the size of a map, and a byte to show that it
// is larger.
func (s *Source) read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read from
	return io.ReadAll(io.LimitReader(f, s.maxBytes+1))
}

// baseName is the file's name without folders and ending.
func baseName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	return name
}
