package square

import (
	"fmt"

	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/batch/internal/invariants"
)

// verify panics when a board breaks what every turn must keep. It costs more
// than a turn and is compiled in with the invariants build tag only.
func (e *Engine) verify(w *worker) {
	if !invariants.Enabled {
		return
	}
	g := &w.g
	st := g.st
	bad := func(format string, a ...any) {
		panic(fmt.Sprintf("square: board %d, turn %d: %s", g.b, e.turn[g.b], fmt.Sprintf(format, a...)))
	}
	inside := make([]uint64, st.pw)
	for word := range st.shape.Words {
		for r := range st.shape.Rows {
			inside[word*st.shape.Stride+r] = st.lanes[word].mask
		}
	}
	contained := func(what string, p []uint64) {
		for i, x := range p[:st.pw] {
			if x&^inside[i] != 0 {
				bad("%s: bits %#x outside the board in word %d", what, x&^inside[i], i)
			}
		}
	}
	land := make([]uint64, st.pw)
	for i := range land {
		land[i] = inside[i] &^ st.water[i]
	}
	all := make([]uint64, st.pw)
	for s := range st.seats {
		contained(fmt.Sprintf("known cells of seat %d", s), g.known[s])
		contained(fmt.Sprintf("visible cells of seat %d", s), g.seen[s])
		if n := bits.Count(g.mine[s]); n != int(e.ants[g.b*e.p+s]) {
			bad("seat %d has %d ants and counts %d", s, n, e.ants[g.b*e.p+s])
		}
		if e.hive[g.b*e.p+s] < 0 {
			bad("seat %d has %d food in its hive", s, e.hive[g.b*e.p+s])
		}
		for i, x := range g.mine[s] {
			if x&^land[i] != 0 {
				bad("seat %d has ants on water or outside in word %d", s, i)
			}
			if x&all[i] != 0 {
				bad("two ants on a cell of word %d", i)
			}
			if x&^g.seen[s][i] != 0 || g.seen[s][i]&^g.known[s][i] != 0 {
				bad("seat %d sees less than it stands on, or knows less than it sees, in word %d", s, i)
			}
			all[i] |= x
		}
	}
	for i, x := range all {
		if x != w.all[i] {
			bad("the plane of all ants is out of date in word %d", i)
		}
		if g.food[i]&^land[i] != 0 {
			bad("food on water or outside in word %d", i)
		}
	}
	if n := bits.Count(g.food); n != int(e.foodCount[g.b]) {
		bad("%d food on the board and %d counted", n, e.foodCount[g.b])
	}
	if int(e.pendingLen[g.b]) > e.pendingCap {
		bad("%d pending food, room for %d", e.pendingLen[g.b], e.pendingCap)
	}
}
