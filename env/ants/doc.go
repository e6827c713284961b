// Package ants declares the game of Ants: its rule sets, maps, states, views
// and array layouts. It plays nothing itself.
//
// Reading order: rules.go (what a rule set is, and the three there are),
// map.go (boards), state.go (everything that is true of a board at one turn),
// view.go (what a seat may know), head.go (actions, policy heads, masks),
// food.go (food sets and their seeded order), layout.go (the arrays that
// engines export), engine.go (what an Ants engine adds to env.Engine). The
// turn itself is in antsref, one function a step in the order of the rules.
//
// Cells are numbered row*cols+col. The board is a torus in both axes. All
// arithmetic is on integers.
package ants
