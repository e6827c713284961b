// The contest's text form of a view: what a bot reads on its standard input.

package ants

import (
	"slices"
	"strconv"
)

// A TextView writes one seat's views in the contest's text form. It remembers
// what the form depends on beyond the view: which water was already told, and
// the numbers of the other seats, which are given in the order in which the
// seat first hears of them, itself being 0.
type TextView struct {
	told   []bool
	number []int // by relative owner, -1 for not heard of
	next   int
}

// NewTextView starts a game for a seat of the map.
func NewTextView(m *Map) *TextView {
	t := &TextView{told: make([]bool, m.Rows*m.Cols), number: make([]int, m.Players), next: 1}
	for i := 1; i < m.Players; i++ {
		t.number[i] = -1
	}
	return t
}

// AppendStart appends the message before the game. Times are in milliseconds.
func (t *TextView) AppendStart(dst []byte, m *Map, r *Rules, loadTime, turnTime, playerSeed int64) []byte {
	dst = append(dst, "turn 0\n"...)
	for _, line := range []struct {
		key   string
		value int64
	}{
		{"loadtime", loadTime}, {"turntime", turnTime}, {"rows", int64(m.Rows)}, {"cols", int64(m.Cols)},
		{"turns", int64(r.MaxTurns)}, {"viewradius2", int64(r.ViewRadius2)}, {"attackradius2", int64(r.AttackRadius2)},
		{"spawnradius2", int64(r.GatherRadius2)}, {"player_seed", playerSeed},
	} {
		dst = append(append(dst, line.key...), ' ')
		dst = append(strconv.AppendInt(dst, line.value, 10), '\n')
	}
	return append(dst, "ready\n"...)
}

// AppendTurn appends the message that a seat gets before the orders of a turn
// (from 1): water that it was not told of, then standing hills, ants, food and
// the ants that died last turn, each where it can see the cell, row-major. Own
// dead are told of even where nobody is left to see the cell. dead lists all
// deaths of the last turn; seat is who v is the view of.
func (t *TextView) AppendTurn(dst []byte, turn int, v *View, seat int, dead []Death) []byte {
	dst = append(dst, "turn "...)
	dst = append(strconv.AppendInt(dst, int64(turn), 10), '\n')
	dst = t.AppendBody(dst, v, seat, dead)
	return append(dst, "go\n"...)
}

// AppendEnd appends the message after the game: what each seat came to, in the
// seat's own numbers, None for seats that it never heard of, and the last view.
func (t *TextView) AppendEnd(dst []byte, v *View, seat int, dead []Death, scores []int32, status []string, playerTurns []int) []byte {
	body := t.AppendBody(nil, v, seat, dead)
	byNumber := make([]int, v.Seats)
	for i := range byNumber {
		byNumber[i] = -1
	}
	for relative, number := range t.number {
		if number >= 0 {
			byNumber[number] = (relative + seat) % v.Seats
		}
	}
	dst = append(dst, "end\nplayers "...)
	dst = append(strconv.AppendInt(dst, int64(v.Seats), 10), '\n')
	for _, line := range []struct {
		key   string
		value func(seat int) string
	}{
		{"score", func(s int) string { return strconv.Itoa(int(scores[s])) }},
		{"status", func(s int) string { return status[s] }},
		{"playerturns", func(s int) string { return strconv.Itoa(playerTurns[s]) }},
	} {
		dst = append(dst, line.key...)
		for _, s := range byNumber {
			value := "None"
			if s >= 0 {
				value = line.value(s)
			}
			dst = append(append(dst, ' '), value...)
		}
		dst = append(dst, '\n')
	}
	dst = append(dst, body...)
	return append(dst, "go\n"...)
}

// AppendBody appends the lines of AppendTurn between the turn and the go.
func (t *TextView) AppendBody(dst []byte, v *View, seat int, dead []Death) []byte {
	for cell, wet := range v.Water {
		if wet && !t.told[cell] {
			t.told[cell] = true
			dst = v.appendThing(dst, 'w', int32(cell), -1)
		}
	}
	for _, h := range v.Hills {
		dst = v.appendThing(dst, 'h', h.Cell, t.numberOf(h.Owner))
	}
	all := slices.Clone(v.Foes)
	for _, cell := range v.Mine {
		all = append(all, Spot{Cell: cell})
	}
	slices.SortFunc(all, func(a, b Spot) int { return int(a.Cell - b.Cell) })
	for _, a := range all {
		dst = v.appendThing(dst, 'a', a.Cell, t.numberOf(a.Owner))
	}
	for _, cell := range v.Food {
		dst = v.appendThing(dst, 'f', cell, -1)
	}
	for _, d := range dead {
		relative := (int(d.Owner) - seat + v.Seats) % v.Seats
		if relative == 0 || v.Visible[d.Cell] {
			dst = v.appendThing(dst, 'd', d.Cell, t.numberOf(uint8(relative)))
		}
	}
	return dst
}

func (t *TextView) numberOf(relative uint8) int {
	if t.number[relative] < 0 {
		t.number[relative] = t.next
		t.next++
	}
	return t.number[relative]
}

// appendThing appends a line with a cell and, if it is not negative, an owner.
func (v *View) appendThing(dst []byte, kind byte, cell int32, owner int) []byte {
	dst = append(dst, kind, ' ')
	dst = append(strconv.AppendInt(dst, int64(cell)/int64(v.Cols), 10), ' ')
	dst = strconv.AppendInt(dst, int64(cell)%int64(v.Cols), 10)
	if owner >= 0 {
		dst = strconv.AppendInt(append(dst, ' '), int64(owner), 10)
	}
	return append(dst, '\n')
}
