// Tables.

package console

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A Table is rows of text in aligned columns. A column whose title begins with
// '>' is aligned to the right; the sign is not shown.
type Table struct {
	titles []string
	right  []bool
	rows   [][]string
}

// NewTable makes a table with those columns.
func NewTable(titles ...string) *Table {
	t := &Table{}
	for _, title := range titles {
		title, right := strings.CutPrefix(title, ">")
		t.titles = append(t.titles, title)
		t.right = append(t.right, right)
	}
	return t
}

// Row adds a row; missing cells are empty. Values are written as by Sprint.
func (t *Table) Row(cells ...any) {
	row := make([]string, len(t.titles))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, row)
}

// Write writes the table, two spaces between columns.
func (t *Table) Write(w io.Writer) {
	width := make([]int, len(t.titles))
	lines := append([][]string{t.titles}, t.rows...)
	for _, row := range lines {
		for i, c := range row {
			width[i] = max(width[i], shown(c))
		}
	}
	for _, row := range lines {
		var b strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-shown(c))
			if t.right[i] {
				c = pad + c
			} else {
				c += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(c)
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// shown is the width of a cell on screen: its runes, escape sequences left out.
func shown(s string) int {
	n := 0
	for {
		i := strings.IndexByte(s, '\x1b')
		if i < 0 {
			return n + utf8.RuneCountInString(s)
		}
		n += utf8.RuneCountInString(s[:i])
		end := strings.IndexByte(s[i:], 'm')
		if end < 0 {
			return n
		}
		s = s[i+end+1:]
	}
}
