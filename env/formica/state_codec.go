// The canonical encoding of a state and what a decoded one must satisfy.

package formica

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/internal/wire"
)

const stateVersion = 1

// Append appends the canonical encoding: a version byte, then little-endian
// fixed-width fields in declaration order. Lists per cell, per seat and per
// role have the board's length and no prefix; Ants follow a uint8 count.
//
//	version u8, seats u8, radius u8, Seed u64, Tick i32, Phase i32, Event u8, Rain u8,
//	Food u8[cells], Cap u8[cells], Owner u8[cells], Stamp i16[cells],
//	per seat: Home u8, Alive u8, DiedAt i32, Nest u16, Food i32, Frozen i32,
//	  Upkeep i32, Chambers u8, Dig u8, Order (Order.Append), MoveWait u8,
//	  per seat: Known.Cell u16, Known.Seen i32,
//	  ants u8, per ant: Cell u16, Role u8, Carry u8, Heading u8, Trip u8,
//	  Trail u16[cells]
//
// with 0xFFFF for NoCell.
func (s *State) Append(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, stateVersion, uint8(len(s.Colonies)), uint8(radiusOf(len(s.Food))))
	dst = le.AppendUint64(dst, s.Seed)
	dst = le.AppendUint32(dst, uint32(s.Tick))
	dst = le.AppendUint32(dst, uint32(s.Phase))
	dst = append(dst, uint8(s.Event), s.Rain)
	dst = append(dst, s.Food...)
	dst = append(dst, s.Cap...)
	dst = append(dst, s.Owner...)
	for _, v := range s.Stamp {
		dst = le.AppendUint16(dst, uint16(v))
	}
	for i := range s.Colonies {
		k := &s.Colonies[i]
		dst = append(dst, k.Home, boolByte(k.Alive))
		dst = le.AppendUint32(dst, uint32(k.DiedAt))
		dst = le.AppendUint16(dst, k.Nest)
		dst = le.AppendUint32(dst, uint32(k.Food))
		dst = le.AppendUint32(dst, uint32(k.Frozen))
		dst = le.AppendUint32(dst, uint32(k.Upkeep))
		dst = append(dst, k.Chambers, k.Dig)
		dst = k.Order.Append(dst)
		dst = append(dst, k.MoveWait)
		for _, n := range k.Known {
			dst = le.AppendUint16(dst, uint16(n.Cell))
			dst = le.AppendUint32(dst, uint32(n.Seen))
		}
		dst = append(dst, uint8(len(k.Ants)))
		for _, a := range k.Ants {
			dst = le.AppendUint16(dst, a.Cell)
			dst = append(dst, uint8(a.Role), a.Carry, a.Heading, a.Trip)
		}
		for _, v := range k.Trail {
			dst = le.AppendUint16(dst, v)
		}
	}
	return dst
}

// radiusOf is the radius of a board of that many cells.
func radiusOf(cells int) int {
	for radius := 0; ; radius++ {
		if 3*radius*(radius+1)+1 >= cells {
			return radius
		}
	}
}

// DecodeState reads an encoding made by Append for the same board and rule
// set, and validates it. Errors wrap env.ErrState and name the field.
func DecodeState(data []byte, c *Config, b *Board) (*State, error) {
	s, err := ReadState(data, b)
	if err != nil {
		return nil, err
	}
	return s, s.Validate(c, b)
}

