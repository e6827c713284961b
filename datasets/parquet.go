// Groups of rows as row groups of Parquet files. Columns are at most one list
// deep, so that their levels follow from the lists' offsets.

package datasets

import (
	"bytes"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// parquetLevel is zstd's level.
const parquetLevel = 3

const parquetMagic = 4

// A leaf is a column of a Parquet file.
type leaf struct {
	path  string
	typ   arrow.DataType
	list  bool
	names []string // of a dictionary
}

// leaves are the leaves of a schema, in order.
func leaves(s *arrow.Schema, d *dictionaries) (list []leaf) {
	for _, f := range s.Fields() {
		switch t := f.Type.(type) {
		case *arrow.ListType:
			path := f.Name + ".list.element"
			if elem, ok := t.Elem().(*arrow.StructType); ok {
				for _, g := range elem.Fields() {
					list = append(list, leaf{path + "." + g.Name, g.Type, true, d.of(g.Name)})
				}
				continue
			}
			list = append(list, leaf{path, t.Elem(), true, nil})
		default:
			list = append(list, leaf{f.Name, t, false, d.of(f.Name)})
		}
	}
	return list
}

// parquetType is how a leaf is stored.
func parquetType(t arrow.DataType) (parquet.Type, schema.LogicalType) {
	switch t.ID() {
	case arrow.BOOL:
		return parquet.Types.Boolean, schema.NoLogicalType{}
	case arrow.UINT8:
		return parquet.Types.Int32, schema.NewIntLogicalType(8, false)
	case arrow.INT8:
		return parquet.Types.Int32, schema.NewIntLogicalType(8, true)
	case arrow.INT32:
		return parquet.Types.Int32, schema.NewIntLogicalType(32, true)
	case arrow.INT64:
		return parquet.Types.Int64, schema.NewIntLogicalType(64, true)
	case arrow.UINT64:
		return parquet.Types.Int64, schema.NewIntLogicalType(64, false)
	case arrow.FLOAT32:
		return parquet.Types.Float, schema.NoLogicalType{}
	case arrow.BINARY:
		return parquet.Types.ByteArray, schema.NoLogicalType{}
	case arrow.DICTIONARY:
		return parquet.Types.ByteArray, schema.StringLogicalType{}
	}
	panic("datasets: no Parquet type for " + t.String())
}

// parquetSchema is a kind's schema as Parquet has it.
func parquetSchema(s *arrow.Schema) (root *schema.GroupNode, err error) {
	var fail error
	primitive := func(name string, t arrow.DataType) schema.Node {
		physical, logical := parquetType(t)
		n, err := schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required, logical, physical, -1, -1)
		if err != nil {
			fail = err
		}
		return n
	}
	group := func(name string, rep parquet.Repetition, logical schema.LogicalType, fields ...schema.Node) schema.Node {
		n, err := schema.NewGroupNode(name, rep, fields, -1)
		if logical != nil {
			n, err = schema.NewGroupNodeLogical(name, rep, fields, logical, -1)
		}
		if err != nil {
			fail = err
		}
		return n
	}
	var fields []schema.Node
	for _, f := range s.Fields() {
		t, ok := f.Type.(*arrow.ListType)
		if !ok {
			fields = append(fields, primitive(f.Name, f.Type))
			continue
		}
		var element schema.Node
		if elem, ok := t.Elem().(*arrow.StructType); ok {
			var parts []schema.Node
			for _, g := range elem.Fields() {
				parts = append(parts, primitive(g.Name, g.Type))
			}
			element = group("element", parquet.Repetitions.Required, nil, parts...)
		} else {
			element = primitive("element", t.Elem())
		}
		repeated := group("list", parquet.Repetitions.Repeated, nil, element)
		fields = append(fields, group(f.Name, parquet.Repetitions.Required, schema.NewListLogicalType(), repeated))
	}
	root, err = schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if fail != nil {
		err = fail
	}
	return root, err
}

