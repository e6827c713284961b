//go:build cgo

package main

/*
#cgo CFLAGS: -std=c99 -Wall -Wextra -I${SRCDIR}/include
#include <stdlib.h>
#include "myriant.h"

typedef const char const_char;
typedef const void const_void;
typedef const uint8_t const_uint8_t;
typedef const int64_t const_int64_t;
typedef const uint64_t const_uint64_t;
typedef const myriant_actions const_myriant_actions;
typedef const myriant_buffer const_myriant_buffer;
typedef const myriant_span const_myriant_span;
typedef struct ArrowSchema arrow_schema;
typedef struct ArrowArray arrow_array;
typedef struct ArrowArrayStream arrow_stream;
*/
import "C"

import (
	"strings"
	"unsafe"

	"github.com/myriant-rl/myriant/batch/arrowexport"
	"github.com/myriant-rl/myriant/batch/arrowexport/arrowc"
	"github.com/myriant-rl/myriant/cshim/internal/abi"
	"github.com/myriant-rl/myriant/datasets"
)

// The structures of the header are those of package abi.
var (
	_ [unsafe.Sizeof(abi.Bytes{})]struct{}   = [C.sizeof_myriant_bytes]struct{}{}
	_ [unsafe.Sizeof(abi.Row{})]struct{}     = [C.sizeof_myriant_array]struct{}{}
	_ [unsafe.Sizeof(abi.Buffer{})]struct{}  = [C.sizeof_myriant_buffer]struct{}{}
	_ [unsafe.Sizeof(abi.Actions{})]struct{} = [C.sizeof_myriant_actions]struct{}{}
	_ [unsafe.Sizeof(abi.Span{})]struct{}    = [C.sizeof_myriant_span]struct{}{}
)

// heap is C's.
type heap struct{}

func (heap) Alloc(n int) unsafe.Pointer { return C.calloc(1, C.size_t(n)) }

func (heap) Free(p unsafe.Pointer) { C.free(p) }

var library = abi.NewLibrary(heap{})

// Texts that live as long as the process. The names of all statuses are one
// text, parted by NULs, so that leak checkers see who has it.
var (
	version    = C.CString(abi.Version)
	names, _   = abi.Statuses()
	statusText = C.CString(strings.Join(append(names, "unknown"), "\x00") + "\x00")
)

// raw is a text of the caller, for the call only. What cannot be one is none.
func raw(p *C.const_char, n C.size_t) []byte {
	if p == nil || n > abi.MaxBytes {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), n)
}

func bytesOf(out *C.myriant_bytes) *abi.Bytes { return (*abi.Bytes)(unsafe.Pointer(out)) }

func rowsOf(table *C.myriant_array, rows C.int64_t) (list []abi.Row, given bool) {
	const most = 1 << 20
	if table == nil || rows < 0 || rows > most {
		return nil, table != nil || rows != 0
	}
	return unsafe.Slice((*abi.Row)(unsafe.Pointer(table)), rows), true
}

// told copies the reason of an error and returns the status.
func told(status abi.Status, reason string, message *C.char, capacity C.size_t) C.int32_t {
	abi.CopyText(reason, unsafe.Pointer(message), int(min(capacity, 1<<30)))
	return C.int32_t(status)
}

//export myriant_abi_version
func myriant_abi_version() C.int32_t { return abi.ABIVersion }

//export myriant_version
func myriant_version() *C.const_char { return version }

//export myriant_status_name
func myriant_status_name(status C.int32_t) *C.const_char {
	if status < 0 || int(status) >= len(names) {
		status = C.int32_t(len(names))
	}
	at := 0
	for _, name := range names[:status] {
		at += len(name) + 1
	}
	return (*C.const_char)(unsafe.Add(unsafe.Pointer(statusText), at))
}

//export myriant_catalog
func myriant_catalog(out *C.myriant_bytes) C.int32_t {
	return C.int32_t(library.Catalog(bytesOf(out)))
}

//export myriant_map
func myriant_map(game *C.const_char, gameLength C.size_t, entry *C.const_char, entryLength C.size_t, out *C.myriant_bytes, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.Map(string(raw(game, gameLength)), raw(entry, entryLength), bytesOf(out))
	return told(status, reason, message, capacity)
}

