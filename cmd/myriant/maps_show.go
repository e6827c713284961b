// myriant maps show

package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/mapsource"
	"github.com/myriant-rl/myriant/env/ants"
)

type mapsShowOptions struct {
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
		Args: args("a map: a "+mapsource.Help, 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := atMostOne(cmd, "json", "text", "plain"); err != nil {
				return err
			}
			m, err := mapsource.Load(args[0])
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if !o.json && !o.text {
				drawMap(w, m, o.bare)
				return nil
			}
			form := "json"
			if o.text {
				form = "text"
			}
			data, err := encodeMap(m, form)
			if err != nil {
				return err
			}
			_, err = w.Write(data)
			return err
		},
	}
	cmd.Flags().BoolVar(&o.bare, "plain", false, "draw without colours")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the map's JSON form instead")
	cmd.Flags().BoolVar(&o.text, "text", false, "print the map's text form instead, which has no name, symmetry or food target")
	return cmd
}

// mapForms are the forms a map is written in.
var mapForms = []string{"json", "text"}

// encodeMap is the file of a map in one of the forms.
func encodeMap(m *ants.Map, form string) ([]byte, error) {
	switch form {
	case "json":
		data, err := m.MarshalJSON()
		return append(data, '\n'), err
	case "text":
		var b bytes.Buffer
		fmt.Fprintf(&b, "# %s\n", bytes.ReplaceAll([]byte(m.Name), []byte("\n"), []byte(" ")))
		return m.AppendText(b.Bytes()), nil
	}
	return nil, fmt.Errorf("no map form %q (have json, text)", form)
}
