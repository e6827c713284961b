// The heads: what they make ants do, and what they refuse.

package batch_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// given is what every ant of a batch is told: orders[board][seat], in the
// board's own row-major order.
type given [][][]byte

// onAnts are the actions as the ant head takes them.
func (g given) onAnts(t *testing.T, b *batch.Batch) []uint8 {
	t.Helper()
	list := make([]uint8, listed(t, b))
	g.each(t, b, func(listed, _ int, action uint8) { list[listed] = action })
	return list
}

// onCells are the actions as the cell head takes them; cells without an own
// ant hold filler.
func (g given) onCells(t *testing.T, b *batch.Batch, filler uint8) []uint8 {
	t.Helper()
	plane := slices.Repeat([]uint8{filler}, elements(t, b, "cell"))
	g.each(t, b, func(_, cell int, action uint8) { plane[cell] = action })
	return plane
}

// each visits every ant of observed seats with its place in the lists and on
// the grid, as the cell head counts cells.
func (g given) each(t *testing.T, b *batch.Batch, visit func(listed, cell int, action uint8)) {
	t.Helper()
	z := b.Sizes()
	offsets, cells := view[int64](t, b, "ant_offsets"), view[int32](t, b, "ant_cells")
	for board, orders := range g {
		state := stateOf(b, board)
		m := engineOf(b, board).Map()
		for seat, list := range orders {
			at := board*z["S"] + seat
			own := cells[offsets[at]:offsets[at+1]]
			shift := shiftOf(b, m, seat)
			for i, cell := range state.Ants[seat] {
				r, c := moved(m, cell, shift)
				j, found := slices.BinarySearch(own, int32(r*z["W"]+c))
				if !found {
					t.Fatalf("board %d seat %d: the ant on cell %d is not listed", board, seat, cell)
				}
				visit(int(offsets[at])+j, at*z["H"]*z["W"]+int(own[j]), list[i])
			}
		}
	}
}

// TestHeadsAgree tells ants the same through each head: the orders played and
// the boards must be the same.
func TestHeadsAgree(t *testing.T) {
	steps := 20
	if testing.Short() {
		steps = 6
	}
	for _, recentre := range []bool{false, true} {
		t.Run(fmt.Sprintf("recentre=%v", recentre), func(t *testing.T) {
			c := batch.Config{Rules: "ladder", Boards: 9, Maps: mixedMaps(t), Options: options(false, recentre), Workers: 2, Autoreset: batch.Disabled}
			ways := []string{"ant", "cell", "ant_logits", "cell_logits", "ant held", "cell held"}
			batches, played := make([]*batch.Batch, len(ways)), make([]recorder, len(ways))
			for i := range ways {
				played[i] = newRecorder(c.Boards)
				c.Recorder, c.HoldBad = played[i], i >= 4
				batches[i] = newBatch(t, c)
				must(t, batches[i].Reset(3))
				scatter(t, batches[i], 12)
			}
			rng := env.RNG(4)
			for step := range steps {
				g := legal(t, batches[0], &rng)
				for i, b := range batches {
					must(t, b.Step(g.through(t, b, ways[i])))
					for board := range c.Boards {
						if fmt.Sprint(played[i][board]) != fmt.Sprint(played[0][board]) {
							t.Fatalf("step %d, %s: board %d played %v, want %v", step, ways[i], board, played[i][board], played[0][board])
						}
						if b.Hash(board) != batches[0].Hash(board) {
							t.Fatalf("step %d, %s: board %d has another state than with %s", step, ways[i], board, ways[0])
						}
						if !stateIsOver(b, board) && fmt.Sprint(played[i][board]) != fmt.Sprint(g[board]) {
							t.Fatalf("step %d, %s: board %d played %v, was told %v", step, ways[i], board, played[i][board], g[board])
						}
					}
				}
			}
		})
	}
}

