// Readers of datasets. A goroutine of the reader's reads ahead by a chunk; next
// copies a chunk to a block that is the caller's.

package abi

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/myriant-rl/myriant/datasets"
	"github.com/myriant-rl/myriant/env/obs"
)

// The views of a dataset.
const (
	viewEpisodes    = "episodes"
	viewRows        = "rows"
	viewTransitions = "transitions"
	viewWindows     = "windows"
)

// defaultBatch is how many windows or episodes come at once unless it is said.
const defaultBatch = 256

// A reader reads a view of a dataset.
type reader struct {
	d      *datasets.Dataset
	pool   *pool
	view   string
	fields []readField

	mu     sync.Mutex // held during a call
	stop   context.CancelFunc
	chunks chan *chunk
	failed error // that next told, and tells again
}

// A readField is one array that a reader gives.
type readField struct {
	name   string
	column string // of the dataset's rows
	at     int    // its index
	next   bool   // of the observation that a transition leads to
	part   part
	dtype  obs.DType
	shape  []int // of an entry
}

// A part is what of a chunk an array shows.
type part int

const (
	partData part = iota
	partOffsets
	partWindows // where the rows of each window begin
	partExtra   // of episodes: the array of the name
)

// A chunk is what comes at once.
type chunk struct {
	n       int // entries
	obs     []*datasets.Rows
	next    []*datasets.Rows // of transitions: what each of obs led to
	windows []int32
	extra   map[string][]byte // of episodes
	done    []recycler        // memory to give back once this was copied
	err     error
}

// recycle gives the memory of a chunk that was copied, or that nobody wants, back.
func (c *chunk) recycle() {
	for _, d := range c.done {
		d.Recycle()
	}
}

// A recycler is what of a dataset's rows has memory to give back.
type recycler interface{ Recycle() }

// newReader begins to read.
func newReader(d *dataset, j *readJSON) (*reader, error) {
	r := &reader{d: d.Dataset, pool: d.pool, view: j.View, chunks: make(chan *chunk, 1)}
	o := j.options()
	w := datasets.WindowOptions{ReadOptions: o, Length: j.Length, Stride: j.Stride, Short: j.Short}
	var read func(ctx context.Context, give func(*chunk) bool) error
	switch j.View {
	case viewEpisodes:
		if j.Columns != nil || j.Next != nil {
			return nil, badConfig("columns are of rows, not of episodes")
		}
		if j.Shuffle || j.Part != 0 || j.Parts > 1 {
			return nil, badConfig("episodes are read in order")
		}
		if j.Split != nil && !(j.Split.Fraction >= 0 && j.Split.Fraction <= 1) {
			return nil, badConfig("split: a fraction of %g, want one from 0 to 1", j.Split.Fraction)
		}
		for _, e := range j.Episodes {
			if e < 0 || e >= d.Len() {
				return nil, badConfig("episode %d of %d", e, d.Len())
			}
		}
		r.fields = episodeFields(j.Split != nil)
		read = func(ctx context.Context, give func(*chunk) bool) error { return readEpisodes(ctx, d.Dataset, j, give) }
	case viewRows, viewTransitions, viewWindows:
		if j.Split != nil {
			return nil, badConfig("a split is told of episodes")
		}
		if err := r.choose(d, j); err != nil {
			return nil, err
		}
		if j.View == viewRows { // others are copied in any case
			w.Memory = d.pool
		}
		read = func(ctx context.Context, give func(*chunk) bool) error {
			return readSteps(ctx, d.Dataset, w, j.View, give)
		}
	default:
		return nil, badConfig("no view %.40q (have %s, %s, %s, %s)", j.View, viewEpisodes, viewRows, viewTransitions, viewWindows)
	}
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go r.run(ctx, read)
	return r, nil
}

func (j *readJSON) options() datasets.ReadOptions {
	return datasets.ReadOptions{
		Episodes: j.Episodes, Part: j.Part, Parts: j.Parts, Shuffle: j.Shuffle, Seed: j.Seed,
		Buffer: j.Buffer, Batch: j.Batch, Workers: j.Workers,
	}
}

// run reads until the end or until the reader is closed.
func (r *reader) run(ctx context.Context, read func(ctx context.Context, give func(*chunk) bool) error) {
	defer close(r.chunks)
	give := func(c *chunk) bool {
		select {
		case r.chunks <- c:
			return true
		case <-ctx.Done():
			c.recycle()
			return false
		}
	}
	status, reason := OK, ""
	var err error
	func() {
		defer func() {
			if p := recover(); p != nil {
				status, reason = panicked(p)
				err = &failure{status, reason}
			}
		}()
		err = read(ctx, give)
	}()
	if err != nil {
		give(&chunk{err: err})
	}
}

