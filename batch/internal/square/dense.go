package square

// kernels are the whole-word parts of a turn. Each has a portable form in
// dense_generic.go, which is the reference of its vector form in
// dense_simd_amd64.go; both give identical bytes.
type kernels struct {
	level string
	// block fills w.blocked, haloed, with the water and food (nil: none) that
	// refuse a move, and w.blockE and w.blockW with it moved one column, so
	// that each cell holds what its east or west neighbour is.
	block func(st *static, w *worker, food []uint64)
	// march moves one seat's ants by its orders, one or more, one for each bit
	// of mine. mine becomes the cells that they arrive at, collisions not yet
	// resolved; w.once and w.twice gather the cells with one ant or more, and
	// with two or more.
	march func(st *static, w *worker, orders []byte, mine []uint64)
	// settle sets all to the cells with exactly one ant and tells whether any
	// had more.
	settle func(all, once, twice []uint64) bool
	// foes sets dst to all without mine and tells whether any is left.
	foes func(dst, all, mine []uint64) bool
	// meet lists in dst, ascending, the words that the planes have bits in
	// common in, and returns how many. dst has room for 8 more.
	meet func(dst []int32, a, b []uint64) int
	// fight decides which of w.contact die, and counts their killers.
	fight func(e *Engine, w *worker)
	// refuse fills w.mask with the own ants whose move each way is known to be
	// refused: towards water in known, or food in seen (nil food: none).
	refuse func(st *static, w *worker, mine, known, seen, food []uint64)
	// report is refuse and list in one, for the ants as they stand. It tells
	// whether it can: it need not be for every board.
	report func(w *worker, s int, food []uint64, width, n, count int, cells, mask []byte) bool
	// list writes a seat's ants, count in number, in row-major order from entry
	// n on: cells row*width+col of four bytes, and five bytes of mask each from
	// w.mask. Either may be nil. It may write 64 bytes past the end.
	list func(st *static, w *worker, mine []uint64, width, n, count int, cells, mask []byte)
	// Whole steps of boards that static.tile or static.wide tells of. They tell
	// whether they can. moveTile moves by w.orders and tells whether ants clashed;
	// if so, w.twice is where, and left is how many each seat has left. fightTile
	// takes the dead off, counts them, and if there are any sets w.dead to them.
	// gatherTile takes food off the board: got is what each seat gets, gone what is
	// gone. seeWhole is what a seat sees, taken into what it knows.
	moveTile   func(w *worker, food []uint64) (clash bool, left [2]int32, ok bool)
	fightTile  func(w *worker) (died [2]int32, ok bool)
	gatherTile func(w *worker) (got [2]int32, gone int32, ok bool)
	seeWhole   func(w *worker, s int) bool
	// valid tells whether every byte is an action.
	valid func(acts []byte) bool
	// near sets w.once to the food with a seat's ants in reach and w.twice to
	// that with several seats': reach is the seat's gather zone.
	near func(once, twice, reach, food []uint64)
	// view sets the planes that a seat's are derived from others: the enemies
	// it sees to w.foes, the food to w.near, the water it knows to w.dead.
	view func(w *worker, s int)
	// pack writes a seat's seven planes packed, without padding rows: mine,
	// foes, food, those of its own and of enemy hills that it sees, known
	// water, visible. It writes nothing else, and tells whether it can: rows of
	// up to 16 bytes.
	pack func(w *worker, s int, own, enemy []uint64, dst []byte, rowBytes int) bool
}

// portable is the level that every machine has.
var portable = kernels{
	level: "portable", block: blockGeneric, march: marchGeneric, settle: settleGeneric,
	foes: foesGeneric, meet: meetGeneric, fight: (*Engine).fight, refuse: refuseGeneric, list: listGeneric, near: nearGeneric, view: viewGeneric,
	pack:   func(*worker, int, []uint64, []uint64, []byte, int) bool { return false },
	report: func(*worker, int, []uint64, int, int, int, []byte, []byte) bool { return false },
	valid:  validGeneric,

	moveTile:   func(*worker, []uint64) (bool, [2]int32, bool) { return false, [2]int32{}, false },
	fightTile:  func(*worker) ([2]int32, bool) { return [2]int32{}, false },
	gatherTile: func(*worker) ([2]int32, int32, bool) { return [2]int32{}, 0, false },
	seeWhole:   func(*worker, int) bool { return false },
}

// levels lists what this build and machine can run, slowest first.
var levels = append([]kernels{portable}, vectorLevels()...)

// dense is the level in use: the best one. Only tests change it.
var dense = levels[len(levels)-1]

// Level names the kernels in use: "portable" or "avx512".
func Level() string { return dense.level }
