package abi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/myriant-rl/myriant/datasets"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// made is a small dataset of some kind.
func made(t *testing.T, kind datasets.Kind) string {
	t.Helper()
	m, err := ants.BundledMap("tiny-2p")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "data")
	_, err = datasets.Generate(context.Background(), datasets.Options{
		Out: out, Kind: kind, Rules: `{"name":"ladder","max_turns":9}`, Maps: []env.Map{m}, Policies: []string{"greedy", "random"}, Episodes: 7, Seed: 5,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (l *tester) openDataset(dir string) uint64 {
	l.t.Helper()
	var id uint64
	if status, reason := l.DatasetOpen(encode(datasetJSON{Path: dir}), &id); status != OK {
		l.t.Fatalf("%s: %s", status, reason)
	}
	l.t.Cleanup(func() { l.is("close", l.DatasetClose(id), OK) })
	return id
}

func (l *tester) read(id uint64, options string) uint64 {
	l.t.Helper()
	var r uint64
	if status, reason := l.DatasetRead(id, []byte(options), &r); status != OK {
		l.t.Fatalf("%s: %s: %s", options, status, reason)
	}
	l.t.Cleanup(func() { l.is("close", l.DatasetClose(r), OK) })
	return r
}

func (l *tester) readerInfo(r uint64) *readerInfoJSON {
	l.t.Helper()
	var b Bytes
	if status, reason := l.ReaderInfo(r, &b); status != OK {
		l.t.Fatalf("%s: %s", status, reason)
	}
	info := &readerInfoJSON{}
	if err := json.Unmarshal(l.take(b), info); err != nil {
		l.t.Fatal(err)
	}
	return info
}

// all reads to the end: the entries, and the bytes of every array, but of
// offsets, which are held to their arrays.
func (l *tester) all(r uint64) (entries int, data map[string][]byte) {
	l.t.Helper()
	info := l.readerInfo(r)
	table := make([]Row, len(info.Table))
	data = map[string][]byte{}
	for {
		var n int64 = -1
		if status, reason := l.ReaderNext(r, table, &n, -1); status != OK {
			l.t.Fatalf("%s: %s", status, reason)
		}
		if n == 0 {
			return entries, data
		}
		entries += int(n)
		lengths := map[string]int64{}
		for i := range table {
			row := &table[i]
			size := int64(obs.DType(row.DType).Size())
			for _, d := range row.Shape[:row.NDim] {
				size *= d
			}
			if want := info.Table[i]; row.name() != want.Name || size != row.Bytes || int(row.NDim) != len(want.Shape) || uintptr(row.Data)%64 != 0 || row.Block != table[0].Block {
				l.t.Fatalf("row %d is %+v, want %+v", i, *row, want)
			}
			lengths[row.name()] = row.Shape[0]
			if of, isOffsets := strings.CutSuffix(row.name(), "_offsets"); isOffsets {
				offsets := numbers[int32](row)
				if of != "window" && of != "seat" && int64(offsets[len(offsets)-1]) != lengths[of] || offsets[0] != 0 {
					l.t.Fatalf("offsets of %s are %v, with %d entries", of, offsets, lengths[of])
				}
				for k := 1; k < len(offsets); k++ {
					data[row.name()] = append(data[row.name()], byte(offsets[k]-offsets[k-1]))
				}
				continue
			}
			data[row.name()] = append(data[row.name()], row.data()...)
		}
		l.is("release", l.Memory.Release(table[0].Block), OK)
	}
}

// TestDatasetViews: what readers give is what package datasets gives, of both
// kinds and all views.
func TestDatasetViews(t *testing.T) {
	for _, kind := range datasets.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			dir := made(t, kind)
			d, err := datasets.Open(dir, datasets.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			l := newTester(t)
			id := l.openDataset(dir)
			n, got := l.all(l.read(id, `{"view":"rows"}`))
			want := map[string][]byte{}
			rows := 0
			for r, err := range d.Rows(context.Background(), datasets.ReadOptions{}) {
				if err != nil {
					t.Fatal(err)
				}
				rows += r.Len()
				for _, c := range r.Columns {
					want[c.Name] = append(want[c.Name], c.Data...)
					for k := 1; k < len(c.Offsets); k++ {
						want[c.Name+"_offsets"] = append(want[c.Name+"_offsets"], byte(c.Offsets[k]-c.Offsets[k-1]))
					}
				}
			}
			if n != rows || len(got) != len(want) {
				t.Fatalf("%d rows of %d arrays, want %d of %d", n, len(got), rows, len(want))
			}
			for name := range want {
				if !bytes.Equal(got[name], want[name]) {
					t.Errorf("array %s differs", name)
				}
			}
			steps := rows - 7*2
			for _, o := range []string{``, `,"shuffle":true,"seed":3,"batch":5,"buffer":20`, `,"batch":4`} {
				n, got := l.all(l.read(id, `{"view":"transitions"`+o+`}`))
				if n != steps || len(got["next_planes"]) != len(got["planes"]) || len(got["planes"]) == 0 {
					t.Errorf("%s: %d transitions with %d and %d bytes of planes, want %d", o, n, len(got["planes"]), len(got["next_planes"]), steps)
				}
			}
			n, got = l.all(l.read(id, `{"view":"transitions","columns":["reward","actions"],"next":[],"episodes":[2]}`))
			if len(got) != 3 || len(got["reward"]) != 4*n {
				t.Errorf("%d transitions of %d arrays", n, len(got))
			}
			n, got = l.all(l.read(id, `{"view":"windows","length":4,"short":true,"batch":3,"columns":["step","actions"]}`))
			if len(got["window_offsets"]) != n || len(got["step"]) != 4*(steps+n) || len(got["actions_offsets"]) != steps+n {
				t.Errorf("%d windows with %d steps", n, len(got["step"])/4)
			}
			n, got = l.all(l.read(id, `{"view":"episodes","batch":2,"split":{"seed":1,"fraction":0.5}}`))
			if n != 7 || len(got["seat_offsets"]) != 7 || len(got["return"]) != 4*14 {
				t.Errorf("%d episodes, %d seats", n, len(got["return"])/4)
			}
			for e := range 7 {
				episode, err := d.Episode(e)
				if err != nil {
					t.Fatal(err)
				}
				if in := got["in_split"][e] != 0; in != datasets.InSplit(episode, 1, 0.5) {
					t.Errorf("episode %d is in the split: %t", e, in)
				}
			}
		})
	}
}

