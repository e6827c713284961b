package square

import "github.com/myriant-rl/myriant/env/ants"

// cutoff moves the one counter behind the two cutoff endings.
// Reference: antsref cutoff.
func (e *Engine) cutoff(w *worker, contested bool) {
	g := &w.g
	b, base := g.b, g.b*e.p
	hills, _ := e.standing(g)
	food := int64(e.foodCount[b])
	population := food
	var share [ants.MaxSeats]int64
	for s := range g.st.seats {
		share[s] = int64(e.ants[base+s]) + int64(e.hive[base+s])*int64(hills[s])
		population += share[s]
	}
	holder := ants.HolderNone
	if population > 0 {
		need := population * int64(e.rules.CutoffPercent)
		if food*100 >= need {
			holder = ants.HolderFood
		}
		for s := g.st.seats - 1; s >= 0; s-- {
			if share[s]*100 >= need {
				holder = int32(s)
			}
		}
	}
	switch {
	case holder == ants.HolderNone:
		e.count[b] = 0
	case holder != e.holder[b]:
		e.count[b] = 1
	case !contested:
		e.count[b]++
	}
	e.holder[b] = holder
}

// end is 0 while the episode goes on, else 1 + the index of the ending that
// holds; a lone survivor then razes what stands. Reference: antsref checkEndings.
func (e *Engine) end(w *worker) uint8 {
	g := &w.g
	ending := e.endingNow(g)
	if ending == 0 || e.rules.Endings[ending-1].Check != ants.CheckLoneSurvivor || e.rules.Scoring != ants.ScoreHills {
		return ending
	}
	survivor := 0
	for s := range g.st.seats {
		if e.alive(g.b, s) {
			survivor = s
		}
	}
	for h := range g.st.hills {
		if int(g.st.hills[h].owner) != survivor && !e.fallen[g.b*e.h+h] {
			e.razeHill(g, h, survivor)
		}
	}
	return ending
}

// endingNow is 1 + the index of the first ending that holds, or 0.
func (e *Engine) endingNow(g *game) uint8 {
	b := g.b
	alive := 0
	for s := range g.st.seats {
		if e.alive(b, s) {
			alive++
		}
	}
	overdue := e.count[b] >= int32(e.rules.CutoffTurns)
	for i := range e.rules.Endings {
		holds := false
		switch e.rules.Endings[i].Check {
		case ants.CheckExtermination:
			holds = alive == 0
		case ants.CheckLoneSurvivor:
			holds = alive == 1
		case ants.CheckDomination:
			holds = overdue && e.holder[b] >= 0
		case ants.CheckIdleFood:
			holds = overdue && e.holder[b] == ants.HolderFood
		case ants.CheckRankStabilized:
			holds = e.stable(g)
		case ants.CheckTurnLimit:
			holds = e.turn[b] >= int32(e.rules.MaxTurns)
		}
		if holds {
			return uint8(i + 1)
		}
	}
	return 0
}

// alive tells whether a seat has living ants and is still in the game.
func (e *Engine) alive(b, s int) bool { return e.ants[b*e.p+s] > 0 && !e.paidUp(b, s) }

// paidUp tells whether a seat is out and paid for its hills when it left.
func (e *Engine) paidUp(b, s int) bool {
	return e.out[b*e.p+s] && e.rules.Dropout == ants.DropoutOut
}

// stable tells whether no colony can still change the order of the scores by
// razing every enemy hill that stands. Reference: antsref rankStabilized.
func (e *Engine) stable(g *game) bool {
	b, base := g.b, g.b*e.p
	seats := g.st.seats
	hills, total := e.standing(g)
	gain, loss := e.stakes()
	for s := range seats {
		if hills[s] == 0 || !e.alive(b, s) {
			continue
		}
		mine := e.score[base+s]
		best := mine + gain*(total-hills[s])
		for t := range seats {
			if t == s {
				continue
			}
			theirs := e.score[base+t]
			worst := theirs - loss*hills[t]
			if (mine < theirs && best >= worst) || (mine == theirs && best > worst) {
				return false
			}
		}
	}
	return true
}

// standing counts the standing hills of each seat and of all.
func (e *Engine) standing(g *game) (hills [ants.MaxSeats]int32, total int32) {
	for h := range g.st.hills {
		if !e.fallen[g.b*e.h+h] {
			hills[g.st.hills[h].owner]++
			total++
		}
	}
	return hills, total
}

// stakes are what a raze adds to the razer's score and takes from the owner's.
func (e *Engine) stakes() (gain, loss int32) {
	if e.rules.Scoring == ants.ScoreRazes {
		return 1, 0
	}
	return 2, 1
}

// ranks writes 1-based ranks, ties shared. Reference: antsref ranks.
func (e *Engine) ranks(b int, dst []int32) {
	base := b * e.p
	better := func(s, t int) bool {
		i, j := base+s, base+t
		if e.score[i] != e.score[j] {
			return e.score[i] > e.score[j]
		}
		if e.rules.Scoring != ants.ScoreRazes {
			return false
		}
		if e.ants[i] != e.ants[j] {
			return e.ants[i] > e.ants[j]
		}
		return e.gathered[i] > e.gathered[j]
	}
	for s := range dst {
		dst[s] = 1
		for t := range dst {
			if better(t, s) {
				dst[s]++
			}
		}
	}
}

// truncated tells whether a board ended at the turn limit.
func (e *Engine) truncated(b int) bool {
	return e.ending[b] != 0 && e.rules.Endings[e.ending[b]-1].Check == ants.CheckTurnLimit
}
