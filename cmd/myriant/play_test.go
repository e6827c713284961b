package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

func TestPlay(t *testing.T) {
	t.Chdir(t.TempDir())
	flags := []string{"play", "--policies", "random,greedy", "--map", "tiny-2p", "--seed", "7", "--max-turns", "120"}
	golden(t, "play.txt", ok(t, append(flags, "--show", "--out", "game.json")...))
	// What was written is the game that was played.
	if got := ok(t, "replay", "verify", "--engine", "reference", "game.json"); !strings.HasPrefix(got, "ok    game.json: ladder, ") {
		t.Errorf("verify prints %q", got)
	}
	first, err := os.ReadFile("game.json")
	if err != nil {
		t.Fatal(err)
	}
	result := parseJSON[playResult](t, ok(t, append(flags, "--json", "--out", "again.json")...))
	seat := result.Seats[1].(map[string]any)
	for _, key := range []string{"seat", "policy", "score", "rank", "ants", "gathered", "razed", "kills", "losses"} {
		if _, ok := seat[key]; !ok || len(seat) != 9 {
			t.Errorf("a seat is %v, want %s in it", seat, key)
		}
	}
	if result.Map != "tiny-2p" || result.Rules != "ladder" || result.Seed != 7 || len(result.Seats) != 2 || result.Seats[1].(map[string]any)["policy"] != "greedy" || result.Replay != "again.json" {
		t.Errorf("%+v", result)
	}
	if again, err := os.ReadFile("again.json"); err != nil || !slices.Equal(first, again) {
		t.Errorf("the same flags write another replay (%v)", err)
	}
	// A map with more seats than policies, another rule set, and no file.
	result = parseJSON[playResult](t, ok(t, "play", "--policies", "hold,random", "--map", "medium-4p", "--rules", "contest2011", "--max-turns", "5", "--json"))
	var seats []string
	for _, s := range result.Seats {
		seats = append(seats, s.(map[string]any)["policy"].(string))
	}
	if !slices.Equal(seats, []string{"hold", "random", "hold", "random"}) || result.Reason != "turn limit reached" || result.Turns != 5 {
		t.Errorf("%+v", result)
	}
}

func TestPlayErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	quick := func(args ...string) []string { return append([]string{"play", "--max-turns", "3"}, args...) }
	fails(t, []failure{
		{quick("--policies", "bold"), exitUsage, `--policies: unknown policy "bold" (have hold, random, greedy, hunter)`},
		{quick("--policies", "hold,hold,hold"), exitUsage, "3 policies for the 2 seats of the map"},
		{quick("--policies", " , "), exitUsage, "no policies for 2 seats"},
		{quick("--map", "nowhere"), exitFailed, `"nowhere" is neither a file nor a bundled map`},
		{quick("--rules", "chess"), exitFailed, `no rule set "chess" (have ladder, contest2011, codeclash)`},
		{quick("--rules", `{"view":3}`), exitFailed, `unknown field "view"`},
		{[]string{"play", "--max-turns", "-1"}, exitFailed, "max_turns is -1, want 1..100000"},
		{quick("--out", "no/such/folder.json"), exitFailed, "no such file or directory"},
		{quick("--rules", `{"food":"scripted"}`), exitFailed, "scripted"},
		{quick("--json", "--show"), exitUsage, "--json and --show exclude each other"},
		{quick("--seed", "-1"), exitUsage, `invalid argument "-1" for "--seed"`},
		{quick("extra"), exitUsage, `one argument too many: "extra"`},
	})
}

func TestPoliciesList(t *testing.T) {
	list := parseJSON[[]games.Policy](t, ok(t, "policies", "list", "--json"))
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
		if p.Does == "" {
			t.Errorf("there are no words for policy %s", p.Name)
		}
	}
	if !slices.Equal(names, policy.Names()) {
		t.Errorf("lists %v, bundled are %v", names, policy.Names())
	}
	golden(t, "policies-list.txt", ok(t, "policies", "list"))
}

func TestCrosstable(t *testing.T) {
	flags := []string{"policies", "crosstable", "-n", "4", "--map", "tiny-2p", "--max-turns", "60", "--seed", "3", "--policies", "hold,random,greedy"}
	golden(t, "crosstable.txt", ok(t, flags...))
	r := parseJSON[crosstableResult](t, ok(t, append(flags, "--json")...))
	if r.Games != 4 || r.Seed != 3 || r.Rules != "ladder" || !slices.Equal(r.Maps, []string{"tiny-2p"}) || len(r.Pairings) != 3 {
		t.Errorf("%+v", r)
	}
	if p := r.Pairings[1]; p.A != "hold" || p.B != "greedy" || p.Wins+p.Draws+p.Losses != 4 {
		t.Errorf("%+v", p)
	}
	fails(t, []failure{
		{[]string{"policies", "crosstable", "--map", "small-3p"}, exitFailed, "small-3p has 3 seats, a crosstable is played on maps of 2"},
		{[]string{"policies", "crosstable", "--policies", "hold"}, exitFailed, "1 policies, want two or more"},
		{[]string{"policies", "crosstable", "-n", "0"}, exitFailed, "0 games, want one or more"},
	})
}
