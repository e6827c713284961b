package ants

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/internal/wire"
)

// Cutoff holders that are no seat.
const (
	HolderNone int32 = -1
	HolderFood int32 = -2
)

// A State is everything that is true of a board between two turns. It is the
// common language of the engines: each can be set from one and tell its own,
// and two engines agree when the encodings are equal bytes.
type State struct {
	Turn  int32     // turns played
	Ants  [][]int32 // per seat: cells, ascending
	Food  []int32   // cells, ascending
	Hills []Hill    // in the map's listing order
	Seats []Seat
	// Holder watches the cutoff: a seat, HolderNone or HolderFood. Count is
	// how long it has held.
	Holder, Count int32
	Gen           Generator
	// Ending is 0 while the episode goes on, else 1 + the index of the
	// rule set's ending that holds.
	Ending uint8
}

// A Hill of a board. The cell and the owner never change.
type Hill struct {
	Cell    int32
	Owner   uint8
	Razed   bool
	Touched int32 // stamp of the last touch, 0 for never
}

// A Seat is one colony's own numbers.
type Seat struct {
	Hive     int32 // food waiting to hatch
	Score    int32
	Razed    int32    // enemy hills razed
	Gathered int32    // food gathered
	Out      bool     // dropped out: its orders are read as all '-'
	Known    []uint64 // bit cell%64 of word cell/64: cells ever seen
}

// A Generator is the state of the random food and of the hill ties.
type Generator struct {
	Seed         uint64  // the episode's seed
	Tie          env.RNG // draws for TieRandom
	Rate, Period int32   // hidden food rate: Rate*seats is added each turn, Period pays for one food
	Extra        int64   // what is due, in units of 1/Period food
	Cursor       int32   // next set of the current rotation
	Rotation     int64   // number of the current rotation
	Pending      []int32 // cells of food that is due and waits for its cell, in queue order
}

// KnownWords is the length of Seat.Known for a board of that many cells.
func KnownWords(cells int) int { return (cells + 63) / 64 }

const stateVersion = 1

// AppendBinary appends the canonical encoding: little-endian fixed-width
// fields in declaration order, each list after its uint32 length.
func (s *State) AppendBinary(dst []byte) ([]byte, error) { return s.Append(dst), nil }

// Append is AppendBinary without an error that never comes.
func (s *State) Append(dst []byte) []byte {
	le := binary.LittleEndian
	list := func(cells []int32) {
		dst = le.AppendUint32(dst, uint32(len(cells)))
		for _, c := range cells {
			dst = le.AppendUint16(dst, uint16(c))
		}
	}
	flag := func(b bool) {
		if b {
			dst = append(dst, 1)
		} else {
			dst = append(dst, 0)
		}
	}
	dst = append(dst, stateVersion, uint8(len(s.Seats)), s.Ending)
	dst = le.AppendUint32(dst, uint32(s.Turn))
	for _, cells := range s.Ants {
		list(cells)
	}
	list(s.Food)
	dst = le.AppendUint32(dst, uint32(len(s.Hills)))
	for _, h := range s.Hills {
		dst = le.AppendUint16(dst, uint16(h.Cell))
		dst = append(dst, h.Owner)
		flag(h.Razed)
		dst = le.AppendUint32(dst, uint32(h.Touched))
	}
	for i := range s.Seats {
		seat := &s.Seats[i]
		for _, v := range [...]int32{seat.Hive, seat.Score, seat.Razed, seat.Gathered} {
			dst = le.AppendUint32(dst, uint32(v))
		}
		flag(seat.Out)
		dst = le.AppendUint32(dst, uint32(len(seat.Known)))
		for _, w := range seat.Known {
			dst = le.AppendUint64(dst, w)
		}
	}
	dst = le.AppendUint32(dst, uint32(s.Holder))
	dst = le.AppendUint32(dst, uint32(s.Count))
	g := &s.Gen
	dst = le.AppendUint64(dst, g.Seed)
	dst = le.AppendUint64(dst, uint64(g.Tie))
	dst = le.AppendUint32(dst, uint32(g.Rate))
	dst = le.AppendUint32(dst, uint32(g.Period))
	dst = le.AppendUint64(dst, uint64(g.Extra))
	dst = le.AppendUint32(dst, uint32(g.Cursor))
	dst = le.AppendUint64(dst, uint64(g.Rotation))
	list(g.Pending)
	return dst
}

