package antsref

import (
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// checkEndings ends the episode by the first ending that holds. Under hill
// scores a lone survivor razes every enemy hill that still stands.
func (e *Engine) checkEndings() {
	e.ending = e.endingNow()
	if e.ending == 0 || e.rules.Endings[e.ending-1].Check != ants.CheckLoneSurvivor || e.rules.Scoring != ants.ScoreHills {
		return
	}
	survivor := e.alive()[0]
	for i := range e.hills {
		if h := &e.hills[i]; !h.Razed && int(h.Owner) != survivor {
			e.razeHill(h, survivor, true)
		}
	}
}

// endingNow is 1 + the index of the first ending that holds, or 0.
func (e *Engine) endingNow() uint8 {
	for i, ending := range e.rules.Endings {
		if e.holds(ending.Check) {
			return uint8(i + 1)
		}
	}
	return 0
}

func (e *Engine) holds(check ants.Check) bool {
	overdue := e.count >= int32(e.rules.CutoffTurns)
	switch check {
	case ants.CheckExtermination:
		return len(e.alive()) == 0
	case ants.CheckLoneSurvivor:
		return len(e.alive()) == 1
	case ants.CheckDomination:
		return overdue && e.holder >= 0
	case ants.CheckIdleFood:
		return overdue && e.holder == ants.HolderFood
	case ants.CheckRankStabilized:
		return e.rankStabilized()
	case ants.CheckTurnLimit:
		return e.turn >= int32(e.rules.MaxTurns)
	}
	panic("antsref: unknown check " + string(check))
}

// alive lists the seats with living ants. One that was taken out does not
// count where the rules say that it is out of the game.
func (e *Engine) alive() []int {
	var seats []int
	for s := range e.seats {
		if e.seats[s].out && e.rules.Dropout == ants.DropoutOut {
			continue
		}
		if len(e.antsOf(s)) > 0 {
			seats = append(seats, s)
		}
	}
	return seats
}

// rankStabilized tells whether no colony's best case changes the order. In the
// best case of a colony with ants and a standing hill it razes every enemy
// hill standing, and each opponent loses a point for every hill that it has
// standing: a dead one too, and one that was taken out and would not pay again.
func (e *Engine) rankStabilized() bool {
	for _, s := range e.alive() {
		if e.standing(s) == 0 {
			continue
		}
		enemyHills := 0
		for other := range e.seats {
			if other != s {
				enemyHills += e.standing(other)
			}
		}
		score := e.seats[s].score
		best := score + e.razePoints()*int32(enemyHills)
		for other := range e.seats {
			if other == s {
				continue
			}
			theirs := e.seats[other].score
			worst := theirs - e.lossPoints()*int32(e.standing(other))
			if score < theirs && best >= worst || score == theirs && best > worst {
				return false
			}
		}
	}
	return true
}

// Outcome tells how the episode stands.
func (e *Engine) Outcome() env.Outcome {
	out := env.Outcome{Steps: int(e.turn), Scores: e.scores(), Ranks: e.ranks()}
	if e.ending != 0 {
		ending := e.rules.Endings[e.ending-1]
		out.Done, out.Reason = true, ending.Reason
		out.Truncated = ending.Check == ants.CheckTurnLimit
	}
	return out
}

func (e *Engine) scores() []int32 {
	scores := make([]int32, len(e.seats))
	for s := range e.seats {
		scores[s] = e.seats[s].score
	}
	return scores
}

// ranks are 1 + the number of colonies that stand higher; ties share.
func (e *Engine) ranks() []int32 {
	ranks := make([]int32, len(e.seats))
	for s := range e.seats {
		ranks[s] = 1
		for other := range e.seats {
			if e.higher(other, s) {
				ranks[s]++
			}
		}
	}
	return ranks
}

// higher tells whether seat a stands higher than seat b: by score, and where
// hills razed are the score, then by living ants, then by food gathered.
func (e *Engine) higher(a, b int) bool {
	if e.seats[a].score != e.seats[b].score {
		return e.seats[a].score > e.seats[b].score
	}
	if e.rules.Scoring != ants.ScoreRazes {
		return false
	}
	if antsA, antsB := len(e.antsOf(a)), len(e.antsOf(b)); antsA != antsB {
		return antsA > antsB
	}
	return e.seats[a].gathered > e.seats[b].gathered
}