// parquetGroups writes groups to a Parquet file.
type parquetGroups struct {
	w      *file.Writer
	leaves []leaf
}

func newParquetGroups(out io.Writer, s *arrow.Schema, d *dictionaries) (groups *parquetGroups, err error) {
	// The writer panics when it cannot write its first bytes.
	defer func() {
		if p := recover(); p != nil {
			groups, err = nil, fmt.Errorf("parquet: %v", p)
		}
	}()
	root, err := parquetSchema(s)
	if err != nil {
		return nil, err
	}
	g := &parquetGroups{leaves: leaves(s, d)}
	o := []parquet.WriterProperty{parquet.WithAllocator(memory.NewGoAllocator()), parquet.WithCreatedBy("myriant " + EngineVersion),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(parquetLevel), parquet.WithVersion(parquet.V2_LATEST)}
	for _, l := range g.leaves {
		// Names and small numbers repeat; observations and hashes do not, and their
		// least and greatest tell nothing.
		plain := l.typ.ID() == arrow.BINARY || l.typ.ID() == arrow.FLOAT32 || l.path == "state_hash" || l.path == "final_hash"
		o = append(o, parquet.WithDictionaryFor(l.path, !plain && l.typ.ID() != arrow.BOOL), parquet.WithStatsFor(l.path, !plain && !l.list))
	}
	meta := metadata.NewKeyValueMetadata()
	for i, key := range s.Metadata().Keys() {
		if err := meta.Append(key, s.Metadata().Values()[i]); err != nil {
			return nil, err
		}
	}
	g.w = file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(o...)), file.WithWriteMetadata(meta))
	return g, nil
}

func (g *parquetGroups) close() error { return g.w.Close() }

// A levelled column is a leaf's values and, of a list, where rows begin.
type levelled struct {
	values  arrow.Array
	offsets []int32
}

// levelledOf are the leaves of a record.
func levelledOf(rec arrow.Record) (list []levelled) {
	for _, a := range rec.Columns() {
		l, ok := a.(*array.List)
		if !ok {
			list = append(list, levelled{a, nil})
			continue
		}
		if s, ok := l.ListValues().(*array.Struct); ok {
			for i := range s.NumField() {
				list = append(list, levelled{s.Field(i), l.Offsets()})
			}
			continue
		}
		list = append(list, levelled{l.ListValues(), l.Offsets()})
	}
	return list
}

// write writes a record of whole arrays, none of which begins in the midst of
// its memory, as a row group.
func (g *parquetGroups) write(rec arrow.Record) error {
	rg := g.w.AppendRowGroup()
	for i, c := range levelledOf(rec) {
		cw, err := rg.NextColumn()
		if err != nil {
			return err
		}
		var def, rep []int16
		if c.offsets != nil {
			def, rep = levels(c.offsets)
		}
		if err := writeValues(cw, c.values, g.leaves[i].names, def, rep); err != nil {
			return fmt.Errorf("column %s: %w", g.leaves[i].path, err)
		}
		if err := cw.Close(); err != nil {
			return err
		}
	}
	return rg.Close()
}

// levels are the definition and repetition levels of lists.
func levels(offsets []int32) (def, rep []int16) {
	n := int(offsets[len(offsets)-1]-offsets[0]) + len(offsets)
	def, rep = make([]int16, 0, n), make([]int16, 0, n)
	for i := range len(offsets) - 1 {
		if offsets[i] == offsets[i+1] {
			def, rep = append(def, 0), append(rep, 0)
			continue
		}
		for j := offsets[i]; j < offsets[i+1]; j++ {
			again := int16(1)
			if j == offsets[i] {
				again = 0
			}
			def, rep = append(def, 1), append(rep, again)
		}
	}
	return def, rep
}

func widen[T uint8 | int8](v []T) []int32 {
	out := make([]int32, len(v))
	for i, x := range v {
		out[i] = int32(x)
	}
	return out
}

