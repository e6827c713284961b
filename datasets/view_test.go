package datasets

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/obs"
)

// A stepKey names a row of a dataset.
type stepKey struct {
	episode    uint64
	step, seat int32
}

func (r *Rows) key(i int) stepKey {
	return stepKey{r.episode(i), Of[int32](r.Column("step"))[i], Of[int32](r.Column("seat"))[i]}
}

// readTransitions reads all transitions and checks that each is one.
func readTransitions(t testing.TB, d *Dataset, o ReadOptions) (keys []stepKey, sizes []int, all *Transitions) {
	t.Helper()
	l, err := d.layout()
	if err != nil {
		t.Fatal(err)
	}
	all = l.transitions()
	for b, err := range d.Transitions(context.Background(), o) {
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, b.Len())
		for i := range b.Len() {
			k, next := b.Obs.key(i), b.Next.key(i)
			keys = append(keys, k)
			if k.step++; k != next || b.Obs.final(i) {
				t.Fatalf("%v follows %v", next, b.Obs.key(i))
			}
		}
		all.add(b, 0, b.Len())
	}
	return keys, sizes, all
}

// parts is how many steps each seat of an episode played until the game ended
// for it, and all rows.
func parts(t testing.TB, d *Dataset, e int) (steps []int, rows *Rows) {
	t.Helper()
	rows, err := d.EpisodeRows(e)
	if err != nil {
		t.Fatal(err)
	}
	over := map[int32]bool{}
	for i := range rows.Len() {
		k := rows.key(i)
		if k.step == 0 {
			steps = append(steps, 0)
		}
		if !rows.final(i) && !over[k.seat] {
			steps[k.seat]++
			over[k.seat] = rows.Column("terminated").Data[i] != 0 || rows.Column("truncated").Data[i] != 0
		}
	}
	return steps, rows
}