// choose makes the table of the columns that are wanted.
func (r *reader) choose(d *dataset, j *readJSON) error {
	if r.view != viewTransitions && len(j.Next) > 0 {
		return badConfig("next is of transitions")
	}
	columns, err := d.Columns()
	if err != nil {
		return err
	}
	names := j.Columns
	if names == nil {
		for _, c := range columns {
			names = append(names, c.Name)
		}
	}
	next := j.Next
	if next == nil && r.view == viewTransitions {
		for _, c := range d.columns {
			if c.Role != "" {
				next = append(next, c.Name)
			}
		}
	}
	add := func(name string, isNext bool) error {
		at := slices.IndexFunc(columns, func(c datasets.Column) bool { return c.Name == name })
		if at < 0 {
			return badConfig("no column %.40q", name)
		}
		c := &columns[at]
		if isNext {
			name = "next_" + name
		}
		if slices.ContainsFunc(r.fields, func(f readField) bool { return f.name == name }) {
			return badConfig("column %.40q twice", name)
		}
		r.fields = append(r.fields, readField{name: name, column: c.Name, at: at, next: isNext, dtype: c.DType, shape: entryShape(c)})
		if c.List {
			r.fields = append(r.fields, readField{name: name + "_offsets", column: c.Name, at: at, next: isNext, part: partOffsets, dtype: obs.Int32})
		}
		return nil
	}
	for _, name := range names {
		if err := add(name, false); err != nil {
			return err
		}
	}
	for _, name := range next {
		if err := add(name, true); err != nil {
			return err
		}
	}
	if r.view == viewWindows {
		r.fields = append(r.fields, readField{name: "window_offsets", part: partWindows, dtype: obs.Int32})
	}
	for _, f := range r.fields {
		if len(f.name) >= MaxName || len(f.shape)+1 > MaxNDim {
			panic("abi: the header has no room for the array " + f.name)
		}
	}
	return nil
}

// readSteps reads rows, transitions or windows.
func readSteps(ctx context.Context, d *datasets.Dataset, o datasets.WindowOptions, view string, give func(*chunk) bool) error {
	switch view {
	case viewRows:
		for rows, err := range d.Rows(ctx, o.ReadOptions) {
			if err != nil {
				return err
			}
			if !give(&chunk{n: rows.Len(), obs: []*datasets.Rows{rows}, done: []recycler{rows}}) {
				return nil
			}
		}
	case viewTransitions:
		// Without shuffling, batches are put together when they are copied.
		batch := o.Batch
		if !o.Shuffle {
			o.Batch = 0
		}
		c := &chunk{}
		for t, err := range d.Transitions(ctx, o.ReadOptions) {
			if err != nil {
				return err
			}
			for from := 0; from < t.Len(); {
				to := t.Len()
				if batch > 0 {
					to = min(to, from+batch-c.n)
				}
				piece := t
				if from > 0 || to < t.Len() {
					piece = t.Slice(from, to)
				}
				c.obs, c.next, c.n = append(c.obs, piece.Obs), append(c.next, piece.Next), c.n+piece.Len()
				if from = to; from == t.Len() {
					c.done = append(c.done, t)
				}
				if batch > 0 && c.n < batch {
					continue
				}
				if !give(c) {
					return nil
				}
				c = &chunk{}
			}
		}
		if c.n > 0 {
			give(c)
		}
	case viewWindows:
		batch := o.Batch
		if batch == 0 {
			batch = defaultBatch
		}
		c := &chunk{windows: []int32{0}}
		for w, err := range d.Windows(ctx, o) {
			if err != nil {
				return err
			}
			c.n++
			c.obs = append(c.obs, w.Rows)
			c.windows = append(c.windows, c.windows[len(c.windows)-1]+int32(w.Rows.Len()))
			if c.n == batch {
				if !give(c) {
					return nil
				}
				c = &chunk{windows: []int32{0}}
			}
		}
		if c.n > 0 {
			give(c)
		}
	}
	return nil
}