func writeValues(cw file.ColumnChunkWriter, a arrow.Array, names []string, def, rep []int16) (err error) {
	switch a := a.(type) {
	case *array.Boolean:
		values := make([]bool, a.Len())
		for i := range values {
			values[i] = a.Value(i)
		}
		_, err = cw.(*file.BooleanColumnChunkWriter).WriteBatch(values, def, rep)
	case *array.Uint8:
		_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch(widen(a.Uint8Values()), def, rep)
	case *array.Int8:
		_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch(widen(a.Int8Values()), def, rep)
	case *array.Int32:
		_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch(a.Int32Values(), def, rep)
	case *array.Int64:
		_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(a.Int64Values(), def, rep)
	case *array.Uint64:
		_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(arrow.Int64Traits.CastFromBytes(arrow.Uint64Traits.CastToBytes(a.Uint64Values())), def, rep)
	case *array.Float32:
		_, err = cw.(*file.Float32ColumnChunkWriter).WriteBatch(a.Float32Values(), def, rep)
	case *array.Binary:
		values := make([]parquet.ByteArray, a.Len())
		for i := range values {
			values[i] = a.Value(i)
		}
		_, err = cw.(*file.ByteArrayColumnChunkWriter).WriteBatch(values, def, rep)
	case *array.Dictionary:
		values := make([]parquet.ByteArray, a.Len())
		for i := range values {
			values[i] = []byte(names[a.GetValueIndex(i)])
		}
		_, err = cw.(*file.ByteArrayColumnChunkWriter).WriteBatch(values, def, rep)
	default:
		panic("datasets: no Parquet values of " + a.DataType().String())
	}
	return err
}

// A patchwork is a file of which some parts are in memory.
type patchwork struct {
	size  int64
	parts []patch
	at    int64
}

type patch struct {
	offset int64
	data   []byte
}

// ReadAt reads from one of the parts.
func (p *patchwork) ReadAt(b []byte, off int64) (int, error) {
	for _, part := range p.parts {
		if off >= part.offset && off-part.offset <= int64(len(part.data))-int64(len(b)) {
			return copy(b, part.data[off-part.offset:]), nil
		}
	}
	return 0, fmt.Errorf("%w: bytes %d+%d are asked for", ErrCorrupt, off, len(b))
}

// Read reads on from the position.
func (p *patchwork) Read(b []byte) (int, error) {
	n, err := p.ReadAt(b, p.at)
	p.at += int64(n)
	return n, err
}

// Seek sets the position.
func (p *patchwork) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += p.at
	case io.SeekEnd:
		offset += p.size
	}
	p.at = offset
	return offset, nil
}

