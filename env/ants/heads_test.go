package ants

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

var nan = float32(math.NaN())

func TestArgmax(t *testing.T) {
	inf := float32(math.Inf(1))
	only := func(actions ...Action) *[NumActions]bool {
		var mask [NumActions]bool
		for _, a := range actions {
			mask[a] = true
		}
		return &mask
	}
	for _, c := range []struct {
		name   string
		logits [NumActions]float32
		mask   *[NumActions]bool
		want   Action
	}{
		{"highest", [5]float32{0, 1, 3, 2, -1}, nil, South},
		{"lowest index of a tie", [5]float32{0, 7, 7, 7, 0}, nil, East},
		{"all equal", [5]float32{}, nil, North},
		{"NaN first", [5]float32{nan, -5, nan, -6, -7}, nil, East},
		{"NaN last", [5]float32{-9, nan, nan, nan, nan}, nil, North},
		{"all NaN", [5]float32{nan, nan, nan, nan, nan}, nil, Stay},
		{"infinities", [5]float32{-inf, -inf, inf, 0, inf}, nil, South},
		{"all minus infinity", [5]float32{-inf, -inf, -inf, -inf, -inf}, nil, North},
		{"masked winner", [5]float32{9, 8, 7, 6, 5}, only(South, Stay), South},
		{"only stay left", [5]float32{9, 8, 7, 6, -5}, only(Stay), Stay},
		{"all masked", [5]float32{9, 8, 7, 6, 5}, only(), Stay},
		{"masked but NaN", [5]float32{nan, 8, 7, 6, 5}, only(North), Stay},
	} {
		if got := Argmax(c.logits, c.mask); got != c.want {
			t.Errorf("%s: %c, want %c", c.name, ActionChars[got], ActionChars[c.want])
		}
	}
}

// aView is a 4x5 board: own ants on cells 0 and 7, water on 5 and 15, food on 1.
//
//	a*...
//	%.a..
//	.....
//	%....
func aView(foodBlocks bool) *View {
	v := &View{Rows: 4, Cols: 5, Seats: 2, Mine: []int32{0, 7}, Food: []int32{1}, FoodBlocks: foodBlocks,
		Water: make([]bool, 20), Visible: make([]bool, 20)}
	v.Water[5], v.Water[15] = true, true
	return v
}

func TestMasks(t *testing.T) {
	v := aView(true)
	// Water lies north of cell 0, around the edge, and south of it.
	want := [][NumActions]bool{{North: false, East: false, South: false, West: true, Stay: true}, {true, true, true, true, true}}
	for i, mask := range v.AntMask() {
		if mask != want[i] {
			t.Errorf("mask of ant %d is %v, want %v", i, mask, want[i])
		}
	}
	if mask := aView(false).Mask(0); mask != [NumActions]bool{East: true, West: true, Stay: true} {
		t.Errorf("mask where food does not block is %v", mask)
	}
	for cell, mask := range v.CellMask() {
		switch cell {
		case 0, 7:
		default:
			if mask != stayOnly {
				t.Errorf("mask of cell %d without an ant is %v", cell, mask)
			}
		}
	}
	// What the seat does not know is not masked.
	v.Water[15] = false
	if !v.Mask(0)[North] {
		t.Error("unknown water is masked")
	}
}

// TestHeads: the two shapes give the same orders for the same numbers.
func TestHeads(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := aView(rapid.Bool().Draw(rt, "food blocks"))
		value := rapid.SampledFrom([]float32{nan, -2, -1, 0, 1, 2})
		byAnt := make([][NumActions]float32, len(v.Mine))
		byCell := make([]float32, int(NumActions)*v.Rows*v.Cols)
		for i, cell := range v.Mine {
			for a := range byAnt[i] {
				byAnt[i][a] = value.Draw(rt, "logit")
				byCell[a*v.Rows*v.Cols+int(cell)] = byAnt[i][a]
			}
		}
		for _, masked := range []bool{false, true} {
			var antMask, cellMask [][NumActions]bool
			if masked {
				antMask, cellMask = v.AntMask(), v.CellMask()
			}
			ant, cell := AntHead(byAnt, antMask), v.CellHead(byCell, cellMask)
			for i := range v.Mine {
				if ant[i] != cell[i] {
					rt.Fatalf("ant %d: %c by ant, %c by cell", i, ActionChars[ant[i]], ActionChars[cell[i]])
				}
				if masked && !antMask[i][ant[i]] {
					rt.Fatalf("ant %d: masked action %c", i, ActionChars[ant[i]])
				}
			}
		}
	})
}

func TestViewJSON(t *testing.T) {
	v := aView(true)
	v.Foes = []Spot{{Cell: 9, Owner: 1}}
	v.Hills = []Spot{{Cell: 0, Owner: 0}, {Cell: 19, Owner: 1}}
	for cell := range 12 {
		v.Visible[cell] = true
	}
	want := `{"size":[4,5],"mine":[[0,0],[1,2]],"foes":[[1,4,1]],"food":[[0,1]],"hills":[[0,0,0],[3,4,1]],` +
		`"water":{"rle":[0,5,1,1,0,9,1,1,0,4]},"vis":{"rle":[1,12,0,8]}}`
	if got := string(v.AppendJSON([]byte("x"))); got != "x"+want {
		t.Errorf("view is\n%s\nwant\n%s", got[1:], want)
	}
	empty := &View{Rows: 1, Cols: 2, Water: make([]bool, 2), Visible: make([]bool, 2)}
	want = `{"size":[1,2],"mine":[],"foes":[],"food":[],"hills":[],"water":{"rle":[0,2]},"vis":{"rle":[0,2]}}`
	if got := string(empty.AppendJSON(nil)); got != want {
		t.Errorf("empty view is\n%s\nwant\n%s", got, want)
	}
}
