package formica

// An Observation is the command observation: exactly what one seat may know
// while a phase waits. Its JSON form is AppendJSON's; planes and scalars are
// made from the same fields. Lists of cells ascend.
type Observation struct {
	Phase     int32
	Kind      Kind
	Event     Event // EventLocust in an event phase, else EventNone
	Tick      int32
	MaxTicks  int
	BudgetMS  int // of this phase
	Slot      int
	Radius    int
	RainTicks int
	// Scores2 are the doubled scores of all seats as they stand; the JSON
	// halves them. Alive is public too.
	Scores2 []int32
	Alive   []bool
	Colony  ColonyView
	Ants    []AntView
	Food    []CellAmount // cells with food within FoodSight of an own ant
	Rivals  []RivalView  // rival ants within RivalSight of an own ant, by cell, slot, raiders last
	// Scent is every cell within ScentSight of an own ant, with ScentLevel of
	// the rivals' summed pheromone there.
	Scent         []CellAmount
	Pheromone     []CellAmount // own, where it is not 0
	Nests         []NestView   // latched, by slot
	Threat        int          // visible rival raiders within ThreatRange of the nest
	LegalRelocate []int32      // cells that State.CanRelocate

	// Homes is the direction of every seat's nest at the start: the order
	// around the board by which planes and scalars list the colonies. It is
	// public, and not part of the JSON message.
	Homes []uint8
}

// A Kind is why a phase waits.
type Kind uint8

// The kinds.
const (
	KindScheduled Kind = iota
	KindEvent
)

// KindNames are the words of the kinds.
var KindNames = [...]string{"scheduled", "event"}

// String is the kind's word.
func (k Kind) String() string { return KindNames[k] }

// A ColonyView is the own colony.
type ColonyView struct {
	Nest           int32
	FoodStored     int32
	Population     int
	PopCap         int
	Chambers       int
	Squads         [NumRoles]int
	Territory      []int32 // cells held; none once dead
	Freshness      []int32 // of each of those, the ticks that it stays held without a visit: HoldTicks + 1 after one
	TerritoryCells int     // their number; once dead, at death
	Order          Order   // latched
}

// An AntView is an own ant.
type AntView struct {
	ID    int // index, for this phase
	Cell  int32
	Role  Role
	Carry uint8
}

// A CellAmount is a cell and how much is there.
type CellAmount struct {
	Cell   int32
	Amount int32
}

// A RivalView is a rival's ant.
type RivalView struct {
	Cell   int32
	Slot   int
	Raider bool
}

// A NestView is a rival's nest where it was seen last.
type NestView struct {
	Slot     int
	Cell     int32
	SeenTick int32
}

// ScentLevel is the logarithmic level, 0..7, of a sum of pheromone: 0 for 0,
// else min(7, (bits+1)/2) for a number of that many bits.
func ScentLevel(sum int) int32 {
	bits := 0
	for ; sum > 0; sum >>= 1 {
		bits++
	}
	return int32(min(7, (bits+1)/2))
}
