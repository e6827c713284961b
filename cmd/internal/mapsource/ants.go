package mapsource

import (
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// Ants is where maps of Ants come from.
var Ants = &Source{
	Help:     "bundled id, map file (JSON or text), or generated:FAMILY:key=value,..",
	Bundled:  ants.Bundled,
	maxBytes: ants.MaxMapBytes,
	bundled:  func(id string) (env.Map, error) { return antsMap(ants.BundledMap(id)) },
	generated: func(name string) (env.Map, error) {
		o, err := ants.ParseGenerated(name)
		if err != nil {
			return nil, err
		}
		return antsMap(ants.Generate(o))
	},
	decode: func(data []byte, base string) (env.Map, error) {
		m, err := ants.ParseMap(data)
		if err == nil && m.Name == "" {
			m.Name = base
		}
		return antsMap(m, err)
	},
}

// antsMap keeps a nil map from becoming an env.Map that is not nil.
func antsMap(m *ants.Map, err error) (env.Map, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
