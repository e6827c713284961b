// A group of rows: one record batch of a shard, the least that is read at once.

package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// groupSize is the raw bytes after which a group is closed.
const groupSize = 1 << 20

// maxGroupRaw bounds what a group may take in memory when it is read.
const maxGroupRaw = 1 << 31

// shardOptions are how every shard is written. Compression is zstd at its
// encoder's default level with one buffer at a time, which gives equal bytes
// for equal rows whatever the number of processors; buffers are padded to 64
// bytes.
func shardOptions(schema *arrow.Schema) []ipc.Option {
	return []ipc.Option{ipc.WithSchema(schema), ipc.WithAllocator(memory.NewGoAllocator()), ipc.WithZstd(), ipc.WithCompressConcurrency(1)}
}

// record makes a record batch of rows.
func record(schema *arrow.Schema, rows []*Episode) arrow.Record {
	b := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
	defer b.Release()
	for _, e := range rows {
		e.append(b)
	}
	return b.NewRecord()
}

// schemaMessage is the first message of an IPC stream of a schema.
func schemaMessage(schema *arrow.Schema) ([]byte, error) {
	var buf bytes.Buffer
	if err := ipc.NewWriter(&buf, ipc.WithSchema(schema)).Close(); err != nil {
		return nil, err
	}
	const endOfStream = 8
	return buf.Bytes()[:buf.Len()-endOfStream], nil
}

// readGroup reads a group's rows from its bytes in the file, which are one IPC
// message. The bytes are not trusted: an error, never a panic, and never more
// than limit bytes of memory.
func readGroup(kind Kind, data []byte, rows, limit int) (episodes []*Episode, err error) {
	const prefix = 8 // continuation mark and length of the message
	if len(data) < prefix || binary.LittleEndian.Uint32(data) != 1<<32-1 || uint64(binary.LittleEndian.Uint32(data[4:])) > uint64(len(data)-prefix) {
		return nil, fmt.Errorf("%w: no message", ErrCorrupt)
	}
	defer func() {
		if p := recover(); p != nil {
			episodes, err = nil, fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	schema := kind.Schema()
	head, err := schemaMessage(schema)
	if err != nil {
		return nil, err
	}
	mem := &boundedAllocator{Allocator: memory.NewGoAllocator(), left: limit}
	r, err := ipc.NewReader(io.MultiReader(bytes.NewReader(head), bytes.NewReader(data)), ipc.WithAllocator(mem))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	defer r.Release()
	rec, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	if rec.NumRows() != int64(rows) {
		return nil, fmt.Errorf("%w: a group of %d rows, want %d", ErrCorrupt, rec.NumRows(), rows)
	}
	for i, col := range rec.Columns() {
		if col.NullN() != 0 {
			return nil, fmt.Errorf("%w: column %s has nulls", ErrCorrupt, rec.ColumnName(i))
		}
		if col.Len() != rows {
			return nil, fmt.Errorf("%w: column %s has %d rows, want %d", ErrCorrupt, rec.ColumnName(i), col.Len(), rows)
		}
	}
	for i := range rows {
		e, err := readEpisode(rec, i)
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrCorrupt, err)
		}
		episodes = append(episodes, e)
	}
	return episodes, nil
}

// A boundedAllocator panics when more is asked of it than a limit.
type boundedAllocator struct {
	memory.Allocator
	left int
}

func (a *boundedAllocator) charge(n int) {
	if n < 0 || n > a.left {
		panic(fmt.Sprintf("a buffer of %d bytes where at most %d are left to take", n, a.left))
	}
	a.left -= n
}

func (a *boundedAllocator) Allocate(size int) []byte {
	a.charge(size)
	return a.Allocator.Allocate(size)
}

func (a *boundedAllocator) Reallocate(size int, b []byte) []byte {
	a.charge(size)
	return a.Allocator.Reallocate(size, b)
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
