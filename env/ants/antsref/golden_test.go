package antsref_test

import (
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/envtest"
)

func newReference(rules *ants.Rules, m *ants.Map) (ants.Engine, error) { return antsref.New(rules, m) }

func TestGoldenLadder(t *testing.T) { envtest.GoldenLadder(t, newReference) }

func TestGoldenScenarios(t *testing.T) { envtest.GoldenScenarios(t, newReference) }

func TestGoldenFood(t *testing.T) { envtest.GoldenFood(t, newReference) }

func TestGoldenContest(t *testing.T) { envtest.GoldenContest(t, newReference) }

func TestGoldenOrderLines(t *testing.T) { envtest.GoldenOrderLines(t) }

func TestGoldenTranscripts(t *testing.T) { envtest.GoldenTranscripts(t, newReference) }
