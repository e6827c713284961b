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
	barren []uint64 // water and hills: where food cannot appear
	hills  []hill
	own    [ants.MaxSeats][]int // per seat: its hills, in listing order
	// ownHills and enemyHills are planes, per seat.
	ownHills, enemyHills [ants.MaxSeats][]uint64
	sets                 *ants.SetList
	target               int // food that a top-up keeps
	// setSize is the size of every food set, or 0 if they differ.
	setSize int
	// start is the food that episodes start with, unless it is drawn from sets
	// and nearSets.
	start    []int32
	nearSets *ants.SetList

	// The attack disk as a window of width x width cells around an ant, row by
	// row: around are the offsets of its cells, disk those in range, window a
	// row's bits. pairs: it does not fit the board or a word, see combat.go.
	half   int
	width  uint
	window uint64
	disk   uint64
	around []offset
	pairs  bool
	// diskRows are the rows of the window's disk, for windows that a vector
	// holds and that reach into one more word at most.
	diskRows []uint64

	// tile tells which steps have kernels for boards of 32 rows and columns and
	// two seats, by the disks that they know.
	tile struct{ move, view, attack, gather bool }
	// wide tells that there is a kernel for what a seat sees on boards of 96
	// columns.
	wide bool

	// bases are row*128 and the first column of each word of a plane, on boards of
	// 65 to 126 columns.
	bases []uint32

	lanes [bits.MaxWords]lane
	// pairOrder is the first sixteen words of a plane of two words a row, in
	// row-major order.
	pairOrder [16]int32
	// pad is the pad plane as exported, when boards differ in size.
	pad []byte
	// shift moves each seat's first hill to the middle of the board; centre
	// does that to a plane, and is nil where nothing moves.
	shift  []ants.Shift
	centre []*bits.Translation
}

// A lane is how a word of a row takes in its neighbours when the row moves a
// column: bits fromPrev.. of word prev, bits up to fromNext of word next.
type lane struct {
	prev, next         int
	fromPrev, fromNext uint64
	mask               uint64 // of the word's columns
}

func newLane(s *bits.Shape, word int) (l lane) {
	var fromPrev, fromNext uint
	l.prev, l.next, fromPrev, fromNext, l.mask = s.Neighbours(word)
	l.fromPrev, l.fromNext = uint64(fromPrev), uint64(fromNext)
	return l
}

type offset struct{ dr, dc int }

type hill struct {
	cell  int32
	owner uint8
	row   int32
	col   int32
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
	for i := range s.pairOrder {
		s.pairOrder[i] = int32(i/2 + i%2*s.shape.Stride)
	}
	s.view = bits.NewDisk(s.shape, r.ViewRadius2)
	s.attack = bits.NewDisk(s.shape, r.AttackRadius2)
	s.gather = bits.NewDisk(s.shape, r.GatherRadius2)
	if m.Rows == 32 && m.Cols == 32 && m.Players == 2 {
		s.tile.move = true
		s.tile.view = s.view.Same(8, 8, 8, 8, 7, 7, 6, 5, 3)
		s.tile.attack = s.attack.Same(2, 2, 1)
		s.tile.gather = s.gather.Same(1, 0)
	}
	if 64 < m.Cols && m.Cols <= 126 {
		for i := range s.pw {
			s.bases = append(s.bases, uint32(i%s.shape.Stride*128+i/s.shape.Stride*64))
		}
	}
	s.wide = m.Cols == 96 && m.Rows%16 == 0 && s.view.Same(8, 8, 8, 8, 7, 7, 6, 5, 3)
	s.water = alignedWords(s.pw)
	for cell, wet := range m.Water {
		if wet {
			word, bit := s.at(int32(cell))
			s.water[word] |= bit
		}
	}
	for _, h := range m.Hills {
		word, bit := s.at(h.Cell)
		s.own[h.Owner] = append(s.own[h.Owner], len(s.hills))
		s.hills = append(s.hills, hill{
			cell: h.Cell, owner: h.Owner, row: h.Cell / int32(m.Cols), col: h.Cell % int32(m.Cols), word: int32(word), bit: bit,
		})
	}
	for seat := range m.Players {
		s.ownHills[seat], s.enemyHills[seat] = alignedWords(s.pw), alignedWords(s.pw)
		for _, h := range s.hills {
			if int(h.owner) == seat {
				s.ownHills[seat][h.word] |= h.bit
			} else {
				s.enemyHills[seat][h.word] |= h.bit
			}
		}
	}
	s.barren = alignedWords(s.pw)
	copy(s.barren, s.water)
	for _, h := range s.hills {
		s.barren[h.word] |= h.bit
	}
	s.sets = m.FoodSets(r)
	for i := range s.sets.Len() {
		if n := len(s.sets.Set(i)); i == 0 {
			s.setSize = n
		} else if n != s.setSize {
			s.setSize = 0
			break
		}
	}
	s.nearSets = m.NearSets(r)
	if r.Food != ants.FoodSetsOverWater {
		s.start = m.StartFood(r, s.sets, s.nearSets, 0)
	}
	s.target = m.FoodTarget
	if s.target == 0 {
		s.target = len(m.Food)
	}
	for (s.half+1)*(s.half+1) <= r.AttackRadius2 {
		s.half++
	}
	width := 2*s.half + 1
	s.width, s.window = uint(width), 1<<width-1
	if s.pairs = width > min(m.Rows, m.Cols) || width*width > 64; !s.pairs {
		for i := range width * width {
			o := offset{i/width - s.half, i%width - s.half}
			s.around = append(s.around, o)
			if o.dr*o.dr+o.dc*o.dc <= r.AttackRadius2 {
				s.disk |= 1 << i
			}
		}
		if last := m.Cols - (s.shape.Words-1)*64; width <= 8 && (s.shape.Words == 1 || last >= width) {
			s.diskRows = make([]uint64, 8)
			for r := range width {
				s.diskRows[r] = s.disk >> (r * width) & s.window
			}
		}
	}
	s.shift, s.centre = make([]ants.Shift, m.Players), make([]*bits.Translation, m.Players)
	for seat := range s.shift {
		for _, h := range m.Hills {
			if int(h.Owner) == seat {
				r, c := int(h.Cell)/m.Cols, int(h.Cell)%m.Cols
				s.shift[seat] = ants.Shift{DR: ((m.Rows/2-r)%m.Rows + m.Rows) % m.Rows, DC: ((m.Cols/2-c)%m.Cols + m.Cols) % m.Cols}
				if s.shift[seat] != (ants.Shift{}) {
					s.centre[seat] = bits.NewTranslation(s.shape, s.shift[seat].DR, s.shift[seat].DC)
				}
				break
			}
		}
	}
	return s
}

// at is the word of a plane and the bit in it that stand for a cell.
func (s *static) at(cell int32) (word int, bit uint64) {
	return s.shape.Locate(int(cell)/s.shape.Cols, int(cell)%s.shape.Cols)
}

// cell is the cell of bit c of word w of row r.
func (s *static) cell(w, r, c int) int32 { return int32(r*s.shape.Cols + w*64 + c) }
