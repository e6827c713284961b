// myriant data verify

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/datasets"
)

type dataVerifyOptions struct {
	openFlags
	workers int
	json    bool
}

func newDataVerify() *cobra.Command {
	var o dataVerifyOptions
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Check every byte of a dataset, and play every episode again",
		Long: `Check the hashes of all files, the form of every row, that seeds and maps follow
the plan, and, playing every episode again, its orders, state hashes and
outcome; of kind steps also every observation. The first thing that does not
fit is an error that names the file.`,
		Example: `  myriant data verify games
  myriant data verify games --json`,
		Args: args("a dataset's folder", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	o.bind(f)
	f.IntVar(&o.workers, "workers", 0, "threads (0: one a processor)")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON")
	return cmd
}

func (o *dataVerifyOptions) run(cmd *cobra.Command, dir string) error {
	d, err := o.open(dir)
	if err != nil {
		return err
	}
	bar := moving{cmd: cmd}
	v, err := d.Verify(cmd.Context(), datasets.VerifyOptions{Workers: o.workers}, func(v datasets.Verification) {
		bar.tell(datasets.Moved{Episodes: v.Episodes, Total: d.Len()})
	})
	bar.close()
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(cmd.OutOrStdout(), v)
	}
	whole := ""
	if !v.Complete {
		whole = fmt.Sprintf("; the dataset was interrupted and lacks %s", console.Count(d.Manifest().Episodes-d.Len()))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s episodes of %s turns are as recorded, %s in %d files, %.1f s%s\n", console.Clean(dir),
		console.Count(v.Episodes), console.Count(v.Turns), console.Bytes(v.Bytes), v.Shards, v.Seconds, whole)
	return nil
}