// episodeFields are the arrays of episodes.
func episodeFields(split bool) []readField {
	list := []readField{
		{name: "episode", dtype: obs.Uint64}, {name: "seed", dtype: obs.Uint64}, {name: "map", dtype: obs.Int32},
		{name: "turns", dtype: obs.Int32}, {name: "reason", dtype: obs.Int32}, {name: "final_hash", dtype: obs.Uint64},
		{name: "order_count", dtype: obs.Int64}, {name: "seat_offsets", dtype: obs.Int32}, {name: "policy", dtype: obs.Int32},
		{name: "score", dtype: obs.Int32}, {name: "rank", dtype: obs.Int32}, {name: "strikes", dtype: obs.Int32},
		{name: "return", dtype: obs.Float32},
	}
	if split {
		list = append(list, readField{name: "in_split", dtype: obs.Bool})
	}
	for i := range list {
		list[i].part = partExtra
	}
	return list
}

// readEpisodes reads what is known of episodes without playing them.
func readEpisodes(ctx context.Context, d *datasets.Dataset, j *readJSON, give func(*chunk) bool) error {
	columns, err := d.Columns()
	if err != nil {
		return err
	}
	index := map[string]map[string]int32{}
	for _, c := range columns {
		for i, name := range c.Names {
			if index[c.Name] == nil {
				index[c.Name] = map[string]int32{}
			}
			index[c.Name][name] = int32(i)
		}
	}
	batch := j.Batch
	if batch == 0 {
		batch = defaultBatch
	}
	fields := episodeFields(j.Split != nil)
	var c *chunk
	put := func(e *datasets.Episode) bool {
		if c == nil {
			c = &chunk{extra: map[string][]byte{}}
			for _, f := range fields {
				c.extra[f.name] = nil
			}
			c.extra["seat_offsets"] = make([]byte, 4)
		}
		c.n++
		add(c.extra, "episode", e.ID)
		add(c.extra, "seed", e.Seed)
		add(c.extra, "map", index["map"][e.Map])
		add(c.extra, "turns", int32(e.Turns))
		add(c.extra, "reason", index["reason"][e.Reason])
		add(c.extra, "final_hash", e.FinalHash)
		add(c.extra, "order_count", e.Orders)
		for _, s := range e.Seats {
			add(c.extra, "policy", index["policy"][s.Policy])
			add(c.extra, "score", s.Score)
			add(c.extra, "rank", s.Rank)
			add(c.extra, "strikes", s.Strikes)
			add(c.extra, "return", s.Return)
		}
		add(c.extra, "seat_offsets", int32(len(c.extra["rank"])/4))
		if j.Split != nil {
			in := byte(0)
			if datasets.InSplit(e, j.Split.Seed, j.Split.Fraction) {
				in = 1
			}
			add(c.extra, "in_split", in)
		}
		if c.n < batch {
			return true
		}
		full := c
		c = nil
		return give(full)
	}
	if j.Episodes != nil {
		for _, n := range j.Episodes {
			e, err := d.Episode(n)
			if err != nil {
				return err
			}
			if !put(e) || ctx.Err() != nil {
				return nil
			}
		}
	} else {
		for e, err := range d.Episodes() {
			if err != nil {
				return err
			}
			if !put(e) || ctx.Err() != nil {
				return nil
			}
		}
	}
	if c != nil {
		give(c)
	}
	return nil
}

func add[T obs.Elem](to map[string][]byte, name string, v T) {
	to[name] = append(to[name], unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))...)
}

func int32Bytes(v []int32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}

// next is the next chunk, nil at the end. It waits so many milliseconds at most,
// if they are not below 0; late tells that none came by then.
func (r *reader) next(milliseconds int64) (c *chunk, late bool, err error) {
	if r.failed != nil {
		return nil, false, r.failed
	}
	select {
	case c = <-r.chunks: // without a timer
	default:
		var until <-chan time.Time
		if milliseconds >= 0 {
			timer := time.NewTimer(time.Duration(min(milliseconds, 1<<40)) * time.Millisecond)
			defer timer.Stop()
			until = timer.C
		}
		select {
		case c = <-r.chunks:
		case <-until:
			return nil, true, nil
		}
	}
	if c != nil && c.err != nil {
		r.failed = c.err
		return nil, false, c.err
	}
	return c, false, nil
}

// close ends the reader and waits for its goroutine. A call that is under way
// gets what there was.
func (r *reader) close() {
	r.stop()
	for c := range r.chunks { // until it is closed
		c.recycle()
	}
}

