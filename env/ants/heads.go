// How policy heads become actions: masks and argmax, for both shapes. The
// shapes are declared in layout.go, the channel order in head.go.

package ants

import "math"

// stayOnly is the mask of a cell without an own ant.
var stayOnly = [NumActions]bool{Stay: true}

// Mask tells which actions of the own ant on a cell are not known to be
// refused: a direction is clear when its target is known water, or, where food
// refuses a move, visible food. Stay is always set. A cell without an own ant
// has only Stay.
func (v *View) Mask(cell int32) [NumActions]bool {
	mask := stayOnly
	if !contains(v.Mine, cell) {
		return mask
	}
	board := Map{Rows: v.Rows, Cols: v.Cols}
	for a := North; a < Stay; a++ {
		target := board.Neighbour(cell, a)
		mask[a] = !v.Water[target] && !(v.FoodBlocks && contains(v.Food, target))
	}
	return mask
}

// AntMask is the mask of each own ant, in the order of Mine.
func (v *View) AntMask() [][NumActions]bool {
	masks := make([][NumActions]bool, len(v.Mine))
	for i, cell := range v.Mine {
		masks[i] = v.Mask(cell)
	}
	return masks
}

// CellMask is the mask of each cell of the board, row-major.
func (v *View) CellMask() [][NumActions]bool {
	masks := make([][NumActions]bool, v.Rows*v.Cols)
	for cell := range masks {
		masks[cell] = v.Mask(int32(cell))
	}
	return masks
}

// Argmax is the action with the highest logit among those that the mask
// allows; nil allows all. The lowest index wins a tie, a NaN never wins, and
// Stay is the answer when nothing can win.
func Argmax(logits [NumActions]float32, mask *[NumActions]bool) Action {
	best, found := Stay, false
	for a := North; a < NumActions; a++ {
		x := logits[a]
		if math.IsNaN(float64(x)) || mask != nil && !mask[a] {
			continue
		}
		if !found || x > logits[best] {
			best, found = a, true
		}
	}
	return best
}

// AntHead turns logits of shape [N, 5], one row for each own ant in the order
// of Mine, into orders. mask has the same rows, or is nil.
func AntHead(logits [][NumActions]float32, mask [][NumActions]bool) []Action {
	orders := make([]Action, len(logits))
	for i := range logits {
		orders[i] = Argmax(logits[i], maskRow(mask, i))
	}
	return orders
}

// CellHead turns logits of shape [5, R, C], row-major, into the orders of the
// own ants, in the order of Mine. mask is by cell, or nil.
func (v *View) CellHead(logits []float32, mask [][NumActions]bool) []Action {
	orders := make([]Action, len(v.Mine))
	cells := v.Rows * v.Cols
	for i, cell := range v.Mine {
		var row [NumActions]float32
		for a := range row {
			row[a] = logits[a*cells+int(cell)]
		}
		orders[i] = Argmax(row, maskRow(mask, int(cell)))
	}
	return orders
}

func maskRow(mask [][NumActions]bool, i int) *[NumActions]bool {
	if mask == nil {
		return nil
	}
	return &mask[i]
}

// contains tells whether an ascending list has a cell.
func contains(cells []int32, cell int32) bool {
	for _, c := range cells {
		if c == cell {
			return true
		}
		if c > cell {
			return false
		}
	}
	return false
}
