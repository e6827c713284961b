package envtest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/policy"
)

// FormicaRelabelling plays whole episodes twice, the second time with the
// seats renumbered and their bundled policies with them (in every other episode
// their drawn orders), and checks after every phase that the states are
// renumberings of each other and that the scores permute exactly. Some start
// from drawn states.
func FormicaRelabelling(t *testing.T, newEngine NewEngine, seed uint64, episodes int) {
	phases := 0
	for i := range episodes {
		seed := env.Derive(seed, uint64(i))
		choose := Choices(seed)
		c, b := FormicaConfig(choose), FormicaBoard(choose)
		if b.Radius > 13 || i%10 != 0 {
			c.MaxTicks = min(c.MaxTicks, 40+choose(160))
		}
		seats := identity(b.Players)
		shuffle(choose, seats)
		start := formica.NewState(&c, b, c.EpisodeSeed(seed))
		if choose.one(3) {
			start = FormicaState(choose, &c, b)
		}
		one, other := formicaAt(t, newEngine, &c, b, start), formicaAt(t, newEngine, &c, b, FormicaRelabelled(start, seats))
		policies := drawPolicies(choose, b.Players)
		theirs := make([]*policy.Policy, b.Players)
		for seat, to := range seats {
			theirs[to] = policies[seat]
		}
		for !one.Outcome().Done {
			now := formicaStateOf(t, one, &c, b)
			orders, renumbered := playFormica(choose, &c, b, now), make([][]byte, b.Players)
			for seat, to := range seats {
				renumbered[to] = orders[seat]
			}
			if i%2 == 0 {
				orders = playPolicies(policies)(choose, &c, b, now)
				renumbered = playPolicies(theirs)(choose, &c, b, formicaStateOf(t, other, &c, b))
			}
			if err := one.Step(orders); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if err := other.Step(renumbered); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			want := FormicaRelabelled(formicaStateOf(t, one, &c, b), seats).Append(nil)
			if got := other.AppendState(nil); !bytes.Equal(got, want) {
				t.Fatalf("seed %d, %d seats, radius %d, step %d, seats %v: states differ:\n%s", seed, b.Players, b.Radius, one.Outcome().Steps, seats, FormicaDiff(b, got, want))
			}
			x, y := one.Outcome(), other.Outcome()
			for seat, to := range seats {
				if x.Scores[seat] != y.Scores[to] || x.Ranks[seat] != y.Ranks[to] {
					t.Fatalf("seed %d, seats %v: outcomes %+v and %+v", seed, seats, x, y)
				}
			}
			phases++
		}
	}
	t.Logf("%d episodes, %d phases equal to their relabellings", episodes, phases)
}

// FormicaRelabelled is the state with seat i renamed to seats[i].
func FormicaRelabelled(s *formica.State, seats []int) *formica.State {
	out := s.Clone()
	for seat, to := range seats {
		out.Colonies[to] = s.Clone().Colonies[seat]
		for other, known := range s.Colonies[seat].Known {
			out.Colonies[to].Known[seats[other]] = known
		}
	}
	for cell, owner := range s.Owner {
		if owner != formica.Nobody {
			out.Owner[cell] = uint8(seats[owner])
		}
	}
	return out
}

func formicaAt(t *testing.T, newEngine NewEngine, c *formica.Config, b *formica.Board, s *formica.State) env.Engine {
	t.Helper()
	e, err := newEngine(c.JSON(), b)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetState(s.Append(nil)); err != nil {
		t.Fatal(err)
	}
	return e
}

