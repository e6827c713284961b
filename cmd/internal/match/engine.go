// A board to play on, by the name of its engine.

package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
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

// NewEngine makes one board on the named engine. Call done when finished with
// it. Errors wrap env.ErrRules or env.ErrMap.
func NewEngine(name string, r *ants.Rules, m *ants.Map) (e ants.Engine, done func(), err error) {
	if err := CheckEngine(name); err != nil {
		return nil, nil, err
	}
	if name == Reference {
		ref, err := antsref.New(r, m)
		return ref, func() {}, err
	}
	b, err := batch.New(batch.Config{
		Rules: r.JSON(), Maps: []env.Map{m}, Boards: 1, Workers: 1, Arrays: []string{}, Autoreset: batch.Disabled,
	})
	if err != nil {
		return nil, nil, err
	}
	board, ok := b.Board(0).(ants.Engine)
	if !ok {
		panic(fmt.Sprintf("match: a board of the batch is no ants.Engine but %T", b.Board(0)))
	}
	return board, b.Close, nil
}
