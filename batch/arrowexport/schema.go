package arrowexport

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/obs"
)

// ErrExport: a batch whose arrays cannot be shown as they are. Errors of New
// wrap it.
var ErrExport = errors.New("batch cannot be exported")

// elements are the Arrow types of the dtypes.
var elements = map[obs.DType]arrow.DataType{
	obs.Bit: arrow.PrimitiveTypes.Uint8, obs.Bool: arrow.PrimitiveTypes.Uint8, obs.Uint8: arrow.PrimitiveTypes.Uint8,
	obs.Int8: arrow.PrimitiveTypes.Int8, obs.Int32: arrow.PrimitiveTypes.Int32, obs.Int64: arrow.PrimitiveTypes.Int64,
	obs.Uint64: arrow.PrimitiveTypes.Uint64, obs.Float16: arrow.FixedWidthTypes.Float16, obs.Float32: arrow.PrimitiveTypes.Float32,
}

// A column is an exported array with its Arrow type.
type column struct {
	name   string
	ragged bool
	width  int // elements of a row, or of an entry of a ragged array
	field  arrow.Field
}

// An Exporter shows one batch's arrays. It is as safe for concurrent use as
// the batch is: not.
type Exporter struct {
	b       *batch.Batch
	seats   int // observed
	offsets string
	columns []column
	schema  *arrow.Schema
}

// New makes an exporter of the batch's arrays, or of some of them. Ragged arrays
// need their offsets array among the batch's. Errors wrap ErrExport.
func New(b *batch.Batch, only ...string) (*Exporter, error) {
	x := &Exporter{b: b, seats: b.Sizes()["S"]}
	declared := map[string]obs.Field{}
	for _, f := range b.Outputs() {
		declared[f.Name] = f
		if isOffsets(f) {
			x.offsets = f.Name
		}
	}
	for _, name := range only {
		if b.Array(name) == nil {
			return nil, fmt.Errorf("%w: no array %s among the batch's", ErrExport, name)
		}
	}
	var fields []arrow.Field
	for _, name := range b.Names() {
		f := declared[name]
		if isOffsets(f) || len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		if f.Ragged() && b.Array(x.offsets) == nil {
			return nil, fmt.Errorf("%w: array %s is ragged, and its offsets %s are not exported", ErrExport, name, x.offsets)
		}
		c, err := newColumn(f, b.Sizes())
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrExport, err)
		}
		if c.width == 0 || f.Ragged() && x.seats == 0 {
			continue
		}
		x.columns = append(x.columns, c)
		fields = append(fields, c.field)
	}
	x.schema = arrow.NewSchema(fields, nil)
	return x, nil
}

func isOffsets(f obs.Field) bool { return len(f.Shape) == 1 && f.Shape[0] == "O" }

func newColumn(f obs.Field, sizes obs.Sizes) (column, error) {
	dims, err := sizes.Resolve(f.Shape)
	if err != nil {
		return column{}, fmt.Errorf("array %s: %w", f.Name, err)
	}
	if !f.Ragged() && (len(f.Shape) == 0 || f.Shape[0] != "B") {
		return column{}, fmt.Errorf("array %s has no axis of boards first", f.Name)
	}
	c := column{name: f.Name, ragged: f.Ragged(), width: 1}
	var shape, axes []string
	for i, d := range dims[1:] {
		c.width *= d
		shape = append(shape, strconv.Itoa(d))
		axes = append(axes, string(f.Shape[i+1]))
	}
	c.field = arrow.Field{Name: f.Name, Type: typeOf(f, c.width, len(dims) > 1, sizes["S"]), Metadata: arrow.NewMetadata(
		[]string{"dtype", "shape", "axes", "doc"}, []string{f.DType.String(), strings.Join(shape, ","), strings.Join(axes, ","), f.Doc})}
	return c, nil
}

// typeOf is a column's type, for rows or entries of the given width.
func typeOf(f obs.Field, width int, listed bool, seats int) arrow.DataType {
	t := elements[f.DType]
	if listed && width > 0 {
		t = arrow.FixedSizeListOfNonNullable(int32(width), t)
	}
	if f.Ragged() && seats > 0 {
		t = arrow.FixedSizeListOfNonNullable(int32(seats), arrow.LargeListOfNonNullable(t))
	}
	return t
}

// Schema is the schema of every record.
func (x *Exporter) Schema() *arrow.Schema { return x.schema }
