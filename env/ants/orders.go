// The contest's order lines, "o row col direction", and what the contest's
// engine says about each.

package ants

import (
	"slices"
	"strconv"
	"strings"
)

// A Verdict is what became of an order line.
type Verdict uint8

// The verdicts. Ignored orders do no harm and a later order for that ant still
// counts; invalid ones are reported and, under strict play, disqualify.
const (
	OrderValid Verdict = iota
	OrderIgnored
	OrderInvalid
)

// The reasons for verdicts other than OrderValid, in the contest's words.
const (
	ReasonAction    = "unknown action"
	ReasonFormat    = "incorrectly formatted order"
	ReasonRowCol    = "invalid row or col"
	ReasonDirection = "invalid direction"
	ReasonNotOwn    = "not player ant"
	ReasonBounds    = "out of bounds"
	ReasonBlocked   = "move blocked"
	ReasonDuplicate = "duplicate order"
)

// An OrderLine is one line that was read as an order. Blank lines and comments
// are not.
type OrderLine struct {
	Index   int    // of the line in the text, from 0
	Text    string // lower case, without white space around it
	Verdict Verdict
	Reason  string // "" for OrderValid
	Cell    int32  // where the ant stands, for OrderValid
	Action  Action // what it does, for OrderValid
}

// String is the line as the contest logs it: with its reason, if it has one.
func (l OrderLine) String() string {
	if l.Reason == "" {
		return l.Text
	}
	return l.Text + " # " + l.Reason
}

// ParseOrderLines reads one seat's order lines of one turn. mine and food are
// the seat's ants and all food on the board, ascending. It returns an action
// for each ant, Stay where no line orders one, and a verdict on every line.
//
// Negative rows and columns count from the far side when the engine looks for
// the ant, and are out of bounds once it has found one.
func ParseOrderLines(text string, m *Map, r *Rules, mine, food []int32) ([]Action, []OrderLine) {
	orders := make([]Action, len(mine))
	for i := range orders {
		orders[i] = Stay
	}
	ordered := make([]bool, len(mine))
	var lines []OrderLine
	for i, raw := range strings.Split(text, "\n") {
		line := OrderLine{Index: i, Text: strings.ToLower(strings.TrimSpace(raw))}
		if line.Text == "" || strings.HasPrefix(line.Text, "#") {
			continue
		}
		row, col, reason := line.parse()
		if reason == "" {
			var ant int
			if ant, reason = line.place(m, mine, row, col); reason == "" {
				target := m.Neighbour(line.Cell, line.Action)
				_, onFood := slices.BinarySearch(food, target)
				switch {
				case ordered[ant]:
					reason = ReasonDuplicate
				case m.Water[target], r.FoodBlocks && onFood:
					reason = ReasonBlocked
				default:
					ordered[ant], orders[ant] = true, line.Action
				}
			}
		}
		line.Reason = reason
		switch reason {
		case "":
		case ReasonBlocked:
			line.Verdict = OrderIgnored
		default:
			line.Verdict = OrderInvalid
		}
		lines = append(lines, line)
	}
	return orders, lines
}

// parse splits a line into its row, its column and its Action.
func (l *OrderLine) parse() (row, col int, reason string) {
	words := strings.Fields(l.Text)
	if words[0] != "o" {
		return 0, 0, ReasonAction
	}
	if len(words) != 4 {
		return 0, 0, ReasonFormat
	}
	row, okRow := orderNumber(words[1])
	col, okCol := orderNumber(words[2])
	if !okRow || !okCol {
		return 0, 0, ReasonRowCol
	}
	a := strings.Index(strings.ToLower(ActionChars[:Stay]), words[3])
	if len(words[3]) != 1 || a < 0 {
		return 0, 0, ReasonDirection
	}
	l.Action = Action(a)
	return row, col, ""
}

// orderNumber reads a whole number of any length; one that no board reaches
// comes back as some other one that no board reaches.
func orderNumber(word string) (int, bool) {
	digits := strings.TrimLeft(word, "+-")
	if len(word)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(word)
	if err != nil {
		return 1 << 30, true
	}
	return n, true
}

// place finds the own ant that a line means: its index, with l.Cell set.
func (l *OrderLine) place(m *Map, mine []int32, row, col int) (ant int, reason string) {
	if row < -m.Rows || row >= m.Rows || col < -m.Cols || col >= m.Cols {
		return -1, ReasonBounds
	}
	l.Cell = int32((row+m.Rows)%m.Rows*m.Cols + (col+m.Cols)%m.Cols)
	ant, own := slices.BinarySearch(mine, l.Cell)
	if !own {
		return -1, ReasonNotOwn
	}
	if row < 0 || col < 0 {
		return -1, ReasonBounds
	}
	return ant, ""
}
