// Package draw shows boards of Ants as text in a terminal.
//
// Reading order: picture.go (a board as a grid of things), sources.go (pictures
// of maps, states, frames and views), render.go (a picture as lines, with
// coordinates and colours), shrink.go (a picture of a board that is larger than
// the terminal), legend.go (what the characters mean).
//
// The characters are those of the text form of maps (env/ants/map_text.go):
// '.' land, '%' water, '*' food, '0'-'9' a seat's hill, 'a'-'j' its ant, 'A'-'J'
// its ant on its own hill; and beyond them '?' a cell never seen, ',' land seen
// before but not now, '!' a cell where an ant died this turn, 'x' a fallen hill.
package draw
