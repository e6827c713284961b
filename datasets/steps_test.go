package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/formica"
)

// stepPlans are small datasets of both games in every kind and format, of
// several shards and groups.
func stepPlans(t *testing.T, each func(t *testing.T, game string, plan func(change func(*Options)) *plan)) {
	t.Helper()
	t.Run("ants", func(t *testing.T) {
		each(t, "ants", func(change func(*Options)) *plan {
			p := testPlan(t, func(o *Options) {
				o.Episodes = 12
				if change != nil {
					change(o)
				}
				if o.Kind == Steps {
					o.ShardSize = 600_000
				}
			})
			if p.Kind == Steps {
				p.group = 100_000
			}
			return p
		})
	})
	t.Run("formica", func(t *testing.T) {
		m, err := formica.BundledBoard("duel")
		if err != nil {
			t.Fatal(err)
		}
		each(t, "formica", func(change func(*Options)) *plan {
			o := Options{
				Out: filepath.Join(t.TempDir(), "data"), Game: "formica", Rules: `{"name":"default","max_ticks":300}`, Maps: []env.Map{m}, Policies: []string{"scripted", "random"},
				Episodes: 6, Seed: 5, ShardSize: 400, CheckpointEvery: 7, Workers: 1, Boards: 4,
			}
			if change != nil {
				change(&o)
			}
			if o.Kind == Steps {
				o.ShardSize = 600_000
			}
			p, err := o.plan()
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind == Steps {
				p.group = 200_000
			}
			return p
		})
	})
}

