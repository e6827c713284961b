// Whether a game's strategies balance each other.

package match

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// A Balance measures a game's gates, see games.Gates. Games of all seats are
// dealt so that every strategy of the field meets every other and plays every
// seat equally often; two that are compared swap sides. Everything follows from
// Seed.
type Balance struct {
	Game    games.Game
	Gates   *games.Gates
	Games   int // of the field, and of the fixed strategies: rounded up to whole deals
	Duels   int // between each two of the cycle, on each board
	Seed    uint64
	Workers int // 0: one a processor
}

// A Verdict is what the gates say.
type Verdict struct {
	OK         bool           `json:"ok"`
	Field      int            `json:"field_games"`
	Mean       float64        `json:"field_mean"` // score of a seat, in points
	Strategies []StrategyMean `json:"strategies"`
	Slots      []SlotMean     `json:"slots"` // of the field's games
	Leaders    []LeaderShare  `json:"leaders"`
	Cycle      []Duel         `json:"cycle"`
}

// A StrategyMean is how a strategy does in the field.
type StrategyMean struct {
	Strategy string  `json:"strategy"`
	Seats    int     `json:"seats"` // that it played
	Mean     float64 `json:"mean"`  // score, in points
	Ratio    float64 `json:"ratio"` // over the field's mean
	Wins     float64 `json:"wins"`  // share of its games; a shared first place counts in part
	OK       bool    `json:"ok"`
}

// A SlotMean is how one seat does in the field.
type SlotMean struct {
	Slot   int     `json:"slot"`
	Mean   float64 `json:"mean"`
	Error  float64 `json:"standard_error"`
	Errors float64 `json:"errors_off"` // standard errors off the field's mean
	OK     bool    `json:"ok"`
}

// A LeaderShare is how often the seat that led at a tick won, of the games that
// one seat led alone then.
type LeaderShare struct {
	Of    string  `json:"of"` // the strategies that played: field or fixed
	Tick  int     `json:"tick"`
	Games int     `json:"games"`
	Share float64 `json:"share"`
	OK    bool    `json:"ok"`
}

// A Duel is how a strategy of the cycle does against the one that it should
// beat, each on half of the seats: the side with more points wins a game.
type Duel struct {
	Rules    string     `json:"rules"`
	A        string     `json:"a"`
	B        string     `json:"b"`
	Points   float64    `json:"points"` // of A a game: 1 a win, 1/2 a draw
	Interval [2]float64 `json:"interval"`
	ScoreA   float64    `json:"score_a"` // mean of a seat
	ScoreB   float64    `json:"score_b"`
	OK       bool       `json:"ok"`
}

// A dealt game of a Balance and how it went.
type dealt struct {
	policies []string
	seed     uint64
	leader   int // sole leader at the gates' tick, or -1
	out      env.Outcome
}

// Run plays the games. progress, if not nil, is told the games finished of how
// many.
func (b *Balance) Run(ctx context.Context, progress func(done, total int)) (*Verdict, error) {
	if b.Games < 1 || b.Duels < 1 {
		return nil, fmt.Errorf("%d games and %d duels, want one or more of each", b.Games, b.Duels)
	}
	rules, err := b.Game.Rules(b.Gates.Rules, 0)
	if err != nil {
		return nil, err
	}
	m, err := b.Game.Maps().Load(b.Game.MapFor(rules, games.Play))
	if err != nil {
		return nil, err
	}
	field := deal(b.Gates.Field, m.Seats(), b.Games, b.Seed)
	fixed := deal(b.Gates.Fixed, m.Seats(), b.Games, env.Derive(b.Seed, 1))
	total, done := len(field)+len(fixed)+len(b.Gates.Duels)*len(b.Gates.Cycle)*b.Duels, 0
	play := func(rules *games.Rules, m env.Map, list []dealt) error {
		err := b.play(ctx, rules, m, list, func(n int) {
			if progress != nil {
				progress(done+n, total)
			}
		})
		done += len(list)
		return err
	}
	if err := errors.Join(play(rules, m, field), play(rules, m, fixed)); err != nil {
		return nil, err
	}
	v := &Verdict{Field: len(field)}
	b.judgeField(v, field, m.Seats())
	b.judgeLeader(v, "field", field)
	b.judgeLeader(v, "fixed", fixed)
	for i, text := range b.Gates.Duels {
		rules, err := b.Game.Rules(text, 0)
		if err != nil {
			return nil, err
		}
		m, err := b.Game.Maps().Load(b.Game.MapFor(rules, games.Duel))
		if err != nil {
			return nil, err
		}
		for j, name := range b.Gates.Cycle {
			pair := [2]string{name, b.Gates.Cycle[(j+1)%len(b.Gates.Cycle)]}
			list := sides(pair, m.Seats(), b.Duels, env.Derive(b.Seed, 2, uint64(i)))
			if err := play(rules, m, list); err != nil {
				return nil, err
			}
			b.judgeDuel(v, rules.Name, pair, list)
		}
	}
	v.OK = true
	for _, s := range v.Strategies {
		v.OK = v.OK && s.OK
	}
	for _, s := range v.Slots {
		v.OK = v.OK && s.OK
	}
	for _, l := range v.Leaders {
		v.OK = v.OK && l.OK
	}
	for _, d := range v.Cycle {
		v.OK = v.OK && d.OK
	}
	return v, nil
}

