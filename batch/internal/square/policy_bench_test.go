package square

import (
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// BenchmarkPolicies measures one seat's turn, on positions of hunters' games
// (three hills a seat and topped up food, so that there are ants to order).
func BenchmarkPolicies(b *testing.B) {
	for _, spec := range []string{
		"generated:cave:seats=2,hills=3,rows=32,cols=32,seed=1",
		"generated:open:seats=2,hills=4,rows=64,cols=96,seed=1",
	} {
		o, err := ants.ParseGenerated(spec)
		if err != nil {
			b.Fatal(err)
		}
		m, err := ants.Generate(o)
		if err != nil {
			b.Fatal(err)
		}
		m.FoodTarget = 60
		rules, err := ants.ParseRules(`{"food":"top_up"}`)
		if err != nil {
			b.Fatal(err)
		}
		var states [][]byte
		count := 0
		for seed := range uint64(4) {
			ref, err := antsref.New(&rules, m)
			if err != nil {
				b.Fatal(err)
			}
			if err := ref.Reset(seed); err != nil {
				b.Fatal(err)
			}
			for turn := 1; turn <= 160; turn++ {
				orders := make([][]byte, m.Players)
				for s := range orders {
					p, err := policy.New(policy.Names()[3-(s+int(seed))%2])
					if err != nil {
						b.Fatal(err)
					}
					orders[s] = p.Act(nil, ref.View(s), policy.Draw(seed, s, turn-1))
				}
				if err := ref.Step(orders); err != nil {
					b.Fatal(err)
				}
				if turn%40 == 0 && !ref.Outcome().Done {
					states = append(states, ref.AppendState(nil))
					for s := range orders {
						count += len(ref.View(s).Mine)
					}
				}
			}
		}
		for _, name := range policy.Names() {
			b.Run(o.Family+"/"+name, func(b *testing.B) {
				e := newBoards(b, rules, m, slices.Repeat([]string{name}, len(states))...)
				w := &e.workers[0]
				for i, s := range states {
					if err := e.SetState(i, s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportAllocs()
				b.ResetTimer()
				for i := range b.N {
					e.game(&w.g, i/2%len(states))
					e.actNative(w, i%2, w.buffer[0][:0])
				}
				b.ReportMetric(float64(count)/float64(2*len(states)), "ants")
			})
		}
	}
}
