// Package env is the contract between games and everything that plays them.
//
// Reading order: game.go (what a game and an engine are), rng.go (the only
// random source and how episode seeds are derived), registry.go. Then pick a
// game: package env/ants declares its rules, maps and layouts, and
// env/ants/antsref plays them slowly and readably; env/formica and
// env/formica/formicaref are the same for Formica. The fast engine lives in
// package batch and shares none of that code: being independent is what makes
// the reference an oracle.
//
// Nothing here imports a third party or anything of ours above env.
package env
