package mapsource

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// Formica is where boards of Formica come from.
var Formica = &Source{
	Help:      "bundled id, board file (JSON), or generated:seats=4,radius=12",
	Bundled:   formica.BundledBoards,
	maxBytes:  1 << 16,
	bundled:   func(id string) (env.Map, error) { return formicaBoard(formica.BundledBoard(id)) },
	generated: generatedBoard,
	decode: func(data []byte, base string) (env.Map, error) {
		if len(data) > 1<<16 {
			return nil, fmt.Errorf("%w: more than %d bytes", env.ErrMap, 1<<16)
		}
		b, err := formica.ParseBoard(data)
		if err == nil && b.Name == "" {
			return formicaBoard(formica.NewBoard(base, b.Players, b.Radius))
		}
		return formicaBoard(b, err)
	},
}

// generatedBoard reads "generated:seats=3,radius=12"; what is not said is as in
// the default rule set. The board is named by the whole text.
func generatedBoard(name string) (env.Map, error) {
	c, err := formica.Variant(formica.Variants()[0])
	if err != nil {
		return nil, err
	}
	numbers := map[string]*int{"seats": &c.Seats, "radius": &c.Radius}
	for part := range strings.SplitSeq(strings.TrimPrefix(name, generatedPrefix), ",") {
		key, value, _ := strings.Cut(part, "=")
		to := numbers[key]
		if to == nil {
			return nil, fmt.Errorf("%w: %q: no key %q, want seats or radius", env.ErrMap, name, key)
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %s is %q, want a number", env.ErrMap, name, key, value)
		}
		*to = n
	}
	return formicaBoard(formica.NewBoard(fmt.Sprintf("%sseats=%d,radius=%d", generatedPrefix, c.Seats, c.Radius), c.Seats, c.Radius))
}

// formicaBoard keeps a nil board from becoming an env.Map that is not nil.
func formicaBoard(b *formica.Board, err error) (env.Map, error) {
	if err != nil {
		return nil, err
	}
	return b, nil
}
