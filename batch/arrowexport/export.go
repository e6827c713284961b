package arrowexport

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/obs"
)

// A Hold gives an array's bytes as they are for a record, and what to call when
// no record shows them any more: once, from any goroutine. The bytes need not
// be the array's own.
type Hold func(a *obs.Array) (data []byte, release func())

// Record shows the batch's main arrays as they are: one row a board. The
// caller releases it; its memory is the batch's, see the package comment.
func (x *Exporter) Record() (arrow.Record, error) { return x.Held(false, nil) }

// Final shows the arrays that batch.SameStep writes for boards whose episode
// the step ended; rows of other boards are left over. The error wraps ErrExport
// when the batch has no such arrays.
func (x *Exporter) Final() (arrow.Record, error) { return x.Held(true, nil) }

// Held is Record, or Final, with memory that hold gives. nil is the arrays'
// own, for as long as it is theirs.
func (x *Exporter) Held(final bool, hold Hold) (arrow.Record, error) {
	if !final {
		return x.record(x.b.Array, hold)
	}
	if x.b.Config().Autoreset != batch.SameStep {
		return nil, fmt.Errorf("%w: no final arrays with autoreset %s", ErrExport, x.b.Config().Autoreset)
	}
	return x.record(x.b.Final, hold)
}

func (x *Exporter) record(arrays func(string) *obs.Array, hold Hold) (arrow.Record, error) {
	var held []*memory.Buffer
	defer func() {
		for _, b := range held {
			b.Release()
		}
	}()
	buffers := map[string]*memory.Buffer{}
	buffer := func(a *obs.Array) *memory.Buffer {
		b := buffers[a.Name]
		switch {
		case b != nil:
		case hold == nil:
			b = memory.NewBufferBytes(a.Data)
		default:
			data, release := hold(a)
			b = memory.NewBufferWithAllocator(data, releaser(release))
			held = append(held, b)
		}
		buffers[a.Name] = b
		return b
	}
	boards := x.b.Config().Boards
	columns := make([]arrow.Array, len(x.columns))
	for i := range x.columns {
		c := &x.columns[i]
		a := arrays(c.name)
		var data arrow.ArrayData
		if c.ragged {
			data = x.lists(c, buffer(a), buffer(arrays(x.offsets)), a.Dims[0], boards)
		} else {
			data = values(c.field.Type, buffer(a), boards)
		}
		columns[i] = array.MakeFromData(data)
		data.Release()
	}
	rec := array.NewRecord(x.schema, columns, int64(boards))
	for _, c := range columns {
		c.Release()
	}
	return rec, nil
}

// A releaser is called in place of freeing a buffer.
type releaser func()

func (r releaser) Free([]byte) { r() }

func (releaser) Allocate(int) []byte { panic("arrowexport: a held buffer does not grow") }

func (releaser) Reallocate(int, []byte) []byte { panic("arrowexport: a held buffer does not grow") }

// values is n entries of a primitive type or of a fixed-size list of one, over
// the given memory.
func values(t arrow.DataType, mem *memory.Buffer, n int) arrow.ArrayData {
	list, ok := t.(*arrow.FixedSizeListType)
	if !ok {
		return array.NewData(t, n, []*memory.Buffer{nil, mem}, nil, 0, 0)
	}
	child := values(list.Elem(), mem, n*int(list.Len()))
	defer child.Release()
	return array.NewData(t, n, []*memory.Buffer{nil}, []arrow.ArrayData{child}, 0, 0)
}

// lists is a ragged array of n entries: per board and seat, a list.
func (x *Exporter) lists(c *column, mem, offsets *memory.Buffer, n, boards int) arrow.ArrayData {
	perSeat := c.field.Type.(*arrow.FixedSizeListType).Elem()
	entries := values(perSeat.(*arrow.LargeListType).Elem(), mem, n)
	defer entries.Release()
	lists := array.NewData(perSeat, boards*x.seats, []*memory.Buffer{nil, offsets}, []arrow.ArrayData{entries}, 0, 0)
	defer lists.Release()
	return array.NewData(c.field.Type, boards, []*memory.Buffer{nil}, []arrow.ArrayData{lists}, 0, 0)
}
