package antsref_test

import (
	"flag"
	"testing"

	"github.com/myriant-rl/myriant/env/envtest"
)

var update = flag.Bool("update", false, "rewrite the drawings, games and signatures of env/ants/testdata")

func TestPlaythroughs(t *testing.T) { envtest.Playthroughs(t, newReference, *update) }

func TestGames(t *testing.T) { envtest.Games(t, newReference, *update) }

func TestSignature(t *testing.T) { envtest.Signatures(t, newReference, *update) }
