// The boards that come with the program: files that the generator made.

package ants

import (
	"embed"
	"strings"
)

// bundledBoards are the boards in order of size, and what generates each. A
// test checks that the files are what the generator makes of this list, and
// with -update writes them.
var bundledBoards = []struct{ id, spec string }{
	{"tiny-2p", "generated:colonnade:seats=2,rows=24,cols=24,seed=1"},
	{"open-32x32-2p", "generated:open:seats=2,rows=32,cols=32,seed=1"},
	{"codeclash-32x32", "generated:codeclash:seed=1"},
	{"small-3p", "generated:cave:seats=3,rows=36,cols=36,seed=1"},
	{"medium-4p", "generated:maze:seats=4,hills=2,rows=48,cols=64,seed=1"},
	{"open-64x96-2p", "generated:open:seats=2,rows=64,cols=96,seed=1"},
	{"large-6p", "generated:rooms:seats=6,rows=80,cols=96,seed=1"},
	{"xlarge-8p", "generated:cave:seats=8,rows=120,cols=124,seed=1"},
}

//go:embed bundled/*.json
var bundledFiles embed.FS

// Bundled lists the ids of the bundled maps in order of size: boards of 2, 3,
// 4, 6 and 8 seats, one or two hills a seat.
func Bundled() []string {
	ids := make([]string, len(bundledBoards))
	for i := range bundledBoards {
		ids[i] = bundledBoards[i].id
	}
	return ids
}

// BundledMap reads the bundled map of an id. An unknown id is a *MapError with
// CodeUnknown that lists the known ones.
func BundledMap(id string) (*Map, error) {
	for _, b := range bundledBoards {
		if b.id != id {
			continue
		}
		data, err := bundledFiles.ReadFile("bundled/" + id + ".json")
		if err != nil {
			panic("ants: bundled map " + id + " is not embedded: " + err.Error())
		}
		m, err := ParseMapJSON(data)
		if err != nil {
			panic("ants: bundled map " + id + ": " + err.Error())
		}
		return m, nil
	}
	return nil, mapErrorf(CodeUnknown, "no bundled map %q (have %s)", clip(id), strings.Join(Bundled(), ", "))
}
