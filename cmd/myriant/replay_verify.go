// myriant replay verify

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/cmd/internal/match"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/replay"
)

type replayVerifyOptions struct {
	engine string
	json   bool
}

// replayVerdict is what verify prints of a file with --json.
type replayVerdict struct {
	File       string        `json:"file"`
	OK         bool          `json:"ok"`
	Format     replay.Format `json:"format,omitempty"`
	Map        string        `json:"map,omitempty"`
	Seats      int           `json:"seats,omitempty"`
	Turns      int           `json:"turns"`  // steps played
	Orders     int           `json:"orders"` // orders given, over all steps
	Reason     string        `json:"reason,omitempty"`
	Scores     []float64     `json:"scores,omitempty"` // in points
	Ranks      []int32       `json:"ranks,omitempty"`
	Difference *difference   `json:"difference,omitempty"` // the first one
	Error      string        `json:"error,omitempty"`      // why the file could not be played again

	words games.Words
}

type difference struct {
	Turn     int    `json:"turn"` // turns played before it shows
	Seat     *int   `json:"seat"` // null where it is no seat's
	What     string `json:"what"`
	Recorded string `json:"recorded"`
	Computed string `json:"computed"`
}

func newReplayVerify() *cobra.Command {
	var o replayVerifyOptions
	cmd := &cobra.Command{
		Use:   "verify FILE..",
		Short: "Play replays again and compare",
		Long: `Play each replay again and compare every turn's number of orders with the ants
that there are, and the result with the recorded one. Of a contest replay ants,
food, hills, hives and scores are compared after every turn, and of a replay of
Formica the whole state after every phase. A lesson records nothing to compare;
it is only played.

The first difference of a file is printed, and the exit code is then 1.`,
		Example: `  myriant replay verify game.json
  myriant replay verify games/*.json.gz --engine reference
  myriant replay verify games/*.json --json`,
		Args: args("a replay file", 1, -1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := match.CheckEngine(o.engine); err != nil {
				return usagef(cmd, "--engine: %w", err)
			}
			verdicts := make([]replayVerdict, 0, len(files))
			bad := 0
			for _, file := range files {
				if err := cmd.Context().Err(); err != nil {
					return fmt.Errorf("stopped after %d of %d replays: %w", len(verdicts), len(files), err)
				}
				v := verifyReplay(file, o.engine)
				if !v.OK {
					bad++
				}
				verdicts = append(verdicts, v)
				if !o.json {
					fmt.Fprintln(cmd.OutOrStdout(), &v)
				}
			}
			if o.json {
				if err := writeJSON(cmd.OutOrStdout(), verdicts); err != nil {
					return err
				}
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d replays do not verify", bad, len(files))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.engine, "engine", match.Batch, "engine to play on: "+strings.Join(match.Engines(), " or "))
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON array with an entry for each file")
	return cmd
}

func verifyReplay(file, engine string) replayVerdict {
	v := replayVerdict{File: file}
	r, err := openReplay(file)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	setup, err := r.Setup()
	if err != nil {
		v.Error = fmt.Sprintf("%s: %v", file, err)
		return v
	}
	g, err := games.Lookup(setup.Game)
	if err != nil {
		v.Error = fmt.Sprintf("%s: %v", file, err)
		return v
	}
	v.words = g.Words()
	done := func() {}
	report, err := replay.Verify(r, func(rules string, m env.Map) (e env.Engine, err error) {
		e, done, err = match.NewEngine(engine, setup.Game, rules, m)
		return e, err
	})
	if done != nil {
		done()
	}
	if report != nil {
		out := report.Outcome
		v.Format, v.Map, v.Seats, v.Turns, v.Orders = report.Format, report.Map, report.Seats, report.Turns, report.Orders
		v.Reason, v.Ranks = out.Reason, out.Ranks
		for _, score := range out.Scores {
			v.Scores = append(v.Scores, g.Points(float64(score)))
		}
	}
	var d *replay.Difference
	switch {
	case err == nil:
		v.OK = true
	case errors.As(err, &d):
		v.Difference = &difference{Turn: d.Turn, What: d.What, Recorded: d.Recorded, Computed: d.Computed}
		if d.Seat >= 0 {
			v.Difference.Seat = &d.Seat
		}
	default:
		v.Error = fmt.Sprintf("%s: %v", file, err)
	}
	return v
}

// String is the line of a file.
func (v *replayVerdict) String() string {
	switch d := v.Difference; {
	case v.OK && v.Format == replay.FormatLesson:
		return fmt.Sprintf("ok    %s: %s, %d %s, %d orders played, nothing recorded to compare", v.File, v.Format, v.Turns, v.words.Steps, v.Orders)
	case v.OK:
		return fmt.Sprintf("ok    %s: %s, %d %s, %d orders, %s, scores %s", v.File, v.Format, v.Turns, v.words.Steps, v.Orders, console.Clean(v.Reason), dashed(v.Scores))
	case d != nil && d.Seat != nil:
		return fmt.Sprintf("DIFF  %s: after %d %s, seat %d: %s: recorded %s, computed %s", v.File, d.Turn, v.words.Steps, *d.Seat, d.What, console.Clip(d.Recorded, 80), d.Computed)
	case d != nil:
		return fmt.Sprintf("DIFF  %s: after %d %s: %s: recorded %s, computed %s", v.File, d.Turn, v.words.Steps, d.What, console.Clip(d.Recorded, 80), d.Computed)
	}
	return "BAD   " + console.Clean(v.Error)
}

// dashed joins scores: 3-1.
func dashed(scores []float64) string {
	texts := make([]string, len(scores))
	for i, v := range scores {
		texts[i] = number(v)
	}
	return strings.Join(texts, "-")
}