// slab is an array of a chunk before it is copied: pieces one after the other.
type slab struct {
	bytes   int
	entries int
	pieces  [][]byte
}

func (r *reader) slab(f *readField, c *chunk) slab {
	var s slab
	switch f.part {
	case partExtra:
		s.pieces = [][]byte{c.extra[f.name]}
	case partWindows:
		s.pieces = [][]byte{int32Bytes(c.windows)}
	default:
		rows := c.obs
		if f.next {
			rows = c.next
		}
		for _, one := range rows {
			column := &one.Columns[f.at]
			if f.part == partData {
				s.pieces = append(s.pieces, column.Data)
				continue
			}
			offsets := column.Offsets
			if len(rows) > 1 { // offsets of all pieces as of one
				offsets = append([]int32(nil), offsets...)
				if s.entries > 0 {
					for k := range offsets {
						offsets[k] += int32(s.entries)
					}
				}
				s.entries = int(offsets[len(offsets)-1])
				if len(s.pieces) > 0 {
					offsets = offsets[1:]
				}
			}
			s.pieces = append(s.pieces, int32Bytes(offsets))
		}
	}
	for _, p := range s.pieces {
		s.bytes += len(p)
	}
	size := f.dtype.Size()
	for _, d := range f.shape {
		size *= d
	}
	s.entries = s.bytes / max(size, 1)
	return s
}

// blockBytes is what an array takes in a block.
func blockBytes(n int) int { return (n + blockAlign - 1) &^ (blockAlign - 1) }

// row is an array's entry of a table.
func (f *readField) row(s *slab, data unsafe.Pointer, block uint64) Row {
	row := Row{Data: data, Bytes: int64(s.bytes), Block: block, DType: int32(f.dtype), NDim: int32(len(f.shape) + 1)}
	row.Shape[0] = int64(s.entries)
	for k, d := range f.shape {
		row.Shape[k+1] = int64(d)
	}
	copy(row.Name[:], f.name)
	return row
}

// fill tells where a chunk's arrays lie: in the block that its rows were made
// in, if they were made in one, and else in a block that they are copied to.
func (r *reader) fill(c *chunk, table []Row) error {
	slabs := make([]slab, len(r.fields))
	for i := range r.fields {
		slabs[i] = r.slab(&r.fields[i], c)
	}
	if r.view == viewRows && r.fillMade(c, slabs, table) {
		return nil
	}
	total := 0
	for i := range slabs {
		total += blockBytes(slabs[i].bytes)
	}
	id, b := r.pool.take(total)
	mem := unsafe.Slice((*byte)(b.data), total)
	at := 0
	for i := range r.fields {
		s := &slabs[i]
		table[i] = r.fields[i].row(s, unsafe.Add(b.data, at), id)
		to := at
		for _, p := range s.pieces {
			to += copy(mem[to:], p)
		}
		if to != at+s.bytes {
			panic(fmt.Sprintf("abi: %d bytes of %s, want %d", to-at, r.fields[i].name, s.bytes))
		}
		at += blockBytes(s.bytes)
		clear(mem[to:at])
	}
	c.recycle()
	return nil
}

// fillMade is fill for rows that were made in a block, which is the caller's
// then. What lies elsewhere is copied to where the block is free; if that is too
// much, it is false.
func (r *reader) fillMade(c *chunk, slabs []slab, table []Row) bool {
	made, used := c.obs[0].Memory()
	if made == nil {
		return false
	}
	first := unsafe.Pointer(unsafe.SliceData(made))
	at := blockBytes(used)
	place := make([]int, len(slabs)) // in the block, or -1 for where it is
	for i := range slabs {
		data := uintptr(unsafe.Pointer(unsafe.SliceData(slabs[i].pieces[0])))
		if place[i] = -1; slabs[i].bytes > 0 && data >= uintptr(first) && data < uintptr(first)+uintptr(used) {
			continue
		}
		place[i] = at
		at += blockBytes(slabs[i].bytes)
	}
	if at > len(made) {
		return false
	}
	id := r.pool.m.id(first)
	for i := range r.fields {
		s := &slabs[i]
		if place[i] < 0 {
			table[i] = r.fields[i].row(s, unsafe.Pointer(unsafe.SliceData(s.pieces[0])), id)
			continue
		}
		copy(made[place[i]:], s.pieces[0])
		table[i] = r.fields[i].row(s, unsafe.Add(first, place[i]), id)
	}
	return true
}
