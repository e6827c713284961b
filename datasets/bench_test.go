package datasets

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// benchOptions is a dataset of a few large games.
func benchOptions(b *testing.B, policies string, kind Kind, format string) Options {
	b.Helper()
	m, err := ants.BundledMap("open-64x96-2p")
	if err != nil {
		b.Fatal(err)
	}
	return Options{Out: filepath.Join(b.TempDir(), "data"), Maps: []env.Map{m}, Policies: strings.Split(policies, ","), Episodes: 40, Seed: 1, Kind: kind, Format: format, ShardSize: 64 << 20}
}

// BenchmarkPack writes orders and reports bits an order, everything in the
// shards counted.
func BenchmarkPack(b *testing.B) {
	for _, policies := range []string{"random", "greedy", "hunter", "greedy,hunter"} {
		b.Run(policies, func(b *testing.B) {
			for b.Loop() {
				o := benchOptions(b, policies, Orders, Arrow)
				o.Episodes = 200
				s, err := Generate(context.Background(), o, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(s.Bits, "bits/order")
			}
		})
	}
}

// BenchmarkKinds writes and reads the same episodes in every kind and format.
// A transition is a seat's step.
func BenchmarkKinds(b *testing.B) {
	for _, kind := range Kinds() {
		for _, format := range Formats() {
			name := fmt.Sprintf("%s-%s", kind, format)
			b.Run("write/"+name, func(b *testing.B) {
				n := 0
				for b.Loop() {
					o := benchOptions(b, "greedy,hunter", kind, format)
					s, err := Generate(context.Background(), o, nil)
					if err != nil {
						b.Fatal(err)
					}
					n += 2 * int(s.Turns)
					b.ReportMetric(float64(s.Bytes)/float64(2*s.Turns), "B/transition")
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "transitions/s")
			})
			b.Run("read/"+name, func(b *testing.B) {
				o := benchOptions(b, "greedy,hunter", kind, format)
				if _, err := Generate(context.Background(), o, nil); err != nil {
					b.Fatal(err)
				}
				n := 0
				for b.Loop() {
					d, err := Open(o.Out, OpenOptions{})
					if err != nil {
						b.Fatal(err)
					}
					for t, err := range d.Transitions(context.Background(), ReadOptions{}) {
						if err != nil {
							b.Fatal(err)
						}
						n += t.Len()
						t.Recycle()
					}
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "transitions/s")
			})
		}
	}
}
