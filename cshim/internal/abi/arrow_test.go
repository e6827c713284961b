package abi

import (
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/batch/arrowexport"
	"github.com/myriant-rl/myriant/env/obs"
)

// record makes a record of a handle and tells its rows; release ends it.
func (l *tester) record(id uint64, set int32, flags uint32) (rows int64, release func()) {
	l.t.Helper()
	l.ok(id, l.Arrow(id, set, flags, func(x *arrowexport.Exporter, final bool, hold arrowexport.Hold) error {
		rec, err := x.Held(final, hold)
		if err != nil {
			return err
		}
		rows, release = rec.NumRows(), rec.Release
		return nil
	}))
	return rows, release
}

// TestArrow: records hold the blocks that they show, copies or the batch's own,
// until they are released, after the batch's end and on another goroutine too.
func TestArrow(t *testing.T) {
	l := newTester(t)
	id := l.create(native(`,"autoreset":"same_step"`))
	l.ok(id, l.Reset(id, 1))
	idle, _ := l.Memory.Live()
	rows, release := l.record(id, Main, 0)
	copied, _ := l.Memory.Live()
	if rows != 4 || copied != idle+14 {
		t.Errorf("%d rows, %d blocks, %d before", rows, copied, idle)
	}
	release()
	if now, _ := l.Memory.Live(); now != idle {
		t.Errorf("%d blocks after the release, want %d", now, idle)
	}
	for range 1000 {
		_, release := l.record(id, Final, View)
		if now, _ := l.Memory.Live(); now != idle {
			t.Fatalf("%d blocks of a view, want %d", now, idle)
		}
		release()
	}
	_, first := l.record(id, Main, View)
	_, second := l.record(id, Final, 0)
	l.is("close", l.Close(id), OK)
	if now, _ := l.Memory.Live(); now != 28 {
		t.Errorf("%d blocks after the end, want those of two records", now)
	}
	done := make(chan struct{})
	go func() {
		first()
		second()
		close(done)
	}()
	<-done
	if now, _ := l.Memory.Live(); now != 0 {
		t.Errorf("%d blocks are left", now)
	}
}

// TestArrowBytes: a view changes with the batch, a copy does not.
func TestArrowBytes(t *testing.T) {
	l := newTester(t)
	id := l.create(`{"boards":2,"maps":["tiny-2p"],"policies":[["greedy","greedy"]],"observe":[0],"arrays":["turn"]}`)
	l.ok(id, l.Reset(id, 1))
	turns := map[uint32][]byte{}
	for _, flags := range []uint32{0, View} {
		l.ok(id, l.Arrow(id, Main, flags, func(x *arrowexport.Exporter, _ bool, hold arrowexport.Hold) error {
			rec, err := x.Held(false, func(a *obs.Array) ([]byte, func()) {
				data, release := hold(a)
				turns[flags] = data
				return data, release
			})
			if err == nil {
				t.Cleanup(rec.Release)
			}
			return err
		}))
	}
	for range 3 {
		l.ok(id, l.Step(id, nil, nil, false))
	}
	if turns[0][0] != 0 || turns[View][0] != 3 {
		t.Errorf("turn %d in the copy, %d in the view", turns[0][0], turns[View][0])
	}
}

// TestArrowColumns: Arrow shows what the configuration says, and no more.
func TestArrowColumns(t *testing.T) {
	l := newTester(t)
	id := l.create(`{"boards":1,"maps":["tiny-2p"],"columns":["reward","ant_cells"]}`)
	l.ok(id, l.ArrowSchema(id, func(x *arrowexport.Exporter) error {
		if s := x.Schema(); s.NumFields() != 2 || s.Field(0).Name != "ant_cells" || s.Field(1).Name != "reward" {
			t.Errorf("schema %s", s)
		}
		return nil
	}))
	for _, config := range []string{`{"boards":1,"columns":["score"],"arrays":["reward"]}`, `{"boards":1,"columns":["nothing"]}`} {
		var id uint64
		if status, reason := l.Create([]byte(config), &id); status != ErrConfig || !strings.Contains(reason, "columns has") {
			t.Errorf("%s: %v, %s", config, status, reason)
		}
	}
}

func TestArrowErrors(t *testing.T) {
	l := newTester(t)
	never := func(*arrowexport.Exporter, bool, arrowexport.Hold) error { panic("called") }
	held := func(x *arrowexport.Exporter, final bool, hold arrowexport.Hold) error {
		rec, err := x.Held(final, hold)
		if err == nil {
			rec.Release()
		}
		return err
	}
	id := l.create(small)
	l.fails("set 2", id, l.Arrow(id, 2, 0, never), ErrArgument, "set 2")
	l.fails("flag 2", id, l.Arrow(id, Main, 2, never), ErrArgument, "flags 0x2")
	l.fails("no final set", id, l.Arrow(id, Final, 0, held), ErrExport, "next_step")
	for what, config := range map[string]string{
		"lacks its offsets": `{"boards":1,"arrays":["ant_cells"]}`,
		"no array":          `{"boards":1,"arrays":[]}`,
		"no columns":        `{"boards":1,"arrays":["reward"],"policies":[["greedy","greedy"]]}`,
	} {
		id := l.create(config)
		l.fails(what, id, l.Arrow(id, Main, 0, never), ErrExport, "")
		l.fails(what, id, l.ArrowSchema(id, func(*arrowexport.Exporter) error { panic("called") }), ErrExport, "")
		if reason, _ := l.LastError(id); reason == "" {
			t.Errorf("%s: no reason", what)
		}
	}
	fields := 0
	l.ok(id, l.ArrowSchema(id, func(x *arrowexport.Exporter) error {
		fields = x.Schema().NumFields()
		return nil
	}))
	if fields != 13 { // offsets are no column
		t.Errorf("%d fields", fields)
	}
}
