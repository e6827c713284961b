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
	wave   wave
	share  []uint8
	models []*model
	in     decoder
	method int
	read   bool // an order was read
}

// NewDecoder makes a decoder for episodes of a number of seats on a board.
func NewDecoder(b Board, seats int) *Decoder {
	d := &Decoder{tracks: make([]track, seats), wave: newWave(b)}
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
// cells, mask and sight as in Encoder.Add. Errors wrap ErrPacked; the decoder
// is of no use after one.
func (d *Decoder) Read(seat int, cells []int32, mask []byte, sight *Sight, given []byte) error {
	if len(given) != len(cells) || len(mask) != orders*len(cells) {
		panic(fmt.Sprintf("pack: %d orders and %d flags for %d units", len(given), len(mask), len(cells)))
	}
	if len(cells) == 0 {
		return nil
	}
	d.read = true
	learned, t := d.models[d.share[seat]], &d.tracks[seat]
	ok := false
	switch d.method {
	case byMask:
		ok = d.in.readByMask(learned, mask, given)
	case byTrack:
		ok = d.in.readByTrack(learned, t, cells, mask, given)
	case byWave:
		d.wave.spread(cells, sight)
		ok = d.in.readByWave(learned, t, cells, mask, d.wave.on, given)
	}
	if !ok {
		return fmt.Errorf("%w: not a share of the range", ErrPacked)
	}
	if d.in.pos > d.in.size+ahead {
		return fmt.Errorf("%w: they end early", ErrPacked)
	}
	if d.method != byMask {
		t.move(cells, given)
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
	if n := d.in.size; n != want {
		return fmt.Errorf("%w: %d bytes, of which %d were read", ErrPacked, n, want)
	}
	return nil
}

func (d *decoder) readByMask(learned *model, flags, given []byte) bool {
	how := &methods[byMask]
	for i := range given {
		mask := gather(flags[i*orders:])
		seen := &learned.mask[mask]
		order, ok := d.takeOrder(priors[byMask][mask] + *seen)
		if !ok {
			return false
		}
		learn(seen, order, how.step, how.limit)
		given[i] = byte(order)
	}
	return true
}

func (d *decoder) readByTrack(learned *model, t *track, cells []int32, flags, given []byte) bool {
	how := &methods[byTrack]
	for i, cell := range cells {
		m := t.mark(cell, gather(flags[i*orders:]), 0)
		x, y, z := &learned.before[m.before()], &learned.other[m.other()], &learned.trodden[m.trodden()]
		order, ok := d.takeOrder(priors[byTrack][m.get(markTurned, 4)] + *x + *y + *z)
		if !ok {
			return false
		}
		learn(x, order, how.step, how.limit)
		learn(y, order, how.step, how.limit)
		learn(z, order, how.step, how.limit)
		given[i] = byte(turnBack[m.get(markTurn, 2)][order])
	}
	return true
}

func (d *decoder) readByWave(learned *model, t *track, cells []int32, flags []byte, on []uint8, given []byte) bool {
	how := &methods[byWave]
	for i, cell := range cells {
		m := t.mark(cell, gather(flags[i*orders:]), uint(on[cell]))
		x, y, z := &learned.before[m.before()], &learned.on[m.on()], &learned.onOther[m.onOther()]
		order, ok := d.takeOrder(priors[byWave][m.get(markTurned, 4)] + *x + *y + *z)
		if !ok {
			return false
		}
		learn(x, order, how.step, how.limit)
		learn(y, order, how.step, how.limit)
		learn(z, order, how.step, how.limit)
		given[i] = byte(turnBack[m.get(markTurn, 2)][order])
	}
	return true
}

// takeOrder reads one order of the given shares.
func (d *decoder) takeOrder(shares counts) (order uint, ok bool) {
	sums := shares * ones
	total := uint32(sums >> (lane * stay) & laneMask)
	r := unit(d.rng, total)
	if d.code >= r*total {
		return 0, false
	}
	for k := range uint(stay) {
		if d.code >= r*uint32(sums>>(lane*k)&laneMask) {
			order++
		}
	}
	freq := uint32(shares >> (lane * order) & laneMask)
	d.take(r, uint32(sums>>(lane*order)&laneMask)-freq, freq)
	return order, true
}
