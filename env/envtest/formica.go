package envtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/policy"
)

// Formica makes an implementation of Formica to be held to a reference, on
// cases drawn from a seed: all variants and changes of them, 2, 3, 4 and 6
// seats, the smallest to the largest radius, played at random, with intent and
// by the bundled policies, from the start and from the middle of things. The reference fills
// formica.Engine; the engine under test need only fill env.Engine.
func Formica(name string, newEngine, newReference NewEngine, seed uint64, boards, steps int) Implementation {
	impl := Implementation{Name: name, New: newEngine, Reference: newReference, Diff: FormicaDiff}
	for i := range boards {
		impl.Cases = append(impl.Cases, FormicaCase(env.Derive(seed, uint64(i)), steps))
	}
	return impl
}

// FormicaCase draws one board and how it is played.
func FormicaCase(seed uint64, steps int) Case {
	choose := Choices(seed)
	c := FormicaConfig(choose)
	b := FormicaBoard(choose)
	play := pick(choose, FormicaOrders, playFormica, playFormica, playPolicies(drawPolicies(choose, b.Players)))
	k := Case{
		Rules: c.JSON(), Map: b, Seed: seed, Steps: steps,
		Orders: func(choose Chooser, ref env.Engine) [][]byte {
			return dropOrders(choose, play(choose, &c, b, ref.(formica.Engine).State()))
		},
		Bad: badFormicaOrders,
	}
	start := "start"
	if choose.one(2) {
		start = "midgame"
		k.Start = func(choose Chooser, _ env.Engine) []byte { return FormicaState(choose, &c, b).Append(nil) }
	}
	k.Name = fmt.Sprintf("%s-%ds-r%d-%s-%d", c.Name, b.Players, b.Radius, start, seed)
	return k
}

// formicaRadii are the radii of drawn boards; those too small for the seats
// grow to the least that fits.
var formicaRadii = []int{7, 8, 10, 11, 12, 12, 12, 12, 13, 15, 17, 20, 31}

// FormicaBoard draws a board.
func FormicaBoard(choose Chooser) *formica.Board {
	seats := pick(choose, 2, 3, 4, 4, 6)
	for radius := pick(choose, formicaRadii...); ; radius++ {
		if b, err := formica.NewBoard(fmt.Sprintf("%d-%d", seats, radius), seats, radius); err == nil {
			return b
		}
	}
}

// FormicaConfig draws a variant, or one with some constants changed.
func FormicaConfig(choose Chooser) formica.Config {
	c, err := formica.Variant(pick(choose, formica.Variants()...))
	if err != nil {
		panic(err)
	}
	if choose.one(3) {
		c.MaxTicks = 1 + choose(200)
	}
	if choose.one(3) {
		c.CommandEvery = pick(choose, 1, 2, 3, 5, 7, 16)
	}
	if choose.one(4) { // food and colonies
		c.PatchFood, c.CentreFood, c.RegrowEvery = 1+choose(8), 1+choose(20), 1+choose(40)
		c.StartAnts, c.StartFood = 1+choose(formica.AntSlots), choose(80)
		c.MaxChambers, c.BaseCap = choose(6), 1+choose(20)
		c.CapPerChamber = choose((formica.AntSlots-c.BaseCap)/max(c.MaxChambers, 1) + 1)
		c.BirthEvery, c.BirthEveryBuild, c.BirthCost = 1+choose(12), 1+choose(6), choose(6)
		c.Reserve, c.ReserveBuild, c.UpkeepPerFood = choose(12), choose(12), formica.AntSlots+choose(80)
		c.DigEvery, c.DigPerChamber, c.ChamberFood = 1+choose(5), 1+choose(20), choose(15)
	}
	if choose.one(4) { // ants
		c.Carry, c.FruitlessTicks = 1+choose(4), 1+choose(50)
		c.HeadingWeights = [4]int{1 + choose(20), 1 + choose(10), 1 + choose(5), 1 + choose(5)}
		c.OutwardWeights = [3]int{1 + choose(8), 1 + choose(8), 1 + choose(8)}
		c.TrailBase, c.TrailShift, c.TrailMax = 1+choose(32), choose(6), choose(256)
		c.PatrolRadius, c.ChaseSight, c.ChaseNest, c.ExpandLeash = 1+choose(5), choose(3), choose(7), 1+choose(14)
		c.ExpandStale, c.ExpandOpen, c.ExpandCrowd, c.DefendSkip = choose(12), choose(60), choose(60), choose(257)
	}
	if choose.one(4) { // fights and fields
		c.StealMax, c.StealDefended = choose(4), choose(3)
		c.StrengthDefender, c.StrengthAlert, c.StrengthAway = choose(12), choose(20), choose(4)
		c.StrengthRaider, c.StrengthBuilder, c.HomeRange = choose(6), choose(3), choose(7)
		c.KillArmed, c.KillUnarmed = 1+choose(20), 1+choose(80)
		c.TrailEmpty, c.TrailCarrying, c.DecayShift = choose(20), choose(200), choose(8)
		c.RainTicks, c.RainDecays, c.HoldTicks = choose(20), choose(4), choose(40)
	}
	if choose.one(4) { // the rest
		c.RelocateEvery, c.RelocateCost, c.RelocateMinFood, c.RelocateRange = 1+choose(6), choose(3), choose(10), choose(8)
		c.EventEvery = 2 + choose(60)
		c.EventSpread = 1 + choose(c.EventEvery-1)
		c.LocustPercent = choose(101)
		c.RainPercent = choose(101 - c.LocustPercent)
		c.LocustToll = choose(101)
		c.FoodSight, c.RivalSight, c.ScentSight, c.NestSight, c.ThreatRange = choose(6), choose(5), choose(4), choose(5), choose(8)
	}
	if choose.one(12) {
		c.NestInset = 2
		c.Orbits = [][2]int{{3, 6}}
	}
	if err := c.Validate(); err != nil {
		panic("envtest: drawn config: " + err.Error())
	}
	return c
}

