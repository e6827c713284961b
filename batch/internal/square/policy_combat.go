package square

import (
	"math/bits"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// windowSide is the side of the window of cells around an ant that combat
// looks at: the ring of its own cell, and the reach of the cells beside it.
const windowSide = 9

// A window is a square of windowSide cells around a cell, row by row, lowest
// bit first: rows 0..6 in lo, 7 and 8 in hi.
type window struct{ lo, hi uint64 }

const loRows = 7

func (x window) and(y window) window { return window{x.lo & y.lo, x.hi & y.hi} }

func (x window) count() int { return bits.OnesCount64(x.lo) + bits.OnesCount64(x.hi) }

func (x *window) set(dr, dc int) {
	row, col := dr+windowSide/2, dc+windowSide/2
	if row < loRows {
		x.lo |= 1 << (row*windowSide + col)
	} else {
		x.hi |= 1 << ((row-loRows)*windowSide + col)
	}
}

// The shapes of package policy as windows: strike and reach around the cell
// that each action leads to, and reach with its ring around the cell itself.
var strikeAt, reachAt [ants.NumActions]window
var ringAndReach window

func init() {
	inStrike := func(dr, dc int) bool { return dr*dr+dc*dc <= policy.AttackRadius2 }
	grown := func(in func(dr, dc int) bool) func(dr, dc int) bool {
		return func(dr, dc int) bool {
			return in(dr, dc) || in(dr-1, dc) || in(dr+1, dc) || in(dr, dc-1) || in(dr, dc+1)
		}
	}
	inReach := grown(inStrike)
	inRing := grown(inReach)
	const side = windowSide / 2
	for dr := -side; dr <= side; dr++ {
		for dc := -side; dc <= side; dc++ {
			for a := range ants.NumActions {
				ar, ac := ants.Delta(a)
				if inStrike(dr-ar, dc-ac) {
					strikeAt[a].set(dr, dc)
				}
				if inReach(dr-ar, dc-ac) {
					reachAt[a].set(dr, dc)
				}
			}
			if inRing(dr, dc) {
				ringAndReach.set(dr, dc)
			}
		}
	}
}

// hunter orders by the hunter policy.
func (s *scratch) hunter(draw uint64) {
	begun := s.anyHills
	s.fought = s.anyFoes
	if s.fought {
		s.combat(draw)
		begun = s.hunt() || begun
	}
	s.gather(draw)
	s.spread(draw, begun)
}

// hunt adds the enemy ants near home to the targets of level 0 and the others
// to s.prey. It tells whether there are any near home.
// Reference: prey of package policy.
func (s *scratch) hunt() bool {
	prey, hills := s.prey[:s.pw], s.hills[:s.pw]
	home := s.hit[:s.pw] // free until the first wave
	clear(home)
	for _, h := range s.homes {
		var columns [4]uint64
		x := h
		for range policy.HomeReach {
			x = s.step(x, ants.West)
		}
		for range 2*policy.HomeReach + 1 {
			columns[x.w] |= 1 << (x.c & 63)
			x = s.step(x, ants.East)
		}
		for range policy.HomeReach {
			x = s.step(x, ants.North)
		}
		for range 2*policy.HomeReach + 1 {
			for w := range s.words {
				home[w*s.stride+x.r] |= columns[w]
			}
			x = s.step(x, ants.South)
		}
	}
	near, rest := uint64(0), uint64(0)
	for i, f := range s.foes[:s.pw] {
		raid := f & home[i]
		hills[i] |= raid
		prey[i] = f &^ hills[i]
		near, rest = near|raid, rest|prey[i]
	}
	s.anyPrey = rest != 0
	return near != 0
}

// combat orders the ants that are about to meet enemies, and bars danger to
// the others. Reference: combat of package policy.
func (s *scratch) combat(draw uint64) {
	danger, contact := s.danger[:s.pw], s.contact[:s.pw]
	s.strike.Dilate(contact, s.foes, s.disk)
	s.plus.Dilate(danger, contact, s.disk)
	s.plus.Dilate(contact, danger, s.disk)
	any := uint64(0)
	for i, m := range s.mine[:s.pw] {
		contact[i] &= m
		any |= contact[i]
	}
	if any != 0 {
		clear(s.rated[:s.pw])
		for r := range s.rows {
			for w := range s.words {
				for m := contact[w*s.stride+r]; m != 0; m &= m - 1 {
					s.meet(place{w, r, bits.TrailingZeros64(m)}, draw)
				}
			}
		}
	}
	for i, d := range danger {
		s.blocked[i] |= d
	}
}

// meet orders one ant to attack or to retreat, or lets it wait.
func (s *scratch) meet(x place, draw uint64) {
	foes := s.window(s.foes, x)
	var power [windowSide * windowSide]uint8
	s.rate(x, foes.and(ringAndReach), &power)
	first := s.rotation(draw, x)
	best, ok, most, threat := ants.Stay, false, 0, 0
	retreat, least := ants.Stay, foes.and(reachAt[ants.Stay]).count()
	for i := range ants.Action(5) {
		a, to := ants.Stay, x
		if i < 4 {
			a = (first + i) % 4
			to = s.step(x, a)
			if at := s.at(to); s.open[at]&^s.blocked[at]>>(to.c&63)&1 == 0 {
				continue
			}
		}
		near := foes.and(reachAt[a])
		t := near.count()
		if t < least {
			retreat, least = a, t
		}
		if t == 0 || !won(near, &power, 2*t) {
			continue
		}
		if n := foes.and(strikeAt[a]).count(); !ok || n > most || n == most && t > threat {
			best, ok, most, threat = a, true, n, t
		}
	}
	if ok {
		s.order(x, best)
	} else if s.bit(s.danger, x) {
		s.order(x, retreat)
	}
}

// won tells whether the power against each of the enemy ants is above a bound.
func won(foes window, power *[windowSide * windowSide]uint8, bound int) bool {
	for m := foes.lo; m != 0; m &= m - 1 {
		if int(power[bits.TrailingZeros64(m)]) <= bound {
			return false
		}
	}
	for m := foes.hi; m != 0; m &= m - 1 {
		if int(power[loRows*windowSide+bits.TrailingZeros64(m)]) <= bound {
			return false
		}
	}
	return true
}

// rate looks up the power against each enemy ant in a window around x.
func (s *scratch) rate(x place, foes window, power *[windowSide * windowSide]uint8) {
	for m := foes.lo; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		power[i] = s.powerAt(s.move(x, i))
	}
	for m := foes.hi; m != 0; m &= m - 1 {
		i := loRows*windowSide + bits.TrailingZeros64(m)
		power[i] = s.powerAt(s.move(x, i))
	}
}

