// A board under construction. Drawing on one cell draws on all its images
// under the translation, so the board is symmetric at every moment.

package ants

import (
	"slices"

	"github.com/myriant-rl/myriant/env"
)

type ground struct {
	*Map  // Rows, Cols, Players and Symmetry
	move  Shift
	water []bool     // Map.Water
	sides [][4]int32 // neighbours N, E, S, W
}

// newGround is all land.
func newGround(rows, cols, seats int, move Shift) *ground {
	m := &Map{Rows: rows, Cols: cols, Players: seats, Water: make([]bool, rows*cols), Symmetry: &move}
	g := &ground{Map: m, move: move, water: m.Water, sides: make([][4]int32, rows*cols)}
	for c := range g.sides {
		for a := North; a < Stay; a++ {
			g.sides[c][a] = m.Neighbour(int32(c), a)
		}
	}
	return g
}

// orbit is a cell and its images, one a seat.
func (g *ground) orbit(cell int32) []int32 {
	cells := make([]int32, 0, g.Players)
	for range g.Players {
		cells = append(cells, cell)
		cell = g.shift(cell)
	}
	return cells
}

// set makes a cell and its images water or land.
func (g *ground) set(cell int32, wet bool) {
	for range g.Players {
		g.water[cell] = wet
		cell = g.shift(cell)
	}
}

// fill sets the rectangle of h x w cells at (r, c).
func (g *ground) fill(r, c, h, w int, wet bool) {
	for i := range h {
		for j := range w {
			g.set(g.offset(0, r+i, c+j), wet)
		}
	}
}

// disc sets the cells within a squared radius.
func (g *ground) disc(cell int32, radius2 int, wet bool) {
	for _, c := range g.within(cell, radius2) {
		g.set(c, wet)
	}
}

// within is the cells within a squared radius of a cell, row by row,
// each once if the radius is under half the board.
func (g *ground) within(cell int32, radius2 int) []int32 {
	var cells []int32
	n := isqrt(radius2)
	for r := -n; r <= n; r++ {
		for c := -n; c <= n; c++ {
			if r*r+c*c <= radius2 {
				cells = append(cells, g.offset(cell, r, c))
			}
		}
	}
	return cells
}

// random is a uniform cell.
func (g *ground) random(rng *env.RNG) int32 { return int32(rng.Below(uint64(len(g.water)))) }

func (g *ground) wet() int {
	n := 0
	for _, w := range g.water {
		if w {
			n++
		}
	}
	return n
}

// regions labels the connected land, in order of smallest cells; water is -1.
// It returns the number of cells of each.
func (g *ground) regions() (label []int32, sizes []int) {
	label = make([]int32, len(g.water))
	for c := range label {
		label[c] = -1
	}
	for start := range int32(len(g.water)) {
		if g.water[start] || label[start] >= 0 {
			continue
		}
		id := int32(len(sizes))
		label[start] = id
		queue := []int32{start}
		for i := 0; i < len(queue); i++ {
			for _, n := range g.sides[queue[i]] {
				if !g.water[n] && label[n] < 0 {
					label[n] = id
					queue = append(queue, n)
				}
			}
		}
		sizes = append(sizes, len(queue))
	}
	return label, sizes
}

// connect makes the land one region: small ones become water, the others are
// joined along shortest ways, two cells wide.
func (g *ground) connect() {
	label, sizes := g.regions()
	largest := 0
	for _, n := range sizes {
		largest = max(largest, n)
	}
	for c, id := range label {
		if id >= 0 && sizes[id] < largest && sizes[id]*8 < largest {
			g.water[c] = true // its images are as small
		}
	}
	// Each round joins at least two regions and their images.
	for {
		label, sizes = g.regions()
		if len(sizes) < 2 {
			return
		}
		way := g.wayOut(label, 0)
		for _, c := range way {
			g.set(c, false)
			g.set(g.offset(c, 0, 1), false)
			g.set(g.offset(c, 1, 0), false)
		}
	}
}

