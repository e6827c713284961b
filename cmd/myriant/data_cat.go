// myriant data cat

package main

import (
	"bufio"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/datasets"
)

type dataCatOptions struct {
	openFlags
	episode int
	limit   int
	rows    bool
}

func newDataCat() *cobra.Command {
	var o dataCatOptions
	cmd := &cobra.Command{
		Use:   "cat DIR",
		Short: "Print episodes or steps, a JSON object a line",
		Long: `Print episodes, a JSON object a line; with --rows what every seat saw and did, a
line an episode, step and seat, played again if the files do not have it. Bytes
are base64.`,
		Example: `  myriant data cat games --limit 3
  myriant data cat games --episode 17
  myriant data cat games --episode 17 --rows --limit 10 | jq .reward`,
		Args: args("a dataset's folder", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	o.bind(f)
	f.IntVar(&o.episode, "episode", -1, "only this one, counted from 0 (-1: all)")
	f.IntVar(&o.limit, "limit", 0, "lines at most (0: no limit)")
	f.BoolVar(&o.rows, "rows", false, "print steps instead of episodes")
	return cmd
}

func (o *dataCatOptions) run(cmd *cobra.Command, dir string) (err error) {
	d, err := o.open(dir)
	if err != nil {
		return err
	}
	if o.episode >= d.Len() || o.episode < -1 {
		return usagef(cmd, "--episode is %d, and %s has episodes 0 to %d", o.episode, dir, d.Len()-1)
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	defer func() {
		if e := w.Flush(); err == nil {
			err = e
		}
	}()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	left := o.limit
	more := func() bool { left--; return left != 0 }
	if !o.rows {
		if o.episode >= 0 {
			e, err := d.Episode(o.episode)
			if err != nil {
				return err
			}
			return enc.Encode(e)
		}
		for e, err := range d.Episodes() {
			if err == nil {
				err = cmd.Context().Err()
			}
			if err == nil {
				err = enc.Encode(e)
			}
			if err != nil {
				return err
			}
			if !more() {
				return nil
			}
		}
		return nil
	}
	var read datasets.ReadOptions
	if o.episode >= 0 {
		read.Episodes = []int{o.episode}
	}
	var line []byte
	for rows, err := range d.Rows(cmd.Context(), read) {
		if err != nil {
			return err
		}
		for i := range rows.Len() {
			line = append(rows.AppendJSON(line[:0], i), '\n')
			if _, err := w.Write(line); err != nil {
				return err
			}
			if !more() {
				return nil
			}
		}
		rows.Recycle()
	}
	return nil
}