// sides lists games of two strategies on every other seat, which they swap from
// game to game.
func sides(pair [2]string, seats, n int, seed uint64) []dealt {
	list := make([]dealt, n)
	for i := range list {
		list[i] = dealt{policies: make([]string, seats), seed: env.Derive(seed, uint64(i/2))}
		for seat := range seats {
			list[i].policies[seat] = pair[(seat+i)%2]
		}
	}
	return list
}

// deal lists at least n games of every choice of strategies for the seats, each
// in every order, equally often.
func deal(names []string, seats, n int, seed uint64) []dealt {
	var deals [][]string
	for _, chosen := range choices(names, seats) {
		deals = append(deals, orders(chosen)...)
	}
	rounds := (n + len(deals) - 1) / len(deals)
	list := make([]dealt, 0, rounds*len(deals))
	for range rounds {
		for _, policies := range deals {
			list = append(list, dealt{policies: policies, seed: env.Derive(seed, uint64(len(list)))})
		}
	}
	return list
}

// choices are the ways to choose k names, in order; with fewer names than k all
// of them and then again from the first.
func choices(names []string, k int) [][]string {
	if k == 0 {
		return [][]string{nil}
	}
	if len(names) <= k {
		chosen := make([]string, k)
		for i := range chosen {
			chosen[i] = names[i%len(names)]
		}
		return [][]string{chosen}
	}
	var list [][]string
	for _, rest := range choices(names[1:], k-1) {
		list = append(list, append([]string{names[0]}, rest...))
	}
	return append(list, choices(names[1:], k)...)
}

// orders are the ways to order names.
func orders(names []string) [][]string {
	if len(names) < 2 {
		return [][]string{slices.Clone(names)}
	}
	var list [][]string
	for i := range names {
		rest := slices.Concat(names[:i], names[i+1:])
		for _, tail := range orders(rest) {
			list = append(list, append([]string{names[i]}, tail...))
		}
	}
	return list
}

// play plays games on one map, many at once.
func (b *Balance) play(ctx context.Context, rules *games.Rules, m env.Map, list []dealt, tell func(done int)) error {
	for from := 0; from < len(list); from += boardsAtOnce {
		part := list[from:min(from+boardsAtOnce, len(list))]
		if err := b.playPart(ctx, rules, m, part); err != nil {
			return err
		}
		tell(from + len(part))
	}
	return nil
}

func (b *Balance) playPart(ctx context.Context, rules *games.Rules, m env.Map, list []dealt) error {
	cfg := batch.Config{
		Game: b.Game.Name(), Rules: rules.JSON, Maps: []env.Map{m}, Boards: len(list), Workers: b.Workers,
		Arrays: []string{b.Gates.TickArray}, Autoreset: batch.Disabled,
	}
	boards, seeds := make([]int, len(list)), make([]uint64, len(list))
	for i := range list {
		cfg.Policies = append(cfg.Policies, list[i].policies)
		boards[i], seeds[i] = i, list[i].seed
	}
	e, err := batch.New(cfg)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.Reset(0); err != nil {
		return err
	}
	if err := e.ResetBoards(boards, seeds); err != nil {
		return err
	}
	looked := make([]bool, len(list))
	for live := len(list); live > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.Step(batch.Actions{}); err != nil {
			return err
		}
		ticks := obs.View[int32](e.Array(b.Gates.TickArray))
		live = 0
		for i := range list {
			if !looked[i] && int(ticks[i]) >= b.Gates.LeaderTick {
				looked[i], list[i].leader = true, soleFirst(e.Outcome(i).Ranks)
			}
			if !e.Done(i) {
				live++
			}
		}
	}
	for i := range list {
		list[i].out = e.Outcome(i)
	}
	return nil
}

