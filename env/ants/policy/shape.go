package policy

// AttackRadius2 is the squared attack radius that hunter reckons with,
// whatever the rule set says.
const AttackRadius2 = 5

// A shape is a set of offsets (rows, columns) around a cell.
type shape [][2]int

// The shapes of combat, see the package comment.
var (
	strike = shapeOf(inStrike)
	reach  = shapeOf(inReach)
	ring   = shapeOf(inRing)
)

func inStrike(dr, dc int) bool { return dr*dr+dc*dc <= AttackRadius2 }

func inReach(dr, dc int) bool { return near(inStrike, dr, dc) }

func inRing(dr, dc int) bool { return near(inReach, dr, dc) && !inReach(dr, dc) }

// near tells whether an offset is in a set or one step from it.
func near(in func(dr, dc int) bool, dr, dc int) bool {
	return in(dr, dc) || in(dr-1, dc) || in(dr, dc+1) || in(dr+1, dc) || in(dr, dc-1)
}

func shapeOf(in func(dr, dc int) bool) (s shape) {
	const side = AttackRadius2 + 2 // no shape is wider
	for dr := -side; dr <= side; dr++ {
		for dc := -side; dc <= side; dc++ {
			if in(dr, dc) {
				s = append(s, [2]int{dr, dc})
			}
		}
	}
	return s
}

// count is how many offsets of a shape around a cell lead to a cell of the
// plane.
func (s *sight) count(plane []bool, around shape, cell int) (n int) {
	for _, o := range around {
		if plane[s.offset(cell, o[0], o[1])] {
			n++
		}
	}
	return n
}
