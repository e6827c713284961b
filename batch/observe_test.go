// Every exported array against the reference: planes, lists and masks against
// the seat's view, what a step led to against the reference's frame.

package batch_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/obs"
)

// A watched board is a board of a batch, its reference, and what the arrays
// must say of its episode so far.
type watched struct {
	ref                              *antsref.Engine
	rewards                          []float64 // per seat, of the last step
	returns                          []float64
	gathered, kills, losses, destroy []int32
}

// TestObserve compares every array with the reference after the start, after
// arbitrary states and after random steps from there.
func TestObserve(t *testing.T) {
	rounds, steps := 3, 5
	if testing.Short() {
		rounds, steps = 1, 2
	}
	if long() {
		rounds, steps = 40, 20
	}
	for i, rules := range []string{
		"ladder", "contest2011", "codeclash", `{"name":"ladder","max_turns":1}`,
		`{"name":"ladder","view_radius2":9,"attack_radius2":17,"gather_radius2":5,"food_blocks":false}`,
	} {
		for round := range rounds {
			n := i*rounds + round
			c := batch.Config{
				Rules: rules, Boards: 7, Maps: mixedMaps(t), Arrays: everyArray, Workers: 2,
				Planes:  []obs.DType{obs.Bit, obs.Uint8, obs.Float16, obs.Float32}[n%4],
				Options: options(n%2 == 0, n%3 == 0), Rewards: everyReward, ZeroSum: n%4 == 1, Autoreset: batch.Disabled,
			}
			if n%2 == 1 {
				// No padding, and in one layout nothing that takes planes apart.
				c.Maps = c.Maps[n/2%len(c.Maps):][:1]
				c.Planes, c.Options = obs.DType(n/2%2)*obs.Uint8, options(n%2 == 0, false)
			}
			t.Run(fmt.Sprintf("%s-%d", rulesOf(t, rules).Name, n), func(t *testing.T) {
				b := newBatch(t, c)
				must(t, b.Reset(uint64(n)))
				b.Refresh()
				compareObserved(t, "after the reset", b, watchAll(t, b))
				scatter(t, b, uint64(n))
				all := watchAll(t, b)
				compareObserved(t, "after setting states", b, all)
				rng := env.RNG(n)
				for step := range steps {
					stepWatched(t, b, all, &rng)
					compareObserved(t, fmt.Sprintf("after step %d", step+1), b, all)
				}
			})
		}
	}
}

// watchAll makes references of all boards as they are.
func watchAll(t *testing.T, b *batch.Batch) []*watched {
	t.Helper()
	var all []*watched
	for i := range b.Config().Boards {
		seats := engineOf(b, i).Seats()
		all = append(all, &watched{
			ref: reference(t, b, i), rewards: make([]float64, seats), returns: make([]float64, seats),
			gathered: make([]int32, seats), kills: make([]int32, seats), losses: make([]int32, seats), destroy: make([]int32, seats),
		})
		s := stateOf(b, i)
		for seat := range seats {
			// Statistics that a state holds are not forgotten with it.
			all[i].gathered[seat], all[i].destroy[seat] = s.Seats[seat].Gathered, s.Seats[seat].Razed
		}
	}
	return all
}

// stepWatched plays the same random orders on the batch and the references,
// and works out from the references' frames what the step was worth.
func stepWatched(t *testing.T, b *batch.Batch, all []*watched, rng *env.RNG) {
	t.Helper()
	plane := make([]uint8, elements(t, b, "cell"))
	z := b.Sizes()
	for i, w := range all {
		orders := envtest.AntsOrders(envtest.Choices(rng.Next()), w.ref.State())
		v := watchedViews(w)
		for seat, list := range orders {
			shift := shiftOf(b, w.ref.Map(), seat)
			for j, cell := range v[seat].Mine {
				r, c := moved(w.ref.Map(), cell, shift)
				plane[((i*z["S"]+seat)*z["H"]+r)*z["W"]+c] = list[j]
			}
		}
		before := w.ref.Outcome()
		must(t, w.ref.Step(orders))
		w.judge(b.Config(), before)
	}
	must(t, b.Step(batch.Actions{Head: "cell", Uint8: plane}))
}

