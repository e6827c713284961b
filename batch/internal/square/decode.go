package square

import (
	"fmt"
	"math"
	mathbits "math/bits"
	"unsafe"

	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

func orInto(dst, src []uint64) int { return bits.OrInto(dst, src) }

func u16s(b []byte) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/2)
}

func f32s(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// Prepare makes one step's input ready for Decode: it checks the sizes and
// makes room. It is called once a step, before the workers.
func (e *Engine) Prepare(in *kernel.Input, offsets []int64) error {
	e.offsets = offsets
	total := 0
	if len(offsets) > 0 {
		total = int(offsets[len(offsets)-1])
	}
	cells := e.boards * len(e.seats.Observe) * e.rows * e.cols
	size := func(head string, got, want int) error {
		if got != want {
			return fmt.Errorf("%w: head %s has %d elements, want %d", env.ErrOrders, head, got, want)
		}
		return nil
	}
	e.absolute = true
	e.acts = nil
	switch in.Head {
	case "":
		if e.seats.Callers {
			return fmt.Errorf("%w: no actions given, but seats are left to the caller", env.ErrOrders)
		}
		return nil
	case ants.HeadAnt.Name:
		e.absolute = false
		if err := size(in.Head, len(in.Uint8), total); err != nil {
			return err
		}
		if !e.cfg.HoldBad {
			e.acts = in.Uint8
			return nil
		}
	case ants.HeadCell.Name:
		if err := size(in.Head, len(in.Uint8), cells); err != nil {
			return err
		}
	case ants.HeadAntLogits.Name:
		e.absolute = false
		if err := size(in.Head, len(in.Float32), total*5); err != nil {
			return err
		}
	case ants.HeadCellLogits.Name:
		if err := size(in.Head, len(in.Float32), cells*5); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: no head %q (have ant, cell, ant_logits, cell_logits)", env.ErrOrders, in.Head)
	}
	if len(e.decoded) < total {
		e.decoded = make([]uint8, total+total/2)
	}
	e.acts = e.decoded[:total]
	return nil
}

// Decode checks the actions of boards [lo, hi) and brings them into e.acts.
// Those of boards whose episode is over are not read.
func (e *Engine) Decode(worker, lo, hi int, in *kernel.Input) error {
	if in.Head == ants.HeadAnt.Name && !e.cfg.HoldBad {
		a, z := e.offsets[lo*len(e.seats.Observe)], e.offsets[hi*len(e.seats.Observe)]
		if dense.valid(in.Uint8[a:z]) {
			return nil
		}
	}
	w := &e.workers[worker]
	for b := lo; b < hi; b++ {
		if e.ending[b] != 0 {
			continue
		}
		e.game(&w.g, b)
		for i, s := range e.seats.Observe {
			if s >= w.g.st.seats || e.seats.Player[b*e.p+s] != 0 {
				continue
			}
			if err := e.decodeSeat(w, s, b*len(e.seats.Observe)+i, in); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Engine) decodeSeat(w *worker, s, at int, in *kernel.Input) error {
	g := &w.g
	from, to := e.offsets[at], e.offsets[at+1]
	acts := e.acts[from:to]
	bad := func(i int, v uint8) error {
		return fmt.Errorf("%w: board %d seat %d ant %d: action %d, want 0..%d", env.ErrOrders, g.b, s, i, v, ants.NumActions-1)
	}
	switch in.Head {
	case ants.HeadAnt.Name:
		for i, v := range in.Uint8[from:to] {
			if v >= ants.NumActions {
				if !e.cfg.HoldBad {
					return bad(i, v)
				}
				v = ants.Stay
			}
			if e.cfg.HoldBad {
				acts[i] = v
			}
		}
	case ants.HeadCell.Name:
		plane := in.Uint8[at*e.rows*e.cols : (at+1)*e.rows*e.cols]
		var err error
		e.eachAnt(g, s, func(i, cell int) {
			v := plane[cell]
			if v >= ants.NumActions {
				if !e.cfg.HoldBad && err == nil {
					err = bad(i, v)
				}
				v = ants.Stay
			}
			acts[i] = v
		})
		return err
	default:
		e.refusals(w, s)
		rng := env.RNG(env.Derive(in.SampleSeed, uint64(g.b), uint64(s), uint64(e.turn[g.b])))
		perCell := in.Head == ants.HeadCellLogits.Name
		plane := e.rows * e.cols
		var logits [5]float32
		pick := func(i, word int, bit uint64, at [5]int) {
			allowed := uint8(1 << ants.Stay)
			for d := range 4 {
				if w.mask[d][word]&bit == 0 {
					allowed |= 1 << d
				}
			}
			for d := range logits {
				logits[d] = in.Float32[at[d]]
			}
			acts[i] = choose(&logits, allowed, in, &rng)
		}
		if perCell {
			base := at * 5 * plane
			e.eachAnt(g, s, func(i, cell int) {
				word, bit := g.st.at(e.unshifted(g.st, s, cell))
				pick(i, word, bit, [5]int{base + cell, base + plane + cell, base + 2*plane + cell, base + 3*plane + cell, base + 4*plane + cell})
			})
			return nil
		}
		e.eachListed(w, s, func(i int, word int, bit uint64) {
			j := 5 * (int(from) + i)
			pick(i, word, bit, [5]int{j, j + 1, j + 2, j + 3, j + 4})
		})
	}
	return nil
}

// eachAnt visits a seat's ants in the board's own row-major order with their
// cell on the padded grid as the seat sees it.
func (e *Engine) eachAnt(g *game, s int, visit func(i, cell int)) {
	st := g.st
	shift := e.shiftOf(st, s)
	i := 0
	for r := range st.shape.Rows {
		row := (r + shift.DR) % st.shape.Rows * e.cols
		for word := range st.shape.Words {
			for m := g.mine[s][word*st.shape.Stride+r]; m != 0; m &= m - 1 {
				c := word*64 + mathbits.TrailingZeros64(m)
				visit(i, row+(c+shift.DC)%st.shape.Cols)
				i++
			}
		}
	}
}

// unshifted is the board's own cell of a cell on the padded grid as seat s sees it.
func (e *Engine) unshifted(st *static, s, cell int) int32 {
	shift := e.shiftOf(st, s)
	r := (cell/e.cols - shift.DR + st.shape.Rows) % st.shape.Rows
	c := (cell%e.cols - shift.DC + st.shape.Cols) % st.shape.Cols
	return int32(r*st.shape.Cols + c)
}

// eachListed visits a seat's ants in the order of the ragged arrays with their
// place in an unshifted plane.
func (e *Engine) eachListed(w *worker, s int, visit func(i, word int, bit uint64)) {
	st := w.g.st
	mine := w.g.mine[s]
	if centre := e.centreOf(st, s); centre != nil {
		centre.Apply(w.plane, mine)
		mine = w.plane
	}
	i := 0
	for r := range st.shape.Rows {
		for word := range st.shape.Words {
			for m := mine[word*st.shape.Stride+r]; m != 0; m &= m - 1 {
				c := word*64 + mathbits.TrailingZeros64(m)
				at, bit := st.at(e.unshifted(st, s, r*e.cols+c))
				visit(i, at, bit)
				i++
			}
		}
	}
}

// choose takes the masked argmax, lowest index on ties, or a sample of the
// masked softmax. NaN never wins; with nothing left it is '-'.
// Reference: ants.Argmax.
func choose(logits *[5]float32, allowed uint8, in *kernel.Input, rng *env.RNG) uint8 {
	best, at := float32(math.Inf(-1)), -1
	for d, v := range logits {
		if allowed>>d&1 == 0 || v != v {
			continue
		}
		if at < 0 || v > best {
			best, at = v, d
		}
	}
	if at < 0 {
		return ants.Stay
	}
	if !in.Sample || math.IsInf(float64(best), 0) {
		return uint8(at)
	}
	t := float64(in.Temperature)
	if !(t > 0) {
		t = 1
	}
	var p [5]float64
	sum := 0.0
	for d, v := range logits {
		if allowed>>d&1 != 0 && v == v {
			p[d] = math.Exp((float64(v) - float64(best)) / t)
			sum += p[d]
		}
	}
	u := float64(rng.Next()>>11) / (1 << 53) * sum
	for d, q := range p {
		if q > 0 {
			at = d
			if u -= q; u < 0 {
				break
			}
		}
	}
	return uint8(at)
}

// Orders are the orders that the worker's last Step played, per seat.
func (e *Engine) Orders(worker int) [][]byte {
	w := &e.workers[worker]
	return w.orders[:w.g.st.seats]
}
