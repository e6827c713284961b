package square

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// Outcome tells how a board stands.
func (e *Engine) Outcome(b int) env.Outcome {
	st := &e.maps[e.mapOf[b]]
	base := b * e.p
	o := env.Outcome{Done: e.ending[b] != 0, Truncated: e.truncated(b), Steps: int(e.turn[b]),
		Scores: make([]int32, st.seats), Ranks: make([]int32, st.seats)}
	if o.Done {
		o.Reason = e.rules.Endings[e.ending[b]-1].Reason
	}
	copy(o.Scores, e.score[base:])
	e.ranks(b, o.Ranks)
	return o
}

// State is a board's state in the common form.
func (e *Engine) State(b int) *ants.State {
	s := new(ants.State)
	e.tell(s, b)
	return s
}

// tell sets s to a board's state. It uses the memory that s has.
func (e *Engine) tell(s *ants.State, b int) {
	var g game
	e.game(&g, b)
	st := g.st
	base := b * e.p
	words := ants.KnownWords(st.shape.Rows * st.shape.Cols)
	*s = ants.State{
		Turn: e.turn[b], Ants: resized(s.Ants, st.seats), Food: e.cellsIn(s.Food, &g, g.food), Holder: e.holder[b], Count: e.count[b], Ending: e.ending[b],
		Hills: s.Hills[:0], Seats: resized(s.Seats, st.seats),
		Gen: ants.Generator{Seed: e.seed[b], Tie: e.tie[b], Rate: e.rate[b], Period: e.period[b], Extra: e.extra[b], Cursor: e.cursor[b], Rotation: e.rotation[b],
			Pending: s.Gen.Pending[:0]},
	}
	for _, cell := range e.pending[b*e.pendingCap : b*e.pendingCap+int(e.pendingLen[b])] {
		s.Gen.Pending = append(s.Gen.Pending, int32(cell))
	}
	for h, hill := range st.hills {
		s.Hills = append(s.Hills, ants.Hill{Cell: hill.cell, Owner: hill.owner, Razed: e.fallen[b*e.h+h], Touched: e.touched[b*e.h+h]})
	}
	for seat := range st.seats {
		s.Ants[seat] = e.cellsIn(s.Ants[seat], &g, g.mine[seat])
		known := resized(s.Seats[seat].Known, words)
		clear(known)
		for r := range st.shape.Rows {
			for word := range st.shape.Words {
				at := r*st.shape.Cols + 64*word
				m := g.known[seat][word*st.shape.Stride+r]
				known[at/64] |= m << (at % 64)
				if rest := m >> (63 - at%64) >> 1; rest != 0 {
					known[at/64+1] |= rest
				}
			}
		}
		i := base + seat
		s.Seats[seat] = ants.Seat{Hive: e.hive[i], Score: e.score[i], Razed: e.razed[i], Gathered: e.gathered[i], Out: e.out[i], Known: known}
	}
}

// resized is a list of n, with what the memory of one holds.
func resized[T any](list []T, n int) []T { return slices.Grow(list[:0], n)[:n] }

func (e *Engine) cells(g *game, p []uint64) []int32 { return e.cellsIn(nil, g, p) }

// cellsIn is cells in the memory of a list. A list without cells is not nil.
func (e *Engine) cellsIn(list []int32, g *game, p []uint64) []int32 {
	st := g.st
	cells := list[:0]
	if cells == nil {
		cells = []int32{}
	}
	for r := range st.shape.Rows {
		for word := range st.shape.Words {
			for m := p[word*st.shape.Stride+r]; m != 0; m &= m - 1 {
				cells = append(cells, st.cell(word, r, mathbits.TrailingZeros64(m)))
			}
		}
	}
	return cells
}

// AppendState appends the canonical encoding of a board's state.
func (e *Engine) AppendState(dst []byte, b int) []byte {
	e.tell(&e.told, b)
	return e.told.Append(dst)
}

// SetState replaces a board's state and forgets its statistics. Errors wrap
// env.ErrState and change nothing.
func (e *Engine) SetState(b int, data []byte) error {
	s, err := ants.DecodeState(data, e.maps[e.mapOf[b]].m)
	if err != nil {
		return err
	}
	if err := e.admissible(s, b); err != nil {
		return err
	}
	e.load(s, b)
	return nil
}

