package formica

import (
	"encoding/binary"
	"fmt"

	"github.com/myriant-rl/myriant/env"
)

// A Mode is what a colony is told to do.
type Mode uint8

// The modes.
const (
	ModeForage Mode = iota
	ModeRaid
	ModeBuild
	ModeRelocate
	NumModes = 4
)

// ModeNames are the words of the modes.
var ModeNames = [NumModes]string{"forage", "raid", "build", "relocate"}

// String is the mode's word.
func (m Mode) String() string { return ModeNames[m] }

// AllocWhole is the sum of an order's shares: basis points.
const AllocWhole = 10_000

// allocNames are the words of the shares in messages.
var allocNames = [3]string{"food", "defense", "expansion"}

// An Alloc is the shares of food, defense and expansion, summing to AllocWhole.
type Alloc [3]uint16

// An Order is one valid order.
type Order struct {
	Mode   Mode
	Alloc  Alloc
	Defend bool
	// Target is the cell to relocate to, or NoCell. Whether the colony may
	// relocate there is judged when the order is applied; a target that it may
	// not is ignored.
	Target int32
}

// DefaultOrder is the latch before the first order: forage, .6/.2/.2.
func DefaultOrder() Order {
	return Order{Mode: ModeForage, Alloc: Alloc{6000, 2000, 2000}, Target: NoCell}
}

// OrderBytes is the length of an encoded order.
const OrderBytes = 10

// Append appends the encoding that Engine.Step takes: mode (1 byte), the three
// shares (uint16 each), defend (0 or 1), the target cell (uint16, 0xFFFF for
// none), little endian.
func (o Order) Append(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, byte(o.Mode))
	for _, share := range o.Alloc {
		dst = le.AppendUint16(dst, share)
	}
	dst = append(dst, boolByte(o.Defend))
	return le.AppendUint16(dst, uint16(o.Target))
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// DecodeOrder reads an encoded order for a board of that many cells. Errors
// wrap env.ErrOrders and name the field.
func DecodeOrder(data []byte, cells int) (Order, error) {
	bad := func(format string, a ...any) (Order, error) {
		return Order{}, fmt.Errorf("%w: %s", env.ErrOrders, fmt.Sprintf(format, a...))
	}
	if len(data) != OrderBytes {
		return bad("order of %d bytes, want %d", len(data), OrderBytes)
	}
	le := binary.LittleEndian
	o := Order{Mode: Mode(data[0]), Defend: data[7] == 1, Target: int32(int16(le.Uint16(data[8:])))}
	if o.Mode >= NumModes {
		return bad("mode %d, want below %d", data[0], NumModes)
	}
	sum := 0
	for i := range o.Alloc {
		o.Alloc[i] = le.Uint16(data[1+2*i:])
		sum += int(o.Alloc[i])
	}
	if sum != AllocWhole {
		return bad("alloc sums to %d, want %d", sum, AllocWhole)
	}
	if data[7] > 1 {
		return bad("defend is %d, want 0 or 1", data[7])
	}
	if o.Target != NoCell && (o.Target < 0 || int(o.Target) >= cells) {
		return bad("target cell %d of a board of %d", le.Uint16(data[8:]), cells)
	}
	return o, nil
}

// DecodeOrders reads what all seats submit for a phase. A nil or empty entry,
// or one past the end of a short list, leaves ok false: that seat's latch
// stays. Errors wrap env.ErrOrders and name the seat and the field. Entries of
// seats that skip says yes to are not read; skip may be nil.
func DecodeOrders(orders [][]byte, seats, cells int, skip func(seat int) bool) (list []Order, ok []bool, err error) {
	if len(orders) > seats {
		return nil, nil, fmt.Errorf("%w: orders of %d seats on a board of %d", env.ErrOrders, len(orders), seats)
	}
	list, ok = make([]Order, seats), make([]bool, seats)
	for seat, data := range orders {
		if len(data) == 0 || skip != nil && skip(seat) {
			continue
		}
		if list[seat], err = DecodeOrder(data, cells); err != nil {
			return nil, nil, fmt.Errorf("seat %d: %w", seat, err)
		}
		ok[seat] = true
	}
	return list, ok, nil
}

// Split shares n among weights by largest remainder: floor(n*w/sum) each, then
// one more to the largest remainders, the earlier first. sum must be the sum
// of the weights and not 0.
func Split(n int, weights []int, sum int) []int {
	parts := make([]int, len(weights))
	rest := n
	for i, w := range weights {
		parts[i] = n * w / sum
		rest -= parts[i]
	}
	given := make([]bool, len(weights))
	for ; rest > 0; rest-- {
		best := -1
		for i, w := range weights {
			if !given[i] && (best < 0 || n*w%sum > n*weights[best]%sum) {
				best = i
			}
		}
		parts[best]++
		given[best] = true
	}
	return parts
}

// Targets are the ants that an order gives each role, of a population of n:
// Split by the shares, ties food before defense before expansion; then of F
// foragers (2F+3)/6 become raiders in raid mode, builders in build mode.
func (o Order) Targets(n int) [NumRoles]int {
	parts := Split(n, []int{int(o.Alloc[0]), int(o.Alloc[1]), int(o.Alloc[2])}, AllocWhole)
	t := [NumRoles]int{RoleForage: parts[0], RoleDefense: parts[1], RoleExpansion: parts[2]}
	special := (2*parts[0] + 3) / 6
	switch o.Mode {
	case ModeRaid:
		t[RoleRaid] = special
	case ModeBuild:
		t[RoleBuild] = special
	default:
		return t
	}
	t[RoleForage] -= special
	return t
}