// stateIsOver tells whether what a board was told does not show in what it
// played: its episode was over, or a seat is out.
func stateIsOver(b *batch.Batch, board int) bool {
	s := stateOf(b, board)
	return b.Done(board) || slices.ContainsFunc(s.Seats, func(s ants.Seat) bool { return s.Out })
}

// legal draws actions that no ant's mask forbids, so that masked heads follow
// them too.
func legal(t *testing.T, b *batch.Batch, rng *env.RNG) given {
	t.Helper()
	g := make(given, b.Config().Boards)
	for board := range g {
		ref := reference(t, b, board)
		for seat := range ref.Seats() {
			masks := ref.View(seat).AntMask()
			list := make([]byte, len(masks))
			for i, mask := range masks {
				for list[i] = byte(rng.Below(5)); !mask[list[i]]; {
					list[i] = byte(rng.Below(5))
				}
			}
			g[board] = append(g[board], list)
		}
	}
	return g
}

// through gives the actions through a head. Heads that hold bad actions are
// given 200 in place of Stay.
func (g given) through(t *testing.T, b *batch.Batch, way string) batch.Actions {
	t.Helper()
	hot := func(v uint8, logits []float32, at, step int) {
		for a := range int(ants.NumActions) {
			logits[at+a*step] = -float32(a)
		}
		logits[at+int(v)*step] = 1
	}
	held := func(list []uint8) []uint8 {
		for i := range list {
			if list[i] == ants.Stay {
				list[i] = 200
			}
		}
		return list
	}
	switch way {
	case "ant":
		return batch.Actions{Head: "ant", Uint8: g.onAnts(t, b)}
	case "cell":
		return batch.Actions{Head: "cell", Uint8: g.onCells(t, b, 77)}
	case "ant held":
		return batch.Actions{Head: "ant", Uint8: held(g.onAnts(t, b))}
	case "cell held":
		return batch.Actions{Head: "cell", Uint8: held(g.onCells(t, b, 5))}
	case "ant_logits":
		logits := make([]float32, elements(t, b, "ant_logits"))
		g.each(t, b, func(i, _ int, v uint8) { hot(v, logits, 5*i, 1) })
		return batch.Actions{Head: way, Float32: logits}
	}
	z := b.Sizes()
	grid := z["H"] * z["W"]
	logits := make([]float32, elements(t, b, "cell_logits"))
	g.each(t, b, func(_, cell int, v uint8) { hot(v, logits, cell/grid*5*grid+cell%grid, grid) })
	return batch.Actions{Head: "cell_logits", Float32: logits}
}

// TestLogits compares the orders that logits lead to, with ties, NaNs and
// infinities among them, with the readable argmax.
func TestLogits(t *testing.T) {
	steps := 12
	if testing.Short() {
		steps = 4
	}
	for _, head := range []string{"ant_logits", "cell_logits"} {
		for _, rules := range ants.RuleSetNames() {
			t.Run(head+"-"+rules, func(t *testing.T) {
				played := newRecorder(9)
				b := newBatch(t, batch.Config{Rules: rules, Boards: 9, Maps: mixedMaps(t), Workers: 2, Recorder: played})
				must(t, b.Reset(3))
				scatter(t, b, 7)
				rng := env.RNG(6)
				for step := range steps {
					a := randomActions(t, b, head, &rng)
					want := make(map[int]string)
					for board := range 9 {
						if !b.Done(board) && !stateIsOver(b, board) {
							want[board] = fmt.Sprint(argmaxes(t, b, a, board))
						}
					}
					must(t, b.Step(a))
					for board, orders := range want {
						if got := fmt.Sprint(played[board]); got != orders {
							t.Fatalf("step %d: board %d played %v, want %v", step, board, got, orders)
						}
					}
				}
			})
		}
	}
}

