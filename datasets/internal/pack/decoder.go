package pack

import (
	"errors"
	"fmt"
)

// ErrPacked: bytes that no encoder wrote for what they were read against.
var ErrPacked = errors.New("bad packed orders")

// A Decoder unpacks one episode after another. It is not safe for concurrent
// use.
type Decoder struct {
	tracks []track
	share  []uint8
	marks  []mark
	models []*model
	in     decoder
	method int
	read   bool // an order was read
}

// NewDecoder makes a decoder for episodes of a number of seats on a board.
func NewDecoder(b Board, seats int) *Decoder {
	d := &Decoder{tracks: make([]track, seats)}
	for s := range d.tracks {
		d.tracks[s] = newTrack(b)
	}
	return d
}

// Reset begins to read an episode; data must stay as it is until End. share is
// as it was for the encoder. Errors wrap ErrPacked.
func (d *Decoder) Reset(data []byte, share []uint8) error {
	used := checkShare(share, len(d.tracks))
	if len(data) == 0 {
		return fmt.Errorf("%w: no bytes", ErrPacked)
	}
	if v := data[0] >> 4; v != version {
		return fmt.Errorf("%w: version %d, want %d", ErrPacked, v, version)
	}
	d.method = int(data[0] & 15)
	if d.method >= len(methods) {
		return fmt.Errorf("%w: method %d of %d", ErrPacked, d.method, len(methods))
	}
	d.share = append(d.share[:0], share...)
	for s := range d.tracks {
		d.tracks[s].reset()
	}
	d.models = freshModels(d.models, used)
	d.in.reset(data[1:])
	d.read = false
	return nil
}

// Read unpacks the orders of one seat's units in one step into given, with
// cells and mask as in Encoder.Add. Errors wrap ErrPacked; the decoder is of
// no use after one.
func (d *Decoder) Read(seat int, cells []int32, mask []byte, given []byte) error {
	if len(given) != len(cells) || len(mask) != orders*len(cells) {
		panic(fmt.Sprintf("pack: %d orders and %d flags for %d units", len(given), len(mask), len(cells)))
	}
	if len(cells) == 0 {
		return nil
	}
	d.read = true
	learned := d.models[d.share[seat]]
	ok := false
	if d.method == maskOnly {
		d.marks = masks(d.marks[:0], len(cells), mask)
		ok = d.in.readMaskOnly(learned, d.marks, given)
	} else {
		t := &d.tracks[seat]
		d.marks = t.marks(d.marks[:0], cells, mask)
		if ok = d.in.readByTracks(learned, d.marks, given); ok {
			t.move(cells, given)
		}
	}
	if !ok {
		return fmt.Errorf("%w: not a share of the range", ErrPacked)
	}
	if d.in.pos > len(d.in.data)+ahead {
		return fmt.Errorf("%w: they end early", ErrPacked)
	}
	return nil
}

// End tells whether the episode's orders were read to their end. Errors wrap
// ErrPacked.
func (d *Decoder) End() error {
	want := 0
	if d.read {
		want = d.in.pos - ahead
	}
	if n := len(d.in.data); n != want {
		return fmt.Errorf("%w: %d bytes, of which %d were read", ErrPacked, n, want)
	}
	return nil
}

func (d *decoder) readMaskOnly(learned *model, marks []mark, given []byte) bool {
	how := &methods[maskOnly]
	for i, m := range marks {
		seen := &learned.mask[m.mask()]
		order, ok := d.takeOrder(priors[maskOnly][m.mask()] + *seen)
		if !ok {
			return false
		}
		learn(seen, order, how.step, how.limit)
		given[i] = byte(order)
	}
	return true
}

func (d *decoder) readByTracks(learned *model, marks []mark, given []byte) bool {
	how := &methods[byTracks]
	prev := uint(0)
	for i, m := range marks {
		recent, flow, trail := &learned.recent[m.recent()], &learned.flow[m.flow()+prev], &learned.trail[m.trail()+prev]
		order, ok := d.takeOrder(priors[byTracks][m.mask()] + *recent + *flow + *trail)
		if !ok {
			return false
		}
		learn(recent, order, how.step, how.limit)
		learn(flow, order, how.step, how.limit)
		learn(trail, order, how.step, how.limit)
		prev = order + 1
		given[i] = byte(order)
	}
	return true
}

// takeOrder reads one order of the given shares.
func (d *decoder) takeOrder(shares counts) (order uint, ok bool) {
	sums := shares * ones
	total := uint32(sums >> (lane * (orders - 1)) & laneMask)
	r := d.rng / total
	if d.code >= r*total {
		return 0, false
	}
	for k := range uint(orders - 1) {
		if d.code >= r*uint32(sums>>(lane*k)&laneMask) {
			order++
		}
	}
	freq := uint32(shares >> (lane * order) & laneMask)
	d.take(r, uint32(sums>>(lane*order)&laneMask)-freq, freq)
	return order, true
}
