package mapsource

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// Formica is where boards of Formica come from.
var Formica = &Source{
	Help:      "bundled id, board file (JSON), or generated:seats=4,radius=12",
	Bundled:   formica.BundledBoards,
	maxBytes:  1 << 16,
	bundled:   func(id string) (env.Map, error) { return formicaBoard(formica.BundledBoard(id)) },
	generated: func(name string) (env.Map, error) { return formicaBoard(formica.GeneratedBoard(name)) },
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

// formicaBoard keeps a nil board from becoming an env.Map that is not nil.
func formicaBoard(b *formica.Board, err error) (env.Map, error) {
	if err != nil {
		return nil, err
	}
	return b, nil
}
