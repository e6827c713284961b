package antsref

import "github.com/myriant-rl/myriant/env/ants"

// newFood is step 6. The comment of the food sources in ants/food.go is its
// source.
func (e *Engine) newFood() {
	switch e.rules.Food {
	case ants.FoodSets, ants.FoodSetsOverWater:
		e.takeDueSets()
		e.placePending()
	case ants.FoodTopUp:
		e.topUp()
	case ants.FoodScripted:
		for _, cell := range e.scriptFood {
			if cell >= 0 && int(cell) < len(e.food) && e.freeForFood(cell) {
				e.placeFood(cell)
			}
		}
	}
}

// takeDueSets moves whole sets into the pending queue while the next fits in
// what is due.
func (e *Engine) takeDueSets() {
	g := &e.gen
	g.Extra += int64(g.Rate) * int64(len(e.seats))
	if g.Period == 0 || e.sets.Len() == 0 {
		return
	}
	for due := g.Extra / int64(g.Period); due >= int64(len(e.nextSet())); due = g.Extra / int64(g.Period) {
		set := e.nextSet()
		for _, cell := range set {
			if !e.m.Water[cell] {
				g.Pending = append(g.Pending, cell)
			}
		}
		g.Extra -= int64(len(set)) * int64(g.Period)
		e.advanceWalk()
	}
}

// placePending puts down, in queue order, the pending food whose cell is free.
func (e *Engine) placePending() {
	var waiting []int32
	for _, cell := range e.gen.Pending {
		if e.freeForFood(cell) {
			e.placeFood(cell)
		} else {
			waiting = append(waiting, cell)
		}
	}
	e.gen.Pending = waiting
}

// topUp takes sets while the next one fits under the map's target, looking at
// each set at most once.
func (e *Engine) topUp() {
	target := e.m.FoodTarget
	if target == 0 {
		target = len(e.m.Food)
	}
	for range e.sets.Len() {
		set := e.nextSet()
		if len(listOf(e.food))+len(set) > target {
			return
		}
		if e.allFreeForFood(set) {
			for _, cell := range set {
				e.placeFood(cell)
			}
		}
		e.advanceWalk()
	}
}

// nextSet is the set at the cursor of the current rotation.
func (e *Engine) nextSet() []int32 {
	g := &e.gen
	if e.walk == nil || e.walkRotation != g.Rotation || e.walkSeed != g.Seed {
		e.walk = ants.ShuffleSets(make([]uint16, e.sets.Len()), e.sets.Len(), g.Seed, g.Rotation)
		e.walkRotation, e.walkSeed = g.Rotation, g.Seed
	}
	return e.sets.Set(int(e.walk[g.Cursor]))
}

func (e *Engine) advanceWalk() {
	e.gen.Cursor++
	if int(e.gen.Cursor) == e.sets.Len() {
		e.gen.Cursor = 0
		e.gen.Rotation++
	}
}

func (e *Engine) allFreeForFood(set []int32) bool {
	for _, cell := range set {
		if !e.freeForFood(cell) {
			return false
		}
	}
	return true
}

// freeForFood: land, with no food, no ant and no hill, standing or razed.
func (e *Engine) freeForFood(cell int32) bool {
	for _, h := range e.hills {
		if h.Cell == cell {
			return false
		}
	}
	return !e.m.Water[cell] && !e.food[cell] && e.ants[cell] == nobody
}

func (e *Engine) placeFood(cell int32) {
	e.food[cell] = true
	e.now.newFood = append(e.now.newFood, cell)
}
