// Package games is what commands know of each game: game.go says what that is,
// table.go lists the games, ants.go and formica.go fill it in. Commands ask a
// Game and never which one it is.
package games
