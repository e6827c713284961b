package square

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch/internal/bits"
	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// TestLevels compares every kernel of every vector level with its portable
// reference on random planes of many shapes.
func TestLevels(t *testing.T) {
	if len(levels) == 1 {
		t.Skip("this build and machine have no vector level: build with GOEXPERIMENT=simd on a machine with AVX-512")
	}
	rng := env.RNG(1)
	for _, rows := range []int{1, 2, 3, 7, 8, 9, 16, 31, 32, 64, 120, 255} {
		for _, cols := range []int{1, 2, 7, 8, 24, 31, 32, 33, 48, 63, 64, 65, 96, 124, 126, 127, 128, 129, 192, 193, 255} {
			if rows*cols < 2 {
				continue
			}
			for _, density := range []uint64{2, 12, 100} {
				for _, l := range levels[1:] {
					sameKernels(t, &l, rows, cols, density, &rng)
				}
			}
		}
	}
}

// workersOn makes two engines of one board, so that each has its own scratch.
func workersOn(t *testing.T, rows, cols int) (a, b *Engine) {
	m := &ants.Map{Name: "test", Rows: rows, Cols: cols, Players: 2, Water: make([]bool, rows*cols),
		Hills: []ants.Spot{{Cell: 0, Owner: 0}, {Cell: 1, Owner: 1}}}
	make1 := func() *Engine {
		e, err := New(kernel.Config{Maps: []env.Map{m}, MapOf: []int{0}, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	return make1(), make1()
}

func sameKernels(t *testing.T, l *kernels, rows, cols int, density uint64, rng *env.RNG) {
	t.Helper()
	name := fmt.Sprintf("%s %dx%d 1/%d", l.level, rows, cols, density)
	ea, eb := workersOn(t, rows, cols)
	st := &ea.maps[0]
	wa, wb := &ea.workers[0], &eb.workers[0]
	plane := func() []uint64 {
		p := alignedWords(st.pw)
		for cell := range int32(rows * cols) {
			if rng.Below(density) == 0 {
				word, bit := st.at(cell)
				p[word] |= bit
			}
		}
		return p
	}
	same := func(what string, a, b []uint64) {
		t.Helper()
		if !slices.Equal(a, b) {
			t.Fatalf("%s: %s differs\n%x\n%x", name, what, a, b)
		}
	}
	// haloed compares what is read of a haloed plane.
	haloed := func(what string, a, b []uint64) {
		t.Helper()
		for word := range st.shape.Words {
			at := word*st.hs + halo
			same(what, a[at-1:at+rows+1], b[at-1:at+rows+1])
		}
	}
	copy(st.water, plane())
	copy(eb.maps[0].water, st.water)
	food, mine, seen, known := plane(), plane(), plane(), plane()
	for i := range mine {
		mine[i] &^= st.water[i] | food[i]
	}
	count := len(ea.cells(&game{st: st}, mine))
	for _, f := range [][]uint64{nil, food} {
		portable.block(st, wa, f)
		l.block(&eb.maps[0], wb, f)
		haloed("blocked", wa.blocked, wb.blocked)
		same("blockE", wa.blockE, wb.blockE)
		same("blockW", wa.blockW, wb.blockW)
	}
	orders := make([]byte, count)
	for i := range orders {
		orders[i] = byte(rng.Below(5))
	}
	once, twice := plane(), plane()
	for i := range twice {
		twice[i] &= once[i]
	}
	ma, mb := slices.Clone(mine), slices.Clone(mine)
	copy(wa.once, once)
	copy(wb.once, once)
	copy(wa.twice, twice)
	copy(wb.twice, twice)
	if count > 0 {
		portable.march(st, wa, orders, ma)
		l.march(&eb.maps[0], wb, orders, mb)
	}
	same("moved", ma, mb)
	same("once", wa.once[:st.pw], wb.once[:st.pw])
	same("twice", wa.twice[:st.pw], wb.twice[:st.pw])
	if portable.settle(wa.all[:st.pw], once, twice) != l.settle(wb.all[:st.pw], once, twice) {
		t.Fatalf("%s: settle differs", name)
	}
	same("all", wa.all[:st.pw], wb.all[:st.pw])
	if portable.foes(wa.foes[:st.pw], once, mine) != l.foes(wb.foes[:st.pw], once, mine) {
		t.Fatalf("%s: foes differs", name)
	}
	same("foes", wa.foes[:st.pw], wb.foes[:st.pw])
	var hits [2][]int32
	for i, k := range []*kernels{&portable, l} {
		hits[i] = make([]int32, st.pw+8)
		hits[i] = hits[i][:k.meet(hits[i], mine, seen)]
	}
	if !slices.Equal(hits[0], hits[1]) {
		t.Fatalf("%s: meetings differ: %v, %v", name, hits[0], hits[1])
	}
	for _, f := range [][]uint64{nil, food} {
		portable.refuse(st, wa, mine, known, seen, f)
		l.refuse(st, wb, mine, known, seen, f)
		for d := range wa.mask {
			same("mask", wa.mask[d][:st.pw], wb.mask[d][:st.pw])
		}
	}
	for _, width := range []int{cols, cols + 9} {
		const n = 3
		var lists [2][2][]byte
		for i := range lists {
			lists[i] = [2][]byte{make([]byte, 4*(n+count)+64), make([]byte, 5*(n+count)+64)}
		}
		portable.list(st, wa, mine, width, n, count, lists[0][0], lists[0][1])
		l.list(st, wb, mine, width, n, count, lists[1][0], lists[1][1])
		if !bytes.Equal(lists[0][0][:4*(n+count)], lists[1][0][:4*(n+count)]) {
			t.Fatalf("%s: listed cells differ", name)
		}
		if !bytes.Equal(lists[0][1][:5*(n+count)], lists[1][1][:5*(n+count)]) {
			t.Fatalf("%s: listed masks differ\n%v\n%v", name, lists[0][1], lists[1][1])
		}
	}
	oa, ta, ob, tb := slices.Clone(once), slices.Clone(twice), slices.Clone(once), slices.Clone(twice)
	portable.near(oa, ta, seen, food)
	l.near(ob, tb, seen, food)
	same("near once", oa, ob)
	same("near twice", ta, tb)
	for i, w := range []*worker{wa, wb} {
		w.g.st, w.g.food = &[]*Engine{ea, eb}[i].maps[0], food
		w.g.mine[1], w.g.seen[1], w.g.known[1] = mine, seen, known
		copy(w.all, once)
	}
	portable.view(wa, 1)
	l.view(wb, 1)
	same("view foes", wa.foes[:st.pw], wb.foes[:st.pw])
	same("view food", wa.near[:st.pw], wb.near[:st.pw])
	same("view water", wa.dead[:st.pw], wb.dead[:st.pw])
	samePacked(t, l, name, wb)
	for _, f := range [][]uint64{nil, food} {
		sameReport(t, l, name, wa, wb, f, count)
	}
	sameFights(t, l, name, ea, eb, mine, seen)
}

// samePacked compares the packed planes of seat 1 with its planes, packed.
func samePacked(t *testing.T, l *kernels, name string, w *worker) {
	t.Helper()
	st := w.g.st
	row := (st.shape.Cols + 7) / 8
	size := st.shape.Rows * row
	got, want := make([]byte, packedPlanes*size+bits.PackSlack)[:packedPlanes*size], make([]byte, packedPlanes*size+bits.PackSlack)
	for i := range got {
		got[i] = 0xAA
	}
	own, enemy := w.reach[0][:st.pw], w.reach[1][:st.pw]
	copy(own, w.all)
	copy(enemy, w.g.food)
	if !l.pack(w, 1, own, enemy, got, row) {
		return
	}
	l.view(w, 1)
	for i, seen := range w.g.seen[1] {
		own[i] &= seen
		enemy[i] &= seen
	}
	for i, p := range [][]uint64{w.g.mine[1], w.foes, w.near, own, enemy, w.dead, w.g.seen[1]} {
		bits.PackRows(want[i*size:], row, &st.shape, p[:st.pw])
	}
	if !bytes.Equal(got, want[:len(got)]) {
		t.Fatalf("%s: packed planes differ", name)
	}
}

// sameReport compares a report of seat 1 with the portable refusals and list.
func sameReport(t *testing.T, l *kernels, name string, wa, wb *worker, food []uint64, count int) {
	t.Helper()
	const n = 3
	g := &wa.g
	for _, width := range []int{g.st.shape.Cols, g.st.shape.Cols + 8} {
		cells, mask := make([]byte, 4*(n+count)+64), make([]byte, 5*(n+count)+64)
		cellsWant, maskWant := bytes.Clone(cells), bytes.Clone(mask)
		if !l.report(wb, 1, food, width, n, count, cells, mask) {
			return
		}
		portable.refuse(g.st, wa, g.mine[1], g.known[1], g.seen[1], food)
		portable.list(g.st, wa, g.mine[1], width, n, count, cellsWant, maskWant)
		if !bytes.Equal(cells[:4*(n+count)], cellsWant[:4*(n+count)]) || !bytes.Equal(mask[:5*(n+count)], maskWant[:5*(n+count)]) {
			t.Fatalf("%s: reports differ", name)
		}
	}
}

// sameFights compares who dies, and by whom, among two seats' ants.
func sameFights(t *testing.T, l *kernels, name string, ea, eb *Engine, mine, others []uint64) {
	t.Helper()
	best := dense
	defer func() { dense = best }()
	fight := func(k *kernels, e *Engine) string {
		dense = *k
		w := &e.workers[0]
		e.game(&w.g, 0)
		clear(w.all)
		for s, p := range [][]uint64{mine, others} {
			copy(w.g.mine[s], p)
			if s == 1 {
				for i := range mine {
					w.g.mine[s][i] &^= mine[i]
				}
			}
			e.ants[s] = int32(len(e.cells(&w.g, w.g.mine[s])))
			for i, x := range w.g.mine[s] {
				w.all[i] |= x
			}
		}
		w.kills, w.losses = [ants.MaxSeats]int32{}, [ants.MaxSeats]int32{}
		e.combat(w)
		return fmt.Sprintf("%x %x %x %x %v %v %v", w.g.mine[0], w.g.mine[1], w.all, w.dead, w.kills, w.losses, e.ants)
	}
	if a, b := fight(&portable, ea), fight(l, eb); a != b {
		t.Fatalf("%s: fights differ\n%s\n%s", name, a, b)
	}
}

// TestValidActions looks for one bad action anywhere.
func TestValidActions(t *testing.T) {
	rng := env.RNG(1)
	for n := range 200 {
		acts := make([]byte, n)
		for i := range acts {
			acts[i] = byte(rng.Below(uint64(ants.NumActions)))
		}
		for _, l := range levels {
			if !l.valid(acts) {
				t.Fatalf("%s refuses %v", l.level, acts)
			}
			for i, a := range acts {
				acts[i] = ants.NumActions + byte(rng.Below(251))
				if l.valid(acts) {
					t.Fatalf("%s allows %v", l.level, acts)
				}
				acts[i] = a
			}
		}
	}
}
