// myriant bench

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/bench"
	"github.com/myriant-rl/myriant/cmd/internal/console"
)

type benchOptions struct {
	bench.Options
	json     bool
	recorded bool
	paced    bool
}

func newBench() *cobra.Command {
	var o benchOptions
	var list strings.Builder
	for _, w := range bench.Workloads() {
		fmt.Fprintf(&list, "\n  %-18s %s", w.Name, w.Doc)
	}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed of the engine on fixed workloads",
		Long: `Play recorded turns on thousands of boards and measure how long a step takes,
with planes, ant lists, masks, rewards and flags of all seats written. The games
are played first, so that the cost of policies is not in the numbers, except in
the workload that is about it:
` + list.String() + `

The floor is the time to copy the bytes that a step must read and write, in the
same process, on as many workers, in turns with the steps. Numbers are medians
of many short rounds. A turn is a step of the game: of Formica a command phase and
the ticks to the next one. Run it on a machine that does nothing else.`,
		Example: `  myriant bench
  myriant bench --quick --json
  myriant bench --workload ants-32x32 --workers 1,2,4`,
		Args: args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.paced && (o.json || o.recorded) {
				return usagef(cmd, "--paced goes with neither --json nor --recorded")
			}
			bar := console.NewProgress(cmd.ErrOrStderr(), bench.ProgressTotal, "bench")
			o.Progress = func(done int, note string) { bar.Set(int64(done), note) }
			var report *bench.Report
			var recorded []bench.Recorded
			var pacer *bench.Pacer
			var err error
			switch {
			case o.paced:
				if pacer, err = bench.NewPacer(cmd.Context(), o.Options); err == nil {
					defer pacer.Close()
				}
			case o.recorded:
				recorded, err = bench.Record(cmd.Context(), o.Options)
			default:
				report, err = bench.Run(cmd.Context(), o.Options)
			}
			bar.Close()
			switch {
			case errors.Is(err, bench.ErrOptions):
				return usagef(cmd, "%w", err)
			case err != nil:
				return err
			case o.paced:
				return pace(cmd.InOrStdin(), cmd.OutOrStdout(), pacer)
			case o.recorded:
				return writeJSON(cmd.OutOrStdout(), recorded)
			case o.json:
				return writeJSON(cmd.OutOrStdout(), report)
			}
			writeBench(cmd.OutOrStdout(), report)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.Workloads, "workload", nil, "workloads to measure (default all)")
	f.IntSliceVar(&o.Workers, "workers", nil, "numbers of threads to measure with (default 1, 2 and one a processor)")
	f.IntVar(&o.Boards, "boards", 0, "boards of every workload (0: the workload's own number)")
	f.BoolVar(&o.Quick, "quick", false, "end within 40 seconds")
	f.BoolVar(&o.json, "json", false, "print the results as JSON")
	f.BoolVar(&o.recorded, "recorded", false, "measure nothing, print the workloads' boards and orders as JSON")
	f.BoolVar(&o.paced, "paced", false, "print what --recorded does as one line, then play a pass of each workload that a line of the input names\nand print its nanoseconds a board and turn")
	return cmd
}

// pace plays the workloads that lines of the input name.
func pace(in io.Reader, out io.Writer, p *bench.Pacer) error {
	if err := json.NewEncoder(out).Encode(p.Recorded); err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		ns, err := p.Pass(lines.Text())
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, ns); err != nil {
			return err
		}
	}
	return nil
}

// writeBench writes the tables and the picture.
func writeBench(w io.Writer, r *bench.Report) {
	fmt.Fprintf(w, "%s, %s, %s kernels\n\n", r.Machine, r.Go, r.Acceleration)
	t := console.NewTable("workload", ">workers", ">ns/board-turn", ">best", ">floor", ">x floor", ">board-turns/s", ">ant-steps/s", ">speed-up", ">floor's", ">allocs/step")
	for _, x := range r.Workloads {
		speedup, floors := "-", "-"
		if x.Speedup > 0 {
			speedup, floors = fmt.Sprintf("%.2f", x.Speedup), fmt.Sprintf("%.2f", x.FloorSpeedup)
		}
		t.Row(x.Name, x.Workers, nanoseconds(x.NsPerBoardTurn), nanoseconds(x.BestNs), nanoseconds(x.FloorNs), fmt.Sprintf("%.1f", x.FloorRatio),
			console.Short(x.BoardTurnsPerS), console.Short(x.AntStepsPerS), speedup, floors, fmt.Sprintf("%.3g", x.AllocsPerStep))
	}
	t.Write(w)
	fmt.Fprintln(w)

	t = console.NewTable("workload", ">boards", ">ants/seat", ">state/board", ">arrays/board", ">together", ">rounds")
	for i, x := range r.Workloads {
		if i == 0 || x.Name != r.Workloads[i-1].Name {
			t.Row(x.Name, console.Count(x.Boards), fmt.Sprintf("%.1f", x.UnitsPerSeat), console.Bytes(int64(x.StateBytes)), console.Bytes(int64(x.ArrayBytes)),
				console.Bytes(int64(x.Boards*x.BytesPerBoard)), x.Rounds)
		}
	}
	t.Write(w)
	fmt.Fprintln(w)
	writeTicks(w, r)
	writeBars(w, r)
}

// writeTicks tells of the workloads whose turns take several ticks what a tick
// takes.
func writeTicks(w io.Writer, r *bench.Report) {
	t := console.NewTable("workload", ">workers", ">ticks/turn", ">ns/tick", ">best", ">ticks/s")
	some := false
	for _, x := range r.Workloads {
		if x.TicksPerTurn > 1 {
			some = true
			t.Row(x.Name, x.Workers, fmt.Sprintf("%.2f", x.TicksPerTurn), nanoseconds(x.NsPerTick), nanoseconds(x.BestNs/x.TicksPerTurn), console.Short(x.TicksPerS))
		}
	}
	if some {
		t.Write(w)
		fmt.Fprintln(w)
	}
}

func nanoseconds(v float64) string { return console.Count(int64(math.Round(v))) }

// writeBars draws what a board-turn takes as bars, to the scale of the
// workload's longest.
func writeBars(w io.Writer, r *bench.Report) {
	const width = 48
	longest := map[string]float64{}
	for _, x := range r.Workloads {
		longest[x.Name] = max(longest[x.Name], x.NsPerBoardTurn, x.FloorNs)
	}
	t := console.NewTable("ns per board-turn", ">workers", "█ floor  ▒ above it")
	for _, x := range r.Workloads {
		cells := func(ns float64) int { return int(math.Round(ns / longest[x.Name] * width)) }
		floor := min(cells(x.FloorNs), cells(x.NsPerBoardTurn))
		t.Row(x.Name, x.Workers, strings.Repeat("█", floor)+strings.Repeat("▒", cells(x.NsPerBoardTurn)-floor))
	}
	t.Write(w)
}