//export myriant_spec
func myriant_spec(config *C.const_char, length C.size_t, out *C.myriant_bytes, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.Spec(raw(config, length), bytesOf(out))
	return told(status, reason, message, capacity)
}

//export myriant_create
func myriant_create(config *C.const_char, length C.size_t, handle *C.uint64_t, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.Create(raw(config, length), (*uint64)(handle))
	return told(status, reason, message, capacity)
}

//export myriant_retain
func myriant_retain(block C.uint64_t) C.int32_t {
	return C.int32_t(library.Memory.Retain(uint64(block)))
}

//export myriant_release
func myriant_release(block C.uint64_t) C.int32_t {
	return C.int32_t(library.Memory.Release(uint64(block)))
}

//export myriant_close
func myriant_close(handle C.uint64_t) C.int32_t { return C.int32_t(library.Close(uint64(handle))) }

//export myriant_last_error
func myriant_last_error(handle C.uint64_t, message *C.char, capacity C.size_t, length *C.int64_t) C.int32_t {
	reason, status := library.LastError(uint64(handle))
	if status != abi.OK {
		return C.int32_t(status)
	}
	if length != nil {
		*length = C.int64_t(len(reason))
	}
	return told(status, reason, message, capacity)
}

//export myriant_handle_spec
func myriant_handle_spec(handle C.uint64_t, out *C.myriant_bytes) C.int32_t {
	return C.int32_t(library.HandleSpec(uint64(handle), bytesOf(out)))
}

//export myriant_arrays
func myriant_arrays(handle C.uint64_t, table *C.myriant_array, rows C.int64_t) C.int32_t {
	list, _ := rowsOf(table, rows)
	return C.int32_t(library.Arrays(uint64(handle), list))
}

//export myriant_read
func myriant_read(handle C.uint64_t, row C.int64_t, to *C.const_myriant_buffer) C.int32_t {
	return C.int32_t(library.Read(uint64(handle), int64(row), (*abi.Buffer)(unsafe.Pointer(to))))
}

//export myriant_reset
func myriant_reset(handle, seed C.uint64_t) C.int32_t {
	return C.int32_t(library.Reset(uint64(handle), uint64(seed)))
}

//export myriant_reset_mask
func myriant_reset_mask(handle C.uint64_t, mask *C.const_uint8_t, boards C.int64_t, seeds *C.const_uint64_t, kind C.int32_t) C.int32_t {
	return C.int32_t(library.ResetMask(uint64(handle), (*byte)(mask), int64(boards), (*uint64)(seeds), int32(kind)))
}

//export myriant_step
func myriant_step(handle C.uint64_t, actions *C.const_myriant_actions, table *C.myriant_array, rows C.int64_t) C.int32_t {
	list, given := rowsOf(table, rows)
	return C.int32_t(library.Step(uint64(handle), (*abi.Actions)(unsafe.Pointer(actions)), list, given))
}

//export myriant_send
func myriant_send(handle C.uint64_t, actions *C.const_myriant_actions) C.int32_t {
	return C.int32_t(library.Send(uint64(handle), (*abi.Actions)(unsafe.Pointer(actions))))
}

//export myriant_recv
func myriant_recv(handle C.uint64_t, timeout C.int32_t, table *C.myriant_array, rows C.int64_t) C.int32_t {
	list, given := rowsOf(table, rows)
	return C.int32_t(library.Recv(uint64(handle), int32(timeout), list, given))
}

//export myriant_step_board
func myriant_step_board(handle C.uint64_t, board C.int64_t, orders *C.const_myriant_span, seats C.int64_t) C.int32_t {
	return C.int32_t(library.StepBoard(uint64(handle), int64(board), (*abi.Span)(unsafe.Pointer(orders)), int64(seats)))
}

//export myriant_snapshot
func myriant_snapshot(handle C.uint64_t, boards *C.const_int64_t, count C.int64_t, out *C.myriant_bytes) C.int32_t {
	return C.int32_t(library.Snapshot(uint64(handle), (*int64)(boards), int64(count), bytesOf(out)))
}