// TestDatasetInfo: columns are described so that they can be read without
// knowing the game.
func TestDatasetInfo(t *testing.T) {
	l := newTester(t)
	id := l.openDataset(made(t, datasets.Orders))
	var b Bytes
	if status, reason := l.DatasetInfo(id, &b); status != OK {
		t.Fatalf("%s: %s", status, reason)
	}
	var info datasetInfoJSON
	if err := json.Unmarshal(l.take(b), &info); err != nil {
		t.Fatal(err)
	}
	if info.Episodes != 7 || info.Manifest.Game != "ants" {
		t.Errorf("%d episodes of %s", info.Episodes, info.Manifest.Game)
	}
	seen := map[string]string{}
	for _, c := range info.Columns {
		if c.Doc == "" {
			t.Errorf("column %s says nothing", c.Name)
		}
		seen[c.Name] = fmt.Sprint(c.DType, c.Shape, c.Ragged, c.Width, c.Role)
	}
	for name, want := range map[string]string{
		"planes": "bit[7 24 3]false24observation", "ant_cells": "int32[]true0observation", "ant_mask": "bit[1]true5mask",
		"score": "int32[]false0", "actions": "uint8[]true0",
	} {
		if got := strings.ReplaceAll(seen[name], " false", "false"); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("column %s is %s, want %s", name, seen[name], want)
		}
	}
	if status, reason := l.DatasetMap(id, info.Manifest.Maps[0].Digest, &b); status != OK || len(l.take(b)) == 0 {
		t.Errorf("%s: %s", status, reason)
	}
}