// ReadState is DecodeState without Validate: the fields as they are.
func ReadState(data []byte, b *Board) (*State, error) {
	d := wire.Reader{Data: data}
	for _, head := range []struct {
		what string
		want int
	}{{"version", stateVersion}, {"seats", b.Players}, {"radius", b.Radius}} {
		if got := int(d.U8(head.what)); d.Err == nil && got != head.want {
			return nil, fmt.Errorf("%w: %s is %d, want %d", env.ErrState, head.what, got, head.want)
		}
	}
	s := &State{Seed: d.U64("seed"), Tick: d.I32("tick"), Phase: d.I32("phase"), Event: Event(d.U8("event")), Rain: d.U8("rain")}
	s.Food, s.Cap, s.Owner = slices.Clone(d.Take("food", b.Cells)), slices.Clone(d.Take("cap", b.Cells)), slices.Clone(d.Take("owner", b.Cells))
	for _, v := range d.U16s("stamp", b.Cells) {
		s.Stamp = append(s.Stamp, int16(v))
	}
	for range b.Players {
		k := Colony{Home: d.U8("home"), Alive: d.Flag("alive"), DiedAt: d.I32("died at"), Nest: d.U16("nest")}
		k.Food, k.Frozen, k.Upkeep = d.I32("stored food"), d.I32("frozen territory"), d.I32("upkeep")
		k.Chambers, k.Dig = d.U8("chambers"), d.U8("dig")
		if order := slices.Clone(d.Take("order", OrderBytes)); order != nil {
			var err error
			if k.Order, err = DecodeOrder(order, b.Cells); err != nil {
				return nil, fmt.Errorf("%w: order of seat %d: %v", env.ErrState, len(s.Colonies), err)
			}
		}
		k.MoveWait = d.U8("move wait")
		for range b.Players {
			k.Known = append(k.Known, Known{Cell: readCell(&d, "known nest"), Seen: d.I32("seen tick")})
		}
		n := int(d.U8("ants"))
		if d.Err == nil && n > AntSlots {
			return nil, fmt.Errorf("%w: %d ants of seat %d, at most %d", env.ErrState, n, len(s.Colonies), AntSlots)
		}
		for range n {
			k.Ants = append(k.Ants, Ant{Cell: d.U16("ant"), Role: Role(d.U8("role")), Carry: d.U8("carry"), Heading: d.U8("heading"), Trip: d.U8("trip")})
		}
		k.Trail = d.U16s("trail", b.Cells)
		s.Colonies = append(s.Colonies, k)
	}
	if d.Err != nil {
		return nil, d.Err
	}
	if d.Off != len(data) {
		return nil, fmt.Errorf("%w: %d bytes after the end", env.ErrState, len(data)-d.Off)
	}
	return s, nil
}

// Validate tells whether play can go on from the state: a phase waits or the
// end is reached, every cell is on the board, every count within the rule
// set's bounds, no food on the nests of the living, and the dead have nothing.
// Errors wrap env.ErrState.
func (s *State) Validate(c *Config, b *Board) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", env.ErrState, fmt.Sprintf(format, a...))
	}
	if len(s.Food) != b.Cells || len(s.Cap) != b.Cells || len(s.Owner) != b.Cells || len(s.Stamp) != b.Cells || len(s.Colonies) != b.Players {
		return bad("lists of %d, %d, %d, %d cells and %d colonies on a board of %d and %d",
			len(s.Food), len(s.Cap), len(s.Owner), len(s.Stamp), len(s.Colonies), b.Cells, b.Players)
	}
	switch {
	case s.Tick < 0 || int(s.Tick) > c.MaxTicks:
		return bad("tick %d of %d", s.Tick, c.MaxTicks)
	case s.Phase < 0 || s.Phase > s.Tick:
		return bad("phase %d at tick %d", s.Phase, s.Tick)
	case s.Event > EventClear:
		return bad("event %d", s.Event)
	case s.Done(c) && s.Event != EventNone:
		return bad("event %s after the last tick", s.Event)
	case int(s.Rain) > c.RainTicks:
		return bad("%d ticks of rain, at most %d", s.Rain, c.RainTicks)
	case !s.Done(c) && int(s.Tick)%c.CommandEvery != 0 && s.Event != EventLocust:
		return bad("no phase waits at tick %d", s.Tick)
	}
	for cell := range b.Cells {
		if s.Food[cell] > s.Cap[cell] {
			return bad("%d food on cell %d, cap %d", s.Food[cell], cell, s.Cap[cell])
		}
		if owner := s.Owner[cell]; owner != Nobody && int(owner) >= b.Players {
			return bad("cell %d owned by seat %d of %d", cell, owner, b.Players)
		} else if owner == Nobody && s.Stamp[cell] != 0 {
			return bad("stamp %d on cell %d, which nobody owns", s.Stamp[cell], cell)
		}
		if stamp := int32(s.Stamp[cell]); stamp < 0 || stamp > s.Tick {
			return bad("stamp %d on cell %d at tick %d", stamp, cell, s.Tick)
		}
	}
	for seat := range s.Colonies {
		if err := s.validateColony(c, b, seat); err != nil {
			return bad("seat %d: %v", seat, err)
		}
	}
	return nil
}

