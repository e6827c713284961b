package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// Every scene is recorded once for all benchmarks, with all its sources.
var full = struct {
	sync.Mutex
	scenes map[*Scene]*recording
}{scenes: map[*Scene]*recording{}}

// eachSide runs a benchmark for every workload and number of workers.
func eachSide(b *testing.B, run func(b *testing.B, w *Workload, s *side)) {
	numbers := slices.Compact([]int{1, min(2, runtime.GOMAXPROCS(0)), runtime.GOMAXPROCS(0)})
	for _, w := range Workloads() {
		for _, workers := range numbers {
			b.Run(fmt.Sprintf("%s/workers=%d", w.Name, workers), func(b *testing.B) {
				full.Lock()
				r := full.scenes[w.Scene]
				if r == nil {
					var err error
					if r, err = record(context.Background(), w.Scene, w.Scene.Sources, 0, nil, nothing); err != nil {
						b.Fatal(err)
					}
					full.scenes[w.Scene] = r
				}
				full.Unlock()
				script := r.script(w.Boards)
				s, err := newSide(&w, r, w.Boards, workers, &script)
				if err != nil {
					b.Fatal(err)
				}
				defer s.b.Close()
				run(b, &w, s)
			})
		}
	}
}

// BenchmarkStep is one step of all boards of a workload.
func BenchmarkStep(b *testing.B) {
	eachSide(b, func(b *testing.B, w *Workload, s *side) {
		b.ReportAllocs()
		k, steps := Turns, 0
		for b.Loop() {
			if k == Turns {
				b.StopTimer()
				if err := s.b.Rewind(); err != nil {
					b.Fatal(err)
				}
				k = 0
				b.StartTimer()
			}
			if err := s.b.Step(s.actions[k]); err != nil {
				b.Fatal(err)
			}
			k++
			steps++
		}
		b.ReportMetric(float64(b.Elapsed())/float64(steps*w.Boards), "ns/board-turn")
	})
}

// BenchmarkFloor is the floor of Turns steps.
func BenchmarkFloor(b *testing.B) {
	eachSide(b, func(b *testing.B, w *Workload, s *side) {
		if err := s.b.Rewind(); err != nil {
			b.Fatal(err)
		}
		f, err := newFloor(s)
		if err != nil {
			b.Fatal(err)
		}
		workers := s.b.Config().Workers
		passes := 0
		for b.Loop() {
			f.time(workers)
			passes++
		}
		b.ReportMetric(float64(b.Elapsed())/float64(passes*Turns*w.Boards), "ns/board-turn")
	})
}
