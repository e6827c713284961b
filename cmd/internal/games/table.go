package games

import (
	"fmt"
	"slices"
	"strings"
)

// table lists the games, the first is the default.
var table = []Game{antsGame{}, formicaGame{}}

// Default is the name of the game that commands play unless told otherwise.
func Default() string { return table[0].Name() }

// Names lists the names of the games.
func Names() []string {
	names := make([]string, len(table))
	for i, g := range table {
		names[i] = g.Name()
	}
	return names
}

// Lookup finds a game by name. The error lists the names that exist.
func Lookup(name string) (Game, error) {
	for _, g := range table {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("unknown game %q (have %s)", name, strings.Join(Names(), ", "))
}

// Each tells something of every game, in one line: "greedy,hunter (ants),
// scripted,raid (formica)".
func Each(of func(g Game) string) string {
	parts := make([]string, len(table))
	for i, g := range table {
		parts[i] = of(g) + " (" + g.Name() + ")"
	}
	return strings.Join(parts, ", ")
}

// CheckPolicies tells whether a game has bundled policies of those names.
func CheckPolicies(g Game, names []string) error {
	have := PolicyNames(g)
	for _, name := range names {
		if !slices.Contains(have, name) {
			return fmt.Errorf("unknown policy %q (have %s)", name, strings.Join(have, ", "))
		}
	}
	return nil
}

// PolicyNames lists the names of a game's policies.
func PolicyNames(g Game) []string {
	var names []string
	for _, p := range g.Policies() {
		names = append(names, p.Name)
	}
	return names
}
