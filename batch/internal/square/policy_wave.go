package square

import (
	"math/bits"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// greedy orders by the greedy policy.
func (s *scratch) greedy(draw uint64) {
	s.fought = false
	s.gather(draw)
	s.spread(draw, s.anyHills)
}

// gather sends each food the waiting ant that is nearest to it.
// Reference: gather of package policy.
func (s *scratch) gather(draw uint64) {
	if !s.anyFood || s.left == 0 {
		return
	}
	free := s.free[:s.pw]
	for i, m := range s.waiting[:s.pw] {
		free[i] = s.open[i] &^ m
	}
	if s.fought {
		for i, d := range s.danger[:s.pw] {
			free[i] &^= d
		}
	}
	s.setFront(s.fronts[0], s.waiting)
	for k := range policy.GatherLevels {
		some, found := wave.grow(s.plan, s.fronts[k+1], s.fronts[k], free, s.food, s.hit)
		if found && !s.claims(k, draw) || !some {
			return
		}
	}
}

// claims orders ants to the food in s.hit, which is beside front k. It tells
// whether both ants and food are left.
func (s *scratch) claims(k int, draw uint64) bool {
	for r, pw := 0, s.pw; r < s.rows; r++ {
		for i := r; i < pw; i += s.stride {
			for m := s.hit[i]; m != 0; m &= m - 1 {
				s.claim(place{i / s.stride, r, bits.TrailingZeros64(m)}, k, draw)
			}
		}
	}
	left := uint64(0)
	for i, h := range s.hit[:s.pw] {
		s.food[i] &^= h
		left |= s.food[i]
	}
	return left != 0 && s.left > 0
}

// claim walks from a food beside front k down to an ant, and orders the ant to
// come that way. Reference: claim of package policy.
func (s *scratch) claim(food place, k int, draw uint64) {
	first := s.rotation(draw, food)
	x, back := food, ants.Stay
	for j := k; j >= 0; j-- {
		a := turned(s.beside4(s.fronts[j], x), first)
		if j < k {
			back = (a + 2) % 4
		}
		x = s.step(x, a)
	}
	if !s.bit(s.waiting, x) || back != ants.Stay && s.bit(s.blocked, s.step(x, back)) {
		return
	}
	s.order(x, back)
}

// spread moves the waiting ants one step down a wave that begins at the
// targets: s.hills at level 0, where begun tells whether there are any, the
// enemy ants of s.prey later, and dark cells. Reference: spread of package
// policy.
func (s *scratch) spread(draw uint64, begun bool) {
	if s.left == 0 {
		return
	}
	free := s.free[:s.pw]
	copy(free, s.open)
	front, next := s.fronts[0], s.fronts[1]
	some := begun
	if begun {
		s.setFront(front, s.hills)
		for i, b := range s.hills[:s.pw] {
			free[i] &^= b
		}
	}
	for k := 1; k <= policy.SpreadLevels; k++ {
		found := false
		if some {
			some, found = wave.grow(s.plan, next, front, free, s.waiting, s.hit)
		} else {
			switch { // nothing happens before the next sources
			case k <= policy.FoeLevel && s.anyPrey:
				k = policy.FoeLevel
			case k <= policy.DarkLevel:
				k = policy.DarkLevel
			default:
				return
			}
			clear(next[:s.hs*s.words])
		}
		if k == policy.FoeLevel && s.anyPrey {
			s.enter(next, s.prey)
			some = true
		}
		if k == policy.DarkLevel {
			s.enter(next, s.dark)
			some = true
		}
		if found {
			s.descend(draw, front, next)
			if s.left == 0 {
				return
			}
		}
		front, next = next, front
	}
}

// enter adds sources to a front: the cells of a plane that the wave has not
// reached. Sources that are not open are in no wave before.
func (s *scratch) enter(front, sources []uint64) {
	for w := range s.words {
		at, to := w*s.stride, w*s.hs+halo
		for r := range s.rows {
			x := sources[at+r] & (s.free[at+r] | ^s.open[at+r])
			front[to+r] |= x
			s.free[at+r] &^= x
		}
	}
	s.setHalo(front)
}

// descend orders the waiting ants in next, beside front.
func (s *scratch) descend(draw uint64, front, next []uint64) {
	for r, pw := 0, s.pw; r < s.rows; r++ {
		for i := r; i < pw; i += s.stride {
			if s.hit[i] == 0 {
				continue
			}
			w := i / s.stride
			for m := s.hit[i] & next[w*s.hs+halo+r]; m != 0; m &= m - 1 {
				x := place{w, r, bits.TrailingZeros64(m)}
				s.order(x, s.down(draw, front, x))
			}
		}
	}
}

// down is the first direction that leads to a cell of front that is not
// blocked. Reference: down of package policy.
func (s *scratch) down(draw uint64, front []uint64, x place) ants.Action {
	first := s.rotation(draw, x)
	for ways := s.beside4(front, x); ways != 0; {
		a := turned(ways, first)
		if !s.bit(s.blocked, s.step(x, a)) {
			return a
		}
		ways &^= 1 << a
	}
	return ants.Stay
}

// setFront fills a haloed plane with a plane.
func (p *plan) setFront(front, plane []uint64) {
	for w := range p.words {
		copy(front[w*p.hs+halo:], plane[w*p.stride:][:p.rows])
	}
	p.setHalo(front)
}

// setHalo repeats the rows at the edges beyond the opposite ones.
func (p *plan) setHalo(front []uint64) {
	for w := range p.words {
		column := front[w*p.hs:][:p.hs]
		column[halo-1], column[halo+p.rows] = column[halo+p.rows-1], column[halo]
	}
}

// beside4 is the directions from a place that lead into a haloed plane: bit a
// for action a.
func (p *plan) beside4(front []uint64, x place) uint {
	i := x.w*p.hs + halo + x.r
	row, c := front[i], uint(x.c)&63
	north, south := front[i-1]>>c&1, front[i+1]>>c&1
	var east, west uint64
	if c > 0 && x.c+1 < p.width(x.w) {
		east, west = row>>(c+1)&1, row>>(c-1)&1
	} else {
		e, w := p.step(x, ants.East), p.step(x, ants.West)
		east, west = front[e.w*p.hs+halo+x.r]>>(e.c&63)&1, front[w.w*p.hs+halo+x.r]>>(w.c&63)&1
	}
	return uint(north | east<<ants.East | south<<ants.South | west<<ants.West)
}

// turned is the first of some directions, clockwise from the given one. There
// is at least one.
func turned(ways uint, first ants.Action) ants.Action {
	return (first + ants.Action(bits.TrailingZeros((ways|ways<<4)>>(first&3)))) & 3
}
