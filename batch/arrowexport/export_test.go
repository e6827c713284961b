package arrowexport

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

func newBatch(t testing.TB, change func(*batch.Config)) *batch.Batch {
	t.Helper()
	cfg := batch.Config{Boards: 5, Workers: 2}
	for _, id := range []string{"tiny-2p", "small-3p"} {
		m, err := ants.BundledMap(id)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Maps = append(cfg.Maps, m)
	}
	if change != nil {
		change(&cfg)
	}
	b, err := batch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Reset(3); err != nil {
		t.Fatal(err)
	}
	return b
}

func newExporter(t testing.TB, b *batch.Batch) *Exporter {
	t.Helper()
	x, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// step plays a turn in which every ant goes somewhere.
func step(t testing.TB, b *batch.Batch, turn int) {
	t.Helper()
	acts := make([]uint8, b.Array("ant_cells").Dims[0])
	for i := range acts {
		acts[i] = uint8((i*7 + turn*3 + i*turn) % 5)
	}
	if err := b.Step(batch.Actions{Head: "ant", Uint8: acts}); err != nil {
		t.Fatal(err)
	}
}

// allArrays are the names of everything that a batch can export.
func allArrays(b *batch.Batch) (names []string) {
	for _, f := range b.Outputs() {
		names = append(names, f.Name)
	}
	return names
}

// leaf is the primitive data under lists, which must have no offset.
func leaf(t testing.TB, a arrow.ArrayData) arrow.ArrayData {
	t.Helper()
	for len(a.Children()) > 0 {
		if a.Offset() != 0 {
			t.Errorf("%s begins at %d", a.DataType(), a.Offset())
		}
		a = a.Children()[0]
	}
	return a
}

func TestRecord(t *testing.T) {
	all := allArrays(newBatch(t, nil))
	for _, planes := range []obs.DType{obs.Bit, obs.Uint8, obs.Float16, obs.Float32} {
		t.Run(planes.String(), func(t *testing.T) {
			b := newBatch(t, func(c *batch.Config) { c.Arrays, c.Planes = all, planes })
			x := newExporter(t, b)
			for turn := range 10 {
				rec, err := x.Record()
				if err != nil {
					t.Fatal(err)
				}
				if !rec.Schema().Equal(x.Schema()) || rec.NumRows() != 5 {
					t.Fatalf("%d rows of %s", rec.NumRows(), rec.Schema())
				}
				for i, f := range rec.Schema().Fields() {
					compare(t, b, f, rec.Column(i))
				}
				if names := len(b.Names()) - 1; int(rec.NumCols()) != names {
					t.Errorf("%d columns for %d arrays and their offsets", rec.NumCols(), names)
				}
				rec.Release()
				step(t, b, turn)
			}
		})
	}
}

// compare holds a column to its array: the same memory, and what Arrow makes of
// it the same numbers.
func compare(t *testing.T, b *batch.Batch, f arrow.Field, col arrow.Array) {
	t.Helper()
	a := b.Array(f.Name)
	dtype, _ := f.Metadata.GetValue("dtype")
	shape, _ := f.Metadata.GetValue("shape")
	if want := strings.Trim(strings.ReplaceAll(fmt.Sprint(a.Dims[1:]), " ", ","), "[]"); dtype != a.DType.String() || shape != want {
		t.Errorf("%s: metadata says %s of %s, want %s of %s", f.Name, shape, dtype, want, a.DType)
	}
	mem := leaf(t, col.Data()).Buffers()[1].Bytes()
	if len(mem) != len(a.Data) || unsafe.SliceData(mem) != unsafe.SliceData(a.Data) {
		t.Errorf("%s is a copy: %d bytes of %d", f.Name, len(mem), len(a.Data))
	}
	elem := func(i int) any {
		switch a.DType {
		case obs.Bool:
			return map[bool]uint8{true: 1}[obs.View[bool](a)[i]]
		case obs.Bit, obs.Uint8:
			return a.Data[i]
		case obs.Int8:
			return obs.View[int8](a)[i]
		case obs.Int32:
			return obs.View[int32](a)[i]
		case obs.Float16:
			return float16.FromBits(obs.View[uint16](a)[i])
		case obs.Float32:
			return obs.View[float32](a)[i]
		}
		panic(a.DType.String())
	}
	if !a.Ragged() {
		width := a.Stride() / a.DType.Size()
		for row := range b.Config().Boards {
			got := flat(col, row)
			if len(got) != width {
				t.Fatalf("%s row %d has %d elements, want %d", f.Name, row, len(got), width)
			}
			for j, v := range got {
				if v != elem(row*width+j) {
					t.Fatalf("%s row %d element %d is %v, want %v", f.Name, row, j, v, elem(row*width+j))
				}
			}
		}
		return
	}
	offsets := obs.View[int64](b.Array("ant_offsets"))
	seats := b.Sizes()["S"]
	bySeat := col.(*array.FixedSizeList)
	lists := bySeat.ListValues().(*array.LargeList)
	if got := lists.Data().Buffers()[1].Bytes(); unsafe.SliceData(got) != unsafe.SliceData(b.Array("ant_offsets").Data) {
		t.Errorf("%s has copied offsets", f.Name)
	}
	width := a.Stride() / a.DType.Size()
	for i := range b.Config().Boards * seats {
		lo, hi := lists.ValueOffsets(i)
		if lo != offsets[i] || hi != offsets[i+1] {
			t.Fatalf("%s list %d is %d..%d, want %d..%d", f.Name, i, lo, hi, offsets[i], offsets[i+1])
		}
		for j := lo; j < hi; j++ {
			for k, v := range flat(lists.ListValues(), int(j)) {
				if v != elem(int(j)*width+k) {
					t.Fatalf("%s list %d entry %d is %v", f.Name, i, j-lo, v)
				}
			}
		}
	}
}

// flat is one entry of a primitive array or of a fixed-size list of one.
func flat(a arrow.Array, i int) (values []any) {
	switch v := a.(type) {
	case *array.FixedSizeList:
		lo, hi := v.ValueOffsets(i)
		for j := lo; j < hi; j++ {
			values = append(values, flat(v.ListValues(), int(j))...)
		}
		return values
	case *array.Uint8:
		return []any{v.Value(i)}
	case *array.Int8:
		return []any{v.Value(i)}
	case *array.Int32:
		return []any{v.Value(i)}
	case *array.Float16:
		return []any{v.Value(i)}
	case *array.Float32:
		return []any{v.Value(i)}
	}
	panic(a.DataType().String())
}

// A record survives Arrow's own checks and a trip through a stream, and
// everything that was allocated on the way is released.
func TestRecordThroughAStream(t *testing.T) {
	all := allArrays(newBatch(t, nil))
	b := newBatch(t, func(c *batch.Config) { c.Arrays = all })
	x := newExporter(t, b)
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	for turn := range 5 {
		rec, err := x.Record()
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		w := ipc.NewWriter(&buf, ipc.WithSchema(x.Schema()), ipc.WithAllocator(mem))
		if err := errors.Join(w.Write(rec), w.Close()); err != nil {
			t.Fatal(err)
		}
		r, err := ipc.NewReader(&buf, ipc.WithAllocator(mem))
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if !array.RecordEqual(rec, got) {
			t.Errorf("turn %d: the record differs after a trip through a stream", turn)
		}
		r.Release()
		rec.Release()
		step(t, b, turn)
	}
}

func TestRecordOutlivesOthers(t *testing.T) {
	b := newBatch(t, nil)
	x := newExporter(t, b)
	first, err := x.Record()
	if err != nil {
		t.Fatal(err)
	}
	first.Retain()
	second, err := x.Record()
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
	first.Release()
	if n := first.Column(0).Len(); n != 5 {
		t.Errorf("a retained record has %d rows", n)
	}
	first.Release()
}

// Boards on which a seat has no ants at all, down to none anywhere.
func TestNoAnts(t *testing.T) {
	b := newBatch(t, func(c *batch.Config) { c.Autoreset = batch.Disabled; c.Boards = 2; c.Maps = c.Maps[:1] })
	x := newExporter(t, b)
	for i := range 2 {
		e := b.Board(i).(ants.Engine)
		s := e.State()
		for seat := range s.Ants {
			if i == 0 || seat == 1 {
				s.Ants[seat] = nil
			}
		}
		if err := e.SetState(s.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...int) {
		t.Helper()
		b.Refresh()
		rec, err := x.Record()
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Release()
		lists := rec.Column(x.schema.FieldIndices("ant_cells")[0]).(*array.FixedSizeList).ListValues().(*array.LargeList)
		var got []int
		for i := range lists.Len() {
			lo, hi := lists.ValueOffsets(i)
			got = append(got, int(hi-lo))
		}
		if !slices.Equal(got, want) {
			t.Errorf("lists of %v ants, want %v", got, want)
		}
		mask := rec.Column(x.schema.FieldIndices("ant_mask")[0])
		if n := mask.(*array.FixedSizeList).ListValues().(*array.LargeList).ListValues().Len(); n != got[2] {
			t.Errorf("%d masks for %d ants", n, got[2])
		}
	}
	check(0, 0, 1, 0)
	e := b.Board(1).(ants.Engine)
	s := e.State()
	s.Ants[0] = nil
	if err := e.SetState(s.Append(nil)); err != nil {
		t.Fatal(err)
	}
	check(0, 0, 0, 0)
}

func TestFinal(t *testing.T) {
	b := newBatch(t, func(c *batch.Config) {
		c.Rules, c.Autoreset = `{"name":"ladder","max_turns":3}`, batch.SameStep
	})
	x := newExporter(t, b)
	for turn := range 3 {
		step(t, b, turn)
	}
	rec, err := x.Final()
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	turns := rec.Column(x.schema.FieldIndices("turn")[0]).(*array.Int32)
	for i := range turns.Len() {
		if turns.Value(i) != 3 {
			t.Errorf("board %d ended after %d turns", i, turns.Value(i))
		}
	}
	if got, want := turns.Data().Buffers()[1].Bytes(), b.Final("turn").Data; unsafe.SliceData(got) != unsafe.SliceData(want) {
		t.Error("final arrays are copied")
	}
	if _, err := newExporter(t, newBatch(t, nil)).Final(); !errors.Is(err, ErrExport) {
		t.Errorf("final arrays of a batch that has none: %v", err)
	}
}

func TestNew(t *testing.T) {
	b := newBatch(t, func(c *batch.Config) { c.Arrays = []string{"ant_cells"} })
	if _, err := New(b); !errors.Is(err, ErrExport) || !strings.Contains(err.Error(), "ant_offsets") {
		t.Errorf("ragged without offsets: %v", err)
	}
	b = newBatch(t, nil)
	if _, err := New(b, "turn", "nothing"); !errors.Is(err, ErrExport) || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("an array that is none: %v", err)
	}
	if some, err := New(b, "turn", "ant_cells"); err != nil || some.Schema().NumFields() != 2 {
		t.Errorf("two of the arrays: %v", err)
	}
	b = newBatch(t, func(c *batch.Config) { c.Policies = [][]string{{"hold", "hold", "hold"}}; c.Maps = c.Maps[1:] })
	x := newExporter(t, b)
	rec, err := x.Record()
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	for _, f := range x.Schema().Fields() {
		if a := b.Array(f.Name); len(a.Data) == 0 {
			t.Errorf("column %s of nothing", f.Name)
		}
	}
	if len(x.Schema().FieldIndices("turn")) != 1 || rec.NumRows() != 5 {
		t.Errorf("without observed seats: %s", x.Schema())
	}
}

func TestActions(t *testing.T) {
	b := newBatch(t, nil)
	x := newExporter(t, b)
	want := newBatch(t, nil)
	for turn := range 20 {
		rec := record(t, "ant", antActions(b, turn))
		acts, err := x.Actions(rec)
		if err != nil {
			t.Fatal(err)
		}
		if mem := leaf(t, rec.Column(0).Data()).Buffers()[1].Bytes(); unsafe.SliceData(acts.Uint8) != unsafe.SliceData(mem) {
			t.Fatal("actions are copied")
		}
		if err := b.Step(acts); err != nil {
			t.Fatal(err)
		}
		rec.Release()
		step(t, want, turn)
		for i := range 5 {
			if b.Hash(i) != want.Hash(i) {
				t.Fatalf("turn %d: board %d played otherwise", turn, i)
			}
		}
	}
}

// antActions are those of step, in the type of an exported ragged column.
func antActions(b *batch.Batch, turn int) arrow.Array {
	offsets := b.Array("ant_offsets")
	acts := make([]uint8, b.Array("ant_cells").Dims[0])
	for i := range acts {
		acts[i] = uint8((i*7 + turn*3 + i*turn) % 5)
	}
	list := arrow.LargeListOfNonNullable(arrow.PrimitiveTypes.Uint8)
	flat := array.NewData(arrow.PrimitiveTypes.Uint8, len(acts), []*memory.Buffer{nil, memory.NewBufferBytes(acts)}, nil, 0, 0)
	lists := array.NewData(list, len(offsets.Data)/8-1, []*memory.Buffer{nil, memory.NewBufferBytes(slices.Clone(offsets.Data))}, []arrow.ArrayData{flat}, 0, 0)
	seats := b.Sizes()["S"]
	return array.MakeFromData(array.NewData(arrow.FixedSizeListOfNonNullable(int32(seats), list), lists.Len()/seats, []*memory.Buffer{nil}, []arrow.ArrayData{lists}, 0, 0))
}

func record(t testing.TB, name string, col arrow.Array) arrow.Record {
	t.Helper()
	return array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: name, Type: col.DataType()}}, nil), []arrow.Array{col}, int64(col.Len()))
}

