package envtest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

// A NewEngine makes an engine for one board. rules is as env.Game.NewReference
// takes it.
type NewEngine func(rules string, m env.Map) (env.Engine, error)

// An Implementation is what Run holds to its reference.
type Implementation struct {
	Name      string
	New       NewEngine // the engine under test
	Reference NewEngine
	Cases     []Case
	// Diff explains how two states of a map differ; nil shows the first byte.
	Diff func(m env.Map, got, want []byte) string
}

// A Case is one board that Run plays.
type Case struct {
	Name  string // tells everything needed to make the case again
	Rules string
	Map   env.Map
	Seed  uint64 // of the episode, and of all choices made while playing it
	Steps int    // played at most
	// Start, if not nil, makes a state that play begins from in place of the
	// one after Reset. ref was reset.
	Start func(choose Chooser, ref env.Engine) []byte
	// Orders draws what all seats submit for the next step of ref's state.
	Orders func(choose Chooser, ref env.Engine) [][]byte
	// Bad, if not nil, spoils orders so that a step must refuse them; it
	// returns nil where it cannot.
	Bad func(choose Chooser, ref env.Engine) [][]byte
	// Before, if not nil, is called on both engines before a step, with
	// choosers that answer alike.
	Before func(choose Chooser, e env.Engine)
}

// Run plays every case on the implementation and its reference side by side.
// After every step it compares states, every seat's view and outcomes. On the
// way it moves the board through bytes into a fresh engine, submits bad orders
// and bad states, and steps past the end. It returns the board-steps compared.
func Run(t *testing.T, impl Implementation) int {
	t.Helper()
	total := 0
	for _, c := range impl.Cases {
		t.Run(c.Name, func(t *testing.T) {
			p := &pair{t: t, impl: impl, c: c}
			p.play()
			total += p.compared
		})
	}
	t.Logf("%s: %d cases, %d board-steps equal to the reference", impl.Name, len(impl.Cases), total)
	return total
}

// A pair is an engine and its reference, on one board.
type pair struct {
	t        *testing.T
	impl     Implementation
	c        Case
	got, ref env.Engine
	step     int
	compared int
	orders   [][]byte
}

func (p *pair) make(what string, newEngine NewEngine) env.Engine {
	p.t.Helper()
	e, err := newEngine(p.c.Rules, p.c.Map)
	if err != nil {
		p.t.Fatalf("%s of %s: %v", what, p.c.Name, err)
	}
	return e
}

func (p *pair) play() {
	p.t.Helper()
	p.got, p.ref = p.make("engine", p.impl.New), p.make("reference", p.impl.Reference)
	if n, want := p.got.Seats(), p.ref.Seats(); n != want {
		p.fail("%d seats, want %d", n, want)
	}
	if err := p.got.Step(nil); !errors.Is(err, env.ErrNotReset) {
		p.fail("a step before the reset gave %v, want %v", err, env.ErrNotReset)
	}
	p.each(func(e env.Engine) error { return e.Reset(p.c.Seed) })
	p.compare("after the reset")
	choose := Choices(p.c.Seed)
	if p.c.Start != nil {
		state := p.c.Start(choose, p.ref)
		p.each(func(e env.Engine) error { return e.SetState(state) })
		if !bytes.Equal(p.ref.AppendState(nil), state) {
			p.fail("the reference changed the state that it was set to:\n%s", p.diff(p.ref.AppendState(nil), state))
		}
		p.compare("after setting the starting state")
	}
	for p.step = 1; p.step <= p.c.Steps && !p.ref.Outcome().Done; p.step++ {
		p.detour(choose)
		if p.c.Before != nil {
			seed := uint64(choose(1 << 30))
			p.each(func(e env.Engine) error { p.c.Before(Choices(seed), e); return nil })
		}
		p.orders = p.c.Orders(choose, p.ref)
		p.each(func(e env.Engine) error { return e.Step(p.orders) })
		p.compare("after the step")
	}
	if p.ref.Outcome().Done {
		p.orders = p.c.Orders(choose, p.ref)
		p.each(func(e env.Engine) error { return e.Step(p.orders) })
		p.compare("after a step past the end")
	}
	p.each(func(e env.Engine) error { return e.Reset(p.c.Seed + 1) })
	p.compare("after the second reset")
}

// detour does, now and then, what must not matter.
func (p *pair) detour(choose Chooser) {
	p.t.Helper()
	switch choose(16) {
	case 0:
		state := p.got.AppendState(nil)
		fresh := p.make("second engine", p.impl.New)
		if err := fresh.SetState(state); err != nil {
			p.fail("a fresh engine refuses the engine's own state: %v", err)
		}
		p.got = fresh
		p.compare("after moving to a fresh engine")
	case 1:
		state := p.got.AppendState(nil)
		for _, bad := range [][]byte{nil, state[:choose(len(state))], append(bytes.Clone(state), 0)} {
			if err := p.got.SetState(bad); !errors.Is(err, env.ErrState) {
				p.fail("a state of %d bytes in place of %d gave %v, want %v", len(bad), len(state), err, env.ErrState)
			}
		}
		p.compare("after bad states")
	case 2:
		if p.c.Bad == nil {
			return
		}
		bad := p.c.Bad(choose, p.ref)
		if bad == nil {
			return
		}
		for _, e := range []env.Engine{p.ref, p.got} {
			if err := e.Step(bad); !errors.Is(err, env.ErrOrders) {
				p.fail("bad orders %v gave a %T the error %v, want %v", bad, e, err, env.ErrOrders)
			}
		}
		p.compare("after bad orders")
	}
}

// each does the same to both engines.
func (p *pair) each(do func(e env.Engine) error) {
	p.t.Helper()
	if err := do(p.ref); err != nil {
		p.fail("the reference: %v", err)
	}
	if err := do(p.got); err != nil {
		p.fail("the engine: %v", err)
	}
}

func (p *pair) compare(when string) {
	p.t.Helper()
	got, want := p.got.AppendState(nil), p.ref.AppendState(nil)
	if !bytes.Equal(got, want) {
		p.fail("states differ %s:\n%s", when, p.diff(got, want))
	}
	for seat := range p.ref.Seats() {
		got, want := p.got.AppendView(nil, seat), p.ref.AppendView(nil, seat)
		if !bytes.Equal(got, want) {
			p.fail("views of seat %d differ %s:\n  got  %s\n  want %s", seat, when, got, want)
		}
	}
	if got, want := fmt.Sprintf("%+v", p.got.Outcome()), fmt.Sprintf("%+v", p.ref.Outcome()); got != want {
		p.fail("outcomes differ %s:\n  got  %s\n  want %s", when, got, want)
	}
	p.compared++
}

func (p *pair) diff(got, want []byte) string {
	if p.impl.Diff != nil {
		return p.impl.Diff(p.c.Map, got, want)
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	return fmt.Sprintf("  %d and %d bytes, different from byte %d", len(got), len(want), i)
}

// fail stops the case with all that is needed to see it again.
func (p *pair) fail(format string, a ...any) {
	p.t.Helper()
	p.t.Fatalf("case %q, seed %d, step %d: %s\norders of the step: %v\nrules: %s\nmap: %s",
		p.c.Name, p.c.Seed, p.step, fmt.Sprintf(format, a...), p.orders, p.c.Rules, p.c.Map.CanonicalJSON())
}
