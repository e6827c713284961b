package square

import (
	mathbits "math/bits"

	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// A scratch is one worker's memory for policies: what one seat sees now, and
// its orders as far as they are made.
type scratch struct {
	*plan
	plans []plan // per map
	disk  []uint64

	mine []uint64 // the board's own plane
	seat int
	left int // waiting ants

	foes, food []uint64 // seen now
	open       []uint64 // seen ever, not water, and no food that refuses moves
	shut       []uint64 // known to refuse moves
	dark       []uint64 // not seen now, and not known to be water
	hills      []uint64 // standing hills of other seats, seen now
	anyFoes    bool
	anyFood    bool
	anyHills   bool
	homes      []place // own standing hills seen now

	waiting []uint64 // own ants without an order
	// blocked is the cells that waiting ants must not be ordered to: those
	// with own ants, after the orders made so far, and those that are barred.
	blocked []uint64
	orders  []uint8 // per bit of a plane: the order of an ant that does not wait

	// Waves.
	fronts [policy.GatherLevels + 1][]uint64 // haloed
	free   []uint64                          // cells that the wave may enter
	hit    []uint64                          // what a front is beside of

	// Combat: see policy_combat.go.
	fought  bool // danger is barred
	danger  []uint64
	contact []uint64
	prey    []uint64 // enemy ants that enter the wave at policy.FoeLevel
	anyPrey bool
	rated   []uint64 // enemy ants whose power is known
	power   []uint8  // per bit of a plane
}

// A plan is the geometry of one map's boards.
type plan struct {
	rows, cols, words, stride, pw int
	hs                            int // words of one word's column of a haloed plane
	lastBits                      int // valid bits of a row's last word
	last                          uint64
	narrow                        bool // less than a combat window wide or high
	strike                        *bits.Disk
	plus                          *bits.Disk
}

func newScratch(e *Engine) scratch {
	s := scratch{}
	pw, haloed, disk := 0, 0, 0
	for i := range e.maps {
		sh := &e.maps[i].shape
		p := plan{
			rows: sh.Rows, cols: sh.Cols, words: sh.Words, stride: sh.Stride, pw: sh.PlaneWords(),
			hs: sh.Stride + 2*halo, lastBits: sh.Cols - 64*(sh.Words-1), last: sh.Last,
			narrow: sh.Rows < windowSide || sh.Cols < windowSide,
			strike: bits.NewDisk(*sh, policy.AttackRadius2), plus: bits.NewDisk(*sh, 1),
		}
		s.plans = append(s.plans, p)
		pw, haloed = max(pw, p.pw), max(haloed, p.hs*p.words)
		disk = max(disk, p.strike.Scratch(), p.plus.Scratch())
	}
	for _, plane := range []*[]uint64{
		&s.foes, &s.food, &s.open, &s.shut, &s.dark, &s.hills, &s.waiting, &s.blocked, &s.free, &s.hit, &s.danger, &s.contact, &s.prey, &s.rated,
	} {
		*plane = alignedWords(pw)
	}
	for i := range s.fronts {
		s.fronts[i] = alignedWords(haloed)
	}
	s.disk = alignedWords(disk)
	s.orders, s.power = make([]uint8, 64*pw), make([]uint8, 64*pw)
	s.homes = make([]place, 0, ants.MaxHills)
	return s
}

// look fills the planes that are derived from the board, for one seat.
// Reference: newSight of package policy.
func (e *Engine) look(s *scratch, g *game, seat int) {
	s.plan = &s.plans[e.mapOf[g.b]]
	s.seat, s.mine, s.left = seat, g.mine[seat], int(e.ants[g.b*e.p+seat])
	n := s.pw
	seen, known, water := g.seen[seat][:n], g.known[seat][:n], g.st.water[:n]
	foes, food, open, shut, dark := s.foes[:n], s.food[:n], s.open[:n], s.shut[:n], s.dark[:n]
	clear(foes)
	for other := range g.st.seats {
		if other != seat {
			for i, m := range g.mine[other][:n] {
				foes[i] |= m
			}
		}
	}
	refusing := uint64(0)
	if e.rules.FoodBlocks {
		refusing = ^uint64(0)
	}
	anyFoes, anyFood := uint64(0), uint64(0)
	for w := range s.words {
		valid := ^uint64(0)
		if w == s.words-1 {
			valid = s.last
		}
		from := w * s.stride
		for i := from; i < from+s.rows; i++ {
			v, k := seen[i], known[i]
			wet := water[i] & k
			fo, fd := foes[i]&v, g.food[i]&v
			foes[i], food[i] = fo, fd
			anyFoes, anyFood = anyFoes|fo, anyFood|fd
			sh := wet | fd&refusing
			shut[i], open[i], dark[i] = sh, k&^sh, ^(v|wet)&valid
		}
		for i := from + s.rows; i < from+s.stride; i++ {
			food[i], shut[i], open[i], dark[i] = 0, 0, 0, 0
		}
	}
	s.anyFoes, s.anyFood = anyFoes != 0, anyFood != 0
	copy(s.waiting[:n], s.mine)
	copy(s.blocked[:n], s.mine)
	clear(s.hills[:n])
	s.homes, s.anyHills, s.anyPrey = s.homes[:0], false, false
	for h := range g.st.hills {
		hill := &g.st.hills[h]
		if seen[hill.word]&hill.bit == 0 || e.fallen[g.b*e.h+h] {
			continue
		}
		if int(hill.owner) == seat {
			s.homes = append(s.homes, place{int(hill.word) / s.stride, int(hill.word) % s.stride, mathbits.TrailingZeros64(hill.bit)})
		} else {
			s.hills[hill.word] |= hill.bit
			s.anyHills = true
		}
	}
}

// A place is a cell: bit c of word w of row r.
type place struct{ w, r, c int }

// at is the index of the word of a place in a plane.
func (p *plan) at(x place) int { return x.w*p.stride + x.r }

// cell is the number of a place.
func (p *plan) cell(x place) int { return x.r*p.cols + x.w*64 + x.c }

// step is the place one action away.
func (p *plan) step(x place, a ants.Action) place {
	switch a {
	case ants.North:
		if x.r == 0 {
			x.r = p.rows
		}
		x.r--
	case ants.South:
		if x.r++; x.r == p.rows {
			x.r = 0
		}
	case ants.East:
		if x.c++; x.c == 64 || x.w == p.words-1 && x.c == p.lastBits {
			x.c = 0
			if x.w++; x.w == p.words {
				x.w = 0
			}
		}
	case ants.West:
		if x.c == 0 {
			if x.w == 0 {
				x.w = p.words
			}
			x.w--
			x.c = 64
			if x.w == p.words-1 {
				x.c = p.lastBits
			}
		}
		x.c--
	}
	return x
}

// width is how many columns a word of a row holds.
func (p *plan) width(w int) int {
	if w == p.words-1 {
		return p.lastBits
	}
	return 64
}

// bit tells whether a place is in a plane.
func (p *plan) bit(plane []uint64, x place) bool { return plane[p.at(x)]>>(x.c&63)&1 != 0 }

// order gives a waiting ant its order.
func (s *scratch) order(x place, a ants.Action) {
	i := s.at(x)
	s.waiting[i] &^= 1 << (x.c & 63)
	s.orders[i*64+x.c] = a
	s.left--
	if a != ants.Stay {
		to := s.step(x, a)
		s.blocked[i] &^= 1 << (x.c & 63)
		s.blocked[s.at(to)] |= 1 << (to.c & 63)
	}
}

// rotation is the direction that a place looks at first.
// Reference: rotation of package policy.
func (p *plan) rotation(draw uint64, x place) ants.Action {
	return ants.Action((draw ^ uint64(p.cell(x))*0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93 >> 62)
}
