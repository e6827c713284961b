// Rows of the steps kind in memory, column by column.

package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/myriant-rl/myriant/env/obs"
)

// A Column is one column of Rows. Elements lie one after the other in the
// machine's byte order; those of a list column belong to row i from
// Offsets[i] to Offsets[i+1], every other column has one entry a row.
type Column struct {
	Name    string
	DType   obs.DType // of an element; of a column of names, Int32: an index into Names
	Shape   []int     // of an entry; empty: one element. Of Bit the last axis counts bytes.
	List    bool
	Names   []string
	Offsets []int32 // of a list: one more than rows
	Data    []byte
	size    int // bytes of an entry
}

// Stride is the bytes of an entry.
func (c *Column) Stride() int { return c.size }

// Entry is the bytes of row i.
func (c *Column) Entry(i int) []byte {
	from, to := i, i+1
	if c.List {
		from, to = int(c.Offsets[i]), int(c.Offsets[i+1])
	}
	return c.Data[from*c.size : to*c.size]
}

// Of is a column's data as elements of type T, whose size must be the dtype's.
func Of[T obs.Elem](c *Column) []T {
	return obs.View[T](&obs.Array{Field: obs.Field{Name: c.Name, DType: c.DType}, Data: c.Data})
}

// Rows are rows of the steps kind: one an episode, step and seat, in that
// order. Whoever has them may keep and change them.
type Rows struct {
	Columns []Column // in the order of the schema
	n       int
	layout  *layout
	room    *room // what Recycle gives back
}

// Len is how many rows there are.
func (r *Rows) Len() int { return r.n }

// Column is the column of a name, nil if there is none.
func (r *Rows) Column(name string) *Column {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return &r.Columns[i]
		}
	}
	return nil
}

// Recycle gives the rows' memory back, for rows that are read later, if it came
// from there; calling it is never needed. Nobody may look at the rows, or at
// what shares their memory, any more.
func (r *Rows) Recycle() {
	if r.room != nil {
		r.layout.spare.put(r.room)
		r.room = nil
	}
}

// Slice shows rows from..to-1. It shares the memory of columns.
func (r *Rows) Slice(from, to int) *Rows {
	s := &Rows{Columns: slices.Clone(r.Columns), n: to - from, layout: r.layout}
	for i := range s.Columns {
		c := &s.Columns[i]
		if !c.List {
			c.Data = c.Data[from*c.size : to*c.size : to*c.size]
			continue
		}
		base := c.Offsets[from]
		c.Data = c.Data[int(base)*c.size : int(c.Offsets[to])*c.size : int(c.Offsets[to])*c.size]
		c.Offsets = c.Offsets[from : to+1 : to+1]
		if base != 0 {
			c.Offsets = slices.Clone(c.Offsets)
			for j := range c.Offsets {
				c.Offsets[j] -= base
			}
		}
	}
	return s
}

// Append adds rows from..to-1 of o, which is of the same dataset.
func (r *Rows) Append(o *Rows, from, to int) {
	for i := range r.Columns {
		c, d := &r.Columns[i], &o.Columns[i]
		if !c.List {
			c.Data = append(c.Data, d.Data[from*c.size:to*c.size]...)
			continue
		}
		shift := c.Offsets[r.n] - d.Offsets[from]
		for j := from + 1; j <= to; j++ {
			c.Offsets = append(c.Offsets, d.Offsets[j]+shift)
		}
		c.Data = append(c.Data, d.Data[int(d.Offsets[from])*c.size:int(d.Offsets[to])*c.size]...)
	}
	r.n += to - from
}

// gather adds rows of o, which is of the same dataset, in the given order.
func (r *Rows) gather(o *Rows, order []int) {
	for i := range r.Columns {
		c, d := &r.Columns[i], &o.Columns[i]
		if !c.List {
			for _, at := range order {
				c.Data = append(c.Data, d.Data[at*c.size:(at+1)*c.size]...)
			}
			continue
		}
		for _, at := range order {
			c.Data = append(c.Data, d.Data[int(d.Offsets[at])*c.size:int(d.Offsets[at+1])*c.size]...)
			c.Offsets = append(c.Offsets, int32(len(c.Data)/c.size))
		}
	}
	r.n += len(order)
}

// Reset drops all rows and keeps the memory.
func (r *Rows) Reset() {
	for i := range r.Columns {
		c := &r.Columns[i]
		c.Data = c.Data[:0]
		if c.List {
			c.Offsets = append(c.Offsets[:0], 0)
		}
	}
	r.n = 0
}

