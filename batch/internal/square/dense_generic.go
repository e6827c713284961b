package square

import (
	"encoding/binary"
	"math/bits"

	"github.com/myriant-rl/myriant/env/ants"
)

func blockGeneric(st *static, w *worker, food []uint64) {
	stride := st.shape.Stride
	for word := range st.shape.Words {
		col := w.blocked[word*st.hs : (word+1)*st.hs]
		in := col[halo : halo+stride]
		copy(in, st.water[word*stride:])
		if food != nil {
			for r, x := range food[word*stride : (word+1)*stride] {
				in[r] |= x
			}
		}
		st.wrapRows(col)
	}
	for word := range st.shape.Words {
		for r := range stride {
			w.blockE[word*stride+r] = st.west(w.blocked, st.hs, halo+r, word)
			w.blockW[word*stride+r] = st.east(w.blocked, st.hs, halo+r, word)
		}
	}
}

// wrapRows fills the nearest halo rows of one word's column. The one below
// stands where padding would.
func (s *static) wrapRows(col []uint64) {
	col[halo-1] = col[halo+s.shape.Rows-1]
	col[halo+s.shape.Rows] = col[halo]
}

// east is word w of row r of a plane moved one column east: column c holds
// what stood in c-1. Words of a row are step apart.
func (s *static) east(p []uint64, step, r, w int) uint64 {
	l := &s.lanes[w]
	return (p[w*step+r]<<1 | p[l.prev*step+r]>>l.fromPrev) & l.mask
}

// west is east's mirror: column c holds what stood in c+1.
func (s *static) west(p []uint64, step, r, w int) uint64 {
	l := &s.lanes[w]
	return (p[w*step+r]>>1 | p[l.next*step+r]<<l.fromNext) & l.mask
}

func marchGeneric(st *static, w *worker, orders []byte, mine []uint64) {
	spreadGeneric(st, w, orders, mine)
	moveGeneric(st, w, mine)
}

// spreadGeneric turns orders into w.dir, a plane for each direction. It lets the bits of an action's value select the plane, so that
// no ant costs a branch.
func spreadGeneric(st *static, w *worker, orders []byte, mine []uint64) {
	n, e, s, x := w.dir[0], w.dir[1], w.dir[2], w.dir[3]
	stride := st.shape.Stride
	i := 0
	for r := range stride {
		for word := range st.shape.Words {
			k := word*stride + r
			m := mine[k]
			var b0, b1, b2 uint64
			for left := m; left != 0; left &= left - 1 {
				c := uint(bits.TrailingZeros64(left)) & 63
				a := orders[i]
				i++
				b0 |= uint64(a&1) << c
				b1 |= uint64(a>>1&1) << c
				b2 |= uint64(a>>2) << c
			}
			m &^= b2
			n[k], e[k], s[k], x[k] = m&^(b0|b1), b0&^b1, b1&^b0, b0&b1
		}
	}
}

func moveGeneric(st *static, w *worker, mine []uint64) {
	stride, rows := st.shape.Stride, st.shape.Rows
	for word := range st.shape.Words {
		block := w.blocked[word*st.hs+halo-1:]
		north := w.north[word*st.hs : (word+1)*st.hs]
		south := w.south[word*st.hs : (word+1)*st.hs]
		for r := range rows {
			i := word*stride + r
			n := w.dir[0][i] &^ block[r]   // row above
			s := w.dir[2][i] &^ block[r+2] // row below
			e := w.dir[1][i] &^ w.blockE[i]
			x := w.dir[3][i] &^ w.blockW[i]
			north[halo+r], south[halo+r] = n, s
			w.dir[1][i], w.dir[3][i] = e, x
			stay := mine[i] &^ (n | s | e | x)
			mine[i] = stay
			w.twice[i] |= w.once[i] & stay
			w.once[i] |= stay
		}
		st.wrapRows(north)
		st.wrapRows(south)
	}
	for word := range st.shape.Words {
		north := w.north[word*st.hs+halo+1:]
		south := w.south[word*st.hs+halo-1:]
		for r := range rows {
			i := word*stride + r
			once, twice, to := w.once[i], w.twice[i], mine[i]
			for _, x := range [4]uint64{north[r], south[r], st.east(w.dir[1], stride, r, word), st.west(w.dir[3], stride, r, word)} {
				twice |= once & x
				once |= x
				to |= x
			}
			w.once[i], w.twice[i], mine[i] = once, twice, to
		}
	}
}

