// The symmetry of a contest map, which need not be a translation: how each
// seat's board is turned and mirrored against seat 0's, and the food sets that
// follow from it.

package ants

import (
	"slices"
)

// An Orientation says where a seat sees what seat 0 sees from its first hill:
// the cell at offset (r, c) from seat 0's first hill is like the cell at
// Aim.Apply(r, c) from Hill.
type Orientation struct {
	Hill int32
	Aim  Aim
}

// An Aim is one of the eight ways to turn and mirror a square: 0 (r,c),
// 1 (-r,c), 2 (r,-c), 3 (-r,-c), 4 (c,r), 5 (-c,r), 6 (c,-r), 7 (-c,-r).
type Aim uint8

// NumAims is the number of aims.
const NumAims Aim = 8

// Apply turns an offset.
func (a Aim) Apply(r, c int) (int, int) {
	if a >= 4 {
		r, c = c, r
	}
	if a&1 != 0 {
		r = -r
	}
	if a&2 != 0 {
		c = -c
	}
	return r, c
}

// MaxOrientationLists bounds how many combinations of orientations are looked
// at. Real maps have a handful; a bare board of ten seats can have millions.
const MaxOrientationLists = 1 << 16

// ContestOrientations lists the symmetries of a map as the contest's engine
// finds them: each list has one orientation a seat, seat 0's being its first
// hill with aim 0. A list counts if every seat's board looks like seat 0's
// (water like water, own hills like own hills, others' like others') and the
// orientations map the set of images of one cell onto itself. An aim of 4 or
// more needs a square board. Empty for a map without such a symmetry, or whose
// seats have unequally many hills or none. Each seat's first hill is the one
// of the smallest cell.
func (m *Map) ContestOrientations() [][]Orientation {
	var lists [][]Orientation
	m.eachOrientation(func(list []Orientation) bool {
		lists = append(lists, slices.Clone(list))
		return true
	})
	return lists
}

// ContestSets lists the contest's food sets under the first of the map's
// ContestOrientations: the images of a cell, water cells included, out if the
// cell is a hill or if an image lies at squared distance 1 from the smallest.
// The error is a *MapError with CodeAsymmetric.
func (m *Map) ContestSets() (*SetList, error) { return m.contestSets(nil) }

// ContestVisibleSets lists the sets that the contest's starting food near the
// hills is drawn from: those of ContestSets with one image for every seat and
// a cell that an ant could walk to from a hill without leaving the hill's view
// radius.
func (m *Map) ContestVisibleSets(viewRadius2 int) (*SetList, error) {
	return m.contestSets(m.hillSurroundings(viewRadius2))
}

// seatHills is each seat's hills, ascending.
func (m *Map) seatHills() [][]int32 {
	hills := make([][]int32, m.Players)
	for _, h := range m.Hills {
		hills[h.Owner] = append(hills[h.Owner], h.Cell)
	}
	for _, own := range hills {
		slices.Sort(own)
	}
	return hills
}

// eachOrientation calls visit with each valid list until it returns false. The
// list is the caller's only during the call. Lists come in the contest's
// order: by the last seat's hill and aim, then by the seat's before it.
func (m *Map) eachOrientation(visit func([]Orientation) bool) {
	hills := m.seatHills()
	if len(hills[0]) == 0 {
		return
	}
	owner := make([]int8, len(m.Water))
	for c := range owner {
		owner[c] = -1
	}
	for _, h := range m.Hills {
		owner[h.Cell] = int8(h.Owner)
	}
	origin := hills[0][0]
	options := make([][]Orientation, m.Players)
	options[0] = []Orientation{{Hill: origin}}
	for seat := 1; seat < m.Players; seat++ {
		if len(hills[seat]) != len(hills[0]) {
			return
		}
		for _, hill := range hills[seat] {
			for aim := range NumAims {
				o := Orientation{hill, aim}
				if m.looksLike(origin, o, owner, int8(seat)) {
					options[seat] = append(options[seat], o)
				}
			}
		}
		if len(options[seat]) == 0 {
			return
		}
	}
	pick := make([]int, m.Players)
	list := make([]Orientation, m.Players)
	for range MaxOrientationLists {
		for seat, i := range pick {
			list[seat] = options[seat][i]
		}
		if m.closed(origin, list) && !visit(list) {
			return
		}
		seat := 1
		for ; seat < m.Players; seat++ {
			if pick[seat]++; pick[seat] < len(options[seat]) {
				break
			}
			pick[seat] = 0
		}
		if seat == m.Players {
			return
		}
	}
}

