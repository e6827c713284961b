package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// A played episode is what the test itself saw of it.
type played struct {
	seed   uint64
	orders [][][]byte
	hash   uint64
}

// A reporter keeps orders and passes them on.
type reporter struct {
	to *Recording
	mu sync.Mutex
	at map[int][][][]byte // per board
}

func (r *reporter) Orders(board int, orders [][]byte) {
	var copied [][]byte
	for _, o := range orders {
		copied = append(copied, slices.Clone(o))
	}
	r.mu.Lock()
	r.at[board] = append(r.at[board], copied)
	r.mu.Unlock()
	r.to.Orders(board, orders)
}

// A session drives a batch and its recording.
type session struct {
	t     *testing.T
	b     *batch.Batch
	r     *Recording
	rep   *reporter
	count []uint64
	seeds []uint64
	over  []played // in the order of their ends
	act   func(turn int) batch.Actions
}

func newSession(t *testing.T, o RecordOptions, c batch.Config) *session {
	t.Helper()
	c.Game, c.Rules, c.Maps, c.MapOf, c.Policies, c.Boards, c.Workers = o.Game, o.Rules, o.Maps, o.MapOf, o.Policies, len(o.MapOf), 2
	b, err := batch.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	s := &session{t: t, b: b, count: make([]uint64, c.Boards), seeds: make([]uint64, c.Boards)}
	if s.r, err = Record(o); err != nil {
		t.Fatal(err)
	}
	s.rep = &reporter{to: s.r, at: map[int][][][]byte{}}
	b.Record(s.rep)
	if err := b.Reset(5); err != nil {
		t.Fatal(err)
	}
	s.begin()
	return s
}

// begin tells the recording of the boards that were reset.
func (s *session) begin() {
	for i := range s.count {
		seed, n := s.b.Begun(i)
		if n == s.count[i] {
			continue
		}
		s.count[i], s.seeds[i] = n, seed
		s.rep.at[i] = nil
		s.r.Begin(i, seed)
	}
}

func (s *session) step(turn int) {
	s.t.Helper()
	s.r.Before()
	if err := s.b.Step(s.act(turn)); err != nil {
		s.t.Fatal(err)
	}
	if err := s.r.After(); err != nil {
		s.t.Fatal(err)
	}
	for i, valid := range obs.View[bool](s.b.Array("valid")) {
		if !valid || !obs.View[bool](s.b.Array("done"))[i] || s.rep.at[i] == nil {
			continue
		}
		p := played{seed: s.seeds[i], orders: s.rep.at[i]}
		if s.b.Config().Autoreset != batch.SameStep {
			p.hash = s.b.Hash(i)
		}
		s.over = append(s.over, p)
		s.rep.at[i] = nil
	}
	s.begin()
}

// check reads the recorded dataset and holds it to what the test saw.
func (s *session) check(dir string) *Manifest {
	s.t.Helper()
	d := mustOpen(s.t, dir)
	if _, err := d.Verify(context.Background(), VerifyOptions{Workers: 2}, nil); err != nil {
		s.t.Fatal(err)
	}
	if !d.Manifest().Complete || d.Len() != len(s.over) {
		s.t.Fatalf("%d episodes, complete %t; %d were played", d.Len(), d.Manifest().Complete, len(s.over))
	}
	for i, p := range s.over {
		e, err := d.Episode(i)
		if err != nil {
			s.t.Fatal(err)
		}
		orders, err := d.Orders(e)
		if err != nil {
			s.t.Fatal(err)
		}
		if e.Seed != p.seed || p.hash != 0 && e.FinalHash != p.hash {
			s.t.Errorf("episode %d: seed %d, hash %x; played were %d, %x", i, e.Seed, e.FinalHash, p.seed, p.hash)
		}
		if len(orders) != len(p.orders) {
			s.t.Fatalf("episode %d: %d turns, %d were played", i, len(orders), len(p.orders))
		}
		for turn := range orders {
			for seat := range orders[turn] {
				if got, want := orders[turn][seat], p.orders[turn][seat]; !slices.Equal(got, want) {
					s.t.Fatalf("episode %d, turn %d, seat %d: %v, ordered was %v", i, turn, seat, got, want)
				}
			}
		}
	}
	return d.Manifest()
}

