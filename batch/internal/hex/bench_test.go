package hex

import (
	"testing"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// benchEngine is boards of the default variant, played by scripted up to about
// tick 300 and marked.
func benchEngine(b *testing.B, boards int) (e *Engine, perSeat float64) {
	b.Helper()
	m, err := formica.BundledBoard("default")
	if err != nil {
		b.Fatal(err)
	}
	cfg := kernel.Config{Maps: []env.Map{m}, MapOf: make([]int, boards), Observe: []int{0, 1, 2, 3}, Workers: 1}
	for range boards {
		cfg.Policies = append(cfg.Policies, []string{"scripted", "scripted", "scripted", "scripted"})
	}
	e, err = New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	ants := 0
	for i := range boards {
		e.Reset(0, i, env.EpisodeSeed(1, uint64(i), 0))
		for range 38 {
			e.Step(0, i)
		}
		for s := range 4 {
			ants += int(e.colonies[i*e.p+s].n)
		}
	}
	e.Mark()
	return e, float64(ants) / float64(4*boards)
}

// BenchmarkStep plays eight phases, again and again from the same states. The
// policies' time is part of it.
func BenchmarkStep(b *testing.B) {
	const boards = 64
	e, perSeat := benchEngine(b, boards)
	ticks := 0
	b.ReportAllocs()
	for b.Loop() {
		e.Rewind()
		for range 8 {
			for i := range boards {
				e.Step(0, i)
				ticks += int(e.clocks[i].elapsed)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(ticks), "ns/tick")
	b.ReportMetric(float64(e.BoardBytes()), "B/board")
	b.ReportMetric(perSeat, "ants/seat")
}