// TestDatasetWrong: what cannot be is a status with a reason, and what is
// broken names its file.
func TestDatasetWrong(t *testing.T) {
	l := newTester(t)
	dir := made(t, datasets.Orders)
	id := l.openDataset(dir)
	wrong := func(what string, status Status, reason string, want Status, part string) {
		t.Helper()
		if status != want || !strings.Contains(reason, part) {
			t.Errorf("%s: %s, %q; want %s, %q in it", what, status, reason, want, part)
		}
	}
	var out uint64
	for options, part := range map[string]string{
		`{`: "options", `{"view":"all"}`: "no view", `{"view":"rows","columns":["x"]}`: "no column", `{"view":"rows","columns":["step","step"]}`: "twice",
		`{"view":"rows","next":["step"]}`: "next", `{"view":"episodes","shuffle":true}`: "in order", `{"view":"episodes","episodes":[7]}`: "episode 7 of 7",
		`{"view":"episodes","split":{"fraction":2}}`: "fraction", `{"view":"rows","split":{"fraction":0.5}}`: "split",
	} {
		status, reason := l.DatasetRead(id, []byte(options), &out)
		wrong(options, status, reason, ErrConfig, part)
	}
	// What only the package below can judge is told by the first call.
	for _, options := range []string{`{"view":"rows","episodes":[-1]}`, `{"view":"windows"}`, `{"view":"transitions","part":3}`} {
		r := l.read(id, options)
		var n int64
		status, reason := l.ReaderNext(r, make([]Row, len(l.readerInfo(r).Table)), &n, -1)
		wrong(options, status, reason, ErrConfig, "dataset")
	}
	status, reason := l.DatasetRead(id, []byte(`{"view":"rows"}`), nil)
	wrong("no reader", status, reason, ErrArgument, "null")
	status, reason = l.DatasetOpen([]byte(`{}`), nil)
	wrong("no dataset", status, reason, ErrArgument, "null")
	status, reason = l.DatasetOpen([]byte(`{"path":"/nowhere"}`), &out)
	wrong("nowhere", status, reason, ErrIO, "/nowhere")
	status, reason = l.ReaderInfo(id, &Bytes{})
	wrong("a dataset as a reader", status, reason, ErrHandle, "no reader")
	l.is("a dataset as a batch", l.Reset(id, 1), ErrHandle)
	l.is("a batch as a dataset", l.DatasetClose(l.create(small)), ErrHandle)
	r := l.read(id, `{"view":"rows"}`)
	var n int64
	status, reason = l.ReaderNext(r, make([]Row, 1), &n, -1)
	wrong("a short table", status, reason, ErrArgument, "a table of 1")
	l.is("close", l.DatasetClose(r), OK)
	l.is("close again", l.DatasetClose(r), OK)
	status, reason = l.ReaderNext(r, make([]Row, 1), &n, -1)
	wrong("closed", status, reason, ErrClosed, "closed")

	shard := filepath.Join(dir, "shard-00000.arrow")
	data, err := os.ReadFile(shard)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(shard, data, 0o666); err != nil {
		t.Fatal(err)
	}
	r = l.read(l.openDataset(dir), `{"view":"rows","columns":["step"]}`)
	for range 2 {
		status, reason = l.ReaderNext(r, make([]Row, 1), &n, -1)
		wrong("a flipped bit", status, reason, ErrCorrupt, "shard-00000.arrow")
	}
}

// TestReaderEnds: a reader that is closed early, or never read, leaves nothing
// behind, and needs its dataset's number no more.
func TestReaderEnds(t *testing.T) {
	l := newTester(t)
	dir := made(t, datasets.Steps)
	for i := range 20 {
		var id uint64
		if status, reason := l.DatasetOpen(encode(datasetJSON{Path: dir}), &id); status != OK {
			t.Fatal(reason)
		}
		r := l.read(id, `{"view":"transitions","columns":["reward"],"next":[],"batch":2}`)
		l.is("close", l.DatasetClose(id), OK)
		var n int64
		row := make([]Row, 1)
		for range i % 4 {
			if status, reason := l.ReaderNext(r, row, &n, -1); status != OK || n != 2 {
				t.Fatalf("%s: %s, %d", status, reason, n)
			}
			if got := unsafe.Slice((*float32)(row[0].Data), 2); got[0] != got[0] {
				t.Errorf("reward %v", got)
			}
			l.is("release", l.Memory.Release(row[0].Block), OK)
		}
		l.is("close", l.DatasetClose(r), OK)
	}
}

// TestReaderPoll: a reader that is asked again and again gives what one gives
// that is waited for, and says when there is nothing yet.
func TestReaderPoll(t *testing.T) {
	l := newTester(t)
	id := l.openDataset(made(t, datasets.Orders))
	want, _ := l.all(l.read(id, `{"view":"rows"}`))
	early := 0
	for range 20 {
		r := l.read(id, `{"view":"rows"}`)
		table := make([]Row, len(l.readerInfo(r).Table))
		got := 0
		for n := int64(-1); n != 0; {
			if status, reason := l.ReaderNext(r, table, &n, 0); status != OK {
				t.Fatalf("%s: %s", status, reason)
			}
			if n < 0 {
				early++
				time.Sleep(time.Millisecond)
				continue
			}
			if got += int(n); n > 0 {
				l.is("release", l.Memory.Release(table[0].Block), OK)
			}
		}
		if got != want {
			t.Fatalf("%d rows, want %d", got, want)
		}
	}
	if early == 0 {
		t.Error("everything was there at once")
	}
}
