// Pictures of Formica: states and what a seat may know.

package draw

import "github.com/myriant-rl/myriant/env/formica"

// at is the place of a cell in the picture.
func (p *Picture) at(h formica.Hex) *thing {
	return &p.cells[(h.R+p.radius)*p.cols+h.Q+p.radius]
}

// putMany shows n things unless the cell shows something higher.
func (p *Picture) putMany(h formica.Hex, k kind, seat, n int) {
	if t := p.at(h); k > t.kind {
		*t = thing{kind: k, seat: uint8(seat), n: uint8(min(n, 255)), ground: t.ground}
	}
}

// putColony shows n ants of a colony; on its nest the two are one.
func (p *Picture) putColony(h formica.Hex, seat, n int) {
	t := p.at(h)
	switch {
	case t.kind == antOnHill && int(t.seat) == seat:
		t.n = uint8(min(n, 255))
	case t.kind == antOnHill:
		// A nest hides its guests.
	case t.kind != ant || n > int(t.n):
		*t = thing{kind: ant, seat: uint8(seat), n: uint8(min(n, 255)), ground: t.ground}
	}
}

// hold colours the ground that a seat holds.
func (p *Picture) hold(h formica.Hex, seat int) {
	*p.at(h) = thing{kind: held, seat: uint8(seat), ground: uint8(seat) + 1}
}

// Formica shows a board while a phase waits. Of the colonies on a cell the one
// with the most ants is shown, of equal ones the first.
func Formica(c *formica.Config, b *formica.Board, s *formica.State) *Picture {
	p := newHexes(b.Radius)
	for cell, h := range b.Hexes {
		p.at(h).kind = land
		if owner := int(s.Owner[cell]); owner < len(s.Colonies) && s.Colonies[owner].Alive && s.Holds(c, owner, cell) {
			p.hold(h, owner)
		}
		if n := int(s.Food[cell]); n > 0 {
			p.putMany(h, food, 0, n)
		}
	}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		if k.Alive {
			p.putMany(b.Hexes[k.Nest], antOnHill, seat, 0)
		} else {
			p.putMany(b.Hexes[k.Nest], ruin, seat, 0)
		}
	}
	for seat := range s.Colonies {
		count := map[uint16]int{}
		for _, a := range s.Colonies[seat].Ants {
			count[a.Cell]++
		}
		for cell, n := range count {
			p.putColony(b.Hexes[cell], seat, n)
		}
	}
	return p
}

// FormicaView shows what a seat may know and nothing else: its ants, the ground
// that it holds, food and rivals that its ants see, the scent of rivals, nests
// that it has found. The cells where its ants see food are in sight.
func FormicaView(c *formica.Config, b *formica.Board, o *formica.Observation) *Picture {
	p := newHexes(b.Radius)
	for _, h := range b.Hexes {
		for _, a := range o.Ants {
			if h.Sub(b.Hexes[a.Cell]).Length() <= c.FoodSight {
				p.at(h).kind = land
				break
			}
		}
	}
	for _, cell := range o.Colony.Territory {
		p.hold(b.Hexes[cell], o.Slot)
	}
	for _, f := range o.Food {
		p.putMany(b.Hexes[f.Cell], food, 0, int(f.Amount))
	}
	for _, s := range o.Scent {
		if s.Amount > 0 {
			p.putMany(b.Hexes[s.Cell], scent, 0, int(s.Amount))
		}
	}
	if o.Colony.Population > 0 {
		p.putMany(b.Hexes[o.Colony.Nest], antOnHill, o.Slot, 0)
	}
	for _, n := range o.Nests {
		p.putMany(b.Hexes[n.Cell], antOnHill, n.Slot, 0)
	}
	own := map[int32]int{}
	for _, a := range o.Ants {
		own[a.Cell]++
	}
	for cell, n := range own {
		p.putColony(b.Hexes[cell], o.Slot, n)
	}
	rivals := map[[2]int32]int{}
	for _, r := range o.Rivals {
		rivals[[2]int32{r.Cell, int32(r.Slot)}]++
	}
	for seat := range o.Alive {
		for cell := range int32(b.Cells) {
			if n := rivals[[2]int32{cell, int32(seat)}]; n > 0 {
				p.putColony(b.Hexes[cell], seat, n)
			}
		}
	}
	return p
}
