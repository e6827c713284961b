// myriant maps show

package main

import "github.com/spf13/cobra"

type mapsShowOptions struct {
	gameFlag
	bare, text, json bool
}

func newMapsShow() *cobra.Command {
	var o mapsShowOptions
	cmd := &cobra.Command{
		Use:   "show MAP",
		Short: "Draw a map in the terminal, or print it in one of its forms",
		Long: `Draw a map in the terminal: in colour where the terminal has it and NO_COLOR is
not set, in bands where the board is wider than the terminal.`,
		Example: `  myriant maps show medium-4p
  myriant maps show generated:rooms:seats=2,seed=3 --plain
  myriant maps show boards/old.map --json > old.json`,
		Args: args("a map: a "+mapHelp(), 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := atMostOne(cmd, "json", "text", "plain"); err != nil {
				return err
			}
			g, err := o.lookup(cmd)
			if err != nil {
				return err
			}
			m, err := g.Maps().Load(args[0])
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if !o.json && !o.text {
				drawMap(w, g, m, o.bare)
				return nil
			}
			form := "json"
			if o.text {
				form = "text"
			}
			data, err := g.EncodeMap(m, form)
			if err != nil {
				return err
			}
			_, err = w.Write(data)
			return err
		},
	}
	o.bindGame(cmd.Flags())
	cmd.Flags().BoolVar(&o.bare, "plain", false, "draw without colours")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the map's JSON form instead")
	cmd.Flags().BoolVar(&o.text, "text", false, "print the text form of a map of Ants instead, which has no name, symmetry or food target")
	return cmd
}
