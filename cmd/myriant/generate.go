// myriant generate

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/cmd/internal/match"
	"github.com/myriant-rl/myriant/datasets"
)

type generateOptions struct {
	rulesFlags
	data     datasets.Options
	kind     string
	maps     []string
	policies string
	part     string
	json     bool

	ruleName string // for the summary
	words    games.Words
}

// generateShardSize is small, to leave little to do again after an
// interruption. It is that of orders; steps have the library's default.
const generateShardSize = 1 << 20

func newGenerate() *cobra.Command {
	o := generateOptions{data: datasets.Options{ShardSize: generateShardSize}}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Play episodes and write them as a dataset",
		Long: `Play episodes between bundled policies on many boards at once and write
them to a folder: compressed Arrow files and a manifest that says how to play
every episode again.

The same flags give the same folder, byte for byte, for any number of workers
and interruptions. Episode e depends on the seed and e alone. A run that was
interrupted, even by a crash, goes on with --resume.`,
		Example: `  myriant generate
  myriant generate --policies greedy,hunter --map medium-4p --episodes 500 --out games
  myriant generate --map generated:maze:seats=2,seed=7 --map tiny-2p --seed 9 --out games
  myriant generate --episodes 100000 --out games --resume
  myriant generate --episodes 50 --out games --json
  myriant generate --kind steps --format parquet --episodes 20 --out table
  myriant generate --game formica --policies scripted,raid,forage,defend --out colonies`,
		Args: args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.resolve(cmd); err != nil {
				return err
			}
			return o.run(cmd)
		},
	}
	f := cmd.Flags()
	o.bind(f)
	f.StringArrayVar(&o.maps, "map", nil, "map, may be given several times: "+mapHelp())
	f.StringVar(&o.policies, "policies", "", policiesHelp("policies of the seats, in turn", usualPolicies(games.Generate)))
	f.IntVar(&o.data.Episodes, "episodes", datasets.DefaultEpisodes, "episodes to play")
	f.Uint64Var(&o.data.Seed, "seed", 1, "seed of the dataset")
	f.StringVar(&o.kind, "kind", string(datasets.Orders), fmt.Sprintf("what is kept of an episode: %s", join(datasets.Kinds())))
	f.StringVar(&o.data.Format, "format", datasets.Formats()[0], "form of the files: "+join(datasets.Formats()))
	f.StringVar(&o.part, "part", "", "write only part K/N of the episodes, for 'myriant data merge'")
	f.IntVar(&o.data.Workers, "workers", 0, "threads (0: one a processor)")
	f.Var((*byteSize)(&o.data.ShardSize), "shard-size", "raw bytes of the rows of a file, such as 512k or 64M (of steps by default 128M)")
	f.StringVar(&o.data.Out, "out", "data", "folder to write")
	f.BoolVar(&o.data.Resume, "resume", false, "go on with a dataset that was interrupted")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON")
	return cmd
}

func join[T ~string](list []T) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}

