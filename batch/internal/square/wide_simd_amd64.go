//go:build goexperiment.simd && amd64

package square

import "unsafe"

// What a seat sees on boards of 96 columns, in assembly: three columns of words
// of 32 bits fill all lanes, where windows of a word with edges take twice the
// vectors. Reference: see.

//go:noescape
func wideSee(seen, known, mine, scratch unsafe.Pointer, rows int)

func seeWide(w *worker, s int) {
	g := &w.g
	st := g.st
	need := 3 * (st.shape.Rows + 16) / 2
	wideSee(ptr(g.seen[s][:st.pw]), ptr(g.known[s][:st.pw]), ptr(g.mine[s][:st.pw]), ptr(w.disk[:need]), st.shape.Rows)
}

// The report of boards of 65 to 126 columns. Rows of what refuses moves are 128
// bits with a column of halo at each end, so that a place row*128+column is
// where in them the bits around an ant begin. Reference: reportAVX512.

// wideRefuse writes the rows to ring, the last one first and the first one
// last. last is the bits of a row's second word.
//
//go:noescape
func wideRefuse(ring, water, known, food, seen unsafe.Pointer, rows, stride, last int)

// widePlaces lists the places of a plane's bits, in the words that list names.
//
//go:noescape
func widePlaces(places, plane, list, bases, tables unsafe.Pointer, n int) (end unsafe.Pointer)

// wideList makes cells and masks of places.
//
//go:noescape
func wideList(cells, mask, places, ring, tables unsafe.Pointer, width, count int)

// noFoodWide is an empty plane of rows of two words.
var noFoodWide [512]uint64

func reportWide(w *worker, s int, food []uint64, width, n, count int, cells, mask []byte) {
	g := &w.g
	st := g.st
	pw, rows, stride := st.pw, st.shape.Rows, st.shape.Stride
	if food == nil {
		food = noFoodWide[:]
	}
	ring, tables := ptr(w.ring[:2*stride+8]), unsafe.Pointer(&tileTables)
	wideRefuse(ring, ptr(st.water[:pw]), ptr(g.known[s][:pw]), ptr(food[:pw]), ptr(g.seen[s][:pw]), rows, stride, st.shape.Cols-64)
	mine := g.mine[s]
	words := occupiedAVX512(st, w.hits, mine)
	places := unsafe.Pointer(unsafe.SliceData(w.places[:count+16]))
	end := widePlaces(places, ptr(mine), unsafe.Pointer(unsafe.SliceData(w.hits)), unsafe.Pointer(unsafe.SliceData(st.bases)), tables, words)
	if end != unsafe.Add(places, 4*count) {
		panic("square: a plane has other ants than the count says")
	}
	cells, mask = cells[4*n:4*(n+count)+64], mask[5*n:5*(n+count)+64]
	wideList(unsafe.Pointer(unsafe.SliceData(cells)), unsafe.Pointer(unsafe.SliceData(mask)), places, ring, tables, width, count)
}
