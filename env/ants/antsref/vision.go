package antsref

// lookAround works out what each seat sees: every cell within view radius of
// one of its ants. Water does not block.
func (e *Engine) lookAround() {
	for s := range e.seats {
		e.seats[s].visible = make([]bool, len(e.ants))
	}
	for cell, owner := range e.ants {
		if owner == nobody {
			continue
		}
		for _, o := range e.view {
			e.seats[owner].visible[e.at(cell, o)] = true
		}
	}
}

// learn folds what each seat sees into what it knows.
func (e *Engine) learn() {
	for s := range e.seats {
		seat := &e.seats[s]
		for cell, seen := range seat.visible {
			if seen && !seat.known[cell] {
				seat.known[cell] = true
				e.now.seen[s] = append(e.now.seen[s], int32(cell))
			}
		}
	}
}
