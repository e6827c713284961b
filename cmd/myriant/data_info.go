// myriant data info

package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/datasets"
)

type dataInfoOptions struct {
	openFlags
	json bool
}

// dataInfo is what info prints with --json: the manifest without its groups.
type dataInfo struct {
	Path     string              `json:"path"`
	Kind     datasets.Kind       `json:"kind"`
	Format   string              `json:"file_format"`
	Game     string              `json:"game"`
	Rules    json.RawMessage     `json:"rules"`
	Engine   datasets.Engine     `json:"engine"`
	Schema   string              `json:"schema_hash"`
	Complete bool                `json:"complete"`
	First    int                 `json:"first_episode"`
	Episodes int                 `json:"episodes"` // that can be read
	Planned  int                 `json:"planned_episodes"`
	Turns    int64               `json:"turns"`
	Orders   int64               `json:"orders"`
	Rows     int64               `json:"rows"`
	Bytes    int64               `json:"bytes"`
	Bits     float64             `json:"bits_per_order"`
	Seeds    datasets.Seeds      `json:"seed_plan"`
	Policies datasets.Policy     `json:"policies"`
	Maps     []datasets.MapEntry `json:"maps"`
	Shards   []shardInfo         `json:"shards"`
}

type shardInfo struct {
	Name     string `json:"name"`
	First    int    `json:"first_episode"`
	Episodes int    `json:"episodes"`
	Rows     int    `json:"rows"`
	Groups   int    `json:"groups"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
}

func newDataInfo() *cobra.Command {
	var o dataInfoOptions
	cmd := &cobra.Command{
		Use:   "info DIR",
		Short: "Say what a dataset is",
		Long:  `Say what a dataset is, from its manifest alone. No other file is read.`,
		Example: `  myriant data info games
  myriant data info games --json`,
		Args: args("a dataset's folder", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.bind(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print it as JSON")
	return cmd
}

func (o *dataInfoOptions) run(cmd *cobra.Command, dir string) error {
	d, err := o.open(dir)
	if err != nil {
		return err
	}
	m := d.Manifest()
	i := dataInfo{Path: dir, Kind: m.Kind, Format: m.FileFormat, Game: m.Game, Rules: m.Rules, Engine: m.Engine, Schema: m.Schema, Complete: m.Complete,
		First: m.First, Episodes: d.Len(), Planned: m.Episodes, Seeds: m.Seeds, Policies: m.Policies, Maps: m.Maps, Shards: []shardInfo{}}
	for _, s := range m.Shards {
		i.Turns, i.Orders, i.Rows, i.Bytes = i.Turns+s.Turns, i.Orders+s.Orders, i.Rows+int64(s.Rows), i.Bytes+s.Bytes
		i.Shards = append(i.Shards, shardInfo{s.Name, s.First, s.Episodes, s.Rows, len(s.Groups), s.Bytes, s.SHA256})
	}
	if i.Orders > 0 {
		i.Bits = 8 * float64(i.Bytes) / float64(i.Orders)
	}
	w := cmd.OutOrStdout()
	if o.json {
		return writeJSON(w, i)
	}
	whole := "complete"
	if !i.Complete {
		whole = fmt.Sprintf("interrupted: %s of %s", console.Count(i.Episodes), console.Count(i.Planned))
	}
	if i.First > 0 {
		whole += fmt.Sprintf(", a part from episode %s on", console.Count(i.First))
	}
	fmt.Fprintf(w, "%s: %s of %s, %s\n\n", console.Clean(dir), i.Kind, i.Game, whole)
	fmt.Fprintf(w, "episodes  %14s\nturns     %14s\norders    %14s   %.2f bits each\nrows      %14s\nsize      %14s   %d files of %s\n\n", console.Count(i.Episodes),
		console.Count(i.Turns), console.Count(i.Orders), i.Bits, console.Count(i.Rows), console.Bytes(i.Bytes), len(i.Shards), i.Format)
	var rules struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(i.Rules, &rules); err == nil && rules.Name != "" {
		fmt.Fprintf(w, "rules     %s\n", console.Clean(rules.Name))
	}
	fmt.Fprintf(w, "engine    %s, behaviour signature %s\n", console.Clean(i.Engine.Version), console.Clean(i.Engine.Signature))
	fmt.Fprintf(w, "policies  %s (%s)\n", console.Clean(strings.Join(i.Policies.Names, ", ")), console.Clean(i.Policies.Seats))
	seeds := "each episode's own, as it was recorded"
	if i.Seeds.EpisodeSeed != "recorded" {
		seeds = fmt.Sprintf("%d; of an episode %s", i.Seeds.Seed, i.Seeds.EpisodeSeed)
	}
	fmt.Fprintf(w, "seeds     %s\n\n", console.Clean(seeds))
	maps := console.NewTable("map", ">seats", ">rows", ">columns")
	for _, e := range i.Maps {
		maps.Row(console.Clean(e.ID), e.Seats, e.Rows, e.Cols)
	}
	maps.Write(w)
	return nil
}
