// Package policy holds the bundled players of Ants: hold, random, greedy and
// hunter, each clearly stronger than the one before it. They play from what
// one seat may know (an ants.View), remember nothing, and give equal orders
// for equal views and draws.
//
// This package is the readable form; package batch plays the same policies on
// bit rows and must give the same orders. So they are defined in whole planes,
// below. Reading order: policy.go, sight.go (a view laid out by cell), then
// simple.go, gather.go, spread.go, greedy.go, hunter.go.
//
// # Words
//
// A cell is open if it was ever seen, is not known water, and is not visible
// food where food refuses moves. The neighbours of a cell are one step N, E, S
// and W of it on the torus. Rows, levels and counts are integers.
//
// An ant is waiting until it is given an order, and nothing changes an order.
// The occupied cells begin as the cells of all own ants; an order moves the
// ant's mark from its cell to its target at once. An ant that is still waiting
// at the end stays.
//
// The rotation of a cell is a number 0..3 made from the turn's draw and the
// cell (function rotation). Whatever looks at four directions begins with that
// one and goes on clockwise.
//
// # hold, random
//
// hold: every ant stays. random: every own ant in row-major order draws below
// n from env.RNG(draw), where n counts, in the order N, E, S, W, -, the
// directions that its mask allows and that lead to no occupied cell, and - .
//
// # greedy
//
// First gather, then spread with these sources: standing hills of other seats
// at level 0; dark cells, which are neither visible nor known water, at level
// DarkLevel. Greedy never looks at enemy ants.
//
// Gather. Front 0 is the waiting ants. Front k+1 is the neighbours of front k
// that are open, not barred, and in no front before. For k = 0 ..
// GatherLevels-1, the food that is a neighbour of front k and of no front
// before is claimed in row-major order, by the rotation of the food's own cell:
// from the food step to the first neighbour in front k, from there to the
// first neighbour in front k-1, and so on to front 0, which is an ant. If that
// ant is no longer waiting, nothing happens. If k is 0 it is ordered to stay.
// Else it is ordered to step back along the last step of that way, unless the
// target is occupied or barred.
//
// Spread. Level 0 is the sources of level 0. Level k is the sources of level k
// and the open neighbours of level k-1, without the cells of lower levels; it
// ends after level SpreadLevels. At each level, the waiting ants on it, in
// row-major order, are ordered to the first neighbour, by the rotation of the
// ant's cell, that is on level k-1 and neither occupied nor barred, and to
// stay if there is none.
//
// # hunter
//
// First combat, then gather, then spread, with the sources of greedy and with
// visible enemy ants: at level 0 those at most HomeReach rows and at most
// HomeReach columns away from a visible own hill, the others at level FoeLevel.
// So unoccupied ants gather behind the front, and come home when it is raided.
//
// Three shapes are sets of offsets. Strike: at most AttackRadius2 in squared
// distance. Reach: the offsets in strike or one step from it: where an ant can
// attack after its move. Ring: the offsets one step from reach and not in it.
// A count of a shape around a cell goes over offsets, so on boards narrower
// than the shape one ant counts once for each offset that leads to it.
//
// Danger is every cell in the reach of an enemy ant. The threat to a cell is
// the number of enemy ants in reach of it. The power against an enemy ant is
// twice the number of own ants in its reach, plus the number in its ring, all
// before anybody moves. A cell in danger is won if for every enemy ant in
// reach of it the power against that ant is greater than twice the threat to
// the cell. This is the focus rule looked at one step ahead: everybody who can
// come does come, and who has more enemies around it dies.
//
// Combat. Own ants in danger or beside a cell in danger, in row-major order:
//
//   - Attack. Among the neighbours, by the rotation of the ant's cell, that are
//     open, not occupied, in danger and won, and at last the ant's own cell if
//     it is in danger and won: take the one with the most enemy ants in strike
//     of it; of those, the one with the greatest threat; of those, the first.
//   - If there is none and the ant is in danger, retreat: to the first of the
//     open, not occupied neighbours with the least threat, if that is less than
//     at the ant's own cell; else stay.
//   - If there is none and the ant is not in danger, it waits.
//
// Then every cell in danger is barred for the waiting ants.
package policy
