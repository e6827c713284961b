// Package draw shows boards as text in a terminal.
//
// Reading order: picture.go (a board as a grid of things), ants.go and formica.go
// (pictures of maps, states and views), render.go (a picture as lines, with
// coordinates and colours), shrink.go (a picture of a board that is larger than
// the terminal), legend.go (what the characters mean), events.go (what happened
// in a turn of Ants).
//
// The characters of Ants are those of the text form of maps (env/ants/map_text.go):
// '.' land, '%' water, '*' food, '0'-'9' a seat's hill, 'a'-'j' its ant, 'A'-'J'
// its ant on its own hill; and beyond them '?' a cell never seen, ',' land seen
// before but not now, '!' a cell where an ant died this turn, 'x' a fallen hill.
//
// A cell of Formica is two characters, the second how many there are: 'a'-'f'
// ants of a seat, 'A'-'F' its nest, '0'-'5' bare ground that it holds, '*' food,
// '.' free ground, '~' scent of rivals, '?' ground out of sight, 'x' the nest of a
// dead colony.
package draw
