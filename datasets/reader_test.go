package datasets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/datasets/internal/pack"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
)

func TestReadOneEpisode(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	all, err := readAll(p.Out)
	if err != nil {
		t.Fatal(err)
	}
	d := mustOpen(t, p.Out)
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(all)) {
		e, err := d.Episode(i)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all[i], e); diff != "" {
			t.Errorf("episode %d read alone:\n%s", i, diff)
		}
	}
	for _, i := range []int{-1, len(all)} {
		if _, err := d.Episode(i); err == nil {
			t.Errorf("episode %d of %d was read", i, len(all))
		}
	}
}

// One episode does not need the rest of its shard.
func TestReadOneEpisodeBesideDamage(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	s := d.Manifest().Shards[0]
	if len(s.Groups) < 2 {
		t.Fatalf("%d groups", len(s.Groups))
	}
	flip(t, filepath.Join(p.Out, s.Name), s.Groups[0].Offset+s.Groups[0].Bytes/2)
	if _, err := d.Episode(0); !errors.Is(err, ErrCorrupt) {
		t.Errorf("the damaged group: %v", err)
	}
	if e, err := d.Episode(s.Groups[0].Rows); err != nil || e.ID != uint64(s.Groups[0].Rows) {
		t.Errorf("the group after the damaged one: %v", err)
	}
}

// flip inverts a bit of a file.
func flip(t testing.TB, path string, at int64) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[at] ^= 1 << (at % 8)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedShard(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	path := filepath.Join(p.Out, shardName(1, "arrow"))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(p.Out); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for at := 0; at < len(good); at += sparse() * (1 + len(good)/300) {
		bad := slices.Clone(good)
		bad[at] ^= 1 << (at % 8)
		refused(fmt.Sprintf("byte %d flipped", at), bad)
	}
	for n := 0; n < len(good); n += sparse() * (1 + len(good)/60) {
		refused(fmt.Sprintf("cut to %d bytes", n), good[:n])
	}
	refused("a byte more", append(slices.Clone(good), 0))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(p.Out); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("a shard is missing: %v", err)
	}
}

// Whatever the manifest's hashes say, a group's bytes are not trusted.
func TestDamagedGroupWithRightHash(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	s := d.Manifest().Shards[0]
	file, err := os.ReadFile(filepath.Join(p.Out, s.Name))
	if err != nil {
		t.Fatal(err)
	}
	g := s.Groups[0]
	head, data := d.head, slices.Clone(file[g.Offset:g.Offset+g.Bytes])
	if laid, err := layOutAll(head, magic); err != nil || !bytes.HasPrefix(file[magic:], laid) || int64(magic+len(laid)) != g.Offset {
		t.Errorf("the file has another head: %v", err)
	}
	const limit = 1 << 20
	if _, err := readGroup(head, data, g.Rows, limit); err != nil {
		t.Fatal(err)
	}
	if _, err := readGroup(head, data, g.Rows+1, limit); !errors.Is(err, ErrCorrupt) {
		t.Errorf("another number of rows: %v", err)
	}
	if _, err := readGroup(head, data, g.Rows, 100); !errors.Is(err, ErrCorrupt) {
		t.Errorf("with hardly any memory: %v", err)
	}
	for at := 0; at < len(data); at += sparse() {
		for _, bit := range []byte{1, 0x80, 0xff} {
			data[at] ^= bit
			if _, err := readGroup(head, data, g.Rows, limit); err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("byte %d: %v", at, err)
			}
			data[at] ^= bit
		}
	}
	for n := 0; n < len(data); n += sparse() {
		if _, err := readGroup(head, data[:n], g.Rows, limit); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}

// readGroup reads a group of kind orders.
func readGroup(head, data []byte, rows, limit int) ([]*Episode, error) {
	rec, err := readArrowGroup(head, data, rows, limit)
	if err != nil {
		return nil, err
	}
	return readEpisodes(rec)
}