// TestRecord records callers and policies together, in every mode, through
// arrays that are not those that orders are packed against.
func TestRecord(t *testing.T) {
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		t.Run(mode.String(), func(t *testing.T) {
			o := RecordOptions{
				Out: filepath.Join(t.TempDir(), "data"), Rules: `{"name":"ladder","max_turns":30}`, Maps: testMaps(t),
				MapOf: []int{0, 1, 2, 0, 2}, Policies: [][]string{{"caller", "greedy"}, {"random"}, {"hunter", "", "greedy"}},
				CheckpointEvery: 7, ShardSize: 700, Workers: 2,
			}
			s := newSession(t, o, batch.Config{
				Autoreset: mode, Planes: obs.Float32, HoldBad: true, Options: map[string]bool{"recentre": true, "per_owner": true},
				Arrays: []string{"planes", "ant_offsets", "valid", "done"}, Rewards: map[string]float64{"food": 1},
			})
			s.act = func(turn int) batch.Actions {
				offsets := obs.View[int64](s.b.Array("ant_offsets"))
				acts := make([]byte, offsets[len(offsets)-1])
				rng := env.RNG(turn)
				for i := range acts {
					acts[i] = byte(rng.Below(6)) // 5 is no action
				}
				return batch.Actions{Head: "ant", Uint8: acts}
			}
			for turn := range 100 {
				s.step(turn)
				if mode == batch.Disabled && turn%40 == 39 {
					if err := s.b.ResetBoards([]int{0, 1, 2, 3, 4}, []uint64{9, 8, 7, 6, 1 << 63}); err != nil {
						t.Fatal(err)
					}
					s.begin()
				}
			}
			sum, err := s.r.Close()
			if err != nil {
				t.Fatal(err)
			}
			m := s.check(o.Out)
			if sum.Episodes != len(s.over) || sum.Episodes < 10 || sum.Shards < 2 || sum.Shards != len(m.Shards) || sum.Bytes == 0 || sum.Orders == 0 || sum.Out != o.Out {
				t.Errorf("summary %+v of %d episodes", sum, len(s.over))
			}
			if want := []string{"player", "greedy", "random", "hunter"}; !cmp.Equal(m.Policies.Names, want) {
				t.Errorf("policies %v, want %v", m.Policies.Names, want)
			}
		})
	}
}

// TestRecordFormica records colonies of the other game.
func TestRecordFormica(t *testing.T) {
	m, err := formica.BundledBoard("duel")
	if err != nil {
		t.Fatal(err)
	}
	o := RecordOptions{
		Out: filepath.Join(t.TempDir(), "data"), Game: "formica", Rules: `{"name":"duel","max_ticks":60}`, Maps: []env.Map{m},
		MapOf: []int{0, 0, 0}, Policies: [][]string{{"", "scripted"}, {"raid", ""}}, Player: "me", Workers: 1,
	}
	s := newSession(t, o, batch.Config{})
	s.act = func(turn int) batch.Actions {
		orders := make([]int32, s.b.Sizes()["B"]*s.b.Sizes()["S"]*formica.OrderColumns)
		rng := env.RNG(turn)
		for i := 0; i < len(orders); i += formica.OrderColumns {
			orders[i] = int32(rng.Below(4)) - 1 // none, forage, raid, build
			orders[i+formica.OrderAlloc] = int32(rng.Below(formica.NumTenths))
			orders[i+formica.OrderTarget] = -1
		}
		return batch.Actions{Head: "orders", Int32: orders}
	}
	for turn := range 40 {
		s.step(turn)
	}
	sum, err := s.r.Close()
	if err != nil {
		t.Fatal(err)
	}
	if s.check(o.Out); sum.Episodes < 6 {
		t.Errorf("summary %+v", sum)
	}
}

// hold steps with all ants standing still.
func (s *session) hold() {
	s.act = func(int) batch.Actions {
		offsets := obs.View[int64](s.b.Array("ant_offsets"))
		return batch.Actions{Head: "ant", Uint8: slices.Repeat([]byte{4}, int(offsets[len(offsets)-1]))}
	}
}

func shortOptions(t *testing.T) RecordOptions {
	t.Helper()
	return RecordOptions{Out: filepath.Join(t.TempDir(), "data"), Rules: `{"name":"ladder","max_turns":3}`, Maps: testMaps(t)[:1], MapOf: []int{0, 0}}
}