// allRows reads the rows of all episodes of a dataset: from its files, or, of
// kind orders, by playing them.
func allRows(t testing.TB, d *Dataset) *Rows {
	t.Helper()
	l, err := d.layout()
	if err != nil {
		t.Fatal(err)
	}
	all := l.rows()
	if d.manifest.Kind == Steps {
		for e := range d.Len() {
			if err := d.pieces(e, func(r *Rows) error { all.Append(r, 0, r.Len()); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	s, err := d.newSimulator()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for e, err := range d.Episodes() {
		if err == nil {
			err = s.play(e, all, func() error { return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestSteps: the steps kind has what playing the orders kind gives, in both
// formats, and the orders can be had back from it.
func TestSteps(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		p := plan(nil)
		p.mustGenerate(t)
		d := mustOpen(t, p.Out)
		want := allRows(t, d)
		episodes, err := readAll(p.Out)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats() {
			for _, kind := range Kinds() {
				q := plan(func(o *Options) { o.Kind, o.Format = kind, format })
				made := q.mustGenerate(t)
				d := mustOpen(t, q.Out)
				if made.Shards < 2 || len(d.Manifest().Shards[0].Groups) < 2 && kind == Steps {
					t.Errorf("%s %s: %d shards, %d groups in the first", kind, format, made.Shards, len(d.Manifest().Shards[0].Groups))
				}
				got := allRows(t, d)
				if diff := sameRows(want, got); diff != "" {
					t.Errorf("%s %s: column %s differs", kind, format, diff)
				}
				again, err := readAll(q.Out)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(episodes, again); diff != "" {
					t.Errorf("%s %s: other episodes:\n%s", kind, format, diff)
				}
				for e := range d.Len() {
					alone, err := d.Episode(e)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(episodes[e], alone); diff != "" {
						t.Errorf("%s %s: episode %d alone:\n%s", kind, format, e, diff)
					}
				}
				if _, err := d.Verify(context.Background(), VerifyOptions{}, nil); err != nil {
					t.Errorf("%s %s: %v", kind, format, err)
				}
			}
		}
	})
}

// TestStepsShape: an episode of N steps has N rows a seat and one of what it
// led to; nothing crosses episodes.
func TestStepsShape(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		p := plan(func(o *Options) { o.Kind = Steps })
		p.mustGenerate(t)
		d := mustOpen(t, p.Out)
		for e := range d.Len() {
			episode, err := d.Episode(e)
			if err != nil {
				t.Fatal(err)
			}
			seats := len(episode.Seats)
			l, err := d.layout()
			if err != nil {
				t.Fatal(err)
			}
			r := l.rows()
			if err := d.pieces(e, func(p *Rows) error { r.Append(p, 0, p.Len()); return nil }); err != nil {
				t.Fatal(err)
			}
			if r.Len() != (episode.Turns+1)*seats {
				t.Fatalf("episode %d: %d rows for %d turns of %d seats", e, r.Len(), episode.Turns, seats)
			}
			returns := make([]float32, seats)
			for i := range r.Len() {
				seat := i % seats
				last := i >= episode.Turns*seats
				if Of[int32](r.Column("step"))[i] != int32(i/seats) || Of[int32](r.Column("seat"))[i] != int32(seat) || r.final(i) != last || r.episode(i) != episode.ID {
					t.Fatalf("episode %d, row %d: step %d, seat %d, final %t", e, i, Of[int32](r.Column("step"))[i], Of[int32](r.Column("seat"))[i], r.final(i))
				}
				if got := Of[float32](r.Column("return"))[i]; got != returns[seat] {
					t.Errorf("episode %d, row %d: return %g, want %g", e, i, got, returns[seat])
				}
				returns[seat] += Of[float32](r.Column("reward"))[i]
				ended := Of[bool](r.Column("terminated"))[i] || Of[bool](r.Column("truncated"))[i]
				if i >= (episode.Turns-1)*seats && !ended {
					t.Errorf("episode %d, row %d: neither terminated nor truncated at the end", e, i)
				}
				if last && (len(r.Column("actions").Entry(i)) != 0 || Of[float32](r.Column("reward"))[i] != 0) {
					t.Errorf("episode %d, row %d: the last observation has actions or a reward", e, i)
				}
			}
		}
	})
}

// TestStepsSameBytes: workers, boards and deaths change nothing.
func TestStepsSameBytes(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		for _, format := range Formats() {
			change := func(o *Options) { o.Kind, o.Format = Steps, format }
			p := plan(change)
			p.mustGenerate(t)
			want := folder(t, p.Out)
			for _, workers := range []int{2, 7} {
				q := plan(func(o *Options) { change(o); o.Workers, o.Boards = workers, 3*workers })
				q.mustGenerate(t)
				sameFolder(t, fmt.Sprintf("%s, %d workers", format, workers), folder(t, q.Out), want)
			}
			stride := 23 * sparse()
			if os.Getenv("MYRIANT_LONG") != "" {
				stride = 3
			}
			for ops := 0; ; ops += stride {
				q := plan(change)
				_, err := q.generate(context.Background(), &mortalDisk{left: ops}, nil)
				if err == nil {
					break
				}
				if !errors.Is(err, errDead) {
					t.Fatalf("%s, death after %d operations: %v", format, ops, err)
				}
				if _, err := readAll(q.Out); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatalf("%s, death after %d operations leaves %v", format, ops, err)
				}
				q.Resume = true
				q.mustGenerate(t)
				sameFolder(t, fmt.Sprintf("%s, death after %d operations", format, ops), folder(t, q.Out), want)
			}
		}
	})
}

// TestStepsDamage: a flipped byte anywhere and a cut file are errors that name
// the shard, in every kind and format.
func TestStepsDamage(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		for _, format := range Formats() {
			for _, kind := range Kinds() {
				p := plan(func(o *Options) { o.Kind, o.Format, o.Episodes = kind, format, 4 })
				p.mustGenerate(t)
				d := mustOpen(t, p.Out)
				shard := d.Manifest().Shards[0]
				path := filepath.Join(p.Out, shard.Name)
				good, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				// Regions: before the first group, each group's ends and middle, what
				// comes after.
				at := []int64{0, shard.Groups[0].Offset - 1, shard.Bytes - 1, shard.Bytes - 9}
				for _, g := range shard.Groups[:min(len(shard.Groups), 2)] {
					at = append(at, g.Offset, g.Offset+g.Bytes/2, g.Offset+g.Bytes-1)
				}
				refused := func(what string, data []byte) {
					t.Helper()
					if err := os.WriteFile(path, data, 0o666); err != nil {
						t.Fatal(err)
					}
					if _, err := readAll(p.Out); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), path) {
						t.Errorf("%s %s, %s: %v", kind, format, what, err)
					}
				}
				for _, i := range at {
					bad := slices.Clone(good)
					bad[i] ^= 1 << (i % 8)
					refused(fmt.Sprintf("byte %d flipped", i), bad)
				}
				for _, n := range []int{0, 3, len(good) / 3, len(good) - 1} {
					refused(fmt.Sprintf("cut to %d bytes", n), good[:n])
				}
			}
		}
	})
}

