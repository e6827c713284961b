// myriant policies crosstable

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/cmd/internal/match"
)

type crosstableOptions struct {
	rulesFlags
	policies string
	maps     []string
	games    int
	seed     uint64
	workers  int
	json     bool
}

func newPoliciesCrosstable() *cobra.Command {
	var o crosstableOptions
	cmd := &cobra.Command{
		Use:   "crosstable",
		Short: "Play every policy against every other and print the results",
		Long: `Play games between each two policies on maps of two seats, sides swapped from
game to game, each game with a seed of its own. The table gives the row's wins,
draws and losses against the column; the list under it what each two made a game
(1 a win, 1/2 a draw), with its 95% interval (Wilson), and their mean scores.`,
		Example: `  myriant policies crosstable
  myriant policies crosstable --games 200 --map tiny-2p --map generated:maze:seats=2,seed=7
  myriant policies crosstable --policies greedy,hunter --json`,
		Args: args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := o.tournament(cmd)
			if err != nil {
				return err
			}
			bar := console.NewProgress(cmd.ErrOrStderr(), int64(t.Boards())*int64(t.Rules.Steps), t.Game.Words().Steps)
			pairings, err := t.Run(cmd.Context(), func(turns int64, games int) {
				bar.Set(turns, fmt.Sprintf("%d of %d games", games, t.Boards()))
			})
			bar.Close()
			if err != nil {
				return err
			}
			if o.json {
				return writeJSON(cmd.OutOrStdout(), crosstableOf(t, pairings))
			}
			writeCrosstable(cmd.OutOrStdout(), t, pairings)
			return nil
		},
	}
	f := cmd.Flags()
	o.bind(f)
	f.StringVar(&o.policies, "policies", "", "policies to play, the weakest first (default all of the game)")
	f.StringArrayVar(&o.maps, "map", nil, "map of two seats, may be given several times: "+mapHelp())
	f.IntVarP(&o.games, "games", "n", 40, "games between each two")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the seeds")
	f.IntVar(&o.workers, "workers", 0, "threads (0: one a processor)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

func (o *crosstableOptions) tournament(cmd *cobra.Command) (*match.Tournament, error) {
	g, rules, err := o.resolve(cmd, games.Duel)
	if err != nil {
		return nil, err
	}
	t := &match.Tournament{Game: g, Rules: rules, Policies: splitNames(o.policies), Games: o.games, Seed: o.seed, Workers: o.workers}
	if o.policies == "" {
		t.Policies = games.PolicyNames(g)
	}
	if len(o.maps) == 0 {
		o.maps = []string{g.MapFor(rules, games.Duel)}
	}
	for _, name := range o.maps {
		m, err := g.Maps().Load(name)
		if err != nil {
			return nil, err
		}
		t.Maps = append(t.Maps, m)
	}
	return t, nil
}

// crosstableResult is what crosstable prints with --json.
type crosstableResult struct {
	Rules    string        `json:"rules"`
	Maps     []string      `json:"maps"`
	Games    int           `json:"games"` // between each two
	Seed     uint64        `json:"seed,string"`
	Pairings []pairingJSON `json:"pairings"`
}

type pairingJSON struct {
	A        string     `json:"a"`
	B        string     `json:"b"`
	Wins     int        `json:"wins"` // of b, the one listed later
	Draws    int        `json:"draws"`
	Losses   int        `json:"losses"`
	Points   float64    `json:"points"` // of b, a game
	Interval [2]float64 `json:"interval"`
	ScoreA   float64    `json:"score_a"`
	ScoreB   float64    `json:"score_b"`
	Turns    float64    `json:"turns"`
}

func crosstableOf(t *match.Tournament, pairings []match.Pairing) crosstableResult {
	r := crosstableResult{Rules: t.Rules.Name, Games: t.Games, Seed: t.Seed}
	for _, m := range t.Maps {
		r.Maps = append(r.Maps, m.ID())
	}
	for _, p := range pairings {
		r.Pairings = append(r.Pairings, pairingJSON(p))
	}
	return r
}

// writeCrosstable prints the table and the pairings.
func writeCrosstable(w io.Writer, t *match.Tournament, pairings []match.Pairing) {
	names := make([]string, len(t.Maps))
	for i, m := range t.Maps {
		names[i] = m.ID()
	}
	fmt.Fprintf(w, "%d games a pair by %s rules on %s, wins-draws-losses of the row\n\n", t.Games, t.Rules.Name, strings.Join(names, ", "))
	cells := map[[2]string]string{}
	for _, p := range pairings {
		cells[[2]string{p.B, p.A}] = fmt.Sprintf("%d-%d-%d", p.Wins, p.Draws, p.Losses)
		cells[[2]string{p.A, p.B}] = fmt.Sprintf("%d-%d-%d", p.Losses, p.Draws, p.Wins)
	}
	titles := []string{""}
	for _, name := range t.Policies {
		titles = append(titles, ">"+name)
	}
	table := console.NewTable(titles...)
	for _, a := range t.Policies {
		row := []any{a}
		for _, b := range t.Policies {
			if a == b {
				row = append(row, "-")
			} else {
				row = append(row, cells[[2]string{a, b}])
			}
		}
		table.Row(row...)
	}
	table.Write(w)
	fmt.Fprintln(w)
	list := console.NewTable("pair", ">points a game", "95% interval", ">mean score", ">"+t.Game.Words().Steps)
	for _, p := range pairings {
		list.Row(p.B+" against "+p.A, fmt.Sprintf("%.3f", p.Points), fmt.Sprintf("%.3f to %.3f", p.Interval[0], p.Interval[1]),
			fmt.Sprintf("%.2f to %.2f", p.ScoreB, p.ScoreA), fmt.Sprintf("%.0f", p.Turns))
	}
	list.Write(w)
}