// TestRecordDrop: what was not played from its start to its end is left out,
// and what comes after it is not.
func TestRecordDrop(t *testing.T) {
	o := shortOptions(t)
	s := newSession(t, o, batch.Config{})
	s.hold()
	s.step(0)
	if err := s.b.Clone([]int{1}, []int{0}); err != nil {
		t.Fatal(err)
	}
	s.r.Drop(1)
	s.rep.at[1] = nil
	if _, ok := s.r.Hash(1); ok {
		t.Error("a dropped board is recorded")
	}
	if hash, ok := s.r.Hash(0); !ok || hash != s.b.Hash(0) {
		t.Errorf("board 0 is recorded as %x, %t; it is %x", hash, ok, s.b.Hash(0))
	}
	s.step(1)
	s.rep.at[1] = nil
	s.step(2) // both end
	s.over = slices.DeleteFunc(s.over, func(p played) bool { return len(p.orders) != 3 })
	s.step(3) // both are reset
	s.step(4)
	if err := s.b.ResetBoards([]int{0}, []uint64{77}); err != nil {
		t.Fatal(err)
	}
	s.begin()
	for turn := range 4 {
		s.step(turn)
	}
	sum, err := s.r.Close()
	if err != nil {
		t.Fatal(err)
	}
	s.check(o.Out)
	// Left out: board 1's first, board 0's second, and board 0's and 1's last.
	if sum.Episodes != 3 || sum.LeftOut != 4 {
		t.Errorf("summary %+v", sum)
	}
}

// TestRecordNothing: without an episode there is no dataset.
func TestRecordNothing(t *testing.T) {
	o := shortOptions(t)
	s := newSession(t, o, batch.Config{})
	s.hold()
	s.step(0)
	sum, err := s.r.Close()
	if err != nil || sum.Episodes != 0 || sum.LeftOut != 2 {
		t.Errorf("%+v, %v", sum, err)
	}
	if left := folder(t, o.Out); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := Record(o); err != nil {
		t.Errorf("the folder is empty, but: %v", err)
	}
}

func TestRecordErrors(t *testing.T) {
	full := shortOptions(t)
	if err := os.MkdirAll(full.Out, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(full.Out, "mine.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Record(full); !errors.Is(err, ErrExists) {
		t.Errorf("a folder that is in use: %v", err)
	}
	for what, change := range map[string]func(*RecordOptions){
		"no folder":             func(o *RecordOptions) { o.Out = "" },
		"no map":                func(o *RecordOptions) { o.Maps = nil },
		"map 3 of 1":            func(o *RecordOptions) { o.MapOf = []int{3} },
		"no boards":             func(o *RecordOptions) { o.MapOf = nil },
		"a player named caller": func(o *RecordOptions) { o.Player = batch.Caller },
		"a shard of -1 bytes":   func(o *RecordOptions) { o.ShardSize = -1 },
	} {
		o := shortOptions(t)
		change(&o)
		if _, err := Record(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", what, err)
		}
	}
	o := shortOptions(t)
	o.Rules = "chess"
	if _, err := Record(o); !errors.Is(err, env.ErrRules) {
		t.Errorf("no such rules: %v", err)
	}
}

// TestRecordDeadDisk: from the operation on at which the disk fails, every
// call says so, stepping goes on, and what whole shards hold can be read.
func TestRecordDeadDisk(t *testing.T) {
	failed := 0
	for after := 0; ; after += sparse() {
		o := shortOptions(t)
		o.ShardSize = 1
		r, err := o.record(&mortalDisk{left: after})
		if err != nil {
			if !errors.Is(err, errDead) {
				t.Fatalf("after %d: %v", after, err)
			}
			continue
		}
		b, err := batch.New(batch.Config{Rules: o.Rules, Maps: o.Maps, Boards: 2, Policies: [][]string{{"hold", "hold"}}, Recorder: r, Arrays: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Reset(1); err != nil {
			t.Fatal(err)
		}
		var dead error
		for turn := range 9 {
			for i := range 2 {
				if seed, _ := b.Begun(i); turn%4 == 0 {
					r.Begin(i, seed)
				}
			}
			r.Before()
			if err := b.Step(batch.Actions{}); err != nil {
				t.Fatal(err)
			}
			if err := r.After(); err != nil || dead != nil {
				if dead = err; !errors.Is(err, errDead) {
					t.Fatalf("after %d, turn %d: %v", after, turn, err)
				}
			}
		}
		b.Close()
		_, err = r.Close()
		episodes, readErr := readAll(o.Out)
		if err == nil {
			if dead != nil || readErr != nil || len(episodes) != 4 {
				t.Fatalf("after %d: %v while stepping, none at the end; %d episodes, %v", after, dead, len(episodes), readErr)
			}
			break
		}
		failed++
		if !errors.Is(err, errDead) || readErr != nil {
			t.Fatalf("after %d: %v; then %d episodes, %v", after, err, len(episodes), readErr)
		}
	}
	if failed == 0 {
		t.Error("the disk never failed while something was recorded")
	}
	t.Logf("%d disks failed", failed)
}
