// myriant maps: the boards there are, and new ones.

package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env"
)

func newMaps() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "maps",
		Short: "List, draw, check and generate maps",
		Long: `Maps come with the program, from files (JSON, or the text form of the 2011
contest), or from the generator. Wherever a command takes a map it takes a
bundled id, a file, or generated:FAMILY:key=value,..

A map of Formica is a number of seats and a radius: a bundled id, a file, or
generated:seats=3,radius=12. Nests and food come from the seed of the game; 'maps
show' draws them as seed 1 lays them out.`,
		Example: `  myriant maps list
  myriant maps show generated:cave:seats=4,seed=7
  myriant maps show --game formica generated:seats=6,radius=14
  myriant maps generate --family maze --seats 3 --out maze.json`,
	})
	cmd.AddCommand(newMapsList(), newMapsShow(), newMapsValidate(), newMapsGenerate())
	return cmd
}

// drawMap draws a map under a line that describes it.
func drawMap(w io.Writer, g games.Game, m env.Map, bare bool) {
	fmt.Fprintf(w, "%s: %s\n", console.Clean(m.ID()), g.DescribeMap(m).Line)
	s := style(w, bare)
	p := g.DrawMap(m)
	_, _ = w.Write(p.Append(nil, s))
	fmt.Fprintln(w, p.Legend(s.Width))
}

// style is how to draw on a writer.
func style(w io.Writer, bare bool) draw.Style {
	_, cols := console.Size(w)
	return draw.Style{Color: !bare && console.Color(w), Width: cols}
}