// readFooter reads the metadata of a Parquet file of so many bytes, whose last
// bytes are given. They are not trusted.
func readFooter(tail []byte, size int64) (meta *metadata.FileMetaData, err error) {
	defer func() {
		if p := recover(); p != nil {
			meta, err = nil, fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	if int64(len(tail)) > size || !bytes.HasSuffix(tail, []byte("PAR1")) {
		return nil, fmt.Errorf("%w: no end of a Parquet file", ErrCorrupt)
	}
	r, err := file.NewParquetReader(&patchwork{size: size, parts: []patch{{size - int64(len(tail)), tail}}}, file.WithReadProps(parquet.NewReaderProperties(memory.NewGoAllocator())))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	return r.MetaData(), nil
}

// readParquetGroup reads row group i, whose bytes are at an offset. They are not
// trusted: an error, never a panic.
func (e *encoder) readParquetGroup(meta *metadata.FileMetaData, size int64, i int, offset int64, data []byte, rows, limit int) (rec arrow.Record, err error) {
	defer func() {
		if p := recover(); p != nil {
			rec, err = nil, fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	bad := func(format string, a ...any) (arrow.Record, error) {
		return nil, fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, a...))
	}
	if i >= len(meta.RowGroups) || meta.RowGroups[i].NumRows != int64(rows) {
		return bad("no row group %d of %d rows", i, rows)
	}
	list := leaves(e.schema, &e.names)
	if len(meta.RowGroups[i].Columns) != len(list) {
		return bad("%d columns, want %d", len(meta.RowGroups[i].Columns), len(list))
	}
	total := int64(0)
	for j := range list {
		c := meta.RowGroup(i)
		chunk, err := c.ColumnChunk(j)
		if err != nil {
			return bad("%v", err)
		}
		if chunk.PathInSchema().String() != list[j].path {
			return bad("column %s, want %s", chunk.PathInSchema(), list[j].path)
		}
		n := chunk.TotalUncompressedSize()
		if n < 0 || n > int64(limit) || chunk.NumValues() < 0 || chunk.NumValues() > int64(limit) {
			return bad("column %s has %d bytes and %d values", list[j].path, n, chunk.NumValues())
		}
		total += n
	}
	if total > int64(limit) {
		return bad("a group of %d bytes where at most %d are right", total, limit)
	}
	props := parquet.NewReaderProperties(&boundedAllocator{Allocator: memory.NewGoAllocator(), left: 8*limit + 1<<20})
	r, err := file.NewParquetReader(&patchwork{size: size, parts: []patch{{offset, data}}}, file.WithReadProps(props), file.WithMetadata(meta))
	if err != nil {
		return bad("%v", err)
	}
	rg := r.RowGroup(i)
	at := 0
	next := func() (levelled, error) {
		l := list[at]
		c, err := rg.Column(at)
		if err != nil {
			return levelled{}, err
		}
		chunk, err := rg.MetaData().ColumnChunk(at)
		if err != nil {
			return levelled{}, err
		}
		at++
		v, err := readValues(c, &l, int(chunk.NumValues()), rows)
		if err != nil {
			err = fmt.Errorf("column %s: %w", l.path, err)
		}
		return v, err
	}
	var columns []arrow.Array
	for _, f := range e.schema.Fields() {
		t, ok := f.Type.(*arrow.ListType)
		if !ok {
			v, err := next()
			if err != nil {
				return bad("%v", err)
			}
			columns = append(columns, v.values)
			continue
		}
		var parts []arrow.ArrayData
		var offsets []int32
		n := 1
		elem, structured := t.Elem().(*arrow.StructType)
		if structured {
			n = elem.NumFields()
		}
		for k := range n {
			v, err := next()
			if err != nil {
				return bad("%v", err)
			}
			if k > 0 && !bytes.Equal(arrow.Int32Traits.CastToBytes(offsets), arrow.Int32Traits.CastToBytes(v.offsets)) {
				return bad("column %s: its parts have lists of different lengths", f.Name)
			}
			offsets = v.offsets
			parts = append(parts, v.values.Data())
		}
		values := parts[0]
		if structured {
			values = array.NewData(elem, int(offsets[rows]), []*memory.Buffer{nil}, parts, 0, 0)
		}
		columns = append(columns, array.MakeFromData(array.NewData(t, rows, []*memory.Buffer{nil, offsetBuffer(offsets)}, []arrow.ArrayData{values}, 0, 0)))
	}
	return array.NewRecord(e.schema, columns, int64(rows)), nil
}

// valueReader is what readers of column chunks of a type have.
type valueReader[T any] interface {
	ReadBatch(batchSize int64, values []T, defLvls, repLvls []int16) (int64, int, error)
}

// readAll reads all levels and values of a chunk.
func readChunk[T any](c file.ColumnChunkReader, n int, list bool) (values []T, def, rep []int16, err error) {
	values = make([]T, n)
	if list {
		def, rep = make([]int16, n), make([]int16, n)
	}
	got, have := 0, 0
	for got < n {
		var d, r []int16
		if list {
			d, r = def[got:], rep[got:]
		}
		total, read, err := c.(valueReader[T]).ReadBatch(int64(n-got), values[have:], d, r)
		if err != nil {
			return nil, nil, nil, err
		}
		if total <= 0 {
			return nil, nil, nil, fmt.Errorf("%d of %d values", got, n)
		}
		got, have = got+int(total), have+read
	}
	return values[:have], def, rep, nil
}

// readValues reads a leaf of a number of levels and rows.
func readValues(c file.ColumnChunkReader, l *leaf, n, rows int) (levelled, error) {
	var out levelled
	count := rows
	// finish turns levels into offsets and tells how many values there are.
	finish := func(have int, def, rep []int16) error {
		if !l.list {
			if have != rows {
				return fmt.Errorf("%d values in %d rows", have, rows)
			}
			return nil
		}
		count = have
		out.offsets = make([]int32, 0, rows+1)
		at := int32(0)
		for i := range rep {
			if rep[i] == 0 {
				out.offsets = append(out.offsets, at)
			}
			if def[i] == 1 {
				at++
			}
		}
		out.offsets = append(out.offsets, at)
		if len(out.offsets) != rows+1 || int(at) != have {
			return fmt.Errorf("%d lists of %d values, want %d of %d", len(out.offsets)-1, at, rows, have)
		}
		return nil
	}
	flat := func(data []byte) {
		out.values = array.MakeFromData(array.NewData(l.typ, count, []*memory.Buffer{nil, memory.NewBufferBytes(data)}, nil, 0, 0))
	}
	switch l.typ.ID() {
	case arrow.BOOL:
		v, def, rep, err := readChunk[bool](c, n, l.list)
		if err == nil {
			err = finish(len(v), def, rep)
		}
		if err != nil {
			return out, err
		}
		bits := make([]byte, (len(v)+7)/8)
		for i, b := range v {
			if b {
				bits[i/8] |= 1 << (i % 8)
			}
		}
		flat(bits)
	case arrow.UINT8, arrow.INT8, arrow.INT32:
		v, def, rep, err := readChunk[int32](c, n, l.list)
		if err == nil {
			err = finish(len(v), def, rep)
		}
		if err != nil {
			return out, err
		}
		if l.typ.ID() == arrow.INT32 {
			flat(arrow.Int32Traits.CastToBytes(v))
			break
		}
		data := make([]byte, len(v))
		for i, x := range v {
			data[i] = byte(x)
		}
		flat(data)
	case arrow.INT64, arrow.UINT64:
		v, def, rep, err := readChunk[int64](c, n, l.list)
		if err == nil {
			err = finish(len(v), def, rep)
		}
		if err != nil {
			return out, err
		}
		flat(arrow.Int64Traits.CastToBytes(v))
	case arrow.FLOAT32:
		v, def, rep, err := readChunk[float32](c, n, l.list)
		if err == nil {
			err = finish(len(v), def, rep)
		}
		if err != nil {
			return out, err
		}
		flat(arrow.Float32Traits.CastToBytes(v))
	case arrow.BINARY, arrow.DICTIONARY:
		v, def, rep, err := readChunk[parquet.ByteArray](c, n, l.list)
		if err == nil {
			err = finish(len(v), def, rep)
		}
		if err != nil {
			return out, err
		}
		if l.typ.ID() == arrow.BINARY {
			offsets, data := make([]int32, 1, len(v)+1), []byte{}
			for _, b := range v {
				data = append(data, b...)
				offsets = append(offsets, int32(len(data)))
			}
			out.values = array.MakeFromData(array.NewData(l.typ, count, []*memory.Buffer{nil, offsetBuffer(offsets), memory.NewBufferBytes(data)}, nil, 0, 0))
			break
		}
		index := map[string]int32{}
		for i, name := range l.names {
			index[name] = int32(i)
		}
		which := make([]int32, len(v))
		for i, b := range v {
			k, ok := index[string(b)]
			if !ok {
				return out, fmt.Errorf("the name %.64q is none of the dataset's", b)
			}
			which[i] = k
		}
		out.values = array.MakeFromData(array.NewDataWithDictionary(l.typ, count, []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(which))}, 0, 0, stringData(l.names)))
	}
	return out, nil
}
