// myriant maps validate

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env/ants"
)

// mapVerdict is what validate prints of a file with --json.
type mapVerdict struct {
	File  string       `json:"file"`
	OK    bool         `json:"ok"`
	Code  ants.MapCode `json:"code,omitempty"`
	Error string       `json:"error,omitempty"`
	Map   any          `json:"map,omitempty"`

	line string // that describes the map
}

func newMapsValidate() *cobra.Command {
	var o gameFlag
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate FILE..",
		Short: "Check map files",
		Long: `Check map files in either form. A file that is no playable map gets a line with
a code and what is wrong; then the exit code is 1.

Maps with a move are checked in full: its order, that water, hills and food are
closed under it, that all land is connected. Text files have no move; of them
sizes, owners and what stands where are checked.`,
		Example: `  myriant maps validate board.json boards/*.map
  myriant maps validate board.json --json`,
		Args: args("a map file", 1, -1),
		RunE: func(cmd *cobra.Command, files []string) error {
			g, err := o.lookup(cmd)
			if err != nil {
				return err
			}
			verdicts := make([]mapVerdict, len(files))
			bad := 0
			for i, file := range files {
				v := &verdicts[i]
				*v = judgeMap(g, file)
				if !v.OK {
					bad++
				}
				if !asJSON {
					fmt.Fprintln(cmd.OutOrStdout(), v)
				}
			}
			if asJSON {
				if err := writeJSON(cmd.OutOrStdout(), verdicts); err != nil {
					return err
				}
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d map files cannot be played on", bad, len(files))
			}
			return nil
		},
	}
	o.bindGame(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array with an entry for each file")
	return cmd
}

func judgeMap(g games.Game, file string) mapVerdict {
	m, err := g.Maps().File(file)
	if err != nil {
		v := mapVerdict{File: file, Error: err.Error()}
		var bad *ants.MapError
		if errors.As(err, &bad) {
			v.Code, v.Error = bad.Code, bad.Msg
		}
		return v
	}
	info := g.DescribeMap(m)
	return mapVerdict{File: file, OK: true, Map: info.JSON, line: info.Line}
}

// String is the line of a file.
func (v *mapVerdict) String() string {
	switch {
	case v.OK:
		return fmt.Sprintf("ok   %s: %s", v.File, v.line)
	case v.Code != "":
		return fmt.Sprintf("BAD  %s: %s: %s", v.File, v.Code, console.Clean(v.Error))
	}
	return "BAD  " + console.Clean(v.Error)
}
