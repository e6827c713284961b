// What must not matter to a game, or only move what is seen of it: where the
// torus is cut open, what the seats are called, how arrays are laid out.

package batch_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/obs"
)

// A sight is what the arrays show one seat, in the board's own cells: without
// padding, and with a shift to the own hill undone.
type sight struct {
	Planes                map[string][]int32 // marked cells, ascending
	Ants                  []antSight         // by cell
	Reward, Return        float32
	Terminated, Truncated bool
}

type antSight struct {
	Cell       int32
	Mask       [ants.NumActions]int8
	OnCellMask [ants.NumActions]int8
}

// sightOf reads the arrays. The pad plane is left out.
func sightOf(t *testing.T, b *batch.Batch, board, seat int) sight {
	t.Helper()
	m := engineOf(b, board).Map()
	z := b.Sizes()
	shift := shiftOf(b, m, seat)
	own := func(r, c int) int32 {
		return int32((r-shift.DR+m.Rows)%m.Rows*m.Cols + (c-shift.DC+m.Cols)%m.Cols)
	}
	at := board*z["S"] + seat
	s := sight{
		Planes: map[string][]int32{}, Reward: view[float32](t, b, "reward")[at], Return: view[float32](t, b, "episode_return")[at],
		Terminated: view[bool](t, b, "terminated")[at], Truncated: view[bool](t, b, "truncated")[at],
	}
	planes := planesOf(t, b)
	for plane, name := range planes.names {
		cells := []int32{}
		for r := range planes.h {
			for c := range planes.w {
				switch marked := planes.at(board, seat, plane, r, c) != 0; {
				case marked && name != "pad" && (r >= m.Rows || c >= m.Cols):
					t.Fatalf("plane %s marks row %d column %d outside the board", name, r, c)
				case marked:
					cells = append(cells, own(r, c))
				}
			}
		}
		if name != "pad" {
			slices.Sort(cells)
			s.Planes[name] = cells
		}
	}
	offsets, masks, cellMask := view[int64](t, b, "ant_offsets"), view[int8](t, b, "ant_mask"), view[int8](t, b, "cell_mask")
	grid := z["H"] * z["W"]
	for i := offsets[at]; i < offsets[at+1]; i++ {
		cell := int(view[int32](t, b, "ant_cells")[i])
		a := antSight{Cell: own(cell/z["W"], cell%z["W"])}
		for action := range a.Mask {
			a.Mask[action] = masks[5*int(i)+action]
			a.OnCellMask[action] = cellMask[(at*5+action)*grid+cell]
		}
		s.Ants = append(s.Ants, a)
	}
	s.sort()
	return s
}

func (s *sight) sort() {
	slices.SortFunc(s.Ants, func(a, b antSight) int { return int(a.Cell - b.Cell) })
}

// mapped is the sight with every cell replaced.
func (s sight) mapped(to func(int32) int32) sight {
	planes := map[string][]int32{}
	for name, cells := range s.Planes {
		planes[name] = mappedCells(cells, to)
	}
	s.Planes = planes
	s.Ants = slices.Clone(s.Ants)
	for i := range s.Ants {
		s.Ants[i].Cell = to(s.Ants[i].Cell)
	}
	s.sort()
	return s
}

func mappedCells(cells []int32, to func(int32) int32) []int32 {
	list := make([]int32, len(cells))
	for i, cell := range cells {
		list[i] = to(cell)
	}
	slices.Sort(list)
	return list
}

// mappedMap is a map with every cell moved; to must be a translation.
func mappedMap(m *ants.Map, to func(int32) int32) *ants.Map {
	n := &ants.Map{Name: m.Name, Rows: m.Rows, Cols: m.Cols, Players: m.Players, Water: make([]bool, len(m.Water)),
		Food: mappedCells(m.Food, to), Symmetry: m.Symmetry, FoodTarget: m.FoodTarget}
	for cell, wet := range m.Water {
		n.Water[to(int32(cell))] = wet
	}
	for _, h := range m.Hills {
		n.Hills = append(n.Hills, ants.Spot{Cell: to(h.Cell), Owner: h.Owner})
	}
	return n
}

