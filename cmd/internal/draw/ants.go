// Pictures of maps, states, frames and views.

package draw

import "github.com/myriant-rl/myriant/env/ants"

// Map shows a map: terrain, hills, food, and the ants of a scenario.
func Map(m *ants.Map) *Picture {
	p := ground(m)
	for _, c := range m.Food {
		p.put(c, food, 0)
	}
	for _, h := range m.Hills {
		p.put(h.Cell, hill, h.Owner)
	}
	for _, a := range m.Ants {
		p.putAnt(a.Cell, a.Owner)
	}
	return p
}

// State shows a board between two turns. The state must be the map's.
func State(m *ants.Map, s *ants.State) *Picture {
	p := ground(m)
	for _, c := range s.Food {
		p.put(c, food, 0)
	}
	for _, h := range s.Hills {
		if h.Razed {
			p.put(h.Cell, ruin, 0)
		} else {
			p.put(h.Cell, hill, h.Owner)
		}
	}
	for seat, cells := range s.Ants {
		for _, c := range cells {
			p.putAnt(c, uint8(seat))
		}
	}
	return p
}

// Frame shows the board after a turn, with the deaths of the turn. The frame
// must be of a game on the map.
func Frame(m *ants.Map, f *ants.Frame) *Picture {
	p := ground(m)
	for _, h := range m.Hills {
		p.put(h.Cell, ruin, 0)
	}
	for _, c := range f.Food {
		p.put(c, food, 0)
	}
	for _, d := range f.Deaths {
		p.put(d.Cell, death, 0)
	}
	for _, h := range f.Hills {
		p.put(h.Cell, hill, h.Owner)
	}
	for _, a := range f.Ants {
		p.putAnt(a.Cell, a.Owner)
	}
	return p
}

// View shows what a seat may know, with the seats' own numbers. deaths are the
// last turn's; those on cells that the seat does not see are left out.
func View(v *ants.View, seat int, deaths []ants.Death) *Picture {
	p := newPicture(v.Rows, v.Cols)
	owner := func(relative uint8) uint8 { return uint8((int(relative) + seat) % v.Seats) }
	for c := range int32(v.Rows * v.Cols) {
		switch {
		case v.Water[c]:
			p.put(c, water, 0)
		case v.Visible[c]:
			p.put(c, land, 0)
		case v.Seen[c]:
			p.put(c, remembered, 0)
		}
	}
	for _, c := range v.Food {
		p.put(c, food, 0)
	}
	for _, d := range deaths {
		if v.Visible[d.Cell] {
			p.put(d.Cell, death, 0)
		}
	}
	for _, h := range v.Hills {
		p.put(h.Cell, hill, owner(h.Owner))
	}
	for _, c := range v.Mine {
		p.putAnt(c, uint8(seat))
	}
	for _, a := range v.Foes {
		p.putAnt(a.Cell, owner(a.Owner))
	}
	return p
}

// ground is the land and water of a map.
func ground(m *ants.Map) *Picture {
	p := newPicture(m.Rows, m.Cols)
	for c, wet := range m.Water {
		p.cells[c].kind = land
		if wet {
			p.cells[c].kind = water
		}
	}
	return p
}
