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
