// myriant data stats

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/datasets"
	"github.com/myriant-rl/myriant/datasets/figures"
)

type dataStatsOptions struct {
	openFlags
	workers int
	plots   string
	format  string
	json    bool
}

// dataStats is what stats prints with --json.
type dataStats struct {
	*datasets.Stats
	Plots []string `json:"plots"`
}

func newDataStats() *cobra.Command {
	var o dataStatsOptions
	cmd := &cobra.Command{
		Use:   "stats DIR",
		Short: "Returns, lengths, endings, ants and actions, as tables and figures",
		Long: `Play a dataset's episodes again and count: lengths, endings, returns, scores,
ants and actions of every policy. With --plots also draw them.`,
		Example: `  myriant data stats games
  myriant data stats games --plots figures
  myriant data stats games --plots figures --plot-format svg --json`,
		Args: args("a dataset's folder", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	o.bind(f)
	f.IntVar(&o.workers, "workers", 0, "threads (0: one a processor)")
	f.StringVar(&o.plots, "plots", "", "folder to draw figures in")
	f.StringVar(&o.format, "plot-format", figures.Formats()[0], "form of the figures: "+join(figures.Formats()))
	f.BoolVar(&o.json, "json", false, "print the numbers as JSON")
	return cmd
}

func (o *dataStatsOptions) run(cmd *cobra.Command, dir string) error {
	d, err := o.open(dir)
	if err != nil {
		return err
	}
	bar := moving{cmd: cmd}
	s, err := d.Stats(cmd.Context(), datasets.VerifyOptions{Workers: o.workers}, bar.tell)
	bar.close()
	if err != nil {
		return err
	}
	r := dataStats{Stats: s, Plots: []string{}}
	if o.plots != "" {
		if s.Episodes == 0 {
			return fmt.Errorf("%s has no episodes to draw", dir)
		}
		if r.Plots, err = figures.Write(o.plots, o.format, s); err != nil {
			return err
		}
	}
	if o.json {
		return writeJSON(cmd.OutOrStdout(), r)
	}
	writeStats(cmd.OutOrStdout(), dir, r)
	return nil
}

func writeStats(w io.Writer, dir string, r dataStats) {
	fmt.Fprintf(w, "%s: %s of %s, %s episodes, %s turns, %.2f bits an order\n\n", console.Clean(dir), r.Kind, r.Game, console.Count(r.Episodes), console.Count(r.Turns), r.Bits)
	spread := console.NewTable("", ">min", ">median", ">90%", ">max", ">mean")
	row := func(name string, d *datasets.Distribution) {
		num := func(v float64) string { return fmt.Sprintf("%.4g", v) }
		spread.Row(console.Clean(name), num(d.Min), num(d.Median), num(d.P90), num(d.Max), num(d.Mean))
	}
	row("turns of an episode", &r.Lengths)
	for i := range r.Policies {
		if p := &r.Policies[i]; p.Seats > 0 {
			row("return of "+p.Name, &p.Return)
			row("score of "+p.Name, &p.Score)
		}
	}
	spread.Write(w)
	fmt.Fprintln(w)
	endings := console.NewTable("ending", ">episodes", "")
	for _, e := range r.Endings {
		endings.Row(console.Clean(e.Reason), console.Count(e.Episodes), bar(e.Episodes, r.Episodes))
	}
	endings.Write(w)
	fmt.Fprintln(w)
	firsts := console.NewTable("policy", ">seats", ">first places", "")
	for _, p := range r.Policies {
		firsts.Row(console.Clean(p.Name), console.Count(p.Seats), console.Count(p.Firsts), bar(p.Firsts, p.Seats))
	}
	firsts.Write(w)
	fmt.Fprintln(w)
	titles := []string{"orders of"}
	for _, a := range r.Policies[0].Actions {
		titles = append(titles, ">"+a.Name)
	}
	actions := console.NewTable(titles...)
	for _, p := range r.Policies {
		total := int64(0)
		for _, a := range p.Actions {
			total += a.Count
		}
		cells := []any{console.Clean(p.Name)}
		for _, a := range p.Actions {
			cells = append(cells, fmt.Sprintf("%.1f%%", 100*float64(a.Count)/float64(max(total, 1))))
		}
		actions.Row(cells...)
	}
	actions.Write(w)
	if len(r.Plots) > 0 {
		fmt.Fprintf(w, "\ndrawn: %s\n", console.Clean(strings.Join(r.Plots, ", ")))
	}
}