// FormicaState draws any state that play can go on from: crowds of ants in a
// few places, moved nests, moves under way, full and empty stores, latches
// right and wrong, cells about to lapse, pheromone at its bound, dead colonies.
func FormicaState(choose Chooser, c *formica.Config, b *formica.Board) *formica.State {
	s := formica.NewState(c, b, c.EpisodeSeed(uint64(choose(1<<30))))
	s.Tick = int32(choose(c.MaxTicks))
	if choose.one(8) {
		s.Tick = int32(c.MaxTicks) - 1
	}
	if int(s.Tick)%c.CommandEvery != 0 {
		s.Event = formica.EventLocust
	} else if choose.one(6) {
		s.Event = formica.Event(choose(4))
	}
	s.Phase = int32(choose(int(s.Tick) + 1))
	s.Rain = uint8(choose(c.RainTicks + 1))
	for cell := range s.Food {
		s.Food[cell] = uint8(choose(int(s.Cap[cell]) + 1))
	}
	for cell := range s.Owner {
		if choose.one(3) {
			s.Owner[cell] = uint8(choose(b.Players))
			s.Stamp[cell] = int16(max(0, int(s.Tick)-choose(c.HoldTicks+4)))
		}
	}
	places := []int{choose(b.Cells), choose(b.Cells), choose(b.Cells)} // where crowds stand
	for seat := range s.Colonies {
		places = append(places, int(s.Colonies[seat].Nest))
	}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		if choose.one(4) {
			moveNest(choose, s, b, seat)
			places = append(places, int(k.Nest))
		}
		k.Food = int32(pick(choose, 0, 1, 2, 5, 15, 40, 300))
		k.Upkeep = int32(choose(c.UpkeepPerFood))
		k.Chambers = uint8(choose(c.MaxChambers + 1))
		k.Dig = uint8(choose(c.DigPerChamber + formica.AntSlots))
		for cell := range k.Trail {
			k.Trail[cell] = uint16(pick(choose, 0, 0, 0, choose(64), choose(3000), choose(formica.MaxPheromone+1), formica.MaxPheromone))
		}
		if s.Tick > 0 && choose.one(10) {
			k.Alive, k.DiedAt, k.Frozen, k.Ants = false, int32(choose(int(s.Tick))), int32(choose(60)), nil
			continue
		}
		k.Ants = nil
		crowds := choose.one(2)
		for range 1 + choose(pick(choose, 4, 20, formica.AntSlots)) {
			a := formica.Ant{Cell: uint16(choose(b.Cells)), Role: formica.Role(choose(formica.NumRoles)), Heading: uint8(choose(formica.Directions))}
			if crowds && !choose.one(3) {
				a.Cell = uint16(near(choose, b, pick(choose, places...)))
			}
			if choose.one(3) {
				a.Carry = uint8(choose(max(c.Carry, c.StealMax, c.StealDefended) + 1))
			}
			switch {
			case a.Role == formica.RoleForage && choose.one(3):
				a.Trip = uint8(c.FruitlessTicks)
			case a.Role == formica.RoleForage:
				a.Trip = uint8(choose(c.FruitlessTicks + 1))
			case a.Role == formica.RoleRaid && choose.one(3):
				a.Trip = uint8(c.FruitlessTicks)
			}
			k.Ants = append(k.Ants, a)
		}
	}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		k.Order = drawOrder(choose, c, b, s, seat)
		target := k.Order.Target
		k.Order.Target = formica.NoCell
		if k.Alive && k.Order.Mode == formica.ModeRelocate && target != formica.NoCell && target != int32(k.Nest) {
			k.Order.Target, k.MoveWait = target, uint8(1+choose(c.RelocateEvery))
		}
		for other := range k.Known {
			if o := &s.Colonies[other]; other != seat && k.Alive && o.Alive && choose.one(2) {
				k.Known[other] = formica.Known{Cell: int32(o.Nest), Seen: int32(choose(int(s.Tick) + 1))}
				if choose.one(4) {
					k.Known[other].Cell = int32(near(choose, b, int(o.Nest)))
				}
			}
		}
	}
	if err := s.Validate(c, b); err != nil {
		panic("envtest: drawn state: " + err.Error())
	}
	return s
}

