// How a contest replay is played again: orders from the ants' moves, food and
// births from their lists, dropouts from the players' status.

package replay

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// script plays the moves. The replay must be valid.
func (c *Contest) script() script {
	s := &contestScript{c: c, cols: int32(c.Data.Cols), board: c.Board(), live: make([][]liveAnt, c.Data.Players)}
	s.births = byStart(len(c.Data.Ants), func(i int) int32 { return c.Data.Ants[i].Start })
	s.food = byStart(len(c.Data.Food), func(i int) int32 { return c.Data.Food[i].Start })
	s.born(0)
	s.appear(0)
	return s
}

type contestScript struct {
	c      *Contest
	cols   int32
	board  *ants.Map
	turn   int32       // turns played
	births []int32     // ants not born yet, by start
	food   []int32     // food that did not appear yet, by start
	live   [][]liveAnt // per player, ascending by cell
	lying  []liveFood  // ascending by cell
}

type liveAnt struct {
	cell int32
	ant  *ContestAnt
}

type liveFood struct {
	cell int32
	end  int32
}

// byStart lists the indices of n things by when they start.
func byStart(n int, start func(i int) int32) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(start(int(a)), start(int(b))) })
	return list
}

// born adds the ants that start on turn t and returns their cells.
func (s *contestScript) born(t int32) []int32 {
	var cells []int32
	for len(s.births) > 0 && s.c.Data.Ants[s.births[0]].Start == t {
		a := &s.c.Data.Ants[s.births[0]]
		s.births = s.births[1:]
		cell := a.Row*s.cols + a.Col
		cells = append(cells, cell)
		s.live[a.Owner] = append(s.live[a.Owner], liveAnt{cell, a})
	}
	for _, list := range s.live {
		slices.SortFunc(list, func(a, b liveAnt) int { return cmp.Compare(a.cell, b.cell) })
	}
	return cells
}

// appear adds the food that starts on turn t and returns its cells.
func (s *contestScript) appear(t int32) []int32 {
	var cells []int32
	for len(s.food) > 0 && s.c.Data.Food[s.food[0]].Start == t {
		f := &s.c.Data.Food[s.food[0]]
		s.food = s.food[1:]
		cell := f.Row*s.cols + f.Col
		cells = append(cells, cell)
		s.lying = append(s.lying, liveFood{cell, f.End})
	}
	slices.SortFunc(s.lying, func(a, b liveFood) int { return cmp.Compare(a.cell, b.cell) })
	return cells
}

func (s *contestScript) seed() uint64 { return 0 }

func (s *contestScript) start(state *ants.State) bool {
	state.Food = s.foodCells()
	return true
}

func (s *contestScript) foodCells() []int32 {
	cells := make([]int32, len(s.lying))
	for i, f := range s.lying {
		cells[i] = f.cell
	}
	return cells
}

func (s *contestScript) antCells(player int) []int32 {
	cells := make([]int32, len(s.live[player]))
	for i, a := range s.live[player] {
		cells[i] = a.cell
	}
	return cells
}

// next hands out the moves of the next turn and brings the lists to its end.
func (s *contestScript) next(state *ants.State) (turn, bool) {
	if int(s.turn) == s.c.Turns {
		return turn{}, false
	}
	s.turn++
	t := turn{drops: s.drops()}
	late := slices.ContainsFunc(t.drops, func(player int) bool { return s.c.Status[player] == StatusInvalid })
	if late {
		t.moved = state.Clone()
	}
	for player, list := range s.live {
		orders := make([]byte, len(list))
		alive := list[:0]
		for i, a := range list {
			orders[i] = contestAction(a.ant.Moves[s.turn-1-a.ant.Start])
			if a.cell = s.board.Neighbour(a.cell, orders[i]); a.ant.End > s.turn {
				alive = append(alive, a)
			}
		}
		t.orders = append(t.orders, orders)
		t.counts = append(t.counts, len(orders))
		s.live[player] = alive
	}
	if late {
		s.carryOut(t.moved, t.orders)
		t.orders = nil
	}
	t.spawns = s.born(s.turn)
	s.lying = slices.DeleteFunc(s.lying, func(f liveFood) bool { return f.end <= s.turn })
	t.food = s.appear(s.turn)
	return t, true
}

// carryOut makes the moves on the state. Ants that meet are taken off, as a
// state cannot hold them.
func (s *contestScript) carryOut(state *ants.State, orders [][]byte) {
	met := make(map[int32]int)
	for player, cells := range state.Ants {
		for i := range cells {
			if i < len(orders[player]) {
				cells[i] = s.board.Neighbour(cells[i], orders[player][i])
			}
			met[cells[i]]++
		}
	}
	for player, cells := range state.Ants {
		cells = slices.DeleteFunc(cells, func(c int32) bool { return met[c] > 1 })
		slices.Sort(cells)
		state.Ants[player] = cells
	}
}

// drops lists the players that leave on the turn about to be played. One that
// never started leaves before turn 1.
func (s *contestScript) drops() []int {
	var drops []int
	for player, status := range s.c.Status {
		if dropped(status) && max(1, s.c.PlayerTurns[player]) == s.turn {
			drops = append(drops, player)
		}
	}
	return drops
}

// check compares ants, food, hills, hives and scores. On the last turn the
// state has the bonus, and hills count as razed for it, which the lists of
// the replay leave out.
func (s *contestScript) check(state *ants.State) *Difference {
	at := int(s.turn)
	last := at == s.c.Turns
	for player := range s.live {
		if want := s.antCells(player); !slices.Equal(want, state.Ants[player]) {
			return s.differ(at, player, "ants", want, state.Ants[player])
		}
	}
	if want := s.foodCells(); !slices.Equal(want, state.Food) {
		return s.differ(at, -1, "food", want, state.Food)
	}
	for i, h := range s.c.Data.Hills {
		if last && s.hasBonus() {
			break
		}
		if razed := h.End <= s.turn; razed != state.Hills[i].Razed {
			return differ(at, int(h.Owner), fmt.Sprintf("hill at %d,%d razed", h.Row, h.Col), razed, state.Hills[i].Razed)
		}
	}
	for player := range s.live {
		seat := &state.Seats[player]
		if d := differ(at, player, "hive", before(s.c.Data.HiveHistory[player], at), seat.Hive); d != nil {
			return d
		}
		score := before(s.c.Data.ScoreHistory[player], at)
		if last {
			score += s.c.Data.Bonus[player]
		}
		if d := differ(at, player, "score", score, seat.Score); d != nil {
			return d
		}
	}
	return nil
}

// before is the value of a history on a turn.
func before(history []int32, t int) int32 { return history[min(t, len(history)-1)] }

func (s *contestScript) hasBonus() bool {
	return slices.ContainsFunc(s.c.Data.Bonus, func(b int32) bool { return b != 0 })
}

// differ shows the first cells that only one of two lists has.
func (s *contestScript) differ(at, seat int, what string, recorded, computed []int32) *Difference {
	show := func(list, other []int32) string {
		for _, c := range list {
			if _, found := slices.BinarySearch(other, c); !found {
				return fmt.Sprintf("%d with one at %d,%d", len(list), c/s.cols, c%s.cols)
			}
		}
		return fmt.Sprintf("%d with nothing else", len(list))
	}
	return &Difference{at, seat, what, show(recorded, computed), show(computed, recorded)}
}

func (s *contestScript) end(out env.Outcome) *Difference {
	ranks := slices.Clone(s.c.Ranks)
	for i := range ranks {
		ranks[i]++
	}
	return compareOutcome(out, s.c.Turns, s.c.Data.Cutoff, s.c.Scores, ranks)
}