// judge works out rewards and statistics of a step by hand.
func (w *watched) judge(c batch.Config, before env.Outcome) {
	seats := w.ref.Seats()
	if before.Done {
		clear(w.rewards)
		return
	}
	f := w.ref.Frame()
	food, kills, losses := make([]int32, seats), make([]int32, seats), make([]int32, seats)
	for _, g := range f.Gathered {
		if g.Owner >= 0 {
			food[g.Owner]++
		}
	}
	for _, d := range f.Deaths {
		losses[d.Owner]++
		for seat := range seats {
			if slices.ContainsFunc(d.Killers, func(k ants.Spot) bool { return int(k.Owner) == seat }) {
				kills[seat]++
			}
		}
	}
	for _, r := range f.Razed {
		w.destroy[r.By]++
	}
	first := 0
	for _, rank := range f.Ranks {
		if rank == 1 {
			first++
		}
	}
	m := w.ref.Map()
	for seat := range seats {
		w.gathered[seat] += food[seat]
		w.kills[seat] += kills[seat]
		w.losses[seat] += losses[seat]
		x := everyReward["score"]*float64(f.Score[seat]-before.Scores[seat]) + everyReward["food"]*float64(food[seat]) +
			everyReward["kills"]*float64(kills[seat]) - everyReward["losses"]*float64(losses[seat]) +
			everyReward["explore"]*float64(len(f.Seen[seat]))/float64(m.Rows*m.Cols)
		if f.Done {
			if f.Ranks[seat] == 1 && first == 1 {
				x += everyReward["win"]
			}
			x += everyReward["rank"] * place(f.Ranks, seat)
		}
		w.rewards[seat] = x
	}
	if c.ZeroSum {
		plain := slices.Clone(w.rewards)
		for seat := range seats {
			others := 0.0
			for other, x := range plain {
				if other != seat {
					others += x / float64(seats-1)
				}
			}
			w.rewards[seat] = plain[seat] - others
		}
	}
	for seat := range seats {
		w.returns[seat] += w.rewards[seat]
	}
}

// place is 1 for the first of the ranks down to -1 for the last, in equal
// steps; seats that share a rank share the mean of their places.
func place(ranks []int32, seat int) float64 {
	sum, level := 0.0, 0
	ahead := int(ranks[seat]) - 1
	for _, r := range ranks {
		if r == ranks[seat] {
			sum += 1 - 2*float64(ahead+level)/float64(len(ranks)-1)
			level++
		}
	}
	return sum / float64(level)
}

// watchedViews are the reference's views of all seats.
func watchedViews(w *watched) []*ants.View {
	views := make([]*ants.View, w.ref.Seats())
	for seat := range views {
		views[seat] = w.ref.View(seat)
	}
	return views
}

// shiftOf is how a seat's arrays are moved: to bring its first hill to the
// middle, when the batch recentres.
func shiftOf(b *batch.Batch, m *ants.Map, seat int) ants.Shift {
	if b.Config().Options["recentre"] {
		for _, h := range m.Hills {
			if int(h.Owner) == seat {
				return ants.Shift{DR: m.Rows/2 - int(h.Cell)/m.Cols, DC: m.Cols/2 - int(h.Cell)%m.Cols}
			}
		}
	}
	return ants.Shift{}
}

// moved is where a cell of the board lies on the grid of a shifted seat.
func moved(m *ants.Map, cell int32, by ants.Shift) (r, c int) {
	return (int(cell)/m.Cols + by.DR + m.Rows) % m.Rows, (int(cell)%m.Cols + by.DC + m.Cols) % m.Cols
}

// compareObserved compares every array of the batch with the references.
func compareObserved(t *testing.T, when string, b *batch.Batch, all []*watched) {
	t.Helper()
	planes := planesOf(t, b)
	for i, w := range all {
		views := watchedViews(w)
		for seat := range b.Sizes()["S"] {
			what := fmt.Sprintf("%s: board %d (%s) seat %d", when, i, w.ref.Map().Name, seat)
			if seat >= len(views) {
				absent(t, what, b, planes, i, seat)
				continue
			}
			comparePlanes(t, what, b, planes, i, seat, views[seat], w.ref.Map())
			compareLists(t, what, b, i, seat, views[seat], w.ref.Map())
			compareSeat(t, what, b, i, seat, w)
		}
		compareBoard(t, fmt.Sprintf("%s: board %d (%s)", when, i, w.ref.Map().Name), b, i, w)
	}
}

