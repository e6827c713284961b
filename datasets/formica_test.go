package datasets

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
)

// formicaMaps are boards of all numbers of seats and two radii.
func formicaMaps(t testing.TB) []env.Map {
	t.Helper()
	var maps []env.Map
	for _, b := range [][2]int{{4, 12}, {2, 10}, {3, 12}, {6, 14}} {
		m, err := formica.NewBoard("", b[0], b[1])
		if err != nil {
			t.Fatal(err)
		}
		maps = append(maps, m)
	}
	return maps
}

// formicaPlan is a small dataset of several shards and groups.
func formicaPlan(t testing.TB, change func(*Options)) *plan {
	t.Helper()
	o := Options{
		Out: filepath.Join(t.TempDir(), "data"), Game: "formica", Rules: `{"max_ticks":96}`, Maps: formicaMaps(t),
		Policies: []string{"random", "scripted", "raid"}, Episodes: 20, Seed: 1<<60 + 1, ShardSize: 1800, CheckpointEvery: 5, Workers: 1, Boards: 8,
	}
	if change != nil {
		change(&o)
	}
	p, err := o.plan()
	if err != nil {
		t.Fatal(err)
	}
	p.group = 700
	return p
}

// TestFormicaPolicies: bundled policies play, what is written reads back and
// verifies, the bytes depend on neither workers nor boards, and an order takes
// as few bits as it should.
func TestFormicaPolicies(t *testing.T) {
	for _, c := range []struct {
		policies string
		most     float64 // bits an order, in the rows
	}{
		{"scripted", 1.7}, {"raid", 0.3}, {"scripted,raid,build-forage,defend", 1}, {"random", 13},
	} {
		t.Run(c.policies, func(t *testing.T) {
			o := Options{
				Game: "formica", Maps: formicaMaps(t)[:1], Policies: strings.Split(c.policies, ","), Episodes: max(2, 16/sparse()),
				Seed: 3, Out: filepath.Join(t.TempDir(), "one"), Workers: 1,
			}
			s, err := Generate(context.Background(), o, nil)
			if err != nil {
				t.Fatal(err)
			}
			d := mustOpen(t, o.Out)
			if v, err := d.Verify(context.Background(), VerifyOptions{}, nil); err != nil || v.Episodes != o.Episodes || v.Turns != s.Turns {
				t.Fatalf("verified %+v of %+v: %v", v, s, err)
			}
			if m := d.Manifest(); m.Game != "formica" || m.Engine.Signature != formica.Signature("default") || m.Engine.Signature == "" {
				t.Errorf("game %q, signature %q", m.Game, m.Engine.Signature)
			}
			all, err := readAll(o.Out)
			if err != nil {
				t.Fatal(err)
			}
			packed := 0
			for _, e := range all {
				packed += len(e.Packed)
			}
			bits := 8 * float64(packed) / float64(s.Orders)
			t.Logf("%d orders, %.3f bits each", s.Orders, bits)
			if bits > c.most {
				t.Errorf("%.3f bits an order, want at most %g", bits, c.most)
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

// TestFormicaResume: wherever a writer dies, resuming leads to the same bytes.
func TestFormicaResume(t *testing.T) {
	whole := formicaPlan(t, nil)
	whole.mustGenerate(t)
	want := folder(t, whole.Out)
	if len(mustOpen(t, whole.Out).Manifest().Shards) < 3 {
		t.Fatal("too few shards")
	}
	died := 0
	for ops := 5; ; ops += 40 * sparse() {
		p := formicaPlan(t, func(o *Options) { o.Boards = 1 + ops%9 })
		_, err := p.generate(context.Background(), &mortalDisk{left: ops}, nil)
		if err == nil {
			break
		}
		if !errors.Is(err, errDead) {
			t.Fatalf("death after %d operations: %v", ops, err)
		}
		died++
		p.Resume = true
		p.mustGenerate(t)
		sameFolder(t, "resumed", folder(t, p.Out), want)
	}
	if died == 0 {
		t.Error("nothing died")
	}
}

// TestFormicaReference: the reference plays the recorded orders to the recorded
// end.
func TestFormicaReference(t *testing.T) {
	p := formicaPlan(t, nil)
	p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	c, err := formica.ParseConfig(d.Rules())
	if err != nil {
		t.Fatal(err)
	}
	seats := map[int]bool{}
	for e, err := range d.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		m, err := d.Map(e.Map)
		if err != nil {
			t.Fatal(err)
		}
		seats[m.Seats()] = true
		steps, err := d.Orders(e)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := formicaref.New(&c, m.(*formica.Board))
		if err != nil {
			t.Fatal(err)
		}
		if err := ref.Reset(e.Seed); err != nil {
			t.Fatal(err)
		}
		for turn, orders := range steps {
			if err := ref.Step(orders); err != nil {
				t.Fatal(err)
			}
			if n := turn + 1; n%p.CheckpointEvery == 0 || n == e.Turns {
				want := e.FinalHash
				if n < e.Turns {
					want = e.Checkpoints[n/p.CheckpointEvery-1]
				}
				if got := env.Hash(ref.AppendState(nil)); got != want {
					t.Fatalf("episode %d: after phase %d the reference's state has the hash %x, recorded is %x", e.ID, n, got, want)
				}
			}
		}
		out := ref.Outcome()
		if !out.Done || out.Steps != e.Turns || out.Reason != e.Reason {
			t.Errorf("episode %d: the reference says %+v, recorded is %+v", e.ID, out, e)
		}
		for i, seat := range e.Seats {
			if seat.Score != out.Scores[i] || seat.Rank != out.Ranks[i] {
				t.Errorf("episode %d seat %d: the reference says score %d, rank %d; recorded is %+v", e.ID, i, out.Scores[i], out.Ranks[i], seat)
			}
		}
	}
	if len(seats) != 4 {
		t.Errorf("only boards of %v seats were played", seats)
	}
}

// TestFormicaLies: rows that are not what was played are found.
func TestFormicaLies(t *testing.T) {
	p := formicaPlan(t, nil)
	p.mustGenerate(t)
	const row = 13
	if _, err := tamper(t, p, row, func(*Episode) {}).Verify(context.Background(), VerifyOptions{}, nil); err != nil {
		t.Fatalf("nothing changed: %v", err)
	}
	for name, c := range map[string]struct {
		change func(*Episode)
		want   error
	}{
		"score":        {func(e *Episode) { e.Seats[0].Score++ }, ErrReplay},
		"final hash":   {func(e *Episode) { e.FinalHash ^= 1 }, ErrReplay},
		"fewer turns":  {func(e *Episode) { e.Turns-- }, ErrReplay},
		"no orders":    {func(e *Episode) { e.Packed = nil }, ErrCorrupt},
		"cut orders":   {func(e *Episode) { e.Packed = e.Packed[:len(e.Packed)/2] }, ErrReplay},
		"more orders":  {func(e *Episode) { e.Packed = append(e.Packed, 0) }, ErrReplay},
		"other orders": {func(e *Episode) { e.Packed[len(e.Packed)/2] ^= 0x40 }, ErrReplay},
		"of units":     {func(e *Episode) { e.Packed[0] = 1 << 4 }, ErrCorrupt},
	} {
		_, err := tamper(t, p, row, c.change).Verify(context.Background(), VerifyOptions{}, nil)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "shard-") {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
