package arrowexport

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// TestFormica shows every array of boards of Formica, which have no ragged
// ones, and gives orders through every head.
func TestFormica(t *testing.T) {
	board, err := formica.BundledBoard("duel")
	if err != nil {
		t.Fatal(err)
	}
	b, err := batch.New(batch.Config{Game: "formica", Boards: 5, Maps: []env.Map{board}, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	all := allArrays(b)
	b.Close()
	if b, err = batch.New(batch.Config{Game: "formica", Boards: 5, Maps: []env.Map{board}, Workers: 2, Arrays: all}); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Reset(1); err != nil {
		t.Fatal(err)
	}
	x := newExporter(t, b)
	z := b.Sizes()
	rows := 5 * z["S"]
	var order []byte
	for range rows {
		order = formica.DefaultOrder().Append(order)
	}
	weights := make([]byte, 4*6*rows)
	for i := range rows {
		weights[4*(6*i+1)], weights[4*(6*i+3)] = 3, 1
	}
	for _, c := range []struct {
		head string
		col  arrow.Array
	}{
		{"orders", dense(make([]byte, 4*4*rows), &arrow.Int32Type{}, 5)},
		{"order_weights", dense(weights, &arrow.Int32Type{}, 5)},
		{"order_bytes", dense(order, &arrow.Uint8Type{}, 5)},
		{"order_logits", dense(make([]byte, 4*rows*z["L"]), &arrow.Float32Type{}, 5)},
	} {
		rec, err := x.Record()
		if err != nil {
			t.Fatal(err)
		}
		if int(rec.NumCols()) != len(all) {
			t.Errorf("%d columns for %d arrays", rec.NumCols(), len(all))
		}
		for i, f := range rec.Schema().Fields() {
			compare(t, b, f, rec.Column(i))
		}
		rec.Release()
		acts, err := x.Actions(record(t, c.head, c.col))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Step(acts); err != nil {
			t.Errorf("%s: %v", c.head, err)
		}
	}
	if turn := b.Array("turn").Data[0]; turn != 4 {
		t.Errorf("%d phases played, want 4", turn)
	}
}
