// How each family draws its land. Drawings need not be connected: see
// ground.connect.

package ants

import "github.com/myriant-rl/myriant/env"

// between is a uniform draw of lo..hi.
func between(rng *env.RNG, lo, hi int) int { return lo + int(rng.Below(uint64(hi-lo+1))) }

// drawOpen scatters ponds over open land.
func drawOpen(g *ground, rng *env.RNG, o *GenerateOptions) {
	share := between(rng, 8, 15)
	if o.WaterPercent > 0 {
		share = o.WaterPercent
	}
	for range len(g.water) { // far more than it takes
		if g.wet()*100 >= share*len(g.water) {
			return
		}
		c := g.random(rng)
		r, col := int(c)/g.Cols, int(c)%g.Cols
		switch rng.Below(5) {
		case 0: // a round pond
			g.disc(c, between(rng, 1, 8), true)
		case 1, 2: // two overlapping blocks
			g.fill(r, col, between(rng, 2, 4), between(rng, 2, 5), true)
			g.fill(r+between(rng, -1, 2), col+between(rng, -1, 2), between(rng, 2, 5), between(rng, 2, 4), true)
		case 3: // a bar
			if rng.Below(2) == 0 {
				g.fill(r, col, 2, between(rng, 3, 7), true)
			} else {
				g.fill(r, col, between(rng, 3, 7), 2, true)
			}
		case 4: // a few rocks
			for range between(rng, 2, 4) {
				g.set(g.offset(c, between(rng, -3, 3), between(rng, -3, 3)), true)
			}
		}
	}
}

// drawScattered puts single cells and short bars of water anywhere.
func drawScattered(g *ground, rng *env.RNG, _ *GenerateOptions) {
	share := between(rng, 8, 14)
	for range len(g.water) {
		if g.wet()*100 >= share*len(g.water) {
			return
		}
		c := g.random(rng)
		n := between(rng, 1, 4)
		if rng.Below(2) == 0 {
			g.fill(int(c)/g.Cols, int(c)%g.Cols, 1, n, true)
		} else {
			g.fill(int(c)/g.Cols, int(c)%g.Cols, n, 1, true)
		}
	}
}

// drawMaze draws corridors between walls of one cell, with few dead ends.
func drawMaze(g *ground, rng *env.RNG, _ *GenerateOptions) {
	l := newLattice(g, 3, 4, rng)
	g.fill(0, 0, g.Rows, g.Cols, true)
	for _, n := range l.nodes() {
		i, j := l.place(n)
		r, h := l.rows.at(i)
		c, w := l.cols.at(j)
		g.fill(r+1, c+1, h-1, w-1, false)
	}
	for _, k := range l.links(80, 6, rng) {
		i, j := l.place(k.node)
		r, h := l.rows.at(i)
		c, w := l.cols.at(j)
		if k.south {
			g.fill(r+h, c+1, 1, w-1, false)
		} else {
			g.fill(r+1, c+w, h-1, 1, false)
		}
	}
	for _, n := range l.nodes() { // posts that no wall is left at
		i, j := l.place(n)
		r, _ := l.rows.at(i)
		c, _ := l.cols.at(j)
		post, walls := g.offset(0, r, c), 0
		for _, n := range g.sides[post] {
			if g.water[n] {
				walls++
			}
		}
		if walls == 0 {
			g.set(post, false)
		}
	}
}

// drawCave lets noise settle into caverns.
func drawCave(g *ground, rng *env.RNG, o *GenerateOptions) {
	share := between(rng, 44, 48)
	if o.WaterPercent > 0 {
		share = min(max(44+(o.WaterPercent-40)/4, 36), 50)
	}
	for _, c := range g.shuffled(rng) {
		g.set(c, int(rng.Below(100)) < share)
	}
	next := make([]bool, len(g.water))
	for range 5 {
		for c := range int32(len(g.water)) {
			n := 0
			if g.water[c] {
				n++
			}
			for _, around := range g.ring(c) {
				if g.water[around] {
					n++
				}
			}
			next[c] = n >= 5
		}
		copy(g.water, next)
	}
}

