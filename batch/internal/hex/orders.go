package hex

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// An act is what a seat submits for a step: an order, or none.
type act struct {
	given bool
	order formica.Order
}

// Prepare makes one step's input ready for Decode: it checks the sizes. It is
// called once a step, before the workers.
func (e *Engine) Prepare(in *kernel.Input, _ []int64) error {
	rows := e.boards * len(e.seats.Observe)
	size := func(got, each int) error {
		if got != rows*each {
			return fmt.Errorf("%w: head %s has %d elements, want %d", env.ErrOrders, in.Head, got, rows*each)
		}
		return nil
	}
	switch in.Head {
	case "":
		if e.seats.Callers {
			return fmt.Errorf("%w: no orders given, but seats are left to the caller", env.ErrOrders)
		}
		return nil
	case formica.HeadOrders.Name:
		return size(len(in.Int32), formica.OrderColumns)
	case formica.HeadWeights.Name:
		return size(len(in.Int32), formica.WeightsColumns)
	case formica.HeadBytes.Name:
		return size(len(in.Uint8), formica.OrderBytes)
	case formica.HeadLogits.Name:
		return size(len(in.Float32), formica.LogitsTarget+e.width*e.width)
	}
	return fmt.Errorf("%w: no head %q (have orders, order_weights, order_bytes, order_logits)", env.ErrOrders, in.Head)
}

// Decode checks the orders of boards [lo, hi) and brings them into e.acts.
// Those of boards whose episode is over, and of the dead, are not read.
func (e *Engine) Decode(worker, lo, hi int, in *kernel.Input) error {
	w := &e.workers[worker]
	for b := lo; b < hi; b++ {
		if e.Done(b) {
			continue
		}
		e.game(&w.g, b)
		for i, s := range e.seats.Observe {
			if s >= w.g.seats || e.seats.Player[b*e.p+s] != 0 || w.g.colonies[s].n == 0 {
				continue
			}
			at := b*len(e.seats.Observe) + i
			a, err := e.decode(w, s, at, in)
			if err != nil {
				if !e.cfg.HoldBad {
					return fmt.Errorf("board %d seat %d: %w", b, s, err)
				}
				a = act{}
			}
			e.acts[at] = a
		}
	}
	return nil
}

// decode reads row at of a head.
func (e *Engine) decode(w *worker, s, at int, in *kernel.Input) (act, error) {
	switch in.Head {
	case formica.HeadOrders.Name:
		row := in.Int32[at*formica.OrderColumns:][:formica.OrderColumns]
		a, err := e.decodeRow(w, s, row[formica.OrderMode], row[formica.OrderDefend], row[formica.OrderTarget])
		if i := row[formica.OrderAlloc]; a.given && (i < 0 || i >= formica.NumTenths) {
			return act{}, fmt.Errorf("%w: alloc %d, want 0..%d", env.ErrOrders, i, formica.NumTenths-1)
		} else if a.given {
			a.order.Alloc = formica.AllocTenths[i]
		}
		return a, err
	case formica.HeadWeights.Name:
		row := in.Int32[at*formica.WeightsColumns:][:formica.WeightsColumns]
		a, err := e.decodeRow(w, s, row[formica.WeightsMode], row[formica.WeightsDefend], row[formica.WeightsTarget])
		if a.given {
			a.order.Alloc, err = share(row[formica.WeightsAlloc:][:3])
		}
		return a, err
	case formica.HeadBytes.Name:
		row := in.Uint8[at*formica.OrderBytes:][:formica.OrderBytes]
		if row[0] == formica.NoOrder {
			return act{}, nil
		}
		o, err := formica.DecodeOrder(row, w.g.st.cells)
		return act{true, o}, err
	}
	size := formica.LogitsTarget + e.width*e.width
	return act{true, e.decodeLogits(w, s, in.Float32[at*size:][:size], in)}, nil
}

