package ants

import (
	"slices"

	"github.com/myriant-rl/myriant/env"
)

// Food, by source:
//
// FoodSets. Each turn Extra grows by Rate*seats, and Extra/Period food is due.
// Whole sets are taken from the walk while the next fits in what is due; their
// cells join the pending queue in ascending order, and Extra pays Period for
// each. Then each pending cell, in queue order, gets its food if it is free:
// land, no food, no ant and no hill of the map, standing or razed. The others
// wait.
//
// The walk goes through the sets in the order that ShuffleSets gives for the
// rotation, from Cursor. When Cursor passes the last set, the rotation number
// grows by one and Cursor is 0, at once: it is always a valid index, or 0 on a
// map without sets.
//
// FoodSetsOverWater. The same with the sets of the map's own symmetry, which
// hold water cells too: those are charged like others and dropped instead of
// joining the queue. It draws its starting food too, see food_start.go.
//
// FoodTopUp. Each turn, while the food on the board and the size of the next
// set together are at most the map's target, the next set of the same walk is
// taken. Its food is placed if every cell of it is free, else the set is
// skipped. A turn looks at each set at most once: it stops after as many sets
// as the map has. Nothing is ever pending.
//
// FoodScripted. The cells given for the turn get food if they are free; the
// others are dropped.

// Stream constants of the hidden rate, of the set order and of hill ties.
const (
	rateStream = 0xF00D5EEDA11E2C1D
	setStream  = 0x5E75C0DE00000000
	tieStream  = 0x7135A11E00C0FFEE
)

// Bounds of the hidden rate.
const (
	minRate, maxRate     = 5, 11
	minPeriod, maxPeriod = 19, 37
)

// FoodRate draws the hidden rate of an episode: each turn Rate*seats is due,
// and a food costs Period.
func FoodRate(seed uint64) (rate, period int32) {
	rng := env.RNG(seed ^ rateStream)
	rate = minRate + int32(rng.Below(maxRate-minRate+1))
	period = minPeriod + int32(rng.Below(maxPeriod-minPeriod+1))
	return rate, period
}

// TieSeed is the start of an episode's hill tie generator.
func TieSeed(seed uint64) env.RNG { return env.RNG(seed ^ tieStream) }

// ShuffleSets writes the order in which rotation k of an episode walks n sets
// into dst[:n], which it returns.
func ShuffleSets(dst []uint16, n int, seed uint64, rotation int64) []uint16 {
	dst = dst[:n]
	for i := range dst {
		dst[i] = uint16(i)
	}
	rng := env.RNG(seed ^ setStream ^ uint64(rotation))
	for i := n - 1; i > 0; i-- {
		j := rng.Below(uint64(i + 1))
		dst[i], dst[j] = dst[j], dst[i]
	}
	return dst
}

// A SetList is the food sets of a map: set i is Cells[Starts[i]:Starts[i+1]],
// ascending. Sets are in order of their smallest cells. Shared between boards.
type SetList struct {
	Starts []int32
	Cells  []int32
}

// Len is the number of sets.
func (l *SetList) Len() int { return len(l.Starts) - 1 }

// Set is the cells of set i, ascending.
func (l *SetList) Set(i int) []int32 { return l.Cells[l.Starts[i]:l.Starts[i+1]] }

// Sets lists the food sets of a map under its translation symmetry: the orbits
// of its cells, out if any member is water or a hill, or if a member lies at
// squared distance 1 from the smallest. A map without a translation has none.
func (m *Map) Sets() *SetList {
	list := &SetList{Starts: []int32{0}}
	if m.Symmetry == nil {
		return list
	}
	hill := make([]bool, m.Rows*m.Cols)
	for _, h := range m.Hills {
		hill[h.Cell] = true
	}
	seen := make([]bool, m.Rows*m.Cols)
	for cell := range int32(m.Rows * m.Cols) {
		if seen[cell] {
			continue
		}
		orbit := []int32{cell}
		ok := !m.Water[cell] && !hill[cell]
		seen[cell] = true
		for next := m.shift(cell); next != cell; next = m.shift(next) {
			seen[next] = true
			orbit = append(orbit, next)
			ok = ok && !m.Water[next] && !hill[next] && m.Distance2(cell, next) != 1
		}
		if ok {
			slices.Sort(orbit)
			list.Cells = append(list.Cells, orbit...)
			list.Starts = append(list.Starts, int32(len(list.Cells)))
		}
	}
	return list
}

// FoodSets lists the food sets that a food source of the rules takes from. The
// list is empty for sources without sets and for maps without the symmetry
// that the source needs.
func (m *Map) FoodSets(r *Rules) *SetList {
	switch r.Food {
	case FoodSets, FoodTopUp:
		return m.Sets()
	case FoodSetsOverWater:
		if sets, err := m.ContestSets(); err == nil {
			return sets
		}
	}
	return &SetList{Starts: []int32{0}}
}

// NearSets lists those of FoodSets that StartFood begins with; only
// FoodSetsOverWater has any.
func (m *Map) NearSets(r *Rules) *SetList {
	if r.Food == FoodSetsOverWater {
		if sets, err := m.ContestVisibleSets(r.ViewRadius2); err == nil {
			return sets
		}
	}
	return &SetList{Starts: []int32{0}}
}

func (m *Map) shift(cell int32) int32 {
	r := (int(cell)/m.Cols + m.Symmetry.DR) % m.Rows
	c := (int(cell)%m.Cols + m.Symmetry.DC) % m.Cols
	return int32((r+m.Rows)%m.Rows*m.Cols + (c+m.Cols)%m.Cols)
}

// Distance2 is the squared distance of two cells on the torus.
func (m *Map) Distance2(a, b int32) int {
	dr := abs(int(a)/m.Cols - int(b)/m.Cols)
	dc := abs(int(a)%m.Cols - int(b)%m.Cols)
	dr = min(dr, m.Rows-dr)
	dc = min(dc, m.Cols-dc)
	return dr*dr + dc*dc
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}