// mappedState is a state with every cell moved.
func mappedState(s *ants.State, to func(int32) int32) *ants.State {
	s = s.Clone()
	for seat := range s.Ants {
		s.Ants[seat] = mappedCells(s.Ants[seat], to)
		known := make([]uint64, len(s.Seats[seat].Known))
		for w, word := range s.Seats[seat].Known {
			for bit := range 64 {
				if word>>bit&1 != 0 {
					cell := to(int32(64*w + bit))
					known[cell/64] |= 1 << (cell % 64)
				}
			}
		}
		s.Seats[seat].Known = known
	}
	s.Food = mappedCells(s.Food, to)
	for i := range s.Hills {
		s.Hills[i].Cell = to(s.Hills[i].Cell)
	}
	return s
}

// translation moves the cells of a map.
func translation(m *ants.Map, dr, dc int) func(int32) int32 {
	return func(cell int32) int32 {
		return int32((int(cell)/m.Cols+dr)%m.Rows*m.Cols + (int(cell)%m.Cols+dc)%m.Cols)
	}
}

// symmetricRules are rule sets that no cell and no seat is special to: food
// comes from a script, and hill ties by the map's order.
func symmetricRules(t *testing.T) []string {
	t.Helper()
	var texts []string
	for _, name := range ants.RuleSetNames() {
		r := rulesOf(t, name)
		r.Food, r.HillTie, r.MaxTurns, r.CutoffTurns = ants.FoodScripted, ants.TieListed, 12, 4
		texts = append(texts, r.JSON())
	}
	return texts
}

// orderedAt draws orders for all ants, by the cells that they stand on.
func orderedAt(s *ants.State, seed uint64) map[int32]uint8 {
	orders := map[int32]uint8{}
	for seat, list := range envtest.AntsOrders(envtest.Choices(seed), s) {
		for i, cell := range s.Ants[seat] {
			orders[cell] = list[i]
		}
	}
	return orders
}

// ordersOf reads orders by cell into orders by seat and ant.
func ordersOf(s *ants.State, at map[int32]uint8, from func(int32) int32) [][]byte {
	orders := make([][]byte, len(s.Ants))
	for seat, cells := range s.Ants {
		for _, cell := range cells {
			orders[seat] = append(orders[seat], at[from(cell)])
		}
	}
	return orders
}

// rounds is how many boards the tests of this file draw.
func rounds() int {
	switch {
	case long():
		return 600
	case testing.Short():
		return 8
	}
	return 45
}

// TestTranslation cuts the torus open elsewhere: all that happens and is seen
// moves along, and what is seen from the own hill does not change at all.
func TestTranslation(t *testing.T) {
	rules := symmetricRules(t)
	for round := range rounds() {
		choose := envtest.Choices(uint64(1000 + round))
		m := envtest.AntsMap(choose)
		dr, dc := choose(m.Rows), choose(m.Cols)
		to, back := translation(m, dr, dc), translation(m, m.Rows-dr, m.Cols-dc)
		homes := map[uint8]bool{}
		for _, h := range m.Hills {
			homes[h.Owner] = true
		}
		c := batch.Config{
			Rules: rules[round%3], Boards: 2, Maps: []env.Map{m, mappedMap(m, to)}, Arrays: everyArray, Workers: 1,
			Rewards: everyReward, Options: options(round%4 < 2, round%2 == 0), Autoreset: batch.Disabled,
		}
		t.Run(fmt.Sprintf("%d-%dx%d-by-%d,%d", round, m.Rows, m.Cols, dr, dc), func(t *testing.T) {
			b := newBatch(t, c)
			must(t, b.Reset(1))
			start := envtest.AntsState(choose, rulesOf(t, c.Rules), m)
			must(t, engineOf(b, 0).SetState(start.Append(nil)))
			must(t, engineOf(b, 1).SetState(mappedState(start, to).Append(nil)))
			b.Refresh()
			for step := range 7 {
				what := fmt.Sprintf("step %d", step)
				if diff := cmp.Diff(mappedState(stateOf(b, 0), to), stateOf(b, 1)); diff != "" {
					t.Fatalf("%s: states (-moved +played):\n%s", what, diff)
				}
				for seat := range m.Players {
					if diff := cmp.Diff(sightOf(t, b, 0, seat).mapped(to), sightOf(t, b, 1, seat)); diff != "" {
						t.Fatalf("%s: sights of seat %d (-moved +played):\n%s", what, seat, diff)
					}
				}
				for _, name := range everyArray {
					if told(b.Array(name)) || c.Options["recentre"] && len(homes) == m.Players {
						sameBoard(t, what, name, boardBytes(t, b, b.Array(name), 1), boardBytes(t, b, b.Array(name), 0))
					}
				}
				at := orderedAt(stateOf(b, 0), uint64(choose(1<<30)))
				food := []int32{int32(choose(m.Rows * m.Cols)), int32(choose(m.Rows * m.Cols))}
				engineOf(b, 0).Script(food, nil)
				engineOf(b, 1).Script([]int32{to(food[0]), to(food[1])}, nil)
				g := given{
					ordersOf(stateOf(b, 0), at, func(cell int32) int32 { return cell }),
					ordersOf(stateOf(b, 1), at, back),
				}
				must(t, b.Step(g.through(t, b, []string{"ant", "cell"}[step%2])))
			}
		})
	}
}

