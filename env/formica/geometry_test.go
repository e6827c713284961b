package formica

import (
	"testing"

	"pgregory.net/rapid"
)

// TestGeometryEveryCell: numbering, grid and neighbours of every cell of every radius.
func TestGeometryEveryCell(t *testing.T) {
	for radius := 0; radius <= MaxRadius; radius++ {
		g := GeometryOf(radius)
		if len(g.Hexes) != g.Cells || g.Cells != 3*radius*(radius+1)+1 {
			t.Fatalf("radius %d has %d cells, want %d", radius, len(g.Hexes), g.Cells)
		}
		for cell, h := range g.Hexes {
			if g.Cell(h) != cell {
				t.Fatalf("radius %d: cell %d at %v is numbered %d", radius, cell, h, g.Cell(h))
			}
			if cell > 0 {
				if last := g.Hexes[cell-1]; last.R > h.R || last.R == h.R && last.Q >= h.Q {
					t.Fatalf("radius %d: cell %d at %v comes after %v", radius, cell, h, last)
				}
			}
			for d, next := range g.Neighbours[cell] {
				if next == NoCell {
					if h.Add(Step[d]).Length() <= radius {
						t.Fatalf("radius %d: cell %d has no neighbour in direction %d", radius, cell, d)
					}
					continue
				}
				if back := g.Neighbours[next][(d+3)%Directions]; int(back) != cell {
					t.Fatalf("radius %d: from cell %d direction %d and back leads to %d", radius, cell, d, back)
				}
				if g.Distance(cell, int(next)) != 1 {
					t.Fatalf("radius %d: neighbours %d and %d are %d apart", radius, cell, next, g.Distance(cell, int(next)))
				}
			}
		}
		if g.Cell(Hex{radius + 1, 0}) != NoCell || g.Cell(Hex{-radius - 1, 0}) != NoCell || g.Cell(Hex{0, -radius - 1}) != NoCell {
			t.Fatalf("radius %d has cells past its edge", radius)
		}
	}
}

func drawHex(t *rapid.T, name string) Hex {
	n := rapid.IntRange(-40, 40)
	return Hex{n.Draw(t, name+".q"), n.Draw(t, name+".r")}
}

// TestHexProperties: distances are a metric that turning, mirroring and moving
// keep; turns compose; directions turn into each other.
func TestHexProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawHex(t, "a"), drawHex(t, "b"), drawHex(t, "c")
		n := rapid.IntRange(-12, 12).Draw(t, "turns")
		ab := a.Sub(b).Length()
		if (ab == 0) != (a == b) || ab != b.Sub(a).Length() || ab > a.Sub(c).Length()+c.Sub(b).Length() {
			t.Fatalf("no metric: %v %v %v", a, b, c)
		}
		if ab != a.Turn(n).Sub(b.Turn(n)).Length() || ab != a.Mirror().Sub(b.Mirror()).Length() || ab != a.Add(c).Sub(b.Add(c)).Length() {
			t.Fatalf("the distance of %v and %v changes", a, b)
		}
		if a.Turn(n).Turn(-n) != a || a.Turn(6) != a || a.Mirror().Mirror() != a {
			t.Fatalf("turns of %v do not come back", a)
		}
		d := rapid.IntRange(0, 5).Draw(t, "direction")
		if Step[d].Turn(n) != Step[((d+n)%6+6)%6] {
			t.Fatalf("direction %d turned %d times is %v", d, n, Step[d].Turn(n))
		}
		// The distance is the least number of steps: some neighbour is nearer by one, none by more.
		nearer := 0
		for _, step := range Step {
			switch a.Add(step).Sub(b).Length() - ab {
			case -1:
				nearer++
			case 0, 1:
			default:
				t.Fatalf("a step from %v changes the distance to %v by more than 1", a, b)
			}
		}
		if (nearer > 0) != (a != b) || nearer > 2 && ab > 0 {
			t.Fatalf("%d of the neighbours of %v are nearer to %v", nearer, a, b)
		}
	})
}

// TestToward: walking arrives in as many steps as the distance, on the board.
func TestToward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := GeometryOf(rapid.IntRange(1, MaxRadius).Draw(t, "radius"))
		from, to := rapid.IntRange(0, g.Cells-1).Draw(t, "from"), rapid.IntRange(0, g.Cells-1).Draw(t, "to")
		home := rapid.IntRange(0, 5).Draw(t, "home")
		steps := g.Distance(from, to)
		at := from
		for range steps {
			at = int(g.Neighbours[at][g.Toward(at, to, home)])
			if at == NoCell {
				t.Fatalf("the way from %d to %d leaves the board", from, to)
			}
		}
		if at != to || g.Toward(at, to, home) != NoCell {
			t.Fatalf("%d steps from %d led to %d, not %d", steps, from, at, to)
		}
	})
}
