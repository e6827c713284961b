//go:build cgo

// Package arrowc hands records to C through Arrow's C Data Interface. It is
// apart from package arrowexport because it needs cgo.
//
// The structures are the caller's, whatever they hold. What they point to
// is C memory, but for the records' buffers, which must not lie in Go's heap.
// A release function may be called once, from any thread.
package arrowc

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/cdata"
)

// Schema fills a struct ArrowSchema.
func Schema(s *arrow.Schema, schema unsafe.Pointer) {
	cdata.ExportArrowSchema(s, cleared[cdata.CArrowSchema](schema))
}

// Record fills a struct ArrowArray, and a struct ArrowSchema unless it is nil,
// with a record of one column or more, and releases the record.
func Record(rec arrow.Record, schema, arr unsafe.Pointer) {
	defer rec.Release()
	if schema != nil {
		Schema(rec.Schema(), schema)
	}
	cdata.ExportArrowRecordBatch(rec, cleared[cdata.CArrowArray](arr), nil)
}

// Stream fills a struct ArrowArrayStream with one record of one column or
// more, and releases the record.
func Stream(rec arrow.Record, stream unsafe.Pointer) error {
	defer rec.Release()
	r, err := array.NewRecordReader(rec.Schema(), []arrow.Record{rec})
	if err != nil {
		return err
	}
	defer r.Release()
	cdata.ExportRecordReader(r, cleared[cdata.CArrowArrayStream](stream))
	return nil
}

// cleared is a structure of C without what it held, which Go's garbage
// collector might otherwise take for pointers of its own.
func cleared[T any](p unsafe.Pointer) *T {
	t := (*T)(p)
	clear(unsafe.Slice((*byte)(p), unsafe.Sizeof(*t)))
	return t
}
