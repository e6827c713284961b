// The behaviour signature of each variant, as files that hold recorded play
// name it.

package formica

import (
	_ "embed"
	"strings"
)

//go:embed testdata/signatures.txt
var signatures string

// Signature is the behaviour signature of a named variant, the hash over every
// state of a fixed set of games: engines of one signature play one game. It is
// "" for a name that has none.
func Signature(variant string) string {
	for line := range strings.Lines(signatures) {
		if name, number, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == variant {
			return number
		}
	}
	return ""
}
