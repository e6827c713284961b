package bench

import (
	"context"
	"errors"
	"testing"
)

// A pacer plays what it says it has recorded, again and again.
func TestPacer(t *testing.T) {
	names := []string{"ants-32x32", "formica", "ants-32x32-greedy"}
	p, err := NewPacer(context.Background(), Options{Quick: true, Boards: few, Workloads: names, Workers: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if len(p.Recorded) != len(names) {
		t.Fatalf("%d recorded workloads, want %d", len(p.Recorded), len(names))
	}
	for i, name := range names {
		for range 2 {
			if ns, err := p.Pass(name); err != nil || !(ns > 0) {
				t.Errorf("%s: %v ns, %v", name, ns, err)
			}
		}
		if x := &p.Recorded[i]; x.Name != name || x.Boards != few || len(x.Turns) != Turns {
			t.Errorf("%s is recorded as %s, %d boards, %d turns", name, x.Name, x.Boards, len(x.Turns))
		}
		s := p.sides[name]
		for b := range few {
			source := b % p.Recorded[i].Sources
			if got, want := s.b.Hash(b), s.b.Hash(source); got != want {
				t.Errorf("%s: board %d ends at %016x, source %d at %016x", name, b, got, source, want)
			}
		}
	}
	if _, err := p.Pass("ants-8p"); !errors.Is(err, ErrOptions) {
		t.Errorf("a pass of what is not set up: %v", err)
	}
	if _, err := NewPacer(context.Background(), Options{Workloads: []string{"chess"}}); !errors.Is(err, ErrOptions) {
		t.Errorf("no such workload: %v", err)
	}
}
