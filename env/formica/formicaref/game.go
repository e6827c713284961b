package formicaref

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

func init() { env.Register(game{}) }

type game struct{}

func (game) Name() string { return "formica" }

func (game) RuleSets() []string { return formica.Variants() }

func (game) DecodeMap(data []byte) (env.Map, error) { return formica.ParseBoard(data) }

func (game) NewReference(rules string, m env.Map) (env.Engine, error) {
	c, err := formica.ParseConfig(rules)
	if err != nil {
		return nil, err
	}
	board, ok := m.(*formica.Board)
	if !ok {
		return nil, fmt.Errorf("%w: a board of another game (%T)", env.ErrMap, m)
	}
	return New(&c, board)
}
