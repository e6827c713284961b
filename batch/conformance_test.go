package batch_test

import (
	"os"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/envtest"
)

// newFast is a board of a batch of one.
func newFast(rules *ants.Rules, m *ants.Map) (ants.Engine, error) {
	b, err := batch.New(batch.Config{Rules: rules.JSON(), Maps: []env.Map{m}, Boards: 1, Workers: 1})
	if err != nil {
		return nil, err
	}
	return b.Board(0).(ants.Engine), nil
}

func newReference(rules *ants.Rules, m *ants.Map) (ants.Engine, error) { return antsref.New(rules, m) }

// long tells whether the slow suites were asked for.
func long() bool { return os.Getenv("MYRIANT_LONG") != "" }

// TestConformance holds the batch engine to the reference: all rule sets,
// sizes and seats, from the start and from arbitrary states.
func TestConformance(t *testing.T) {
	boards, steps, least := 560, 100, 20_000
	switch {
	case long():
		boards, steps, least = 6000, 150, 400_000
	case testing.Short():
		boards, steps, least = 40, 60, 1000
	}
	if n := envtest.Run(t, envtest.Ants("batch", newFast, newReference, 1, boards, steps)); n < least {
		t.Errorf("compared %d board-turns, want %d or more", n, least)
	}
}

func TestGoldenLadder(t *testing.T) { envtest.GoldenLadder(t, newFast) }

func TestGoldenScenarios(t *testing.T) { envtest.GoldenScenarios(t, newFast) }

func TestGoldenFood(t *testing.T) { envtest.GoldenFood(t, newFast) }

func TestGoldenContest(t *testing.T) { envtest.GoldenContest(t, newFast) }