// raw is the bytes of the rows before compression.
func (r *Rows) raw() int64 {
	n := 0
	for i := range r.Columns {
		n += len(r.Columns[i].Data) + 4*len(r.Columns[i].Offsets)
	}
	return int64(n)
}

func (r *Rows) episode(i int) uint64 { return Of[uint64](&r.Columns[stepEpisode])[i] }
func (r *Rows) final(i int) bool     { return r.Columns[stepFinal].Data[i] != 0 }

// A layout is what the columns of a dataset's rows look like.
type layout struct {
	columns []stepColumn
	empty   []Column
	names   dictionaries
	byName  []int // columns in alphabetical order
	spare   spareRooms
}

// newLayout makes the layout of a batch of the dataset's maps.
func newLayout(g *game, sizes obs.Sizes, names dictionaries) (*layout, error) {
	l := &layout{columns: stepColumns(g), names: names}
	for _, s := range l.columns {
		c := Column{Name: s.name, DType: s.dtype, List: s.list, Names: names.of(s.name), size: s.dtype.Size()}
		if s.shown != nil {
			dims, err := sizes.Resolve(s.entry)
			if err != nil {
				return nil, fmt.Errorf("array %s: %w", s.name, err)
			}
			if s.shown.bits {
				dims[len(dims)-1] = (dims[len(dims)-1] + 7) / 8
			}
			if s.scalar() {
				dims = nil
			}
			for _, d := range dims {
				c.size *= d
			}
			c.Shape = dims
		}
		l.empty = append(l.empty, c)
	}
	l.byName = l.alphabetical()
	return l, nil
}

func (l *layout) rows() *Rows {
	r := &Rows{Columns: slices.Clone(l.empty), layout: l}
	r.Reset()
	return r
}

// room is rows with memory for so many; lists take what they take.
func (l *layout) room(n int) *Rows {
	r := l.rows()
	for i := range r.Columns {
		c := &r.Columns[i]
		if c.List {
			c.Offsets = append(make([]int32, 0, n+1), 0)
			n := 32 * n // a guess
			c.Data = make([]byte, 0, n*c.size)
			continue
		}
		c.Data = make([]byte, 0, n*c.size)
	}
	return r
}

// packBits appends so many rows of elements of 0 or 1 as bits. What src has past
// the rows does not count, but with eight bytes more short rows are packed faster.
func packBits(dst, src []byte, rows, row int) []byte {
	if row < 8 && len(src) >= rows*row+8 {
		at, own := len(dst), uint64(1)<<(8*row)-1
		dst = slices.Grow(dst, rows)[:at+rows]
		for i := range dst[at:] {
			dst[at:][i] = bitsOf(binary.LittleEndian.Uint64(src) & own)
			src = src[row:]
		}
		return dst
	}
	for range rows {
		left := row
		for ; left >= 8; left -= 8 {
			dst = append(dst, bitsOf(binary.LittleEndian.Uint64(src)))
			src = src[8:]
		}
		if left > 0 {
			var last [8]byte
			src = src[copy(last[:left], src):]
			dst = append(dst, bitsOf(binary.LittleEndian.Uint64(last[:])))
		}
	}
	return dst
}

// bitsOf are the lowest bits of eight bytes: the product has that of byte j at
// bit 56+j.
func bitsOf(bytes uint64) byte {
	return byte(bytes & 0x0101010101010101 * 0x0102040810204080 >> 56)
}

// Record shows the rows as an Arrow record of the kind's schema. It shares
// memory with the rows, but for bits and offsets that only Arrow has.
func (r *Rows) Record() arrow.Record {
	columns := make([]arrow.Array, len(r.Columns))
	fields := make([]arrow.Field, len(r.Columns))
	for i := range r.Columns {
		c, t := &r.Columns[i], r.layout.columns[i].typ
		var data arrow.ArrayData
		mem := memory.NewBufferBytes(c.Data)
		switch t := t.(type) {
		case *arrow.ListType:
			offsets := c.Offsets
			if !c.List {
				offsets = evenOffsets(r.n, c.size/c.DType.Size())
			}
			values := array.NewData(t.Elem(), len(c.Data)/c.DType.Size(), []*memory.Buffer{nil, mem}, nil, 0, 0)
			data = array.NewData(t, r.n, []*memory.Buffer{nil, offsetBuffer(offsets)}, []arrow.ArrayData{values}, 0, 0)
		case *arrow.BinaryType:
			data = array.NewData(t, r.n, []*memory.Buffer{nil, offsetBuffer(evenOffsets(r.n, c.size)), mem}, nil, 0, 0)
		case *arrow.BooleanType:
			data = array.NewData(t, r.n, []*memory.Buffer{nil, memory.NewBufferBytes(packBits(nil, c.Data, 1, r.n))}, nil, 0, 0)
		case *arrow.DictionaryType:
			data = array.NewDataWithDictionary(t, r.n, []*memory.Buffer{nil, mem}, 0, 0, stringData(c.Names))
		default:
			data = array.NewData(t, r.n, []*memory.Buffer{nil, mem}, nil, 0, 0)
		}
		columns[i] = array.MakeFromData(data)
		fields[i] = arrow.Field{Name: c.Name, Type: t, Metadata: docs(r.layout.columns[i].doc)}
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), columns, int64(r.n))
}

