package policy_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
	"github.com/myriant-rl/myriant/env/formica/policy"
)

func TestNames(t *testing.T) {
	for _, name := range policy.Names() {
		p, err := policy.New(name)
		if err != nil || p.Name() != name || p.About() == "" {
			t.Errorf("New(%q) = %v, %v", name, p, err)
		}
	}
	_, err := policy.New("queen")
	for _, want := range append(policy.Names(), "queen") {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(queen): error %v does not name %s", err, want)
		}
	}
}

func TestDraw(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(4) {
		for home := range uint8(formica.Directions) {
			for phase := range int32(4) {
				seen[policy.Draw(seed, home, phase)] = true
			}
		}
	}
	if len(seen) != 4*4*formica.Directions {
		t.Errorf("%d draws for %d phases", len(seen), 4*4*formica.Directions)
	}
}

// TestOrders plays a game with random policies on each kind of board and
// checks, in every phase, what holds of every policy's order: it is valid,
// equal for equal observations and draws, and moves the nest only where it may
// go; it is the same when what the policy does not look at is hidden, and when
// the seats have other numbers; no observation changes, nothing is allocated.
func TestOrders(t *testing.T) {
	for _, seats := range []int{2, 3, 4, 6} {
		c, err := formica.Variant("default")
		if err != nil {
			t.Fatal(err)
		}
		c.MaxTicks = 300
		b, err := formica.NewBoard("", seats, 12)
		if err != nil {
			t.Fatal(err)
		}
		e, err := formicaref.New(&c, b)
		if err != nil {
			t.Fatal(err)
		}
		seed := uint64(seats)
		if err := e.Reset(seed); err != nil {
			t.Fatal(err)
		}
		var sight policy.Facts // what was seen in any phase
		for !e.Outcome().Done {
			orders := make([][]byte, seats)
			for seat := range seats {
				o := e.Observation(seat)
				if !o.Alive[seat] {
					continue
				}
				draw := policy.Draw(seed, o.Homes[seat], o.Phase)
				f := policy.FactsOf(o)
				sight.Threat = max(sight.Threat, f.Threat)
				sight.Prey.Known = sight.Prey.Known || f.Prey.Known
				sight.Prey.Guards = max(sight.Prey.Guards, f.Prey.Guards)
				for i, name := range policy.Names() {
					act := checkOrder(t, name, b, o, draw)
					if i == int(draw%uint64(len(policy.Names()))) {
						orders[seat] = act
					}
				}
				if !reflect.DeepEqual(o, e.Observation(seat)) {
					t.Fatalf("%d seats: a policy changed the observation", seats)
				}
			}
			if err := e.Step(orders); err != nil {
				t.Fatal(err)
			}
		}
		if !sight.Prey.Known || seats > 2 && (sight.Threat == 0 || sight.Prey.Guards == 0) {
			t.Errorf("%d seats: in the whole game, most seen is %+v", seats, sight)
		}
	}
}

func checkOrder(t *testing.T, name string, b *formica.Board, o *formica.Observation, draw uint64) []byte {
	t.Helper()
	p, err := policy.New(name)
	if err != nil {
		t.Fatal(err)
	}
	act := p.Act([]byte{9}, o, draw)
	if act[0] != 9 || !bytes.Equal(act, p.Act([]byte{9}, o, draw)) {
		t.Fatalf("%s: order %v, then %v", name, act, p.Act([]byte{9}, o, draw))
	}
	act = act[1:]
	order, err := formica.DecodeOrder(act, b.Cells)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if legal := slices.Contains(o.LegalRelocate, order.Target); legal != (order.Mode == formica.ModeRelocate) {
		t.Fatalf("%s: mode %s with target %d of %v", name, order.Mode, order.Target, o.LegalRelocate)
	}
	f := policy.FactsOf(o)
	if p.Looks()&policy.LooksAtRivals == 0 {
		f.Threat, f.Prey = 0, policy.Prey{}
	}
	if p.Looks()&policy.LooksAtLegal == 0 {
		f.Legal = nil
	}
	if got := p.Order(&f, draw); got != order {
		t.Fatalf("%s: %+v without the facts that it does not look at, %+v with them", name, got, order)
	}
	if other := p.Act(nil, turned(o), draw); !bytes.Equal(other, act) {
		t.Fatalf("%s: order %v, and %v when seats have other numbers", name, act, other)
	}
	if n := testing.AllocsPerRun(1, func() { p.Order(&f, draw) }); n != 0 {
		t.Fatalf("%s: %v allocations", name, n)
	}
	return act
}

// turned is an observation in which every seat has the next number.
func turned(o *formica.Observation) *formica.Observation {
	n := len(o.Scores2)
	to := func(slot int) int { return (slot + 1) % n }
	c := *o
	c.Slot = to(o.Slot)
	c.Scores2, c.Alive, c.Homes = make([]int32, n), make([]bool, n), make([]uint8, n)
	for slot := range n {
		c.Scores2[to(slot)], c.Alive[to(slot)], c.Homes[to(slot)] = o.Scores2[slot], o.Alive[slot], o.Homes[slot]
	}
	c.Nests = slices.Clone(o.Nests)
	for i := range c.Nests {
		c.Nests[i].Slot = to(c.Nests[i].Slot)
	}
	slices.SortFunc(c.Nests, func(x, y formica.NestView) int { return x.Slot - y.Slot })
	c.Rivals = slices.Clone(o.Rivals)
	for i := range c.Rivals {
		c.Rivals[i].Slot = to(c.Rivals[i].Slot)
	}
	return &c
}

// TestDead: the dead give no order.
func TestDead(t *testing.T) {
	for _, name := range policy.Names() {
		p, err := policy.New(name)
		if err != nil {
			t.Fatal(err)
		}
		o := &formica.Observation{Radius: 12, Scores2: []int32{0, 0}, Alive: []bool{false, true}, Homes: []uint8{0, 3}}
		if got := p.Act(nil, o, 1); len(got) != 0 {
			t.Errorf("%s: a dead colony orders %v", name, got)
		}
	}
}

// TestRandom: over many draws random gives every mode, share and defend about
// equally often.
func TestRandom(t *testing.T) {
	p, err := policy.New("random")
	if err != nil {
		t.Fatal(err)
	}
	const n = 66_000
	f := policy.Facts{Legal: []int32{3, 5, 8}}
	modes, targets, defends := map[formica.Mode]int{}, map[int32]int{}, 0
	shares := map[formica.Alloc]int{}
	rng := env.RNG(1)
	for range n {
		o := p.Order(&f, rng.Next())
		modes[o.Mode]++
		targets[o.Target]++
		shares[o.Alloc]++
		if o.Defend {
			defends++
		}
	}
	for mode := range formica.Mode(formica.NumModes) {
		about(t, mode.String(), modes[mode], n/4)
	}
	for _, alloc := range formica.AllocTenths {
		about(t, "alloc", shares[alloc], n/formica.NumTenths)
	}
	for _, cell := range f.Legal {
		about(t, "target", targets[cell], n/12)
	}
	about(t, "defend", defends, n/2)
}

// about fails if a count is more than a fifth from what it should be.
func about(t *testing.T, what string, got, want int) {
	t.Helper()
	if 5*max(got-want, want-got) > want {
		t.Errorf("%s: %d times, want about %d", what, got, want)
	}
}
