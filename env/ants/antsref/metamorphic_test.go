package antsref_test

import (
	"testing"

	"github.com/myriant-rl/myriant/env/envtest"
)

func TestTranslation(t *testing.T) { envtest.AntsTranslation(t, newReference, 1, 150) }

func TestRelabelling(t *testing.T) { envtest.AntsRelabelling(t, newReference, 2, 150) }