// cellsOf are the cells that a plane marks, by a seat's view.
func cellsOf(name string, v *ants.View) []int32 {
	spots := func(spots []ants.Spot, owner func(uint8) bool) []int32 {
		var cells []int32
		for _, s := range spots {
			if owner(s.Owner) {
				cells = append(cells, s.Cell)
			}
		}
		return cells
	}
	marked := func(cells []bool) []int32 {
		var list []int32
		for cell, in := range cells {
			if in {
				list = append(list, int32(cell))
			}
		}
		return list
	}
	other := func(owner uint8) bool { return owner != 0 }
	switch name {
	case "mine":
		return v.Mine
	case "foes":
		return spots(v.Foes, other)
	case "food":
		return v.Food
	case "own_hills":
		return spots(v.Hills, func(owner uint8) bool { return owner == 0 })
	case "enemy_hills":
		return spots(v.Hills, other)
	case "known_water":
		return marked(v.Water)
	case "visible":
		return marked(v.Visible)
	case "pad":
		return nil
	}
	var relative uint8
	if n, err := fmt.Sscanf(name, "foes_%d", &relative); n != 1 || err != nil {
		panic("no plane " + name)
	}
	return spots(v.Foes, func(owner uint8) bool { return owner == relative })
}

func comparePlanes(t *testing.T, what string, b *batch.Batch, p planesArray, board, seat int, v *ants.View, m *ants.Map) {
	t.Helper()
	shift := shiftOf(b, m, seat)
	want := make([]int, p.h*p.w)
	for plane, name := range p.names {
		for i := range want {
			want[i] = 0
			if name == "pad" && (i/p.w >= m.Rows || i%p.w >= m.Cols) {
				want[i] = 1
			}
		}
		for _, cell := range cellsOf(name, v) {
			r, c := moved(m, cell, shift)
			want[r*p.w+c] = 1
		}
		p.compare(t, what, board, seat, plane, want)
	}
}

// compare compares a plane with the values of all cells of the grid.
func (p planesArray) compare(t *testing.T, what string, board, seat, plane int, want []int) {
	t.Helper()
	for i, x := range want {
		if got := p.at(board, seat, plane, i/p.w, i%p.w); got != x {
			t.Fatalf("%s: plane %s is %d at row %d column %d, want %d", what, p.names[plane], got, i/p.w, i%p.w, x)
		}
	}
	for r := range p.h {
		if !p.tail(board, seat, plane, r) {
			t.Fatalf("%s: plane %s has bits past the columns of row %d", what, p.names[plane], r)
		}
	}
}

func compareLists(t *testing.T, what string, b *batch.Batch, board, seat int, v *ants.View, m *ants.Map) {
	t.Helper()
	z := b.Sizes()
	shift := shiftOf(b, m, seat)
	type ant struct {
		cell int32
		mask [ants.NumActions]bool
	}
	var want []ant
	for i, mask := range v.AntMask() {
		r, c := moved(m, v.Mine[i], shift)
		want = append(want, ant{int32(r*z["W"] + c), mask})
	}
	slices.SortFunc(want, func(a, b ant) int { return int(a.cell - b.cell) })
	offsets := view[int64](t, b, "ant_offsets")
	lo, hi := offsets[board*z["S"]+seat], offsets[board*z["S"]+seat+1]
	if int(hi-lo) != len(want) {
		t.Fatalf("%s: %d ants listed, want %d", what, hi-lo, len(want))
	}
	if cells := view[int32](t, b, "ant_cells"); hi > lo {
		for i, cell := range cells[lo:hi] {
			if cell != want[i].cell {
				t.Fatalf("%s: ant %d is listed on cell %d, want %d", what, i, cell, want[i].cell)
			}
		}
	}
	cellMask := view[int8](t, b, "cell_mask")
	grid := z["H"] * z["W"]
	cellMask = cellMask[(board*z["S"]+seat)*5*grid:][:5*grid]
	onGrid := make([][ants.NumActions]bool, grid)
	for i := range onGrid {
		onGrid[i][ants.Stay] = true
	}
	for cell, mask := range v.CellMask() {
		r, c := moved(m, int32(cell), shift)
		onGrid[r*z["W"]+c] = mask
	}
	for i, mask := range onGrid {
		for a, allowed := range mask {
			if got := cellMask[a*grid+i]; got != flag(allowed) {
				t.Fatalf("%s: cell_mask of action %d is %d at cell %d, want %d", what, a, got, i, flag(allowed))
			}
		}
	}
	masks := view[int8](t, b, "ant_mask")
	for i := range want {
		for a, allowed := range want[i].mask {
			if got := masks[(int(lo)+i)*5+a]; got != flag(allowed) {
				t.Fatalf("%s: ant_mask of ant %d action %d is %d, want %d", what, i, a, got, flag(allowed))
			}
		}
	}
}

