// Package abi is what the shared library does, in Go types: handles, blocks of
// memory, statuses, JSON forms. The exports in package main only convert C
// types to these; the contract is its header and its doc.go.
//
// Reading order: constants.go (statuses, codes), memory.go (blocks, and who
// keeps them alive), library.go (what needs no handle), handle.go (who may call
// when, panics, tables, send and recv), step.go, boards.go, arrow.go,
// record.go; dataset.go and reader.go, which need no batch. JSON: config.go, spec.go, and game.go, ants.go, formica.go for
// what a game tells beyond what its batches declare.
//
// A handle is entered with TryLock: who does not get in is told that it is
// busy, so that no call waits for another. A step that was sent runs on a
// goroutine of the handle's, and leaves the handle locked out in its place.
//
// Pointers of the caller are turned into slices once, after their sizes were
// checked, and kept no longer than the call or the step.
package abi
