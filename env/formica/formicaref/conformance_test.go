package formicaref_test

import (
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
)

func newReference(rules string, m env.Map) (env.Engine, error) {
	c, err := formica.ParseConfig(rules)
	if err != nil {
		return nil, err
	}
	return formicaref.New(&c, m.(*formica.Board))
}

// TestConformance holds the reference to itself: that states go through bytes,
// that errors change nothing, that episodes end and stand still.
func TestConformance(t *testing.T) {
	envtest.Run(t, envtest.Formica("formicaref", newReference, newReference, 1, 80, 30))
}
