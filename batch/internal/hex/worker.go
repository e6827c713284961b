package hex

import (
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/policy"
	"github.com/myriant-rl/myriant/env/obs"
)

// lanesPerWord is the seats whose pheromone shares a word.
const lanesPerWord = 4

// A claim is a forager that harvests: the ant, and its number among those on
// its cell.
type claim struct {
	seat, index uint8
	number      uint8
	cell        uint16
}

// A worker is one worker's scratch, sized for the largest board.
type worker struct {
	g game

	// While a board is stepped: the seats by ascending home, the ants of each
	// seat on each cell (byte s of a word is seat s), before and after the moves
	// of the tick, and which nests are near.
	order  [seats]uint8
	lists  [numKinds][slots]uint8 // ants by what they do, see move
	before []uint64
	after  []uint64
	near   []uint16    // see nearNests
	trails [2][]uint64 // what pheromone weighs, in lanes like it; 0 off the board
	key    uint64      // of the tick's draws
	event  nextEvent

	contested []uint16 // cells that two colonies or more moved to
	claims    []claim
	claimants []uint8       // per cell, while claims are counted
	thieves   bool          // a raider stands next to a rival's nest, or on it
	seen      [seats]uint16 // w.near of all cells that a seat's ants stand on
	moved     bool          // nests, or ants in a way that seen does not know

	orders [seats]act // of the step
	played [seats][]byte
	buffer [seats][formica.OrderBytes]byte
	given  [][]byte // orders of an engine of one board, in place of all others
	// score and alive are the seats' before the step.
	score [seats]int32
	alive [seats]bool

	view  view
	facts policy.Facts
	wide  []uint8 // planes before they are widened

	_ [128]byte // the next worker lies in other cache lines
}

func (e *Engine) newWorker() worker {
	n := e.cells
	w := worker{
		before: sliceOf[uint64](n), after: sliceOf[uint64](n), near: make([]uint16, n),
		contested: make([]uint16, 0, n), claims: make([]claim, 0, seats*slots), claimants: make([]uint8, n),
	}
	for word := range e.lanes {
		w.trails[word] = sliceOf[uint64](n)
	}
	w.view = e.newView()
	if e.cfg.Planes != obs.Uint8 {
		w.wide = make([]uint8, formica.NumPlanes*e.width*e.width)
	}
	return w
}
