package square

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

// TestTile compares the kernels for boards of 32 rows and columns, and those for
// 96 columns, with the steps that they stand in for, on random planes from a few
// ants to a crowd.
func TestTile(t *testing.T) {
	for _, rows := range []int{16, 48, 64} {
		testTile(t, rows, 96)
	}
	testTile(t, 32, 32)
}

func testTile(t *testing.T, rows, cols int) {
	t.Helper()
	was := dense
	defer func() { dense = was }()
	rng := env.RNG(2)
	for _, l := range levels[1:] {
		fought := 0
		for i := range 6000 * 32 / (rows * cols) {
			density := uint64(2 + i%40)
			a, b := workersOn(t, rows, cols)
			for _, e := range []*Engine{a, b} {
				e.Reset(0, 0, 7)
			}
			var g game
			a.game(&g, 0)
			w := &a.workers[0]
			for s := range 2 {
				a.ants[s] = 0
				clear(g.mine[s])
			}
			clear(w.all)
			a.foodCount[0] = 0
			for cell := range int32(rows * cols) {
				word, bit := g.st.at(cell)
				if rng.Below(density) == 0 {
					s := rng.Below(2)
					g.mine[s][word] |= bit
					w.all[word] |= bit
					a.ants[s]++
				} else if rng.Below(9) == 0 {
					g.food[word] |= bit
				}
				if rng.Below(9) == 0 {
					a.maps[0].water[word] |= bit
					b.maps[0].water[word] |= bit
				}
				if rng.Below(3) == 0 {
					g.known[0][word] |= bit
				}
			}
			for _, x := range g.food {
				a.foodCount[0] += int32(bits.OnesCount64(x))
			}
			copy(b.words, a.words)
			copy(b.ants, a.ants)
			copy(b.foodCount, a.foodCount)
			copy(b.workers[0].all, w.all)
			var orders [2][]byte
			for s := range orders {
				for range a.ants[s] {
					orders[s] = append(orders[s], byte(rng.Below(5)))
				}
			}
			if i%10 == 0 { // a colony alone
				a.ants[1], b.ants[1], orders[1] = 0, 0, nil
				clear(g.mine[1])
				copy(w.all, g.mine[0])
				copy(b.words, a.words)
				copy(b.workers[0].all, w.all)
			}
			steps := func(e *Engine, k kernels) (contested bool) {
				dense = k
				w := &e.workers[0]
				e.game(&w.g, 0)
				w.orders[0], w.orders[1] = orders[0], orders[1]
				contested = e.move(w)
				contested = e.combat(w) || contested
				e.gather(w)
				e.see(w)
				return contested
			}
			plain := l
			plain.moveTile, plain.fightTile, plain.gatherTile, plain.seeWhole = portable.moveTile, portable.fightTile, portable.gatherTile, portable.seeWhole
			if ca, cb := steps(a, plain), steps(b, l); ca != cb {
				t.Fatalf("%s: contested %v, want %v", l.level, cb, ca)
			}
			wb := &b.workers[0]
			for what, got := range map[string]bool{
				"planes": slices.Equal(a.words, b.words), "all": slices.Equal(w.all, wb.all), "ants": slices.Equal(a.ants, b.ants),
				"food": slices.Equal(a.foodCount, b.foodCount), "hive": slices.Equal(a.hive, b.hive), "gathered": slices.Equal(a.gathered, b.gathered),
				"kills": w.kills == wb.kills, "losses": w.losses == wb.losses, "got": w.food == wb.food,
			} {
				if !got {
					t.Fatalf("%s %dx%d: %s differ at density 1/%d\n%v\n%v\n%v %v\n%v %v\n%v %v", l.level, rows, cols, what, density, a.words, b.words, a.ants, b.ants, w.kills, wb.kills, a.hive, b.hive)
				}
			}
			fought += int(w.kills[0])
		}
		if fought == 0 {
			t.Fatal("nobody was killed")
		}
	}
}
