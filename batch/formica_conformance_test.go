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

// TestFormicaGames plays the golden games of every variant, state by state.
func TestFormicaGames(t *testing.T) { envtest.FormicaGames(t, newFastFormica, false) }

// TestFormicaSignature folds the same games into the variants' signatures.
func TestFormicaSignature(t *testing.T) { envtest.FormicaSignatures(t, newFastFormica, false) }

// TestFormicaScenes plays the board drawings of the rules.
func TestFormicaScenes(t *testing.T) { envtest.FormicaScenes(t, newFastFormica, false) }

// TestFormicaRelabelling: seats permuted with their orders give states and
// scores permuted the same way.
func TestFormicaRelabelling(t *testing.T) {
	episodes := 500
	if testing.Short() {
		episodes = 20
	}
	envtest.FormicaRelabelling(t, newFastFormica, 5, episodes)
}

// TestFormicaViewLeaks: what a seat may not know changes no byte of its view.
func TestFormicaViewLeaks(t *testing.T) {
	boards := 300
	if testing.Short() {
		boards = 30
	}
	envtest.FormicaLeaks(t, newFastFormica, 3, boards)
}
