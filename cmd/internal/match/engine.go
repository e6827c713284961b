// A board to play on, by the name of its engine.

package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
)

// The engines, fastest first.
const (
	Batch     = "batch"
	Reference = "reference"
)

// Engines lists the names of the engines.
func Engines() []string { return []string{Batch, Reference} }

// CheckEngine tells whether an engine of that name exists.
func CheckEngine(name string) error {
	if !slices.Contains(Engines(), name) {
		return fmt.Errorf("no engine %q (have %s)", name, strings.Join(Engines(), ", "))
	}
	return nil
}

// NewEngine makes one board of a game on the named engine. Call done when
// finished with it. Errors wrap env.ErrRules or env.ErrMap.
func NewEngine(name, game, rules string, m env.Map) (e env.Engine, done func(), err error) {
	if err := CheckEngine(name); err != nil {
		return nil, nil, err
	}
	if name == Reference {
		g, err := env.Lookup(game)
		if err != nil {
			return nil, nil, err
		}
		e, err := g.NewReference(rules, m)
		return e, func() {}, err
	}
	b, err := batch.New(batch.Config{
		Game: game, Rules: rules, Maps: []env.Map{m}, Boards: 1, Workers: 1, Arrays: []string{}, Autoreset: batch.Disabled,
	})
	if err != nil {
		return nil, nil, err
	}
	return b.Board(0), b.Close, nil
}