func flag(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// compareSeat compares the arrays over boards and observed seats.
func compareSeat(t *testing.T, what string, b *batch.Batch, board, seat int, w *watched) {
	t.Helper()
	at := board*b.Sizes()["S"] + seat
	for _, c := range []struct {
		name string
		want float64
	}{{"reward", w.rewards[seat]}, {"episode_return", w.returns[seat]}} {
		if got := float64(view[float32](t, b, c.name)[at]); math.Abs(got-c.want) > 1e-4*(1+math.Abs(c.want)) {
			t.Fatalf("%s: %s is %v, want %v", what, c.name, got, c.want)
		}
	}
	o := w.ref.Outcome()
	eliminated := len(w.ref.View(seat).Mine) == 0
	same(t, what+": terminated", view[bool](t, b, "terminated")[at], eliminated || o.Done && !o.Truncated)
	same(t, what+": truncated", view[bool](t, b, "truncated")[at], o.Truncated)
}

// compareBoard compares the arrays over boards and all seats.
func compareBoard(t *testing.T, what string, b *batch.Batch, board int, w *watched) {
	t.Helper()
	o := w.ref.Outcome()
	state := w.ref.State()
	same(t, what+": done", view[bool](t, b, "done")[board], o.Done)
	same(t, what+": turn", view[int32](t, b, "turn")[board], int32(o.Steps))
	same(t, what+": reason", view[uint8](t, b, "reason")[board], state.Ending)
	if o.Done {
		same(t, what+": reason's name", w.ref.Rules().Endings[state.Ending-1].Reason, o.Reason)
	}
	seats := b.Sizes()["P"]
	for seat := range seats {
		var score, rank, count, gathered, kills, losses, razed int32
		if seat < w.ref.Seats() {
			score, rank, count = o.Scores[seat], o.Ranks[seat], int32(len(state.Ants[seat]))
			gathered, kills, losses, razed = w.gathered[seat], w.kills[seat], w.losses[seat], w.destroy[seat]
		}
		for _, c := range []struct {
			name string
			want int32
		}{
			{"score", score}, {"rank", rank}, {"ant_count", count}, {"episode_gathered", gathered},
			{"episode_kills", kills}, {"episode_losses", losses}, {"episode_razed", razed},
		} {
			same(t, fmt.Sprintf("%s: %s of seat %d", what, c.name, seat), view[int32](t, b, c.name)[board*seats+seat], c.want)
		}
	}
}

// absent checks the observation of a seat that the board does not have.
func absent(t *testing.T, what string, b *batch.Batch, p planesArray, board, seat int) {
	t.Helper()
	for plane, name := range p.names {
		want := make([]int, p.h*p.w)
		for i := range want {
			if name == "pad" {
				want[i] = 1
			}
		}
		p.compare(t, what, board, seat, plane, want)
	}
	z := b.Sizes()
	at := board*z["S"] + seat
	offsets := view[int64](t, b, "ant_offsets")
	same(t, what+": ants", offsets[at+1]-offsets[at], 0)
	grid := z["H"] * z["W"]
	for i, x := range view[int8](t, b, "cell_mask")[at*5*grid:][:5*grid] {
		if x != flag(i/grid == int(ants.Stay)) {
			t.Fatalf("%s: cell_mask is %d at element %d", what, x, i)
		}
	}
	same(t, what+": terminated", view[bool](t, b, "terminated")[at], true)
	same(t, what+": truncated", view[bool](t, b, "truncated")[at], false)
	same(t, what+": reward", view[float32](t, b, "reward")[at], 0)
	same(t, what+": episode_return", view[float32](t, b, "episode_return")[at], 0)
}

// same fails the test where two values differ.
func same[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}
