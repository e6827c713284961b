package antsref

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

func init() { env.Register(game{}) }

type game struct{}

func (game) Name() string { return "ants" }

func (game) RuleSets() []string { return ants.RuleSetNames() }

func (game) DecodeMap(data []byte) (env.Map, error) { return ants.ParseMap(data) }

func (game) NewReference(rules string, m env.Map) (env.Engine, error) {
	r, err := ants.ParseRules(rules)
	if err != nil {
		return nil, err
	}
	board, ok := m.(*ants.Map)
	if !ok {
		return nil, fmt.Errorf("%w: a map of another game (%T)", env.ErrMap, m)
	}
	return New(&r, board)
}
