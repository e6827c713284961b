// Command cshim is the shared library of Myriant: every game behind one C
// interface. Build it with
//
//	go build -trimpath -buildmode=c-shared -ldflags="-s -w -extldflags=-Wl,--version-script=$PWD/cshim/exports.map" -o libmyriant.so ./cshim
//
// (exports.map keeps everything but the interface out of the library's symbols;
// Go itself links it so that it is never unloaded.)
//
// The contract is include/myriant.h, with the constants of
// include/myriant_constants.h, and the JSON forms below. Reading order: the
// header, exports.go (C types to Go types and back, nothing else), internal/abi
// (what the calls do). ctest uses the library from C.
//
// # Configuration
//
// One object, for myriant_create and myriant_spec. Only boards is required;
// unknown fields are refused, null is as absent.
//
//	{
//	  "game": "ants",                    a game of the catalog
//	  "rules": "ladder",                 a rule set's name, or an object whose "name" is the
//	                                     rule set that its other fields change; "": the game's default
//	  "boards": 4096,
//	  "maps": ["tiny-2p",                absent: a usual one of the game and rule set. A bundled map,
//	           "generated:cave:seats=2", what the game can generate,
//	           "rows 24\ncols 24\n..",   a map's text: JSON or the game's own form,
//	           {"id":"mine", ..}],       a map in JSON
//	  "map_of": [0, 0, 1, 2],            board b is on map map_of[b mod length]; absent: maps[b mod length]
//	  "policies": [["caller","greedy"]], board b's seats are played by row b mod length: a policy
//	                                     of the catalog, or "caller" (or "", or absent): by actions
//	  "observe": [0],                    seats on axis S; absent: those that the caller plays on some board
//	  "arrays": ["planes", "reward"],    to export; absent: the game's default
//	  "columns": ["planes"],             those of them that Arrow shows; absent or empty: all
//	  "planes": "bit",                   dtype of the array "planes"; absent: the game's default
//	  "options": {"per_owner": true},    switches of the game, see the catalog
//	  "rewards": {"score": 1},           weights of reward terms; absent: the game's default
//	  "zero_sum": false,                 subtract the mean reward of the other seats
//	  "hold_bad": false,                 read an invalid action as the game's "do nothing" instead of refusing the step
//	  "autoreset": "next_step",          or "same_step", "disabled"
//	  "workers": 0                       threads; 0: as many as there are processors
//	}
//
// # Spec
//
// What myriant_spec and myriant_handle_spec tell: the configuration with its
// defaults filled in, and every array.
//
//	{
//	  "abi": 1, "version": "0.1.0", "acceleration": "avx512",
//	  "game": "ants", "rule_set": "ladder", "rules": {..},
//	  "signature": "42127edf31409ee4",   behaviour signature of the rule set
//	  "max_steps": 1000,                 the most steps that an episode can have
//	  "reasons": ["extermination", ..],  the array "reason" is 1 + an index, 0 while the episode goes on
//	  "score_points": 1,                 what 1 in an array of scores is worth
//	  "boards": 4096, "workers": 2, "autoreset": "next_step", "hold_bad": false, "zero_sum": false,
//	  "maps": [{"id":"tiny-2p","digest":"..","rows":24,"cols":24,"seats":2}, ..],
//	  "map_of": [0],                     as in the configuration, never absent
//	  "policies": [["caller","greedy"]], as in the configuration, never absent
//	  "observe": [0],
//	  "planes": "bit",
//	  "options": {"per_owner": false, "recentre": false},
//	  "rewards": {"score": 1, "food": 0, ..},
//	  "sizes": {"B":4096,"S":1,"P":2,"C":7,"H":24,"W":24,"RB":3,"O":4097},
//	  "table": 14,                       rows of the table: exported arrays, twice that with same_step
//	  "arrays": [{                       every array that the game can export, in order
//	    "name": "planes", "dtype": "bit",
//	    "axes": ["B","S","C","H","RB"], "shape": [4096,1,7,24,3],
//	    "ragged": false,                 if true, axes[0] is "N" and shape[0] is -1: see the table
//	    "role": "observation",           observation, mask, reward, flag (how the episode stands), or
//	                                     hidden (tells what a seat may not know)
//	    "labels": [null, null, [{"name":"mine","doc":"own ants"}, ..], null, null],  entries of an axis, where they have names
//	    "row": 0,                        in the table; -1: not exported
//	    "doc": "observation planes, .."
//	  }, ..],
//	  "heads": [{                        every way to give actions, with name, dtype, axes, shape, ragged, labels, doc
//	    "name": "ant", "dtype": "uint8", "axes": ["N"], "shape": [-1], "ragged": true,
//	    "logits": false,                 if true, the engine chooses: argmax, or MYRIANT_SAMPLE
//	    "masks": ["ant_mask"],           arrays that say what it may hold
//	    "labels": [null], "doc": ".."
//	  }, ..]
//	}
//
// The symbols of axes are those of package env/obs. A dtype "bit" is exported
// as bytes of eight bits, the first in the lowest; its last axis counts bytes.
// Ragged arrays have one length, that of their offsets' last entry; offsets are
// the array whose axes are ["O"]: the entries of board b, observed seat s are
// offsets[b*S+s] up to offsets[b*S+s+1].
//
// # Catalog
//
// What myriant_catalog tells.
//
//	{
//	  "abi": 1, "version": "0.1.0", "acceleration": "avx512",
//	  "games": [{
//	    "name": "ants",
//	    "rule_sets": [{"name":"ladder","signature":"42127edf31409ee4","max_steps":1000,"rules":{..}}, ..],  the first is the default
//	    "maps": ["tiny-2p", ..],         bundled
//	    "policies": [{"name":"hold","doc":".."}, ..],  from the weakest to the strongest
//	    "rewards": [{"name":"score","doc":"..","default":1}, ..],
//	    "options": [{"name":"per_owner","doc":".."}, ..],
//	    "planes": ["bit","uint8","float16","float32"],  dtypes of the array "planes", the first is the default
//	    "score_points": 1
//	  }, ..]
//	}
//
// # Recording
//
// The options of myriant_record. Only out is required.
//
//	{
//	  "out": "data",                     a folder that is new or empty
//	  "player": "player",                name of whoever plays the caller's seats
//	  "checkpoint_every": 100,           steps from one state hash to the next
//	  "shard_size": 33554432,            raw bytes of the rows of a shard
//	  "kind": "orders",                  or "steps": what seats saw and did, in place of what to play again
//	  "format": "arrow",                 or "parquet"
//	  "keep_open": false                 keep episodes that are not over when the recording ends or their
//	                                     board is reset, with the reason "stopped"
//	}
//
// The summary of myriant_record_stop:
//
//	{"out":"data","episodes":120,"turns":40120,"orders":801233,"shards":1,"bytes":190211,"left_out":3}
//
// # Datasets
//
// The options of myriant_dataset_open. Only path is required.
//
//	{
//	  "path": "data",                    the folder
//	  "any_engine": false                read what an engine of another behaviour made
//	}
//
// What myriant_dataset_info tells:
//
//	{
//	  "manifest": {..},                  manifest.json, see package datasets
//	  "episodes": 120,                   that can be read
//	  "columns": [{
//	    "name": "planes", "dtype": "bit",
//	    "shape": [7,24,3],               of an entry; [] is one element
//	    "ragged": false,                 if true, a row has any number of entries
//	    "width": 24,                     of bits: elements of the last axis, which counts bytes
//	    "names": ["..", ..],             of a column of names: what its numbers stand for
//	    "role": "observation",           or mask; absent for what is no sight of a seat
//	    "doc": ".."
//	  }, ..]
//	}
//
// The options of myriant_dataset_read. Only view is required.
//
//	{
//	  "view": "transitions",             or "rows", "windows", "episodes"
//	  "columns": ["planes", "actions"],  absent: all
//	  "next": ["planes"],                of transitions: columns of what they lead to; absent: observations and masks
//	  "episodes": [0, 5],                absent: all, in order
//	  "part": 0, "parts": 1,             every parts-th of them, from the part-th on
//	  "shuffle": false, "seed": 0,       of episodes, and of entries by way of a pool
//	  "buffer": 4096,                    entries in that pool
//	  "batch": 0,                        entries at once, the last are fewer; 0: as many as are at hand
//	  "workers": 0,                      episodes played at once; 0: as many as there are processors
//	  "length": 16, "stride": 0,         of windows: steps, and from one to the next; 0: length
//	  "short": false,                    of windows: keep those at the ends of episodes
//	  "split": {"seed":0,"fraction":0.9} of episodes: give the array in_split
//	}
//
// A reader's arrays are columns of rows, an entry a row or transition, under
// their own name and with "next_" before it. The entries of row i of a ragged
// column NAME are NAME_offsets[i] up to NAME_offsets[i+1]. Windows are rows one
// after the other, those of window i from window_offsets[i] up to
// window_offsets[i+1]; the last row of each is what its last step led to.
// Episodes have the arrays episode, seed, map, turns, reason, final_hash,
// order_count (map and reason index the names of those columns), and for seats
// seat_offsets[i] up to seat_offsets[i+1] policy, score, rank, strikes, return.
//
// Blocks that readers and streams gave and that nobody holds any more are used
// again as long as the dataset is open: up to 64 MiB are kept for that.
//
// The options of myriant_task_begin. do, and of all but generate from, are
// required; so is out, but of verify and stats.
//
//	{
//	  "do": "generate",                  or "convert", "merge", "split", "verify", "stats"
//	  "from": ["data"],                  folders of datasets: one, of merge any number
//	  "any_engine": false,               read what an engine of another behaviour made
//	  "out": "data",                     the folder to write
//	  "kind": "orders", "format": "arrow", "shard_size": 0,   absent, or 0: as it is, of generate the default
//	  "seed": 1,                         of generate and split
//	  "workers": 0,                      of generate, verify and stats: threads
//	  "rest": "held", "fraction": 0.9,   of split: out gets about that part of the episodes, rest the others
//	  "game": "ants", "rules": "ladder", "maps": ["tiny-2p"],   of generate, as of a batch
//	  "policies": ["greedy", "hunter"],  of generate: who plays the seats, in turn
//	  "episodes": 1000, "first": 0,      of generate: how many, from which on
//	  "checkpoint_every": 100,           of generate: steps from one state hash to the next
//	  "resume": false                    of generate: go on with what was interrupted
//	}
//
// What myriant_task_wait tells; result is there at the end, and is what package
// datasets has as Summary, Transformed (of split two), Verification, or Stats:
//
//	{"done":false,"progress":{"episodes":12,"total":1000,"turns":3500,"bytes":90123}}
//
// What myriant_reader_info tells, in the order of the table:
//
//	{"view":"transitions","table":[{"name":"planes","column":"planes","dtype":"bit","shape":[-1,7,24,3]}, ..]}
//
// # Arrow
//
// Package batch/arrowexport says which array becomes which column.
package main