func formicaStateOf(t *testing.T, e env.Engine, c *formica.Config, b *formica.Board) *formica.State {
	t.Helper()
	s, err := formica.DecodeState(e.AppendState(nil), c, b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FormicaLeaks draws states and changes everything in them that a seat may not
// know, many times; the seat's view must stay the same bytes.
func FormicaLeaks(t *testing.T, newEngine NewEngine, seed uint64, boards int) {
	changed, shown := 0, 0
	for i := range boards {
		seed := env.Derive(seed, uint64(i))
		choose := Choices(seed)
		c, b := FormicaConfig(choose), FormicaBoard(choose)
		s := FormicaState(choose, &c, b)
		seat := choose(b.Players)
		want := string(formicaAt(t, newEngine, &c, b, s).AppendView(nil, seat))
		for range 4 {
			hidden := FormicaHidden(choose, &c, b, s, seat)
			if bytes.Equal(hidden.Append(nil), s.Append(nil)) {
				continue
			}
			changed++
			if got := string(formicaAt(t, newEngine, &c, b, hidden).AppendView(nil, seat)); got != want {
				t.Fatalf("seed %d: hidden changes show in the view of seat %d:\n%s\nwas\n%s\nchanged:\n%s", seed, seat, got, want,
					FormicaDiff(b, hidden.Append(nil), s.Append(nil)))
			}
		}
		// And the other way round: what is in sight shows.
		if seen := turnCoat(&c, b, s, seat); seen != nil {
			shown++
			if got := string(formicaAt(t, newEngine, &c, b, seen).AppendView(nil, seat)); got == want {
				t.Fatalf("seed %d: the view of seat %d does not show a rival raider in sight:\n%s", seed, seat, got)
			}
		}
	}
	if changed < 2*boards || shown == 0 {
		t.Errorf("only %d of %d hidden changes changed anything, %d shown ones were made", changed, 4*boards, shown)
	}
	t.Logf("%d changes of hidden state on %d boards leave the views as they are, %d of seen ants show", changed, boards, shown)
}

// turnCoat is a copy of the state in which the first rival ant in sight of the
// seat is a raider where it was none, or the reverse; nil if none is in sight.
func turnCoat(c *formica.Config, b *formica.Board, s *formica.State, seat int) *formica.State {
	out := s.Clone()
	for other := range out.Colonies {
		for i := range out.Colonies[other].Ants {
			a := &out.Colonies[other].Ants[i]
			near := slices.ContainsFunc(s.Colonies[seat].Ants, func(mine formica.Ant) bool {
				return b.Distance(int(mine.Cell), int(a.Cell)) <= c.RivalSight
			})
			if other == seat || !near {
				continue
			}
			if a.Role == formica.RoleRaid {
				a.Role = formica.RoleForage
			} else {
				a.Role = formica.RoleRaid
			}
			a.Trip = 0
			return out
		}
	}
	return nil
}

// FormicaHidden is a copy of the state with everything redrawn that a seat may
// not know: the seed; of rivals the orders, chambers, digs, upkeep, latches,
// the place of the nest, the ants out of sight and what cannot be seen of those
// in sight, the pheromone off the scent and within a scent's level, and the
// territory and store behind a score that stays; food and patches out of sight.
// Own things that the view leaves out (headings, trips, the dig, the upkeep) are
// redrawn too.
func FormicaHidden(choose Chooser, c *formica.Config, b *formica.Board, s *formica.State, seat int) *formica.State {
	out := s.Clone()
	out.Seed ^= uint64(1 + choose(1<<30))
	own := &out.Colonies[seat]
	far := make([]int, b.Cells) // to the nearest own ant
	for cell := range far {
		far[cell] = 1000
		for _, a := range own.Ants {
			far[cell] = min(far[cell], b.Distance(cell, int(a.Cell)))
		}
	}
	unseen := []int{}
	for cell := range far {
		if far[cell] > c.RivalSight {
			unseen = append(unseen, cell)
		}
		// A patch may not grow where the nest is, and the own cells' legality stays.
		if far[cell] > c.FoodSight && out.Cap[cell] > 0 {
			out.Food[cell] = uint8(choose(int(out.Cap[cell]) + 1))
		}
	}
	for cell := range b.Cells {
		if far[cell] > c.FoodSight && !out.Holds(c, seat, cell) && !nestOn(out, cell) && choose.one(8) {
			out.Cap[cell] = uint8(choose(9))
			out.Food[cell] = uint8(choose(int(out.Cap[cell]) + 1))
		}
	}
	own.Upkeep, own.Dig = int32(choose(c.UpkeepPerFood)), uint8(choose(c.DigPerChamber))
	for i := range own.Ants {
		redraw(choose, c, &own.Ants[i])
	}
	for other := range out.Colonies {
		if other == seat {
			continue
		}
		k := &out.Colonies[other]
		if !k.Alive {
			hideTrail(choose, c, out, seat, other, far)
			continue
		}
		moveNest(choose, out, b, other)
		k.Order = formica.DefaultOrder()
		k.Order.Mode, k.Order.Defend, k.MoveWait = formica.Mode(choose(3)), choose.one(2), 0
		k.Chambers, k.Dig, k.Upkeep = uint8(choose(c.MaxChambers+1)), uint8(choose(c.DigPerChamber)), int32(choose(c.UpkeepPerFood))
		for i := range k.Known {
			k.Known[i] = formica.Known{Cell: formica.NoCell}
		}
		var ants []formica.Ant
		for _, a := range k.Ants {
			if far[a.Cell] <= c.RivalSight {
				if a.Role != formica.RoleRaid {
					a.Role = pick(choose, formica.RoleForage, formica.RoleDefense, formica.RoleExpansion, formica.RoleBuild)
				}
				redraw(choose, c, &a)
				a.Carry = uint8(choose(2))
				ants = append(ants, a)
			}
		}
		for len(unseen) > 0 && len(ants) < formica.AntSlots && (len(ants) == 0 || !choose.one(8)) {
			a := formica.Ant{Cell: uint16(pick(choose, unseen...)), Role: formica.Role(choose(formica.NumRoles))}
			redraw(choose, c, &a)
			ants = append(ants, a)
		}
		if len(ants) > 0 {
			k.Ants = ants
		}
		shuffle(choose, k.Ants)
		hideTrail(choose, c, out, seat, other, far)
		hideScore(choose, c, out, other)
	}
	if err := out.Validate(c, b); err != nil {
		panic("envtest: hidden state: " + err.Error())
	}
	return out
}

func nestOn(s *formica.State, cell int) bool {
	return slices.ContainsFunc(s.Colonies, func(k formica.Colony) bool { return int(k.Nest) == cell })
}

// redraw changes what no view shows of an ant.
func redraw(choose Chooser, c *formica.Config, a *formica.Ant) {
	a.Heading, a.Trip = uint8(choose(formica.Directions)), 0
	switch a.Role {
	case formica.RoleForage:
		a.Trip = uint8(choose(c.FruitlessTicks + 1))
	case formica.RoleRaid:
		a.Trip = uint8(c.FruitlessTicks * choose(2))
	}
}

// hideTrail redraws a rival's pheromone where the seat smells nothing, and
// where it does, moves it within the level.
func hideTrail(choose Chooser, c *formica.Config, s *formica.State, seat, other int, far []int) {
	trail := s.Colonies[other].Trail
	for cell := range trail {
		if far[cell] > c.ScentSight {
			trail[cell] = uint16(choose(formica.MaxPheromone + 1))
			continue
		}
		rest := 0
		for k := range s.Colonies {
			if k != seat && k != other {
				rest += int(s.Colonies[k].Trail[cell])
			}
		}
		level := formica.ScentLevel(rest + int(trail[cell]))
		if v := choose(formica.MaxPheromone + 1); formica.ScentLevel(rest+v) == level {
			trail[cell] = uint16(v)
		}
		if v := int(trail[cell]) + choose(3) - 1; v >= 0 && v <= formica.MaxPheromone && formica.ScentLevel(rest+v) == level {
			trail[cell] = uint16(v)
		}
	}
}

// hideScore has a rival take, lose and revisit cells that are not the seat's,
// and settles the score with its store; where that cannot be, nothing changes.
func hideScore(choose Chooser, c *formica.Config, s *formica.State, other int) {
	k := &s.Colonies[other]
	score, owner, stamp := s.Score2(c, other), slices.Clone(s.Owner), slices.Clone(s.Stamp)
	for cell := range s.Owner {
		if now := int(s.Owner[cell]); (now == formica.Nobody || now == other) && choose.one(3) {
			s.Owner[cell] = uint8(other)
			s.Stamp[cell] = int16(max(0, int(s.Tick)-choose(2*c.HoldTicks+2)))
		}
	}
	diff := int(s.Score2(c, other) - score)
	if diff == 0 {
		return
	}
	if c.Score2Food > 0 && diff%c.Score2Food == 0 && int(k.Food) >= diff/c.Score2Food {
		k.Food -= int32(diff / c.Score2Food)
		return
	}
	s.Owner, s.Stamp = owner, stamp
}
