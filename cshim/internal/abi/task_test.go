package abi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/datasets"
)

func (l *tester) begin(options string) uint64 {
	l.t.Helper()
	var id uint64
	if status, reason := l.TaskBegin([]byte(options), &id); status != OK {
		l.t.Fatalf("%s: %s: %s", options, status, reason)
	}
	l.t.Cleanup(func() { l.is("close", l.DatasetClose(id), OK) })
	return id
}

// told waits for a task and reads what it tells.
func (l *tester) told(id uint64, milliseconds int64) (done bool, at progressJSON, result json.RawMessage) {
	l.t.Helper()
	var b Bytes
	if status, reason := l.TaskWait(id, milliseconds, &b); status != OK {
		l.t.Fatalf("%s: %s", status, reason)
	}
	var j struct {
		Done     bool            `json:"done"`
		Progress progressJSON    `json:"progress"`
		Result   json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(l.take(b), &j); err != nil {
		l.t.Fatal(err)
	}
	return j.Done, j.Progress, j.Result
}

const patience = 600_000 // milliseconds

// do begins a task, waits for its end and reads its result.
func (l *tester) do(options string, result any) {
	l.t.Helper()
	done, _, raw := l.told(l.begin(options), patience)
	if !done || json.Unmarshal(raw, result) != nil {
		l.t.Fatalf("%s: done: %t, %s", options, done, raw)
	}
}

// contents are the files of a folder.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"*", "maps/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if info, err := os.Stat(name); err == nil && !info.IsDir() {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				files[strings.TrimPrefix(name, dir)] = data
			}
		}
	}
	return files
}

// TestTasks: what tasks write is what package datasets writes.
func TestTasks(t *testing.T) {
	l := newTester(t)
	want := made(t, datasets.Orders)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	same := func(a, b string) {
		t.Helper()
		x, y := contents(t, a), contents(t, b)
		if len(x) < 3 || len(x) != len(y) {
			t.Errorf("%d and %d files", len(x), len(y))
		}
		for name, data := range x {
			if !bytes.Equal(data, y[name]) {
				t.Errorf("%s of %s and %s differ", name, a, b)
			}
		}
	}
	generate := `{"do":"generate","out":%q,"rules":{"name":"ladder","max_turns":9},"maps":["tiny-2p"],"policies":["greedy","random"],"episodes":%d,"first":%d,"seed":5}`
	var s datasets.Summary
	l.do(fmt.Sprintf(generate, at("whole"), 7, 0), &s)
	if same(at("whole"), want); s.Episodes != 7 || !s.Complete {
		t.Errorf("%+v", s)
	}
	l.do(fmt.Sprintf(generate, at("one"), 3, 0), &s)
	l.do(fmt.Sprintf(generate, at("two"), 4, 3), &s)
	var m datasets.Transformed
	l.do(fmt.Sprintf(`{"do":"merge","from":[%q,%q],"out":%q}`, at("two"), at("one"), at("merged")), &m)
	same(at("merged"), want)
	l.do(fmt.Sprintf(`{"do":"convert","from":[%q],"out":%q,"kind":"steps","format":"parquet"}`, want, at("steps")), &m)
	if m.Kind != datasets.Steps || m.Format != datasets.Parquet || m.Episodes != 7 {
		t.Errorf("%+v", m)
	}
	l.do(fmt.Sprintf(`{"do":"convert","from":[%q],"out":%q,"kind":"orders","format":"arrow"}`, at("steps"), at("back")), &m)
	same(at("back"), want)
	var sides []datasets.Transformed
	l.do(fmt.Sprintf(`{"do":"split","from":[%q],"out":%q,"rest":%q,"fraction":0.5,"seed":3}`, want, at("in"), at("rest")), &sides)
	if len(sides) != 2 || sides[0].Episodes+sides[1].Episodes != 7 || sides[0].Episodes == 0 || sides[1].Episodes == 0 {
		t.Errorf("%+v", sides)
	}
	var v datasets.Verification
	l.do(fmt.Sprintf(`{"do":"verify","from":[%q]}`, at("steps")), &v)
	if v.Episodes != 7 || !v.Complete {
		t.Errorf("%+v", v)
	}
	var stats datasets.Stats
	l.do(fmt.Sprintf(`{"do":"stats","from":[%q]}`, want), &stats)
	if stats.Episodes != 7 || len(stats.Policies) != 2 || stats.Policies[0].Name != "greedy" {
		t.Errorf("%+v", stats)
	}
}

// TestTasksWrong: what cannot be done, at once or later, and again when asked
// again.
func TestTasksWrong(t *testing.T) {
	l := newTester(t)
	dir := made(t, datasets.Orders)
	for options, want := range map[string]Status{
		`{"do":"fly"}`:                        ErrConfig,
		`{"do":"generate","from":["x"]}`:      ErrConfig,
		`{"do":"verify"}`:                     ErrConfig,
		`{"do":"verify","from":["a","b"]}`:    ErrConfig,
		`{"do":"verify","from":["/nowhere"]}`: ErrIO,
		`{"do":"verify","sideways":1}`:        ErrConfig,
		``:                                    ErrConfig,
	} {
		var id uint64
		if status, reason := l.TaskBegin([]byte(options), &id); status != want || reason == "" {
			t.Errorf("%s: %s, %q", options, status, reason)
		}
	}
	for options, want := range map[string]Status{
		`{"do":"generate","out":"` + dir + `","policies":["greedy"]}`:                       ErrIO, // is there
		`{"do":"generate","out":"` + t.TempDir() + `/x","policies":["nobody"]}`:             ErrConfig,
		`{"do":"generate","out":"` + t.TempDir() + `/x","policies":["greedy"],"rules":"?"}`: ErrRules,
		`{"do":"split","from":["` + dir + `"],"out":"a","rest":"b","fraction":2}`:           ErrConfig,
	} {
		id := l.begin(options)
		for range 2 {
			var b Bytes
			if status, reason := l.TaskWait(id, patience, &b); status != want || reason == "" {
				t.Errorf("%s: %s, %q", options, status, reason)
			}
		}
	}
	var b Bytes
	status, _ := l.TaskWait(99, 0, &b)
	l.is("no task", status, ErrHandle)
	status, _ = l.TaskWait(l.openDataset(dir), 0, &b)
	l.is("a dataset", status, ErrHandle)
	status, _ = l.TaskWait(1, -1, &b)
	l.is("no time", status, ErrArgument)
	status, _ = l.TaskBegin(nil, nil)
	l.is("no place", status, ErrArgument)
}

// TestTaskEnds: a task that is closed ends early, and what it wrote is whole.
func TestTaskEnds(t *testing.T) {
	l := newTester(t)
	out := filepath.Join(t.TempDir(), "data")
	id := l.begin(fmt.Sprintf(`{"do":"generate","out":%q,"maps":["tiny-2p"],"policies":["random"],"episodes":1000000,"shard_size":20000,"seed":1}`, out))
	for {
		done, at, _ := l.told(id, 1)
		if done {
			t.Fatal("a million episodes were played")
		}
		if at.Bytes > 0 && at.Episodes > 0 && at.Total == 1000000 {
			break
		}
	}
	l.is("close", l.DatasetClose(id), OK)
	l.is("close again", l.DatasetClose(id), OK)
	var b Bytes
	status, _ := l.TaskWait(id, 0, &b)
	l.is("wait", status, ErrClosed)
	d, err := datasets.Open(out, datasets.OpenOptions{})
	if err != nil || d.Len() == 0 || d.Manifest().Complete {
		t.Fatalf("%v, %+v", err, d)
	}
}
