// myriant data: what the commands on datasets share.

package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/datasets"
)

func newData() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "data",
		Short: "Look at datasets, check them, and make others from them",
		Long: `Look at datasets that 'myriant generate' or a recording wrote, check them, and
make others from them. Both kinds hold the same: orders are packed small and
played again, steps have every observation in the files.`,
		Example: `  myriant data info games
  myriant data stats games --plots figures
  myriant data verify games
  myriant data convert games --kind steps --format parquet --out table`,
	})
	cmd.AddCommand(newDataInfo(), newDataStats(), newDataVerify(), newDataConvert(), newDataMerge(), newDataSplit(), newDataCat(), newDataCard())
	return cmd
}

// openFlags say what is read.
type openFlags struct{ anyEngine bool }

func (o *openFlags) bind(f *pflag.FlagSet) {
	f.BoolVar(&o.anyEngine, "any-engine", false, "read a dataset that an engine of other behaviour made")
}

func (o *openFlags) open(dir string) (*datasets.Dataset, error) {
	return datasets.Open(dir, datasets.OpenOptions{AnyEngine: o.anyEngine})
}

// moving shows the progress of a transformation. The bar begins with the first
// call and ends with close.
type moving struct {
	cmd   *cobra.Command
	bar   *console.Progress
	begun time.Time
}

func (m *moving) tell(now datasets.Moved) {
	if m.bar == nil {
		m.bar, m.begun = console.NewProgress(m.cmd.ErrOrStderr(), int64(now.Total), "episodes"), time.Now()
	}
	note := console.Short(float64(now.Episodes)/max(time.Since(m.begun).Seconds(), 1e-9)) + " episodes/s"
	m.bar.Set(int64(now.Episodes), note)
}

func (m *moving) close() { m.bar.Close() }

// transformFlags say how a dataset is written that is made from others.
type transformFlags struct {
	openFlags
	to   datasets.TransformOptions
	kind string
	json bool
}

func (o *transformFlags) bind(f *pflag.FlagSet) {
	o.openFlags.bind(f)
	f.StringVar(&o.kind, "kind", "", "what is kept of an episode: "+join(datasets.Kinds())+" (default: as it is)")
	f.StringVar(&o.to.Format, "format", "", "form of the files: "+join(datasets.Formats())+" (default: as it is)")
	f.Var((*byteSize)(&o.to.ShardSize), "shard-size", "raw bytes of the rows of a file, such as 512k or 64M (default: as it is, or 'generate' has it for the kind)")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON")
}

// resolve fills in what depends on the source: a new kind has the size of
// shards that generate gives it.
func (o *transformFlags) resolve(d *datasets.Dataset) {
	o.to.Kind = datasets.Kind(o.kind)
	if o.to.ShardSize == 0 && o.to.Kind != "" && o.to.Kind != d.Manifest().Kind {
		o.to.ShardSize = generateShardSize
		if o.to.Kind == datasets.Steps {
			o.to.ShardSize = datasets.DefaultStepsShardSize
		}
	}
}

// writeTransformed writes what was written, for people.
func writeTransformed(cmd *cobra.Command, t *datasets.Transformed) {
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s episodes, %s rows of kind %s, %s of %s in %d files\n", console.Clean(t.Out), console.Count(t.Episodes),
		console.Count(t.Rows), t.Kind, console.Bytes(t.Bytes), t.Format, t.Shards)
}
