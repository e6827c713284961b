// Package ants declares the game of Ants: its rule sets, maps, states, views
// and array layouts. It plays nothing itself.
//
// Reading order: rules.go (what a rule set is, and the three there are),
// map.go (boards; map_json.go, map_text.go and generate.go make them), state.go
// (everything that is true of a board at one turn; state_check.go), view.go
// (what a seat may know; view_json.go and view_text.go write it), head.go and
// heads.go (actions, policy heads, masks), orders.go (the contest's order
// lines), food.go and food_start.go (food sets and their seeded order),
// frame.go (what a turn is remembered by), layout.go (the arrays that engines
// export), engine.go (what an Ants engine adds to env.Engine). The turn itself
// is in antsref, one function a step in the order of the rules.
//
// Cells are numbered row*cols+col. The board is a torus in both axes. All
// arithmetic is on integers.
package ants
