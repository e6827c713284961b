// Rows as a stream of Arrow records, for readers outside of Go.

package datasets

import (
	"context"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// A Hold copies bytes to memory that is not Go's, and says what to call, once,
// from any goroutine, when nobody looks at it any more. Bytes that lie in what
// ReadOptions.Memory gave it need not copy: it gets that, or nil.
type Hold func(data, memory []byte) (held []byte, release func())

// A Stream is the rows of a dataset as records of its schema. It fills
// array.RecordReader, for one goroutine at a time.
type Stream struct {
	schema *arrow.Schema
	hold   Hold
	stop   context.CancelFunc
	rows   chan *Rows
	failed error // set before rows is closed
	now    arrow.Record
	err    error
	count  atomic.Int64
}

// Stream reads the rows of episodes as Rows does; hold makes the memory of
// records. Errors are as of Rows, and come from Err. What reads ahead ends with
// the stream's release.
func (d *Dataset) Stream(o ReadOptions, hold Hold) (*Stream, error) {
	l, err := d.layout()
	if err == nil {
		err = o.check(d)
	}
	if err != nil {
		return nil, err
	}
	empty := l.rows().Record()
	defer empty.Release()
	ctx, stop := context.WithCancel(context.Background())
	s := &Stream{schema: empty.Schema(), hold: hold, stop: stop, rows: make(chan *Rows, 1)}
	s.count.Store(1)
	go func() {
		defer close(s.rows)
		for rows, err := range d.Rows(ctx, o) {
			if err != nil {
				s.failed = err
				return
			}
			select {
			case s.rows <- rows:
			case <-ctx.Done():
				rows.Recycle()
				return
			}
		}
	}()
	return s, nil
}

// Retain keeps the stream for one more Release.
func (s *Stream) Retain() { s.count.Add(1) }

// Release ends the stream when all that was retained is released.
func (s *Stream) Release() {
	if s.count.Add(-1) > 0 {
		return
	}
	s.drop()
	s.stop()
	for rows := range s.rows { // until it is closed
		rows.Recycle()
	}
}

func (s *Stream) drop() {
	if s.now != nil {
		s.now.Release()
		s.now = nil
	}
}

// Schema is that of the dataset's rows.
func (s *Stream) Schema() *arrow.Schema { return s.schema }

// Next goes to the next record.
func (s *Stream) Next() bool {
	s.drop()
	rows := <-s.rows
	if rows == nil {
		s.err = s.failed
		return false
	}
	rec := rows.Record()
	defer rec.Release()
	memory, _ := rows.Memory()
	s.now = heldRecord(rec, func(data []byte) ([]byte, func()) {
		if within(data, memory) {
			return s.hold(data, memory)
		}
		return s.hold(data, nil)
	})
	rows.Recycle()
	return true
}

// Record is the record that Next went to, until the next call of it.
func (s *Stream) Record() arrow.Record { return s.now }

// Err is what ended the stream before its end.
func (s *Stream) Err() error { return s.err }

// heldRecord is a record in memory of a Hold's.
func heldRecord(rec arrow.Record, hold holder) arrow.Record {
	columns := make([]arrow.Array, rec.NumCols())
	for i := range columns {
		data := heldData(rec.Column(i).Data(), hold)
		columns[i] = array.MakeFromData(data)
		data.Release()
	}
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	return array.NewRecord(rec.Schema(), columns, rec.NumRows())
}

func heldData(d arrow.ArrayData, hold holder) *array.Data {
	buffers := make([]*memory.Buffer, len(d.Buffers()))
	for i, b := range d.Buffers() {
		if b != nil {
			mem, release := hold(b.Bytes())
			buffers[i] = memory.NewBufferWithAllocator(mem, releaser(release))
		}
	}
	children := make([]arrow.ArrayData, len(d.Children()))
	for i, c := range d.Children() {
		children[i] = heldData(c, hold)
	}
	defer func() {
		for _, b := range buffers {
			if b != nil {
				b.Release()
			}
		}
		for _, c := range children {
			c.Release()
		}
	}()
	if t, ok := d.DataType().(*arrow.DictionaryType); ok {
		values := heldData(d.Dictionary(), hold)
		defer values.Release()
		return array.NewDataWithDictionary(t, d.Len(), buffers, d.NullN(), d.Offset(), values)
	}
	return array.NewData(d.DataType(), d.Len(), buffers, children, d.NullN(), d.Offset())
}

// A holder is a Hold that knows where bytes lie.
type holder func(data []byte) (held []byte, release func())

// A releaser is called in place of freeing a buffer.
type releaser func()

// Free fills memory.Allocator.
func (r releaser) Free([]byte) { r() }

// Allocate fills memory.Allocator.
func (releaser) Allocate(int) []byte { panic("datasets: a held buffer does not grow") }

// Reallocate fills memory.Allocator.
func (releaser) Reallocate(int, []byte) []byte { panic("datasets: a held buffer does not grow") }
