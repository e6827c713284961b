// Package datasets records episodes in a folder and reads them back.
//
//	data/
//	  manifest.json       what the dataset is, and every whole shard with its hash
//	  maps/<digest>.json  the maps, in canonical form
//	  shard-00000.arrow   Arrow IPC files, or .parquet; zstd-compressed
//
// A dataset of kind orders has one row per episode: what every seat ordered,
// packed to a few bits an order, and how the episode went. Whoever reads it
// plays the episode again and has any observation of any step. One of kind
// steps has these in its files: one row per episode, step and seat. Both hold
// the same, and what reads them is the same.
//
// Reading order: kind.go (kinds and their schemas), episode.go (a row of
// orders), steps.go and rows.go (rows of steps), json.go (rows as text),
// manifest.go (the manifest), plan.go (what episode e is: a function of the
// dataset's seed and e alone), game.go, ants.go and formica.go (what a game
// adds). Writing: generate.go (the loop), play.go (boards that play episodes),
// simulate.go (episodes as rows of steps), shard.go, group.go and parquet.go
// (files), disk.go (what makes them durable), resume.go, record.go (episodes
// that somebody else plays). Reading: reader.go, replay.go (episodes played
// again), repack.go (steps as orders), view.go (rows, transitions and windows),
// shelf.go (reading ahead), mix.go (shuffling), room.go (memory of rows),
// stream.go (records for other languages), verify.go, stats.go. transform.go
// makes datasets from datasets.
//
// # Bytes
//
// The same options give the same folder, byte for byte, for any number of
// workers and boards and for any interruptions: episodes are written in order,
// shards roll at bounds that depend on the rows alone, and the compressor is
// pinned (see group.go and zstd.go).
//
// # Crashes
//
// A file is written under a temporary name, synced, closed, renamed, and its
// folder synced; only then does the manifest list it, itself replaced by
// rename. So every listed shard is whole after a crash at any moment. Resuming
// removes what is not listed and goes on after it.
package datasets