// DecodeState reads an encoding made by Append for the same map. It bounds
// every length before it allocates. Errors wrap env.ErrState and name the
// field and the offset.
func DecodeState(data []byte, m *Map) (*State, error) {
	d := wire.Reader{Data: data}
	cells := m.Rows * m.Cols
	if v := d.U8("version"); d.Err == nil && v != stateVersion {
		return nil, fmt.Errorf("%w: version %d, want %d", env.ErrState, v, stateVersion)
	}
	if n := int(d.U8("seats")); d.Err == nil && n != m.Players {
		return nil, fmt.Errorf("%w: %d seats on a map of %d", env.ErrState, n, m.Players)
	}
	s := &State{Ants: make([][]int32, m.Players), Seats: make([]Seat, m.Players)}
	s.Ending = d.U8("ending")
	s.Turn = d.I32("turn")
	for i := range s.Ants {
		s.Ants[i] = list(&d, "ants", cells)
	}
	s.Food = list(&d, "food", cells)
	if n := d.U32("hills"); d.Err == nil && int(n) != len(m.Hills) {
		return nil, fmt.Errorf("%w: %d hills on a map of %d", env.ErrState, n, len(m.Hills))
	}
	s.Hills = make([]Hill, len(m.Hills))
	for i := range s.Hills {
		s.Hills[i] = Hill{Cell: int32(d.U16("hill")), Owner: d.U8("hill owner"), Razed: d.Flag("hill razed"), Touched: d.I32("hill touched")}
	}
	for i := range s.Seats {
		seat := &s.Seats[i]
		seat.Hive, seat.Score, seat.Razed, seat.Gathered = d.I32("hive"), d.I32("score"), d.I32("razed"), d.I32("gathered")
		seat.Out = d.Flag("out")
		if n := d.U32("known"); d.Err == nil && int(n) != KnownWords(cells) {
			return nil, fmt.Errorf("%w: %d known words, want %d", env.ErrState, n, KnownWords(cells))
		}
		seat.Known = make([]uint64, KnownWords(cells))
		for j := range seat.Known {
			seat.Known[j] = d.U64("known")
		}
	}
	s.Holder, s.Count = d.I32("holder"), d.I32("count")
	g := &s.Gen
	g.Seed, g.Tie = d.U64("seed"), env.RNG(d.U64("tie"))
	g.Rate, g.Period = d.I32("rate"), d.I32("period")
	g.Extra, g.Cursor, g.Rotation = int64(d.U64("extra")), d.I32("cursor"), int64(d.U64("rotation"))
	g.Pending = list(&d, "pending", MaxPending)
	if d.Err != nil {
		return nil, d.Err
	}
	if d.Off != len(data) {
		return nil, fmt.Errorf("%w: %d bytes after the end", env.ErrState, len(data)-d.Off)
	}
	return s, s.Validate(m)
}

// MaxPending bounds the pending queue of any legal game: every turn adds at
// most maxRate food a seat per minPeriod turns.
const MaxPending = MaxMaxTurns * MaxSeats

// Bounds of a state's numbers: far past any legal game, and far from where
// one more turn could overflow.
const (
	maxCounter = 1 << 30
	maxExtra   = maxRate * MaxSeats * MaxMaxTurns
)

