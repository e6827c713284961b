// Datasets: opened by path, looked at, read. What a reader gives is in
// reader.go.

package abi

import (
	"fmt"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/datasets"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// A dataset is one that a caller has opened.
type dataset struct {
	*datasets.Dataset
	columns []columnJSON
	pool    *pool
}

// datasetJSON is the form of the options of opening a dataset.
type datasetJSON struct {
	Path      string `json:"path"`
	AnyEngine bool   `json:"any_engine"`
}

// datasetInfoJSON is what is told of a dataset.
type datasetInfoJSON struct {
	Manifest *datasets.Manifest `json:"manifest"`
	Episodes int                `json:"episodes"` // that can be read
	Columns  []columnJSON       `json:"columns"`
}

// columnJSON is a column of a dataset's rows.
type columnJSON struct {
	Name   string   `json:"name"`
	DType  string   `json:"dtype"`
	Shape  []int    `json:"shape"`           // of an entry
	Ragged bool     `json:"ragged"`          // a row has any number of entries
	Width  int      `json:"width,omitempty"` // of bits: how many elements the last axis has
	Names  []string `json:"names,omitempty"` // what the numbers stand for
	Role   role     `json:"role,omitempty"`  // of what a seat sees
	Doc    string   `json:"doc"`
}

// others are what callers have beside batches. Numbers are those of handles.
type others struct {
	datasets map[uint64]*dataset
	readers  map[uint64]*reader
	tasks    map[uint64]*task
}

// number gives a number to what add keeps.
func (l *Library) number(add func(id uint64)) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.next
	l.next++
	add(id)
	return id
}

// missing is the error of a number that is none of what is wanted. The caller
// has the lock.
func (l *Library) missing(id uint64, what string) error {
	if id == 0 || id >= l.next || l.handles[id] != nil || l.datasets[id] != nil || l.readers[id] != nil || l.tasks[id] != nil {
		return &failure{ErrHandle, fmt.Sprintf("%d is no %s", id, what)}
	}
	return &failure{ErrClosed, "the " + what + " was closed"}
}

func (l *Library) dataset(id uint64) (*dataset, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.datasets[id]; d != nil {
		return d, nil
	}
	return nil, l.missing(id, "dataset")
}

// DatasetOpen opens a dataset.
func (l *Library) DatasetOpen(options []byte, out *uint64) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("dataset is null")
		}
		var j datasetJSON
		if err := decodeStrict(options, &j); err != nil {
			return badConfig("options: %v", err)
		}
		open, err := datasets.Open(j.Path, datasets.OpenOptions{AnyEngine: j.AnyEngine})
		if err != nil {
			return err
		}
		d := &dataset{Dataset: open, pool: &pool{m: l.Memory}}
		if d.columns, err = describe(open); err != nil {
			return err
		}
		*out = l.number(func(id uint64) { l.datasets[id] = d })
		return nil
	})
}

// describe tells the columns of a dataset's rows.
func describe(d *datasets.Dataset) ([]columnJSON, error) {
	m := d.Manifest()
	g, err := findGame(m.Game)
	if err != nil {
		return nil, err
	}
	columns, err := d.Columns()
	if err != nil {
		return nil, err
	}
	schema, err := datasets.Steps.Schema(m.Game)
	if err != nil {
		return nil, err
	}
	fields, sizes, err := shown(d)
	if err != nil {
		return nil, err
	}
	list := make([]columnJSON, len(columns))
	for i, c := range columns {
		doc, _ := schema.Field(i).Metadata.GetValue("doc")
		list[i] = columnJSON{Name: c.Name, DType: c.DType.String(), Shape: entryShape(&c), Ragged: c.List, Names: c.Names, Doc: doc}
		f, ok := fields[c.Name]
		if !ok {
			continue
		}
		if list[i].Role = isObservation; g.roles[c.Name] != "" {
			list[i].Role = g.roles[c.Name]
		}
		if c.DType == obs.Bit {
			dims, err := sizes.Resolve(f.Shape)
			if err != nil {
				return nil, err
			}
			if list[i].Width = dims[len(dims)-1]; f.DType == obs.Bit {
				list[i].Width = sizes["W"]
			}
		}
	}
	// A score and what it leads to are no observations, though a batch has
	// arrays of their names.
	for i := range list {
		if list[i].Role != isObservation && list[i].Role != isMask {
			list[i].Role = ""
		}
	}
	return list, nil
}

// entryShape is the shape of a column's entries. Bits have an axis to count
// their bytes on, be it just one.
func entryShape(c *datasets.Column) []int {
	if c.DType == obs.Bit && len(c.Shape) == 0 {
		return []int{1}
	}
	return append([]int{}, c.Shape...)
}

// shown are the arrays of a batch of the dataset's maps, and its sizes.
func shown(d *datasets.Dataset) (map[string]obs.Field, obs.Sizes, error) {
	m := d.Manifest()
	cfg := batch.Config{Game: m.Game, Rules: d.Rules(), Boards: 1, Workers: 1}
	for _, e := range m.Maps {
		one, err := d.Map(e.Digest)
		if err != nil {
			return nil, nil, err
		}
		cfg.Maps = append(cfg.Maps, one)
		for s := len(cfg.Observe); s < one.Seats(); s++ {
			cfg.Observe = append(cfg.Observe, s)
		}
	}
	b, err := batch.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	defer b.Close()
	fields := map[string]obs.Field{}
	for _, f := range b.Outputs() {
		fields[f.Name] = f
	}
	return fields, b.Sizes(), nil
}

