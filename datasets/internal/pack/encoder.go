package pack

import "fmt"

const version = 1

// An Encoder packs one episode after another. It is not safe for concurrent
// use.
type Encoder struct {
	tracks []track
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
	// trial is after how many orders the longer methods are given up.
	trial = 4 * batch
)

// NewEncoder makes an encoder for episodes of a number of seats on a board.
func NewEncoder(b Board, seats int) *Encoder {
	e := &Encoder{tracks: make([]track, seats), marks: make([]mark, 0, batch), only: -1}
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
// five flags a unit, and given one order 0..4 each. Seats come in order.
func (e *Encoder) Add(seat int, cells []int32, mask []byte, given []byte) {
	if len(given) != len(cells) || len(mask) != orders*len(cells) {
		panic(fmt.Sprintf("pack: %d orders and %d flags for %d units", len(given), len(mask), len(cells)))
	}
	if len(cells) == 0 {
		return
	}
	t := &e.tracks[seat]
	from := len(e.marks)
	if e.only == maskOnly {
		e.marks = masks(e.marks, len(cells), mask)
	} else {
		e.marks = t.marks(e.marks, cells, mask)
	}
	share := mark(e.share[seat]) << markModel
	for i := range e.marks[from:] {
		if given[i] >= orders {
			panic(fmt.Sprintf("pack: order %d, want 0..%d", given[i], orders-1))
		}
		e.marks[from+i] |= mark(given[i])<<markOrder | share
	}
	e.marks[from] |= 1 << markFirst
	if e.only != maskOnly {
		t.move(cells, given)
	}
	if len(e.marks) >= batch {
		e.flush()
	}
}

// flush codes the marks.
func (e *Encoder) flush() {
	if e.only < 0 || e.only == maskOnly {
		codeMaskOnly(&e.coders[maskOnly], e.models[maskOnly], e.marks)
	}
	if e.only < 0 || e.only == byTracks {
		codeByTracks(&e.coders[byTracks], e.models[byTracks], e.marks)
	}
	e.coded += len(e.marks)
	e.marks = e.marks[:0]
	if e.only < 0 && e.coded >= trial {
		e.only = e.shortest()
	}
}

func (e *Encoder) shortest() int {
	best := 0
	for m := range e.coders {
		if len(e.coders[m].out) < len(e.coders[best].out) {
			best = m
		}
	}
	return best
}

// Append ends the episode and appends its packed form. Reset comes next.
func (e *Encoder) Append(dst []byte) []byte {
	e.flush()
	if e.only < 0 {
		e.only = e.shortest()
	}
	dst = append(dst, byte(version<<4|e.only))
	if e.coded == 0 {
		return dst
	}
	c := &e.coders[e.only]
	c.finish()
	return append(dst, c.out...)
}

func codeMaskOnly(c *coder, models []*model, marks []mark) {
	how := &methods[maskOnly]
	for _, m := range marks {
		seen := &models[m.model()].mask[m.mask()]
		putOrder(c, priors[maskOnly][m.mask()]+*seen, m.order())
		learn(seen, m.order(), how.step, how.limit)
	}
}

func codeByTracks(c *coder, models []*model, marks []mark) {
	how := &methods[byTracks]
	prev := uint(0)
	for _, m := range marks {
		if m.first() {
			prev = 0
		}
		learned := models[m.model()]
		recent, flow, trail := &learned.recent[m.recent()], &learned.flow[m.flow()+prev], &learned.trail[m.trail()+prev]
		order := m.order()
		putOrder(c, priors[byTracks][m.mask()]+*recent+*flow+*trail, order)
		learn(recent, order, how.step, how.limit)
		learn(flow, order, how.step, how.limit)
		learn(trail, order, how.step, how.limit)
		prev = order + 1
	}
}

func putOrder(c *coder, shares counts, order uint) {
	sums := shares * ones
	freq := shares >> (lane * order) & laneMask
	upTo := sums >> (lane * order) & laneMask
	c.put(uint32(upTo-freq), uint32(freq), uint32(sums>>(lane*(orders-1))&laneMask))
}
