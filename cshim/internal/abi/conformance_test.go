package abi

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
)

// An engine is a handle of one board, seen through the interface alone.
type engine struct {
	l     *tester
	id    uint64
	seats int
	ready bool
}

func (l *tester) engine(game, rules string, m env.Map) (env.Engine, error) {
	config := fmt.Sprintf(`{"game":%q,"boards":1,"rules":%s,"maps":[%s],"arrays":["reward","planes"],"workers":1}`, game, rules, m.CanonicalJSON())
	return &engine{l: l, id: l.create(config), seats: m.Seats()}, nil
}

// err is a status as engines tell it.
func (e *engine) err(s Status) error {
	reason, _ := e.l.LastError(e.id)
	switch s {
	case OK:
		return nil
	case ErrOrders:
		return fmt.Errorf("%w: %s", env.ErrOrders, reason)
	case ErrState:
		return fmt.Errorf("%w: %s", env.ErrState, reason)
	case ErrNotReset:
		return fmt.Errorf("%w: %s", env.ErrNotReset, reason)
	}
	return errors.New(s.String() + ": " + reason)
}

func (e *engine) Seats() int { return e.seats }

func (e *engine) Reset(seed uint64) error {
	s := e.l.Library.Reset(e.id, 0)
	if s == OK {
		e.ready = true
		s = e.l.ResetMask(e.id, first([]byte{1}), 1, &seed, SeedsEpisode)
	}
	return e.err(s)
}

func (e *engine) Step(orders [][]byte) error {
	return e.err(e.l.StepBoard(e.id, 0, first(spans(orders, e.seats)), int64(e.seats)))
}

func (e *engine) Outcome() env.Outcome {
	h, _ := e.l.find(e.id)
	return h.b.Outcome(0) // as TestLook compares its JSON with
}

func (e *engine) AppendState(dst []byte) []byte {
	return append(dst, e.l.bytes(e.id, func(out *Bytes) Status { return e.l.State(e.id, 0, out) })...)
}

func (e *engine) SetState(state []byte) error {
	if !e.ready {
		if err := e.Reset(0); err != nil {
			return err
		}
	}
	return e.err(e.l.Library.SetState(e.id, 0, unsafe.SliceData(state), int64(len(state))))
}

func (e *engine) AppendView(dst []byte, seat int) []byte {
	return append(dst, e.l.bytes(e.id, func(out *Bytes) Status { return e.l.View(e.id, 0, int64(seat), out) })...)
}

// TestConformance holds handles to the reference engines, by the suite that
// every engine passes.
func TestConformance(t *testing.T) {
	boards, steps, least := 60, 40, 1000
	if testing.Short() {
		boards, least = 10, 100
	}
	l := newTester(t)
	t.Run("ants", func(t *testing.T) {
		impl := envtest.Ants("interface", nil, func(r *ants.Rules, m *ants.Map) (ants.Engine, error) { return antsref.New(r, m) }, 11, boards, steps)
		impl.New = func(rules string, m env.Map) (env.Engine, error) { return l.engine("ants", rules, m) }
		for i := range impl.Cases {
			impl.Cases[i].Before = nil // scripts and dropouts are no part of the interface
		}
		if n := envtest.Run(t, impl); n < least {
			t.Errorf("compared %d board-turns, want %d or more", n, least)
		}
	})
	t.Run("formica", func(t *testing.T) {
		reference := func(rules string, m env.Map) (env.Engine, error) {
			c, err := formica.ParseConfig(rules)
			if err != nil {
				return nil, err
			}
			return formicaref.New(&c, m.(*formica.Board))
		}
		fast := func(rules string, m env.Map) (env.Engine, error) { return l.engine("formica", rules, m) }
		if n := envtest.Run(t, envtest.Formica("interface", fast, reference, 11, boards/2, steps)); n < least/3 {
			t.Errorf("compared %d board-phases, want %d or more", n, least/3)
		}
	})
}
