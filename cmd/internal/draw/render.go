// A picture as lines of text.

package draw

import (
	"bytes"
	"fmt"
	"strconv"
)

// A Style is how pictures are drawn.
type Style struct {
	Color bool // ANSI colours, 256 of them
	// Width is the number of columns there are; a wider picture is cut into
	// bands, one below the other. 0 is no limit.
	Width int
}

// gutter is the width of the row numbers and the space after them.
const gutter = 4

// minBand keeps the bands of a very narrow terminal readable.
const minBand = 10

// Append appends the picture with row and column numbers. Lines end in '\n'.
func (p *Picture) Append(dst []byte, s Style) []byte {
	if p.hex {
		return p.appendHexes(dst, s)
	}
	band := p.cols
	if s.Width > 0 {
		band = min(band, max(s.Width-gutter, minBand))
	}
	for from := 0; from < p.cols; from += band {
		if from > 0 {
			dst = append(dst, '\n')
		}
		dst = p.appendBand(dst, from, min(from+band, p.cols), s)
	}
	return dst
}

// appendBand appends columns from..to-1.
func (p *Picture) appendBand(dst []byte, from, to int, s Style) []byte {
	dst = p.appendRuler(dst, from, to, s)
	for r := range p.rows {
		label := strconv.Itoa(r * p.scale)
		dst = paint(dst, s, faint)
		for range gutter - 1 - len(label) {
			dst = append(dst, ' ')
		}
		dst = append(append(dst, label...), ' ')
		pen := faint
		for _, t := range p.cells[r*p.cols+from : r*p.cols+to] {
			if code := ink(t); code != pen {
				pen = code
				dst = paint(dst, s, code)
			}
			dst = append(dst, t.char())
		}
		dst = append(paint(dst, s, plain), '\n')
	}
	return dst
}

// appendHexes appends a board of hexes, each row with its r before it; one that
// is wider than the terminal is shrunk.
func (p *Picture) appendHexes(dst []byte, s Style) []byte {
	if s.Width > 0 {
		p = p.Shrink(p.Fit(p.rows+1, s.Width))
	}
	left, _ := p.edges()
	for i := range p.rows {
		dst = paint(dst, s, faint)
		dst = append(fmt.Appendf(dst, "%*d", gutter-1, i*p.scale-p.radius), ' ')
		pen, at := faint, left-i
		for j := range p.cols {
			t := p.cells[i*p.cols+j]
			if t.kind == off {
				continue
			}
			for ; at < 2*j; at++ {
				dst = append(dst, ' ')
			}
			if code := ink(t); code != pen {
				pen = code
				dst = paint(dst, s, code)
			}
			dst = append(dst, t.char(), t.count())
			at += 2
		}
		if !s.Color {
			dst = bytes.TrimRight(dst, " ")
		}
		dst = append(paint(dst, s, plain), '\n')
	}
	return dst
}

// appendRuler appends the column numbers: each begins above its column.
func (p *Picture) appendRuler(dst []byte, from, to int, s Style) []byte {
	dst = paint(dst, s, faint)
	at := 0
	for c := (from + 9) / 10 * 10; c < to; c += 10 {
		label := strconv.Itoa(c * p.scale)
		if c-from+len(label) > to-from {
			break
		}
		for ; at < gutter+c-from; at++ {
			dst = append(dst, ' ')
		}
		dst = append(dst, label...)
		at += len(label)
	}
	return append(paint(dst, s, plain), '\n')
}

// The codes of ANSI "select graphic rendition" that things are drawn with.
const (
	plain = "0"
	faint = "0;38;5;240"
)

// seatColors are the seats' colours among the 256 of ANSI.
var seatColors = [...]string{"203", "117", "120", "221", "213", "208", "141", "51", "180", "252"}

// The colours of the ground that a seat holds, and of its mark on it.
var (
	groundColors = [len(seatColors)]string{"52", "24", "22", "58", "53", "94", "60", "23", "101", "238"}
	markColors   = [len(seatColors)]string{"131", "67", "71", "136", "133", "172", "97", "37", "143", "245"}
)

// ink is the code a thing is drawn with.
func ink(t thing) string {
	code := standing(t)
	if t.ground > 0 && t.kind != antOnHill && t.kind != hill {
		code += ";48;5;" + groundColors[t.ground-1]
	}
	return code
}

// standing is the code of what stands on a cell.
func standing(t thing) string {
	switch t.kind {
	case unseen:
		return "0;38;5;237"
	case remembered, land:
		return "0;38;5;242"
	case water:
		return "0;38;5;25;48;5;17"
	case held:
		return "0;38;5;" + markColors[t.seat]
	case scent:
		return "0;38;5;180"
	case ruin:
		return "0;38;5;130"
	case food:
		return "0;1;38;5;231"
	case death:
		return "0;1;38;5;196"
	case ant:
		return "0;1;38;5;" + seatColors[t.seat]
	}
	return "0;1;38;5;16;48;5;" + seatColors[t.seat]
}

// paint appends an escape sequence where colours are wanted.
func paint(dst []byte, s Style, code string) []byte {
	if !s.Color {
		return dst
	}
	dst = append(dst, "\x1b["...)
	return append(append(dst, code...), 'm')
}

// Seat is a seat's letter, in its colour.
func Seat(seat int, s Style) string {
	t := thing{kind: ant, seat: uint8(seat)}
	dst := append(paint(nil, s, ink(t)), t.char())
	return string(paint(dst, s, plain))
}
