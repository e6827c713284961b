package match

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/env"
)

// TestDealtSeats: every strategy sits on every seat equally often, and meets every
// other equally often.
func TestDealtSeats(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	list := deal(names, 4, 1, 9)
	if len(list) != 5*24 {
		t.Fatalf("%d games, want every choice of 4 of 5 in every order", len(list))
	}
	if got := len(deal(names, 4, 121, 9)); got != 2*len(list) {
		t.Errorf("121 games become %d", got)
	}
	seats, seeds := map[string][4]int{}, map[uint64]bool{}
	seen := map[string]bool{}
	for _, g := range list {
		seeds[g.seed] = true
		seen[strings.Join(g.policies, "")] = true
		for seat, name := range g.policies {
			n := seats[name]
			n[seat]++
			seats[name] = n
		}
	}
	if len(seeds) != len(list) || len(seen) != len(list) {
		t.Errorf("%d seeds and %d deals of %d games", len(seeds), len(seen), len(list))
	}
	for _, name := range names {
		if seats[name] != [4]int{24, 24, 24, 24} {
			t.Errorf("%s sits %v times on the seats", name, seats[name])
		}
	}
	// Fewer strategies than seats: all of them, and again from the first.
	if got := choices([]string{"a", "b"}, 3); len(got) != 1 || !slices.Equal(got[0], []string{"a", "b", "a"}) {
		t.Errorf("2 of 3 seats: %v", got)
	}
}

func TestRankShares(t *testing.T) {
	for _, c := range []struct {
		ranks []int32
		sole  int
		share []float64
	}{
		{[]int32{2, 1, 3}, 1, []float64{0, 1, 0}},
		{[]int32{1, 3, 1}, -1, []float64{0.5, 0, 0.5}},
	} {
		if got := soleFirst(c.ranks); got != c.sole {
			t.Errorf("%v: sole first %d, want %d", c.ranks, got, c.sole)
		}
		for seat, want := range c.share {
			if got := winShare(c.ranks, seat); got != want {
				t.Errorf("%v: seat %d has %v of the first place, want %v", c.ranks, seat, got, want)
			}
		}
	}
}

// balance measures Formica with so many games, or with cut ones.
func balance(t *testing.T, games, duels, workers int, cut bool) (*Balance, *Verdict) {
	t.Helper()
	g := lookup(t, "formica")
	gates := g.Gates()
	if cut {
		gates.Rules, gates.Duels = `{"max_ticks":112}`, []string{`{"name":"duel","max_ticks":60}`}
		gates.Field, gates.Fixed = gates.Field[:4], gates.Fixed[:4]
	}
	b := &Balance{Game: g, Gates: gates, Games: games, Duels: duels, Seed: 1, Workers: workers}
	last := 0
	v, err := b.Run(context.Background(), func(done, total int) {
		if done < last || done > total {
			t.Errorf("progress goes from %d to %d of %d", last, done, total)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, v
}

// TestBalance holds Formica to its gates. With few games a gate that is just
// kept can look broken by chance, so then chance is allowed for.
func TestBalance(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the gates are about whole games, hundreds of them")
	}
	long := os.Getenv("MYRIANT_LONG") != ""
	games, duels := 840, 40
	if long {
		games, duels = 2520, 400
	}
	b, v := balance(t, games, duels, 0, false)
	for _, s := range v.Strategies {
		t.Logf("%-13s %6.1f points, %.3f of the field", s.Strategy, s.Mean, s.Ratio)
		if !s.OK {
			t.Errorf("%s has %.3f of the field's mean, at most %v", s.Strategy, s.Ratio, b.Gates.MaxRatio)
		}
	}
	slack := 0.0
	if !long {
		slack = 1.5
	}
	for _, s := range v.Slots {
		t.Logf("slot %d %.1f points, %+.2f standard errors off", s.Slot, s.Mean, s.Errors)
		if math.Abs(s.Errors) > b.Gates.MaxErrors+slack {
			t.Errorf("slot %d is %.2f standard errors off the mean", s.Slot, s.Errors)
		}
	}
	for _, l := range v.Leaders {
		chance := math.Sqrt(l.Share * (1 - l.Share) / float64(l.Games))
		t.Logf("leader at tick %d wins %.3f of %d games of the %s, standard error %.3f", l.Tick, l.Share, l.Games, l.Of, chance)
		if l.Share-slack*chance > b.Gates.MaxLeader {
			t.Errorf("the leader at tick %d wins %.3f of %d games of the %s, at most %v", l.Tick, l.Share, l.Games, l.Of, b.Gates.MaxLeader)
		}
	}
	for _, d := range v.Cycle {
		t.Logf("%s against %s by %s rules: %.3f points a game", d.A, d.B, d.Rules, d.Points)
		if !d.OK {
			t.Errorf("%s does not beat %s by %s rules: %.3f points a game, %v", d.A, d.B, d.Rules, d.Points, d.Interval)
		}
	}
	if long && !v.OK {
		t.Error("a gate is not kept")
	}
}

// A verdict does not depend on workers, and its parts add up.
func TestBalanceAgain(t *testing.T) {
	b, one := balance(t, 1, 2, 1, true)
	_, three := balance(t, 1, 2, 3, true)
	if diff := cmp.Diff(one, three); diff != "" {
		t.Errorf("on three workers (-one +three):\n%s", diff)
	}
	seats, wins, sum := 0, 0.0, 0.0
	for _, s := range one.Strategies {
		seats += s.Seats
		wins += s.Wins * float64(s.Seats)
		sum += s.Mean * float64(s.Seats)
	}
	if one.Field != 24 || seats != 4*one.Field || math.Abs(wins-float64(one.Field)) > 1e-6 || math.Abs(sum/float64(seats)-one.Mean) > 1e-6 {
		t.Errorf("%d games, %d seats, %v wins, mean %v, want %v", one.Field, seats, wins, sum/float64(seats), one.Mean)
	}
	if len(one.Strategies) != len(b.Gates.Field) || len(one.Slots) != 4 || len(one.Cycle) != 3 || len(one.Leaders) != 2 || one.Leaders[0].Games == 0 {
		t.Errorf("%+v", one)
	}
}

// TestSides: two strategies share the seats and swap them.
func TestSides(t *testing.T) {
	list := sides([2]string{"a", "b"}, 4, 4, 7)
	var seen []string
	for _, g := range list {
		seen = append(seen, strings.Join(g.policies, ""))
	}
	if want := []string{"abab", "baba", "abab", "baba"}; !slices.Equal(seen, want) || list[0].seed != list[1].seed || list[1].seed == list[2].seed {
		t.Errorf("sides %v of %v", seen, list)
	}
}

// What is out of bounds is found.
func TestBalanceFails(t *testing.T) {
	b, _ := balance(t, 1, 2, 0, true)
	g := *b.Gates
	g.MaxRatio, g.MaxErrors, g.MaxLeader = 0.01, 1e-9, 0.001
	g.Cycle = []string{"forage", "raid", "defend"}
	b.Gates = &g
	v, err := b.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	bad := 0
	for _, ok := range []bool{v.OK, v.Strategies[0].OK, v.Slots[0].OK, v.Leaders[0].OK, v.Cycle[0].OK} {
		if !ok {
			bad++
		}
	}
	if bad != 5 {
		t.Errorf("%+v", v)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	b.Games = 0
	if _, err := b.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "0 games and 2 duels") {
		t.Errorf("no games: %v", err)
	}
	g.Rules = "chess"
	b.Games = 1
	if _, err := b.Run(context.Background(), nil); !errors.Is(err, env.ErrRules) {
		t.Errorf("no rules: %v", err)
	}
}
