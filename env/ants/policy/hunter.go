package policy

import "github.com/myriant-rl/myriant/env/ants"

const (
	// FoeLevel is the level at which enemy ants enter hunter's spread wave.
	FoeLevel = 7
	// HomeReach is how many rows and columns away from a visible own hill an
	// enemy ant enters that wave at level 0.
	HomeReach = 6
)

// hunter plays greedy's game, keeps out of the reach of enemy ants until
// enough friends are there to win the fight, and then attacks.
type hunter struct{}

func (hunter) Name() string { return "hunter" }

func (hunter) Act(dst []byte, v *ants.View, draw uint64) []byte {
	s := newSight(v)
	s.combat(draw)
	s.gather(draw)
	s.spread(draw, s.prey())
	return s.appendOrders(dst, v)
}

// prey is the sources of hunter's spread wave.
func (s *sight) prey() []int {
	home := make([]bool, len(s.open))
	for cell := range s.homes {
		if !s.homes[cell] {
			continue
		}
		for dr := -HomeReach; dr <= HomeReach; dr++ {
			for dc := -HomeReach; dc <= HomeReach; dc++ {
				home[s.offset(cell, dr, dc)] = true
			}
		}
	}
	sources := s.targets()
	for cell := range sources {
		switch {
		case !s.foes[cell] || sources[cell] == 0:
		case home[cell]:
			sources[cell] = 0
		default:
			sources[cell] = FoeLevel
		}
	}
	return sources
}

// A fight is what hunter reckons about combat before anybody moves.
type fight struct {
	*sight
	danger []bool // in reach of an enemy ant
	power  []int  // against the enemy ant on a cell
}

func (s *sight) newFight() *fight {
	f := &fight{s, make([]bool, len(s.open)), make([]int, len(s.open))}
	for cell := range s.foes {
		if !s.foes[cell] {
			continue
		}
		for _, o := range reach {
			f.danger[s.offset(cell, o[0], o[1])] = true
		}
		f.power[cell] = 2*s.count(s.mine, reach, cell) + s.count(s.mine, ring, cell)
	}
	return f
}

// threat is the number of enemy ants that can attack a cell after their move.
func (f *fight) threat(cell int) int { return f.count(f.foes, reach, cell) }

// won tells whether an ant may go to a cell in danger: every enemy ant that
// can attack it there has more to fear.
func (f *fight) won(cell int) bool {
	threat := f.threat(cell)
	for _, o := range reach {
		if foe := f.offset(cell, o[0], o[1]); f.foes[foe] && f.power[foe] <= 2*threat {
			return false
		}
	}
	return true
}

// combat orders the ants that are about to meet enemies, and bars danger to
// the others.
func (s *sight) combat(draw uint64) {
	f := s.newFight()
	for cell := range s.mine {
		if !s.mine[cell] {
			continue
		}
		directions := around(rotation(draw, cell))
		if a, ok := f.attack(cell, directions); ok {
			s.order(cell, a)
		} else if f.danger[cell] {
			s.order(cell, f.retreat(cell, directions))
		}
	}
	s.barred = f.danger
}

// attack is the best action that leads to a won cell.
func (f *fight) attack(cell int, directions [4]ants.Action) (best ants.Action, ok bool) {
	most, threat := 0, 0
	consider := func(a ants.Action, to int) {
		if !f.danger[to] || !f.won(to) {
			return
		}
		n, t := f.count(f.foes, strike, to), f.threat(to)
		if !ok || n > most || n == most && t > threat {
			best, ok, most, threat = a, true, n, t
		}
	}
	for _, a := range directions {
		if to := f.step(cell, a); f.open[to] && f.free(to) {
			consider(a, to)
		}
	}
	consider(ants.Stay, cell)
	return best, ok
}

// retreat is the action that leads to the least threat.
func (f *fight) retreat(cell int, directions [4]ants.Action) ants.Action {
	best, least := ants.Stay, f.threat(cell)
	for _, a := range directions {
		if to := f.step(cell, a); f.open[to] && f.free(to) {
			if t := f.threat(to); t < least {
				best, least = a, t
			}
		}
	}
	return best
}
