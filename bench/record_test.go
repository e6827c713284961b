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
	"github.com/myriant-rl/myriant/env/formica"
	colony "github.com/myriant-rl/myriant/env/formica/policy"
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

// The recorded boards of Formica have four colonies as large as the workload
// says, and their phases take the ticks that the rules say.
func TestFormicaScene(t *testing.T) {
	r := scene(t, formicaDefault)
	if rows, cols := r.m.Size(); rows != 25 || cols != 25 || r.m.Seats() != 4 {
		t.Errorf("%s has %d seats on %dx%d", r.m.ID(), r.m.Seats(), rows, cols)
	}
	for k := range Turns {
		for i, units := range r.units[k] {
			if n := float64(units) / 4; n < 15 || n > 40 {
				t.Errorf("source %d: %.1f ants a seat in recorded phase %d", i, n, k)
			}
			if n := r.ticks[k][i]; n < 1 || n > 8 {
				t.Errorf("source %d: recorded phase %d takes %d ticks", i, k, n)
			}
			for seat, order := range r.orders[k][i] {
				if len(order) != 0 && len(order) != formica.OrderBytes {
					t.Errorf("source %d, seat %d: an order of %d bytes", i, seat, len(order))
				}
			}
		}
	}
	// A seat without an order is told so in the head.
	a := formicaActions([][][]byte{{nil, formica.DefaultOrder().Append(nil)}})
	if len(a.Uint8) != 2*formica.OrderBytes || a.Uint8[0] != formica.NoOrder || a.Uint8[formica.OrderBytes] != byte(formica.ModeForage) {
		t.Errorf("actions %v", a.Uint8)
	}
}

// readableFormica plays all seats with the readable form of a bundled policy.
func readableFormica(name string) player {
	return func(b *batch.Batch) (batch.Actions, error) {
		p, err := colony.New(name)
		if err != nil {
			return batch.Actions{}, err
		}
		var orders [][][]byte
		for i := range b.Config().Boards {
			board := b.Board(i).(formica.Engine)
			state := board.State()
			seats := make([][]byte, board.Seats())
			for seat := range seats {
				seats[seat] = p.Act(nil, board.Observation(seat), colony.Draw(state.Seed, state.Colonies[seat].Home, state.Phase))
			}
			orders = append(orders, seats)
		}
		return formicaActions(orders), nil
	}
}

// A recording depends neither on the workers nor on which form of the policy
// plays.
func TestRecordAgain(t *testing.T) {
	for name, c := range map[string]struct {
		sc      *Scene
		workers int
		play    player
	}{
		"native, 1 worker": {ants32x32, 1, nil}, "native, 3 workers": {ants32x32, 3, nil}, "readable": {ants32x32, 1, readable(ants32x32.Policy)},
		"formica, 3 workers": {formicaDefault, 3, nil}, "formica, readable": {formicaDefault, 1, readableFormica(formicaDefault.Policy)},
	} {
		want := scene(t, c.sc)
		got, err := record(context.Background(), c.sc, few, c.workers, c.play, nothing)
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