// dense is a column of one fixed-size list a row.
func dense(mem []byte, elem arrow.FixedWidthDataType, rows int) arrow.Array {
	n := len(mem) / elem.Bytes()
	flat := array.NewData(elem, n, []*memory.Buffer{nil, memory.NewBufferBytes(mem)}, nil, 0, 0)
	return array.MakeFromData(array.NewData(arrow.FixedSizeListOfNonNullable(int32(n/rows), elem), rows, []*memory.Buffer{nil}, []arrow.ArrayData{flat}, 0, 0))
}

func TestDenseActions(t *testing.T) {
	b := newBatch(t, nil)
	x := newExporter(t, b)
	sizes := b.Sizes()
	cells := 5 * sizes["S"] * sizes["H"] * sizes["W"]
	for _, c := range []struct {
		head string
		col  arrow.Array
	}{
		{"cell", dense(bytes.Repeat([]byte{4}, cells), &arrow.Uint8Type{}, 5)},
		{"cell_logits", dense(make([]byte, 4*5*cells), &arrow.Float32Type{}, 5)},
	} {
		// A slice of more rows is as good as a record of its own.
		for _, col := range []arrow.Array{c.col, array.NewSlice(double(c.col), 5, 10)} {
			acts, err := x.Actions(record(t, c.head, col))
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Step(acts); err != nil {
				t.Errorf("%s: %v", c.head, err)
			}
		}
	}
}

