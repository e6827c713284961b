package formicaref

import "github.com/myriant-rl/myriant/env/formica"

// stay is the intent of an ant that does not move.
const stay = formica.NoCell

// A mind is what one ant decides from: the arrays as they were before anyone
// moved.
type mind struct {
	e      *Engine
	seat   int
	k      *formica.Colony
	a      *formica.Ant
	counts [][]int // ants by seat and cell
	draw   uint64  // StreamAnt, home, index
}

// intents is a direction, or stay, for every ant of every seat, all decided
// from the arrays before the move. In this order:
//
//  1. Under defend an ant that is neither defender nor raider stays if bits
//     56..63 of its draw are below DefendSkip.
//  2. An ant that carries goes home.
//  3. Otherwise as its role says, see forager, defender, expander, raider and
//     builder.
//
// To go home, or toward any cell, is a step by Geometry.Toward with the
// colony's home direction: of the directions that lead nearer, the first in
// scan order. An ant that is there stays.
func (e *Engine) intents() [][]int {
	counts := e.antsAt()
	all := make([][]int, len(e.s.Colonies))
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		for i := range k.Ants {
			m := mind{e: e, seat: seat, k: k, a: &k.Ants[i], counts: counts, draw: e.draw(formica.StreamAnt, int(k.Home), i)}
			all[seat] = append(all[seat], m.intent())
		}
	}
	return all
}

func (m *mind) intent() int {
	fighter := m.a.Role == formica.RoleDefense || m.a.Role == formica.RoleRaid
	if m.k.Order.Defend && !fighter && int(m.draw>>56) < m.e.c.DefendSkip {
		return stay
	}
	if m.a.Carry > 0 {
		return m.homeward()
	}
	switch m.a.Role {
	case formica.RoleForage:
		return m.forager()
	case formica.RoleDefense:
		return m.defender()
	case formica.RoleExpansion:
		return m.expander()
	case formica.RoleRaid:
		return m.raider()
	case formica.RoleBuild:
		return m.builder()
	}
	panic("formicaref: unknown role")
}

// move takes all steps at once. An ant that steps looks in that direction. The
// trip of a forager without a load goes up by 1, up to FruitlessTicks, whether
// it stepped or not.
func (e *Engine) move(intents [][]int) {
	for seat := range e.s.Colonies {
		k := &e.s.Colonies[seat]
		for i := range k.Ants {
			a := &k.Ants[i]
			if d := intents[seat][i]; d != stay {
				a.Cell, a.Heading = uint16(e.b.Neighbours[a.Cell][d]), uint8(d)
			}
			if a.Role == formica.RoleForage && a.Carry == 0 {
				a.Trip = uint8(min(int(a.Trip)+1, e.c.FruitlessTicks))
			}
		}
	}
}
