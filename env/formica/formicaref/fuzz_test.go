package formicaref_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
)

// FuzzSetState offers spoiled states: they are refused with env.ErrState and
// change nothing, or they are kept to the byte and can be played on.
func FuzzSetState(f *testing.F) {
	for seed := range uint64(16) {
		f.Add(seed, uint16(seed*977), byte(seed), uint16(0))
	}
	f.Add(uint64(3), uint16(5), byte(255), uint16(9))
	f.Fuzz(func(t *testing.T, seed uint64, at uint16, value byte, cut uint16) {
		choose := envtest.Choices(seed % 64)
		c, b := envtest.FormicaConfig(choose), envtest.FormicaBoard(choose)
		e, err := newReference(c.JSON(), b)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Reset(seed); err != nil {
			t.Fatal(err)
		}
		before := e.AppendState(nil)
		state := envtest.FormicaState(choose, &c, b).Append(nil)
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
			t.Fatalf("an accepted state came back different:\n%s", envtest.FormicaDiff(b, got, state))
		}
		for seat := range b.Players {
			e.AppendView(nil, seat)
		}
		if err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		if err := e.SetState(e.AppendState(nil)); err != nil {
			t.Fatalf("a step from an accepted state led to one that is refused: %v", err)
		}
	})
}