// Validate tells whether the state can stand on the map: lists ascending and
// inside, no ant or food on water, no cell with two ants or food on a hill,
// counters in range. Errors wrap env.ErrState.
func (s *State) Validate(m *Map) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", env.ErrState, fmt.Sprintf(format, a...))
	}
	cells := int32(m.Rows * m.Cols)
	if len(s.Ants) != m.Players || len(s.Seats) != m.Players {
		return bad("%d ant lists and %d seats on a map of %d", len(s.Ants), len(s.Seats), m.Players)
	}
	if s.Turn < 0 || s.Turn > MaxMaxTurns {
		return bad("turn %d", s.Turn)
	}
	ants := make([]bool, cells)
	check := func(what string, list []int32) error {
		for i, c := range list {
			if c < 0 || c >= cells {
				return bad("%s on cell %d of a board of %d", what, c, cells)
			}
			if i > 0 && c <= list[i-1] {
				return bad("%s list not ascending at cell %d", what, c)
			}
			if m.Water[c] {
				return bad("%s on water at cell %d", what, c)
			}
		}
		return nil
	}
	for seat, list := range s.Ants {
		if err := check(fmt.Sprintf("ant of seat %d", seat), list); err != nil {
			return err
		}
		for _, c := range list {
			if ants[c] {
				return bad("two ants on cell %d", c)
			}
			ants[c] = true
		}
	}
	if err := check("food", s.Food); err != nil {
		return err
	}
	if len(s.Hills) != len(m.Hills) {
		return bad("%d hills on a map of %d", len(s.Hills), len(m.Hills))
	}
	for i, h := range s.Hills {
		if _, food := slices.BinarySearch(s.Food, h.Cell); food {
			return bad("food on the hill on cell %d", h.Cell)
		}
		if h.Cell != m.Hills[i].Cell || h.Owner != m.Hills[i].Owner {
			return bad("hill %d is cell %d of seat %d, the map says cell %d of seat %d", i, h.Cell, h.Owner, m.Hills[i].Cell, m.Hills[i].Owner)
		}
		if h.Touched < 0 || h.Touched > s.Turn {
			return bad("hill %d touched at %d on turn %d", i, h.Touched, s.Turn)
		}
	}
	for i := range s.Seats {
		seat := &s.Seats[i]
		if seat.Hive < 0 || seat.Razed < 0 || seat.Gathered < 0 {
			return bad("seat %d has a negative counter", i)
		}
		if len(seat.Known) != KnownWords(int(cells)) {
			return bad("seat %d has %d known words, want %d", i, len(seat.Known), KnownWords(int(cells)))
		}
		if rest := cells % 64; rest != 0 && seat.Known[len(seat.Known)-1]>>rest != 0 {
			return bad("seat %d knows cells past the board", i)
		}
	}
	for i := range s.Seats {
		seat := &s.Seats[i]
		if seat.Hive > maxCounter || seat.Razed > maxCounter || seat.Gathered > maxCounter || seat.Score > maxCounter || seat.Score < -maxCounter {
			return bad("seat %d has a counter past %d", i, maxCounter)
		}
	}
	if s.Holder < HolderFood || s.Holder >= int32(m.Players) {
		return bad("cutoff holder %d", s.Holder)
	}
	if s.Count < 0 || s.Count > maxCounter {
		return bad("cutoff count %d", s.Count)
	}
	g := &s.Gen
	if g.Cursor < 0 || g.Rotation < 0 || g.Extra < 0 || g.Extra > maxExtra {
		return bad("food generator with extra %d, cursor %d, rotation %d", g.Extra, g.Cursor, g.Rotation)
	}
	if (g.Rate != 0 || g.Period != 0) && (g.Rate < 0 || g.Rate > maxRate || g.Period < minPeriod || g.Period > maxPeriod) {
		return bad("food rate %d/%d, want 0/0 or 0..%d/%d..%d", g.Rate, g.Period, maxRate, minPeriod, maxPeriod)
	}
	for _, c := range g.Pending {
		if c < 0 || c >= cells {
			return bad("pending food on cell %d of a board of %d", c, cells)
		}
	}
	return nil
}

// Clone is a deep copy.
func (s *State) Clone() *State {
	c := *s
	c.Ants = make([][]int32, len(s.Ants))
	for i := range s.Ants {
		c.Ants[i] = slices.Clone(s.Ants[i])
	}
	c.Food = slices.Clone(s.Food)
	c.Hills = slices.Clone(s.Hills)
	c.Seats = slices.Clone(s.Seats)
	for i := range c.Seats {
		c.Seats[i].Known = slices.Clone(c.Seats[i].Known)
	}
	c.Gen.Pending = slices.Clone(s.Gen.Pending)
	return &c
}

// list reads a counted list of cells.
func list(r *wire.Reader, what string, limit int) []int32 {
	n := int(r.U32(what))
	if r.Err == nil && n > limit {
		r.Err = fmt.Errorf("%w: %d entries in %s, at most %d", env.ErrState, n, what, limit)
	}
	words := r.U16s(what, n)
	if words == nil {
		return nil
	}
	cells := make([]int32, n)
	for i, w := range words {
		cells[i] = int32(w)
	}
	return cells
}
