package ants

// An Action is what one ant is told to do. The values are the channel order of
// both policy heads.
type Action = uint8

// The actions.
const (
	North Action = iota
	East
	South
	West
	Stay
	NumActions
)

// ActionChars are the characters that orders are written with, by action.
const ActionChars = "NESW-"

// Delta is the step of an action in rows and columns.
func Delta(a Action) (dr, dc int) {
	switch a {
	case North:
		return -1, 0
	case East:
		return 0, 1
	case South:
		return 1, 0
	case West:
		return 0, -1
	}
	return 0, 0
}

// Neighbour is the cell one action away on the torus.
func (m *Map) Neighbour(cell int32, a Action) int32 {
	dr, dc := Delta(a)
	r := (int(cell)/m.Cols + dr + m.Rows) % m.Rows
	c := (int(cell)%m.Cols + dc + m.Cols) % m.Cols
	return int32(r*m.Cols + c)
}
