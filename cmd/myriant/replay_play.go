// Showing a replay turn by turn.

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
)

// Control sequences of ANSI terminals.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l" // a screen of its own, no cursor, no wrapping
	leaveScreen = "\x1b[?7h\x1b[?25h\x1b[?1049l"
	cursorHome  = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
)

// animate shows the frames from s.turn on and leaves the last one on the
// screen, also where the user stops it.
func (s *show) animate(ctx context.Context, w io.Writer, speed float64) error {
	if !console.IsTerminal(w) {
		return errors.New("--play needs a terminal; for one turn, use --turn")
	}
	fmt.Fprint(w, enterScreen)
	tick := time.NewTicker(time.Duration(float64(time.Second) / speed))
	err := s.film.Play(func() error {
		if s.film.Step() < s.turn {
			return ctx.Err()
		}
		rows, cols := console.Size(w)
		if _, err := w.Write(s.screen(rows, draw.Style{Color: !s.bare && console.Color(w), Width: cols})); err != nil {
			return err
		}
		select {
		case <-tick.C:
			return nil
		case <-ctx.Done():
			return errShown
		}
	})
	tick.Stop()
	fmt.Fprint(w, leaveScreen)
	if err != nil && !errors.Is(err, errShown) {
		return err
	}
	if err := s.reached(); err != nil {
		return err
	}
	_, err = w.Write(s.append(nil, style(w, s.bare), 1))
	return err
}

// screen is a frame that takes no more than so many rows and the style's width.
func (s *show) screen(rows int, st draw.Style) []byte {
	p := s.film.Picture(s.seat)
	// A line above the picture, the legend, the line of a seat or the standings.
	around := 3 + strings.Count(p.Legend(st.Width), "\n")
	if s.seat < 0 {
		around += s.seats + 1
	}
	k := p.Fit(rows-around, st.Width)
	text := s.append(nil, st, k)
	dst := []byte(cursorHome)
	for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		if i == rows {
			break
		}
		if i > 0 {
			dst = append(dst, "\r\n"...)
		}
		dst = append(append(dst, line...), clearLine...)
	}
	return append(dst, clearBelow...)
}