// near is a cell at most two steps away.
func near(choose Chooser, b *formica.Board, cell int) int {
	for range choose(3) {
		if next := b.Neighbours[cell][choose(formica.Directions)]; next != formica.NoCell {
			cell = int(next)
		}
	}
	return cell
}

// moveNest puts a nest elsewhere, off the patches and other nests.
func moveNest(choose Chooser, s *formica.State, b *formica.Board, seat int) {
	for range 20 {
		cell := choose(b.Cells)
		free := s.Cap[cell] == 0
		for other := range s.Colonies {
			free = free && int(s.Colonies[other].Nest) != cell
		}
		if free {
			s.Colonies[seat].Nest = uint16(cell)
			return
		}
	}
}

// drawOrder draws any order: in relocate mode often with a cell that the
// colony may relocate to, sometimes with any.
func drawOrder(choose Chooser, c *formica.Config, b *formica.Board, s *formica.State, seat int) formica.Order {
	o := formica.Order{Mode: formica.Mode(choose(formica.NumModes)), Defend: choose.one(3), Target: formica.NoCell}
	food := choose(formica.AllocWhole + 1)
	if choose.one(2) {
		food = 1000 * choose(11)
	}
	defense := choose(formica.AllocWhole - food + 1)
	o.Alloc = formica.Alloc{uint16(food), uint16(defense), uint16(formica.AllocWhole - food - defense)}
	if o.Mode != formica.ModeRelocate && !choose.one(10) {
		return o
	}
	var cells []int
	for cell := range b.Cells {
		if s.CanRelocate(c, b.Geometry, seat, cell) {
			cells = append(cells, cell)
		}
	}
	switch {
	case len(cells) > 0 && !choose.one(4):
		o.Target = int32(pick(choose, cells...))
	case choose.one(2):
		o.Target = int32(choose(b.Cells))
	}
	return o
}

// FormicaOrders draws any order for every seat.
func FormicaOrders(choose Chooser, c *formica.Config, b *formica.Board, s *formica.State) [][]byte {
	orders := make([][]byte, b.Players)
	for seat := range orders {
		o := drawOrder(choose, c, b, s, seat)
		orders[seat] = o.Append(nil)
	}
	return orders
}

// playFormica has every seat follow a plan that it changes now and then: grow,
// forage, raid, defend, spread, move the nest.
func playFormica(choose Chooser, c *formica.Config, b *formica.Board, s *formica.State) [][]byte {
	orders := make([][]byte, b.Players)
	for seat := range orders {
		if !choose.one(4) {
			continue
		}
		o := drawOrder(choose, c, b, s, seat)
		switch plan := pick(choose, formica.ModeForage, formica.ModeRaid, formica.ModeRaid, formica.ModeBuild, formica.ModeBuild, formica.ModeRelocate); plan {
		case formica.ModeRelocate:
			for range 8 {
				if o.Mode == formica.ModeRelocate {
					break
				}
				o = drawOrder(choose, c, b, s, seat)
			}
		default:
			o.Mode, o.Target = plan, formica.NoCell
			o.Alloc = pick(choose, formica.Alloc{8000, 1000, 1000}, formica.Alloc{6000, 2000, 2000}, formica.Alloc{4000, 4000, 2000}, formica.Alloc{5000, 0, 5000})
			o.Defend = choose.one(6)
		}
		orders[seat] = o.Append(nil)
	}
	return orders
}