// resolve turns the flags into the library's options.
func (o *generateOptions) resolve(cmd *cobra.Command) error {
	g, rules, err := o.rulesFlags.resolve(cmd, games.Generate)
	if err != nil {
		return err
	}
	o.data.Game, o.data.Rules = g.Name(), rules.JSON
	o.ruleName = rules.Name
	if strings.HasPrefix(strings.TrimSpace(o.rules), "{") {
		o.ruleName = "changed"
	}
	if o.policies == "" {
		o.policies = g.Usual(games.Generate).Policies
	}
	o.data.Policies = splitNames(o.policies)
	if len(o.maps) == 0 {
		o.maps = []string{g.MapFor(rules, games.Generate)}
	}
	seats := 0
	for _, name := range o.maps {
		m, err := g.Maps().Load(name)
		if err != nil {
			return err
		}
		o.data.Maps = append(o.data.Maps, m)
		seats = max(seats, m.Seats())
	}
	if _, err := match.Deal(g, o.data.Policies, seats); err != nil {
		return usagef(cmd, "--policies: %w", err)
	}
	if o.data.Episodes < 1 {
		return usagef(cmd, "--episodes is %d, want 1 or more", o.data.Episodes)
	}
	o.data.Kind = datasets.Kind(o.kind)
	if o.data.Kind == datasets.Steps && !cmd.Flags().Changed("shard-size") {
		o.data.ShardSize = datasets.DefaultStepsShardSize
	}
	if o.part != "" {
		k, n := 0, 0
		if _, err := fmt.Sscanf(o.part, "%d/%d", &k, &n); err != nil || fmt.Sprintf("%d/%d", k, n) != o.part || k < 1 || k > n || n > o.data.Episodes {
			return usagef(cmd, "--part is %q, want K/N with K from 1 to N, and N at most the number of episodes", o.part)
		}
		all := o.data.Episodes
		o.data.First = all * (k - 1) / n
		o.data.Episodes = all*k/n - o.data.First
	}
	o.words = g.Words()
	return nil
}

func (o *generateOptions) run(cmd *cobra.Command) error {
	var bar *console.Progress
	var base int64 // written before this call, or nearly
	var last datasets.Progress
	summary, err := datasets.Generate(cmd.Context(), o.data, func(p datasets.Progress) {
		if bar == nil {
			bar, base = console.NewProgress(cmd.ErrOrStderr(), int64(p.Total-p.Resumed), "episodes"), p.Bytes
		}
		last = p
		s := max(p.Elapsed.Seconds(), 1e-9)
		note := console.Short(float64(p.Turns)/s) + " " + o.words.Steps + "/s"
		if p.Bytes > base {
			note += ", " + console.Bytes(int64(float64(p.Bytes-base)/s)) + "/s"
		}
		bar.Set(int64(p.Episodes-p.Resumed), note)
	})
	bar.Close()
	switch {
	case errors.Is(err, datasets.ErrExists) && !o.data.Resume:
		return fmt.Errorf("%w (--resume, --out)", err)
	case errors.Is(err, context.Canceled):
		d, openErr := datasets.Open(o.data.Out, datasets.OpenOptions{})
		if openErr != nil {
			return fmt.Errorf("%w, and then: %w", err, openErr)
		}
		return fmt.Errorf("%w: %s holds %s of %s episodes in whole files; go on with\n  %s",
			err, o.data.Out, console.Count(d.Len()), console.Count(o.data.Episodes), resumeLine(cmd))
	case err != nil:
		return err
	}
	result := o.resultOf(summary, last)
	if o.json {
		return writeJSON(cmd.OutOrStdout(), result)
	}
	writeGenerated(cmd.OutOrStdout(), result, o.words)
	return nil
}

// resumeLine is the command line that goes on with what this one began.
func resumeLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "resume" || f.Name == "json" {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			line += " --" + f.Name + " " + quote(v)
		}
	})
	return line + " --resume"
}

// quote writes an argument for a shell.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:,=+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// generateResult is what generate prints with --json.
type generateResult struct {
	*datasets.Summary
	Rules     string   `json:"rules"`
	Maps      []string `json:"maps"`
	Policies  []string `json:"policies"`
	TurnsPerS float64  `json:"turns_per_s"` // of this call
	Firsts    []first  `json:"first_places_by_policy"`
}

// first counts the first places of a policy's seats, shared ones too, in the
// episodes that this call played.
type first struct {
	Policy string `json:"policy"`
	Places int    `json:"first_places"`
}