// wayOut is a shortest way over water from one region to any other, without
// the land at its ends.
func (g *ground) wayOut(label []int32, from int32) []int32 {
	before := make([]int32, len(label))
	var queue []int32
	for c, id := range label {
		before[c] = -1
		if id == from {
			before[c] = int32(c)
			queue = append(queue, int32(c))
		}
	}
	for i := 0; i < len(queue); i++ {
		c := queue[i]
		if label[c] >= 0 && label[c] != from {
			var way []int32
			for c = before[c]; label[c] != from; c = before[c] {
				way = append(way, c)
			}
			return way
		}
		for _, n := range g.sides[c] {
			if before[n] < 0 {
				before[n] = c
				queue = append(queue, n)
			}
		}
	}
	panic("ants: no way out of a region that is not the only one")
}

// adjustWater grows or wears away water at its edges until about that share of
// the board is water.
func (g *ground) adjustWater(percent int, rng *env.RNG) {
	want := len(g.water) * percent / 100
	wet := g.wet()
	grow := wet < want
	// Every pass visits each cell once; one that changes nothing is the last.
	for changed := true; changed; {
		changed = false
		cells := g.shuffled(rng)
		for _, c := range cells {
			if grow && wet >= want || !grow && wet <= want {
				return
			}
			if g.water[c] == grow || wet > 0 && !g.edge(c) || grow && !g.spare(c) {
				continue
			}
			g.set(c, grow)
			changed = true
			if grow {
				wet += g.Players
			} else {
				wet -= g.Players
			}
		}
	}
}

// shuffled is one cell of every orbit in random order.
func (g *ground) shuffled(rng *env.RNG) []int32 {
	var cells []int32
	for c := range int32(len(g.water)) {
		if slices.Min(g.orbit(c)) == c {
			cells = append(cells, c)
		}
	}
	shuffle(cells, rng)
	return cells
}

func shuffle[T any](list []T, rng *env.RNG) {
	for i := len(list) - 1; i > 0; i-- {
		j := rng.Below(uint64(i + 1))
		list[i], list[j] = list[j], list[i]
	}
}

// edge tells whether a neighbour is of the other kind.
func (g *ground) edge(cell int32) bool {
	for _, n := range g.sides[cell] {
		if g.water[n] != g.water[cell] {
			return true
		}
	}
	return false
}

// ring is the eight cells around a cell, clockwise from the north.
func (g *ground) ring(cell int32) [8]int32 {
	return [8]int32{
		g.offset(cell, -1, 0), g.offset(cell, -1, 1), g.offset(cell, 0, 1), g.offset(cell, 1, 1),
		g.offset(cell, 1, 0), g.offset(cell, 1, -1), g.offset(cell, 0, -1), g.offset(cell, -1, -1),
	}
}

// spare tells whether a land cell can become water with all its images and the
// land around each still hangs together: the land on its four sides is joined
// within the eight cells around it. Images must not be in each other's ring.
func (g *ground) spare(cell int32) bool {
	for _, image := range g.orbit(cell)[1:] {
		if g.Distance2(cell, image) <= 8 {
			return false
		}
	}
	ring := g.ring(cell)
	sides, joints := 0, 0 // land sides, and pairs of them joined over the corner between
	for i := 0; i < 8; i += 2 {
		if g.water[ring[i]] {
			continue
		}
		sides++
		if !g.water[ring[i+1]] && !g.water[ring[(i+2)%8]] {
			joints++
		}
	}
	return sides > 0 && joints >= sides-1
}

// bands cuts the sides of the board into bands of lo to hi cells that the
// translation maps onto each other. A side whose period is shorter than lo is
// cut into bands of one period.
type bands struct {
	start []int // first cell of each band, ascending, start[0] = 0
	side  int
	step  int // the translation moves band i to band i+step
}

