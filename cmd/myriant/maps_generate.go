// myriant maps generate

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env/ants"
)

type mapsGenerateOptions struct {
	generate ants.GenerateOptions
	name     string
	out      string
	form     string
	bare     bool
	json     bool
}

func newMapsGenerate() *cobra.Command {
	var o mapsGenerateOptions
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Generate a map of Ants, draw it, and save it with --out",
		Long: fmt.Sprintf(`Generate a map: symmetric under a translation, connected, and the same for the
same options. Families: %s.

The line above the drawing names the options as text; wherever a command takes
a map it can be used instead of a file.`, strings.Join(append(ants.FamilyNames(), ants.CodeClash), ", ")),
		Example: `  myriant maps generate
  myriant maps generate --family cave --seats 4 --hills 2 --seed 7
  myriant maps generate --family open --rows 64 --cols 96 --out open.json
  myriant maps generate --family maze --out maze.map     the 2011 text form`,
		Args: args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := games.Lookup("ants")
			if err != nil {
				return err
			}
			form, err := o.formOf(cmd, g)
			if err != nil {
				return err
			}
			if o.generate.Family == ants.CodeClash && !cmd.Flags().Changed("seats") {
				o.generate.Seats = 0
			}
			m, err := ants.Generate(o.generate)
			if err != nil {
				return err
			}
			if o.name != "" {
				m.Name = o.name
			}
			w := cmd.OutOrStdout()
			if o.json {
				data, err := g.EncodeMap(m, "json")
				if err != nil {
					return err
				}
				if _, err := w.Write(data); err != nil {
					return err
				}
			} else {
				drawMap(w, g, m, o.bare)
			}
			if o.out == "" {
				return nil
			}
			data, err := g.EncodeMap(m, form)
			if err != nil {
				return err
			}
			if err := os.WriteFile(o.out, data, 0o644); err != nil {
				return err
			}
			if !o.json {
				fmt.Fprintf(w, "wrote %s (%s)\n", o.out, form)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.generate.Family, "family", ants.FamilyNames()[0], "how the land looks")
	f.IntVar(&o.generate.Seats, "seats", ants.MinSeats, fmt.Sprintf("colonies, %d to %d", ants.MinSeats, ants.MaxGenerateSeats))
	f.IntVar(&o.generate.HillsPerSeat, "hills", 0, fmt.Sprintf("hills a seat, 1 to %d (0: 1)", ants.MaxGenerateHills))
	f.IntVar(&o.generate.Rows, "rows", 0, fmt.Sprintf("%d to %d (0: what suits the seats)", ants.MinGenerateSide, ants.MaxGenerateSide))
	f.IntVar(&o.generate.Cols, "cols", 0, fmt.Sprintf("%d to %d (0: what suits the seats)", ants.MinGenerateSide, ants.MaxGenerateSide))
	f.IntVar(&o.generate.WaterPercent, "water", 0, fmt.Sprintf("share of water in percent, 1 to %d (0: the family's own)", ants.MaxGenerateWaterPercent))
	f.Uint64Var(&o.generate.Seed, "seed", 1, "seed of the generator")
	f.StringVar(&o.name, "id", "", "name of the map (default: its options as text)")
	f.StringVar(&o.out, "out", "", "file to write")
	f.StringVar(&o.form, "format", "", "form of the file: json or text (default: by its ending, text for .map and .txt)")
	f.BoolVar(&o.bare, "plain", false, "draw without colours")
	f.BoolVar(&o.json, "json", false, "print the map's JSON form instead of drawing it")
	return cmd
}

// formOf is the form to write the file in.
func (o *mapsGenerateOptions) formOf(cmd *cobra.Command, g games.Game) (string, error) {
	forms := g.MapForms()
	switch {
	case o.form != "" && !slices.Contains(forms, o.form):
		return "", usagef(cmd, "--format is %q, want %s", o.form, strings.Join(forms, " or "))
	case o.form != "" && o.out == "":
		return "", usagef(cmd, "--format needs --out, the file to write")
	case o.form != "":
		return o.form, nil
	}
	switch strings.ToLower(filepath.Ext(o.out)) {
	case ".map", ".txt":
		return "text", nil
	}
	return "json", nil
}