// soleFirst is the one seat of rank 1, or -1 where several share it.
func soleFirst(ranks []int32) int {
	first := -1
	for seat, r := range ranks {
		if r == 1 {
			if first >= 0 {
				return -1
			}
			first = seat
		}
	}
	return first
}

// winShare is a seat's part of the first place: 1, or less where it is shared.
func winShare(ranks []int32, seat int) float64 {
	n := 0
	for _, r := range ranks {
		if r == 1 {
			n++
		}
	}
	if ranks[seat] != 1 {
		return 0
	}
	return 1 / float64(n)
}

func (b *Balance) judgeField(v *Verdict, list []dealt, seats int) {
	scores, wins := map[string][]float64{}, map[string]float64{}
	slots := make([][]float64, seats)
	var all []float64
	for _, g := range list {
		for seat, name := range g.policies {
			score := b.Game.Points(float64(g.out.Scores[seat]))
			scores[name], slots[seat], all = append(scores[name], score), append(slots[seat], score), append(all, score)
			wins[name] += winShare(g.out.Ranks, seat)
		}
	}
	v.Mean = stat.Mean(all, nil)
	for _, name := range b.Gates.Field {
		s := StrategyMean{Strategy: name, Seats: len(scores[name]), Mean: stat.Mean(scores[name], nil)}
		s.Ratio, s.Wins = s.Mean/v.Mean, wins[name]/float64(s.Seats)
		s.OK = s.Ratio <= b.Gates.MaxRatio
		v.Strategies = append(v.Strategies, s)
	}
	for slot, list := range slots {
		mean, dev := stat.MeanStdDev(list, nil)
		s := SlotMean{Slot: slot, Mean: mean, Error: dev / math.Sqrt(float64(len(list)))}
		s.Errors = (s.Mean - v.Mean) / s.Error
		s.OK = math.Abs(s.Errors) <= b.Gates.MaxErrors
		v.Slots = append(v.Slots, s)
	}
}

func (b *Balance) judgeLeader(v *Verdict, of string, list []dealt) {
	l := LeaderShare{Of: of, Tick: b.Gates.LeaderTick}
	won := 0.0
	for _, g := range list {
		if g.leader >= 0 {
			l.Games++
			won += winShare(g.out.Ranks, g.leader)
		}
	}
	if l.Games > 0 {
		l.Share = won / float64(l.Games)
	}
	l.OK = l.Games > 0 && l.Share <= b.Gates.MaxLeader
	v.Leaders = append(v.Leaders, l)
}

// judgeDuel asks that the first of two beats the second: more than half of the
// points, with all of the interval.
func (b *Balance) judgeDuel(v *Verdict, rules string, pair [2]string, list []dealt) {
	d := Duel{Rules: rules, A: pair[0], B: pair[1]}
	for i, g := range list {
		var sum [2]float64
		for seat, score := range g.out.Scores {
			sum[(seat+i)%2] += b.Game.Points(float64(score))
		}
		switch {
		case sum[0] > sum[1]:
			d.Points++
		case sum[0] == sum[1]:
			d.Points += 0.5
		}
		half := float64(len(g.policies)) / 2
		d.ScoreA += sum[0] / half
		d.ScoreB += sum[1] / half
	}
	n := float64(len(list))
	d.Points, d.ScoreA, d.ScoreB = d.Points/n, d.ScoreA/n, d.ScoreB/n
	d.Interval = wilson(d.Points, len(list))
	d.OK = d.Interval[0] > 0.5
	v.Cycle = append(v.Cycle, d)
}