//export myriant_restore
func myriant_restore(handle C.uint64_t, boards *C.const_int64_t, count C.int64_t, data *C.const_void, length C.int64_t) C.int32_t {
	return C.int32_t(library.Restore(uint64(handle), (*int64)(boards), int64(count), (*byte)(unsafe.Pointer(data)), int64(length)))
}

//export myriant_clone
func myriant_clone(handle C.uint64_t, to, from *C.const_int64_t, count C.int64_t) C.int32_t {
	return C.int32_t(library.Clone(uint64(handle), (*int64)(to), (*int64)(from), int64(count)))
}

//export myriant_hash
func myriant_hash(handle C.uint64_t, boards *C.const_int64_t, count C.int64_t, out *C.uint64_t) C.int32_t {
	return C.int32_t(library.Hash(uint64(handle), (*int64)(boards), int64(count), (*uint64)(out)))
}

//export myriant_state
func myriant_state(handle C.uint64_t, board C.int64_t, out *C.myriant_bytes) C.int32_t {
	return C.int32_t(library.State(uint64(handle), int64(board), bytesOf(out)))
}

//export myriant_set_state
func myriant_set_state(handle C.uint64_t, board C.int64_t, data *C.const_void, length C.int64_t) C.int32_t {
	return C.int32_t(library.SetState(uint64(handle), int64(board), (*byte)(unsafe.Pointer(data)), int64(length)))
}

//export myriant_view
func myriant_view(handle C.uint64_t, board, seat C.int64_t, out *C.myriant_bytes) C.int32_t {
	return C.int32_t(library.View(uint64(handle), int64(board), int64(seat), bytesOf(out)))
}

//export myriant_outcome
func myriant_outcome(handle C.uint64_t, board C.int64_t, out *C.myriant_bytes) C.int32_t {
	return C.int32_t(library.Outcome(uint64(handle), int64(board), bytesOf(out)))
}

//export myriant_record
func myriant_record(handle C.uint64_t, options *C.const_char, length C.size_t) C.int32_t {
	return C.int32_t(library.Record(uint64(handle), raw(options, length)))
}

//export myriant_record_stop
func myriant_record_stop(handle C.uint64_t, out *C.myriant_bytes) C.int32_t {
	return C.int32_t(library.RecordStop(uint64(handle), bytesOf(out)))
}

//export myriant_arrow_schema
func myriant_arrow_schema(handle C.uint64_t, schema *C.arrow_schema) C.int32_t {
	if schema == nil {
		return C.int32_t(abi.ErrArgument)
	}
	return C.int32_t(library.ArrowSchema(uint64(handle), func(x *arrowexport.Exporter) error {
		arrowc.Schema(x.Schema(), unsafe.Pointer(schema))
		return nil
	}))
}

//export myriant_arrow_array
func myriant_arrow_array(handle C.uint64_t, set C.int32_t, flags C.uint32_t, schema *C.arrow_schema, array *C.arrow_array) C.int32_t {
	if array == nil {
		return C.int32_t(abi.ErrArgument)
	}
	return C.int32_t(library.Arrow(uint64(handle), int32(set), uint32(flags), func(x *arrowexport.Exporter, final bool, hold arrowexport.Hold) error {
		rec, err := x.Held(final, hold)
		if err == nil {
			arrowc.Record(rec, unsafe.Pointer(schema), unsafe.Pointer(array))
		}
		return err
	}))
}

//export myriant_arrow_stream
func myriant_arrow_stream(handle C.uint64_t, set C.int32_t, flags C.uint32_t, stream *C.arrow_stream) C.int32_t {
	if stream == nil {
		return C.int32_t(abi.ErrArgument)
	}
	return C.int32_t(library.Arrow(uint64(handle), int32(set), uint32(flags), func(x *arrowexport.Exporter, final bool, hold arrowexport.Hold) error {
		rec, err := x.Held(final, hold)
		if err != nil {
			return err
		}
		return arrowc.Stream(rec, unsafe.Pointer(stream))
	}))
}

//export myriant_dataset_open
func myriant_dataset_open(options *C.const_char, length C.size_t, dataset *C.uint64_t, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.DatasetOpen(raw(options, length), (*uint64)(dataset))
	return told(status, reason, message, capacity)
}