// decodeRow reads an order given as numbers, but for its shares.
func (e *Engine) decodeRow(w *worker, s int, mode, defend, target int32) (act, error) {
	o := formica.Order{Mode: formica.Mode(mode), Defend: defend == 1, Target: none}
	switch {
	case mode == -1:
		return act{}, nil
	case mode < -1 || mode >= formica.NumModes:
		return act{}, fmt.Errorf("%w: mode %d, want -1..%d", env.ErrOrders, mode, formica.NumModes-1)
	case defend != 0 && defend != 1:
		return act{}, fmt.Errorf("%w: defend is %d, want 0 or 1", env.ErrOrders, defend)
	case o.Mode != formica.ModeRelocate:
		return act{true, o}, nil
	case target < -1 || int(target) >= e.width*e.width:
		return act{}, fmt.Errorf("%w: target %d, want -1..%d", env.ErrOrders, target, e.width*e.width-1)
	}
	if target >= 0 {
		if o.Target = w.g.st.from[w.g.colonies[s].home][target]; o.Target == none {
			return act{}, fmt.Errorf("%w: target %d, row %d column %d, is not on the board", env.ErrOrders, target, int(target)/e.width, int(target)%e.width)
		}
	}
	return act{true, o}, nil
}

// share brings weights to basis points by largest remainder.
// Reference: formica.Split.
func share(weights []int32) (parts formica.Alloc, err error) {
	sum := int64(0)
	for i, v := range weights {
		if v < 0 || v > formica.MaxWeight {
			return parts, fmt.Errorf("%w: weight %d is %d, want 0..%d", env.ErrOrders, i, v, formica.MaxWeight)
		}
		sum += int64(v)
	}
	if sum == 0 {
		return parts, fmt.Errorf("%w: all weights are 0", env.ErrOrders)
	}
	left := int64(formica.AllocWhole)
	var rests [3]int64
	for i, v := range weights {
		whole := formica.AllocWhole * int64(v)
		parts[i], rests[i] = uint16(whole/sum), whole%sum
		left -= whole / sum
	}
	for ; left > 0; left-- {
		best := 0
		for i := range rests {
			if rests[i] > rests[best] {
				best = i
			}
		}
		parts[best]++
		rests[best] = -1
	}
	return parts, nil
}

// decodeLogits picks each part of an order among what its mask allows.
func (e *Engine) decodeLogits(w *worker, s int, logits []float32, in *kernel.Input) formica.Order {
	g := &w.g
	c := &g.colonies[s]
	rng := env.RNG(env.Derive(in.SampleSeed, uint64(g.b), uint64(s), uint64(g.clock.phase)))
	o := formica.Order{Target: none}
	legal := e.legalTargets(w, s)
	modes := logits[formica.LogitsMode:][:formica.NumModes]
	if len(legal) == 0 {
		modes = modes[:formica.ModeRelocate]
	}
	o.Mode = formica.Mode(choose(len(modes), func(i int) float32 { return modes[i] }, in, &rng))
	allocs := logits[formica.LogitsAlloc:]
	o.Alloc = formica.AllocTenths[choose(formica.NumTenths, func(i int) float32 { return allocs[i] }, in, &rng)]
	defend := logits[formica.LogitsDefend:]
	o.Defend = choose(2, func(i int) float32 { return defend[i] }, in, &rng) == 1
	if o.Mode == formica.ModeRelocate {
		targets, place := logits[formica.LogitsTarget:], g.st.place[c.home]
		o.Target = legal[choose(len(legal), func(i int) float32 { return targets[place[legal[i]]] }, in, &rng)]
	}
	return o
}

