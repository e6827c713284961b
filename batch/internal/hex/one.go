package hex

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// One is a board as an engine of its own, driven by encoded orders. It uses
// worker 0 and must not be used while the batch steps. Seats that the batch
// gives to a policy follow the given orders here.
func (e *Engine) One(b int) env.Engine { return &one{e: e, b: b} }

type one struct {
	e *Engine
	b int
}

var _ formica.Engine = (*one)(nil)

func (o *one) board() *formica.Board { return o.e.boardOf[o.e.mapOf[o.b]] }

func (o *one) Seats() int                    { return o.board().Players }
func (o *one) Config() *formica.Config       { return &o.e.rules }
func (o *one) Board() *formica.Board         { return o.board() }
func (o *one) Outcome() env.Outcome          { return o.e.Outcome(o.b) }
func (o *one) State() *formica.State         { return o.e.State(o.b) }
func (o *one) SetState(data []byte) error    { return o.e.SetState(o.b, data) }
func (o *one) Results() *formica.Results     { return o.e.State(o.b).Results(&o.e.rules) }
func (o *one) AppendState(dst []byte) []byte { return o.e.AppendState(dst, o.b) }

func (o *one) Reset(seed uint64) error {
	o.e.Reset(0, o.b, seed)
	return nil
}

// Step plays one command phase with the given orders.
func (o *one) Step(orders [][]byte) error {
	e, b := o.e, o.b
	if !e.clocks[b].started {
		return fmt.Errorf("board %d: %w", b, env.ErrNotReset)
	}
	if e.Done(b) {
		return nil
	}
	dead := func(seat int) bool { return e.colonies[b*e.p+seat].n == 0 }
	if _, _, err := formica.DecodeOrders(orders, o.Seats(), o.board().Cells, dead); err != nil {
		return err
	}
	w := &e.workers[0]
	w.given = orders
	if w.given == nil {
		w.given = [][]byte{}
	}
	e.Step(0, b)
	w.given = nil
	return nil
}

// Waiting tells which phase waits.
func (o *one) Waiting() formica.Waiting {
	w := o.e.State(o.b).Waiting(&o.e.rules)
	w.Elapsed = o.e.clocks[o.b].elapsed
	return w
}

// Observation is what a seat may know. It is the caller's.
func (o *one) Observation(seat int) *formica.Observation {
	w := &o.e.workers[0]
	o.e.game(&w.g, o.b)
	o.e.look(w, seat)
	v := w.view.o
	w.view = o.e.newView()
	return &v
}

// AppendView appends the JSON view of a seat.
func (o *one) AppendView(dst []byte, seat int) []byte {
	w := &o.e.workers[0]
	o.e.game(&w.g, o.b)
	o.e.look(w, seat)
	return w.view.o.AppendJSON(dst)
}
