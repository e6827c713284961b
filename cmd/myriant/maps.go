// myriant maps: the boards there are, and new ones.

package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/env/ants"
)

func newMaps() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "maps",
		Short: "List, draw, check and generate maps",
		Long: `Maps come with the program, from files (JSON, or the text form of the 2011
contest), or from the generator. Wherever a command takes a map it takes a
bundled id, a file, or generated:FAMILY:key=value,..`,
		Example: `  myriant maps list
  myriant maps show generated:cave:seats=4,seed=7
  myriant maps generate --family maze --seats 3 --out maze.json`,
	})
	cmd.AddCommand(newMapsList(), newMapsShow(), newMapsValidate(), newMapsGenerate())
	return cmd
}

// mapInfo is what lists tell about a map.
type mapInfo struct {
	ID           string      `json:"id"`
	Rows         int         `json:"rows"`
	Cols         int         `json:"cols"`
	Seats        int         `json:"seats"`
	Hills        int         `json:"hills"`
	Land         int         `json:"land"`
	WaterPercent float64     `json:"water_percent"`
	Food         int         `json:"food"`
	Symmetry     *ants.Shift `json:"symmetry"` // the move, null for none
	Digest       string      `json:"digest"`
}

func infoOf(m *ants.Map) mapInfo {
	land := 0
	for _, wet := range m.Water {
		if !wet {
			land++
		}
	}
	cells := m.Rows * m.Cols
	return mapInfo{
		ID: m.Name, Rows: m.Rows, Cols: m.Cols, Seats: m.Players, Hills: len(m.Hills), Land: land,
		WaterPercent: float64(1000*(cells-land)/cells) / 10, Food: len(m.Food), Symmetry: m.Symmetry, Digest: m.Digest(),
	}
}

// symmetric is the move that carries a seat's board to the next one's.
func (i *mapInfo) symmetric() string {
	if i.Symmetry == nil {
		return "no move"
	}
	return fmt.Sprintf("move %d,%d", i.Symmetry.DR, i.Symmetry.DC)
}

// drawMap draws a map under a line that describes it.
func drawMap(w io.Writer, m *ants.Map, bare bool) {
	i := infoOf(m)
	fmt.Fprintf(w, "%s: %dx%d, %d seats, %d hills, %.0f%% water, %d food, %s\n",
		console.Clean(i.ID), i.Rows, i.Cols, i.Seats, i.Hills, i.WaterPercent, i.Food, i.symmetric())
	s := style(w, bare)
	p := draw.Map(m)
	_, _ = w.Write(p.Append(nil, s))
	fmt.Fprintln(w, p.Legend(s.Width))
}

// style is how to draw on a writer.
func style(w io.Writer, bare bool) draw.Style {
	_, cols := console.Size(w)
	return draw.Style{Color: !bare && console.Color(w), Width: cols}
}
