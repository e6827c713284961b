package square

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
)

// A native is a policy that plays inside the engine.
type native struct {
	name string
}

// scratch is a worker's memory for native policies.
type scratch struct{}

func newScratch(*Engine) scratch { return scratch{} }

func newNative(name string) (*native, error) {
	return nil, fmt.Errorf("%w: no policy %q", env.ErrRules, name)
}

func (e *Engine) actNative(w *worker, seat int, dst []byte) []byte { return dst }
