package bench

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// readable plays all seats with the readable form of a bundled policy.
func readable(name string) player {
	return func(b *batch.Batch) (batch.Actions, error) {
		p, err := policy.New(name)
		if err != nil {
			return batch.Actions{}, err
		}
		a := batch.Actions{Head: ants.HeadAnt.Name}
		for i := range b.Config().Boards {
			board := b.Board(i).(interface {
				ants.Engine
				View(seat int) *ants.View
			})
			state := board.State()
			for seat := range board.Seats() {
				a.Uint8 = p.Act(a.Uint8, board.View(seat), policy.Draw(state.Gen.Seed, seat, int(state.Turn)))
			}
		}
		return a, nil
	}
}

func nothing(int, int) {}

// few is the sources of tests.
const few = 4

var recorded = struct {
	sync.Mutex
	scenes map[*Scene]*recording
}{scenes: map[*Scene]*recording{}}

// scene records a few sources of a scene, once for all tests.
func scene(t testing.TB, sc *Scene) *recording {
	t.Helper()
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.scenes[sc] == nil {
		r, err := record(context.Background(), sc, few, 2, nil, nothing)
		if err != nil {
			t.Fatal(err)
		}
		recorded.scenes[sc] = r
	}
	return recorded.scenes[sc]
}

// The recorded boards have the ants that the workloads say, in every recorded
// turn on average.
func TestScenes(t *testing.T) {
	for _, c := range []struct {
		sc         *Scene
		rows, cols int
		seats      int
		lo, hi     float64
	}{{ants32x32, 32, 32, 2, 35, 45}, {ants64x96, 64, 96, 2, 90, 110}, {ants8p, 120, 124, 8, 20, 60}} {
		if testing.Short() && c.seats > 2 {
			t.Logf("short: %d seats on %dx%d are not recorded", c.seats, c.rows, c.cols)
			continue
		}
		r := scene(t, c.sc)
		if rows, cols := r.m.Size(); rows != c.rows || cols != c.cols || r.m.Seats() != c.seats {
			t.Errorf("%s has %d seats on %dx%d, want %d on %dx%d", r.m.ID(), r.m.Seats(), rows, cols, c.seats, c.rows, c.cols)
		}
		if c.sc.Turn != 150 {
			t.Errorf("%s is recorded at turn %d, want 150", r.m.ID(), c.sc.Turn)
		}
		for k := range Turns {
			for i, units := range r.units[k] {
				if ordered := len(slices.Concat(r.orders[k][i]...)); ordered != units || r.ticks[k][i] != 1 {
					t.Errorf("%s, source %d: %d ants in recorded turn %d, %d orders, %d ticks", r.m.ID(), i, units, k, ordered, r.ticks[k][i])
				}
				// Ants are born and die in the recorded turns.
				if n := float64(units) / float64(c.seats); n < c.lo*0.7 || n > c.hi*1.3 {
					t.Errorf("%s, source %d: %.1f ants a seat in recorded turn %d, want about %v to %v", r.m.ID(), i, n, k, c.lo, c.hi)
				}
			}
		}
		seen := map[uint64]bool{}
		for _, h := range r.hashes {
			if seen[h] {
				t.Errorf("%s: two sources lead to the same state", r.m.ID())
			}
			seen[h] = true
		}
	}
}

// A recording depends neither on the workers nor on which form of the policy
// plays.
func TestRecordAgain(t *testing.T) {
	want := scene(t, ants32x32)
	for name, c := range map[string]struct {
		workers int
		play    player
	}{"native, 1 worker": {1, nil}, "native, 3 workers": {3, nil}, "readable": {1, readable(ants32x32.Policy)}} {
		got, err := record(context.Background(), ants32x32, few, c.workers, c.play, nothing)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.orders, got.orders); diff != "" {
			t.Errorf("%s: orders (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(want.hashes, got.hashes); diff != "" {
			t.Errorf("%s: hashes (-want +got):\n%s", name, diff)
		}
	}
}

func TestRecordStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	turns := 0
	_, err := record(ctx, ants32x32, few, 1, nil, func(done, total int) {
		if turns++; turns == 10 {
			cancel()
		}
	})
	if err == nil || turns > 10 {
		t.Errorf("%d turns after the context was cancelled, error %v", turns-10, err)
	}
	narrow := *ants32x32
	narrow.Turn, narrow.Units = 1, [2]float64{1000, 1001}
	if r, err := record(context.Background(), &narrow, 1, 1, nil, nothing); err == nil {
		t.Errorf("recorded %d boards of a scene that no game leads to", r.sources)
	}
}
