// Package envtest holds implementations of a game to its reference.
//
// Run (run.go) is the conformance suite: it steps an implementation and the
// reference side by side and compares states, views and outcomes. It knows
// nothing of any game; what a game adds (cases, orders, readable differences)
// is in ants.go and formica.go. games.go plays the golden games of either,
// playthrough.go and formica_scenes.go the drawings of rules,
// metamorphic.go and formica_metamorphic.go what must not matter. The golden
// drivers replay recorded games of other engines turn by turn: golden.go says
// where those come from, golden_ladder.go, golden_scenarios.go,
// golden_contest.go and golden_transcript.go play them.
//
// The package is for tests only. Random choices come from env.RNG with seeds
// that every failure prints.
package envtest
