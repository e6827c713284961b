// myriant data convert

package main

import (
	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/datasets"
)

type dataConvertOptions struct{ transformFlags }

func newDataConvert() *cobra.Command {
	var o dataConvertOptions
	cmd := &cobra.Command{
		Use:   "convert DIR --out DIR",
		Short: "Write a dataset in another kind or format",
		Long: `Write a dataset in another kind or format. Nothing is lost either way: orders
converted to steps and back are the same files.`,
		Example: `  myriant data convert games --kind steps --format parquet --out table
  myriant data convert table --kind orders --format arrow --out games`,
		Args: args("a dataset's folder", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.bind(cmd.Flags())
	cmd.Flags().StringVar(&o.to.Out, "out", "", "folder to write")
	return cmd
}

func (o *dataConvertOptions) run(cmd *cobra.Command, dir string) error {
	if o.to.Out == "" {
		return usagef(cmd, "needs --out")
	}
	d, err := o.open(dir)
	if err != nil {
		return err
	}
	o.resolve(d)
	bar := moving{cmd: cmd}
	t, err := datasets.Convert(cmd.Context(), d, o.to, bar.tell)
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