func TestTransitions(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		p := plan(nil)
		made := p.mustGenerate(t)
		orders := mustOpen(t, p.Out)
		q := plan(func(o *Options) { o.Kind, o.Format = Steps, Parquet })
		q.mustGenerate(t)
		steps := mustOpen(t, q.Out)
		n := 0
		for e := range orders.Len() {
			steps, _ := parts(t, orders, e)
			for _, k := range steps {
				n += k
			}
		}
		keys, _, want := readTransitions(t, orders, ReadOptions{Workers: 1})
		if len(keys) != n || made.Turns == 0 {
			t.Fatalf("%d transitions, want %d", len(keys), n)
		}
		set := map[stepKey]bool{}
		for _, k := range keys {
			set[k] = true
		}
		if len(set) != n {
			t.Fatalf("%d different transitions of %d", len(set), n)
		}
		for _, d := range []*Dataset{orders, steps} {
			for _, workers := range []int{1, 3} {
				_, sizes, got := readTransitions(t, d, ReadOptions{Workers: workers, Batch: 100})
				if diff := sameRows(want.Obs, got.Obs) + sameRows(want.Next, got.Next); diff != "" {
					t.Errorf("%s, %d workers: %s differs", d.Manifest().Kind, workers, diff)
				}
				for i, size := range sizes {
					if size != 100 && i < len(sizes)-1 {
						t.Errorf("batch %d has %d transitions", i, size)
					}
				}
			}
			o := ReadOptions{Shuffle: true, Seed: 7, Buffer: 150, Batch: 64, Workers: 1}
			first, sizes, _ := readTransitions(t, d, o)
			o.Workers = 4
			again, _, _ := readTransitions(t, d, o)
			if diff := cmp.Diff(fmt.Sprint(first), fmt.Sprint(again)); diff != "" {
				t.Errorf("%s: other workers shuffle otherwise", d.Manifest().Kind)
			}
			o.Seed++
			other, _, _ := readTransitions(t, d, o)
			if fmt.Sprint(first) == fmt.Sprint(other) || fmt.Sprint(first) == fmt.Sprint(keys) {
				t.Errorf("%s: shuffling does not depend on the seed", d.Manifest().Kind)
			}
			for _, got := range [][]stepKey{first, other} {
				seen := map[stepKey]bool{}
				for _, k := range got {
					seen[k] = true
				}
				if len(got) != n || !cmp.Equal(len(seen), n) {
					t.Errorf("%s: %d transitions, %d different, want %d", d.Manifest().Kind, len(got), len(seen), n)
				}
			}
			for i, size := range sizes[:len(sizes)-1] {
				if size != 64 {
					t.Errorf("%s: batch %d of %d has %d transitions", d.Manifest().Kind, i, len(sizes), size)
				}
			}
			var thirds []stepKey
			for part := range 3 {
				k, _, _ := readTransitions(t, d, ReadOptions{Part: part, Parts: 3})
				thirds = append(thirds, k...)
			}
			if len(thirds) != n {
				t.Errorf("%s: three parts have %d transitions, want %d", d.Manifest().Kind, len(thirds), n)
			}
			for _, e := range []int{d.Len() - 1, 0, 2} {
				steps, r := parts(t, d, e)
				at := slices.IndexFunc(keys, func(k stepKey) bool { return k.episode == uint64(e) })
				for i := range r.Len() {
					k := r.key(i)
					if int(k.step) >= steps[k.seat] {
						continue
					}
					if diff := sameRows(want.Obs.Slice(at, at+1), r.Slice(i, i+1)); diff != "" {
						t.Fatalf("%s: %v of episode %d alone: %s differs", d.Manifest().Kind, k, e, diff)
					}
					at++
				}
				if at < len(keys) && keys[at].episode == uint64(e) || !r.final(r.Len()-1) {
					t.Errorf("%s: episode %d alone has fewer transitions", d.Manifest().Kind, e)
				}
			}
		}
		for _, o := range []ReadOptions{{Part: 3, Parts: 3}, {Episodes: []int{99999}}, {Batch: -1}} {
			for _, err := range orders.Transitions(context.Background(), o) {
				if !errors.Is(err, ErrOptions) {
					t.Errorf("%+v: %v", o, err)
				}
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var last error
		for _, err := range orders.Rows(ctx, ReadOptions{}) {
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("cancelled: %v", last)
		}
	})
}

func TestWindows(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		p := plan(nil)
		p.mustGenerate(t)
		d := mustOpen(t, p.Out)
		for _, c := range []struct {
			length, stride int
			short          bool
		}{{1, 0, false}, {5, 2, false}, {5, 2, true}, {4, 9, true}, {1000, 0, true}, {1000, 0, false}} {
			want := map[stepKey]int{}
			for e := range d.Len() {
				stride := c.stride
				if stride == 0 {
					stride = c.length
				}
				steps, _ := parts(t, d, e)
				for seat, turns := range steps {
					for at := 0; at < turns; at += stride {
						if n := min(c.length, turns-at); n == c.length || c.short {
							want[stepKey{uint64(e), int32(at), int32(seat)}] = n
						}
					}
				}
			}
			for _, mixed := range []bool{false, true} {
				got := map[stepKey]int{}
				o := WindowOptions{ReadOptions: ReadOptions{Shuffle: mixed, Buffer: 10}, Length: c.length, Stride: c.stride, Short: c.short}
				for w, err := range d.Windows(context.Background(), o) {
					if err != nil {
						t.Fatal(err)
					}
					k := w.Rows.key(0)
					got[k] = w.Steps
					if w.Rows.Len() != w.Steps+1 {
						t.Fatalf("%d rows for %d steps", w.Rows.Len(), w.Steps)
					}
					for i := range w.Rows.Len() {
						if w.Rows.key(i) != (stepKey{k.episode, k.step + int32(i), k.seat}) {
							t.Fatalf("row %d of the window of %v is of %v", i, k, w.Rows.key(i))
						}
					}
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(stepKey{})); diff != "" {
					t.Errorf("%+v, shuffled %t:\n%s", c, mixed, diff)
				}
			}
		}
	})
}

