// myriant replay show

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env/replay"
)

type replayShowOptions struct {
	turn  int
	seat  string
	play  bool
	speed float64
	bare  bool
	json  bool
}

func newReplayShow() *cobra.Command {
	var o replayShowOptions
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Draw a turn of a replay in the terminal",
		Long: `Draw the board as it stands after a number of turns, with the turn's deaths and
fallen hills, and the standings. With --seat, draw what that seat may know: what
its ants see now, and the land and water that they have ever seen.

A turn of Formica is a command phase: --turn 12 is the board while phase 12 waits
for orders, and the line above it says at which tick. The colour of the ground is
its holder's; a number after a character is how many there are. With --seat, the
drawing is made from the seat's observation alone.

With --play, draw one turn after the other; a board that is larger than the
terminal is shrunk.`,
		Example: `  myriant replay show game.json                     the end of the game
  myriant replay show game.json --turn 120
  myriant replay show game.json --turn 120 --seat b
  myriant replay show game.json --play --speed 20
  myriant replay show game.json --turn 120 --json   the whole frame`,
		Args: args("a replay file", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(atMostOne(cmd, "json", "play"), atMostOne(cmd, "json", "plain")); err != nil {
				return err
			}
			r, err := openReplay(args[0])
			if err != nil {
				return err
			}
			s, err := o.newShow(cmd, r)
			if err != nil {
				return err
			}
			if o.play {
				return s.animate(cmd.Context(), cmd.OutOrStdout(), o.speed)
			}
			return s.still(cmd.Context(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.turn, "turn", -1, "turns (of Formica: phases) played before what is shown; -1: the last, or with --play the first")
	f.StringVar(&o.seat, "seat", "", "show what this seat may know: a letter or a number from 0")
	f.BoolVar(&o.play, "play", false, "show the game from --turn on")
	f.Float64Var(&o.speed, "speed", 10, "turns or phases a second with --play")
	f.BoolVar(&o.bare, "plain", false, "draw without colours")
	f.BoolVar(&o.json, "json", false, "print the frame, or with --seat the view, as JSON")
	return cmd
}

// A show is a replay being shown.
type show struct {
	film  games.Film
	words games.Words
	seats int
	turn  int // -1: open
	seat  int // -1: all
	bare  bool
	json  bool
}

func (o *replayShowOptions) newShow(cmd *cobra.Command, r replay.Replay) (*show, error) {
	setup, err := r.Setup()
	if err != nil {
		return nil, err
	}
	g, err := games.Lookup(setup.Game)
	if err != nil {
		return nil, err
	}
	s := &show{words: g.Words(), seats: setup.Map.Seats(), turn: o.turn, seat: -1, bare: o.bare, json: o.json}
	if o.turn < -1 {
		return nil, usagef(cmd, "--turn is %d, want 0 or more", o.turn)
	}
	if o.speed <= 0 || o.speed > 1000 {
		return nil, usagef(cmd, "--speed is %v, want more than 0 and at most 1000 turns a second", o.speed)
	}
	if o.seat != "" {
		if s.seat, err = parseSeat(o.seat, s.seats); err != nil {
			return nil, usagef(cmd, "--seat: %w", err)
		}
	}
	s.film, err = g.Film(r)
	return s, err
}

// parseSeat reads a seat's letter or number.
func parseSeat(text string, seats int) (int, error) {
	seat, err := strconv.Atoi(text)
	if err != nil && len(text) == 1 {
		seat, err = int(strings.ToLower(text)[0])-'a', nil
	}
	if err != nil || seat < 0 || seat >= seats {
		return 0, fmt.Errorf("no seat %q, want %c to %c or 0 to %d", text, 'a', 'a'+seats-1, seats-1)
	}
	return seat, nil
}

// errShown ends the re-simulation where there is no need for more.
var errShown = errors.New("shown")

// still shows one frame.
func (s *show) still(ctx context.Context, w io.Writer) error {
	err := s.film.Play(func() error {
		if s.film.Step() == s.turn {
			return errShown
		}
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, errShown) {
		return err
	}
	if err := s.reached(); err != nil {
		return err
	}
	switch {
	case s.json && s.seat < 0:
		return writeJSON(w, s.film.Frame())
	case s.json:
		_, err = w.Write(append(s.film.View(s.seat), '\n'))
		return err
	}
	_, err = w.Write(s.append(nil, style(w, s.bare), 1))
	return err
}

// reached tells whether the film stands where it was to be shown.
func (s *show) reached() error {
	if n := s.film.Step(); s.turn > n {
		return fmt.Errorf("%s %d: the game has %d %s", s.words.Step, s.turn, n, s.words.Steps)
	}
	return nil
}

// append appends the whole text of a frame, the picture shrunk by k.
func (s *show) append(dst []byte, st draw.Style, k int) []byte {
	b := &writer{dst}
	fmt.Fprintln(b, s.film.Title())
	p := s.film.Picture(s.seat).Shrink(k)
	b.dst = p.Append(b.dst, st)
	fmt.Fprintln(b, p.Legend(st.Width))
	if s.seat >= 0 {
		fmt.Fprintln(b, s.film.Knows(s.seat, st))
		return b.dst
	}
	fmt.Fprintln(b)
	s.film.Standings(st).Write(b)
	if events := s.film.Events(st); len(events) > 0 {
		fmt.Fprintln(b)
		for _, line := range events {
			fmt.Fprintln(b, line)
		}
	}
	return b.dst
}

// A writer collects text.
type writer struct{ dst []byte }

func (w *writer) Write(p []byte) (int, error) {
	w.dst = append(w.dst, p...)
	return len(p), nil
}