// DatasetInfo tells about a dataset.
func (l *Library) DatasetInfo(id uint64, out *Bytes) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("out is null")
		}
		d, err := l.dataset(id)
		if err != nil {
			return err
		}
		*out = l.Memory.give(encode(datasetInfoJSON{d.Manifest(), d.Len(), d.columns}))
		return nil
	})
}

// DatasetMap gives one of a dataset's maps as its canonical JSON.
func (l *Library) DatasetMap(id uint64, digest string, out *Bytes) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("out is null")
		}
		d, err := l.dataset(id)
		if err != nil {
			return err
		}
		var m env.Map
		if m, err = d.Map(digest); err != nil {
			return err
		}
		*out = l.Memory.give(m.CanonicalJSON())
		return nil
	})
}

// DatasetClose ends a dataset, a reader or a task. Again: nothing.
func (l *Library) DatasetClose(id uint64) Status {
	l.mu.Lock()
	d, r, t := l.datasets[id], l.readers[id], l.tasks[id]
	delete(l.datasets, id)
	delete(l.readers, id)
	delete(l.tasks, id)
	known := d != nil || r != nil || t != nil || id > 0 && id < l.next && l.handles[id] == nil
	l.mu.Unlock()
	if !known {
		return ErrHandle
	}
	if r != nil {
		r.close()
	}
	if d != nil {
		d.pool.close()
	}
	if t != nil {
		t.close()
	}
	return OK
}

// readJSON is the form of what is to be read.
type readJSON struct {
	View     string   `json:"view"`
	Columns  []string `json:"columns"`
	Next     []string `json:"next"`
	Episodes []int    `json:"episodes"`
	Part     int      `json:"part"`
	Parts    int      `json:"parts"`
	Shuffle  bool     `json:"shuffle"`
	Seed     uint64   `json:"seed"`
	Buffer   int      `json:"buffer"`
	Batch    int      `json:"batch"`
	Workers  int      `json:"workers"`
	Length   int      `json:"length"`
	Stride   int      `json:"stride"`
	Short    bool     `json:"short"`
	Split    *struct {
		Seed     uint64  `json:"seed"`
		Fraction float64 `json:"fraction"`
	} `json:"split"`
}

// DatasetRead begins to read a dataset. The reader does not need the number of
// the dataset any more.
func (l *Library) DatasetRead(id uint64, options []byte, out *uint64) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("reader is null")
		}
		d, err := l.dataset(id)
		if err != nil {
			return err
		}
		var j readJSON
		if err := decodeStrict(options, &j); err != nil {
			return badConfig("options: %v", err)
		}
		r, err := newReader(d, &j)
		if err != nil {
			return err
		}
		*out = l.number(func(id uint64) { l.readers[id] = r })
		return nil
	})
}

// readerInfoJSON is what is told of a reader.
type readerInfoJSON struct {
	View  string      `json:"view"`
	Table []tableJSON `json:"table"`
}

type tableJSON struct {
	Name   string `json:"name"`
	Column string `json:"column,omitempty"` // of the dataset's rows
	DType  string `json:"dtype"`
	Shape  []int  `json:"shape"` // the first is -1
}

// ReaderInfo tells what a reader's table looks like.
func (l *Library) ReaderInfo(id uint64, out *Bytes) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("out is null")
		}
		r, err := l.reader(id)
		if err != nil {
			return err
		}
		j := readerInfoJSON{View: r.view, Table: []tableJSON{}}
		for _, f := range r.fields {
			j.Table = append(j.Table, tableJSON{f.name, f.column, f.dtype.String(), append([]int{-1}, f.shape...)})
		}
		*out = l.Memory.give(encode(j))
		return nil
	})
}

func (l *Library) reader(id uint64) (*reader, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.readers[id]; r != nil {
		return r, nil
	}
	return nil, l.missing(id, "reader")
}

// withReader runs a call that needs a reader for itself.
func (l *Library) withReader(id uint64, f func(r *reader) error) (Status, string) {
	return guarded(func() error {
		r, err := l.reader(id)
		if err != nil {
			return err
		}
		if !r.mu.TryLock() {
			return &failure{ErrBusy, "another call of the reader is under way"}
		}
		defer r.mu.Unlock()
		return f(r)
	})
}

// ReaderNext gives what comes next: a table whose memory is one held block, or
// at the end nothing, and 0 entries. It waits so many milliseconds at most, if
// they are not below 0; nothing by then is -1 entries.
func (l *Library) ReaderNext(id uint64, table []Row, count *int64, milliseconds int64) (Status, string) {
	return l.withReader(id, func(r *reader) error {
		if count == nil || len(table) != len(r.fields) {
			return argument("a table of %d rows, want %d and a count", len(table), len(r.fields))
		}
		c, late, err := r.next(milliseconds)
		switch {
		case err != nil:
			return err
		case late:
			*count = -1
			return nil
		}
		if *count = 0; c == nil {
			return nil
		}
		if err := r.fill(c, table); err != nil {
			return err
		}
		*count = int64(c.n)
		return nil
	})
}

// DatasetStream calls f with a dataset, what of it is to be streamed, and where
// records have their memory from.
func (l *Library) DatasetStream(id uint64, options []byte, f func(d *datasets.Dataset, o datasets.ReadOptions, hold datasets.Hold) error) (Status, string) {
	return guarded(func() error {
		d, err := l.dataset(id)
		if err != nil {
			return err
		}
		var j readJSON
		if err := decodeStrict(options, &j); err != nil {
			return badConfig("options: %v", err)
		}
		if j.View != viewRows || j.Columns != nil || j.Next != nil || j.Split != nil {
			return badConfig("all columns of the view %s can be streamed, and nothing else", viewRows)
		}
		o := j.options()
		o.Memory = d.pool
		return f(d.Dataset, o, d.pool.hold)
	})
}