// double is a column twice over.
func double(col arrow.Array) arrow.Array {
	both, err := array.Concatenate([]arrow.Array{col, col}, memory.NewGoAllocator())
	if err != nil {
		panic(err)
	}
	return both
}

func TestSlicedActions(t *testing.T) {
	b := newBatch(t, nil)
	x := newExporter(t, b)
	want := antActions(b, 2)
	acts, err := x.Actions(record(t, "ant", array.NewSlice(double(want), 5, 10)))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := x.Actions(record(t, "ant", want))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(acts.Uint8, plain.Uint8) {
		t.Errorf("a slice gives %v, want %v", acts.Uint8, plain.Uint8)
	}
}

func TestBadActions(t *testing.T) {
	b := newBatch(t, nil)
	x := newExporter(t, b)
	mem := memory.NewGoAllocator()
	good := antActions(b, 0)
	ragged := func(lengths ...int) arrow.Array {
		list := array.NewLargeListBuilder(mem, arrow.PrimitiveTypes.Uint8)
		for _, n := range lengths {
			list.Append(true)
			for range n {
				list.ValueBuilder().(*array.Uint8Builder).Append(4)
			}
		}
		lists := list.NewArray()
		return array.MakeFromData(array.NewData(arrow.FixedSizeListOf(3, lists.DataType()), lists.Len()/3, []*memory.Buffer{nil}, []arrow.ArrayData{lists.Data()}, 0, 0))
	}
	nulls := array.NewUint8Builder(mem)
	nulls.AppendValues(make([]byte, 5), []bool{true, true, false, true, true})
	strs := array.NewStringBuilder(mem)
	strs.AppendValues(make([]string, 5), nil)
	int8s := array.NewInt8Builder(mem)
	int8s.AppendValues(make([]int8, 5), nil)
	two := array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: "ant", Type: good.DataType()}, {Name: "cell", Type: good.DataType()}}, nil), []arrow.Array{good, good}, 5)
	for name, c := range map[string]struct {
		rec  arrow.Record
		want string
	}{
		"two columns":  {two, "2 columns"},
		"no head":      {record(t, "feet", good), `"feet"`},
		"rows":         {record(t, "ant", array.NewSlice(good, 0, 4)), "4 rows for 5"},
		"lengths":      {record(t, "ant", ragged(1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 2, 0, 1, 1, 0)), "board 3, observed seat 1: 2 entries, want 1"},
		"nulls":        {record(t, "cell", nulls.NewArray()), "1 nulls"},
		"strings":      {record(t, "cell", strs.NewArray()), "elements of utf8"},
		"int8":         {record(t, "cell", int8s.NewArray()), "elements of int8"},
		"logits":       {record(t, "ant_logits", good), "elements of uint8, want float32"},
		"float labels": {record(t, "cell", dense(make([]byte, 80), &arrow.Float32Type{}, 5)), "elements of float32, want uint8"},
	} {
		if _, err := x.Actions(c.rec); !errors.Is(err, env.ErrOrders) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	bt := newBatch(b, func(c *batch.Config) { c.Boards = 1024 })
	x := newExporter(b, bt)
	b.ReportAllocs()
	for b.Loop() {
		rec, err := x.Record()
		if err != nil {
			b.Fatal(err)
		}
		rec.Release()
	}
}

// TestHeld: a record shows the bytes that it is given, asks for each array
// once, and gives each back once, when nothing shows it any more.
func TestHeld(t *testing.T) {
	b := newBatch(t, func(c *batch.Config) { c.Arrays, c.Autoreset = allArrays(newBatch(t, nil)), batch.SameStep })
	x := newExporter(t, b)
	for _, final := range []bool{false, true} {
		out := map[string]int{}
		rec, err := x.Held(final, func(a *obs.Array) ([]byte, func()) {
			out[a.Name]++
			return bytes.Clone(a.Data), func() { out[a.Name]-- }
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range b.Names() {
			if out[name] != 1 {
				t.Errorf("%s is held %d times", name, out[name])
			}
		}
		arrays := x.b.Array
		if final {
			arrays = x.b.Final
		}
		want, err := x.record(arrays, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !array.RecordEqual(rec, want) {
			t.Error("the held record shows something else")
		}
		part := rec.NewSlice(1, 2)
		rec.Release()
		if out["planes"] != 1 {
			t.Error("released while a slice shows it")
		}
		part.Release()
		for name, n := range out {
			if n != 0 {
				t.Errorf("%s: %d holds are left", name, n)
			}
		}
	}
}