// looksLike tells whether the seat sees from o what seat 0 sees from origin.
func (m *Map) looksLike(origin int32, o Orientation, owner []int8, seat int8) bool {
	if o.Aim >= 4 && m.Rows != m.Cols {
		return false
	}
	for r := range m.Rows {
		for c := range m.Cols {
			from := m.offset(origin, r, c)
			to := m.image(o, r, c)
			if m.Water[from] != m.Water[to] {
				return false
			}
			a, b := owner[from], owner[to]
			switch {
			case a < 0 && b >= 0, a == 0 && b != seat, a > 0 && (b < 0 || b == seat):
				return false
			}
		}
	}
	return true
}

// closed tells whether each orientation maps the images of the cell at offset
// (1, 2), which no aim keeps in place, onto themselves.
func (m *Map) closed(origin int32, list []Orientation) bool {
	images := m.images(list, 1, 2)
	for _, o := range list {
		for _, c := range images {
			r := int(c)/m.Cols - int(origin)/m.Cols
			col := int(c)%m.Cols - int(origin)%m.Cols
			if _, ok := slices.BinarySearch(images, m.image(o, r, col)); !ok {
				return false
			}
		}
	}
	return true
}

// offset is the cell at an offset from another.
func (m *Map) offset(cell int32, r, c int) int32 {
	return int32(wrap(int(cell)/m.Cols+r, m.Rows)*m.Cols + wrap(int(cell)%m.Cols+c, m.Cols))
}

// image is the cell that an orientation puts an offset on.
func (m *Map) image(o Orientation, r, c int) int32 {
	r, c = o.Aim.Apply(r, c)
	return m.offset(o.Hill, r, c)
}

// images is the cells that a list puts an offset on, ascending, each once.
func (m *Map) images(list []Orientation, r, c int) []int32 {
	cells := make([]int32, 0, len(list))
	for _, o := range list {
		cells = append(cells, m.image(o, r, c))
	}
	slices.Sort(cells)
	return slices.Compact(cells)
}

func (m *Map) contestSets(within []bool) (*SetList, error) {
	var list []Orientation
	m.eachOrientation(func(first []Orientation) bool {
		list = slices.Clone(first)
		return false
	})
	if list == nil {
		return nil, mapErrorf(CodeAsymmetric, "no symmetry carries seat 0's board to every other seat's")
	}
	skip := make([]bool, len(m.Water))
	for _, h := range m.Hills {
		skip[h.Cell] = true
	}
	var found [][]int32
	origin := list[0].Hill
	for cell := range int32(len(m.Water)) {
		if skip[cell] || within != nil && !within[cell] {
			continue
		}
		cells := m.images(list, int(cell)/m.Cols-int(origin)/m.Cols, int(cell)%m.Cols-int(origin)%m.Cols)
		tooClose := slices.ContainsFunc(cells[1:], func(c int32) bool { return m.Distance2(cells[0], c) == 1 })
		if tooClose || within != nil && len(cells) != m.Players {
			continue
		}
		for _, c := range cells {
			skip[c] = true
		}
		found = append(found, cells)
	}
	// A set whose smallest cell is outside within is found late.
	slices.SortFunc(found, func(a, b []int32) int { return int(a[0] - b[0]) })
	sets := &SetList{Starts: []int32{0}}
	for _, cells := range found {
		sets.Cells = append(sets.Cells, cells...)
		sets.Starts = append(sets.Starts, int32(len(sets.Cells)))
	}
	return sets, nil
}

// hillSurroundings is the land around hills that an ant could reach without
// leaving its hill's view radius. The walk around one hill does not go through
// land that belongs to a hill before it; hills go by seat, seats by their
// first hill in row-major order.
func (m *Map) hillSurroundings(viewRadius2 int) []bool {
	seats := slices.DeleteFunc(m.seatHills(), func(own []int32) bool { return len(own) == 0 })
	slices.SortFunc(seats, func(a, b []int32) int { return int(a[0] - b[0]) })
	within := make([]bool, len(m.Water))
	for _, hill := range slices.Concat(seats...) {
		within[hill] = true
		queue := []int32{hill}
		for len(queue) > 0 {
			c := queue[0]
			queue = queue[1:]
			for a := North; a < Stay; a++ {
				n := m.Neighbour(c, a)
				if !within[n] && !m.Water[n] && m.Distance2(hill, n) <= viewRadius2 {
					within[n] = true
					queue = append(queue, n)
				}
			}
		}
	}
	return within
}