// argmaxes are a board's orders by the readable heads.
func argmaxes(t *testing.T, b *batch.Batch, a batch.Actions, board int) [][]byte {
	t.Helper()
	z := b.Sizes()
	ref := reference(t, b, board)
	offsets := view[int64](t, b, "ant_offsets")
	orders := [][]byte{}
	for seat := range ref.Seats() {
		v := ref.View(seat)
		at := board*z["S"] + seat
		if a.Head == "ant_logits" {
			rows := make([][ants.NumActions]float32, len(v.Mine))
			for i := range rows {
				copy(rows[i][:], a.Float32[5*(int(offsets[at])+i):])
			}
			orders = append(orders, ants.AntHead(rows, v.AntMask()))
			continue
		}
		// The board without its padding.
		grid := z["H"] * z["W"]
		var crop []float32
		for action := range 5 {
			for r := range v.Rows {
				row := at*5*grid + action*grid + r*z["W"]
				crop = append(crop, a.Float32[row:row+v.Cols]...)
			}
		}
		orders = append(orders, v.CellHead(crop, v.CellMask()))
	}
	return orders
}

// surrounded is a board of one ant a seat, the first with water to its north
// and west.
func surrounded() *ants.Map {
	m := &ants.Map{Name: "surrounded", Rows: 9, Cols: 9, Players: 2, Water: make([]bool, 81),
		Hills: []ants.Spot{{Cell: 20, Owner: 0}, {Cell: 60, Owner: 1}}}
	m.Water[20-9], m.Water[20-1] = true, true
	return m
}

// TestSampling draws many actions from the same logits: what is masked never
// comes, the rest comes about as often as the softmax says, and the draw
// depends on the seed.
func TestSampling(t *testing.T) {
	played := newRecorder(1)
	b := newBatch(t, batch.Config{Rules: `{"name":"ladder","food":"none"}`, Boards: 1, Maps: []env.Map{surrounded()}, Workers: 1, Recorder: played})
	must(t, b.Reset(1))
	must(t, b.Mark())
	draw := func(logits [5]float32, temperature float32, seed uint64) uint8 {
		must(t, b.Rewind())
		a := batch.Actions{Head: "ant_logits", Float32: slices.Concat(logits[:], make([]float32, 5)), Sample: true, Seed: seed, Temperature: temperature}
		must(t, b.Step(a))
		return played[0][0][0]
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name        string
		logits      [5]float32
		temperature float32
		want        [5]float64 // weights
	}{
		{"plain", [5]float32{9, 1, 0, 9, 0.5}, 1, [5]float64{0, math.Exp(1), 1, 0, math.Exp(0.5)}},
		{"zero is one", [5]float32{0, 1, 0, 0, 0}, 0, [5]float64{0, math.E, 1, 0, 1}},
		{"cold", [5]float32{0, 1, 0.5, 0, 0.75}, 0.25, [5]float64{0, math.Exp(4), math.Exp(2), 0, math.Exp(3)}},
		{"hot", [5]float32{0, 1, -1, 0, 0}, 1e9, [5]float64{0, 1, 1, 0, 1}},
		{"NaN", [5]float32{0, nan, 0, nan, 0}, 1, [5]float64{0, 0, 1, 0, 1}},
		{"minus infinity", [5]float32{0, -inf, 0, 0, -inf}, 1, [5]float64{0, 0, 1, 0, 0}},
		{"infinity", [5]float32{inf, 0, inf, inf, 3}, 1, [5]float64{0, 0, 1, 0, 0}},
		{"nothing left", [5]float32{3, nan, nan, 3, nan}, 1, [5]float64{0, 0, 0, 0, 1}},
		{"far below", [5]float32{0, 1e30, -1e30, 0, -1e30}, 1e-30, [5]float64{0, 1, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const draws = 2000
			var count [5]int
			for seed := range uint64(draws) {
				v := draw(c.logits, c.temperature, seed)
				count[v]++
				if seed < 20 && draw(c.logits, c.temperature, seed) != v {
					t.Fatalf("seed %d draws another action the second time", seed)
				}
			}
			sum := 0.0
			for _, w := range c.want {
				sum += w
			}
			for action, w := range c.want {
				p := w / sum
				// Five standard deviations.
				if slack := 5 * math.Sqrt(p*(1-p)*draws); math.Abs(float64(count[action])-p*draws) > slack {
					t.Errorf("action %d drawn %d times of %d, want about %.0f", action, count[action], draws, p*draws)
				}
			}
		})
	}
}

