// myriant replay: recorded games.

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/env/replay"
)

func newReplay() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "replay",
		Short: "Check and show recorded games",
		Long: `Replays are read in these forms, plain or gzipped: of Ants the ladder's envelope
(what 'myriant play --out' writes), lessons, and the 2011 contest's replays; of
Formica formica-replay/1. What a turn looked like comes from playing it again.`,
		Example: `  myriant replay verify games/*.json
  myriant replay show game.json --turn 120`,
	})
	cmd.AddCommand(newReplayVerify(), newReplayShow())
	return cmd
}

// openReplay reads a replay file. Errors name the file.
func openReplay(path string) (replay.Replay, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read from
	data, err := io.ReadAll(io.LimitReader(f, replay.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	r, err := replay.Open(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
