package match

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/ants/policy"
	"github.com/myriant-rl/myriant/env/replay"
)

func lookup(t *testing.T, name string) games.Game {
	t.Helper()
	g, err := games.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func board(t *testing.T, id string) env.Map {
	t.Helper()
	m, err := lookup(t, "ants").Maps().Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rules(t *testing.T, text string) *games.Rules {
	t.Helper()
	r, err := lookup(t, "ants").Rules(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPlayIsTheReference: the recorded orders are those of the readable
// policies on the reference, turn by turn, and so is what the result tells.
func TestPlayIsTheReference(t *testing.T) {
	m, r := board(t, "small-3p"), rules(t, `{"max_turns":80}`)
	names := []string{"greedy", "random", "hunter"}
	const seed = 1 << 63
	seen := 0
	result, err := Play(context.Background(), Game{Game: lookup(t, "ants"), Rules: r, Map: m, Policies: names, Seed: seed}, func(b env.Engine) error {
		if turn := b.Outcome().Steps; turn != seen {
			t.Errorf("watched turn %d after %d", turn, seen-1)
		}
		seen++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set, err := ants.ParseRules(r.JSON)
	if err != nil {
		t.Fatal(err)
	}
	e, err := antsref.New(&set, m.(*ants.Map))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(seed); err != nil {
		t.Fatal(err)
	}
	recorded := result.Replay.(*replay.Envelope)
	if seen != result.Outcome.Steps+1 || recorded.Turns != result.Outcome.Steps || recorded.Seed != seed {
		t.Errorf("watched %d times, %d turns, replay of %d turns and seed %d", seen, result.Outcome.Steps, recorded.Turns, recorded.Seed)
	}
	losses := make([]int32, m.Seats())
	for turn := range result.Outcome.Steps {
		orders := make([][]byte, m.Seats())
		for seat, name := range names {
			p, err := policy.New(name)
			if err != nil {
				t.Fatal(err)
			}
			orders[seat] = p.Act(nil, e.View(seat), policy.Draw(seed, seat, turn))
			letters, err := replay.Letters(orders[seat])
			if err != nil {
				t.Fatal(err)
			}
			if got := recorded.Deltas[turn].Orders[seat]; got != letters {
				t.Fatalf("turn %d, %s orders %q, on the reference %q", turn, name, got, letters)
			}
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
		for _, d := range e.Frame().Deaths {
			losses[d.Owner]++
		}
	}
	if diff := cmp.Diff(e.Outcome(), result.Outcome); diff != "" {
		t.Errorf("outcome (-reference +played):\n%s", diff)
	}
	s := e.State()
	if !slices.Equal(s.Append(nil), result.Last) {
		t.Error("the last states are not the same")
	}
	for seat, got := range result.Seats {
		kills := got.Stats[3] // the reference does not count them
		want := []int32{int32(len(s.Ants[seat])), s.Seats[seat].Gathered, s.Seats[seat].Razed, kills, losses[seat]}
		if got.Policy != names[seat] || !slices.Equal(got.Stats, want) || got.Score != s.Seats[seat].Score {
			t.Errorf("seat %d: %+v, reference has %v, score %d", seat, got, want, s.Seats[seat].Score)
		}
	}
}

func TestPlayStops(t *testing.T) {
	g := Game{Game: lookup(t, "ants"), Rules: rules(t, ""), Map: board(t, "tiny-2p"), Policies: []string{"hold", "hold"}}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Play(ctx, g, func(b env.Engine) error {
		if b.Outcome().Steps == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || err.Error() != "stopped after 3 turns: context canceled" {
		t.Errorf("%v", err)
	}
	mine := errors.New("enough")
	if _, err := Play(context.Background(), g, func(env.Engine) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("%v", err)
	}
}

func TestDeal(t *testing.T) {
	got, err := Deal(lookup(t, "ants"), []string{"greedy", "hold"}, 5)
	if want := []string{"greedy", "hold", "greedy", "hold", "greedy"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("dealt %v, %v", got, err)
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "no policies for 2 seats"},
		{[]string{"hold", "hold", "hold"}, "3 policies for the 2 seats of the map"},
		{[]string{"hold", "bold"}, `unknown policy "bold" (have hold, random, greedy, hunter)`},
	} {
		if _, err := Deal(lookup(t, "ants"), c.names, 2); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.names, err, c.want)
		}
	}
}

// TestTournament: pairings add up, do not depend on workers, and tell who is
// better between two that are far apart.
func TestTournament(t *testing.T) {
	tour := Tournament{
		Game: lookup(t, "ants"), Rules: rules(t, `{"max_turns":150}`), Maps: []env.Map{board(t, "tiny-2p"), board(t, "open-32x32-2p")},
		Policies: []string{"hold", "random", "greedy"}, Games: 6, Seed: 5, Workers: 1,
	}
	if tour.Boards() != 18 {
		t.Errorf("%d games", tour.Boards())
	}
	last, games := int64(-1), 0
	pairings, err := tour.Run(context.Background(), func(turns int64, done int) {
		if turns < last || done < games {
			t.Errorf("progress goes from %d turns, %d games to %d, %d", last, games, turns, done)
		}
		last, games = turns, done
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != 18*150 || games != 18 {
		t.Errorf("progress ends at %d turns, %d games", last, games)
	}
	var pairs []string
	for _, p := range pairings {
		pairs = append(pairs, p.A+" "+p.B)
		if p.Wins+p.Draws+p.Losses != 6 || p.Points != (float64(p.Wins)+float64(p.Draws)/2)/6 || p.Interval[0] > p.Points || p.Interval[1] < p.Points || p.Turns > 150 || p.Turns < 1 {
			t.Errorf("%+v", p)
		}
	}
	if want := []string{"hold random", "hold greedy", "random greedy"}; !slices.Equal(pairs, want) {
		t.Errorf("pairs %q", pairs)
	}
	if p := pairings[1]; p.Wins < 4 || p.ScoreB <= p.ScoreA {
		t.Errorf("greedy does not beat hold: %+v", p)
	}
	tour.Workers = 3
	again, err := tour.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pairings, again); diff != "" {
		t.Errorf("on three workers (-one +three):\n%s", diff)
	}
}

func TestTournamentErrors(t *testing.T) {
	good := Tournament{Game: lookup(t, "ants"), Rules: rules(t, ""), Maps: []env.Map{board(t, "tiny-2p")}, Policies: []string{"hold", "random"}, Games: 2}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := good.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	for want, change := range map[string]func(t *Tournament){
		"1 policies, want two or more": func(t *Tournament) { t.Policies = t.Policies[:1] },
		"0 games, want one or more":    func(t *Tournament) { t.Games = 0 },
		"no maps":                      func(t *Tournament) { t.Maps = nil },
		`unknown policy "bold" (have hold, random, greedy, hunter)`: func(t *Tournament) { t.Policies = []string{"hold", "bold"} },
	} {
		bad := good
		change(&bad)
		if _, err := bad.Run(context.Background(), nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	good.Maps = append(good.Maps, board(t, "small-3p"))
	if _, err := good.Run(context.Background(), nil); !errors.Is(err, env.ErrMap) {
		t.Errorf("map of three seats: %v", err)
	}
}

// TestWilson compares with the values that Newcombe published (Statistics in
// Medicine 17, 1998, method 3).
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		got := wilson(float64(c.k)/float64(c.n), c.n)
		if math.Abs(got[0]-c.lo) > 6e-5 || math.Abs(got[1]-c.hi) > 6e-5 {
			t.Errorf("%d of %d: %.4f, want %v..%v", c.k, c.n, got, c.lo, c.hi)
		}
	}
}

func TestNewEngine(t *testing.T) {
	r, m := rules(t, ""), board(t, "tiny-2p")
	var states [][]byte
	for _, name := range Engines() {
		e, done, err := NewEngine(name, "ants", r.JSON, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Reset(9); err != nil {
			t.Fatal(err)
		}
		states = append(states, e.AppendState(nil))
		done()
	}
	if !slices.Equal(states[0], states[1]) {
		t.Error("the engines do not start alike")
	}
	if _, _, err := NewEngine("fast", "ants", r.JSON, m); err == nil || err.Error() != `no engine "fast" (have batch, reference)` {
		t.Errorf("%v", err)
	}
	for _, name := range Engines() {
		if _, _, err := NewEngine(name, "ants", "{}}", m); !errors.Is(err, env.ErrRules) {
			t.Errorf("%s: no rules: %v", name, err)
		}
	}
}