// TestSamplingStreams: boards, seats and turns draw from streams of their own.
func TestSamplingStreams(t *testing.T) {
	played := newRecorder(8)
	b := newBatch(t, batch.Config{Rules: `{"name":"ladder","food":"none"}`, Boards: 8, Maps: []env.Map{surrounded()}, Workers: 2, Recorder: played})
	must(t, b.Reset(1))
	var seen [8][2][]byte
	for range 24 {
		a := batch.Actions{Head: "ant_logits", Float32: make([]float32, 5*listed(t, b)), Sample: true, Seed: 5}
		for i := range a.Float32 {
			if i%5 != int(ants.Stay) && i%5 != int(ants.East) {
				a.Float32[i] = float32(math.Inf(-1))
			}
		}
		must(t, b.Step(a))
		for board := range seen {
			for seat := range seen[board] {
				seen[board][seat] = append(seen[board][seat], played[board][seat]...)
			}
		}
	}
	unique := map[string]bool{}
	for _, seats := range seen {
		for _, list := range seats {
			unique[string(list)] = true
			if !slices.Contains(list, ants.East) || !slices.Contains(list, ants.Stay) {
				t.Errorf("a coin fell the same way at each of %d turns", len(list))
			}
		}
	}
	if len(unique) != 16 {
		t.Errorf("%d different histories of 16 coins", len(unique))
	}
}

// refused steps with actions that must be refused, and checks that nothing
// changed: not the boards, not the arrays.
func refused(t *testing.T, b *batch.Batch, a batch.Actions, want error, words ...string) {
	t.Helper()
	all := boards(b.Config().Boards)
	before, err := b.Snapshot(all)
	must(t, err)
	arrays := map[string]string{}
	for _, name := range b.Names() {
		arrays[name] = string(b.Array(name).Data)
	}
	err = b.Step(a)
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not say %q", err, word)
		}
	}
	after, err := b.Snapshot(all)
	must(t, err)
	if firstDifference(after, before) >= 0 {
		t.Error("a refused step changed a board")
	}
	for _, name := range b.Names() {
		if string(b.Array(name).Data) != arrays[name] {
			t.Errorf("a refused step changed array %s", name)
		}
	}
}

// TestInvalidAction gives one ant of one seat of one board an action that does
// not exist.
func TestInvalidAction(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, recentre := range []bool{false, true} {
			b := newBatch(t, batch.Config{Rules: "ladder", Boards: 9, Maps: mixedMaps(t), Arrays: everyArray, Workers: workers, Options: options(false, recentre)})
			must(t, b.Reset(3))
			scatter(t, b, 12)
			rng := env.RNG(4)
			must(t, b.Step(legal(t, b, &rng).through(t, b, "ant")))
			g := legal(t, b, &rng)
			for board, orders := range g {
				if b.Done(board) {
					continue
				}
				for seat, list := range orders {
					if len(list) == 0 {
						continue
					}
					i := int(rng.Below(uint64(len(list))))
					was := list[i]
					list[i] = byte(5 + rng.Below(251))
					words := []string{fmt.Sprintf("board %d ", board), fmt.Sprintf("seat %d ", seat), fmt.Sprintf("action %d", list[i])}
					if !recentre {
						words = append(words, fmt.Sprintf("ant %d:", i))
					}
					refused(t, b, g.through(t, b, "ant"), env.ErrOrders, words...)
					refused(t, b, g.through(t, b, "cell"), env.ErrOrders, words...)
					list[i] = was
				}
			}
			must(t, b.Step(g.through(t, b, "ant")))
		}
	}
}

