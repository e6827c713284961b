package datasets

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// A lentMemory counts what is out, and fills what it lends with noise.
type lentMemory struct {
	mu        sync.Mutex
	out       map[*byte]int
	bytes     int
	most      int // bytes that were out at once
	lent, bad int
}

func (m *lentMemory) Take(n int) []byte {
	raw := make([]byte, n+align)
	at := -int(uintptr(unsafe.Pointer(&raw[0]))) & (align - 1)
	mem := raw[at : at+n : at+n]
	for i := range mem {
		mem[i] = 0xA5
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.out == nil {
		m.out = map[*byte]int{}
	}
	m.out[&mem[0]] = n
	m.lent++
	m.bytes += n
	m.most = max(m.most, m.bytes)
	return mem
}

func (m *lentMemory) Drop(mem []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.out[&mem[0]]
	if !ok || n != len(mem) {
		m.bad++
	}
	delete(m.out, &mem[0])
	m.bytes -= n
	for i := range mem {
		mem[i] = 0x5A
	}
}

// TestRowsInMemory: rows that are played into lent memory are those that are
// not, lie there, and all of it comes back however reading ends.
func TestRowsInMemory(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		p := plan(nil)
		p.mustGenerate(t)
		d := mustOpen(t, p.Out)
		want := allRows(t, d)
		for _, workers := range []int{1, 3} {
			m := &lentMemory{}
			all := d.form.l.rows()
			for r, err := range d.Rows(context.Background(), ReadOptions{Workers: workers, Memory: m}) {
				if err != nil {
					t.Fatal(err)
				}
				mem, used := r.Memory()
				for i := range r.Columns {
					if c := &r.Columns[i]; len(c.Data) > 0 && !within(c.Data, mem[:used]) {
						t.Fatalf("column %s of %d bytes lies elsewhere", c.Name, len(c.Data))
					}
				}
				all.Append(r, 0, r.Len())
				r.Recycle()
				r.Recycle() // again: nothing
			}
			if diff := sameRows(want, all); diff != "" {
				t.Errorf("%d workers: %s differs", workers, diff)
			}
			if len(m.out) != 0 || m.bad != 0 || m.lent < d.Len() {
				t.Errorf("%d workers: %d of %d pieces are out, %d bad", workers, len(m.out), m.lent, m.bad)
			}
		}
		for _, stop := range []int{0, 1, 3} {
			m := &lentMemory{}
			ctx, cancel := context.WithCancel(context.Background())
			n := 0
			for r, err := range d.Rows(ctx, ReadOptions{Workers: 2, Memory: m}) {
				if err != nil {
					break
				}
				r.Recycle()
				if n++; n > stop {
					if stop == 3 {
						cancel()
						continue
					}
					break
				}
			}
			cancel()
			if len(m.out) != 0 || m.bad != 0 {
				t.Errorf("stopped after %d: %d of %d pieces are out, %d bad", n, len(m.out), m.lent, m.bad)
			}
		}
		for range 2 { // a reader that has enough of a shuffled view
			m := &lentMemory{}
			for _, err := range d.Transitions(context.Background(), ReadOptions{Memory: m, Shuffle: true, Buffer: 40, Batch: 7}) {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if len(m.out) != 0 || m.bad != 0 || m.lent == 0 {
				t.Errorf("shuffled, stopped: %d of %d pieces are out, %d bad", len(m.out), m.lent, m.bad)
			}
		}
		for o := range 4 { // what copies gives memory back too
			m := &lentMemory{}
			read := ReadOptions{Memory: m, Shuffle: o == 1, Batch: 5 * (o & 2)}
			if o == 3 {
				for _, err := range d.Windows(context.Background(), WindowOptions{ReadOptions: read, Length: 3}) {
					if err != nil {
						t.Fatal(err)
					}
				}
			} else {
				for tr, err := range d.Transitions(context.Background(), read) {
					if err != nil {
						t.Fatal(err)
					}
					tr.Recycle()
				}
			}
			if len(m.out) != 0 || m.bad != 0 || m.lent == 0 {
				t.Errorf("view %d: %d of %d pieces are out, %d bad", o, len(m.out), m.lent, m.bad)
			}
		}
	})
}

// TestRowsOutgrowMemory: a list that is longer than was foreseen goes elsewhere,
// and the rows are the same.
func TestRowsOutgrowMemory(t *testing.T) {
	p := testPlan(t, nil)
	p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	all := allRows(t, d)
	long := slicesWithout(all)
	m := &lentMemory{}
	r := d.form.l.take(long.Len(), m)
	for i := range long.Len() {
		r.Append(long, i, i+1)
	}
	if diff := sameRows(long, r); diff != "" {
		t.Errorf("%s differs", diff)
	}
	mem, used := r.Memory()
	if within(r.Column("actions").Data, mem) || !within(r.Column("planes").Data, mem[:used]) {
		t.Errorf("%d bytes of actions, %d of planes", len(r.Column("actions").Data), len(r.Column("planes").Data))
	}
	d.form.l.grew(r)
	again := d.form.l.take(long.Len(), m)
	again.Append(long, 0, long.Len())
	if mem, used := again.Memory(); !within(again.Column("actions").Data, mem[:used]) {
		t.Errorf("the next rows have no room for %d bytes of actions", len(again.Column("actions").Data))
	}
}

