package formicaref_test

import (
	"testing"

	"github.com/myriant-rl/myriant/env/envtest"
)

// TestRelabelling: no rule knows a seat's number.
func TestRelabelling(t *testing.T) {
	episodes := 500
	if testing.Short() {
		episodes = 60
	}
	envtest.FormicaRelabelling(t, newReference, 2, episodes)
}

// TestLeaks: a seat's message depends on nothing that the seat may not know.
func TestLeaks(t *testing.T) { envtest.FormicaLeaks(t, newReference, 3, 300) }
