package antsref

import "github.com/myriant-rl/myriant/env/ants"

// raze is step 3. An enemy ant on a standing hill razes it for good; an own
// ant touches it. The cutoff freeze is judged first, while the hills still
// stand.
func (e *Engine) raze() {
	e.now.contested = e.diedOnContestedHill()
	for i := range e.hills {
		h := &e.hills[i]
		owner := e.ants[h.Cell]
		switch {
		case h.Razed || owner == nobody:
		case owner == int(h.Owner):
			h.Touched = e.turn + 1
		default:
			e.razeHill(h, owner, false)
			e.count = 0
		}
	}
}

// razeHill pays the razer, charges the owner unless it already paid when it
// was taken out, and writes the raze down.
func (e *Engine) razeHill(h *ants.Hill, by int, bonus bool) {
	h.Razed = true
	e.seats[by].razed++
	e.seats[by].score += e.razePoints()
	if !e.paidUp(int(h.Owner)) {
		e.seats[h.Owner].score -= e.lossPoints()
	}
	e.now.razed = append(e.now.razed, ants.Raze{Cell: h.Cell, Owner: h.Owner, By: uint8(by), Bonus: bonus})
}

// razePoints is what a raze adds to the razer's score.
func (e *Engine) razePoints() int32 {
	if e.rules.Scoring == ants.ScoreRazes {
		return 1
	}
	return 2
}

// lossPoints is what a lost hill takes from its owner's score.
func (e *Engine) lossPoints() int32 {
	if e.rules.Scoring == ants.ScoreRazes {
		return 0
	}
	return 1
}

// paidUp tells whether a seat paid for all its hills when it was taken out.
func (e *Engine) paidUp(seat int) bool {
	return e.seats[seat].out && e.rules.Dropout == ants.DropoutOut
}
