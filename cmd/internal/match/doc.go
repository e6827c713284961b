// Package match plays whole games for commands, on the fast engine: engine.go
// (a board of either engine by name), match.go (one game between bundled
// policies, recorded), crosstable.go (every policy against every other).
package match
