// myriant maps list

package main

import (
	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
)

type mapsListOptions struct {
	gameFlag
	json bool
}

func newMapsList() *cobra.Command {
	var o mapsListOptions
	cmd := &cobra.Command{
		Use:   "list [MAP..]",
		Short: "List maps, by default the bundled ones",
		Example: `  myriant maps list
  myriant maps list boards/*.map --json`,
		RunE: func(cmd *cobra.Command, names []string) error {
			g, err := o.lookup(cmd)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				names = g.Maps().Bundled()
			}
			list := make([]any, 0, len(names))
			t := console.NewTable(g.MapColumns()...)
			for _, name := range names {
				m, err := g.Maps().Load(name)
				if err != nil {
					return err
				}
				info := g.DescribeMap(m)
				list = append(list, info.JSON)
				t.Row(info.Row...)
			}
			if o.json {
				return writeJSON(cmd.OutOrStdout(), list)
			}
			t.Write(cmd.OutOrStdout())
			return nil
		},
	}
	o.bindGame(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}
