// Package batch steps many boards of a game at once.
//
//	b, err := batch.New(batch.Config{Maps: maps, Boards: 4096})
//	err = b.Reset(7)
//	for {
//		act := policy(b.Array("planes"), b.Array("ant_mask"))
//		err = b.Step(batch.Actions{Head: "ant", Uint8: act})
//		learn(b.Array("reward"), b.Array("done"))
//	}
//
// Reading order: config.go (what a batch is made from), batch.go (New, Reset,
// Step), workers.go (who does what when), arrays.go (outputs), snapshot.go.
// The boards themselves are in internal/square (Ants) and internal/hex
// (Formica), behind the seam of internal/kernel.
//
// # One step
//
//	caller      Prepare: sizes of the input
//	workers     Decode: check every action; an error stops here, nothing changed
//	workers     per board: Step (or reset), Report, Observe; the board stays in cache
//	caller      prefix sum of the ragged arrays' counts
//	workers     move what they listed to its place in the ragged arrays
//
// Each worker owns a contiguous shard of boards for good. Outputs depend on
// the seed and the actions alone, not on the number of workers. With a
// processor for each, workers that wait within a step keep their processor for
// up to a millisecond, and for 50 microseconds after it, before they sleep.
//
// # Memory
//
// Arrays are owned by the batch, 64-byte aligned, of Go's heap or of
// Config.Memory, and overwritten by the next
// Step. A batch is not safe for concurrent use.
package batch
