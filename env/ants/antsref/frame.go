package antsref

import (
	"cmp"
	"slices"

	"github.com/myriant-rl/myriant/env/ants"
)

// events is what happened this turn.
type events struct {
	deaths    []ants.Death
	contested bool // an ant died on a standing hill not owned by the watched holder
	razed     []ants.Raze
	spawned   []ants.Spot
	gathered  []ants.FoodGone
	newFood   []int32
	seen      [][]int32
}

func newEvents(seats int) events {
	ev := events{
		deaths: []ants.Death{}, razed: []ants.Raze{}, spawned: []ants.Spot{},
		gathered: []ants.FoodGone{}, newFood: []int32{}, seen: make([][]int32, seats),
	}
	for s := range ev.seen {
		ev.seen[s] = []int32{}
	}
	return ev
}

func (ev *events) die(cell, owner int, killers []ants.Spot) {
	ev.deaths = append(ev.deaths, ants.Death{Cell: int32(cell), Owner: uint8(owner), Killers: killers})
}

// finishFrame puts the turn's events in the order that frames list them in.
func (e *Engine) finishFrame() {
	bySpot := func(a, b ants.Spot) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Owner, b.Owner))
	}
	for _, d := range e.now.deaths {
		slices.SortFunc(d.Killers, bySpot)
	}
	slices.SortFunc(e.now.deaths, func(a, b ants.Death) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Owner, b.Owner), cmp.Compare(len(a.Killers), len(b.Killers)))
	})
	slices.SortFunc(e.now.spawned, bySpot)
	slices.Sort(e.now.newFood)
}

// Frame tells the last turn. The caller owns it.
func (e *Engine) Frame() ants.Frame {
	outcome := e.Outcome()
	f := ants.Frame{
		Turn: e.turn, Ants: []ants.Spot{}, Food: listOf(e.food), Hills: []ants.Spot{},
		Deaths: slices.Clone(e.now.deaths), Razed: slices.Clone(e.now.razed), Spawned: slices.Clone(e.now.spawned),
		Gathered: slices.Clone(e.now.gathered), NewFood: slices.Clone(e.now.newFood),
		Seen: make([][]int32, len(e.seats)), Hive: make([]int32, len(e.seats)),
		Score: outcome.Scores, Ranks: outcome.Ranks,
		Cutoff: ants.CutoffCounter{Holder: e.holder, Count: e.count},
		Done:   outcome.Done, Reason: outcome.Reason,
	}
	for cell, owner := range e.ants {
		if owner != nobody {
			f.Ants = append(f.Ants, ants.Spot{Cell: int32(cell), Owner: uint8(owner)})
		}
	}
	for _, h := range e.hills {
		if !h.Razed {
			f.Hills = append(f.Hills, ants.Spot{Cell: h.Cell, Owner: h.Owner})
		}
	}
	for s := range e.seats {
		f.Seen[s] = slices.Clone(e.now.seen[s])
		f.Hive[s] = e.seats[s].hive
	}
	return f
}
