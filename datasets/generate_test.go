package datasets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

func TestSameBytesForAnyWorkersAndBoards(t *testing.T) {
	first := testPlan(t, nil)
	s := first.mustGenerate(t)
	if !s.Complete || s.Episodes != 40 || s.Shards < 4 || s.Turns == 0 || s.Orders == 0 || s.Bytes == 0 {
		t.Fatalf("summary %+v", s)
	}
	want := folder(t, first.Out)
	counts := []int{1, 5, 40, 300}
	if testing.Short() {
		counts = []int{5}
	}
	for _, workers := range []int{1, 2, 7} {
		for _, boards := range counts {
			p := testPlan(t, func(o *Options) { o.Workers, o.Boards = workers, boards })
			p.mustGenerate(t)
			sameFolder(t, fmt.Sprintf("%d workers, %d boards", workers, boards), folder(t, p.Out), want)
		}
	}
	// The compressor is made for the number of processors that there are.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(n)
		p := testPlan(t, nil)
		p.mustGenerate(t)
		sameFolder(t, fmt.Sprintf("%d processors", n), folder(t, p.Out), want)
	}
}

// A big group passes the compressor's block size.
func TestSameBytesForLargeGroups(t *testing.T) {
	make := func(procs int) map[string]string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		p := testPlan(t, func(o *Options) { o.Rules, o.Episodes, o.ShardSize = "ladder", 400, 0 })
		p.group = groupSize[Orders]
		rows := make([]*Episode, 3000)
		for i := range rows {
			rng := env.RNG(env.Derive(5, uint64(i)))
			rows[i] = &Episode{ID: uint64(i), Seed: rng.Next(), Map: p.Maps[i%3].Digest(), Packed: make([]byte, 100), Checkpoints: []uint64{rng.Next()}, FinalHash: rng.Next(),
				Turns: int(rng.Below(100)) + 1, Reason: "turn_limit", Seats: []Seat{{"a", 1, 2, 0, 0}, {"b", 2, 1, 0, 1}}}
			for j := range rows[i].Packed {
				rows[i].Packed[j] = byte(rng.Below(40))
			}
		}
		m := p.manifest()
		if err := os.Mkdir(p.Out, 0o777); err != nil {
			t.Fatal(err)
		}
		w, err := newShardWriter(osDisk{}, p.Out, m, p.group)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range rows {
			if err := w.write(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		return folder(t, p.Out)
	}
	want := make(1)
	for _, procs := range []int{2, 8} {
		sameFolder(t, fmt.Sprintf("%d processors", procs), make(procs), want)
	}
}

func TestEpisodesFollowThePlan(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	all, err := readAll(p.Out)
	if err != nil {
		t.Fatal(err)
	}
	maps := map[string]int{}
	for i, e := range all {
		if e.ID != uint64(i) || e.Seed != episodeSeed(p.Seed, e.ID) {
			t.Errorf("episode %d is number %d with seed %d", i, e.ID, e.Seed)
		}
		m := p.Maps[episodeMap(p.Seed, e.ID, len(p.Maps))]
		if e.Map != m.Digest() {
			t.Errorf("episode %d is on %s, want %s", i, e.Map, m.Digest())
		}
		maps[e.Map]++
		if want := []string{"a", "b", "a"}[:m.Seats()]; !slices.Equal(e.policies(), want) {
			t.Errorf("episode %d was played by %v, want %v", i, e.policies(), want)
		}
		if e.Turns == 30 != (e.Reason == "turn_limit") {
			t.Errorf("episode %d ended by %q after %d turns", i, e.Reason, e.Turns)
		}
	}
	if len(maps) != len(p.Maps) {
		t.Errorf("episodes are on %d maps of %d", len(maps), len(p.Maps))
	}
	// A longer dataset of the same seed begins with the same episodes.
	longer := testPlan(t, func(o *Options) { o.Episodes, o.Boards, o.ShardSize = 55, 3, 0 })
	longer.mustGenerate(t)
	more, err := readAll(longer.Out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all, more[:len(all)]); diff != "" {
		t.Errorf("a longer dataset begins otherwise:\n%s", diff)
	}
}

func TestProgress(t *testing.T) {
	p := testPlan(t, nil)
	var last Progress
	calls := 0
	if _, err := p.generate(context.Background(), osDisk{}, func(now Progress) {
		if now.Episodes < last.Episodes || now.Turns < last.Turns || now.Bytes < last.Bytes {
			t.Errorf("progress goes back: %+v after %+v", now, last)
		}
		last = now
		calls++
	}); err != nil {
		t.Fatal(err)
	}
	if calls == 0 || last.Episodes != 40 || last.Total != 40 || last.Shards < 4 || last.Bytes == 0 {
		t.Errorf("after %d calls, at the end: %+v", calls, last)
	}
}

func TestBadOptions(t *testing.T) {
	maps := testMaps(t)
	good := func() Options {
		return Options{Out: filepath.Join(t.TempDir(), "x"), Maps: maps, Policies: []string{"hold"}}
	}
	for name, c := range map[string]struct {
		change func(*Options)
		want   error
	}{
		"game":      {func(o *Options) { o.Game = "chess" }, ErrOptions},
		"rules":     {func(o *Options) { o.Rules = "chess" }, env.ErrRules},
		"maps":      {func(o *Options) { o.Maps = nil }, ErrOptions},
		"policies":  {func(o *Options) { o.Policies = nil }, ErrOptions},
		"unknown":   {func(o *Options) { o.Policies = []string{"hold", "oracle"} }, ErrOptions},
		"caller":    {func(o *Options) { o.Policies = []string{"caller"} }, ErrOptions},
		"no name":   {func(o *Options) { o.Policies = []string{"hold", ""} }, ErrOptions},
		"kind":      {func(o *Options) { o.Kind = "pictures" }, ErrOptions},
		"format":    {func(o *Options) { o.Format = "csv" }, ErrOptions},
		"episodes":  {func(o *Options) { o.Episodes = -1 }, ErrOptions},
		"shards":    {func(o *Options) { o.ShardSize = 1 << 40 }, ErrOptions},
		"folder":    {func(o *Options) { o.Out = "" }, ErrOptions},
		"workers":   {func(o *Options) { o.Workers = -1 }, ErrOptions},
		"intervals": {func(o *Options) { o.CheckpointEvery = -3 }, ErrOptions},
	} {
		o := good()
		c.change(&o)
		if _, err := Generate(context.Background(), o, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if o.Out != "" {
			if _, err := os.Stat(o.Out); err == nil {
				t.Errorf("%s: the folder was made", name)
			}
		}
	}
}

// Bundled policies play through the public call, on boards of several sizes,
// and what they ordered takes as few bits as it should.
func TestBundledPolicies(t *testing.T) {
	big, err := ants.BundledMap("medium-4p")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		o    Options
		most float64 // bits an order, in the rows
	}{
		{"random", Options{Policies: []string{"random"}, Episodes: 12}, 2.35},
		{"greedy", Options{Policies: []string{"greedy"}, Episodes: 60}, 1.45},
		{"hunter", Options{Policies: []string{"hunter"}, Episodes: 40}, 1.9},
		{"all", Options{Policies: []string{"hunter", "hold", "greedy", "random"}, Maps: append(testMaps(t), big), Episodes: 24}, 2.2},
		{"codeclash", Options{Policies: []string{"greedy", "hunter"}, Rules: "codeclash", Episodes: 8}, 2.2},
		{"contest2011", Options{Policies: []string{"greedy"}, Rules: "contest2011", Episodes: 8}, 2.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := c.o
			if o.Maps == nil {
				o.Maps = testMaps(t)[1:2]
			}
			o.Episodes = max(2, o.Episodes/sparse())
			o.Out, o.Seed = filepath.Join(t.TempDir(), "one"), 11
			s, err := Generate(context.Background(), o, nil)
			if err != nil {
				t.Fatal(err)
			}
			d := mustOpen(t, o.Out)
			if v, err := d.Verify(context.Background(), VerifyOptions{}, nil); err != nil || v.Episodes != o.Episodes || v.Turns != s.Turns {
				t.Fatalf("verified %+v of %+v: %v", v, s, err)
			}
			all, err := readAll(o.Out)
			if err != nil {
				t.Fatal(err)
			}
			packed := 0
			for _, e := range all {
				packed += len(e.Packed)
			}
			if bits := 8 * float64(packed) / float64(s.Orders); bits > c.most {
				t.Errorf("%.3f bits an order, want at most %g", bits, c.most)
			} else {
				t.Logf("%.3f bits an order", bits)
			}
			two := o
			two.Out, two.Workers, two.Boards = filepath.Join(t.TempDir(), "two"), 3, 5
			if _, err := Generate(context.Background(), two, nil); err != nil {
				t.Fatal(err)
			}
			sameFolder(t, "other workers and boards", folder(t, two.Out), folder(t, o.Out))
		})
	}
}