// stay orders every ant to stay.
func stay(b *batch.Batch) batch.Actions {
	offsets := obs.View[int64](b.Array("ant_offsets"))
	acts := make([]byte, offsets[len(offsets)-1])
	for i := range acts {
		acts[i] = 4
	}
	return batch.Actions{Head: "ant", Uint8: acts}
}

// TestShortEpisodes: episodes of 1, 3 and 3 steps that were stopped are kept as
// truncated, in both kinds, and nothing crosses them.
func TestShortEpisodes(t *testing.T) {
	maps := testMaps(t)[:1]
	for _, kind := range Kinds() {
		out := filepath.Join(t.TempDir(), "data")
		r, err := Record(RecordOptions{Out: out, Maps: maps, MapOf: []int{0}, Kind: kind, KeepOpen: true, CheckpointEvery: 3, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		b, err := batch.New(batch.Config{Maps: maps, Boards: 1, Autoreset: batch.Disabled, Workers: 1, Recorder: r})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		if err := b.Reset(1); err != nil {
			t.Fatal(err)
		}
		lengths := []int{1, 3, 3}
		for i, n := range lengths {
			if err := b.ResetBoards([]int{0}, []uint64{uint64(i + 10)}); err != nil {
				t.Fatal(err)
			}
			r.Begin(0, uint64(i+10))
			for range n {
				r.Before()
				if err := b.Step(stay(b)); err != nil {
					t.Fatal(err)
				}
				if err := r.After(); err != nil {
					t.Fatal(err)
				}
			}
		}
		sum, err := r.Close()
		if err != nil || sum.Episodes != 3 || sum.LeftOut != 0 {
			t.Fatalf("%+v, %v", sum, err)
		}
		d := mustOpen(t, out)
		if _, err := d.Verify(context.Background(), VerifyOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		_, _, all := readTransitions(t, d, ReadOptions{})
		var want []stepKey
		for e, n := range lengths {
			for step := range n {
				for seat := range 2 {
					want = append(want, stepKey{uint64(e), int32(step), int32(seat)})
				}
			}
		}
		if all.Len() != len(want) {
			t.Fatalf("%s: %d transitions, want %d", kind, all.Len(), len(want))
		}
		for i, k := range want {
			last := int(k.step) == lengths[k.episode]-1
			if all.Obs.key(i) != k || Of[bool](all.Obs.Column("truncated"))[i] != last || Of[bool](all.Obs.Column("terminated"))[i] || all.Next.final(i) != last {
				t.Errorf("%s: transition %d is %v, truncated %t, want %v", kind, i, all.Obs.key(i), Of[bool](all.Obs.Column("truncated"))[i], k)
			}
		}
		for e, err := range d.Episodes() {
			if err != nil {
				t.Fatal(err)
			}
			if e.Reason != Stopped || e.Turns != lengths[e.ID] || e.Seed != e.ID+10 {
				t.Errorf("%s: %+v", kind, e)
			}
		}
	}
}

// TestTransform: converting there and back, merging parts, and splitting.
func TestTransform(t *testing.T) {
	ctx := context.Background()
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		p := plan(nil)
		p.mustGenerate(t)
		want := folder(t, p.Out)
		d := mustOpen(t, p.Out)
		dir := t.TempDir()
		for _, format := range Formats() {
			there, back := filepath.Join(dir, "there"+format), filepath.Join(dir, "back"+format)
			if _, err := Convert(ctx, d, TransformOptions{Out: there, Kind: Steps, Format: format, ShardSize: 600_000}, nil); err != nil {
				t.Fatal(err)
			}
			q := plan(func(o *Options) { o.Kind, o.Format, o.Out = Steps, format, filepath.Join(dir, "made"+format) })
			q.group = groupSize[Steps]
			q.mustGenerate(t)
			sameFolder(t, "converted to steps, "+format, folder(t, there), folder(t, q.Out))
			moved, err := Convert(ctx, mustOpen(t, there), TransformOptions{Out: back, Kind: Orders, Format: Arrow, ShardSize: p.ShardSize}, nil)
			if err != nil || !moved.Complete {
				t.Fatal(moved, err)
			}
			// Groups are large here and small in the plan.
			o := plan(func(o *Options) { o.Out = filepath.Join(dir, "orders"+format) })
			o.group = groupSize[Orders]
			o.mustGenerate(t)
			sameFolder(t, "converted back, "+format, folder(t, back), folder(t, o.Out))
		}

		// Parts, of either kind, in any order.
		for _, kind := range Kinds() {
			whole := plan(func(o *Options) { o.Kind, o.Out = kind, filepath.Join(dir, "whole"+string(kind)) })
			whole.group = groupSize[kind]
			whole.mustGenerate(t)
			var parts []*Dataset
			for i, cut := range [][2]int{{2, whole.Episodes}, {0, 2}} {
				q := plan(func(o *Options) {
					o.Kind, o.First, o.Episodes = kind, cut[0], cut[1]-cut[0]
					o.Out = filepath.Join(dir, fmt.Sprintf("part%s%d", kind, i))
				})
				q.mustGenerate(t)
				d := mustOpen(t, q.Out)
				if e, err := d.Episode(0); err != nil || e.ID != uint64(cut[0]) {
					t.Fatalf("part from %d begins with %+v, %v", cut[0], e, err)
				}
				if _, err := d.Verify(ctx, VerifyOptions{}, nil); err != nil {
					t.Fatal(err)
				}
				parts = append(parts, d)
			}
			out := filepath.Join(dir, "merged"+string(kind))
			if _, err := Merge(ctx, parts, TransformOptions{Out: out}, nil); err != nil {
				t.Fatal(err)
			}
			sameFolder(t, "merged "+string(kind), folder(t, out), folder(t, whole.Out))
		}

		// Of other datasets: numbered anew.
		other := plan(func(o *Options) { o.Seed, o.Out = 77, filepath.Join(dir, "other") })
		other.mustGenerate(t)
		both := filepath.Join(dir, "both")
		merged, err := Merge(ctx, []*Dataset{d, mustOpen(t, other.Out)}, TransformOptions{Out: both}, nil)
		if err != nil || merged.Episodes != p.Episodes+other.Episodes || !merged.Complete {
			t.Fatal(merged, err)
		}
		all := mustOpen(t, both)
		if _, err := all.Verify(ctx, VerifyOptions{}, nil); err != nil {
			t.Fatal(err)
		}

		train, rest := filepath.Join(dir, "train"), filepath.Join(dir, "rest")
		in, out, err := Split(ctx, all, TransformOptions{Out: train}, rest, 3, 0.6, nil)
		if err != nil || in.Episodes+out.Episodes != all.Len() || !in.Complete || !out.Complete {
			t.Fatal(in, out, err)
		}
		for dir, side := range map[string]bool{train: true, rest: false} {
			d := mustOpen(t, dir)
			if _, err := d.Verify(ctx, VerifyOptions{}, nil); err != nil {
				t.Fatal(err)
			}
			for e, err := range d.Episodes() {
				if err != nil || InSplit(e, 3, 0.6) != side {
					t.Errorf("%s: episode %d, %v", dir, e.ID, err)
				}
			}
		}
		if _, _, err := Split(ctx, all, TransformOptions{Out: filepath.Join(dir, "x")}, filepath.Join(dir, "y"), 3, 1e-9, nil); !errors.Is(err, ErrOptions) {
			t.Errorf("an empty side: %v", err)
		}
		if _, err := Convert(ctx, d, TransformOptions{Out: p.Out}, nil); !errors.Is(err, ErrExists) {
			t.Errorf("onto itself: %v", err)
		}
		sameFolder(t, "sources", folder(t, p.Out), want)
	})
}