func settleGeneric(all, once, twice []uint64) bool {
	clash := uint64(0)
	for i, t := range twice {
		all[i] = once[i] &^ t
		clash |= t
	}
	return clash != 0
}

func foesGeneric(dst, all, mine []uint64) bool {
	any := uint64(0)
	for i, a := range all {
		dst[i] = a &^ mine[i]
		any |= dst[i]
	}
	return any != 0
}

func meetGeneric(dst []int32, a, b []uint64) int {
	n := 0
	for i, x := range a {
		if x&b[i] != 0 {
			dst[n] = int32(i)
			n++
		}
	}
	return n
}

func refuseGeneric(st *static, w *worker, mine, known, seen, food []uint64) {
	stride := st.shape.Stride
	for word := range st.shape.Words {
		col := w.blocked[word*st.hs : (word+1)*st.hs]
		in := col[halo : halo+stride]
		for r := range in {
			i := word*stride + r
			in[r] = st.water[i] & known[i]
			if food != nil {
				in[r] |= food[i] & seen[i]
			}
		}
		st.wrapRows(col)
	}
	for word := range st.shape.Words {
		col := w.blocked[word*st.hs : (word+1)*st.hs]
		for r := range stride {
			i := word*stride + r
			w.mask[ants.North][i] = mine[i] & col[halo+r-1]
			w.mask[ants.South][i] = mine[i] & col[halo+r+1]
			w.mask[ants.East][i] = mine[i] & st.west(w.blocked, st.hs, halo+r, word)
			w.mask[ants.West][i] = mine[i] & st.east(w.blocked, st.hs, halo+r, word)
		}
	}
}

// maskRows[m] is the five mask bytes of an ant whose refused moves are the
// bits of m, lowest byte first; the other three bytes are zero.
var maskRows = func() (rows [16]uint64) {
	for m := range rows {
		rows[m] = 1 << 32
		for d := range 4 {
			if m>>d&1 == 0 {
				rows[m] |= 1 << (8 * d)
			}
		}
	}
	return rows
}()

func listGeneric(st *static, w *worker, mine []uint64, width, n, _ int, cells, mask []byte) {
	stride, words := st.shape.Stride, st.shape.Words
	for r := range st.shape.Rows {
		for word := range words {
			i := word*stride + r
			m := mine[i]
			if m == 0 {
				continue
			}
			at := n
			n += bits.OnesCount64(m)
			if cells != nil {
				base := r*width + word*64
				j := at
				for left := m; left != 0; left &= left - 1 {
					binary.LittleEndian.PutUint32(cells[4*j:], uint32(base+bits.TrailingZeros64(left)))
					j++
				}
			}
			if mask == nil {
				continue
			}
			north, east, south, west := w.mask[0][i], w.mask[1][i], w.mask[2][i], w.mask[3][i]
			for left := m; left != 0; left &= left - 1 {
				c := uint(bits.TrailingZeros64(left)) & 63
				refused := north>>c&1 | east>>c&1<<1 | south>>c&1<<2 | west>>c&1<<3
				binary.LittleEndian.PutUint64(mask[5*at:], maskRows[refused&15])
				at++
			}
		}
	}
}

func nearGeneric(once, twice, reach, food []uint64) {
	for i, x := range reach {
		x &= food[i]
		twice[i] |= once[i] & x
		once[i] |= x
	}
}

func viewGeneric(w *worker, s int) {
	g := &w.g
	mine, known := g.mine[s], g.known[s]
	for i, seen := range g.seen[s] {
		w.foes[i] = w.all[i] &^ mine[i] & seen
		w.near[i] = g.food[i] & seen
		w.dead[i] = g.st.water[i] & known[i]
	}
}

// validGeneric looks at eight bytes at a time.
func validGeneric(acts []byte) bool {
	const low, high = uint64(0x0101010101010101), uint64(0x8080808080808080)
	bad := uint64(0)
	for len(acts) >= 8 {
		x := binary.LittleEndian.Uint64(acts)
		// A byte below 128 reaches the high bit by adding 128-NumActions.
		bad |= (x&^high + low*uint64(128-ants.NumActions)) | x
		acts = acts[8:]
	}
	for _, a := range acts {
		if a >= ants.NumActions {
			return false
		}
	}
	return bad&high == 0
}
