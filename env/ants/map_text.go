// The text form of a map, as the 2011 contest wrote it:
//
//	rows R
//	cols C
//	players P          2 to 10, before the first m line
//	m .%*0aA..         R lines of C characters
//
// '.' is land, '%' water, '*' food, '0'-'9' a seat's hill, 'a'-'j' its ant and
// 'A'-'J' its ant on its own hill. A line is a key, one space and a value.
// Keys may be in any case; blank lines, '#' comments, space around a line and
// unknown keys are skipped. score and hive lines must hold a number a seat and
// say nothing else here.
//
// The form has no name, translation, food target or hill order. Reading lists
// the n-th hill of every seat before any seat's next, each seat's in row-major
// order, so that where seats have equally many, hill i is seat i mod P's as in
// the JSON form.

package ants

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// ParseMap reads and validates a map in either form: JSON if it begins with a
// brace, else text. Errors are *MapError.
func ParseMap(data []byte) (*Map, error) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return ParseMapJSON(data)
	}
	return ParseMapText(data)
}

// ParseMapText reads and validates a map in its text form. Its Symmetry is
// nil. Food and ants are kept; a normal game ignores them and a scenario does
// not. Errors are *MapError.
func ParseMapText(data []byte) (*Map, error) {
	if len(data) > MaxMapBytes {
		return nil, mapErrorf(CodeSize, "%d bytes, at most %d", len(data), MaxMapBytes)
	}
	t := textReader{m: &Map{}}
	line := 0
	for text := range strings.SplitSeq(string(data), "\n") {
		line++
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		if err := t.line(text); err != nil {
			err.Msg = "line " + strconv.Itoa(line) + ": " + err.Msg
			return nil, err
		}
	}
	return t.finish()
}

type textReader struct {
	m      *Map
	drawn  int      // m lines read
	hills  [][]Spot // per seat, row-major
	counts []countedLine
}

// countedLine is a line that must hold a number a seat.
type countedLine struct {
	key string
	n   int
}

func (t *textReader) line(text string) *MapError {
	key, value, ok := strings.Cut(text, " ")
	if !ok {
		return mapErrorf(CodeSyntax, "%q has no value", clip(text))
	}
	key = strings.ToLower(key)
	switch key {
	case fieldRows:
		return t.number(key, value, &t.m.Rows, 1, MaxSide)
	case fieldCols:
		return t.number(key, value, &t.m.Cols, 1, MaxSide)
	case fieldPlayers:
		return t.number(key, value, &t.m.Players, MinSeats, MaxSeats)
	case "score", "hive":
		fields := strings.Fields(value)
		for _, f := range fields {
			if _, err := strconv.Atoi(f); err != nil {
				return mapErrorf(CodeSyntax, "%s %q is no number", key, clip(f))
			}
		}
		t.counts = append(t.counts, countedLine{key, len(fields)})
	case "m":
		return t.row(value)
	}
	return nil
}

// number reads a value that may be given once.
func (t *textReader) number(key, value string, to *int, lo, hi int) *MapError {
	if *to != 0 {
		return mapErrorf(CodeSyntax, "%s is given twice", key)
	}
	v, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil {
		return mapErrorf(CodeSyntax, "%s %q is no number", key, clip(value))
	}
	if v < lo || v > hi {
		return mapErrorf(CodeSize, "%s is %d, want %d..%d", key, v, lo, hi)
	}
	*to = v
	return nil
}

// row reads one line of cells.
func (t *textReader) row(cells string) *MapError {
	m := t.m
	if m.Players == 0 {
		return mapErrorf(CodeSyntax, "players must come before the first m line")
	}
	if m.Cols == 0 {
		return mapErrorf(CodeSyntax, "cols must come before the first m line")
	}
	if len(cells) != m.Cols {
		return mapErrorf(CodeSize, "row %d has %d cells, cols is %d", t.drawn, len(cells), m.Cols)
	}
	if t.drawn == MaxSide {
		return mapErrorf(CodeSize, "more than %d rows", MaxSide)
	}
	if t.hills == nil {
		t.hills = make([][]Spot, m.Players)
	}
	for i := range len(cells) {
		ch, cell := cells[i], int32(len(m.Water))
		hill, ant, owner := false, false, 0
		switch {
		case ch == '.' || ch == '%' || ch == '*':
		case ch >= '0' && ch <= '9':
			hill, owner = true, int(ch-'0')
		case ch >= 'a' && ch <= 'j':
			ant, owner = true, int(ch-'a')
		case ch >= 'A' && ch <= 'J':
			hill, ant, owner = true, true, int(ch-'A')
		default:
			return mapErrorf(CodeSyntax, "row %d column %d is %q", t.drawn, i, ch)
		}
		if owner >= m.Players {
			return mapErrorf(CodeOwner, "row %d column %d is %q, of %d players", t.drawn, i, ch, m.Players)
		}
		m.Water = append(m.Water, ch == '%')
		if ch == '*' {
			m.Food = append(m.Food, cell)
		}
		if hill {
			t.hills[owner] = append(t.hills[owner], Spot{cell, uint8(owner)})
		}
		if ant {
			m.Ants = append(m.Ants, Spot{cell, uint8(owner)})
		}
	}
	t.drawn++
	return nil
}

func (t *textReader) finish() (*Map, error) {
	m := t.m
	if m.Rows == 0 || m.Cols == 0 || m.Players == 0 {
		return nil, mapErrorf(CodeSyntax, "rows, cols or players is missing")
	}
	if t.drawn != m.Rows {
		return nil, mapErrorf(CodeSize, "%d m lines, rows is %d", t.drawn, m.Rows)
	}
	for _, c := range t.counts {
		if c.n != m.Players {
			return nil, mapErrorf(CodeSyntax, "%s holds %d numbers for %d players", c.key, c.n, m.Players)
		}
	}
	for n, more := 0, true; more; n++ {
		more = false
		for _, own := range t.hills {
			if n < len(own) {
				m.Hills = append(m.Hills, own[n])
				more = true
			}
		}
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// clip shortens foreign text for an error.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + ".."
	}
	return s
}

// AppendText appends the text form. The map must be valid. Where the form has
// one character for a cell and the map has more to say, a hill goes before the
// ant of another seat, and an ant before food.
func (m *Map) AppendText(dst []byte) []byte {
	dst = append(dst, "rows "...)
	dst = strconv.AppendInt(dst, int64(m.Rows), 10)
	dst = append(dst, "\ncols "...)
	dst = strconv.AppendInt(dst, int64(m.Cols), 10)
	dst = append(dst, "\nplayers "...)
	dst = strconv.AppendInt(dst, int64(m.Players), 10)
	dst = append(dst, '\n')
	grid := m.drawing()
	for row := range slices.Chunk(grid, m.Cols) {
		dst = append(dst, "m "...)
		dst = append(dst, row...)
		dst = append(dst, '\n')
	}
	return dst
}

// drawing is one character a cell.
func (m *Map) drawing() []byte {
	grid := make([]byte, len(m.Water))
	for c, w := range m.Water {
		grid[c] = '.'
		if w {
			grid[c] = '%'
		}
	}
	for _, c := range m.Food {
		grid[c] = '*'
	}
	for _, a := range m.Ants {
		grid[a.Cell] = 'a' + a.Owner
	}
	for _, h := range m.Hills {
		if grid[h.Cell] == 'a'+h.Owner {
			grid[h.Cell] = 'A' + h.Owner
		} else {
			grid[h.Cell] = '0' + h.Owner
		}
	}
	return grid
}
