// What the tests of Formica share: boards, ways to play them, and readable
// access to a batch's arrays.

package batch_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// everyFormicaArray names all arrays that a batch of Formica can export.
func everyFormicaArray() (names []string) {
	for _, f := range formica.Arrays() {
		names = append(names, f.Name)
	}
	return names
}

// everyFormicaReward weighs every term of the reward, each differently.
var everyFormicaReward = map[string]float64{"margin": 1, "win": 8, "score": 0.5}

// hexBoard makes a board.
func hexBoard(t testing.TB, seats, radius int) env.Map {
	t.Helper()
	b, err := formica.NewBoard(fmt.Sprintf("%d-%d", seats, radius), seats, radius)
	must(t, err)
	return b
}

// hexMaps are boards of different sizes and of all numbers of seats.
func hexMaps(t testing.TB) []env.Map {
	t.Helper()
	return []env.Map{hexBoard(t, 4, 12), hexBoard(t, 2, 10), hexBoard(t, 3, 11), hexBoard(t, 6, 13), hexBoard(t, 2, 15)}
}

// hexBatch is a configuration of Formica boards.
func hexBatch(t testing.TB, change func(c *batch.Config)) batch.Config {
	t.Helper()
	c := batch.Config{Game: "formica", Boards: 10, Maps: hexMaps(t), Arrays: everyFormicaArray(), Workers: 2}
	if change != nil {
		change(&c)
	}
	return c
}

// hexEngine is one board of a batch of Formica.
func hexEngine(b *batch.Batch, board int) formica.Engine { return b.Board(board).(formica.Engine) }

// hexScatter puts boards into the middle of things. Every third board stays
// where it is.
func hexScatter(t testing.TB, b *batch.Batch, seed uint64) {
	t.Helper()
	for i := range b.Config().Boards {
		if i%3 == 2 {
			continue
		}
		e := hexEngine(b, i)
		must(t, e.SetState(envtest.FormicaState(envtest.Choices(env.Derive(seed, uint64(i))), e.Config(), e.Board()).Append(nil)))
	}
	b.Refresh()
}

// hexHeads are the ways to give orders; the last one samples.
var hexHeads = []string{"orders", "order_weights", "order_bytes", "order_logits", "sampled"}

// hexObserved are the observed seats of a batch whose caller plays all seats,
// or that names them.
func hexObserved(b *batch.Batch) []int {
	if seats := b.Config().Observe; seats != nil {
		return seats
	}
	return boards(b.Sizes()["S"])
}

// hexElements is the number of elements of a head's array.
func hexElements(t testing.TB, b *batch.Batch, head string) int {
	t.Helper()
	for _, f := range b.Heads() {
		if f.Name == head {
			dims, err := b.Sizes().Resolve(f.Shape)
			must(t, err)
			n := 1
			for _, d := range dims {
				n *= d
			}
			return n
		}
	}
	t.Fatalf("no head %q", head)
	return 0
}

// hexActions draws a step's orders through one of hexHeads: every order that
// the head can give, and none now and then.
func hexActions(t testing.TB, b *batch.Batch, head string, rng *env.RNG) batch.Actions {
	t.Helper()
	z := b.Sizes()
	a := batch.Actions{Head: head}
	if head == "sampled" {
		a = batch.Actions{Head: "order_logits", Sample: true, Seed: rng.Next(), Temperature: 0.7}
	}
	if a.Head == "order_logits" {
		a.Float32 = make([]float32, hexElements(t, b, a.Head))
		for i := range a.Float32 {
			a.Float32[i] = randomLogit(rng)
		}
		return a
	}
	below := func(n int) int32 { return int32(rng.Below(uint64(n))) }
	for board := range z["B"] {
		for _, seat := range hexObserved(b) {
			target := int32(-1)
			if below(2) == 0 {
				target = hexTarget(b, board, seat, rng)
			}
			switch a.Head {
			case "orders":
				a.Int32 = append(a.Int32, below(5)-1, below(formica.NumTenths), below(2), target)
			case "order_weights":
				a.Int32 = append(a.Int32, below(5)-1, below(9), 1+below(9), below(formica.MaxWeight+1), below(2), target)
			case "order_bytes":
				o := formica.Order{Mode: formica.Mode(below(formica.NumModes)), Alloc: formica.AllocTenths[below(formica.NumTenths)], Defend: below(2) == 1, Target: formica.NoCell}
				if target >= 0 {
					o.Target = below(hexEngineCells(b, board))
				}
				row := o.Append(nil)
				if below(5) == 0 {
					row[0] = formica.NoOrder
				}
				a.Uint8 = append(a.Uint8, row...)
			}
		}
	}
	return a
}

func hexEngineCells(b *batch.Batch, board int) int {
	return b.Config().Maps[b.Config().MapOf[board]].(*formica.Board).Cells
}

// hexTarget is the place on the seat's grid of some cell; of a cell that the
// seat may relocate to, if there is one, more often.
func hexTarget(b *batch.Batch, board, seat int, rng *env.RNG) int32 {
	m := b.Config().Maps[b.Config().MapOf[board]].(*formica.Board)
	width := b.Sizes()["W"]
	if seat >= m.Players {
		return -1
	}
	if mask := b.Array("target_mask"); mask != nil && rng.Below(4) > 0 {
		plane := boardSeat[int8](b, "target_mask", board, slices.Index(hexObserved(b), seat))
		from := int(rng.Below(uint64(len(plane))))
		for i := range plane {
			if at := (from + i) % len(plane); plane[at] != 0 {
				return int32(at)
			}
		}
	}
	h := m.Hexes[rng.Below(uint64(m.Cells))]
	return int32((h.R+width/2)*width + h.Q + width/2)
}

// boardSeat is what an array of shape [B, S, ..] says of one seat: at is its
// index on axis S.
func boardSeat[T obs.Elem](b *batch.Batch, name string, board, at int) []T {
	a := b.Array(name)
	n := 1
	for _, d := range a.Dims[2:] {
		n *= d
	}
	return obs.View[T](a)[(board*a.Dims[1]+at)*n:][:n]
}

// hexPlanes are the planes of one seat as numbers, [plane][row*W+column].
func hexPlanes(t testing.TB, b *batch.Batch, board, at int) [][]int {
	t.Helper()
	z := b.Sizes()
	size := z["H"] * z["W"]
	planes := make([][]int, formica.NumPlanes)
	for p := range planes {
		planes[p] = make([]int, size)
		for i := range planes[p] {
			n := p*size + i
			switch a := b.Array("planes"); a.DType {
			case obs.Uint8:
				planes[p][i] = int(boardSeat[uint8](b, "planes", board, at)[n])
			case obs.Float16:
				planes[p][i] = int(halfValue(t, boardSeat[uint16](b, "planes", board, at)[n]))
			case obs.Float32:
				v := boardSeat[float32](b, "planes", board, at)[n]
				if planes[p][i] = int(v); float32(planes[p][i]) != v {
					t.Fatalf("plane %d has %v at %d", p, v, i)
				}
			default:
				t.Fatalf("planes of %s", a.DType)
			}
		}
	}
	return planes
}

// halfValue is a 16-bit float that is a whole number.
func halfValue(t testing.TB, bits uint16) float64 {
	t.Helper()
	if bits == 0 {
		return 0
	}
	v := math.Ldexp(float64(bits&0x3FF|0x400), int(bits>>10&0x1F)-25)
	if bits>>15 != 0 || v != math.Trunc(v) {
		t.Fatalf("half float %#x is %v", bits, v)
	}
	return v
}
