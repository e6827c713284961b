package datasets

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// An Episode is one row of a dataset of kind orders.
type Episode struct {
	ID          uint64   `json:"episode"`
	Seed        uint64   `json:"seed"`
	Map         string   `json:"map"` // digest of the map
	Seats       []Seat   `json:"seats"`
	Packed      []byte   `json:"orders"`      // the orders, see Dataset.Orders
	Turns       int      `json:"turns"`       // steps played
	Reason      string   `json:"reason"`      // why it ended
	Checkpoints []uint64 `json:"checkpoints"` // env.Hash of the state after every so many steps but the last
	FinalHash   uint64   `json:"final_hash"`  // env.Hash of the state after the last step
	Orders      int64    `json:"order_count"` // given by all seats in all steps
}

// A Seat is how an episode went for one seat.
type Seat struct {
	Policy  string  `json:"policy"`
	Score   int32   `json:"score"`
	Rank    int32   `json:"rank"`    // 1-based, ties share
	Strikes int32   `json:"strikes"` // failed answers
	Return  float32 `json:"return"`
}

// policies are who played the seats.
func (e *Episode) policies() []string {
	names := make([]string, len(e.Seats))
	for s := range e.Seats {
		names[s] = e.Seats[s].Policy
	}
	return names
}

// rawBytes is the size of the row before compression: the measure by which
// shards and groups roll. It depends on the row alone.
func (e *Episode) rawBytes() int {
	return 8 + 8 + 4 + 4 + 20*len(e.Seats) + 4 + len(e.Packed) + 4 + 4 + 4 + 8*len(e.Checkpoints) + 8 + 8
}

// checkpoints is how many checkpoints an episode of that many steps has.
func checkpoints(turns, every int) int { return (turns - 1) / every }

// dictionaries are the values of the columns that name one of a few.
type dictionaries struct {
	maps, policies, reasons []string
}

// encoder makes record batches of rows. Its dictionaries are made once: a file
// may hold only one of each.
type encoder struct {
	schema                  *arrow.Schema
	mem                     memory.Allocator
	maps, policies, reasons arrow.Array
	names                   dictionaries
}

func newEncoder(schema *arrow.Schema, d dictionaries) *encoder {
	e := &encoder{schema: schema, mem: memory.NewGoAllocator(), names: d}
	values := func(names []string) arrow.Array {
		b := array.NewStringBuilder(e.mem)
		defer b.Release()
		b.AppendValues(names, nil)
		return b.NewArray()
	}
	e.maps, e.policies, e.reasons = values(d.maps), values(d.policies), values(d.reasons)
	return e
}

// empty is a record without rows.
func (e *encoder) empty() arrow.Record {
	var make func(f arrow.Field) arrow.ArrayData
	make = func(f arrow.Field) arrow.ArrayData {
		none := memory.NewBufferBytes([]byte{})
		switch t := f.Type.(type) {
		case *arrow.DictionaryType:
			values := map[string]arrow.Array{"map": e.maps, "policy": e.policies, "reason": e.reasons}[f.Name]
			return array.NewDataWithDictionary(t, 0, []*memory.Buffer{nil, none}, 0, 0, values.Data().(*array.Data))
		case *arrow.ListType:
			return array.NewData(t, 0, []*memory.Buffer{nil, offsetBuffer([]int32{0})}, []arrow.ArrayData{make(t.ElemField())}, 0, 0)
		case *arrow.StructType:
			var parts []arrow.ArrayData
			for _, g := range t.Fields() {
				parts = append(parts, make(g))
			}
			return array.NewData(t, 0, []*memory.Buffer{nil}, parts, 0, 0)
		case *arrow.BinaryType:
			return array.NewData(t, 0, []*memory.Buffer{nil, offsetBuffer([]int32{0}), none}, nil, 0, 0)
		default:
			return array.NewData(t, 0, []*memory.Buffer{nil, none}, nil, 0, 0)
		}
	}
	var columns []arrow.Array
	for _, f := range e.schema.Fields() {
		columns = append(columns, array.MakeFromData(make(f)))
	}
	return array.NewRecord(e.schema, columns, 0)
}

