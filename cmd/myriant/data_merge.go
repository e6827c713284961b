// myriant data merge

package main

import (
	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/datasets"
)

type dataMergeOptions struct{ transformFlags }

func newDataMerge() *cobra.Command {
	var o dataMergeOptions
	cmd := &cobra.Command{
		Use:   "merge DIR.. --out DIR",
		Short: "Write several datasets as one",
		Long: `Write several datasets as one. The parts that 'generate --part' wrote give the
files that the dataset has undivided. Other datasets are put one after the
other, their episodes numbered anew; game and rules must be the same.`,
		Example: `  myriant generate --episodes 1000 --part 1/2 --out first
  myriant generate --episodes 1000 --part 2/2 --out second
  myriant data merge first second --out games`,
		Args: args("datasets' folders", 1, -1),
		RunE: o.run,
	}
	o.bind(cmd.Flags())
	cmd.Flags().StringVar(&o.to.Out, "out", "", "folder to write")
	return cmd
}

func (o *dataMergeOptions) run(cmd *cobra.Command, dirs []string) error {
	if o.to.Out == "" {
		return usagef(cmd, "needs --out")
	}
	var from []*datasets.Dataset
	for _, dir := range dirs {
		d, err := o.open(dir)
		if err != nil {
			return err
		}
		from = append(from, d)
	}
	o.resolve(from[0])
	bar := moving{cmd: cmd}
	t, err := datasets.Merge(cmd.Context(), from, o.to, bar.tell)
	bar.close()
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(cmd.OutOrStdout(), t)
	}
	writeTransformed(cmd, t)
	return nil
}