func offsetBuffer(offsets []int32) *memory.Buffer {
	return memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets))
}

func evenOffsets(n, each int) []int32 {
	offsets := make([]int32, n+1)
	for i := range offsets {
		offsets[i] = int32(i * each)
	}
	return offsets
}

func stringData(names []string) *array.Data {
	b := array.NewStringBuilder(memory.NewGoAllocator())
	b.AppendValues(names, nil)
	return b.NewArray().Data().(*array.Data)
}

// read reads a record of the kind's schema. It shares memory with the record,
// and panics where the record's own buffers contradict each other.
func (l *layout) read(rec arrow.Record) (*Rows, error) {
	r := l.rows()
	r.n = int(rec.NumRows())
	for i := range r.Columns {
		c, a := &r.Columns[i], rec.Column(i)
		bad := func(format string, args ...any) (*Rows, error) {
			return nil, fmt.Errorf("%w: column %s: %s", ErrCorrupt, c.Name, fmt.Sprintf(format, args...))
		}
		if l.columns[i].typ.ID() != a.DataType().ID() {
			return bad("is of %s, want %s", a.DataType(), l.columns[i].typ)
		}
		// each is how many bytes rows have, by their offsets and the bytes of what
		// those count.
		each := func(offsets []int32, unit int) error {
			for j := range r.n {
				if int(offsets[j+1]-offsets[j])*unit != c.size {
					return fmt.Errorf("%w: column %s: row %d has %d bytes, want %d", ErrCorrupt, c.Name, j, int(offsets[j+1]-offsets[j])*unit, c.size)
				}
			}
			return nil
		}
		switch a := a.(type) {
		case *array.List:
			offsets := a.Offsets()[a.Data().Offset() : a.Data().Offset()+r.n+1]
			values := a.ListValues()
			if values.NullN() != 0 || values.DataType().ID() != l.columns[i].typ.(*arrow.ListType).Elem().ID() {
				return bad("values of %s with %d nulls", values.DataType(), values.NullN())
			}
			from, to := int(offsets[0]), int(offsets[r.n])
			if !slices.IsSorted(offsets) || from < 0 || to > values.Len() {
				return bad("its lists do not follow each other")
			}
			size := c.DType.Size()
			at := values.Data().Offset()
			if to > from {
				c.Data = values.Data().Buffers()[1].Bytes()[(at+from)*size : (at+to)*size]
			}
			if !c.List {
				if err := each(offsets, size); err != nil {
					return nil, err
				}
				continue
			}
			c.Offsets = offsets
			if from != 0 {
				c.Offsets = slices.Clone(offsets)
				for j := range c.Offsets {
					c.Offsets[j] -= int32(from)
				}
			}
		case *array.Binary:
			offsets := a.ValueOffsets()
			if !slices.IsSorted(offsets) {
				return bad("its values do not follow each other")
			}
			if err := each(offsets, 1); err != nil {
				return nil, err
			}
			c.Data = a.ValueBytes()
		case *array.Boolean:
			c.Data = make([]byte, r.n)
			for j := range c.Data {
				if a.Value(j) {
					c.Data[j] = 1
				}
			}
		default:
			buffer := a.Data().Buffers()[1]
			if buffer == nil {
				return bad("no values")
			}
			at := a.Data().Offset()
			c.Data = buffer.Bytes()[at*c.size : (at+r.n)*c.size]
			if c.Names != nil {
				for j, v := range Of[int32](c) {
					if v < 0 || int(v) >= len(c.Names) {
						return bad("row %d has name %d of %d", j, v, len(c.Names))
					}
				}
			}
		}
		if len(c.Data) > math.MaxInt32 || !c.List && len(c.Data) != r.n*c.size {
			return bad("%d bytes in %d rows", len(c.Data), r.n)
		}
	}
	return r, nil
}
