package kernel

import (
	"fmt"
	"slices"
)

// Seats says who plays each seat, and who is observed.
type Seats struct {
	Player  []uint8 // [board][seat]: 0 the caller, else 1 + index of a native policy
	Callers bool    // some seat is the caller's
	Observe []int   // observed seats, ascending
	Axis    []int   // per seat: its index in Observe, or -1
}

// NewSeats works the seats out: on says how many a board has, largest is the
// most, find looks a native policy up by name.
func NewSeats(cfg *Config, largest int, on func(board int) int, find func(name string) (int, error)) (Seats, error) {
	boards := len(cfg.MapOf)
	s := Seats{Player: make([]uint8, boards*largest)}
	caller := make([]bool, largest)
	for b := range boards {
		var names []string
		if len(cfg.Policies) > 0 {
			names = cfg.Policies[b]
		}
		for seat := range on(b) {
			if seat >= len(names) || names[seat] == "" {
				caller[seat], s.Callers = true, true
				continue
			}
			i, err := find(names[seat])
			if err != nil {
				return s, fmt.Errorf("board %d seat %d: %w", b, seat, err)
			}
			s.Player[b*largest+seat] = uint8(i + 1)
		}
	}
	s.Observe = slices.Clone(cfg.Observe)
	if cfg.Observe == nil {
		for seat, c := range caller {
			if c {
				s.Observe = append(s.Observe, seat)
			}
		}
	}
	return s, s.index(caller)
}

// index fills Axis. The observed seats must be ascending, on some board, and
// all those that the caller plays.
func (s *Seats) index(caller []bool) error {
	s.Axis = make([]int, len(caller))
	for seat := range s.Axis {
		s.Axis[seat] = -1
	}
	for i, seat := range s.Observe {
		if seat < 0 || seat >= len(s.Axis) {
			return fmt.Errorf("observed seat %d: the largest board has %d seats", seat, len(s.Axis))
		}
		if i > 0 && seat <= s.Observe[i-1] {
			return fmt.Errorf("observed seats %v are not ascending", s.Observe)
		}
		s.Axis[seat] = i
	}
	for seat, c := range caller {
		if c && s.Axis[seat] < 0 {
			return fmt.Errorf("seat %d is left to the caller but not observed", seat)
		}
	}
	return nil
}
