package policy_test

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
	"github.com/myriant-rl/myriant/env/formica/policy"
)

// TestBalance holds the bundled policies to the balance gates on the reference
// engine: every choice of four of all seven (random too) meets on the default
// board, from other seats in every round. Scores are points.
//
//   - No policy's mean is above 1.35 of the field's mean.
//   - The sole leader at the first phase from tick 100 on is the sole winner of
//     at most 40% of the games that have such a leader.
//   - No seat's mean is more than two standard errors off.
//
// Few games allow for chance: three standard errors for the first two, half as
// many more for seats. With MYRIANT_LONG, which plays 1,680, none are allowed.
func TestBalance(t *testing.T) {
	rounds, chance := 3, 3.0
	switch {
	case os.Getenv("MYRIANT_LONG") != "":
		rounds, chance = 48, 0
	case testing.Short():
		rounds = 1
	}
	c := variant(t, "default")
	scores, slots := map[string]*sample{}, make([]sample, 4)
	var all, leader sample
	seed := uint64(0)
	for round := range rounds {
		for _, four := range choices(policy.Names(), 4) {
			seed++
			who := slices.Concat(four[round%4:], four[:round%4])
			g := play(t, &c, seed, who)
			for seat, name := range who {
				if scores[name] == nil {
					scores[name] = &sample{}
				}
				for _, s := range []*sample{scores[name], &slots[seat], &all} {
					s.add(g.score(seat))
				}
			}
			if first := soleBest(g.early); first >= 0 {
				won := 0.0
				if soleBest(g.final) == first {
					won = 1
				}
				leader.add(won)
			}
		}
	}
	for _, name := range policy.Names() {
		s := scores[name]
		ratio := s.mean() / all.mean()
		t.Logf("%-13s %6.1f points in %d games, %.3f of the field", name, s.mean(), s.n, ratio)
		if ratio-chance*s.err()/all.mean() > 1.35 {
			t.Errorf("%s has %.3f of the field's mean", name, ratio)
		}
	}
	for seat := range slots {
		off := (slots[seat].mean() - all.mean()) / slots[seat].err()
		t.Logf("seat %d %6.1f points, %+.2f standard errors off", seat, slots[seat].mean(), off)
		if math.Abs(off) > 2+chance/2 {
			t.Errorf("seat %d is %.2f standard errors off", seat, off)
		}
	}
	t.Logf("leader at tick 100 wins %.3f of %d games, standard error %.3f", leader.mean(), leader.n, leader.err())
	if leader.mean()-chance*leader.err() > 0.4 {
		t.Errorf("the leader at tick 100 wins %.3f of %d games", leader.mean(), leader.n)
	}
}

// TestCircle: raid beats forage, defend beats raid, forage beats defend, in
// duels and two against two: the mean score is greater, with MYRIANT_LONG by
// more than two standard errors.
func TestCircle(t *testing.T) {
	games, sure := 12, 0.0
	switch {
	case os.Getenv("MYRIANT_LONG") != "":
		games, sure = 400, 2
	case testing.Short():
		games = 4
	}
	for _, board := range []string{"duel", "default"} {
		c := variant(t, board)
		for _, pair := range [][2]string{{"raid", "forage"}, {"defend", "raid"}, {"forage", "defend"}} {
			var scores [2]sample
			for game := range games {
				// Sides swap; on four seats they take turns.
				who := make([]string, c.Seats)
				for seat := range who {
					who[seat] = pair[(seat+game)%2]
				}
				g := play(t, &c, uint64(game), who)
				for seat := range who {
					scores[(seat+game)%2].add(g.score(seat))
				}
			}
			gap := scores[0].mean() - scores[1].mean()
			t.Logf("%s: %s %.1f points, %s %.1f, in %d games", board, pair[0], scores[0].mean(), pair[1], scores[1].mean(), games)
			if gap <= sure*math.Hypot(scores[0].err(), scores[1].err()) {
				t.Errorf("%s: %s does not beat %s: %.1f to %.1f points", board, pair[0], pair[1], scores[0].mean(), scores[1].mean())
			}
		}
	}
}

// A sample is numbers and what they come to.
type sample struct {
	n           int
	sum, square float64
}

func (s *sample) add(x float64) { s.n, s.sum, s.square = s.n+1, s.sum+x, s.square+x*x }

func (s *sample) mean() float64 { return s.sum / float64(s.n) }

// err is the standard error of the mean.
func (s *sample) err() float64 {
	m := s.mean()
	return math.Sqrt(max(0, s.square/float64(s.n)-m*m) / float64(s.n-1))
}

// A played game: doubled scores at the first phase from tick 100 on, and at the
// end.
type played struct{ early, final []int32 }

func (g *played) score(seat int) float64 { return float64(g.final[seat]) / 2 }

func play(t *testing.T, c *formica.Config, seed uint64, names []string) *played {
	t.Helper()
	b, err := c.Board()
	if err != nil {
		t.Fatal(err)
	}
	e, err := formicaref.New(c, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(seed); err != nil {
		t.Fatal(err)
	}
	who := make([]*policy.Policy, len(names))
	for seat, name := range names {
		if who[seat], err = policy.New(name); err != nil {
			t.Fatal(err)
		}
	}
	g, orders := &played{}, make([][]byte, len(who))
	for {
		w := e.Waiting()
		if g.early == nil && w.Tick >= 100 {
			g.early = e.Outcome().Scores
		}
		if w.Done {
			g.final = e.Outcome().Scores
			return g
		}
		for seat, p := range who {
			o := e.Observation(seat)
			orders[seat] = p.Act(orders[seat][:0], o, policy.Draw(seed, o.Homes[seat], o.Phase))
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
	}
}

func variant(t *testing.T, name string) formica.Config {
	t.Helper()
	c, err := formica.Variant(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// soleBest is the one seat with the greatest score, or -1.
func soleBest(scores []int32) int {
	best := -1
	top := slices.Max(scores)
	for seat, s := range scores {
		if s == top {
			if best >= 0 {
				return -1
			}
			best = seat
		}
	}
	return best
}

// choices are the ways to choose k names, in order.
func choices(names []string, k int) [][]string {
	if k == 0 {
		return [][]string{nil}
	}
	var list [][]string
	for i, name := range names {
		for _, rest := range choices(names[i+1:], k-1) {
			list = append(list, append([]string{name}, rest...))
		}
	}
	return list
}
