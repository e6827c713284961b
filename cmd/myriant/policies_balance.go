// myriant policies balance

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

type balanceOptions struct {
	gameFlag
	games, duels, workers int
	seed                  uint64
	json                  bool
}

// The games of a whole measurement: some seconds on the fast engine.
const (
	balanceGames = 1680
	balanceDuels = 400
)

func newPoliciesBalance() *cobra.Command {
	var o balanceOptions
	cmd := &cobra.Command{
		Use:   "balance",
		Short: "Measure whether the strategies of a game balance each other",
		Long: `Play the bundled strategies against each other and hold the results to the
game's gates: no strategy is far above the field, whoever leads early need not
win, no seat is better than another, and some strategies beat each other in a
circle. The exit code is 1 when a gate is not kept.

Every choice of strategies for the seats is dealt in every order, equally often.
The same flags play the same games.`,
		Example: `  myriant policies balance --game formica
  myriant policies balance --game formica --games 840 --duels 100 --json`,
		Args: args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := o.lookup(cmd)
			if err != nil {
				return err
			}
			gates := g.Gates()
			if gates == nil {
				return usagef(cmd, "--game: %s has no gates of balance", g.Name())
			}
			b := match.Balance{Game: g, Gates: gates, Games: o.games, Duels: o.duels, Seed: o.seed, Workers: o.workers}
			var bar *console.Progress
			v, err := b.Run(cmd.Context(), func(done, total int) {
				if bar == nil {
					bar = console.NewProgress(cmd.ErrOrStderr(), int64(total), "games")
				}
				bar.Set(int64(done), "")
			})
			bar.Close()
			if err != nil {
				return err
			}
			if o.json {
				err = writeJSON(cmd.OutOrStdout(), v)
			} else {
				writeBalance(cmd.OutOrStdout(), gates, v)
			}
			if err == nil && !v.OK {
				err = fmt.Errorf("%s is out of balance", g.Name())
			}
			return err
		},
	}
	f := cmd.Flags()
	o.bindGame(f)
	f.IntVarP(&o.games, "games", "n", balanceGames, "games of all seats, twice: of all strategies and of the fixed ones")
	f.IntVar(&o.duels, "duels", balanceDuels, "games between each two of the circle, on each board")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the seeds")
	f.IntVar(&o.workers, "workers", 0, "threads (0: one a processor)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// verdict is the last column of a gate.
func verdict(ok bool) string {
	if ok {
		return "ok"
	}
	return "FAIL"
}

// writeBalance writes a table for each gate.
func writeBalance(w io.Writer, g *games.Gates, v *match.Verdict) {
	fmt.Fprintf(w, "%s games by %s rules, field mean %.1f points a seat\n\n", console.Count(v.Field), g.Rules, v.Mean)
	t := console.NewTable("strategy", ">seats", ">mean", ">of the field", ">wins", fmt.Sprintf("at most %.2f", g.MaxRatio))
	for _, s := range v.Strategies {
		t.Row(s.Strategy, console.Count(s.Seats), fmt.Sprintf("%.1f", s.Mean), fmt.Sprintf("%.3f", s.Ratio), fmt.Sprintf("%.0f%%", 100*s.Wins), verdict(s.OK))
	}
	t.Write(w)
	fmt.Fprintln(w)
	t = console.NewTable("slot", ">mean", ">standard error", ">errors off", fmt.Sprintf("at most %.0f", g.MaxErrors))
	for _, s := range v.Slots {
		t.Row(s.Slot, fmt.Sprintf("%.1f", s.Mean), fmt.Sprintf("%.2f", s.Error), fmt.Sprintf("%+.2f", s.Errors), verdict(s.OK))
	}
	t.Write(w)
	fmt.Fprintln(w)
	t = console.NewTable(fmt.Sprintf("leader at tick %d, games of", g.LeaderTick), ">games", ">wins", fmt.Sprintf("at most %.0f%%", 100*g.MaxLeader))
	for _, l := range v.Leaders {
		names := g.Field
		if l.Of == "fixed" {
			names = g.Fixed
		}
		t.Row(strings.Join(names, ", "), console.Count(l.Games), fmt.Sprintf("%.1f%%", 100*l.Share), verdict(l.OK))
	}
	t.Write(w)
	fmt.Fprintln(w)
	t = console.NewTable("each on half of the seats", "rules", ">points a game", "95% interval", ">mean score", "above 0.5")
	for _, d := range v.Cycle {
		t.Row(d.A+" beats "+d.B, d.Rules, fmt.Sprintf("%.3f", d.Points), fmt.Sprintf("%.3f to %.3f", d.Interval[0], d.Interval[1]), fmt.Sprintf("%.1f to %.1f", d.ScoreA, d.ScoreB), verdict(d.OK))
	}
	t.Write(w)
}