func FuzzReadGroup(f *testing.F) {
	e := &Episode{ID: 1, Seed: 2, Map: "m", Seats: []Seat{{"a", 1, 1, 0, 0.5}, {"b", 1, 1, 0, 0.5}}, Packed: []byte{0x10}, Turns: 101, Reason: "r", Checkpoints: []uint64{3}, FinalHash: 4}
	enc := newEncoder(Orders.schema(&antsGame), dictionaries{[]string{"m"}, []string{"a", "b"}, []string{"r"}})
	head, err := enc.head()
	if err != nil {
		f.Fatal(err)
	}
	rec, err := enc.record([]*Episode{e, e})
	if err != nil {
		f.Fatal(err)
	}
	var buf bytes.Buffer
	if err := ipc.NewWriter(&buf, shardOptions(enc.schema)...).Write(rec); err != nil {
		f.Fatal(err)
	}
	if !bytes.HasPrefix(buf.Bytes(), head) {
		f.Fatal("a stream begins with another head")
	}
	f.Add(buf.Bytes()[len(head):])
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := readGroup(head, data, 2, 1<<20)
		if err == nil && len(rows) != 2 || err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
	})
}

func TestDamagedManifestOrMap(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	for _, name := range []string{manifestName, mapsDir + "/" + p.Maps[0].Digest() + ".json"} {
		path := filepath.Join(p.Out, filepath.FromSlash(name))
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, data []byte) {
			t.Helper()
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			d, err := Open(p.Out, OpenOptions{})
			if err == nil {
				if _, err = d.Map(p.Maps[0].Digest()); err == nil {
					for _, err = range d.Episodes() {
						if err != nil {
							break
						}
					}
				}
			}
			if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrSignature) && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			if name != manifestName && err == nil {
				t.Errorf("%s, %s: no error", name, what)
			}
		}
		for at := 0; at < len(good); at += sparse() * (1 + len(good)/400) {
			bad := slices.Clone(good)
			bad[at] ^= 1 << (at % 7)
			check(fmt.Sprintf("byte %d flipped", at), bad)
		}
		for n := 0; n < len(good); n += sparse() * (1 + len(good)/40) {
			check(fmt.Sprintf("cut to %d bytes", n), good[:n])
		}
		if err := os.WriteFile(path, good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestManifest(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	data, err := os.ReadFile(filepath.Join(p.Out, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"format", "version", "kind", "rules", "engine", "schema_hash", "maps", "policies", "seed_plan", "shards", "complete"} {
		if m[key] == nil {
			t.Errorf("no %s", key)
		}
	}
	if seed := m["seed_plan"].(map[string]any)["seed"]; seed != "1152921504606846977" {
		t.Errorf("the seed is written as %v", seed)
	}
	if turns := m["rules"].(map[string]any)["max_turns"]; turns != 30.0 {
		t.Errorf("rules say max_turns %v", turns)
	}
	if s := m["engine"].(map[string]any)["signature"]; s != ants.Signature("ladder") {
		t.Errorf("signature %v", s)
	}
	for _, mp := range p.Maps {
		got, err := os.ReadFile(filepath.Join(p.Out, mapsDir, mp.Digest()+".json"))
		if err != nil || !bytes.Equal(got, mp.CanonicalJSON()) {
			t.Errorf("map %s: %v", mp.ID(), err)
		}
	}
}

func TestForeignEngine(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	m, err := readManifest(p.Out)
	if err != nil {
		t.Fatal(err)
	}
	mine := m.Engine.Signature
	m.Engine.Signature = "0123456789abcdef"
	if err := m.write(osDisk{}, p.Out); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(p.Out, OpenOptions{}); !errors.Is(err, ErrSignature) || !strings.Contains(err.Error(), mine) || !strings.Contains(err.Error(), m.Engine.Signature) {
		t.Errorf("opened with another signature: %v", err)
	}
	d, err := Open(p.Out, OpenOptions{AnyEngine: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Verify(context.Background(), VerifyOptions{}, nil); err != nil {
		t.Errorf("told to go on: %v", err)
	}
}

// Shards are files that any Arrow reader opens.
func TestShardsAreArrowFiles(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	rows := 0
	var first *arrow.Schema
	for i, s := range d.Manifest().Shards {
		f, err := os.Open(filepath.Join(p.Out, s.Name))
		if err != nil {
			t.Fatal(err)
		}
		r, err := ipc.NewFileReader(f)
		if err != nil {
			t.Fatal(err)
		}
		meta := r.Schema().Metadata()
		for key, want := range map[string]string{"myriant.schema_hash": mustHash(t, Orders, "ants"), "myriant.game": "ants", "myriant.kind": "orders", "myriant.rules": d.Rules(), "myriant.signature": ants.Signature("ladder")} {
			if got, _ := meta.GetValue(key); got != want {
				t.Errorf("shard %d: %s is %q, want %q", i, key, got, want)
			}
		}
		if first == nil {
			first = r.Schema()
		}
		if !r.Schema().Equal(first) || !slices.EqualFunc(r.Schema().Fields(), Orders.schema(&antsGame).Fields(), func(a, b arrow.Field) bool { return a.Equal(b) }) {
			t.Errorf("shard %d has the schema %s", i, r.Schema())
		}
		if r.NumRecords() != len(s.Groups) {
			t.Errorf("shard %d has %d batches for %d groups", i, r.NumRecords(), len(s.Groups))
		}
		for j := range r.NumRecords() {
			rec, err := r.RecordAt(j)
			if err != nil {
				t.Fatal(err)
			}
			for k := range int(rec.NumRows()) {
				got := readEpisode(rec, k)
				want, err := d.Episode(rows)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("row %d:\n%s", rows, diff)
				}
				rows++
			}
			rec.Release()
		}
		if err := errors.Join(r.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if rows != d.Len() {
		t.Errorf("%d rows, want %d", rows, d.Len())
	}
}

func TestVerify(t *testing.T) {
	p := testPlan(t, nil)
	made := p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	for _, o := range []VerifyOptions{{}, {Workers: 1, Boards: 1}, {Workers: 3, Boards: 100}} {
		told := 0
		v, err := d.Verify(context.Background(), o, func(Verification) { told++ })
		if err != nil {
			t.Fatal(err)
		}
		if !v.Complete || v.Episodes != 40 || v.Turns != made.Turns || v.Bytes != made.Bytes || v.Shards != made.Shards || told == 0 {
			t.Errorf("%+v: %+v, made %+v", o, v, made)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.Verify(ctx, VerifyOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// tamper writes the dataset anew with one episode changed and hashes to match.
func tamper(t *testing.T, p *plan, id int, change func(*Episode)) *Dataset {
	t.Helper()
	all, err := readAll(p.Out)
	if err != nil {
		t.Fatal(err)
	}
	change(all[id])
	m := p.manifest()
	out := filepath.Join(t.TempDir(), "tampered")
	if err := writeMaps(osDisk{}, out, p.Maps); err != nil {
		t.Fatal(err)
	}
	w, err := newShardWriter(osDisk{}, out, m, p.group)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if err := w.write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	return mustOpen(t, out)
}

func TestVerifyFindsLies(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	if _, err := tamper(t, p, 13, func(*Episode) {}).Verify(context.Background(), VerifyOptions{}, nil); err != nil {
		t.Fatalf("nothing changed: %v", err)
	}
	long := 13
	for ; mustEpisode(t, p, long).Turns != 30; long++ {
	}
	for name, c := range map[string]struct {
		change func(*Episode)
		want   error
	}{
		"seed": {func(e *Episode) { e.Seed++ }, ErrCorrupt},
		"map": {func(e *Episode) {
			e.Map = p.Maps[(slices.IndexFunc(p.Maps, func(m env.Map) bool { return m.Digest() == e.Map })+1)%2].Digest()
		}, ErrCorrupt},
		"policy":       {func(e *Episode) { e.Seats[1].Policy = "a" }, ErrCorrupt},
		"id":           {func(e *Episode) { e.ID++ }, ErrCorrupt},
		"score":        {func(e *Episode) { e.Seats[0].Score++ }, ErrReplay},
		"rank":         {func(e *Episode) { e.Seats[1].Rank++ }, ErrReplay},
		"return":       {func(e *Episode) { e.Seats[1].Return++ }, ErrReplay},
		"reason":       {func(e *Episode) { e.Reason = "extermination" }, ErrReplay},
		"checkpoint":   {func(e *Episode) { e.Checkpoints[1] ^= 1 }, ErrReplay},
		"final hash":   {func(e *Episode) { e.FinalHash ^= 1 << 63 }, ErrReplay},
		"fewer turns":  {func(e *Episode) { e.Turns-- }, ErrReplay},
		"no orders":    {func(e *Episode) { e.Packed = nil }, ErrCorrupt},
		"cut orders":   {func(e *Episode) { e.Packed = e.Packed[:len(e.Packed)/2] }, ErrReplay},
		"more orders":  {func(e *Episode) { e.Packed = append(e.Packed, 0) }, ErrReplay},
		"other orders": {func(e *Episode) { e.Packed[len(e.Packed)/2] ^= 0x40 }, ErrReplay},
		"a seat more":  {func(e *Episode) { e.Seats = append(e.Seats, e.Seats[0]) }, ErrCorrupt},
		"no turns":     {func(e *Episode) { e.Turns = 0 }, ErrCorrupt},
		"many turns":   {func(e *Episode) { e.Turns = 31 }, ErrCorrupt},
		"a hash less":  {func(e *Episode) { e.Checkpoints = e.Checkpoints[1:] }, ErrCorrupt},
	} {
		d := tamper(t, p, long, c.change)
		_, err := d.Verify(context.Background(), VerifyOptions{}, nil)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "shard-") || !strings.Contains(err.Error(), fmt.Sprintf("episode %d", long)) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func mustEpisode(t *testing.T, p *plan, i int) *Episode {
	t.Helper()
	e, err := mustOpen(t, p.Out).Episode(i)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The reference engine plays the recorded orders to the recorded end, and the
// packed bytes can be read against its views alone.
func TestReferencePlaysTheSame(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	rules, err := ants.ParseRules(d.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range d.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		m, err := d.Map(e.Map)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := d.Orders(e)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := antsref.New(&rules, m.(*ants.Map))
		if err != nil {
			t.Fatal(err)
		}
		if err := ref.Reset(e.Seed); err != nil {
			t.Fatal(err)
		}
		rows, cols := m.Size()
		unpack := pack.NewDecoder(pack.Board{Rows: rows, Cols: cols, Stride: cols}, m.Seats())
		if err := unpack.Reset(e.Packed, shares(e.policies())); err != nil {
			t.Fatal(err)
		}
		for turn, orders := range steps {
			for s := range orders {
				v := ref.View(s)
				var mask []byte
				for _, flags := range v.AntMask() {
					for _, f := range flags {
						mask = append(mask, map[bool]byte{true: 1}[f])
					}
				}
				given := make([]byte, len(v.Mine))
				sight := referenceSight(v)
				if err := unpack.Read(s, v.Mine, mask, &sight, given); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(given, orders[s]) {
					t.Fatalf("episode %d turn %d seat %d: against the reference's view the orders are %v, against the engine's %v", e.ID, turn, s, given, orders[s])
				}
			}
			if err := ref.Step(orders); err != nil {
				t.Fatal(err)
			}
			if n := turn + 1; n%p.CheckpointEvery == 0 || n == e.Turns {
				want := e.FinalHash
				if n < e.Turns {
					want = e.Checkpoints[n/p.CheckpointEvery-1]
				}
				if got := env.Hash(ref.AppendState(nil)); got != want {
					t.Fatalf("episode %d: after turn %d the reference's state has the hash %x, recorded is %x", e.ID, n, got, want)
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
		if err := unpack.End(); err != nil {
			t.Error(err)
		}
	}
}

// referenceSight is a view as planes.
func referenceSight(v *ants.View) pack.Sight {
	stride := (v.Cols + 7) / 8
	plane := func(in func(cell int32) bool) []byte {
		p := make([]byte, v.Rows*stride)
		for cell := range v.Rows * v.Cols {
			if in(int32(cell)) {
				p[cell/v.Cols*stride+cell%v.Cols/8] |= 1 << (cell % v.Cols % 8)
			}
		}
		return p
	}
	return pack.Sight{Stride: stride,
		Visible: plane(func(cell int32) bool { return v.Visible[cell] }),
		Walls:   plane(func(cell int32) bool { return v.Water[cell] }),
		Items:   plane(func(cell int32) bool { return slices.Contains(v.Food, cell) }),
		Targets: plane(func(cell int32) bool {
			return slices.ContainsFunc(v.Hills, func(h ants.Spot) bool { return h.Cell == cell && h.Owner != 0 })
		}),
	}
}