func (o *generateOptions) resultOf(s *datasets.Summary, last datasets.Progress) generateResult {
	r := generateResult{Summary: s, Rules: o.ruleName, Policies: o.data.Policies}
	for _, m := range o.data.Maps {
		r.Maps = append(r.Maps, m.ID())
	}
	if s.Seconds > 0 {
		r.TurnsPerS = math.Round(float64(last.Turns) / s.Seconds)
	}
	for _, name := range o.data.Policies {
		known := false
		for i := range r.Firsts {
			known = known || r.Firsts[i].Policy == name
		}
		if !known {
			r.Firsts = append(r.Firsts, first{Policy: name})
		}
	}
	for seat, n := range s.Firsts {
		for i := range r.Firsts {
			if r.Firsts[i].Policy == o.data.Policies[seat%len(o.data.Policies)] {
				r.Firsts[i].Places += n
			}
		}
	}
	return r
}

// writeGenerated writes the summary for people.
func writeGenerated(w io.Writer, r generateResult, words games.Words) {
	played := r.Episodes - r.Resumed
	files := "1 file"
	if r.Shards != 1 {
		files = console.Count(r.Shards) + " files"
	}
	fmt.Fprintf(w, "%s: %s episodes of %s by %s rules on %s\n\n", console.Clean(r.Out), console.Count(r.Episodes),
		strings.Join(r.Policies, " and "), r.Rules, console.Clean(strings.Join(r.Maps, ", ")))
	if r.Resumed > 0 {
		fmt.Fprintf(w, "there before %12s episodes\n", console.Count(r.Resumed))
	}
	if len(r.Removed) > 0 {
		fmt.Fprintf(w, "removed      %12d leftovers of an interrupted run: %s\n", len(r.Removed), strings.Join(r.Removed, ", "))
	}
	fmt.Fprintf(w, "%-12s %12s", words.Steps, console.Count(r.Turns))
	if played > 0 {
		fmt.Fprintf(w, "   %s a second", console.Short(r.TurnsPerS))
	}
	fmt.Fprintf(w, "\n%-12s %12s   %.2f bits each\n", words.Orders, console.Count(r.Orders), r.Bits)
	fmt.Fprintf(w, "size         %12s   %s\n", console.Bytes(r.Bytes), files)
	fmt.Fprintf(w, "time         %10.1f s\n", r.Seconds)
	if played == 0 {
		fmt.Fprintln(w, "\nthe dataset was complete; nothing was played")
		return
	}
	fmt.Fprintln(w)
	endings := console.NewTable("ending", ">episodes", "")
	for _, e := range r.Endings {
		endings.Row(e.Reason, console.Count(e.Episodes), bar(e.Episodes, played))
	}
	endings.Write(w)
	fmt.Fprintln(w)
	places := 0
	for _, f := range r.Firsts {
		places += f.Places
	}
	firsts := console.NewTable("policy", ">first places", "")
	for _, f := range r.Firsts {
		firsts.Row(f.Policy, console.Count(f.Places), bar(f.Places, places))
	}
	firsts.Write(w)
}

// bar draws n of total as up to 30 blocks, and the percentage.
func bar(n, total int) string {
	const width = 30
	total = max(total, 1)
	return fmt.Sprintf("%s %d%%", strings.Repeat("█", (n*width+total/2)/total), (n*100+total/2)/total)
}

// byteSize is a number of bytes with an optional k, M or G (powers of 1024).
type byteSize int64

func (b *byteSize) Type() string { return "size" }

func (b *byteSize) String() string {
	v := int64(*b)
	for _, unit := range []string{"", "k", "M", "G"} {
		if v == 0 || v%1024 != 0 || unit == "G" {
			return fmt.Sprintf("%d%s", v, unit)
		}
		v /= 1024
	}
	return ""
}

func (b *byteSize) Set(text string) error {
	number, shift := text, 0
	if n := len(text); n > 0 {
		if i := strings.IndexByte("kmg", text[n-1]|0x20); i >= 0 {
			number, shift = text[:n-1], 10*(i+1)
		}
	}
	v, err := parsePositive(number)
	if err != nil || v > math.MaxInt64>>shift {
		return fmt.Errorf("no size %q, want a number of bytes such as 512k or 64M", text)
	}
	*b = byteSize(v << shift)
	return nil
}
