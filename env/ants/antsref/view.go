package antsref

import "github.com/myriant-rl/myriant/env/ants"

// View is what a seat may know now.
func (e *Engine) View(seat int) *ants.View {
	if !e.started {
		panic("antsref: view of a board that was never reset")
	}
	me := &e.seats[seat]
	v := &ants.View{
		Rows: e.m.Rows, Cols: e.m.Cols, Seats: len(e.seats), FoodBlocks: e.rules.FoodBlocks,
		Mine:  e.antsOf(seat),
		Water: make([]bool, len(e.ants)), Visible: make([]bool, len(e.ants)), Seen: make([]bool, len(e.ants)),
	}
	copy(v.Visible, me.visible)
	copy(v.Seen, me.known)
	for cell, owner := range e.ants {
		v.Water[cell] = me.known[cell] && e.m.Water[cell]
		if !me.visible[cell] {
			continue
		}
		if owner != nobody && owner != seat {
			v.Foes = append(v.Foes, ants.Spot{Cell: int32(cell), Owner: e.relative(owner, seat)})
		}
		if e.food[cell] {
			v.Food = append(v.Food, int32(cell))
		}
		for _, h := range e.hills {
			if int(h.Cell) == cell && !h.Razed {
				v.Hills = append(v.Hills, ants.Spot{Cell: h.Cell, Owner: e.relative(int(h.Owner), seat)})
			}
		}
	}
	return v
}

// AppendView appends the JSON form of a seat's view.
func (e *Engine) AppendView(dst []byte, seat int) []byte { return e.View(seat).AppendJSON(dst) }

// relative numbers the owners from a seat's own side: itself is 0.
func (e *Engine) relative(owner, seat int) uint8 {
	return uint8((owner - seat + len(e.seats)) % len(e.seats))
}
