package envtest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// An AntsTurn is one turn from any state: what a fuzzer plays.
type AntsTurn struct {
	Rules  ants.Rules
	Map    *ants.Map
	State  *ants.State
	Orders [][]byte
	Food   []int32 // scripted
	Drop   int     // a seat to take out before the turn, or -1
}

// DrawAntsTurn draws a board, a state and what happens next.
func DrawAntsTurn(choose Chooser) *AntsTurn {
	turn := &AntsTurn{Rules: AntsRules(choose), Map: AntsMap(choose), Drop: -1}
	turn.State = AntsState(choose, &turn.Rules, turn.Map)
	turn.Orders = AntsOrders(choose, turn.State)
	for range choose(4) {
		turn.Food = append(turn.Food, int32(choose(turn.Map.Rows*turn.Map.Cols)))
	}
	if choose.one(6) {
		turn.Drop = choose(turn.Map.Players)
	}
	return turn
}

// Play sets an engine to the state and steps it.
func (turn *AntsTurn) Play(t *testing.T, newEngine NewAnts) ants.Engine {
	t.Helper()
	e, err := newEngine(&turn.Rules, turn.Map)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetState(turn.State.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if turn.Drop >= 0 {
		e.Drop(turn.Drop)
	}
	e.Script(turn.Food, nil)
	if err := e.Step(turn.Orders); err != nil {
		t.Fatal(err)
	}
	return e
}

// FuzzAntsTurn plays one turn from states made of the fuzzer's bytes on an
// engine and its reference, and compares what comes out.
func FuzzAntsTurn(f *testing.F, newEngine, newReference NewAnts) {
	addTurns(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		turn := DrawAntsTurn(ChoicesFrom(data))
		e, ref := turn.Play(t, newEngine), turn.Play(t, newReference)
		got, want := e.AppendState(nil), ref.AppendState(nil)
		if !bytes.Equal(got, want) {
			t.Fatalf("states differ on %s\nmap %s\nfrom %+v\norders %v:\n%s",
				turn.Rules.JSON(), turn.Map.CanonicalJSON(), turn.State, turn.Orders, AntsDiff(turn.Map, got, want))
		}
		for seat := range turn.Map.Players {
			if got, want := e.AppendView(nil, seat), ref.AppendView(nil, seat); !bytes.Equal(got, want) {
				t.Fatalf("views of seat %d differ:\n%s\n%s", seat, got, want)
			}
		}
		if got, want := fmt.Sprint(e.Outcome()), fmt.Sprint(ref.Outcome()); got != want {
			t.Fatalf("outcomes differ: %s, want %s", got, want)
		}
	})
}

// FuzzAntsInvariants plays one turn from states made of the fuzzer's bytes on
// an engine that tells frames, and checks what must hold after any turn.
func FuzzAntsInvariants(f *testing.F, newEngine NewAnts) {
	addTurns(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		turn := DrawAntsTurn(ChoicesFrom(data))
		e := turn.Play(t, newEngine)
		var c checker
		turn.invariants(&c, e, e.(framer).Frame())
		c.report(t, int(turn.State.Turn)+1)
	})
}

// addTurns gives the fuzzer something to begin with.
func addTurns(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(12) {
		choose := Choices(seed)
		data := make([]byte, 40+choose(400))
		for i := range data {
			data[i] = byte(choose(256))
		}
		f.Add(data)
	}
}

// invariants notes what does not add up between the state before a turn, the
// frame that tells it and the state after it.
func (turn *AntsTurn) invariants(c *checker, e ants.Engine, f ants.Frame) {
	m, before, after := turn.Map, turn.State, e.State()
	c.same("state on its map", after.Validate(m), nil)
	c.same("state under its rules", after.ValidateFor(&turn.Rules, m.FoodSets(&turn.Rules)), nil)
	c.same("turn", after.Turn, before.Turn+1)
	razes := make([]int32, m.Players)
	losses := make([]int32, m.Players)
	for _, r := range f.Razed {
		razes[r.By]++
		if !after.Seats[r.Owner].Out || turn.Rules.Dropout == ants.DropoutHold {
			losses[r.Owner]++
		}
		c.same(fmt.Sprintf("hill on cell %d razed by its owner", r.Cell), r.By == r.Owner, false)
	}
	for seat := range m.Players {
		deaths, births, gathered := 0, 0, int32(0)
		for _, d := range f.Deaths {
			if int(d.Owner) == seat {
				deaths++
			}
		}
		for _, s := range f.Spawned {
			if int(s.Owner) == seat {
				births++
			}
		}
		for _, g := range f.Gathered {
			if int(g.Owner) == seat {
				gathered++
			}
		}
		was, is := before.Seats[seat], after.Seats[seat]
		what := func(text string) string { return fmt.Sprintf("%s of seat %d", text, seat) }
		c.same(what("ants"), len(after.Ants[seat]), len(before.Ants[seat])-deaths+births)
		c.same(what("hive"), is.Hive, was.Hive+gathered-int32(births))
		c.same(what("gathered food"), is.Gathered, was.Gathered+gathered)
		c.same(what("razed hills"), is.Razed, was.Razed+razes[seat])
		score := was.Score + 2*razes[seat] - losses[seat]
		if turn.Rules.Scoring == ants.ScoreRazes {
			score = was.Score + razes[seat]
		} else if is.Out && !was.Out && turn.Rules.Dropout == ants.DropoutOut {
			for _, h := range before.Hills {
				if int(h.Owner) == seat && !h.Razed {
					score--
				}
			}
		}
		c.same(what("score"), is.Score, score)
		turn.knowledge(c, e, seat, f.Seen[seat])
	}
	c.same("food", len(after.Food), len(before.Food)-len(f.Gathered)+len(f.NewFood))
	for _, d := range f.Deaths {
		for _, k := range d.Killers {
			c.same("killer is an enemy in range", k.Owner != d.Owner && m.Distance2(k.Cell, d.Cell) <= turn.Rules.AttackRadius2, true)
		}
	}
	for i, h := range after.Hills {
		c.same(fmt.Sprintf("hill %d stands again", i), before.Hills[i].Razed && !h.Razed, false)
	}
	c.same("count grew by one at most", after.Count <= before.Count+1, true)
}

// knowledge checks that a seat knows what it knew and what it sees, and no
// more, and that no two of its ants missed an enemy in range.
func (turn *AntsTurn) knowledge(c *checker, e ants.Engine, seat int, seen []int32) {
	after := e.State()
	sees := cellsIn(e.Visible(seat))
	knew, knows := cellsIn(turn.State.Seats[seat].Known), cellsIn(after.Seats[seat].Known)
	var fresh []int32
	for _, cell := range sees {
		if _, old := slices.BinarySearch(knew, cell); !old {
			fresh = append(fresh, cell)
		}
	}
	c.same(fmt.Sprintf("cells that seat %d saw first", seat), seen, fresh)
	c.same(fmt.Sprintf("cells that seat %d knows", seat), len(knows), len(knew)+len(fresh))
	for _, cell := range after.Ants[seat] {
		if _, in := slices.BinarySearch(sees, cell); !in {
			c.diffs = append(c.diffs, fmt.Sprintf("seat %d does not see its ant on cell %d", seat, cell))
		}
	}
}
