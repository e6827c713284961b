package antsref_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
)

// FuzzStep plays one turn from any legal state.
func FuzzStep(f *testing.F) { envtest.FuzzAntsInvariants(f, newReference) }

// FuzzSetState offers spoiled states: they are refused with env.ErrState and
// change nothing, or they are kept to the byte and can be played on.
func FuzzSetState(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint16(seed*977), byte(seed), uint16(0))
	}
	f.Fuzz(func(t *testing.T, seed uint64, at uint16, value byte, cut uint16) {
		turn := envtest.DrawAntsTurn(envtest.Choices(seed % 64))
		e, err := newReference(&turn.Rules, turn.Map)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Reset(seed); err != nil {
			t.Fatal(err)
		}
		before := e.AppendState(nil)
		state := turn.State.Append(nil)
		state[int(at)%len(state)] ^= value
		state = state[:len(state)-int(cut)%len(state)]
		if err := e.SetState(state); err != nil {
			if !errors.Is(err, env.ErrState) {
				t.Fatalf("error %v does not wrap %v", err, env.ErrState)
			}
			if !bytes.Equal(e.AppendState(nil), before) {
				t.Fatal("a refused state changed the engine")
			}
			return
		}
		if got := e.AppendState(nil); !bytes.Equal(got, state) {
			t.Fatalf("an accepted state came back different:\n%s", envtest.AntsDiff(turn.Map, got, state))
		}
		if err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		if err := e.SetState(e.AppendState(nil)); err != nil {
			t.Fatalf("a turn from an accepted state led to one that is refused: %v", err)
		}
	})
}
