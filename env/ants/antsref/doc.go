// Package antsref plays Ants slowly and readably: cell loops and plain
// structs, one function for each step of a turn, in the order of the rules. It
// is the oracle that faster engines are held to, and it shares no code with
// them but the declarations of package ants.
//
// Reading order: engine.go (the board and its life), turn.go (the order of a
// turn), then the steps: move.go, combat.go, raze.go, spawn.go, gather.go,
// food.go, vision.go, cutoff.go, endings.go. view.go says what a seat may
// know, frame.go what a turn is remembered by, game.go registers the game.
//
// Every difference between rule sets is read from a field of ants.Rules.
package antsref