// move is the place that cell i of the window around x is.
func (p *plan) move(x place, i int) place {
	r, c := x.r+i/windowSide-windowSide/2, x.w*64+x.c+i%windowSide-windowSide/2
	for r < 0 {
		r += p.rows
	}
	for r >= p.rows {
		r -= p.rows
	}
	for c < 0 {
		c += p.cols
	}
	for c >= p.cols {
		c -= p.cols
	}
	return place{c / 64, r, c % 64}
}

// powerAt is the power against the enemy ant at a place.
func (s *scratch) powerAt(x place) uint8 {
	i := s.at(x)
	slot, bit := i*64+x.c, uint64(1)<<(x.c&63)
	if s.rated[i]&bit == 0 {
		s.rated[i] |= bit
		mine := s.window(s.mine, x)
		s.power[slot] = uint8(mine.and(reachAt[ants.Stay]).count() + mine.and(ringAndReach).count())
	}
	return s.power[slot]
}

// window is the window of a plane around a place.
func (p *plan) window(plane []uint64, x place) (v window) {
	if p.narrow {
		return p.windowSlow(plane, x)
	}
	const half = windowSide / 2
	from := x.w*64 + x.c - half
	if from < 0 {
		from += p.cols
	}
	r := x.r - half
	if r < 0 {
		r += p.rows
	}
	for i := range windowSide {
		bits := p.columns(plane, r, from)
		if i < loRows {
			v.lo |= bits << (i * windowSide)
		} else {
			v.hi |= bits << ((i - loRows) * windowSide)
		}
		if r++; r == p.rows {
			r = 0
		}
	}
	return v
}

// columns is windowSide columns of a row of a plane, from the given one on.
func (p *plan) columns(plane []uint64, r, from int) uint64 {
	const mask = 1<<windowSide - 1
	w, shift := from/64, from%64
	x := plane[w*p.stride+r] >> (shift & 63)
	for got := p.width(w) - shift; got < windowSide; got += p.width(w) {
		if w++; w == p.words {
			w = 0
		}
		x |= plane[w*p.stride+r] << (got & 63)
	}
	return x & mask
}

// windowSlow is window on boards of any size: a cell comes up once for each
// offset that leads to it.
func (p *plan) windowSlow(plane []uint64, x place) (v window) {
	const half = windowSide / 2
	for i := range windowSide * windowSide {
		if p.bit(plane, p.move(x, i)) {
			v.set(i/windowSide-half, i%windowSide-half)
		}
	}
	return v
}