// TestDamagedGroupsWithRightHash: whatever the hashes say, a group's bytes are
// not trusted, nor are a Parquet file's last bytes.
func TestDamagedGroupsWithRightHash(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		for _, format := range Formats() {
			for _, kind := range Kinds() {
				p := plan(func(o *Options) { o.Kind, o.Format, o.Episodes = kind, format, 4 })
				p.group = 20_000
				p.mustGenerate(t)
				d := mustOpen(t, p.Out)
				s := &d.manifest.Shards[0]
				path := filepath.Join(p.Out, s.Name)
				good, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				g := &s.Groups[0]
				end := s.Groups[len(s.Groups)-1]
				read := func(data []byte) error {
					if err := os.WriteFile(path, data, 0o666); err != nil {
						t.Fatal(err)
					}
					d := mustOpen(t, p.Out)
					m := &d.manifest.Shards[0]
					m.Groups[0].SHA256 = hexSum(data[g.Offset : g.Offset+g.Bytes])
					m.Tail = hexSum(data[end.Offset+end.Bytes:])
					return d.cached(0, 0).err
				}
				if err := read(good); err != nil {
					t.Fatal(err)
				}
				refused := 0
				flip := func(from, to, stride int64) {
					for at := from; at < to; at += stride {
						bad := slices.Clone(good)
						bad[at] ^= byte(1 + at%255)
						if err := read(bad); err != nil {
							refused++
							if !errors.Is(err, ErrCorrupt) {
								t.Fatalf("%s %s, byte %d: %v", kind, format, at, err)
							}
						}
					}
				}
				n := int64(32 / sparse())
				flip(g.Offset, g.Offset+g.Bytes, 1+g.Bytes/n)
				flip(g.Offset, g.Offset+min(g.Bytes, 64), int64(sparse()))
				if format == Parquet {
					flip(end.Offset+end.Bytes, s.Bytes, 1+(s.Bytes-end.Offset-end.Bytes)/n)
				}
				if refused == 0 {
					t.Errorf("%s %s: nothing was refused", kind, format)
				}
			}
		}
	})
}

// TestSchemaHash: the schema does not depend on what rows hold, on maps, or on
// whether there is food.
func TestSchemaHash(t *testing.T) {
	if mustHash(t, Steps, "ants") == mustHash(t, Steps, "formica") || mustHash(t, Steps, "ants") == mustHash(t, Orders, "ants") {
		t.Error("different schemas have one hash")
	}
	if _, err := Steps.SchemaHash("chess"); err == nil {
		t.Error("a game that there is not has a schema")
	}
	var first *arrow.Schema
	for _, rules := range []string{`{"name":"ladder","max_turns":20,"food":"none"}`, `{"name":"ladder","max_turns":20}`} {
		p := testPlan(t, func(o *Options) {
			o.Kind, o.Episodes, o.ShardSize, o.Rules = Steps, 4, 1, rules
			if strings.Contains(rules, "none") {
				o.Maps = []env.Map{withoutFood(t, o.Maps[0])}
			}
		})
		p.mustGenerate(t)
		d := mustOpen(t, p.Out)
		if d.Manifest().Schema != mustHash(t, Steps, "ants") {
			t.Errorf("%s: hash %s", rules, d.Manifest().Schema)
		}
		food := 0
		for _, s := range d.Manifest().Shards {
			f, err := os.Open(filepath.Join(p.Out, s.Name))
			if err != nil {
				t.Fatal(err)
			}
			r, err := ipc.NewFileReader(f)
			if err != nil {
				t.Fatal(err)
			}
			if hash, _ := r.Schema().Metadata().GetValue("myriant.schema_hash"); hash != d.Manifest().Schema {
				t.Errorf("%s: %s has the hash %q", rules, s.Name, hash)
			}
			if first == nil {
				first = r.Schema()
			}
			if !slices.EqualFunc(first.Fields(), r.Schema().Fields(), func(a, b arrow.Field) bool { return a.Equal(b) }) {
				t.Errorf("%s: %s has the schema %s", rules, s.Name, r.Schema())
			}
			if err := errors.Join(r.Close(), f.Close()); err != nil {
				t.Fatal(err)
			}
		}
		rows := allRows(t, d)
		planes := rows.Column("planes")
		each := planes.Stride() / planes.Shape[0]
		for i := range rows.Len() {
			for _, b := range planes.Entry(i)[2*each : 3*each] {
				if b != 0 {
					food++
				}
			}
		}
		if (food == 0) != strings.Contains(rules, "none") {
			t.Errorf("%s: %d bytes of food", rules, food)
		}
	}
}