// TestInvalidFirst: of several invalid actions the first board's is reported,
// for any number of workers.
func TestInvalidFirst(t *testing.T) {
	for _, workers := range crews {
		b := newBatch(t, batch.Config{Boards: 20, Maps: mixedMaps(t), Workers: workers})
		must(t, b.Reset(3))
		acts := make([]uint8, listed(t, b))
		offsets := view[int64](t, b, "ant_offsets")
		first := int(offsets[7*b.Sizes()["S"]])
		for i := first; i < len(acts); i++ {
			acts[i] = 9
		}
		refused(t, b, batch.Actions{Head: "ant", Uint8: acts}, env.ErrOrders, "board 7 ")
	}
}

// TestIgnoredActions: actions of boards that are reset instead of played may
// be anything.
func TestIgnoredActions(t *testing.T) {
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.Disabled} {
		for _, head := range []string{"ant", "cell"} {
			b := newBatch(t, batch.Config{Rules: `{"name":"ladder","max_turns":1}`, Boards: 4, Maps: mixedMaps(t), Autoreset: mode})
			must(t, b.Reset(3))
			must(t, b.Step(batch.Actions{Head: head, Uint8: make([]uint8, elements(t, b, head))}))
			for i := range 4 {
				same(t, "done", b.Done(i), true)
			}
			must(t, b.Step(batch.Actions{Head: head, Uint8: slices.Repeat([]uint8{255}, elements(t, b, head))}))
		}
	}
}

// TestWrongInput: wrong lengths, heads and moments.
func TestWrongInput(t *testing.T) {
	b := newBatch(t, batch.Config{Boards: 6, Maps: mixedMaps(t), Arrays: everyArray, Workers: 2})
	if err := b.Step(batch.Actions{Head: "ant"}); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("a step before the reset gave %v", err)
	}
	must(t, b.Reset(1))
	for _, head := range []string{"ant", "cell", "ant_logits", "cell_logits"} {
		n := elements(t, b, head)
		for _, wrong := range []int{0, n - 1, n + 1, 2 * n} {
			a := batch.Actions{Head: head, Uint8: make([]uint8, wrong)}
			if strings.Contains(head, "logits") {
				a = batch.Actions{Head: head, Float32: make([]float32, wrong)}
			}
			refused(t, b, a, env.ErrOrders, head, fmt.Sprint(n), fmt.Sprint(wrong))
		}
		// The right number of elements of the wrong type.
		a := batch.Actions{Head: head, Uint8: make([]uint8, n)}
		if !strings.Contains(head, "logits") {
			a = batch.Actions{Head: head, Float32: make([]float32, n)}
		}
		refused(t, b, a, env.ErrOrders, head)
	}
	refused(t, b, batch.Actions{Head: "tail", Uint8: []uint8{1}}, env.ErrOrders, "tail", "cell_logits")
	refused(t, b, batch.Actions{}, env.ErrOrders)
	must(t, b.Step(batch.Actions{Head: "ant", Uint8: make([]uint8, elements(t, b, "ant"))}))

	b.Close()
	if err := b.Step(batch.Actions{Head: "ant"}); !errors.Is(err, batch.ErrClosed) {
		t.Errorf("a step after Close gave %v", err)
	}
	for what, err := range map[string]error{
		"Reset": b.Reset(1), "ResetBoards": b.ResetBoards([]int{0}, nil), "Mark": b.Mark(), "Rewind": b.Rewind(),
		"Clone": b.Clone([]int{0}, []int{1}), "Restore": b.Restore(nil, nil),
	} {
		if !errors.Is(err, batch.ErrClosed) {
			t.Errorf("%s after Close gave %v", what, err)
		}
	}
	b.Close()
	same(t, "turn after Close", view[int32](t, b, "turn")[0], 1)
}
