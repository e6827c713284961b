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
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// groupSize is the raw bytes after which a group is closed.
var groupSize = map[Kind]int64{Orders: 1 << 20, Steps: 4 << 20}

// maxGroupRaw bounds what a group may take in memory when it is read.
const maxGroupRaw = 1 << 31

// shardOptions are how every shard is written. Compression is zstd at its
// encoder's default level with one buffer at a time, which gives equal bytes
// for equal rows whatever the number of processors.
func shardOptions(schema *arrow.Schema) []ipc.Option {
	return []ipc.Option{ipc.WithSchema(schema), ipc.WithAllocator(memory.NewGoAllocator()), ipc.WithZstd(), ipc.WithCompressConcurrency(1)}
}

// arrowGroups writes groups to an Arrow file.
type arrowGroups struct {
	w  *ipc.FileWriter
	to *aligner
}

func newArrowGroups(out io.Writer, schema *arrow.Schema) (*arrowGroups, error) {
	to := &aligner{out: out, blocks: map[int64]fileBlock{}}
	w, err := ipc.NewFileWriter(to, shardOptions(schema)...)
	return &arrowGroups{w, to}, err
}

func (g *arrowGroups) write(rec arrow.Record) error {
	if err := g.w.Write(rec); err != nil {
		return err
	}
	return g.to.flush()
}

func (g *arrowGroups) close() error {
	if err := g.w.Close(); err != nil {
		return err
	}
	return g.to.finish()
}

// head is what comes before the record batches: the messages of the schema and
// of the dictionaries, as in a stream. It is the same in every shard, and made
// anew to read one: arrow trusts a schema's own counts.
func (e *encoder) head() ([]byte, error) {
	empty := e.empty()
	defer empty.Release()
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, shardOptions(e.schema)...)
	if err := w.Write(empty); err != nil {
		return nil, err
	}
	one := buf.Len()
	if err := w.Write(empty); err != nil {
		return nil, err
	}
	return buf.Bytes()[:one-(buf.Len()-one)], nil
}

// readArrowGroup reads a group from its bytes, which are one IPC message, after
// a head of ours. The bytes are not trusted: an error, never a panic, and never
// more than limit bytes of memory.
func readArrowGroup(head, data []byte, rows, limit int) (rec arrow.Record, err error) {
	const prefix = 8 // continuation mark and length of the metadata
	if len(data) < prefix || binary.LittleEndian.Uint32(data) != 1<<32-1 || uint64(binary.LittleEndian.Uint32(data[4:])) > uint64(len(data)-prefix) {
		return nil, fmt.Errorf("%w: no message", ErrCorrupt)
	}
	defer func() {
		if p := recover(); p != nil {
			rec, err = nil, fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	mem := &boundedAllocator{Allocator: memory.NewGoAllocator(), left: limit}
	r, err := ipc.NewReader(io.MultiReader(bytes.NewReader(head), bytes.NewReader(data)), ipc.WithAllocator(mem))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	defer r.Release()
	if rec, err = r.Read(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	if rec.NumRows() != int64(rows) {
		return nil, fmt.Errorf("%w: a group of %d rows, want %d", ErrCorrupt, rec.NumRows(), rows)
	}
	for i, col := range rec.Columns() {
		if col.NullN() != 0 || col.Len() != rows {
			return nil, fmt.Errorf("%w: column %s has %d rows and %d nulls, want %d and none", ErrCorrupt, rec.ColumnName(i), col.Len(), col.NullN(), rows)
		}
	}
	rec.Retain() // beyond the reader
	return rec, nil
}

// readEpisodes copies the rows out of a group of kind orders.
func readEpisodes(rec arrow.Record) (episodes []*Episode, err error) {
	defer func() {
		if p := recover(); p != nil {
			episodes, err = nil, fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	for i := range int(rec.NumRows()) {
		episodes = append(episodes, readEpisode(rec, i))
	}
	return episodes, nil
}

// readRows reads a group of kind steps.
func (l *layout) readRows(rec arrow.Record) (rows *Rows, err error) {
	defer func() {
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	return l.read(rec)
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
