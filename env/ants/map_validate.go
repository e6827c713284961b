// What makes a map playable, and the errors that say why one is not.

package ants

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
)

// A MapCode names what is wrong with a map.
type MapCode string

// The map codes.
const (
	CodeSyntax          MapCode = "syntax"           // not a map in that form: a missing field, a wrong type, an unknown character
	CodeSize            MapCode = "size"             // rows, columns, seats or the text itself out of range
	CodeRuns            MapCode = "runs"             // water runs that do not cover the board
	CodeOutside         MapCode = "outside"          // a hill, food or ant off the board
	CodeOwner           MapCode = "owner"            // a hill or ant of no seat
	CodeOrder           MapCode = "order"            // the move's order is not the number of seats
	CodeNotClosedWater  MapCode = "not_closed_water" // the move does not map water to water
	CodeNotClosedHills  MapCode = "not_closed_hills" // the move does not map each seat's hills to the next seat's
	CodeNotClosedFood   MapCode = "not_closed_food"  // the move does not map food to food
	CodeHills           MapCode = "hills"            // too many hills, or a seat without where the map has a move
	CodeHillTwice       MapCode = "hill_twice"       // two hills on one cell
	CodeHillOnWater     MapCode = "hill_on_water"    // a hill on water
	CodeHillWalledIn    MapCode = "hill_walled_in"   // a hill with water on all four sides
	CodeHillUnreachable MapCode = "hill_unreachable" // no way over land from the first hill to another
	CodeNotConnected    MapCode = "not_connected"    // land that no hill's ant can reach
	CodeFoodOnHill      MapCode = "food_on_hill"     // food on a hill
	CodeFoodOnWater     MapCode = "food_on_water"    // food on water
	CodeFoodTwice       MapCode = "food_twice"       // two food on one cell
	CodeFoodTarget      MapCode = "food_target"      // a food target below 0 or over the number of cells
	CodeAntOnWater      MapCode = "ant_on_water"     // an ant on water
	CodeAntTwice        MapCode = "ant_twice"        // two ants on one cell
	CodeAsymmetric      MapCode = "asymmetric"       // contest food on a map that no symmetry maps onto itself
	CodeUnknown         MapCode = "unknown"          // no bundled map of that name
	CodeOptions         MapCode = "options"          // generator options that no map can have
	CodeGenerate        MapCode = "generate"         // no attempt at generating made a good map
)

// A MapError says what is wrong with a map. It wraps env.ErrMap.
type MapError struct {
	Code MapCode
	Msg  string
}

// Error is the code and the message after env.ErrMap's own text.
func (e *MapError) Error() string { return fmt.Sprintf("%v: %s: %s", env.ErrMap, e.Code, e.Msg) }

// Unwrap is env.ErrMap.
func (e *MapError) Unwrap() error { return env.ErrMap }

func mapErrorf(code MapCode, format string, a ...any) *MapError {
	return &MapError{Code: code, Msg: fmt.Sprintf(format, a...)}
}

// checkSize bounds what everything else is allocated by.
func (m *Map) checkSize() error {
	if m.Rows < 1 || m.Rows > MaxSide || m.Cols < 1 || m.Cols > MaxSide {
		return mapErrorf(CodeSize, "board of %dx%d, want 1..%d a side", m.Rows, m.Cols, MaxSide)
	}
	if m.Players < MinSeats || m.Players > MaxSeats {
		return mapErrorf(CodeSize, "%d players, want %d..%d", m.Players, MinSeats, MaxSeats)
	}
	return nil
}

// Validate tells whether the map can be played on. Errors are *MapError.
//
// A map with a translation must have the order, the closure and the
// connections that the rules ask for. One without (the text form) may have any
// symmetry or none, pools of land that no ant can reach and seats without
// hills, as the contest's own boards and cases do: of such a map only sizes,
// owners and what stands where are checked.
func (m *Map) Validate() error {
	if err := m.checkSize(); err != nil {
		return err
	}
	if len(m.Water) != m.Rows*m.Cols {
		return mapErrorf(CodeRuns, "water of %d cells on a board of %d", len(m.Water), m.Rows*m.Cols)
	}
	if err := m.checkPlaces(); err != nil {
		return err
	}
	if m.Symmetry == nil {
		return nil
	}
	if err := m.checkClosed(); err != nil {
		return err
	}
	return m.checkConnected()
}

