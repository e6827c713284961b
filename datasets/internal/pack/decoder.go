package pack

import (
	"errors"
	"fmt"
	"slices"
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
	marks  []mark // scratch
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
		d.wave.rest(len(cells))
		d.mark(t, cells, mask)
		for i, m := range d.marks {
			d.marks[i] = m.byTrack()
		}
		ok = d.in.readTurned(learned, d.marks, given)
	case byWave:
		d.wave.spread(cells, sight)
		d.mark(t, cells, mask)
		ok = d.in.readTurned(learned, d.marks, given)
	}
	if !ok {
		return fmt.Errorf("%w: not a share of the range", ErrPacked)
	}
	if d.in.pos > len(d.in.data)+ahead {
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
	if n := len(d.in.data); n != want {
		return fmt.Errorf("%w: %d bytes, of which %d were read", ErrPacked, n, want)
	}
	return nil
}

func (d *decoder) readByMask(learned *model, flags, given []byte) bool {
	how := &methods[byMask]
	code, rng := uint64(d.code), uint64(d.rng)
	var b bounds
	for i := range given {
		mask := gather(flags[i*orders:])
		seen := &learned.mask[mask]
		b.cut(rng, how.priors[mask]+*seen)
		if code >= b.end() {
			return false
		}
		past := b.past(code)
		code, rng = d.stretch(b.take(code, past))
		order := uint8(-past)
		learn(seen, order, how)
		given[i] = order
	}
	d.code, d.rng = uint32(code), uint32(rng)
	return true
}

// readTurned reads orders by the three contexts of byWave. The step to the next
// unit waits for all that is done here, so whatever else there is to do is done
// before and after.
func (d *decoder) readTurned(learned *model, marks []mark, given []byte) bool {
	how := &methods[byWave]
	code, rng := uint64(d.code), uint64(d.rng)
	given = given[:len(marks)]
	var b bounds
	for i, m := range marks {
		x, y, z := &learned.before[m.before()], &learned.on[m.on()], &learned.onOther[m.onOther()]
		b.cut(rng, how.priors[m.get(markTurned, 4)]+*x+*y+*z)
		if code >= b.end() {
			return false
		}
		past := b.past(code)
		code, rng = d.stretch(b.take(code, past))
		order := uint8(-past)
		learn(x, order, how)
		learn(y, order, how)
		learn(z, order, how)
		given[i] = order
	}
	d.code, d.rng = uint32(code), uint32(rng)
	for i, m := range marks {
		given[i] = turnBack[m.get(markTurn, 2)][given[i]&7]
	}
	return true
}

// bounds are where the orders' shares of a range end: that of order k at -1-k, so
// that it begins at -k. Which order a code is in is anybody's guess, so it is
// found without a jump.
type bounds [8]uint64

// cut divides a range.
func (b *bounds) cut(rng uint64, shares counts) {
	total := shares >> (lane * stay)
	r := unit(rng, total)
	b[7], b[6], b[5], b[4] = r*(shares&laneMask), r*(shares>>lane&laneMask), r*(shares>>(2*lane)&laneMask), r*(shares>>(3*lane)&laneMask)
	b[3] = r * total
}

// end is where the last order's share ends.
func (b *bounds) end() uint64 { return b[3] }

// past is the order that code is in, times -1: so many end at or before it.
func (b *bounds) past(code uint64) int64 {
	return int64(b[7]+^code)>>63 + int64(b[6]+^code)>>63 + int64(b[5]+^code)>>63 + int64(b[4]+^code)>>63
}

// take is where code is in the share of an order, times -1, and how long that is.
func (b *bounds) take(code uint64, past int64) (uint64, uint64) {
	begin := b[past&7]
	return code - begin, b[(past-1)&7] - begin
}

// mark fills d.marks.
func (d *Decoder) mark(t *track, cells []int32, flags []byte) {
	d.marks = slices.Grow(d.marks[:0], len(cells))[:len(cells)]
	for i, cell := range cells {
		d.marks[i] = t.mark(cell, gather(flags[i*orders:]), uint(d.wave.on[i]))
	}
}
