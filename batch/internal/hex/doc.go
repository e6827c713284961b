// Package hex is the fast Formica engine: many boards of hexes, stepped
// without allocation. Its reference is package formicaref; it shares none of
// that code and must agree with it bit for bit.
//
// Reading order: engine.go (memory), static.go (what boards of one radius
// share), step.go (a step and a tick, naming the reference of each part), then
// move.go, combat.go, food.go, fields.go, colony.go, and observe.go with
// planes.go for the outputs, orders.go for the inputs, native.go for policies,
// state.go for snapshots.
//
// # Memory
//
// Cells have the numbers that formica.Geometry gives them, and one number more
// stands for everything off the board: neighbours there are that cell, on which
// nothing ever is. Boards follow each other in one array a field:
//
//	clocks    per board              seed, tick, phase, weather
//	colonies  per board and seat     store, nest, order, known nests, statistics, 48 ants
//	trail     per board and cell     pheromone of four seats, 16 bits each, seat 0 lowest;
//	                                 with six seats a second row of words follows the first
//	food, cap                        per board and cell, a byte each
//	claimed                          per board and cell, owner and stamp in 4 bytes
//
// Ants are dense and in index order; an ant is 6 bytes.
//
// A worker's scratch holds, while it steps a board, what can be derived from
// the state: how many ants of each colony stand on each cell (a byte a seat in
// one word), and which nests are near each cell.
package hex