func newBands(side, move, lo, hi int, rng *env.RNG) bands {
	period := gcd(side, move)
	if move == 0 {
		period = side
	}
	least, most := (period+hi-1)/hi, period/lo
	n := max(1, least)
	if most > n {
		n += int(rng.Below(uint64(most - n + 1)))
	}
	widths := make([]int, n)
	for i := range widths {
		widths[i] = period / n
		if i < period%n {
			widths[i]++
		}
	}
	for range 2 * n { // uneven bands look less like a grid
		a, b := rng.Below(uint64(n)), rng.Below(uint64(n))
		if widths[a] > lo && widths[b] < hi {
			widths[a]--
			widths[b]++
		}
	}
	b := bands{side: side, step: n * (move / period)}
	for at := 0; at < side; {
		for _, w := range widths {
			b.start = append(b.start, at)
			at += w
		}
	}
	return b
}

func (b *bands) len() int { return len(b.start) }

// at is the start and the width of band i, which may be any integer.
func (b *bands) at(i int) (start, width int) {
	i = wrap(i, len(b.start))
	start = b.start[i]
	end := b.side
	if i+1 < len(b.start) {
		end = b.start[i+1]
	}
	return start, end - start
}

// A lattice is the board cut into bands both ways. Node i*cols.len()+j is the
// crossing of row band i and column band j.
type lattice struct {
	rows, cols bands
	seats      int
}

func newLattice(g *ground, lo, hi int, rng *env.RNG) *lattice {
	return &lattice{
		rows:  newBands(g.Rows, g.move.DR, lo, hi, rng),
		cols:  newBands(g.Cols, g.move.DC, lo, hi, rng),
		seats: g.Players,
	}
}

func (l *lattice) len() int { return l.rows.len() * l.cols.len() }

func (l *lattice) node(i, j int) int {
	return wrap(i, l.rows.len())*l.cols.len() + wrap(j, l.cols.len())
}

func (l *lattice) place(node int) (i, j int) { return node / l.cols.len(), node % l.cols.len() }

// moved is the image of a node.
func (l *lattice) moved(node int) int {
	i, j := l.place(node)
	return l.node(i+l.rows.step, j+l.cols.step)
}

// nodes is one node of every orbit.
func (l *lattice) nodes() []int {
	var reps []int
	for n := range l.len() {
		least := n
		for m := l.moved(n); m != n; m = l.moved(m) {
			least = min(least, m)
		}
		if least == n {
			reps = append(reps, n)
		}
	}
	return reps
}

// A link joins a node to the next one south or east.
type link struct {
	node  int
	south bool
}

// other is the far node of a link.
func (l *lattice) other(k link) int {
	i, j := l.place(k.node)
	if k.south {
		return l.node(i+1, j)
	}
	return l.node(i, j+1)
}

// links picks links, one of every orbit: in random order all that join what
// was not joined yet, images included, then of the others each dead end's with
// deadEnds percent and any with extra percent.
func (l *lattice) links(deadEnds, extra int, rng *env.RNG) []link {
	var all []link
	for _, n := range l.nodes() {
		all = append(all, link{n, false}, link{n, true})
	}
	shuffle(all, rng)
	root := make([]int, l.len())
	for i := range root {
		root[i] = i
	}
	find := func(n int) int {
		for root[n] != n {
			root[n] = root[root[n]]
			n = root[n]
		}
		return n
	}
	degree := make([]int, l.len())
	var picked, left []link
	open := func(k link) {
		picked = append(picked, k)
		for range l.seats {
			a, b := k.node, l.other(k)
			root[find(a)] = find(b)
			degree[a]++
			degree[b]++
			k.node = l.moved(k.node)
		}
	}
	for _, k := range all {
		if find(k.node) != find(l.other(k)) {
			open(k)
		} else {
			left = append(left, k)
		}
	}
	percent := func(p int) bool { return int(rng.Below(100)) < p }
	for _, k := range left {
		dead := degree[k.node] < 2 || degree[l.other(k)] < 2
		if dead && percent(deadEnds) || percent(extra) {
			open(k)
		}
	}
	return picked
}
