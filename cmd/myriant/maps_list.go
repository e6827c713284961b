// myriant maps list

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/mapsource"
	"github.com/myriant-rl/myriant/env/ants"
)

func newMapsList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [MAP..]",
		Short: "List maps, by default the bundled ones",
		Example: `  myriant maps list
  myriant maps list boards/*.map --json`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				names = ants.Bundled()
			}
			list := make([]mapInfo, 0, len(names))
			for _, name := range names {
				m, err := mapsource.Load(name)
				if err != nil {
					return err
				}
				list = append(list, infoOf(m))
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), list)
			}
			t := console.NewTable("id", ">size", ">seats", ">hills", ">water", ">food", "symmetric")
			for i := range list {
				m := &list[i]
				t.Row(console.Clean(m.ID), fmt.Sprintf("%dx%d", m.Rows, m.Cols), m.Seats, m.Hills, fmt.Sprintf("%.0f%%", m.WaterPercent), m.Food, m.symmetric())
			}
			t.Write(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}
