// myriant play

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/mapsource"
	"github.com/myriant-rl/myriant/cmd/internal/match"
	"github.com/myriant-rl/myriant/env/ants"
)

type playOptions struct {
	rulesFlags
	policies string
	mapName  string
	seed     uint64
	out      string
	show     bool
	bare     bool
	json     bool
}

func newPlay() *cobra.Command {
	var o playOptions
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play one match between bundled policies and record it",
		Long: `Play one match on the fast engine. Seats take the policies in turn, from the
first again where the map has more seats than policies are named. The same
flags give the same match.

--out writes a replay in the ladder's form, for 'myriant replay show' and
'myriant replay verify'.`,
		Example: `  myriant play
  myriant play --policies greedy,hunter --map tiny-2p --seed 7 --show
  myriant play --policies hunter --map large-6p --out replay.json
  myriant play --rules codeclash --map codeclash-32x32 --json`,
		Args: args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := atMostOne(cmd, "json", "show"); err != nil {
				return err
			}
			rules, err := o.resolve()
			if err != nil {
				return err
			}
			m, err := mapsource.Load(o.mapName)
			if err != nil {
				return err
			}
			policies, err := match.Deal(splitNames(o.policies), m.Players)
			if err != nil {
				return usagef(cmd, "--policies: %w", err)
			}
			bar := console.NewProgress(cmd.ErrOrStderr(), int64(rules.MaxTurns), "turns")
			turn := int64(0)
			result, err := match.Play(cmd.Context(), match.Game{Rules: rules, Map: m, Policies: policies, Seed: o.seed}, func(ants.Engine) error {
				bar.Set(turn, "")
				turn++
				return nil
			})
			bar.Close()
			if err != nil {
				return err
			}
			if o.out != "" {
				data, err := result.Replay.Encode()
				if err != nil {
					return err
				}
				if err := os.WriteFile(o.out, data, 0o644); err != nil {
					return err
				}
			}
			return o.report(cmd.OutOrStdout(), rules, m, result)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.policies, "policies", "greedy,hunter", "policies of the seats, see 'myriant policies list'")
	f.StringVar(&o.mapName, "map", mapsource.Default, mapsource.Help)
	o.bind(f)
	f.Uint64Var(&o.seed, "seed", 1, "seed of the match")
	f.StringVar(&o.out, "out", "", "file to write the replay to")
	f.BoolVar(&o.show, "show", false, "draw the board at the end")
	f.BoolVar(&o.bare, "plain", false, "draw without colours")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return cmd
}

// playResult is what play prints with --json.
type playResult struct {
	Map    string     `json:"map"`
	Rules  string     `json:"rules"`
	Seed   uint64     `json:"seed,string"`
	Turns  int        `json:"turns"`
	Reason string     `json:"reason"`
	Seats  []playSeat `json:"seats"`
	Replay string     `json:"replay,omitempty"` // the file written
}

type playSeat struct {
	Seat     int    `json:"seat"`
	Policy   string `json:"policy"`
	Score    int32  `json:"score"`
	Rank     int32  `json:"rank"`
	Ants     int32  `json:"ants"`
	Gathered int32  `json:"gathered"`
	Razed    int32  `json:"razed"`
	Kills    int32  `json:"kills"`
	Losses   int32  `json:"losses"`
}

func (o *playOptions) report(w io.Writer, rules *ants.Rules, m *ants.Map, r *match.Result) error {
	if o.json {
		p := playResult{Map: m.Name, Rules: rules.Name, Seed: o.seed, Turns: r.Outcome.Steps, Reason: r.Outcome.Reason, Replay: o.out}
		for i, s := range r.Seats {
			p.Seats = append(p.Seats, playSeat{i, s.Policy, s.Score, s.Rank, s.Ants, s.Gathered, s.Razed, s.Kills, s.Losses})
		}
		return writeJSON(w, p)
	}
	st := style(w, o.bare)
	if o.show {
		p := draw.State(m, r.Last)
		if _, err := w.Write(p.Append(nil, st)); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n\n", p.Legend(st.Width))
	}
	t := console.NewTable("seat", "policy", ">rank", ">score", ">ants", ">food", ">razed", ">kills", ">losses")
	for i, s := range r.Seats {
		t.Row(draw.Seat(i, st), s.Policy, s.Rank, s.Score, s.Ants, s.Gathered, s.Razed, s.Kills, s.Losses)
	}
	t.Write(w)
	fmt.Fprintf(w, "%s after %d turns of %s on %s, seed %d\n", r.Outcome.Reason, r.Outcome.Steps, rules.Name, m.Name, o.seed)
	if o.out != "" {
		fmt.Fprintf(w, "wrote %s\n", o.out)
	}
	return nil
}
