package policy

import "github.com/myriant-rl/myriant/env/ants"

// A sight is a view laid out by cell, and the orders as far as they are made.
// Slices have one entry a cell.
type sight struct {
	rows, cols int

	mine  []bool // own ants
	foes  []bool // visible ants of other seats
	food  []bool // visible food
	homes []bool // visible own standing hills
	hills []bool // visible standing hills of other seats
	dark  []bool // neither visible nor known water
	open  []bool // seen, not known water, and no food that refuses moves
	shut  []bool // known to refuse moves

	waiting  []bool // own ants without an order
	occupied []bool // cells of own ants, after the orders made so far
	barred   []bool // cells that waiting ants must not enter
	orders   []ants.Action
}

func newSight(v *ants.View) *sight {
	n := v.Rows * v.Cols
	s := &sight{rows: v.Rows, cols: v.Cols, orders: make([]ants.Action, n)}
	for _, plane := range []*[]bool{
		&s.mine, &s.foes, &s.food, &s.homes, &s.hills, &s.dark, &s.open, &s.shut, &s.waiting, &s.occupied, &s.barred,
	} {
		*plane = make([]bool, n)
	}
	for _, cell := range v.Mine {
		s.mine[cell], s.waiting[cell], s.occupied[cell] = true, true, true
		s.orders[cell] = ants.Stay
	}
	for _, foe := range v.Foes {
		s.foes[foe.Cell] = true
	}
	for _, cell := range v.Food {
		s.food[cell] = true
	}
	for _, h := range v.Hills {
		if h.Owner == 0 {
			s.homes[h.Cell] = true
		} else {
			s.hills[h.Cell] = true
		}
	}
	for cell := range n {
		s.shut[cell] = v.Water[cell] || v.FoodBlocks && s.food[cell]
		s.open[cell] = v.Seen[cell] && !s.shut[cell]
		s.dark[cell] = !v.Visible[cell] && !v.Water[cell]
	}
	return s
}

// offset is the cell dr rows and dc columns away on the torus.
func (s *sight) offset(cell, dr, dc int) int {
	return wrap(cell/s.cols+dr, s.rows)*s.cols + wrap(cell%s.cols+dc, s.cols)
}

// wrap is v modulo n, 0..n-1. v is a few steps outside at most.
func wrap(v, n int) int {
	for v < 0 {
		v += n
	}
	for v >= n {
		v -= n
	}
	return v
}

// step is the cell that an action leads to.
func (s *sight) step(cell int, a ants.Action) int {
	dr, dc := ants.Delta(a)
	return s.offset(cell, dr, dc)
}

// order gives a waiting ant its order.
func (s *sight) order(cell int, a ants.Action) {
	s.occupied[cell] = false
	s.occupied[s.step(cell, a)] = true
	s.waiting[cell] = false
	s.orders[cell] = a
}

// free tells whether a waiting ant may be ordered to enter a cell.
func (s *sight) free(cell int) bool { return !s.occupied[cell] && !s.barred[cell] }

// appendOrders appends the orders of all own ants in row-major order.
func (s *sight) appendOrders(dst []byte, v *ants.View) []byte {
	for _, cell := range v.Mine {
		dst = append(dst, s.orders[cell])
	}
	return dst
}

// rotation is the direction that a cell looks at first.
func rotation(draw uint64, cell int) ants.Action {
	return ants.Action((draw ^ uint64(cell)*0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93 >> 62)
}

// around lists the four directions clockwise from the first.
func around(first ants.Action) [4]ants.Action {
	return [4]ants.Action{first, (first + 1) % 4, (first + 2) % 4, (first + 3) % 4}
}