// record makes a record batch. An error says that a row names what the
// dictionaries lack.
func (e *encoder) record(rows []*Episode) (arrow.Record, error) {
	counts := array.NewInt64Builder(e.mem)
	for _, r := range rows {
		counts.Append(r.Orders)
	}
	u64 := func(of func(*Episode) []uint64) arrow.Array {
		b := array.NewUint64Builder(e.mem)
		defer b.Release()
		for _, r := range rows {
			b.AppendValues(of(r), nil)
		}
		return b.NewArray()
	}
	one := func(of func(*Episode) uint64) arrow.Array {
		return u64(func(r *Episode) []uint64 { return []uint64{of(r)} })
	}
	i32 := func(values []int32) arrow.Array {
		b := array.NewInt32Builder(e.mem)
		defer b.Release()
		b.AppendValues(values, nil)
		return b.NewArray()
	}
	var lack error
	name := func(what string, values arrow.Array, names []string, used []string) arrow.Array {
		at := map[string]int32{}
		for i, n := range names {
			at[n] = int32(i)
		}
		indices := make([]int32, len(used))
		for i, n := range used {
			k, ok := at[n]
			if !ok {
				lack = fmt.Errorf("%s %q is none of the dataset's (%s)", what, n, strings.Join(names, ", "))
			}
			indices[i] = k
		}
		return array.NewDictionaryArray(named, i32(indices), values)
	}
	list := func(col int, of func(*Episode) int, values arrow.Array) arrow.Array {
		offsets := make([]int32, 0, len(rows)+1)
		end := int32(0)
		for _, r := range rows {
			offsets = append(offsets, end)
			end += int32(of(r))
		}
		offsets = append(offsets, end)
		data := array.NewData(e.schema.Field(col).Type, len(rows), []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets))}, []arrow.ArrayData{values.Data()}, 0, 0)
		defer data.Release()
		return array.MakeFromData(data)
	}
	var maps, policies, reasons []string
	var scores, ranks, strikes, turns []int32
	returns, packed := array.NewFloat32Builder(e.mem), array.NewBinaryBuilder(e.mem, arrow.BinaryTypes.Binary)
	for _, r := range rows {
		maps, reasons, turns = append(maps, r.Map), append(reasons, r.Reason), append(turns, int32(r.Turns))
		packed.Append(r.Packed)
		for _, s := range r.Seats {
			policies, scores, ranks, strikes = append(policies, s.Policy), append(scores, s.Score), append(ranks, s.Rank), append(strikes, s.Strikes)
			returns.Append(s.Return)
		}
	}
	seats := array.NewData(arrow.StructOf(seatFields...), len(scores), []*memory.Buffer{nil}, []arrow.ArrayData{
		seatPolicy: name("policy", e.policies, e.names.policies, policies).Data(),
		seatScore:  i32(scores).Data(), seatRank: i32(ranks).Data(), seatStrikes: i32(strikes).Data(), seatReturn: returns.NewArray().Data(),
	}, 0, 0)
	columns := []arrow.Array{
		colEpisode:     one(func(r *Episode) uint64 { return r.ID }),
		colSeed:        one(func(r *Episode) uint64 { return r.Seed }),
		colMap:         name("map", e.maps, e.names.maps, maps),
		colSeats:       list(colSeats, func(r *Episode) int { return len(r.Seats) }, array.MakeFromData(seats)),
		colOrders:      packed.NewArray(),
		colTurns:       i32(turns),
		colReason:      name("reason", e.reasons, e.names.reasons, reasons),
		colCheckpoints: list(colCheckpoints, func(r *Episode) int { return len(r.Checkpoints) }, u64(func(r *Episode) []uint64 { return r.Checkpoints })),
		colFinal:       one(func(r *Episode) uint64 { return r.FinalHash }),
		colCount:       counts.NewArray(),
	}
	if lack != nil {
		return nil, lack
	}
	return array.NewRecord(e.schema, columns, int64(len(rows))), nil
}

// readEpisode copies row i out of a record of the kind's schema. It panics
// where the record's own buffers contradict each other.
func readEpisode(rec arrow.Record, i int) *Episode {
	name := func(a arrow.Array, i int) string {
		d := a.(*array.Dictionary)
		return strings.Clone(d.Dictionary().(*array.String).Value(d.GetValueIndex(i)))
	}
	list := func(col int) (from, to int, values arrow.Array) {
		l := rec.Column(col).(*array.List)
		a, b := l.ValueOffsets(i)
		return int(a), int(b), l.ListValues()
	}
	e := &Episode{
		ID:        rec.Column(colEpisode).(*array.Uint64).Value(i),
		Seed:      rec.Column(colSeed).(*array.Uint64).Value(i),
		Map:       name(rec.Column(colMap), i),
		Packed:    append([]byte(nil), rec.Column(colOrders).(*array.Binary).Value(i)...),
		Turns:     int(rec.Column(colTurns).(*array.Int32).Value(i)),
		Reason:    name(rec.Column(colReason), i),
		FinalHash: rec.Column(colFinal).(*array.Uint64).Value(i),
		Orders:    rec.Column(colCount).(*array.Int64).Value(i),
	}
	from, to, values := list(colSeats)
	seats := values.(*array.Struct)
	for j := from; j < to; j++ {
		e.Seats = append(e.Seats, Seat{
			Policy:  name(seats.Field(seatPolicy), j),
			Score:   seats.Field(seatScore).(*array.Int32).Value(j),
			Rank:    seats.Field(seatRank).(*array.Int32).Value(j),
			Strikes: seats.Field(seatStrikes).(*array.Int32).Value(j),
			Return:  seats.Field(seatReturn).(*array.Float32).Value(j),
		})
	}
	from, to, values = list(colCheckpoints)
	e.Checkpoints = append(e.Checkpoints, values.(*array.Uint64).Uint64Values()[from:to]...)
	return e
}
