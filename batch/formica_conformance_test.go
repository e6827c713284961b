package batch_test

import (
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
)

// newFastFormica is a board of a batch of one.
func newFastFormica(rules string, m env.Map) (env.Engine, error) {
	b, err := batch.New(batch.Config{Game: "formica", Rules: rules, Maps: []env.Map{m}, Boards: 1, Workers: 1})
	if err != nil {
		return nil, err
	}
	return b.Board(0), nil
}

// newFormicaReference is the reference.
func newFormicaReference(rules string, m env.Map) (env.Engine, error) {
	c, err := formica.ParseConfig(rules)
	if err != nil {
		return nil, err
	}
	return formicaref.New(&c, m.(*formica.Board))
}

// TestFormicaConformance holds the batch engine to the reference: all variants
// and changes of them, all seats, small and large boards, from the start and
// from arbitrary states.
func TestFormicaConformance(t *testing.T) {
	boards, steps, least := 300, 60, 8_000
	switch {
	case long():
		boards, steps, least = 4000, 100, 150_000
	case testing.Short():
		boards, steps, least = 30, 40, 500
	}
	if n := envtest.Run(t, envtest.Formica("batch", newFastFormica, newFormicaReference, 1, boards, steps)); n < least {
		t.Errorf("compared %d board-phases, want %d or more", n, least)
	}
}