// TestRelabelling gives the seats other numbers: nothing changes but whose
// numbers are whose, and what a seat sees of itself and the others stays, byte
// for byte. Numbers of relative owners stay where the seats are rotated.
func TestRelabelling(t *testing.T) {
	rules := symmetricRules(t)
	for round := range rounds() {
		choose := envtest.Choices(uint64(2000 + round))
		m := envtest.AntsMap(choose)
		n := m.Players
		rotate := round%2 == 0
		label := make([]int, n)
		for seat, by := range shuffled(choose, n) {
			label[seat] = by
		}
		if rotate {
			by := 1 + choose(n-1)
			for seat := range label {
				label[seat] = (seat + by) % n
			}
		}
		m.Symmetry = nil // which would fix whose hill is listed when
		other := mappedMap(m, func(cell int32) int32 { return cell })
		for i, h := range other.Hills {
			other.Hills[i].Owner = uint8(label[h.Owner])
		}
		c := batch.Config{
			Rules: rules[round%3], Boards: 2, Maps: []env.Map{m, other}, Arrays: everyArray, Workers: 1,
			Rewards: everyReward, Options: options(rotate, round%3 == 0), Autoreset: batch.Disabled,
		}
		t.Run(fmt.Sprintf("%d-%dx%d-%v", round, m.Rows, m.Cols, label), func(t *testing.T) {
			b := newBatch(t, c)
			must(t, b.Reset(1))
			start := envtest.AntsState(choose, rulesOf(t, c.Rules), m)
			must(t, engineOf(b, 0).SetState(start.Append(nil)))
			must(t, engineOf(b, 1).SetState(relabelled(start, label).Append(nil)))
			b.Refresh()
			for step := range 7 {
				what := fmt.Sprintf("step %d", step)
				if diff := cmp.Diff(relabelled(stateOf(b, 0), label), stateOf(b, 1)); diff != "" {
					t.Fatalf("%s: states (-relabelled +played):\n%s", what, diff)
				}
				for seat := range n {
					if diff := cmp.Diff(sightOf(t, b, 0, seat), sightOf(t, b, 1, label[seat])); diff != "" {
						t.Fatalf("%s: sights of seat %d (-before +after):\n%s", what, seat, diff)
					}
					sameSeat(t, what, b, seat, label[seat])
					if rotate && !bytes.Equal(b.Board(0).AppendView(nil, seat), b.Board(1).AppendView(nil, label[seat])) {
						t.Fatalf("%s: the views of seat %d differ", what, seat)
					}
				}
				at := orderedAt(stateOf(b, 0), uint64(choose(1<<30)))
				food := []int32{int32(choose(m.Rows * m.Cols)), int32(choose(m.Rows * m.Cols))}
				engineOf(b, 0).Script(food, nil)
				engineOf(b, 1).Script(food, nil)
				cell := func(cell int32) int32 { return cell }
				g := given{ordersOf(stateOf(b, 0), at, cell), ordersOf(stateOf(b, 1), at, cell)}
				must(t, b.Step(g.through(t, b, []string{"ant", "cell"}[step%2])))
			}
		})
	}
}

