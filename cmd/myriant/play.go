// myriant play

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/cmd/internal/match"
	"github.com/myriant-rl/myriant/env"
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

--out writes a replay, for 'myriant replay show' and
'myriant replay verify'.`,
		Example: `  myriant play
  myriant play --policies greedy,hunter --map tiny-2p --seed 7 --show
  myriant play --policies hunter --map large-6p --out replay.json
  myriant play --rules codeclash --map codeclash-32x32 --json
  myriant play --game formica --policies scripted,raid --show --out replay.json`,
		Args: args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := atMostOne(cmd, "json", "show"); err != nil {
				return err
			}
			g, rules, err := o.resolve(cmd, games.Play)
			if err != nil {
				return err
			}
			if o.mapName == "" {
				o.mapName = g.MapFor(rules, games.Play)
			}
			m, err := g.Maps().Load(o.mapName)
			if err != nil {
				return err
			}
			if o.policies == "" {
				o.policies = g.Usual(games.Play).Policies
			}
			policies, err := match.Deal(g, splitNames(o.policies), m.Seats())
			if err != nil {
				return usagef(cmd, "--policies: %w", err)
			}
			o.seed = rules.Seed(o.seed)
			words := g.Words()
			bar := console.NewProgress(cmd.ErrOrStderr(), int64(rules.Steps), words.Steps)
			step := int64(0)
			game := match.Game{Game: g, Rules: rules, Map: m, Policies: policies, Seed: o.seed}
			result, err := match.Play(cmd.Context(), game, func(env.Engine) error {
				bar.Set(step, "")
				step++
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
			return o.report(cmd.OutOrStdout(), &game, result)
		},
	}
	f := cmd.Flags()
	o.bind(f)
	f.StringVar(&o.policies, "policies", "", policiesHelp("policies of the seats", usualPolicies(games.Play)))
	f.StringVar(&o.mapName, "map", "", mapHelp())
	f.Uint64Var(&o.seed, "seed", 1, "seed of the match")
	f.StringVar(&o.out, "out", "", "file to write the replay to")
	f.BoolVar(&o.show, "show", false, "draw the board at the end")
	f.BoolVar(&o.bare, "plain", false, "draw without colours")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return cmd
}

// playResult is what play prints with --json.
type playResult struct {
	Map    string `json:"map"`
	Rules  string `json:"rules"`
	Seed   uint64 `json:"seed,string"`
	Turns  int    `json:"turns"` // steps played
	Reason string `json:"reason"`
	Seats  []any  `json:"seats"`            // of playSeat
	Replay string `json:"replay,omitempty"` // the file written
}

// A playSeat is one seat's entry: seat, policy, score, rank, and what the game
// tells of a seat, flat in one object.
type playSeat struct {
	seat, rank int
	policy     string
	score      float64
	stats      []games.Stat
	values     []int32
}

// MarshalJSON writes the members in their order.
func (s playSeat) MarshalJSON() ([]byte, error) {
	policy, err := json.Marshal(s.policy)
	if err != nil {
		return nil, err
	}
	dst := fmt.Appendf(nil, `{"seat":%d,"policy":%s,"score":%s,"rank":%d`, s.seat, policy, number(s.score), s.rank)
	for i, stat := range s.stats {
		dst = fmt.Appendf(dst, `,%q:%d`, stat.Key, s.values[i])
	}
	return append(dst, '}'), nil
}

// number writes a score with no more digits than it has.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (o *playOptions) report(w io.Writer, game *match.Game, r *match.Result) error {
	g, stats := game.Game, game.Game.Stats()
	if o.json {
		p := playResult{Map: game.Map.ID(), Rules: game.Rules.Name, Seed: o.seed, Turns: r.Outcome.Steps, Reason: r.Outcome.Reason, Replay: o.out}
		for i, s := range r.Seats {
			p.Seats = append(p.Seats, playSeat{i, int(s.Rank), s.Policy, g.Points(float64(s.Score)), stats, s.Stats})
		}
		return writeJSON(w, p)
	}
	st := style(w, o.bare)
	if o.show {
		p, err := g.DrawState(game.Rules, game.Map, r.Last)
		if err != nil {
			return err
		}
		if _, err := w.Write(p.Append(nil, st)); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n\n", p.Legend(st.Width))
	}
	titles := []string{"seat", "policy", ">rank", ">score"}
	for _, stat := range stats {
		titles = append(titles, stat.Title)
	}
	t := console.NewTable(titles...)
	for i, s := range r.Seats {
		row := []any{draw.Seat(i, st), s.Policy, s.Rank, number(g.Points(float64(s.Score)))}
		for _, v := range s.Stats {
			row = append(row, v)
		}
		t.Row(row...)
	}
	t.Write(w)
	fmt.Fprintf(w, "%s after %d %s of %s on %s, seed %d\n", r.Outcome.Reason, r.Outcome.Steps, g.Words().Steps, game.Rules.Name, game.Map.ID(), o.seed)
	if o.out != "" {
		fmt.Fprintf(w, "wrote %s\n", o.out)
	}
	return nil
}
