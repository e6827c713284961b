// Every policy against every other.

package match

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env"
)

// A Tournament is games between each two of some policies, on maps of two
// seats in turn. The two swap seats from game to game, and each game has a seed
// of its own, the same for every two.
type Tournament struct {
	Game     games.Game
	Rules    *games.Rules
	Maps     []env.Map
	Policies []string
	Games    int // between each two
	Seed     uint64
	Workers  int // 0: one a processor
}

// A Pairing is how policy B did against policy A, which is listed before it.
type Pairing struct {
	A, B                string
	Wins, Draws, Losses int        // of B
	Points              float64    // of B a game: 1 a win, 1/2 a draw
	Interval            [2]float64 // of Points, at 95% (Wilson)
	ScoreA, ScoreB      float64    // mean, in points
	Turns               float64    // mean of the steps
}

// boardsAtOnce bounds the boards that a tournament holds in memory.
const boardsAtOnce = 256

// Boards is the number of games.
func (t *Tournament) Boards() int { return t.Games * len(t.Policies) * (len(t.Policies) - 1) / 2 }

// game is one of the games.
type game struct {
	pair     int
	swapped  bool
	policies []string
	m        int
	seed     uint64
}

// Run plays the games and returns the pairings: 0-1, 0-2, 1-2, 0-3 and so on in
// the order of Policies. progress, if not nil, is told the turns played and the
// games finished; a finished game counts as all the turns that it could have
// had.
func (t *Tournament) Run(ctx context.Context, progress func(turns int64, games int)) ([]Pairing, error) {
	if len(t.Policies) < 2 {
		return nil, fmt.Errorf("%d policies, want two or more", len(t.Policies))
	}
	if t.Games < 1 {
		return nil, fmt.Errorf("%d games, want one or more", t.Games)
	}
	if err := games.CheckPolicies(t.Game, t.Policies); err != nil {
		return nil, err
	}
	if len(t.Maps) == 0 {
		return nil, errors.New("no maps")
	}
	for _, m := range t.Maps {
		if m.Seats() != 2 {
			return nil, fmt.Errorf("%w: %s has %d seats, a crosstable is played on maps of 2", env.ErrMap, m.ID(), m.Seats())
		}
	}
	games, pairings := t.games()
	results := make([]result, len(games))
	for from := 0; from < len(games); from += boardsAtOnce {
		to := min(from+boardsAtOnce, len(games))
		before := int64(from) * int64(t.Rules.Steps)
		err := t.play(ctx, games[from:to], results[from:to], func(turns int64, done int) {
			if progress != nil {
				progress(before+turns, from+done)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for p := range pairings {
		var points, a, b, turns []float64
		for i, g := range games {
			if g.pair != p {
				continue
			}
			r := results[i]
			points, turns = append(points, r.points), append(turns, r.turns)
			a, b = append(a, r.scores[0]), append(b, r.scores[1])
			switch r.points {
			case 1:
				pairings[p].Wins++
			case 0:
				pairings[p].Losses++
			default:
				pairings[p].Draws++
			}
		}
		pairings[p].Points = stat.Mean(points, nil)
		pairings[p].Interval = wilson(pairings[p].Points, len(points))
		pairings[p].ScoreA, pairings[p].ScoreB = stat.Mean(a, nil), stat.Mean(b, nil)
		pairings[p].Turns = stat.Mean(turns, nil)
	}
	return pairings, nil
}

// games lists what is played, pairing by pair within each game number, so that
// the boards of a batch are of all pairings.
func (t *Tournament) games() ([]game, []Pairing) {
	var pairings []Pairing
	for b := range t.Policies {
		for a := range b {
			pairings = append(pairings, Pairing{A: t.Policies[a], B: t.Policies[b]})
		}
	}
	var games []game
	for n := range t.Games {
		for p, pair := range pairings {
			g := game{pair: p, swapped: n%2 == 1, m: n / 2 % len(t.Maps), seed: env.Derive(t.Seed, uint64(n)), policies: []string{pair.A, pair.B}}
			if g.swapped {
				g.policies = []string{pair.B, pair.A}
			}
			games = append(games, g)
		}
	}
	return games, pairings
}

// result is how one game went.
type result struct {
	points float64    // of B
	scores [2]float64 // of A, of B
	turns  float64
}

func (t *Tournament) play(ctx context.Context, games []game, results []result, progress func(turns int64, done int)) error {
	cfg := batch.Config{
		Game: t.Game.Name(), Rules: t.Rules.JSON, Maps: t.Maps, Boards: len(games), Workers: t.Workers, Arrays: []string{}, Autoreset: batch.Disabled,
	}
	boards, seeds := make([]int, len(games)), make([]uint64, len(games))
	for i, g := range games {
		cfg.MapOf = append(cfg.MapOf, g.m)
		cfg.Policies = append(cfg.Policies, g.policies)
		boards[i], seeds[i] = i, g.seed
	}
	b, err := batch.New(cfg)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.Reset(0); err != nil {
		return err
	}
	if err := b.ResetBoards(boards, seeds); err != nil {
		return err
	}
	for turn := int64(0); ; turn++ {
		done := 0
		for i := range games {
			if b.Done(i) {
				done++
			}
		}
		progress(turn*int64(len(games)-done)+int64(t.Rules.Steps)*int64(done), done)
		if done == len(games) {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.Step(batch.Actions{}); err != nil {
			return err
		}
	}
	for i, g := range games {
		out := b.Outcome(i)
		a, b := 0, 1
		if g.swapped {
			a, b = 1, 0
		}
		r := &results[i]
		r.scores = [2]float64{t.Game.Points(float64(out.Scores[a])), t.Game.Points(float64(out.Scores[b]))}
		r.turns = float64(out.Steps)
		switch {
		case out.Ranks[b] < out.Ranks[a]:
			r.points = 1
		case out.Ranks[b] == out.Ranks[a]:
			r.points = 0.5
		}
	}
	return nil
}

// wilson is the 95% score interval of a share p of n games.
func wilson(p float64, n int) [2]float64 {
	z := distuv.UnitNormal.Quantile(0.975)
	f := float64(n)
	centre := (p + z*z/(2*f)) / (1 + z*z/f)
	half := z / (1 + z*z/f) * math.Sqrt(p*(1-p)/f+z*z/(4*f*f))
	return [2]float64{max(0, centre-half), min(1, centre+half)}
}
