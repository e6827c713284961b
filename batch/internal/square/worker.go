package square

import (
	"unsafe"

	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// halo is the rows on each side of a haloed plane's columns. Eight keep whole
// vectors aligned with the plane; one repeats the opposite edge.
const halo = 8

// A worker is one worker's scratch, sized for the largest board.
type worker struct {
	g game

	// Moves: see move.go.
	bits    []byte      // three streams of the bits of orders
	code    []uint64    // three planes for each of two seats: the bits of the ants' orders
	dir     [4][]uint64 // ants ordered N, E, S, W
	blocked []uint64    // haloed: cells that refuse a move
	blockE  []uint64    // cells whose east neighbour refuses
	blockW  []uint64
	north   []uint64 // haloed: ants that do move north
	south   []uint64 // haloed
	once    []uint64
	twice   []uint64

	all     []uint64 // every ant
	stepped int      // the board that all is of, or -1
	near    []uint64
	reach   [ants.MaxSeats][]uint64 // gather zones
	rank    []uint64                // per word: its ants, or those listed before it
	stream  []byte                  // a plane packed without padding
	foes    []uint64
	plane   []uint64 // free for one function
	plane2  []uint64
	refused []uint64    // four planes, cut into mask
	mask    [4][]uint64 // per direction: own ants whose move is known to be refused
	disk    []uint64    // scratch of dilations and translations

	ring    []uint64 // what refuses moves, see reportWide
	places  []uint32 // ants, see reportWide
	hits    []int32  // words that two planes meet in
	contact []contact
	focus   []uint16 // per cell, valid for ants in contact
	levels  []uint64 // per focus: haloed, the ants in contact of that focus or less
	dead    []uint64

	orders  [ants.MaxSeats][]byte
	buffer  [ants.MaxSeats][]byte // room for one order a cell
	perCell []byte
	given   [][]byte // orders of an engine of one board, in place of all others

	// What the step did, per seat.
	food, kills, losses, fresh [ants.MaxSeats]int32
	before                     [ants.MaxSeats]int32 // scores

	packed []byte // one packed plane of the padded grid, and spare bytes
	native scratch

	_ kernel.Apart
}

// A contact is an ant with an enemy in range.
type contact struct {
	// near is the enemies in range: bit i stands for static.around[i], or for
	// column i%8 of row i/8 of the window.
	near  uint64
	bit   uint64 // of the ant in its word
	word  int32
	cell  int32
	row   int16
	col   int16
	seat  uint8
	dies  bool
	focus uint16
}

func alignedWords(n int) []uint64 {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(obs.Bytes(8*n)))), n)
}

func (e *Engine) newWorker() worker {
	pw, haloed, cells, disk := 0, 0, 0, 0
	levels := 0
	for i := range e.maps {
		st := &e.maps[i]
		if len(st.diskRows) > 0 {
			levels = max(levels, st.hs*st.shape.Words*(len(st.around)+1))
		}
		pw = max(pw, st.pw)
		haloed = max(haloed, st.hs*st.shape.Words)
		cells = max(cells, st.shape.Rows*st.shape.Cols)
		disk = max(disk, st.view.Scratch(), st.attack.Scratch(), st.gather.Scratch(), 2*st.pw)
	}
	plane := func() []uint64 { return alignedWords(pw) }
	w := worker{
		stepped: -1,
		blocked: alignedWords(haloed), blockE: plane(), blockW: plane(),
		north: alignedWords(haloed), south: alignedWords(haloed),
		once: plane(), twice: plane(), all: plane(), near: plane(), foes: plane(), plane: plane(), plane2: plane(),
		dead: plane(), disk: alignedWords(disk),
		hits: make([]int32, pw+16), contact: make([]contact, 0, cells), focus: make([]uint16, cells), perCell: make([]byte, cells),
		packed: make([]byte, e.rows*((e.cols+7)/8)+64),
	}
	w.levels = alignedWords(levels)
	w.ring, w.places = alignedWords(pw+16), make([]uint32, cells+64)
	w.refused = alignedWords(4 * pw)
	for d := range w.dir {
		w.dir[d], w.mask[d] = plane(), w.refused[d*pw:(d+1)*pw]
	}
	w.bits, w.code = obs.Bytes(4*(8*pw+64)), alignedWords(6*pw)
	w.rank, w.stream = alignedWords(pw+8), make([]byte, 8*pw+2*bits.PackSlack)
	for s := range e.p {
		w.buffer[s], w.reach[s] = make([]byte, cells), plane()
	}
	w.native = newScratch(e)
	return w
}
