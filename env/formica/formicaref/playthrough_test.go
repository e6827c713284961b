package formicaref_test

import (
	"flag"
	"testing"

	"github.com/myriant-rl/myriant/env/envtest"
)

var update = flag.Bool("update", false, "rewrite the scenes, games and signatures of env/formica/testdata")

func TestGames(t *testing.T) { envtest.FormicaGames(t, newReference, *update) }

func TestSignature(t *testing.T) { envtest.FormicaSignatures(t, newReference, *update) }

func TestScenes(t *testing.T) { envtest.FormicaScenes(t, newReference, *update) }
