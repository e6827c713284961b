//go:build cgo

package arrowc

import (
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/cdata"
	"github.com/apache/arrow/go/v17/arrow/memory/mallocator"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/batch/arrowexport"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// held copies arrays into C's memory.
type held struct {
	mem    *mallocator.Mallocator
	copies atomic.Int64
}

func (h *held) hold(a *obs.Array) ([]byte, func()) {
	mem := h.mem.Allocate(len(a.Data) + 64)
	copy(mem, a.Data)
	h.copies.Add(1)
	return mem[:len(a.Data)], func() {
		h.mem.Free(mem)
		h.copies.Add(-1)
	}
}

// nothing tells that nothing is held any more.
func (h *held) nothing(t *testing.T) {
	t.Helper()
	if h.copies.Load() != 0 || h.mem.AllocatedBytes() != 0 {
		t.Errorf("%d copies, %d bytes are held", h.copies.Load(), h.mem.AllocatedBytes())
	}
}

func newExporter(t *testing.T, change func(*batch.Config)) (*batch.Batch, *arrowexport.Exporter) {
	t.Helper()
	m, err := ants.BundledMap("tiny-2p")
	if err != nil {
		t.Fatal(err)
	}
	c := batch.Config{Maps: []env.Map{m}, Boards: 3, Workers: 1, Autoreset: batch.SameStep}
	if change != nil {
		change(&c)
	}
	b, err := batch.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Reset(1); err != nil {
		t.Fatal(err)
	}
	x, err := arrowexport.New(b)
	if err != nil {
		t.Fatal(err)
	}
	return b, x
}

// garbage is a structure with what C may leave in it.
func garbage[T any]() *T {
	t := new([4096]byte)
	for i := range t {
		t[i] = 0xAB
	}
	return (*T)(unsafe.Pointer(t))
}

func same(t *testing.T, got, want arrow.Record) {
	t.Helper()
	if !array.RecordEqual(got, want) {
		t.Errorf("imported\n%v\nwant\n%v", got, want)
	}
	if !got.Schema().Equal(want.Schema()) || !got.Schema().Field(0).Metadata.Equal(want.Schema().Field(0).Metadata) {
		t.Errorf("imported the schema\n%v\nwant\n%v", got.Schema(), want.Schema())
	}
}

// TestRecord hands records over, with and without ants, and takes them back.
func TestRecord(t *testing.T) {
	h := &held{mem: mallocator.NewMallocator()}
	b, x := newExporter(t, nil)
	for _, final := range []bool{false, true} {
		want, err := x.Held(final, nil)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := x.Held(final, h.hold)
		if err != nil {
			t.Fatal(err)
		}
		if h.copies.Load() == 0 {
			t.Fatal("nothing was held")
		}
		schema, arr := garbage[cdata.CArrowSchema](), garbage[cdata.CArrowArray]()
		Record(rec, unsafe.Pointer(schema), unsafe.Pointer(arr))
		b.Refresh()
		got, err := cdata.ImportCRecordBatch(arr, schema)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
		got.Release()
		h.nothing(t)
	}
}

// TestUnread: what nobody imports is released all the same.
func TestUnread(t *testing.T) {
	h := &held{mem: mallocator.NewMallocator()}
	_, x := newExporter(t, nil)
	rec, err := x.Held(false, h.hold)
	if err != nil {
		t.Fatal(err)
	}
	schema, arr := garbage[cdata.CArrowSchema](), garbage[cdata.CArrowArray]()
	Schema(x.Schema(), unsafe.Pointer(schema))
	Record(rec, nil, unsafe.Pointer(arr))
	cdata.ReleaseCArrowSchema(schema)
	cdata.ReleaseCArrowArray(arr)
	h.nothing(t)
}

// TestStream reads a stream of one record to its end.
func TestStream(t *testing.T) {
	h := &held{mem: mallocator.NewMallocator()}
	_, x := newExporter(t, nil)
	want, err := x.Record()
	if err != nil {
		t.Fatal(err)
	}
	rec, err := x.Held(false, h.hold)
	if err != nil {
		t.Fatal(err)
	}
	stream := garbage[cdata.CArrowArrayStream]()
	if err := Stream(rec, unsafe.Pointer(stream)); err != nil {
		t.Fatal(err)
	}
	r, err := cdata.ImportCRecordReader(stream, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("after the record: %v", err)
	}
	// arrow's reader releases what it read with the next read, and the stream
	// when it is collected.
	r = nil
	for end := time.Now().Add(10 * time.Second); h.copies.Load() > 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	h.nothing(t)
}
