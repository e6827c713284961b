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

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
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
	f.IntVar(&o.turn, "turn", -1, "turns played before what is shown; -1: the last, or with --play the first")
	f.StringVar(&o.seat, "seat", "", "show what this seat may know: a letter or a number from 0")
	f.BoolVar(&o.play, "play", false, "show the game from --turn on")
	f.Float64Var(&o.speed, "speed", 10, "turns a second with --play")
	f.BoolVar(&o.bare, "plain", false, "draw without colours")
	f.BoolVar(&o.json, "json", false, "print the frame, or with --seat the view, as JSON")
	return cmd
}

// A show is a replay being shown.
type show struct {
	replay replay.Replay
	rules  ants.Rules
	board  *ants.Map
	engine *antsref.Engine
	names  []string
	turn   int // -1: open
	seat   int // -1: all
	bare   bool
	json   bool
}

func (o *replayShowOptions) newShow(cmd *cobra.Command, r replay.Replay) (*show, error) {
	s := &show{replay: r, board: r.Board(), names: seatNames(r), turn: o.turn, seat: -1, bare: o.bare, json: o.json}
	if o.turn < -1 {
		return nil, usagef(cmd, "--turn is %d, want 0 or more", o.turn)
	}
	if o.speed <= 0 || o.speed > 1000 {
		return nil, usagef(cmd, "--speed is %v, want more than 0 and at most 1000 turns a second", o.speed)
	}
	if o.seat != "" {
		seat, err := parseSeat(o.seat, s.board.Players)
		if err != nil {
			return nil, usagef(cmd, "--seat: %w", err)
		}
		s.seat = seat
	}
	var err error
	if s.rules, err = r.Rules(); err != nil {
		return nil, err
	}
	if s.engine, err = antsref.New(&s.rules, s.board); err != nil {
		return nil, err
	}
	return s, nil
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
	var last ants.Frame
	err := replay.Frames(s.replay, s.engine, func(f *ants.Frame) error {
		last = *f
		if int(f.Turn) == s.turn {
			return errShown
		}
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, errShown) {
		return err
	}
	if s.turn > int(last.Turn) {
		return fmt.Errorf("turn %d: the game has %d turns", s.turn, last.Turn)
	}
	if s.json {
		return s.writeJSON(w, &last)
	}
	st := style(w, s.bare)
	_, err = w.Write(s.append(nil, &last, st, 1))
	return err
}

func (s *show) writeJSON(w io.Writer, f *ants.Frame) error {
	if s.seat < 0 {
		return writeJSON(w, f)
	}
	_, err := w.Write(append(s.engine.AppendView(nil, s.seat), '\n'))
	return err
}

// append appends the whole text of a frame, the picture shrunk by k.
func (s *show) append(dst []byte, f *ants.Frame, st draw.Style, k int) []byte {
	b := &writer{dst}
	fmt.Fprintf(b, "turn %d, %s, %s", f.Turn, s.rules.Name, console.Clean(s.board.Name))
	if f.Done {
		fmt.Fprintf(b, ", over: %s", f.Reason)
	}
	fmt.Fprintln(b)
	p := s.picture(f).Shrink(k)
	b.dst = p.Append(b.dst, st)
	fmt.Fprintln(b, p.Legend(st.Width))
	if s.seat >= 0 {
		v := s.engine.View(s.seat)
		fmt.Fprintf(b, "what seat %s may know: %d own ants, %d others and %d food in sight\n", draw.Seat(s.seat, st), len(v.Mine), len(v.Foes), len(v.Food))
		return b.dst
	}
	fmt.Fprintln(b)
	s.standings(f, st).Write(b)
	if events := draw.Events(s.board, f, st); len(events) > 0 {
		fmt.Fprintln(b)
		for _, line := range events {
			fmt.Fprintln(b, line)
		}
	}
	return b.dst
}

// picture is all of a frame, or what the seat may know after it.
func (s *show) picture(f *ants.Frame) *draw.Picture {
	if s.seat >= 0 {
		return draw.View(s.engine.View(s.seat), s.seat, f.Deaths)
	}
	return draw.Frame(s.board, f)
}

// standings is the table of the seats after a turn.
func (s *show) standings(f *ants.Frame, st draw.Style) *console.Table {
	ants, hills := make([]int, s.board.Players), make([]int, s.board.Players)
	for _, a := range f.Ants {
		ants[a.Owner]++
	}
	for _, h := range f.Hills {
		hills[h.Owner]++
	}
	room := 40 // for names; the rest of the table takes 42 columns
	if st.Width > 0 {
		room = min(room, max(st.Width-42, 8))
	}
	t := console.NewTable("seat", "player", ">ants", ">hive", ">hills", ">score", ">rank")
	for seat, name := range s.names {
		t.Row(draw.Seat(seat, st), console.Clip(name, room), ants[seat], f.Hive[seat], hills[seat], f.Score[seat], f.Ranks[seat])
	}
	return t
}

// A writer collects text.
type writer struct{ dst []byte }

func (w *writer) Write(p []byte) (int, error) {
	w.dst = append(w.dst, p...)
	return len(p), nil
}
