// Package figures draws the statistics of datasets: returns, lengths, endings,
// ants by step and actions, one file each.
package figures

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg" // formats that a canvas can have
	_ "gonum.org/v1/plot/vg/vgsvg"

	"github.com/myriant-rl/myriant/datasets"
)

// Formats lists the file formats.
func Formats() []string { return []string{"png", "svg"} }

const (
	width  = 7 * vg.Inch
	height = 4 * vg.Inch
	bins   = 30
)

// colours are of policies, in order: they can be told apart by the colour-blind.
var colours = []color.RGBA{
	{0x00, 0x72, 0xB2, 0xFF}, {0xD5, 0x5E, 0x00, 0xFF}, {0x00, 0x9E, 0x73, 0xFF}, {0xCC, 0x79, 0xA7, 0xFF},
	{0xE6, 0x9F, 0x00, 0xFF}, {0x56, 0xB4, 0xE9, 0xFF}, {0x33, 0x33, 0x33, 0xFF},
}

func colour(i int) color.RGBA { return colours[i%len(colours)] }

// Write draws the figures in a format to a folder, which it makes if need be,
// and returns the files' paths. A figure that has nothing to show is left out.
// Errors are the file system's, or say that there is no such format.
func Write(dir, format string, s *datasets.Stats) ([]string, error) {
	if format != "png" && format != "svg" {
		return nil, fmt.Errorf("no format %q (have %s)", format, strings.Join(Formats(), ", "))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range []struct {
		name string
		make func(*plot.Plot, *datasets.Stats) error
	}{
		{"returns", returns}, {"lengths", lengths}, {"endings", endings}, {"ants", ants}, {"actions", actions},
	} {
		p := plot.New()
		p.Title.Padding = vg.Points(6)
		p.Legend.Top = true
		p.Legend.Padding = vg.Points(3)
		if err := f.make(p, s); err != nil {
			return paths, fmt.Errorf("%s: %w", f.name, err)
		}
		path := filepath.Join(dir, f.name+"."+format)
		if err := save(p, format, path); err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// save draws a plot with a margin.
func save(p *plot.Plot, format, path string) error {
	c, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	}
	p.Draw(draw.Crop(draw.New(c), vg.Points(6), -vg.Points(16), vg.Points(6), -vg.Points(6)))
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := c.WriteTo(f); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// percent is the marks of an axis of shares: none above the whole.
type percent struct{}

// Ticks are the marks from lo to hi.
func (percent) Ticks(lo, hi float64) (ticks []plot.Tick) {
	for _, t := range (plot.DefaultTicks{}).Ticks(lo, hi) {
		if t.Value <= 100 {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// steps draws how values are spread, as a line around the bars of a histogram
// with the given classes.
func steps(p *plot.Plot, values []float32, lo, hi float64, n, which int, name string) error {
	counts := make([]float64, n)
	for _, v := range values {
		i := int((float64(v) - lo) / (hi - lo) * float64(n))
		counts[max(0, min(i, n-1))]++
	}
	var line plotter.XYs
	line = append(line, plotter.XY{X: lo})
	for i, c := range counts {
		from, to := lo+(hi-lo)*float64(i)/float64(n), lo+(hi-lo)*float64(i+1)/float64(n)
		share := 100 * c / float64(len(values))
		line = append(line, plotter.XY{X: from, Y: share}, plotter.XY{X: to, Y: share})
	}
	line = append(line, plotter.XY{X: hi})
	area, err := plotter.NewPolygon(line)
	if err != nil {
		return err
	}
	fill := colour(which)
	area.Color = color.NRGBA{fill.R, fill.G, fill.B, 0x40}
	area.LineStyle.Color, area.LineStyle.Width = fill, vg.Points(1.5)
	p.Add(area)
	if name != "" {
		p.Legend.Add(name, area)
	}
	return nil
}

// classes are the bounds of a histogram of values from lo to hi and how many
// classes there are; whole numbers have classes of whole width.
func classes(lo, hi float64, whole bool) (float64, float64, int) {
	if whole {
		each := math.Max(1, math.Ceil((hi-lo+1)/bins))
		n := int(math.Ceil((hi - lo + 1) / each))
		return lo - 0.5, lo - 0.5 + each*float64(n), n
	}
	if hi <= lo {
		return lo - 0.5, lo + 0.5, 1
	}
	pad := (hi - lo) / (2 * (bins - 1))
	return lo - pad, hi + pad, bins
}

func returns(p *plot.Plot, s *datasets.Stats) error {
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Returns of seats", "return of an episode", "% of the policy's seats"
	p.Y.Tick.Marker = percent{}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range s.Policies {
		if s.Policies[i].Seats > 0 {
			lo, hi = math.Min(lo, s.Policies[i].Return.Min), math.Max(hi, s.Policies[i].Return.Max)
		}
	}
	from, to, n := classes(lo, hi, false)
	p.Add(grid())
	for i, x := range s.Policies {
		if x.Seats == 0 {
			continue
		}
		if err := steps(p, x.Return.Values, from, to, n, i, fmt.Sprintf("%s, mean %.3g", x.Name, x.Return.Mean)); err != nil {
			return err
		}
	}
	return room(p)
}

func lengths(p *plot.Plot, s *datasets.Stats) error {
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Lengths of episodes", "turns", "% of episodes"
	p.Y.Tick.Marker = percent{}
	from, to, n := classes(s.Lengths.Min, s.Lengths.Max, true)
	p.Add(grid())
	if err := steps(p, s.Lengths.Values, from, to, n, 0, fmt.Sprintf("mean %.4g", s.Lengths.Mean)); err != nil {
		return err
	}
	return room(p)
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = color.Gray{0xE4}, color.Gray{0xE4}
	return g
}

// room leaves room for the legend above what is drawn.
func room(p *plot.Plot) error {
	p.Y.Min = math.Min(0, p.Y.Min)
	p.Y.Max = math.Max(p.Y.Max*1.3, p.Y.Min+1e-9)
	return nil
}

// bars draws groups of bars, one group a name.
func bars(p *plot.Plot, names []string, values []plotter.Values, legends []string) error {
	w := vg.Points(280 / float64(len(names)*len(values)))
	w = min(w, vg.Points(45))
	p.Add(grid())
	for i, v := range values {
		b, err := plotter.NewBarChart(v, w)
		if err != nil {
			return err
		}
		b.Color, b.LineStyle.Width = colour(i), 0
		b.Offset = w * vg.Length(2*i-len(values)+1) / 2
		p.Add(b)
		if legends != nil {
			p.Legend.Add(legends[i], b)
		}
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.6, float64(len(names))-0.4
	return room(p)
}

func endings(p *plot.Plot, s *datasets.Stats) error {
	p.Title.Text, p.Y.Label.Text = "Why episodes ended", "episodes"
	var names []string
	var values plotter.Values
	for _, e := range s.Endings {
		names, values = append(names, e.Reason), append(values, float64(e.Episodes))
	}
	return bars(p, names, []plotter.Values{values}, nil)
}

func actions(p *plot.Plot, s *datasets.Stats) error {
	p.Title.Text, p.Y.Label.Text = "Actions", "% of the policy's orders"
	p.Y.Tick.Marker = percent{}
	var names, legends []string
	var values []plotter.Values
	for i, x := range s.Policies {
		if x.Seats == 0 {
			continue
		}
		total := int64(0)
		for _, a := range x.Actions {
			total += a.Count
		}
		var v plotter.Values
		for _, a := range x.Actions {
			if len(legends) == 0 {
				names = append(names, a.Name)
			}
			v = append(v, 100*float64(a.Count)/float64(max(total, 1)))
		}
		values, legends = append(values, v), append(legends, s.Policies[i].Name)
	}
	return bars(p, names, values, legends)
}

func ants(p *plot.Plot, s *datasets.Stats) error {
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "Ants over time", "turn", "ants of a seat, mean of running episodes"
	p.Add(grid())
	for i, x := range s.Policies {
		if len(x.Units) == 0 {
			continue
		}
		var line plotter.XYs
		for _, u := range x.Units {
			// The last few episodes are no mean of anything.
			if 20*u.Seats < x.Units[0].Seats {
				break
			}
			line = append(line, plotter.XY{X: float64(u.Step), Y: u.Mean})
		}
		l, err := plotter.NewLine(line)
		if err != nil {
			return err
		}
		l.Color, l.Width = colour(i), vg.Points(2)
		p.Add(l)
		p.Legend.Add(x.Name, l)
	}
	p.Legend.Left = true
	return room(p)
}
