package arrowexport

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// Actions reads a step's actions: a record of one row a board and one column,
// named after the head that it is given through (Batch.Heads). Lists may nest in
// any way that has the head's elements in C order, such as the types of the
// exported columns; those over a seat's ants must have the lengths that the
// last observation had. Elements are of the head's dtype, and never null. The
// memory stays the record's, which the caller releases after Step. Errors wrap
// env.ErrOrders; whether actions are legal is Step's business.
func (x *Exporter) Actions(rec arrow.Record) (batch.Actions, error) {
	bad := func(format string, a ...any) (batch.Actions, error) {
		return batch.Actions{}, fmt.Errorf("%w: %s", env.ErrOrders, fmt.Sprintf(format, a...))
	}
	if rec.NumCols() != 1 {
		return bad("a record of %d columns, want one, named after a head", rec.NumCols())
	}
	name := rec.ColumnName(0)
	var head *obs.Field
	for _, h := range x.b.Heads() {
		if h.Name == name {
			head = &h
		}
	}
	if head == nil {
		return bad("column %q is no head's (have %s)", name, x.headNames())
	}
	if n := x.b.Config().Boards; rec.NumRows() != int64(n) {
		return bad("%d rows for %d boards", rec.NumRows(), n)
	}
	flat, from, to, err := x.flatten(rec.Column(0), 0, rec.Column(0).Len(), head.Ragged())
	if err != nil {
		return bad("column %s: %v", name, err)
	}
	act := batch.Actions{Head: name}
	switch v := flat.(type) {
	case *array.Uint8:
		act.Uint8 = v.Uint8Values()[from:to]
	case *array.Int32:
		act.Int32 = v.Int32Values()[from:to]
	case *array.Float32:
		act.Float32 = v.Float32Values()[from:to]
	}
	if want := elements[head.DType]; flat.DataType().ID() != want.ID() {
		return bad("column %s has elements of %s, want %s", name, flat.DataType(), want)
	}
	return act, nil
}

func (x *Exporter) headNames() (names []string) {
	for _, h := range x.b.Heads() {
		names = append(names, h.Name)
	}
	return names
}

// flatten follows lists down to the primitive array and the part of it that
// entries [from, to) take.
func (x *Exporter) flatten(a arrow.Array, from, to int, ragged bool) (arrow.Array, int, int, error) {
	if a.NullN() != 0 {
		return nil, 0, 0, fmt.Errorf("%d nulls", a.NullN())
	}
	switch l := a.(type) {
	case *array.FixedSizeList:
		n := int(l.DataType().(*arrow.FixedSizeListType).Len())
		at := l.Offset()
		return x.flatten(l.ListValues(), (at+from)*n, (at+to)*n, ragged)
	case array.ListLike:
		begin, end, err := x.lengths(l, from, to, ragged)
		if err != nil {
			return nil, 0, 0, err
		}
		return x.flatten(l.ListValues(), begin, end, ragged)
	case *array.Uint8, *array.Int32, *array.Float32:
		return a, from, to, nil
	default:
		return nil, 0, 0, fmt.Errorf("elements of %s", a.DataType())
	}
}

// lengths tells which values lists [from, to) take together. With a list for
// every board and seat, each must be as long as the seat's last list.
func (x *Exporter) lengths(l array.ListLike, from, to int, ragged bool) (begin, end int, err error) {
	var own []int64
	if a := x.b.Array(x.offsets); ragged && a != nil && to-from == a.Dims[0]-1 {
		own = obs.View[int64](a)
	}
	for i := from; i < to; i++ {
		lo, hi := l.ValueOffsets(i)
		if i == from {
			begin, end = int(lo), int(lo)
		}
		if int(lo) != end || hi < lo {
			return 0, 0, fmt.Errorf("list %d does not follow the one before", i)
		}
		end = int(hi)
		if own != nil && hi-lo != own[i-from+1]-own[i-from] {
			j := i - from
			return 0, 0, fmt.Errorf("board %d, observed seat %d: %d entries, want %d", j/x.seats, j%x.seats, hi-lo, own[j+1]-own[j])
		}
	}
	return begin, end, nil
}
