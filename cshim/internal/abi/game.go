// What the interface tells of a game beyond what its batches declare.

package abi

import (
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// A game is what the interface knows of a game.
type game struct {
	name string
	// ruleSets lists the named rule sets, the first is the default. rules reads
	// one: "", a name, or a JSON object. Errors wrap env.ErrRules.
	ruleSets func() []string
	rules    func(text string) (*ruleSet, error)
	// maps lists the bundled maps. named makes a map of a name, decode reads one
	// in any form, usual is that of a batch that names none. Errors wrap
	// env.ErrMap.
	maps   func() []string
	named  func(name string) (env.Map, error)
	decode func(data []byte) (env.Map, error)
	usual  func(r *ruleSet) (env.Map, error)

	policies []label // from the weakest to the strongest
	terms    []term  // of the reward
	options  []label // switches
	planes   []obs.DType
	// points is what 1 in an array of scores is worth.
	points float64

	// roles are those of arrays that tell more than a seat may know or how it
	// fares; all others are observations.
	roles map[string]role
	// masks names, for each head, the arrays that say what it may hold.
	masks map[string][]string
	// labels names the entries along an axis of an array or a head, nil if they
	// have no names; axes are symbols, and sizes the batch's.
	labels func(f obs.Field, axis int, sizes obs.Sizes, options map[string]bool) []label
}

// A label is a name and what it means.
type label struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// A term is a term of the reward.
type term struct {
	Name    string  `json:"name"`
	Doc     string  `json:"doc"`
	Default float64 `json:"default"`
}

// A role is what an array is for.
type role string

const (
	isObservation role = "observation"
	isMask        role = "mask"
	isReward      role = "reward"
	isFlag        role = "flag"
	isHidden      role = "hidden"
)

// A ruleSet is a rule set that was read.
type ruleSet struct {
	name      string
	json      string // all of it
	signature string
	maxSteps  int
	reasons   []string
}

// allGames lists the games.
var allGames = []*game{&antsGame, &formicaGame}

// findGame finds a game by name; "" is the first.
func findGame(name string) (*game, error) {
	var have []string
	for _, g := range allGames {
		if g.name == name || name == "" {
			return g, nil
		}
		have = append(have, g.name)
	}
	return nil, &failure{ErrConfig, fmt.Sprintf("no game %q (have %s)", name, strings.Join(have, ", "))}
}

// asMap keeps a nil map from becoming an env.Map that is not nil.
func asMap[M env.Map](m M, err error) (env.Map, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// planeLabels are the labels of channels.
func planeLabels(planes []obs.Plane) []label {
	list := make([]label, len(planes))
	for i, p := range planes {
		list[i] = label(p)
	}
	return list
}

// words are labels without a text.
func words(names ...string) []label {
	list := make([]label, len(names))
	for i, n := range names {
		list[i].Name = n
	}
	return list
}
