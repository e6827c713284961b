package formica

import "slices"

// A Role is an ant's work.
type Role uint8

// The roles, in the order of squads everywhere.
const (
	RoleForage Role = iota
	RoleDefense
	RoleExpansion
	RoleRaid
	RoleBuild
	NumRoles = 5
)

// RoleNames are the words of the roles.
var RoleNames = [NumRoles]string{"forage", "defense", "expansion", "raid", "build"}

// Nobody owns a cell that no colony ever took.
const Nobody = 255

// A State is everything that is true of a board while a command phase waits
// for orders, or at the end. It is the common language of the engines: two
// engines agree when the encodings are equal bytes.
type State struct {
	Seed  uint64 // of the episode, see Config.EpisodeSeed
	Tick  int32  // ticks played
	Phase int32  // command phases answered; the number of the one that waits
	// Event is what came at this tick. A phase waits because Tick is a
	// multiple of CommandEvery, or because Event is a locust.
	Event Event
	Rain  uint8 // ticks of rain left
	// Food and Cap are per cell: food on it, and the most that it regrows to.
	// Cap is 0 off the patches.
	Food, Cap []uint8
	// Owner and Stamp are per cell: who took it last (a seat or Nobody), and
	// the tick of the last visit. The cell is held while
	// Tick - Stamp <= HoldTicks, except by the dead, whose cells still lapse
	// on the board but count no more.
	Owner []uint8
	Stamp []int16
	// Colonies is per seat.
	Colonies []Colony
}

// A Colony is one seat.
type Colony struct {
	Home     uint8 // direction of the nest at the start: the colony's name in draws, and its direction 0
	Alive    bool
	DiedAt   int32  // tick in which it died, or -1
	Nest     uint16 // cell
	Food     int32  // stored; frozen at death
	Frozen   int32  // cells held at death; 0 while alive
	Upkeep   int32  // ant-ticks not paid yet
	Chambers uint8
	Dig      uint8 // digs towards the next chamber
	// Order is latched. Its Target is the cell that the nest is on its way to,
	// NoCell once that has ended; MoveWait is the ticks until its next hex.
	Order    Order
	MoveWait uint8
	Known    []Known  // per seat: the latched nests of rivals
	Ants     []Ant    // in index order, at most AntSlots
	Trail    []uint16 // pheromone per cell, at most MaxPheromone
}

// Known is where a colony last saw a rival's nest.
type Known struct {
	Cell int32 // or NoCell
	Seen int32 // tick in which it was seen last; 0 without a cell
}

// An Ant is one ant. Its index in Colony.Ants is its id for one tick.
type Ant struct {
	Cell    uint16
	Role    Role
	Carry   uint8 // food
	Heading uint8 // board direction of its last step, or where it looks
	// Trip of a forager counts ticks without food since it was at the nest, up
	// to FruitlessTicks, when it goes home. Of a raider it is 0 until the touch
	// and FruitlessTicks after. Of others 0.
	Trip uint8
}

// Clone is a deep copy.
func (s *State) Clone() *State {
	c := *s
	c.Food, c.Cap = slices.Clone(s.Food), slices.Clone(s.Cap)
	c.Owner, c.Stamp = slices.Clone(s.Owner), slices.Clone(s.Stamp)
	c.Colonies = slices.Clone(s.Colonies)
	for i := range c.Colonies {
		k := &c.Colonies[i]
		k.Known, k.Ants, k.Trail = slices.Clone(k.Known), slices.Clone(k.Ants), slices.Clone(k.Trail)
	}
	return &c
}

// NewState is the state after a reset: the layout's nests and patches at their
// caps, every colony with StartAnts ants on its nest, in the roles that the
// default order gives (index order: foragers, defenders, expanders), ant i
// looking in direction (Home+i) mod 6, and the nest's cell stamped. seed is
// Config.EpisodeSeed's.
func NewState(c *Config, b *Board, seed uint64) *State {
	l := c.Layout(b, seed)
	s := &State{
		Seed: seed, Cap: l.Cap, Food: slices.Clone(l.Cap),
		Owner: make([]uint8, b.Cells), Stamp: make([]int16, b.Cells), Colonies: make([]Colony, b.Players),
	}
	for cell := range s.Owner {
		s.Owner[cell] = Nobody
	}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		*k = Colony{
			Home: uint8(l.Home[seat]), Alive: true, DiedAt: -1, Nest: uint16(l.Nest[seat]), Food: int32(c.StartFood),
			Order: DefaultOrder(), Known: make([]Known, b.Players), Trail: make([]uint16, b.Cells),
		}
		for i := range k.Known {
			k.Known[i].Cell = NoCell
		}
		for role, n := range k.Order.Targets(c.StartAnts) {
			for range n {
				heading := (l.Home[seat] + len(k.Ants)) % Directions
				k.Ants = append(k.Ants, Ant{Cell: k.Nest, Role: Role(role), Heading: uint8(heading)})
			}
		}
		s.Owner[k.Nest] = uint8(seat)
	}
	return s
}

// Done tells whether the last tick is played.
func (s *State) Done(c *Config) bool { return int(s.Tick) >= c.MaxTicks }

// Holds tells whether a seat holds a cell.
func (s *State) Holds(c *Config, seat, cell int) bool {
	return int(s.Owner[cell]) == seat && int(s.Tick)-int(s.Stamp[cell]) <= c.HoldTicks
}

// Territory is the number of cells that a seat holds; at death it freezes.
func (s *State) Territory(c *Config, seat int) int {
	if !s.Colonies[seat].Alive {
		return int(s.Colonies[seat].Frozen)
	}
	n := 0
	for cell := range s.Owner {
		if s.Holds(c, seat, cell) {
			n++
		}
	}
	return n
}

// Score2 is a seat's doubled score as it stands: what it would be if this were
// the final tick.
func (s *State) Score2(c *Config, seat int) int32 {
	k := &s.Colonies[seat]
	score := c.Score2Food*int(k.Food) + c.Score2Cell*s.Territory(c, seat)
	if k.Alive {
		score += c.Score2Alive
	}
	return int32(score)
}

// CanRelocate tells whether a seat's colony may set out for a cell: alive,
// RelocateMinFood in store, the cell own-held, no patch cell, and 1 to
// RelocateRange hexes from the nest.
func (s *State) CanRelocate(c *Config, g *Geometry, seat, cell int) bool {
	k := &s.Colonies[seat]
	if !k.Alive || int(k.Food) < c.RelocateMinFood || s.Cap[cell] > 0 || !s.Holds(c, seat, cell) {
		return false
	}
	d := g.Distance(int(k.Nest), cell)
	return d >= 1 && d <= c.RelocateRange
}
