package policy_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/ants/policy"
	"github.com/myriant-rl/myriant/env/envtest"
)

func TestNames(t *testing.T) {
	for _, name := range policy.Names() {
		p, err := policy.New(name)
		if err != nil || p.Name() != name {
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
		for seat := range 4 {
			for turn := range 4 {
				seen[policy.Draw(seed, seat, turn)] = true
			}
		}
	}
	if len(seen) != 64 {
		t.Errorf("%d draws for 64 turns", len(seen))
	}
}

// TestOrders checks what holds in any state: one order an ant, equal orders
// for equal views and draws, a view that stays as it is, and, but for hold, no
// order that is known to be refused or to collide with an own ant.
func TestOrders(t *testing.T) {
	boards := uint64(300)
	if testing.Short() {
		boards = 60
	}
	for seed := range boards {
		choose := envtest.Choices(seed)
		rules, m := envtest.AntsRules(choose), envtest.AntsMap(choose)
		e, err := antsref.New(&rules, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.SetState(envtest.AntsState(choose, &rules, m).Append(nil)); err != nil {
			t.Fatal(err)
		}
		for seat := range m.Players {
			v := e.View(seat)
			for _, name := range policy.Names() {
				p, err := policy.New(name)
				if err != nil {
					t.Fatal(err)
				}
				orders := p.Act([]byte{9}, v, seed)
				if orders[0] != 9 || len(orders) != 1+len(v.Mine) {
					t.Fatalf("seed %d seat %d: %s gives %d orders to %d ants", seed, seat, name, len(orders)-1, len(v.Mine))
				}
				if !reflect.DeepEqual(v, e.View(seat)) {
					t.Fatalf("seed %d seat %d: %s changed the view", seed, seat, name)
				}
				if again := p.Act(nil, v, seed); !bytes.Equal(again, orders[1:]) {
					t.Fatalf("seed %d seat %d: %s orders %v, then %v", seed, seat, name, orders[1:], again)
				}
				checkOrders(t, m, v, name, seed, orders[1:])
			}
		}
	}
}

func checkOrders(t *testing.T, m *ants.Map, v *ants.View, name string, seed uint64, orders []byte) {
	t.Helper()
	mask := v.AntMask()
	ends := map[int32]bool{}
	for i, cell := range v.Mine {
		a := orders[i]
		if a > ants.Stay {
			t.Fatalf("seed %d: %s orders %d", seed, name, a)
		}
		to := cell
		if a != ants.Stay {
			to = m.Neighbour(cell, a)
			if !mask[i][a] {
				t.Fatalf("seed %d: %s orders the ant on cell %d to cell %d, which refuses it", seed, name, cell, to)
			}
		}
		if ends[to] {
			t.Fatalf("seed %d: %s orders two ants to cell %d", seed, name, to)
		}
		ends[to] = true
	}
}
