package pack

import "fmt"

const version = 1

// An Encoder packs one episode after another. It is not safe for concurrent
// use.
type Encoder struct {
	tracks []track
	wave   wave
	share  []uint8 // per seat: its model
	marks  []mark  // not coded yet
	coders [len(methods)]coder
	models [len(methods)][]*model // made when first used
	used   int                    // models of this episode
	coded  int                    // orders in the coders
	only   int                    // the method that is left, or -1 while all are tried
}

const (
	// batch is how many orders are coded at a time, so that the tables are
	// fetched once for all of them.
	batch = 4096
	// trial is after how many orders one method is kept.
	trial = 4 * batch
	// worth is what a slower method must save of the bytes: one in so many.
	worth = 32
)

// NewEncoder makes an encoder for episodes of a number of seats on a board.
func NewEncoder(b Board, seats int) *Encoder {
	e := &Encoder{tracks: make([]track, seats), wave: newWave(b), marks: make([]mark, 0, batch), only: -1}
	for s := range e.tracks {
		e.tracks[s] = newTrack(b)
	}
	return e
}

// Reset begins an episode. share tells for each seat which model it learns
// with, 0..MaxModels-1: seats of one policy do best with one.
func (e *Encoder) Reset(share []uint8) {
	e.share = append(e.share[:0], share...)
	e.used = checkShare(share, len(e.tracks))
	for s := range e.tracks {
		e.tracks[s].reset()
	}
	e.marks = e.marks[:0]
	e.coded, e.only = 0, -1
	for m := range e.coders {
		e.coders[m].reset()
		e.models[m] = freshModels(e.models[m], e.used)
	}
}

func checkShare(share []uint8, seats int) (used int) {
	if len(share) != seats {
		panic(fmt.Sprintf("pack: models for %d seats of %d", len(share), seats))
	}
	for _, m := range share {
		if m >= MaxModels {
			panic(fmt.Sprintf("pack: model %d, want 0..%d", m, MaxModels-1))
		}
		used = max(used, int(m)+1)
	}
	return used
}

func freshModels(models []*model, n int) []*model {
	for len(models) < n {
		models = append(models, new(model))
	}
	for _, m := range models[:n] {
		*m = model{}
	}
	return models
}

// Add packs the orders of one seat's units in one step: cells ascend, mask has
// five flags a unit, of which those of the directions tell which are not known
// to be refused, and given has one order 0..4 each. Seats come in order.
func (e *Encoder) Add(seat int, cells []int32, mask []byte, sight *Sight, given []byte) {
	if len(given) != len(cells) || len(mask) != orders*len(cells) {
		panic(fmt.Sprintf("pack: %d orders and %d flags for %d units", len(given), len(mask), len(cells)))
	}
	if len(cells) == 0 {
		return
	}
	t := &e.tracks[seat]
	if e.only < 0 || e.only == byWave {
		e.wave.spread(cells, sight)
	} else {
		e.wave.rest(len(cells))
	}
	share := mark(e.share[seat]) << markModel
	for i, cell := range cells {
		if given[i] >= orders {
			panic(fmt.Sprintf("pack: order %d, want 0..%d", given[i], orders-1))
		}
		m := share | mark(given[i])<<markOrder
		if e.only == byMask {
			m |= mark(gather(mask[i*orders:])) << markMask
		} else {
			m |= t.mark(cell, gather(mask[i*orders:]), uint(e.wave.on[i]))
		}
		e.marks = append(e.marks, m)
	}
	if e.only != byMask {
		t.move(cells, given)
	}
	if len(e.marks) >= batch {
		e.flush()
	}
}

// flush codes the marks.
func (e *Encoder) flush() {
	for how := range methods {
		if e.only < 0 || e.only == how {
			c, models := &e.coders[how], e.models[how]
			switch how {
			case byMask:
				codeByMask(c, models, e.marks)
			case byTrack:
				codeByTrack(c, models, e.marks)
			case byWave:
				codeByWave(c, models, e.marks)
			}
		}
	}
	e.coded += len(e.marks)
	e.marks = e.marks[:0]
	if e.only < 0 && e.coded >= trial {
		e.only = e.best()
	}
}

// best is the method to keep.
func (e *Encoder) best() int {
	best := 0
	for how := range e.coders {
		least := len(e.coders[best].out)
		if len(e.coders[how].out) < least-least/worth {
			best = how
		}
	}
	return best
}

// Append ends the episode and appends its packed form. Reset comes next.
func (e *Encoder) Append(dst []byte) []byte {
	e.flush()
	if e.only < 0 {
		e.only = e.best()
	}
	dst = append(dst, byte(version<<4|e.only))
	if e.coded == 0 {
		return dst
	}
	c := &e.coders[e.only]
	c.finish()
	return append(dst, c.out...)
}

func codeByMask(c *coder, models []*model, marks []mark) {
	how := &methods[byMask]
	for _, m := range marks {
		mask, order := m.get(markMask, 4), m.order()
		seen := &models[m.model()].mask[mask]
		putOrder(c, how.priors[mask]+*seen, order)
		learn(seen, order, how)
	}
}

func codeByTrack(c *coder, models []*model, marks []mark) {
	how := &methods[byTrack]
	for _, m := range marks {
		learned, order := models[m.model()], m.turnedOrder()
		x, y, z := &learned.before[m.before()], &learned.other[m.other()], &learned.trodden[m.trodden()]
		putOrder(c, how.priors[m.get(markTurned, 4)]+*x+*y+*z, order)
		learn(x, order, how)
		learn(y, order, how)
		learn(z, order, how)
	}
}

func codeByWave(c *coder, models []*model, marks []mark) {
	how := &methods[byWave]
	for _, m := range marks {
		learned, order := models[m.model()], m.turnedOrder()
		x, y, z := &learned.before[m.before()], &learned.on[m.on()], &learned.onOther[m.onOther()]
		putOrder(c, how.priors[m.get(markTurned, 4)]+*x+*y+*z, order)
		learn(x, order, how)
		learn(y, order, how)
		learn(z, order, how)
	}
}

func putOrder(c *coder, shares counts, order uint8) {
	lo, hi := shares<<lane>>(lane*order)&laneMask, shares>>(lane*order)&laneMask
	c.put(uint32(lo), uint32(hi-lo), uint32(shares>>(lane*stay)))
}