// choose takes the argmax of n logits, lowest index on ties, or a sample of
// their softmax. NaN never wins; with nothing but NaN it is 0.
func choose(n int, logit func(i int) float32, in *kernel.Input, rng *env.RNG) int {
	best, at := float32(math.Inf(-1)), -1
	for i := range n {
		if v := logit(i); v == v && (at < 0 || v > best) {
			best, at = v, i
		}
	}
	if at < 0 {
		return 0
	}
	if !in.Sample || math.IsInf(float64(best), 0) {
		return at
	}
	t := float64(in.Temperature)
	if !(t > 0) {
		t = 1
	}
	p := func(i int) float64 {
		if v := logit(i); v == v {
			return math.Exp((float64(v) - float64(best)) / t)
		}
		return 0
	}
	sum := 0.0
	for i := range n {
		sum += p(i)
	}
	u := float64(rng.Next()>>11) / (1 << 53) * sum
	for i := range n {
		if q := p(i); q > 0 {
			at = i
			if u -= q; u < 0 {
				break
			}
		}
	}
	return at
}

// takeOrders fills w.orders with what each seat submits, and w.played with
// its encoding, nil for none and for the dead.
func (e *Engine) takeOrders(w *worker) {
	g := &w.g
	for s := range g.colonies {
		a := &w.orders[s]
		w.played[s] = nil
		switch {
		case g.colonies[s].n == 0:
			*a = act{}
		case w.given != nil:
			*a = act{}
			if s < len(w.given) && len(w.given[s]) > 0 {
				o, err := formica.DecodeOrder(w.given[s], g.st.cells)
				if err != nil {
					panic("hex: orders that were checked do not decode: " + err.Error())
				}
				*a = act{true, o}
			}
		case e.seats.Player[g.b*e.p+s] != 0:
			*a = act{true, e.actNative(w, s)}
		default:
			*a = e.acts[g.b*len(e.seats.Observe)+e.seats.Axis[s]]
		}
		if a.given {
			w.played[s] = a.order.Append(w.buffer[s][:0])
		}
	}
}

// Orders are the orders that the worker's last Step played, per seat.
func (e *Engine) Orders(worker int) [][]byte {
	w := &e.workers[worker]
	return w.played[:w.g.seats]
}

// answer applies the orders of the step. Reference: formicaref answerPhase.
func (e *Engine) answer(w *worker) {
	g := &w.g
	for s := range g.colonies {
		c := &g.colonies[s]
		if c.n == 0 {
			continue
		}
		if w.orders[s].given {
			e.latch(w, s, &w.orders[s].order)
		}
		c.reassign()
	}
	g.clock.phase++
}

// latch replaces a colony's order. Reference: formicaref latch.
func (e *Engine) latch(w *worker, s int, o *formica.Order) {
	c := &w.g.colonies[s]
	goal, target := c.target, uint16(o.Target)
	switch {
	case o.Mode != formica.ModeRelocate:
		target = noCell
	case o.Target == none || !e.canRelocate(&w.g, s, target):
		target = goal
	}
	switch {
	case target == noCell:
		c.moveWait = 0
	case target != goal:
		c.moveWait = uint8(e.rules.RelocateEvery)
	}
	c.mode, c.alloc, c.target, c.defend = uint8(o.Mode), o.Alloc, target, 0
	if o.Defend {
		c.defend = 1
	}
}

// canRelocate. Reference: formica.State.CanRelocate.
func (e *Engine) canRelocate(g *game, s int, cell uint16) bool {
	c := &g.colonies[s]
	if c.n == 0 || int(c.food) < e.rules.RelocateMinFood || g.cap[cell] > 0 || !e.holds(g, s, cell) {
		return false
	}
	d := int(g.st.distance(c.nest, cell))
	return d >= 1 && d <= e.rules.RelocateRange
}

// reassign. Reference: formicaref reassign.
func (c *colony) reassign() {
	targets, have := c.targets(int(c.n)), c.squads()
	if targets == have {
		return
	}
	for i := range c.ants[:c.n] {
		a := &c.ants[i]
		if have[a.role] <= targets[a.role] {
			continue
		}
		for role := range targets {
			if have[role] < targets[role] {
				have[a.role]--
				have[role]++
				a.role, a.trip = uint8(role), 0
				break
			}
		}
	}
}

// le is how orders and boards are encoded.
var le = binary.LittleEndian
