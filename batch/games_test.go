// The reference's own recordings, played on the batch engine.

package batch_test

import (
	"testing"

	"github.com/myriant-rl/myriant/env/envtest"
)

// TestPlaythroughs plays the board drawings of the rules.
func TestPlaythroughs(t *testing.T) { envtest.Playthroughs(t, newFast, false) }

// TestGames plays the golden games of every rule set, state by state.
func TestGames(t *testing.T) { envtest.Games(t, newFast, false) }

// TestSignature folds the same games into the rule sets' signatures.
func TestSignature(t *testing.T) { envtest.Signatures(t, newFast, false) }
