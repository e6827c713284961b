// myriant data card

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/datasets"
)

type dataCardOptions struct {
	openFlags
	stats bool
	out   string
}

func newDataCard() *cobra.Command {
	var o dataCardOptions
	cmd := &cobra.Command{
		Use:   "card DIR",
		Short: "Print a dataset card in Markdown",
		Long: `Print a dataset card in Markdown, with the header that Hugging Face reads, made
from the manifest. With --stats the episodes are played again and statistics
added.`,
		Example: `  myriant data card games
  myriant data card games --stats --out games/README.md`,
		Args: args("a dataset's folder", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	o.bind(f)
	f.BoolVar(&o.stats, "stats", false, "add statistics")
	f.StringVar(&o.out, "out", "", "file to write instead")
	return cmd
}

func (o *dataCardOptions) run(cmd *cobra.Command, dir string) error {
	d, err := o.open(dir)
	if err != nil {
		return err
	}
	var s *datasets.Stats
	if o.stats {
		bar := moving{cmd: cmd}
		s, err = d.Stats(cmd.Context(), datasets.VerifyOptions{}, bar.tell)
		bar.close()
		if err != nil {
			return err
		}
	}
	if o.out != "" {
		return os.WriteFile(o.out, []byte(d.Card(s)), 0o666)
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), d.Card(s))
	return err
}