// admissible refuses states that the rule set cannot go on from, and those that
// may come to owe more food than the board has room for, which is what any game
// of the rule set can owe.
func (e *Engine) admissible(s *ants.State, b int) error {
	sets := e.maps[e.mapOf[b]].sets
	if err := s.ValidateFor(&e.rules, sets); err != nil {
		return err
	}
	if e.pendingCap == 0 {
		return nil // a food source without a queue
	}
	g := &s.Gen
	owed := int64(0)
	if g.Period > 0 && sets.Len() > 0 {
		// However late it is, one more turn may be played.
		turns := max(1, int64(e.rules.MaxTurns)-int64(s.Turn))
		owed = (g.Extra + turns*int64(g.Rate)*int64(len(s.Seats))) / int64(g.Period)
	}
	if int64(len(g.Pending))+owed > int64(e.pendingCap) {
		return fmt.Errorf("%w: %d pending food and %d to come, a board of %d turns has room for %d",
			env.ErrState, len(g.Pending), owed, e.rules.MaxTurns, e.pendingCap)
	}
	return nil
}

// load writes an admissible state to a board.
func (e *Engine) load(s *ants.State, b int) {
	var g game
	e.game(&g, b)
	st := g.st
	e.unscript(b)
	clear(e.words[b*e.stride : (b+1)*e.stride])
	set := func(p []uint64, cells []int32) {
		for _, cell := range cells {
			word, bit := st.at(cell)
			p[word] |= bit
		}
	}
	set(g.food, s.Food)
	e.foodCount[b] = int32(len(s.Food))
	e.turn[b], e.holder[b], e.count[b], e.ending[b], e.started[b] = s.Turn, s.Holder, s.Count, s.Ending, true
	gen := &s.Gen
	e.seed[b], e.tie[b], e.rate[b], e.period[b] = gen.Seed, gen.Tie, gen.Rate, gen.Period
	e.extra[b], e.cursor[b], e.rotation[b], e.ordered[b], e.price[b] = gen.Extra, gen.Cursor, gen.Rotation, -1, 0
	if g.st.sets.Len() > 0 {
		e.shuffle(&g)
	}
	e.pendingLen[b] = int32(len(gen.Pending))
	for i, cell := range gen.Pending {
		e.pending[b*e.pendingCap+i] = uint16(cell)
	}
	for h, hill := range s.Hills {
		e.fallen[b*e.h+h], e.touched[b*e.h+h] = hill.Razed, hill.Touched
	}
	for seat := range s.Seats {
		i := b*e.p + seat
		src := &s.Seats[seat]
		set(g.mine[seat], s.Ants[seat])
		for j, word := range src.Known {
			for ; word != 0; word &= word - 1 {
				at, bit := st.at(int32(j*64 + mathbits.TrailingZeros64(word)))
				g.known[seat][at] |= bit
			}
		}
		e.ants[i], e.hive[i], e.score[i] = int32(len(s.Ants[seat])), src.Hive, src.Score
		e.razed[i], e.gathered[i], e.out[i] = src.Razed, src.Gathered, src.Out
		e.kills[i], e.losses[i], e.reward[i], e.returns[i] = 0, 0, 0, 0
		if len(s.Ants[seat]) > 0 {
			st.view.Dilate(g.seen[seat], g.mine[seat], e.workers[0].disk)
		}
	}
}

// seatStats is the bytes of a seat's statistics: kills, losses, return.
const seatStats = 12

// AppendBoard appends a board's state and the statistics of its episode.
func (e *Engine) AppendBoard(dst []byte, b int) []byte {
	le := binary.LittleEndian
	at := len(dst)
	dst = le.AppendUint32(dst, 0)
	dst = e.AppendState(dst, b)
	le.PutUint32(dst[at:], uint32(len(dst)-at-4))
	for s := range e.maps[e.mapOf[b]].seats {
		i := b*e.p + s
		dst = le.AppendUint32(dst, uint32(e.kills[i]))
		dst = le.AppendUint32(dst, uint32(e.losses[i]))
		dst = le.AppendUint32(dst, math.Float32bits(e.returns[i]))
	}
	return dst
}

// LoadBoard reads what AppendBoard wrote for a board of the same map. Errors
// wrap env.ErrState and change nothing.
func (e *Engine) LoadBoard(b int, data []byte) error {
	le := binary.LittleEndian
	if len(data) < 4 {
		return fmt.Errorf("%w: %d bytes for a board", env.ErrState, len(data))
	}
	n := uint64(le.Uint32(data))
	seats := e.maps[e.mapOf[b]].seats
	if uint64(len(data)) != 4+n+uint64(seatStats*seats) {
		return fmt.Errorf("%w: %d bytes for a board whose state takes %d", env.ErrState, len(data), n)
	}
	if err := e.SetState(b, data[4:4+n]); err != nil {
		return err
	}
	for s := range seats {
		i := b*e.p + s
		stats := data[4+int(n)+seatStats*s:]
		e.kills[i], e.losses[i] = int32(le.Uint32(stats)), int32(le.Uint32(stats[4:]))
		e.returns[i] = math.Float32frombits(le.Uint32(stats[8:]))
	}
	return nil
}