//export myriant_dataset_info
func myriant_dataset_info(dataset C.uint64_t, out *C.myriant_bytes, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.DatasetInfo(uint64(dataset), bytesOf(out))
	return told(status, reason, message, capacity)
}

//export myriant_dataset_map
func myriant_dataset_map(dataset C.uint64_t, digest *C.const_char, length C.size_t, out *C.myriant_bytes, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.DatasetMap(uint64(dataset), string(raw(digest, length)), bytesOf(out))
	return told(status, reason, message, capacity)
}

//export myriant_dataset_read
func myriant_dataset_read(dataset C.uint64_t, options *C.const_char, length C.size_t, reader *C.uint64_t, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.DatasetRead(uint64(dataset), raw(options, length), (*uint64)(reader))
	return told(status, reason, message, capacity)
}

//export myriant_dataset_stream
func myriant_dataset_stream(dataset C.uint64_t, options *C.const_char, length C.size_t, stream *C.arrow_stream, message *C.char, capacity C.size_t) C.int32_t {
	if stream == nil {
		return told(abi.ErrArgument, "stream is null", message, capacity)
	}
	status, reason := library.DatasetStream(uint64(dataset), raw(options, length), func(d *datasets.Dataset, o datasets.ReadOptions, hold datasets.Hold) error {
		s, err := d.Stream(o, hold)
		if err == nil {
			arrowc.Reader(s, unsafe.Pointer(stream))
		}
		return err
	})
	return told(status, reason, message, capacity)
}

//export myriant_dataset_close
func myriant_dataset_close(number C.uint64_t) C.int32_t {
	return C.int32_t(library.DatasetClose(uint64(number)))
}

//export myriant_task_begin
func myriant_task_begin(options *C.const_char, length C.size_t, task *C.uint64_t, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.TaskBegin(raw(options, length), (*uint64)(task))
	return told(status, reason, message, capacity)
}

//export myriant_task_wait
func myriant_task_wait(task C.uint64_t, milliseconds C.int64_t, out *C.myriant_bytes, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.TaskWait(uint64(task), int64(milliseconds), bytesOf(out))
	return told(status, reason, message, capacity)
}

//export myriant_reader_info
func myriant_reader_info(reader C.uint64_t, out *C.myriant_bytes, message *C.char, capacity C.size_t) C.int32_t {
	status, reason := library.ReaderInfo(uint64(reader), bytesOf(out))
	return told(status, reason, message, capacity)
}

//export myriant_reader_next
func myriant_reader_next(reader C.uint64_t, table *C.myriant_array, rows C.int64_t, count *C.int64_t, message *C.char, capacity C.size_t) C.int32_t {
	list, _ := rowsOf(table, rows)
	status, reason := library.ReaderNext(uint64(reader), list, (*int64)(count), -1)
	return told(status, reason, message, capacity)
}

//export myriant_reader_poll
func myriant_reader_poll(reader C.uint64_t, table *C.myriant_array, rows, milliseconds C.int64_t, count *C.int64_t, message *C.char, capacity C.size_t) C.int32_t {
	if milliseconds < 0 {
		return told(abi.ErrArgument, "less than no time", message, capacity)
	}
	list, _ := rowsOf(table, rows)
	status, reason := library.ReaderNext(uint64(reader), list, (*int64)(count), int64(milliseconds))
	return told(status, reason, message, capacity)
}

//export myriant_capsule_destructor
func myriant_capsule_destructor(name, pointer, free *C.const_void, destructor *unsafe.Pointer) C.int32_t {
	if name == nil || pointer == nil || free == nil || destructor == nil {
		return C.int32_t(abi.ErrArgument)
	}
	*destructor = capsuleDestructor(unsafe.Pointer(name), unsafe.Pointer(pointer), unsafe.Pointer(free))
	return C.int32_t(abi.OK)
}

//export myriant_block_destructor
func myriant_block_destructor(pointer, save, restore *C.const_void, destructor *unsafe.Pointer) C.int32_t {
	if pointer == nil || save == nil || restore == nil || destructor == nil {
		return C.int32_t(abi.ErrArgument)
	}
	*destructor = blockDestructor(unsafe.Pointer(pointer), unsafe.Pointer(save), unsafe.Pointer(restore))
	return C.int32_t(abi.OK)
}