// drawPolicies draws a bundled policy for every seat; one drawn case in three
// has the same for all.
func drawPolicies(choose Chooser, seats int) []*policy.Policy {
	list := make([]*policy.Policy, seats)
	same := choose.one(3)
	for seat := range list {
		p, err := policy.New(pick(choose, policy.Names()...))
		if err != nil {
			panic(err)
		}
		if list[seat] = p; same {
			list[seat] = list[0]
		}
	}
	return list
}

// playPolicies has every seat follow its policy, from what the seat may know.
func playPolicies(policies []*policy.Policy) func(Chooser, *formica.Config, *formica.Board, *formica.State) [][]byte {
	return func(_ Chooser, c *formica.Config, b *formica.Board, s *formica.State) [][]byte {
		orders := make([][]byte, b.Players)
		for seat, p := range policies {
			orders[seat] = p.Act(nil, formica.Observe(c, b, s, seat), policy.Draw(s.Seed, s.Colonies[seat].Home, s.Phase))
		}
		return orders
	}
}

// dropOrders leaves out orders and seats, which is all legal.
func dropOrders(choose Chooser, orders [][]byte) [][]byte {
	if choose.one(10) {
		return orders[:choose(len(orders)+1)]
	}
	for seat := range orders {
		if choose.one(10) {
			orders[seat] = pick(choose, nil, []byte{})
		}
	}
	return orders
}

// badFormicaOrders spoils the order of one living seat.
func badFormicaOrders(choose Chooser, ref env.Engine) [][]byte {
	e := ref.(formica.Engine)
	s := e.State()
	orders := make([][]byte, e.Seats())
	for seat := range orders {
		order := formica.DefaultOrder().Append(nil)
		orders[seat] = order
		if !s.Colonies[seat].Alive {
			continue
		}
		switch choose(6) {
		case 0:
			orders[seat] = order[:1+choose(len(order)-1)]
		case 1:
			orders[seat] = slices.Concat(order, []byte{0})
		case 2:
			order[0] = formica.NumModes + byte(choose(256-formica.NumModes))
		case 3:
			order[1+choose(6)] ^= byte(1 + choose(255))
		case 4:
			order[7] = byte(2 + choose(254))
		case 5:
			order[9] = 0x7F
		}
		return orders
	}
	return nil
}

// FormicaDiff lists the fields in which two states differ.
func FormicaDiff(m env.Map, got, want []byte) string {
	b := m.(*formica.Board)
	// Which rule set it was does not matter for reading the fields.
	g, err := formica.ReadState(got, b)
	if err != nil {
		return fmt.Sprintf("  the engine's state does not decode: %v", err)
	}
	w, err := formica.ReadState(want, b)
	if err != nil {
		return fmt.Sprintf("  the reference's state does not decode: %v", err)
	}
	var c checker
	c.same("seed", g.Seed, w.Seed)
	c.same("tick", g.Tick, w.Tick)
	c.same("phase", g.Phase, w.Phase)
	c.same("event", g.Event, w.Event)
	c.same("rain", g.Rain, w.Rain)
	for cell := range w.Food {
		at := fmt.Sprintf(" of cell %d at %v", cell, b.Hexes[cell])
		c.same("food"+at, g.Food[cell], w.Food[cell])
		c.same("cap"+at, g.Cap[cell], w.Cap[cell])
		c.same("owner"+at, g.Owner[cell], w.Owner[cell])
		c.same("stamp"+at, g.Stamp[cell], w.Stamp[cell])
	}
	for seat := range w.Colonies {
		x, y := g.Colonies[seat], w.Colonies[seat]
		of := fmt.Sprintf(" of seat %d", seat)
		c.same("known nests"+of, x.Known, y.Known)
		c.same("ants"+of, len(x.Ants), len(y.Ants))
		for i := range min(len(x.Ants), len(y.Ants)) {
			c.same(fmt.Sprintf("ant %d%s", i, of), fmt.Sprintf("%+v", x.Ants[i]), fmt.Sprintf("%+v", y.Ants[i]))
		}
		for cell := range y.Trail {
			c.same(fmt.Sprintf("trail%s on cell %d at %v", of, cell, b.Hexes[cell]), x.Trail[cell], y.Trail[cell])
		}
		x.Known, x.Ants, x.Trail, y.Known, y.Ants, y.Trail = nil, nil, nil, nil, nil, nil
		c.same("colony"+of, fmt.Sprintf("%+v", x), fmt.Sprintf("%+v", y))
	}
	if len(c.diffs) > 40 {
		c.diffs = slices.Concat(c.diffs[:40], []string{fmt.Sprintf("and %d more", len(c.diffs)-40)})
	}
	return "  " + strings.Join(c.diffs, "\n  ")
}
