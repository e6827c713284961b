// Package square is the fast Ants engine: many boards on square cells, held as
// bit rows, stepped without allocation. Its reference is package antsref; it
// shares none of that code and must agree with it bit for bit.
//
// Reading order: engine.go (memory), static.go (what boards of one map share),
// step.go (a turn, naming the reference of each step), then move.go,
// combat.go, hills.go, gather.go, ending.go, and observe.go for the outputs,
// decode.go for the inputs, policy.go for native play, state.go for snapshots.
// dense.go declares the whole-word parts, with a portable and a vector form;
// tile_simd_amd64.go has whole steps of boards of 32 rows and columns,
// wide_simd_amd64.go what boards of 65 to 126 columns have of their own.
//
// # Memory
//
// A plane is one bit a cell: word w of row r at w*Stride+r, column c in bit
// c%64 of word c/64 (see package bits). A board is one block of planes, and
// boards follow each other in one allocation:
//
//	words:  | board 0                                        | board 1 ...
//	        | mine 0..S-1 | known 0..S-1 | visible 0..S-1 | food |
//
// Everything else is one array a field, indexed by board, by board and seat
// (board*P+seat), or by board and hill (board*H+hill). Nothing points at
// a board. Water, hills, food sets and dilation plans are in the static part,
// shared by the boards of a map.
//
// A worker's scratch planes that are read one row up or down carry a halo: 8
// rows on each side of every word's column, of which the nearest repeat the
// opposite edge, so that whole vectors of rows can be loaded unaligned.
package square
