// Package pack writes and reads the orders of one episode in few bits: one
// order of 0..4 for each unit of each seat and step, on a torus grid. Orders 0
// to 3 go north, east, south and west; 4 stays.
//
// Orders are packed against the game. Whoever reads them plays the episode
// again and says, before each step, where the units of a seat stand, which of
// their orders are not known to be refused, and what the seat sees. The number
// of units is not stored, and neither is what the sight already tells. Given
// another sight than the writer had, orders come out wrong without notice, so
// a reader compares the game's own hashes as it goes.
//
// Orders that a colony gives as a whole, once a step, are packed against nothing
// but the orders before them: colony.go.
//
// Reading order: coder.go (the range coder), model.go (how likely each order
// is, learned as the episode goes on), mark.go (what is known of a unit before
// its order), track.go (what is remembered of a seat's units), wave.go (where
// units may be heading), encoder.go and decoder.go.
//
// # Format
//
//	byte 0     version in the high four bits, method in the low four; 15 for
//	           orders of colonies
//	byte 1..   the range coder's bytes; none for an episode without orders
//
// Orders follow each other by step, then seat, then unit. The writer tries
// every method and keeps the best. All arithmetic is on integers, and bytes
// depend on the orders and what they are packed against alone.
package pack
