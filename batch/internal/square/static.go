package square

import (
	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/env/ants"
)

// A static is what all boards of one map share and nobody changes.
type static struct {
	m      *ants.Map
	shape  bits.Shape
	pw     int // words of a plane
	hs     int // words of one word's column of a haloed plane
	seats  int
	view   *bits.Disk
	attack *bits.Disk
	gather *bits.Disk
	water  []uint64
	hills  []hill
	sets   *ants.SetList
	target int // food that a top-up keeps
	// start is the food that episodes start with, unless it is drawn from sets
	// and nearSets.
	start    []int32
	nearSets *ants.SetList

	// The attack disk as rows: at dr rows away, columns -half..half.
	reach []reachRow
	// grab is the gather disk, offsets brought into the board.
	grab []offset
	// wraps: the attack disk is wider or taller than the board, so that its
	// rows would count cells twice.
	wraps bool
	lanes [bits.MaxWords]lane
	// shift moves each seat's first hill to the middle of the board.
	shift []ants.Shift
}

// A lane is how a word of a row takes in its neighbours when the row moves a
// column: bits fromPrev.. of word prev, bits up to fromNext of word next.
type lane struct {
	prev, next         int
	fromPrev, fromNext uint64
	mask               uint64 // of the word's columns
}

func newLane(s *bits.Shape, word int) lane {
	last := s.Words - 1
	top := uint64((s.Cols - 1) % 64)
	l := lane{prev: word - 1, next: word + 1, fromPrev: 63, fromNext: 63, mask: ^uint64(0)}
	if word == 0 {
		l.prev, l.fromPrev = last, top
	}
	if word == last {
		l.next, l.fromNext, l.mask = 0, top, s.Last
	}
	return l
}

type reachRow struct{ dr, half int }

type offset struct{ dr, dc int }

type hill struct {
	cell  int32
	owner uint8
	word  int32  // index in a plane
	bit   uint64 // in that word
}

func newStatic(m *ants.Map, r *ants.Rules) static {
	s := static{m: m, shape: bits.NewShape(m.Rows, m.Cols), seats: m.Players}
	s.pw = s.shape.PlaneWords()
	s.hs = s.shape.Stride + 2*halo
	for word := range s.shape.Words {
		s.lanes[word] = newLane(&s.shape, word)
	}
	s.view = bits.NewDisk(s.shape, r.ViewRadius2)
	s.attack = bits.NewDisk(s.shape, r.AttackRadius2)
	s.gather = bits.NewDisk(s.shape, r.GatherRadius2)
	s.water = make([]uint64, s.pw)
	for cell, wet := range m.Water {
		if wet {
			word, bit := s.at(int32(cell))
			s.water[word] |= bit
		}
	}
	for _, h := range m.Hills {
		word, bit := s.at(h.Cell)
		s.hills = append(s.hills, hill{cell: h.Cell, owner: h.Owner, word: int32(word), bit: bit})
	}
	s.sets = m.FoodSets(r)
	s.nearSets = m.NearSets(r)
	if r.Food != ants.FoodSetsOverWater {
		s.start = m.StartFood(r, s.sets, s.nearSets, 0)
	}
	s.target = m.FoodTarget
	if s.target == 0 {
		s.target = len(m.Food)
	}
	for dr := 0; dr*dr <= r.AttackRadius2; dr++ {
		half := 0
		for dr*dr+(half+1)*(half+1) <= r.AttackRadius2 {
			half++
		}
		s.reach = append(s.reach, reachRow{dr, half})
		if dr > 0 {
			s.reach = append(s.reach, reachRow{-dr, half})
		}
		s.wraps = s.wraps || 2*dr+1 > m.Rows || 2*half+1 > m.Cols || 2*half+1 > 64
	}
	for dr := 0; dr*dr <= r.GatherRadius2; dr++ {
		for dc := 0; dr*dr+dc*dc <= r.GatherRadius2; dc++ {
			for _, o := range []offset{{dr, dc}, {-dr, dc}, {dr, -dc}, {-dr, -dc}} {
				s.grab = append(s.grab, offset{o.dr % m.Rows, o.dc % m.Cols})
			}
		}
	}
	s.shift = make([]ants.Shift, m.Players)
	for seat := range s.shift {
		for _, h := range m.Hills {
			if int(h.Owner) == seat {
				r, c := int(h.Cell)/m.Cols, int(h.Cell)%m.Cols
				s.shift[seat] = ants.Shift{DR: ((m.Rows/2-r)%m.Rows + m.Rows) % m.Rows, DC: ((m.Cols/2-c)%m.Cols + m.Cols) % m.Cols}
				break
			}
		}
	}
	return s
}

// at is the word of a plane and the bit in it that stand for a cell.
func (s *static) at(cell int32) (word int, bit uint64) {
	r, c := int(cell)/s.shape.Cols, int(cell)%s.shape.Cols
	return c/64*s.shape.Stride + r, 1 << (c % 64)
}

// cell is the cell of bit c of word w of row r.
func (s *static) cell(w, r, c int) int32 { return int32(r*s.shape.Cols + w*64 + c) }
