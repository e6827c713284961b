package datasets

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// An Episode is one row of a dataset of kind orders.
type Episode struct {
	ID          uint64
	Seed        uint64
	Map         string    // digest of the map
	Policies    []string  // per seat: who played it
	Packed      []byte    // the orders, see Dataset.Orders
	Checkpoints []uint64  // env.Hash of the state after every so many steps, and after the last
	Turns       int       // steps played
	Reason      string    // why it ended
	Scores      []int32   // per seat
	Ranks       []int32   // per seat, 1-based, ties share
	Strikes     []int32   // per seat: failed answers
	Returns     []float32 // per seat: sum of rewards
}

// rawBytes is the size of the row before compression: the measure by which
// shards and groups roll. It depends on the row alone.
func (e *Episode) rawBytes() int {
	n := 8 + 8 + len(e.Map) + 1 + len(e.Packed) + 8*len(e.Checkpoints) + 4 + len(e.Reason) + 16*len(e.Policies)
	for _, p := range e.Policies {
		n += 4 + len(p)
	}
	return n + 8*4 // offsets
}

// checkpoints is how many hashes an episode of that many steps has.
func checkpoints(turns, every int) int { return (turns + every - 1) / every }

// append adds the row to a builder of the kind's schema.
func (e *Episode) append(b *array.RecordBuilder) {
	b.Field(colEpisode).(*array.Uint64Builder).Append(e.ID)
	b.Field(colSeed).(*array.Uint64Builder).Append(e.Seed)
	b.Field(colMap).(*array.StringBuilder).Append(e.Map)
	b.Field(colSeats).(*array.Uint8Builder).Append(uint8(len(e.Policies)))
	policies := b.Field(colPolicies).(*array.ListBuilder)
	policies.Append(true)
	for _, p := range e.Policies {
		policies.ValueBuilder().(*array.StringBuilder).Append(p)
	}
	b.Field(colOrders).(*array.BinaryBuilder).Append(e.Packed)
	sums := b.Field(colCheckpoints).(*array.ListBuilder)
	sums.Append(true)
	sums.ValueBuilder().(*array.Uint64Builder).AppendValues(e.Checkpoints, nil)
	b.Field(colTurns).(*array.Int32Builder).Append(int32(e.Turns))
	b.Field(colReason).(*array.StringBuilder).Append(e.Reason)
	for i, values := range [][]int32{e.Scores, e.Ranks, e.Strikes} {
		list := b.Field(colScores + i).(*array.ListBuilder)
		list.Append(true)
		list.ValueBuilder().(*array.Int32Builder).AppendValues(values, nil)
	}
	returns := b.Field(colReturns).(*array.ListBuilder)
	returns.Append(true)
	returns.ValueBuilder().(*array.Float32Builder).AppendValues(e.Returns, nil)
}

// readEpisode copies row i out of a record of the kind's schema. It panics
// where the record's own buffers contradict each other.
func readEpisode(rec arrow.Record, i int) (*Episode, error) {
	seats := int(rec.Column(colSeats).(*array.Uint8).Value(i))
	e := &Episode{
		ID:     rec.Column(colEpisode).(*array.Uint64).Value(i),
		Seed:   rec.Column(colSeed).(*array.Uint64).Value(i),
		Map:    strings.Clone(rec.Column(colMap).(*array.String).Value(i)),
		Turns:  int(rec.Column(colTurns).(*array.Int32).Value(i)),
		Reason: strings.Clone(rec.Column(colReason).(*array.String).Value(i)),
		Packed: append([]byte(nil), rec.Column(colOrders).(*array.Binary).Value(i)...),
	}
	list := func(col int) (from, to int, values arrow.Array) {
		l := rec.Column(col).(*array.List)
		a, b := l.ValueOffsets(i)
		return int(a), int(b), l.ListValues()
	}
	from, to, values := list(colPolicies)
	for j := from; j < to; j++ {
		e.Policies = append(e.Policies, strings.Clone(values.(*array.String).Value(j)))
	}
	from, to, values = list(colCheckpoints)
	e.Checkpoints = append(e.Checkpoints, values.(*array.Uint64).Uint64Values()[from:to]...)
	for k, dst := range []*[]int32{&e.Scores, &e.Ranks, &e.Strikes} {
		from, to, values = list(colScores + k)
		*dst = append(*dst, values.(*array.Int32).Int32Values()[from:to]...)
	}
	from, to, values = list(colReturns)
	e.Returns = append(e.Returns, values.(*array.Float32).Float32Values()[from:to]...)
	for _, l := range []struct {
		name string
		n    int
	}{{"policies", len(e.Policies)}, {"scores", len(e.Scores)}, {"ranks", len(e.Ranks)}, {"strikes", len(e.Strikes)}, {"returns", len(e.Returns)}} {
		if l.n != seats {
			return nil, fmt.Errorf("episode %d: %s has %d entries for %d seats", e.ID, l.name, l.n, seats)
		}
	}
	return e, nil
}
