// Orders of whole colonies: one a seat and step, or none. A colony mostly says
// again what it said, so that is asked first; a new order is one of the last few
// of its kind of player, or spelled out.

package pack

import (
	"fmt"

	"github.com/myriant-rl/myriant/env/formica"
)

// A chance is how likely a yes is, learned from the answers so far.
type chance struct {
	yes uint16 // of 1<<16
	n   uint8  // answers seen, up to slowest
}

// slowest bounds the answers that a chance remembers.
const slowest = 60

// rate is how far an answer moves a chance that has seen so many.
var rate = func() (table [slowest + 1]uint32) {
	for n := range table {
		table[n] = 1 << 16 / (uint32(n) + 2)
	}
	return table
}()

// chanceTotal is the total that a chance is a share of in the coder.
const chanceTotal = maxTotal - 1

// share is the yes's part of chanceTotal; neither part is ever 0.
func (c *chance) share() uint32 {
	if c.n == 0 {
		return chanceTotal / 2
	}
	return min(max(uint32(c.yes)>>(16-lane), 1), chanceTotal-1)
}

func (c *chance) learn(yes bool) {
	p, r := uint32(c.yes), rate[c.n]
	if c.n == 0 {
		p = 1 << 15
	}
	if yes {
		p += (1<<16 - 1 - p) * r >> 16
	} else {
		p -= p * r >> 16
	}
	c.yes = uint16(p)
	c.n = min(c.n+1, slowest)
}

// A teller answers questions: the encoder with what it is told, which it writes,
// the decoder with what it reads.
type teller interface {
	ask(c *chance, yes bool) bool
}

func (c *coder) ask(p *chance, yes bool) bool {
	if share := p.share(); yes {
		c.put(0, share, chanceTotal)
	} else {
		c.put(share, chanceTotal-share, chanceTotal)
	}
	p.learn(yes)
	return yes
}

func (d *decoder) ask(p *chance, _ bool) bool {
	share := p.share()
	r := uint32(unit(uint64(d.rng), chanceTotal))
	d.bad = d.bad || d.code >= r*chanceTotal
	yes := d.code < r*share
	code, rng := uint64(d.code), uint64(r*share)
	if !yes {
		code, rng = code-rng, uint64(r*(chanceTotal-share))
	}
	code, rng = d.stretch(code, rng)
	d.code, d.rng = uint32(code), uint32(rng)
	p.learn(yes)
	return yes
}

// number asks for a number of so many bits, the highest first; tree has
// 1<<bits chances.
func number(t teller, tree []chance, bits int, v uint) uint {
	at := uint(1)
	for i := bits - 1; i >= 0; i-- {
		bit := v >> i & 1
		if t.ask(&tree[at], bit == 1) {
			at = at<<1 | 1
		} else {
			at <<= 1
		}
	}
	return at - 1<<bits
}

const (
	recent     = 16 // orders that a model remembers
	recentBits = 4
	tenthBits  = 7
	shareBits  = 14
	shareHigh  = 7 // bits of a share, and of a target, that are learned
	targetBits = 12
)

// A colonyModel is what was learned of the seats that share it.
type colonyModel struct {
	given   [2]chance                      // by whether the seat gave one last time
	again   [formica.NumModes][2][4]chance // the seat's last order, by its mode and stance and whether the last two were the one before
	known   [4]chance                      // one of the recent, by whether the last two new ones were
	known2  uint
	which   [1 << recentBits]chance
	mode    [formica.NumModes][formica.NumModes]chance // by the mode before
	tenths  chance
	tenth   [1 << tenthBits]chance
	shares  [2][1 << shareHigh]chance
	defend  [formica.NumModes]chance
	target  [formica.NumModes]chance
	cell    [1 << (targetBits - 5)]chance
	even    chance // never learned: bits without a pattern
	recents [recent]formica.Order
	n       int
}

// A colonySeat is what is remembered of a seat.
type colonySeat struct {
	gave  uint // 1 if it gave an order last time
	again uint // a bit for each of the last two orders: the one before again
	last  formica.Order
}

// order asks for one seat's order; ok is false for none.
func (m *colonyModel) order(t teller, s *colonySeat, o formica.Order, ok bool) (formica.Order, bool) {
	ok = t.ask(&m.given[s.gave], ok)
	s.gave = 0
	if !ok {
		return formica.Order{}, false
	}
	s.gave = 1
	stance := 0
	if s.last.Defend {
		stance = 1
	}
	same := t.ask(&m.again[s.last.Mode][stance][s.again], o == s.last)
	s.again = s.again << 1 & 3
	if same {
		s.again |= 1
		return s.last, true
	}
	at := 0
	for at < m.n && m.recents[at] != o {
		at++
	}
	known := m.n > 0 && t.ask(&m.known[m.known2], at < m.n)
	m.known2 = m.known2 << 1 & 3
	if known {
		m.known2 |= 1
		at = min(int(number(t, m.which[:], recentBits, uint(at))), m.n-1)
		o = m.recents[at]
	} else {
		o = m.spell(t, s.last.Mode, o)
		if at = m.n; m.n < recent {
			m.n++
		} else {
			at--
		}
	}
	copy(m.recents[1:at+1], m.recents[:at])
	m.recents[0] = o
	s.last = o
	return o, true
}