// withoutFood is a map of Ants without its food.
func withoutFood(t *testing.T, m env.Map) env.Map {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(m.CanonicalJSON(), &fields); err != nil {
		t.Fatal(err)
	}
	fields["food"] = []any{}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := ants.ParseMapJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return bare
}

// TestRebuild: an episode that is played anew from the manifest and the maps
// alone has the recorded hashes.
func TestRebuild(t *testing.T) {
	for _, c := range []struct {
		game, rules string
		maps        []env.Map
		policies    []string
	}{
		{"ants", `{"name":"ladder","max_turns":60}`, testMaps(t), []string{"greedy", "random", "hunter"}},
		{"formica", `{"max_ticks":96}`, formicaMaps(t), []string{"random", "scripted", "raid"}},
	} {
		out := filepath.Join(t.TempDir(), "data")
		if _, err := Generate(context.Background(), Options{Out: out, Game: c.game, Rules: c.rules, Maps: c.maps, Policies: c.policies, Episodes: 9, Seed: 11, CheckpointEvery: 4}, nil); err != nil {
			t.Fatal(err)
		}
		d := mustOpen(t, out)
		m := d.Manifest()
		for id := range d.Len() {
			seed := env.Derive(uint64(m.Seeds.Seed), 0x4441544153454544, uint64(id))
			entry := m.Maps[env.Derive(uint64(m.Seeds.Seed), 0x444154414d415053, uint64(id))%uint64(len(m.Maps))]
			mp, err := d.Map(entry.Digest)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for seat := range mp.Seats() {
				names = append(names, m.Policies.Names[seat%len(m.Policies.Names)])
			}
			b, err := batch.New(batch.Config{Game: m.Game, Rules: string(m.Rules), Boards: 1, Maps: []env.Map{mp}, Policies: [][]string{names}, Autoreset: batch.Disabled, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(b.Close)
			if err := b.Reset(0); err != nil {
				t.Fatal(err)
			}
			if err := b.ResetBoards([]int{0}, []uint64{seed}); err != nil {
				t.Fatal(err)
			}
			var hashes []uint64
			turns := 0
			for !b.Done(0) {
				if err := b.Step(batch.Actions{}); err != nil {
					t.Fatal(err)
				}
				if turns++; turns%4 == 0 && !b.Done(0) {
					hashes = append(hashes, b.Hash(0))
				}
			}
			e, err := d.Episode(id)
			if err != nil {
				t.Fatal(err)
			}
			if e.Seed != seed || e.Turns != turns || e.FinalHash != b.Hash(0) || !slices.Equal(e.Checkpoints, hashes) {
				t.Errorf("%s: episode %d has %d turns to hash %x, played are %d to %x", c.game, id, e.Turns, e.FinalHash, turns, b.Hash(0))
			}
		}
	}
}
