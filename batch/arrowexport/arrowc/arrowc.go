//go:build cgo

// Package arrowc hands records to C through Arrow's C Data Interface. It is
// apart from package arrowexport because it needs cgo.
//
// The structures are the caller's, whatever they hold. What they point to
// is C memory, but for the records' buffers, which must not lie in Go's heap.
// A release function may be called once, from any thread.
package arrowc

/*
#include <stdint.h>
#include <stdlib.h>

// The structures that are needed, as the specification of the C Data Interface
// gives them.
struct ArrowSchema {
	const char *format, *name, *metadata;
	int64_t flags, n_children;
	struct ArrowSchema **children, *dictionary;
	void (*release)(struct ArrowSchema *);
	void *private_data;
};
struct ArrowArrayStream {
	int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
	int (*get_next)(struct ArrowArrayStream *, void *);
	const char *(*get_last_error)(struct ArrowArrayStream *);
	void (*release)(struct ArrowArrayStream *);
	void *private_data;
};

// What package cdata exports a schema with forgets the dictionary of a field
// without children.
static void (*go_release)(struct ArrowSchema *);
static int (*go_get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);

static void release_field(struct ArrowSchema *s) {
	struct ArrowSchema *dictionary = s->dictionary;
	s->dictionary = NULL;
	if (dictionary != NULL) {
		if (dictionary->release != NULL) dictionary->release(dictionary);
		free(dictionary);
	}
	__atomic_load_n(&go_release, __ATOMIC_ACQUIRE)(s);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
	int status = __atomic_load_n(&go_get_schema, __ATOMIC_ACQUIRE)(stream, out);
	if (status != 0) return status;
	for (int64_t i = 0; i < out->n_children; i++) {
		struct ArrowSchema *s = out->children[i];
		if (s->dictionary == NULL || s->n_children != 0) continue;
		__atomic_store_n(&go_release, s->release, __ATOMIC_RELEASE);
		s->release = release_field;
	}
	return 0;
}

static void keep_dictionaries(void *p) {
	struct ArrowArrayStream *stream = p;
	__atomic_store_n(&go_get_schema, stream->get_schema, __ATOMIC_RELEASE);
	stream->get_schema = get_schema;
}
*/
import "C"

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

// Reader fills a struct ArrowArrayStream with what a reader reads, and releases
// the reader.
func Reader(r array.RecordReader, stream unsafe.Pointer) {
	defer r.Release()
	cdata.ExportRecordReader(r, cleared[cdata.CArrowArrayStream](stream))
	C.keep_dictionaries(stream)
}

// cleared is a structure of C without what it held, which Go's garbage
// collector might otherwise take for pointers of its own.
func cleared[T any](p unsafe.Pointer) *T {
	t := (*T)(p)
	clear(unsafe.Slice((*byte)(p), unsafe.Sizeof(*t)))
	return t
}
