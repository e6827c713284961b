package hex

import (
	"testing"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// newScripted is boards of the default variant, played by scripted up to about
// tick 300 and marked.
func newScripted(t testing.TB, boards int) (e *Engine, perSeat float64) {
	t.Helper()
	m, err := formica.BundledBoard("default")
	if err != nil {
		t.Fatal(err)
	}
	cfg := kernel.Config{Maps: []env.Map{m}, MapOf: make([]int, boards), Observe: []int{0, 1, 2, 3}, Workers: 1}
	for range boards {
		cfg.Policies = append(cfg.Policies, []string{"scripted", "scripted", "scripted", "scripted"})
	}
	e, err = New(cfg)
	if err != nil {
		t.Fatal(err)
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
	e, perSeat := newScripted(b, boards)
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

// BenchmarkObserve writes every array of the boards.
func BenchmarkObserve(b *testing.B) {
	const boards = 64
	e, _ := newScripted(b, boards)
	sizes := e.Sizes()
	sink := kernel.Sink{Arrays: map[string]*obs.Array{}}
	for _, f := range e.Outputs() {
		a, err := obs.NewArray(f, sizes, 0)
		if err != nil {
			b.Fatal(err)
		}
		sink.Arrays[f.Name] = a
	}
	handle := e.Bind(&sink)
	b.ReportAllocs()
	for b.Loop() {
		for i := range boards {
			e.Report(i, handle, true)
			e.Observe(0, i, handle, nil)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*boards*4), "ns/seat")
}