func (s *State) validateColony(c *Config, b *Board, seat int) error {
	k := &s.Colonies[seat]
	inside := func(cell int32) bool { return cell >= 0 && int(cell) < b.Cells }
	for other := range s.Colonies {
		o := &s.Colonies[other]
		if other != seat && o.Home == k.Home {
			return fmt.Errorf("home direction %d is seat %d's too", k.Home, other)
		}
		if other != seat && k.Alive && o.Alive && o.Nest == k.Nest {
			return fmt.Errorf("nest on cell %d is seat %d's too", k.Nest, other)
		}
	}
	if len(k.Known) != b.Players || len(k.Trail) != b.Cells {
		return fmt.Errorf("%d known nests and %d trail cells", len(k.Known), len(k.Trail))
	}
	switch {
	case k.Home >= Directions:
		return fmt.Errorf("home direction %d", k.Home)
	case !inside(int32(k.Nest)):
		return fmt.Errorf("nest on cell %d of a board of %d", k.Nest, b.Cells)
	case k.Alive && s.Cap[k.Nest] > 0:
		return fmt.Errorf("nest on food cell %d", k.Nest)
	case k.Food < 0 || k.Food > MaxFood:
		return fmt.Errorf("%d food", k.Food)
	case k.Upkeep < 0 || int(k.Upkeep) >= c.UpkeepPerFood:
		return fmt.Errorf("upkeep %d, want below %d", k.Upkeep, c.UpkeepPerFood)
	case int(k.Chambers) > c.MaxChambers:
		return fmt.Errorf("%d chambers, at most %d", k.Chambers, c.MaxChambers)
	case int(k.Dig) >= c.DigPerChamber+AntSlots:
		return fmt.Errorf("dig %d, want below %d", k.Dig, c.DigPerChamber+AntSlots)
	case len(k.Ants) > AntSlots:
		return fmt.Errorf("%d ants, at most %d", len(k.Ants), AntSlots)
	case k.Alive != (len(k.Ants) > 0):
		return fmt.Errorf("alive is %v with %d ants", k.Alive, len(k.Ants))
	case k.Alive && (k.DiedAt != -1 || k.Frozen != 0):
		return fmt.Errorf("alive, but died at %d with %d cells", k.DiedAt, k.Frozen)
	case !k.Alive && (k.DiedAt < 0 || k.DiedAt >= s.Tick || k.Frozen < 0 || int(k.Frozen) > b.Cells):
		return fmt.Errorf("died at %d with %d cells, at tick %d", k.DiedAt, k.Frozen, s.Tick)
	case k.Order.Mode >= NumModes || int(k.Order.Alloc[0])+int(k.Order.Alloc[1])+int(k.Order.Alloc[2]) != AllocWhole:
		return fmt.Errorf("order %+v", k.Order)
	case k.Order.Target == NoCell && k.MoveWait != 0:
		return fmt.Errorf("waits %d ticks to move nowhere", k.MoveWait)
	case k.Order.Target != NoCell && (!inside(k.Order.Target) || !k.Alive || k.Order.Mode != ModeRelocate ||
		k.Order.Target == int32(k.Nest) || k.MoveWait < 1 || int(k.MoveWait) > c.RelocateEvery):
		return fmt.Errorf("moves to cell %d in %d ticks", k.Order.Target, k.MoveWait)
	}
	for other, n := range k.Known {
		none := n.Cell == NoCell
		switch {
		case none && n.Seen != 0, !none && !inside(n.Cell), n.Seen < 0 || n.Seen > s.Tick:
			return fmt.Errorf("nest of seat %d known on cell %d at tick %d", other, n.Cell, n.Seen)
		case !none && (other == seat || !s.Colonies[other].Alive || !k.Alive):
			return fmt.Errorf("nest of seat %d cannot be known", other)
		}
	}
	for i, a := range k.Ants {
		carries, trip := 0, 0
		switch a.Role {
		case RoleForage, RoleRaid:
			trip = c.FruitlessTicks
		}
		carries = max(c.Carry, c.StealMax, c.StealDefended)
		switch {
		case !inside(int32(a.Cell)):
			return fmt.Errorf("ant %d on cell %d of a board of %d", i, a.Cell, b.Cells)
		case a.Role >= NumRoles, a.Heading >= Directions, int(a.Carry) > carries, int(a.Trip) > trip:
			return fmt.Errorf("ant %d is %+v", i, a)
		case a.Role == RoleRaid && a.Trip != 0 && int(a.Trip) != c.FruitlessTicks:
			return fmt.Errorf("ant %d, a raider, has trip %d", i, a.Trip)
		}
	}
	for cell, v := range k.Trail {
		if v > MaxPheromone {
			return fmt.Errorf("pheromone %d on cell %d, at most %d", v, cell, MaxPheromone)
		}
	}
	return nil
}

// readCell reads a cell; 0xFFFF is NoCell.
func readCell(r *wire.Reader, what string) int32 {
	v := r.U16(what)
	if v == 0xFFFF {
		return NoCell
	}
	return int32(v)
}