// spell asks for an order bit by bit.
func (m *colonyModel) spell(t teller, before formica.Mode, o formica.Order) formica.Order {
	o.Mode = formica.Mode(number(t, m.mode[before][:], 2, uint(o.Mode)))
	tenth, even := 0, false
	for i, a := range formica.AllocTenths {
		if a == o.Alloc {
			tenth, even = i, true
		}
	}
	if t.ask(&m.tenths, even) {
		tenth = int(number(t, m.tenth[:], tenthBits, uint(tenth)))
		o.Alloc = formica.AllocTenths[min(tenth, formica.NumTenths-1)]
	} else {
		for i := range m.shares {
			o.Alloc[i] = uint16(m.split(t, m.shares[i][:], shareHigh, shareBits-shareHigh, uint(o.Alloc[i])))
		}
		o.Alloc[2] = formica.AllocWhole - o.Alloc[0] - o.Alloc[1]
	}
	o.Defend = t.ask(&m.defend[o.Mode], o.Defend)
	if !t.ask(&m.target[o.Mode], o.Target != formica.NoCell) {
		o.Target = formica.NoCell
	} else {
		o.Target = int32(m.split(t, m.cell[:], targetBits-5, 5, uint(o.Target)))
	}
	return o
}

// split asks for a number whose high bits are learned and whose low ones are not.
func (m *colonyModel) split(t teller, tree []chance, high, low int, v uint) uint {
	got := number(t, tree, high, v>>low)
	for i := low - 1; i >= 0; i-- {
		m.even = chance{}
		got <<= 1
		if t.ask(&m.even, v>>i&1 == 1) {
			got |= 1
		}
	}
	return got
}

// colonies is what encoder and decoder have alike.
type colonies struct {
	seats  []colonySeat
	share  []uint8
	models []*colonyModel
}

func (c *colonies) reset(share []uint8) {
	used := checkShare(share, len(c.seats))
	c.share = append(c.share[:0], share...)
	for len(c.models) < used {
		c.models = append(c.models, new(colonyModel))
	}
	for _, m := range c.models[:used] {
		*m = colonyModel{}
	}
	for s := range c.seats {
		c.seats[s] = colonySeat{gave: 1, last: formica.DefaultOrder()}
	}
}

// colonyVersion is the first byte of an episode of colonies.
const colonyVersion = 1<<4 | 15

// A ColonyEncoder packs one episode after another of orders that colonies give
// as a whole. It is not safe for concurrent use.
type ColonyEncoder struct {
	colonies
	out coder
}

// NewColonyEncoder makes an encoder for episodes of a number of seats.
func NewColonyEncoder(seats int) *ColonyEncoder {
	return &ColonyEncoder{colonies: colonies{seats: make([]colonySeat, seats)}}
}

// Reset begins an episode; share is as for an Encoder.
func (e *ColonyEncoder) Reset(share []uint8) {
	e.reset(share)
	e.out.reset()
}

// Add packs what a seat ordered in a step; ok is false for nothing. Seats come
// in order.
func (e *ColonyEncoder) Add(seat int, o formica.Order, ok bool) {
	e.models[e.share[seat]].order(&e.out, &e.seats[seat], o, ok)
}

// Append ends the episode and appends its packed form. Reset comes next.
func (e *ColonyEncoder) Append(dst []byte) []byte {
	e.out.finish()
	return append(append(dst, colonyVersion), e.out.out...)
}

// A ColonyDecoder unpacks one episode after another. It is not safe for
// concurrent use.
type ColonyDecoder struct {
	colonies
	in decoder
}

// NewColonyDecoder makes a decoder for episodes of a number of seats.
func NewColonyDecoder(seats int) *ColonyDecoder {
	return &ColonyDecoder{colonies: colonies{seats: make([]colonySeat, seats)}}
}

// Reset begins to read an episode; data must stay as it is until End. Errors
// wrap ErrPacked.
func (d *ColonyDecoder) Reset(data []byte, share []uint8) error {
	d.reset(share)
	if len(data) == 0 || data[0] != colonyVersion {
		return fmt.Errorf("%w: no orders of colonies", ErrPacked)
	}
	d.in.reset(data[1:])
	return nil
}

// Read unpacks what a seat ordered in a step; ok is false for nothing. An order
// that was read is valid on a board of enough cells. Errors wrap ErrPacked; the
// decoder is of no use after one.
func (d *ColonyDecoder) Read(seat int) (o formica.Order, ok bool, err error) {
	o, ok = d.models[d.share[seat]].order(&d.in, &d.seats[seat], formica.Order{}, false)
	switch {
	case d.in.bad:
		return o, ok, fmt.Errorf("%w: not a share of the range", ErrPacked)
	case d.in.pos > len(d.in.data)+ahead:
		return o, ok, fmt.Errorf("%w: they end early", ErrPacked)
	case int(o.Alloc[0])+int(o.Alloc[1]) > formica.AllocWhole:
		return o, ok, fmt.Errorf("%w: shares of %d and %d", ErrPacked, o.Alloc[0], o.Alloc[1])
	}
	return o, ok, nil
}

// End tells whether the episode was read to its end and no further. Errors wrap
// ErrPacked.
func (d *ColonyDecoder) End() error {
	if n, want := len(d.in.data), d.in.pos-ahead; n != want {
		return fmt.Errorf("%w: %d bytes, of which %d were read", ErrPacked, n, want)
	}
	return nil
}
