package env

import (
	"fmt"
	"sort"
	"strings"
)

var games = map[string]Game{}

// Register makes a game available by name. Games call it from init; a second
// game of one name is a bug and panics.
func Register(g Game) {
	if _, dup := games[g.Name()]; dup {
		panic("env: game registered twice: " + g.Name())
	}
	games[g.Name()] = g
}

// Lookup finds a registered game. The error lists the names that exist.
func Lookup(name string) (Game, error) {
	if g, ok := games[name]; ok {
		return g, nil
	}
	return nil, fmt.Errorf("unknown game %q (have %s)", name, strings.Join(Names(), ", "))
}

// Names lists the registered games in order.
func Names() []string {
	names := make([]string, 0, len(games))
	for name := range games {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