// sameSeat compares the arrays that have a seat axis, byte for byte.
func sameSeat(t *testing.T, what string, b *batch.Batch, seat, label int) {
	t.Helper()
	for _, name := range everyArray {
		a := b.Array(name)
		if len(a.Shape) < 2 || a.Shape[1] != "S" && a.Shape[1] != "P" {
			continue
		}
		per := a.Stride() / a.Dims[1]
		got, want := a.Data[a.Stride()+label*per:][:per], a.Data[seat*per:][:per]
		if !bytes.Equal(got, want) {
			t.Fatalf("%s: array %s of seat %d, now %d, differs at byte %d", what, name, seat, label, firstDifference(got, want))
		}
	}
}

func shuffled(choose envtest.Chooser, n int) []int {
	list := boards(n)
	for i := n - 1; i > 0; i-- {
		j := choose(i + 1)
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// relabelled is a state with seat s called label[s].
func relabelled(s *ants.State, label []int) *ants.State {
	from, s := s, s.Clone()
	for seat := range label {
		s.Ants[label[seat]], s.Seats[label[seat]] = from.Ants[seat], from.Seats[seat]
	}
	for i := range s.Hills {
		s.Hills[i].Owner = uint8(label[s.Hills[i].Owner])
	}
	if s.Holder >= 0 {
		s.Holder = int32(label[s.Holder])
	}
	return s
}

// TestLayouts plays the same boards in batches that lay their arrays out in
// different ways: alone, among larger boards, recentred, in other dtypes. What
// is shown must be the same, and so must what follows from the same orders.
func TestLayouts(t *testing.T) {
	large := bundled(t, "open-64x96-2p")
	for round := range rounds() / 3 {
		choose := envtest.Choices(uint64(3000 + round))
		m := envtest.AntsMap(choose)
		rules := ants.RuleSetNames()[round%3]
		config := func(change func(c *batch.Config)) batch.Config {
			c := batch.Config{Rules: rules, Boards: 1, Maps: []env.Map{m}, Arrays: everyArray, Rewards: everyReward, Autoreset: batch.Disabled}
			change(&c)
			return c
		}
		layouts := []batch.Config{
			config(func(*batch.Config) {}),
			config(func(c *batch.Config) { c.Options = options(false, true) }),
			config(func(c *batch.Config) { c.Maps, c.MapOf = []env.Map{large, m}, []int{1} }),
			config(func(c *batch.Config) {
				c.Maps, c.MapOf, c.Options, c.Planes = []env.Map{large, m}, []int{1}, options(false, true), obs.Uint8
			}),
		}
		t.Run(fmt.Sprintf("%d-%dx%d-%s", round, m.Rows, m.Cols, rules), func(t *testing.T) {
			start := envtest.AntsState(choose, rulesOf(t, rules), m).Append(nil)
			var batches []*batch.Batch
			for _, c := range layouts {
				b := newBatch(t, c)
				must(t, b.Reset(1))
				must(t, engineOf(b, 0).SetState(start))
				b.Refresh()
				batches = append(batches, b)
			}
			for step := range 5 {
				orders := envtest.AntsOrders(choose, stateOf(batches[0], 0))
				for i, b := range batches {
					same(t, fmt.Sprintf("step %d: state in layout %d", step, i), b.Hash(0), batches[0].Hash(0))
					for seat := range m.Players {
						if diff := cmp.Diff(sightOf(t, batches[0], 0, seat), sightOf(t, b, 0, seat)); diff != "" {
							t.Fatalf("step %d: sights of seat %d (-layout 0 +layout %d):\n%s", step, seat, i, diff)
						}
					}
				}
				for _, b := range batches {
					must(t, b.Step(given{orders}.through(t, b, []string{"ant", "cell"}[step%2])))
				}
			}
		})
	}
}
