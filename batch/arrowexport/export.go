package arrowexport

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/obs"
)

// Record shows the batch's main arrays as they are: one row a board. The
// caller releases it; its memory is the batch's, see the package comment.
func (x *Exporter) Record() (arrow.Record, error) { return x.record(x.b.Array) }

// Final shows the arrays that batch.SameStep writes for boards whose episode
// the step ended; rows of other boards are left over. The error wraps ErrExport
// when the batch has no such arrays.
func (x *Exporter) Final() (arrow.Record, error) {
	if x.b.Config().Autoreset != batch.SameStep {
		return nil, fmt.Errorf("%w: no final arrays with autoreset %s", ErrExport, x.b.Config().Autoreset)
	}
	return x.record(x.b.Final)
}

func (x *Exporter) record(arrays func(string) *obs.Array) (arrow.Record, error) {
	boards := x.b.Config().Boards
	columns := make([]arrow.Array, len(x.columns))
	for i := range x.columns {
		c := &x.columns[i]
		a := arrays(c.name)
		var data arrow.ArrayData
		if c.ragged {
			data = x.lists(c, a, arrays(x.offsets), boards)
		} else {
			data = values(c.field.Type, a.Data, boards)
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

// values is n entries of a primitive type or of a fixed-size list of one, over
// the given memory.
func values(t arrow.DataType, mem []byte, n int) arrow.ArrayData {
	list, ok := t.(*arrow.FixedSizeListType)
	if !ok {
		return array.NewData(t, n, []*memory.Buffer{nil, memory.NewBufferBytes(mem)}, nil, 0, 0)
	}
	child := values(list.Elem(), mem, n*int(list.Len()))
	defer child.Release()
	return array.NewData(t, n, []*memory.Buffer{nil}, []arrow.ArrayData{child}, 0, 0)
}

// lists is a ragged array: per board and seat, a list.
func (x *Exporter) lists(c *column, a, offsets *obs.Array, boards int) arrow.ArrayData {
	perSeat := c.field.Type.(*arrow.FixedSizeListType).Elem()
	entries := values(perSeat.(*arrow.LargeListType).Elem(), a.Data, a.Dims[0])
	defer entries.Release()
	lists := array.NewData(perSeat, boards*x.seats, []*memory.Buffer{nil, memory.NewBufferBytes(offsets.Data)}, []arrow.ArrayData{entries}, 0, 0)
	defer lists.Release()
	return array.NewData(c.field.Type, boards, []*memory.Buffer{nil}, []arrow.ArrayData{lists}, 0, 0)
}
