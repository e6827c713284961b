// myriant data split

package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/datasets"
)

type dataSplitOptions struct {
	transformFlags
	out   string
	train float64
	seed  uint64
}

func newDataSplit() *cobra.Command {
	var o dataSplitOptions
	cmd := &cobra.Command{
		Use:   "split DIR --out DIR",
		Short: "Write a dataset in two parts, for training and validation",
		Long: `Write a dataset's episodes to the folders train and validation below --out. On
which side an episode is depends on --seed and a hash of the episode, not on its
number: equal episodes are on one side, and each stays there when others are
added.`,
		Example: `  myriant data split games --out parts
  myriant data split games --train 0.8 --seed 3 --out parts`,
		Args: args("a dataset's folder", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	o.bind(f)
	f.StringVar(&o.out, "out", "", "folder to write train and validation in")
	f.Float64Var(&o.train, "train", 0.9, "share of the episodes for training, roughly")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the split")
	return cmd
}

func (o *dataSplitOptions) run(cmd *cobra.Command, dir string) error {
	if o.out == "" {
		return usagef(cmd, "needs --out")
	}
	if !(o.train > 0 && o.train < 1) {
		return usagef(cmd, "--train is %g, want a share between 0 and 1", o.train)
	}
	d, err := o.open(dir)
	if err != nil {
		return err
	}
	o.resolve(d)
	o.to.Out = filepath.Join(o.out, "train")
	bar := moving{cmd: cmd}
	in, out, err := datasets.Split(cmd.Context(), d, o.to, filepath.Join(o.out, "validation"), o.seed, o.train, bar.tell)
	bar.close()
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(cmd.OutOrStdout(), map[string]*datasets.Transformed{"train": in, "validation": out})
	}
	writeTransformed(cmd, in)
	writeTransformed(cmd, out)
	return nil
}
