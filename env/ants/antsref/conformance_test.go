package antsref_test

import (
	"testing"

	"github.com/myriant-rl/myriant/env/envtest"
)

// TestConformance holds the reference to itself: that states go through bytes,
// that errors change nothing, that episodes end and stand still.
func TestConformance(t *testing.T) {
	envtest.Run(t, envtest.Ants("antsref", newReference, newReference, 1, 60, 40))
}
