//go:build goexperiment.simd && amd64

package square

import (
	"simd/archsimd"
	"unsafe"
)

// Steps of a turn on boards of 32 rows and columns and two seats, in assembly:
// a plane is two vectors of 32 bits a row, so that a step stays in registers,
// and sums of three planes are single instructions, which no function of Go
// becomes. References: move, combat, gather, see, reportAVX512.

//go:noescape
func tileFight(mine0, mine1, all, dead unsafe.Pointer) (died uint64, ok bool)

//go:noescape
func tileGather(food, mine0, mine1 unsafe.Pointer) (counts uint64)

//go:noescape
func tileSee(seen, known, mine unsafe.Pointer)

// tileWords is the size of a plane.
const tileWords = 32

func fightTileAVX512(w *worker) (died [2]int32, ok bool) {
	g := &w.g
	if !g.st.tile.attack {
		return died, false
	}
	n, ok := tileFight(ptr(g.mine[0][:tileWords]), ptr(g.mine[1][:tileWords]), ptr(w.all[:tileWords]), ptr(w.dead[:tileWords]))
	return [2]int32{int32(uint32(n)), int32(n >> 32)}, ok
}

func gatherTileAVX512(w *worker) (got [2]int32, gone int32, ok bool) {
	g := &w.g
	if !g.st.tile.gather {
		return got, 0, false
	}
	n := tileGather(ptr(g.food[:tileWords]), ptr(g.mine[0][:tileWords]), ptr(g.mine[1][:tileWords]))
	return [2]int32{int32(n & 0xffff), int32(n >> 16 & 0xffff)}, int32(n >> 32), true
}

func seeWholeAVX512(w *worker, s int) bool {
	g := &w.g
	if g.st.wide {
		seeWide(w, s)
		return true
	}
	if !g.st.tile.view {
		return false
	}
	tileSee(ptr(g.seen[s][:tileWords]), ptr(g.known[s][:tileWords]), ptr(g.mine[s][:tileWords]))
	return true
}

//go:noescape
func tileRows(out, plane unsafe.Pointer)

//go:noescape
func tileMove(water, food, mine0, mine1, code0, code1, all, twice unsafe.Pointer) (left uint64, clash bool)

func moveTileAVX512(w *worker, food []uint64) (clash bool, left [2]int32, ok bool) {
	g := &w.g
	st := g.st
	if !st.tile.move {
		return false, left, false
	}
	if food == nil {
		food = noFood[:]
	}
	const span = 3 * tileWords
	code := w.code[:2*span]
	rows := ptr(w.plane[:tileWords])
	for s := range 2 {
		to := ptr(code[s*span:])
		planes := [3]unsafe.Pointer{to, unsafe.Add(to, 8*tileWords), unsafe.Add(to, 16*tileWords)}
		if len(w.orders[s]) == 0 {
			clear(code[s*span : (s+1)*span])
			continue
		}
		tileRows(rows, ptr(g.mine[s][:tileWords]))
		stream, span := streamOrdersAVX512(w, w.orders[s])
		archsimd.ClearAVXUpperBits()
		deposit(unsafe.Pointer(&planes), rows, unsafe.Pointer(&identity), tileWords/2, stream, span)
	}
	n, clash := tileMove(ptr(st.water[:tileWords]), ptr(food[:tileWords]), ptr(g.mine[0][:tileWords]), ptr(g.mine[1][:tileWords]),
		ptr(code), ptr(code[span:]), ptr(w.all[:tileWords]), ptr(w.twice[:tileWords]))
	return clash, [2]int32{int32(uint32(n)), int32(n >> 32)}, true
}

//go:noescape
func tileReport(mine, water, known, food, seen, rows, cells, mask, tables unsafe.Pointer, count int) (end unsafe.Pointer)

// tileTables are for tileReport: the columns of 64 cells; then which ant byte j
// of sixteen ants' mask is of, and which bit of its refusals, in two vectors
// each.
var tileTables = func() (t [5][64]uint8) {
	for j := range 64 {
		t[0][j] = uint8(j)
		t[1][j], t[2][j] = uint8(j/5), uint8((64+j)/5)
		if j%5 < 4 {
			t[3][j] = 1 << (j % 5)
		}
		if (64+j)%5 < 4 {
			t[4][j] = 1 << ((64 + j) % 5)
		}
	}
	return t
}()

// reportTile is reportAVX512 for boards of 32 rows and columns.
func reportTile(w *worker, s int, food []uint64, n, count int, cells, mask []byte) {
	g := &w.g
	if food == nil {
		food = noFood[:]
	}
	cells, mask = cells[4*n:4*(n+count)+64], mask[5*n:5*(n+count)+64]
	to := unsafe.Pointer(unsafe.SliceData(cells))
	end := tileReport(ptr(g.mine[s][:tileWords]), ptr(g.st.water[:tileWords]), ptr(g.known[s][:tileWords]), ptr(food[:tileWords]), ptr(g.seen[s][:tileWords]),
		ptr(w.plane[:tileWords]), to, unsafe.Pointer(unsafe.SliceData(mask)), unsafe.Pointer(&tileTables), count)
	if end != unsafe.Add(to, 4*count) {
		panic("square: a plane has other ants than the count says")
	}
}
