package abi

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/myriant-rl/myriant/datasets"
	"github.com/myriant-rl/myriant/env"
)

// TestRecord: what is stepped, however, becomes a dataset that verifies; what
// was changed in another way is left out.
func TestRecord(t *testing.T) {
	for name, config := range stepConfigs() {
		t.Run(name, func(t *testing.T) {
			l := newTester(t)
			id, b := l.create(config), twin(t, config)
			out := filepath.Join(t.TempDir(), "data")
			l.ok(id, l.Reset(id, 7))
			if err := b.Reset(7); err != nil {
				t.Fatal(err)
			}
			rng := env.RNG(3)
			step := func(i int) {
				t.Helper()
				a, direct := choices(b, i%2, &rng)
				if err := b.Step(direct); err != nil {
					t.Fatal(err)
				}
				if i%2 == 0 {
					l.ok(id, l.Step(id, a, nil, false))
					return
				}
				l.ok(id, l.Send(id, a))
				l.ok(id, l.Recv(id, -1, nil, false))
			}
			step(0) // of episodes that are not recorded
			l.ok(id, l.Record(id, encode(recordJSON{Out: out, Player: "me", CheckpointEvery: 3})))
			l.fails("two at once", id, l.Record(id, encode(recordJSON{Out: out + "2"})), ErrConfig, "under way")
			all := make([]byte, b.Config().Boards)
			boards := make([]int, len(all))
			for i := range all {
				all[i], boards[i] = 1, i
			}
			for i := range 70 {
				step(i)
				if i%30 == 29 { // cuts what goes on
					l.ok(id, l.ResetMask(id, first(all), int64(len(all)), nil, 0))
					if err := b.ResetBoards(boards, nil); err != nil {
						t.Fatal(err)
					}
				}
				if i == 35 {
					l.ok(id, l.Clone(id, first([]int64{0}), first([]int64{0}), 1))
				}
			}
			var sum datasets.RecordSummary
			if err := json.Unmarshal(l.bytes(id, func(out *Bytes) Status { return l.RecordStop(id, out) }), &sum); err != nil {
				t.Fatal(err)
			}
			l.fails("nothing is recorded", id, l.RecordStop(id, nil), ErrIdle, "nothing is recorded")
			d, err := datasets.Open(out, datasets.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := d.Verify(context.Background(), datasets.VerifyOptions{Workers: 2}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !v.Complete || v.Episodes != sum.Episodes || sum.Episodes < 5 || sum.LeftOut < 1 {
				t.Errorf("%+v of %+v", v, sum)
			}
			if names := d.Manifest().Policies.Names; len(names) < 2 || names[0] != "me" {
				t.Errorf("players %v", names)
			}
		})
	}
}

// TestRecordErrors: bad options, bad folders, and an end by Close.
func TestRecordErrors(t *testing.T) {
	l := newTester(t)
	id := l.create(native(""))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options string
		want    Status
		part    string
	}{
		{``, ErrConfig, "no JSON"},
		{`{}`, ErrConfig, "no folder"},
		{`{"out":"x","for":1}`, ErrConfig, `unknown field "for"`},
		{`{"out":"x","checkpoint_every":-1}`, ErrConfig, "checkpoints -1"},
		{`{"out":"x","kind":"frames"}`, ErrConfig, "frames"},
		{`{"out":"x","format":"csv"}`, ErrConfig, "csv"},
		{fmt.Sprintf(`{"out":%q}`, dir), ErrIO, "not empty"},
		{fmt.Sprintf(`{"out":%q}`, filepath.Join(dir, "mine", "data")), ErrIO, "mine"},
	} {
		l.fails(c.options, id, l.Record(id, []byte(c.options)), c.want, c.part)
	}
	out := filepath.Join(dir, "data")
	l.ok(id, l.Record(id, fmt.Appendf(nil, `{"out":%q}`, out)))
	l.ok(id, l.Reset(id, 1))
	for range 9 {
		l.ok(id, l.Step(id, nil, nil, false))
	}
	l.is("close", l.Close(id), OK)
	d, err := datasets.Open(out, datasets.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() != 8 || !d.Manifest().Complete {
		t.Errorf("%d episodes, complete %t", d.Len(), d.Manifest().Complete)
	}
}