// checkPlaces checks each hill, food and ant by itself.
func (m *Map) checkPlaces() error {
	cells := len(m.Water)
	at := func(c int32) string { return fmt.Sprintf("%d,%d", int(c)/m.Cols, int(c)%m.Cols) }
	outside := func(what string, i int, c int32) error {
		if c < 0 || int(c) >= cells {
			return mapErrorf(CodeOutside, "%s %d at cell %d of %d", what, i, c, cells)
		}
		return nil
	}
	if len(m.Hills) > MaxHills {
		return mapErrorf(CodeHills, "%d hills, at most %d", len(m.Hills), MaxHills)
	}
	hill, food, ant := make([]bool, cells), make([]bool, cells), make([]bool, cells)
	for i, h := range m.Hills {
		if err := outside("hill", i, h.Cell); err != nil {
			return err
		}
		if int(h.Owner) >= m.Players {
			return mapErrorf(CodeOwner, "hill %d is seat %d's, of %d seats", i, h.Owner, m.Players)
		}
		if m.Water[h.Cell] {
			return mapErrorf(CodeHillOnWater, "hill %d at %s", i, at(h.Cell))
		}
		if hill[h.Cell] {
			return mapErrorf(CodeHillTwice, "hill %d at %s", i, at(h.Cell))
		}
		hill[h.Cell] = true
	}
	for i, c := range m.Food {
		if err := outside("food", i, c); err != nil {
			return err
		}
		if m.Water[c] {
			return mapErrorf(CodeFoodOnWater, "food %d at %s", i, at(c))
		}
		if hill[c] {
			return mapErrorf(CodeFoodOnHill, "food %d at %s", i, at(c))
		}
		if food[c] {
			return mapErrorf(CodeFoodTwice, "food %d at %s", i, at(c))
		}
		food[c] = true
	}
	for i, a := range m.Ants {
		if err := outside("ant", i, a.Cell); err != nil {
			return err
		}
		if int(a.Owner) >= m.Players {
			return mapErrorf(CodeOwner, "ant %d is seat %d's, of %d seats", i, a.Owner, m.Players)
		}
		if m.Water[a.Cell] {
			return mapErrorf(CodeAntOnWater, "ant %d at %s", i, at(a.Cell))
		}
		if ant[a.Cell] {
			return mapErrorf(CodeAntTwice, "ant %d at %s", i, at(a.Cell))
		}
		ant[a.Cell] = true
	}
	if m.FoodTarget < 0 || m.FoodTarget > cells {
		return mapErrorf(CodeFoodTarget, "food target %d on a board of %d cells", m.FoodTarget, cells)
	}
	return nil
}

// order is how often the move is applied until every cell is back.
func (s Shift) order(rows, cols int) int {
	return lcm(rows/gcd(rows, s.DR), cols/gcd(cols, s.DC))
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func lcm(a, b int) int { return a / gcd(a, b) * b }

// checkClosed checks that the move is of the right order and carries seat k's
// board to seat k+1's. Every seat's n-th hill must be the same hill moved.
func (m *Map) checkClosed() error {
	s := *m.Symmetry
	if s.DR < 0 || s.DR >= m.Rows || s.DC < 0 || s.DC >= m.Cols {
		return mapErrorf(CodeOrder, "move by %d,%d on a board of %dx%d", s.DR, s.DC, m.Rows, m.Cols)
	}
	if n := s.order(m.Rows, m.Cols); n != m.Players {
		return mapErrorf(CodeOrder, "move by %d,%d has order %d on a board of %dx%d, want %d, the number of players",
			s.DR, s.DC, n, m.Rows, m.Cols, m.Players)
	}
	for c := range int32(len(m.Water)) {
		if m.Water[c] != m.Water[m.shift(c)] {
			return mapErrorf(CodeNotClosedWater, "cell %d,%d is not like the cell it is moved to", int(c)/m.Cols, int(c)%m.Cols)
		}
	}
	hills := make([][]int32, m.Players)
	for _, h := range m.Hills {
		hills[h.Owner] = append(hills[h.Owner], h.Cell)
	}
	for seat, own := range hills {
		if len(own) == 0 {
			return mapErrorf(CodeHills, "seat %d has no hill", seat)
		}
	}
	for seat, own := range hills {
		next := (seat + 1) % m.Players
		if len(own) != len(hills[next]) {
			return mapErrorf(CodeNotClosedHills, "seat %d has %d hills, seat %d has %d", seat, len(own), next, len(hills[next]))
		}
		for i, c := range own {
			if m.shift(c) != hills[next][i] {
				return mapErrorf(CodeNotClosedHills, "hill %d of seat %d, at %d,%d, is not moved to hill %d of seat %d",
					i, seat, int(c)/m.Cols, int(c)%m.Cols, i, next)
			}
		}
	}
	food := make([]bool, len(m.Water))
	for _, c := range m.Food {
		food[c] = true
	}
	for i, c := range m.Food {
		if !food[m.shift(c)] {
			return mapErrorf(CodeNotClosedFood, "food %d, at %d,%d, is moved to a cell without", i, int(c)/m.Cols, int(c)%m.Cols)
		}
	}
	return nil
}

// checkConnected checks that ants can walk from every hill to every land cell.
func (m *Map) checkConnected() error {
	for i, h := range m.Hills {
		free := false
		for a := North; a < Stay; a++ {
			free = free || !m.Water[m.Neighbour(h.Cell, a)]
		}
		if !free {
			return mapErrorf(CodeHillWalledIn, "hill %d at %d,%d", i, int(h.Cell)/m.Cols, int(h.Cell)%m.Cols)
		}
	}
	reached := m.reach(m.Hills[0].Cell)
	for i, h := range m.Hills {
		if !reached[h.Cell] {
			return mapErrorf(CodeHillUnreachable, "hill %d at %d,%d from hill 0", i, int(h.Cell)/m.Cols, int(h.Cell)%m.Cols)
		}
	}
	for c, ok := range reached {
		if !ok && !m.Water[c] {
			return mapErrorf(CodeNotConnected, "no way to the land at %d,%d", c/m.Cols, c%m.Cols)
		}
	}
	return nil
}

// reach is the land that can be walked to from a cell.
func (m *Map) reach(from int32) []bool {
	reached := make([]bool, len(m.Water))
	reached[from] = true
	queue := []int32{from}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		for a := North; a < Stay; a++ {
			if n := m.Neighbour(c, a); !reached[n] && !m.Water[n] {
				reached[n] = true
				queue = append(queue, n)
			}
		}
	}
	return reached
}