// slicesWithout are eight rows with 100 actions each.
func slicesWithout(all *Rows) *Rows {
	r := all.layout.rows()
	r.Append(all, 0, 8)
	c := r.Column("actions")
	c.Data, c.Offsets = make([]byte, 800), c.Offsets[:1:1]
	for i := range 8 {
		c.Offsets = append(c.Offsets, int32(100*(i+1)))
	}
	return r
}

// TestAheadIsBounded: however slow the reader is, workers are ahead of it by no
// more than a shelf holds and what they have in hand.
func TestAheadIsBounded(t *testing.T) {
	p := testPlan(t, func(o *Options) {
		o.Maps, o.Episodes, o.Rules = testMaps(t)[1:2], 400, `{"name":"ladder","max_turns":120}`
		o.ShardSize = 1 << 20
	})
	p.mustGenerate(t)
	d := mustOpen(t, p.Out)
	m := &lentMemory{}
	n, total := 0, int64(0)
	for r, err := range d.Rows(context.Background(), ReadOptions{Workers: 2, Memory: m}) {
		if err != nil {
			t.Fatal(err)
		}
		for range 20 { // let workers run as far as they can
			runtime.Gosched()
		}
		total += r.raw()
		r.Recycle()
		n++
	}
	// Rows of short episodes leave most of what they were lent empty.
	if pieces := m.most / (chunkBytes + chunkBytes/4); pieces > 4*2+3 {
		t.Errorf("%d pieces of memory were out at once", pieces)
	}
	if total < 2*int64(aheadBytes) {
		t.Errorf("a dataset of %d bytes proves nothing", total)
	}
}

// A weighedDisk weighs the heap now and then while it is written to.
type weighedDisk struct {
	osDisk
	weigh func()
}

func (d *weighedDisk) create(path string) (diskFile, error) {
	d.weigh()
	return d.osDisk.create(path)
}

// TestMemoryIsBounded: writing and reading a dataset that is ten times as large
// takes no more memory, in every kind and format.
func TestMemoryIsBounded(t *testing.T) {
	for _, kind := range Kinds() {
		for _, format := range Formats() {
			t.Run(fmt.Sprintf("%s %s", kind, format), func(t *testing.T) {
				n := 30
				if testing.Short() {
					n = 20
				}
				small, raw := weigh(t, kind, format, n)
				large, raw10 := weigh(t, kind, format, 10*n)
				t.Logf("writing %.1f MB of rows: %.1f MB at most, reading %.1f; writing %.1f MB: %.1f, reading %.1f",
					mb(raw), mb(small[0]), mb(small[1]), mb(raw10), mb(large[0]), mb(large[1]))
				for i, what := range []string{"writing", "reading"} {
					// What workers leave to the collector counts, so this is no exact
					// measure.
					if more := large[i] - small[i]; more > (raw10-raw)*3/4 {
						t.Errorf("%s %.1f MB of rows takes %.1f MB, %.1f MB of rows %.1f MB", what, mb(raw10), mb(large[i]), mb(raw), mb(small[i]))
					}
				}
			})
		}
	}
}

func mb(n int64) float64 { return float64(n) / 1e6 }

// weigh writes and reads a dataset of so many episodes, and tells the most bytes
// of heap that each took, and the bytes of its rows.
func weigh(t *testing.T, kind Kind, format string, episodes int) (most [2]int64, raw int64) {
	t.Helper()
	var base int64
	heap := func() int64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc)
	}
	p := testPlan(t, func(o *Options) {
		o.Out = filepath.Join(t.TempDir(), "data")
		o.Maps, o.Episodes, o.Kind, o.Format = testMaps(t)[1:2], episodes, kind, format
		o.Rules, o.CheckpointEvery, o.ShardSize = `{"name":"ladder","max_turns":40}`, 1000, 150_000
		if kind == Orders {
			o.ShardSize = 2000
		}
	})
	p.group = 1000
	if kind == Steps {
		p.group = 50_000
	}
	base = heap()
	if _, err := p.generate(context.Background(), &weighedDisk{weigh: func() { most[0] = max(most[0], heap()-base) }}, nil); err != nil {
		t.Fatal(err)
	}
	base = heap()
	d := mustOpen(t, p.Out)
	n := 0
	for r, err := range d.Rows(context.Background(), ReadOptions{Workers: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		raw += r.raw()
		r.Recycle()
		if n++; n%16 == 0 {
			most[1] = max(most[1], heap()-base)
		}
	}
	return most, raw
}
