package pack

// A flowKernel is the dense part of waves. The portable form is the reference of
// the vector form in wave_flow_simd_amd64.go; both give identical bytes.
type flowKernel struct {
	level string
	// targets begins a wave at the targets and tells whether there are any. The
	// wave is free to enter what is no wall and has no item.
	targets func(w *wave, s *Sight) bool
	// dark adds the cells out of sight that are not known to be walls, and that
	// the wave has not passed, to the front, and tells whether that has any cell.
	dark func(w *wave, s *Sight) bool
	// run moves a wave, whose front is of a level, on to another one at most, until
	// a level enters no cell or no unit is left where the wave may still come: a level's
	// front is what is free beside the front before it, and is free no more. It
	// notes which cells are of which level, and tells whether such units are left.
	run func(w *wave, level, to int) (left bool)
}

// flowLevels lists what this build and machine can run, slowest first.
var flowLevels = append([]flowKernel{{"portable", targetsGeneric, darkGeneric, flowGeneric}}, vectorFlows()...)

// flow is the level in use: the best one. Only tests change it.
var flow = flowLevels[len(flowLevels)-1]

func targetsGeneric(w *wave, s *Sight) bool { return w.targetsFrom(s, 0) }

// targetsFrom is targetsGeneric of the rows from one on.
func (w *wave) targetsFrom(s *Sight, from int) bool {
	live := uint64(0)
	for k := range w.words {
		in, free, front := w.in(k), w.column(w.free, k), w.column(w.front, k)
		s.column(free, s.Walls, k, from)
		s.column(front, s.Items, k, from)
		for r := from; r < len(front); r++ {
			free[r] = in &^ (free[r] | front[r])
		}
		s.column(front, s.Targets, k, from)
		for r := from; r < len(front); r++ {
			targets := front[r] & in
			front[r] = targets
			free[r] &^= targets
			live |= targets
		}
	}
	return live != 0
}

func darkGeneric(w *wave, s *Sight) bool { return w.darkFrom(s, 0) }

// darkFrom is darkGeneric of the rows from one on.
func (w *wave) darkFrom(s *Sight, from int) bool {
	live := uint64(0)
	for k := range w.words {
		in, free, front, seen := w.in(k), w.column(w.free, k), w.column(w.front, k), w.column(w.before, k)
		s.column(seen, s.Walls, k, from)
		s.column(w.spare, s.Visible, k, from)
		for r := from; r < len(seen); r++ {
			dark := in &^ (seen[r] | w.spare[r]) & (free[r] | front[r])
			front[r] |= dark
			free[r] &^= dark
			live |= front[r]
		}
	}
	return live != 0
}

func flowGeneric(w *wave, level, to int) (left bool) {
	for i, x := range w.front {
		w.levels[level%3][i] |= x
	}
	for level < to {
		level++
		entered, ahead := uint64(0), uint64(0)
		w.front, w.before = w.before, w.front
		for k := range w.words {
			side := &w.sides[k]
			before := w.column(w.before, k)
			west, east := w.column(w.before, side.west)[:len(before)], w.column(w.before, side.east)[:len(before)]
			front, free, units := w.column(w.front, k)[:len(before)], w.column(w.free, k)[:len(before)], w.column(w.units, k)[:len(before)]
			seen := w.column(w.levels[level%3], k)[:len(before)]
			last := len(before) - 1
			up := before[last]
			for r, x := range before {
				down := before[0]
				if r < last {
					down = before[r+1]
				}
				to := (up | down | x<<1 | x>>1 | west[r]>>(side.fromWest&63) | east[r]<<(side.fromEast&63)) & free[r]
				front[r] = to
				free[r] ^= to
				seen[r] |= to
				entered |= to
				ahead |= free[r] & units[r]
				up = x
			}
		}
		left = ahead != 0
		if !left || entered == 0 {
			break
		}
	}
	return left
}