// drawRooms draws rooms between thick walls, joined by doors and short ways.
func drawRooms(g *ground, rng *env.RNG, _ *GenerateOptions) {
	l := newLattice(g, 7, 15, rng)
	type room struct{ top, left, height, width int }
	rooms := make([]room, l.len()) // relative to the node's own corner
	g.fill(0, 0, g.Rows, g.Cols, true)
	inset := func(n int) (at, size int) {
		// Walls of one cell to a fifth of the band on each side, so that
		// neighbouring rooms always face each other.
		a, b := 1, 0
		if n >= 6 {
			a, b = between(rng, 1, max(1, n/5)), between(rng, 0, n/5)
		}
		return a, n - a - b
	}
	for _, n := range l.nodes() {
		i, j := l.place(n)
		r, h := l.rows.at(i)
		c, w := l.cols.at(j)
		var q room
		q.top, q.height = inset(h)
		q.left, q.width = inset(w)
		g.fill(r+q.top, c+q.left, q.height, q.width, false)
		if q.height >= 7 && q.width >= 7 {
			switch rng.Below(4) {
			case 0: // a pillar in the middle
				g.fill(r+q.top+q.height/2-1, c+q.left+q.width/2-1, 2, 2, true)
			case 1: // a pillar in each corner
				for _, dr := range []int{1, q.height - 2} {
					for _, dc := range []int{1, q.width - 2} {
						g.fill(r+q.top+dr, c+q.left+dc, 1, 1, true)
					}
				}
			}
		}
		for m, done := n, false; !done; m, done = l.moved(m), l.moved(m) == n {
			rooms[m] = q
		}
	}
	// door is where a way of one or two cells goes through two facing sides.
	door := func(at1, size1, at2, size2 int) (at, size int) {
		lo, hi := max(at1, at2), min(at1+size1, at2+size2)
		size = min(between(rng, 1, 2), hi-lo)
		return between(rng, lo, hi-size), size
	}
	for _, k := range l.links(60, 25, rng) {
		i, j := l.place(k.node)
		r, h := l.rows.at(i)
		c, w := l.cols.at(j)
		p, q := rooms[k.node], rooms[l.other(k)]
		if k.south {
			at, size := door(p.left, p.width, q.left, q.width)
			from := p.top + p.height
			g.fill(r+from, c+at, h-from+q.top, size, false)
		} else {
			at, size := door(p.top, p.height, q.top, q.height)
			from := p.left + p.width
			g.fill(r+at, c+from, size, w-from+q.left, false)
		}
	}
}

// drawColonnade draws courts set off by columns.
func drawColonnade(g *ground, rng *env.RNG, _ *GenerateOptions) {
	l := newLattice(g, 7, 12, rng)
	for _, n := range l.nodes() {
		i, j := l.place(n)
		r, h := l.rows.at(i)
		c, w := l.cols.at(j)
		r, c, h, w = r+1, c+1, max(h-2, 1), max(w-2, 1)
		kind := rng.Below(7)
		for y := range h {
			for x := range w {
				odd := y%2 == 1 || x%2 == 1
				rim := y == 0 || x == 0 || y >= h-1 || x >= w-1
				var wet bool
				switch kind {
				case 0: // a hall of columns
					wet = !odd
				case 1, 2: // a cloister: columns around a court
					wet = rim && !odd
				case 3: // two rows of columns
					wet = !odd && (y == 0 || y >= (h-1)&^1)
				case 4: // two columns of columns
					wet = !odd && (x == 0 || x >= (w-1)&^1)
				case 5, 6: // a block
					wet = y >= h/4 && y < h-h/4 && x >= w/4 && x < w-w/4 && h > 2 && w > 2
				}
				if wet {
					g.set(g.offset(0, r+y, c+x), true)
				}
			}
		}
	}
}
