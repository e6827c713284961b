// The commands on Formica.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/cmd/internal/match"
	"github.com/myriant-rl/myriant/datasets"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/policy"
	"github.com/myriant-rl/myriant/env/replay"
)

// formicaGame is a recorded game of two seats and three phases.
func formicaGame(t *testing.T) (path, text string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "env", "replay", "testdata", "formica.json"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, string(data)
}

func TestFormicaReplayShow(t *testing.T) {
	path, _ := formicaGame(t)
	golden(t, "formica-show.txt", ok(t, "replay", "show", path, "--turn", "2"))
	golden(t, "formica-show-seat.txt", ok(t, "replay", "show", path, "--turn", "2", "--seat", "b"))
	golden(t, "formica-show-end.txt", ok(t, "replay", "show", path))
	var frame struct{ Tick int }
	if err := json.Unmarshal([]byte(ok(t, "replay", "show", path, "--turn", "2", "--json")), &frame); err != nil || frame.Tick != 16 {
		t.Errorf("frame of tick %d, %v", frame.Tick, err)
	}
	var view struct {
		Type        string
		Slot, Phase int
	}
	if err := json.Unmarshal([]byte(ok(t, "replay", "show", path, "--turn", "2", "--seat", "b", "--json")), &view); err != nil ||
		view.Type != "command" || view.Slot != 1 || view.Phase != 2 {
		t.Errorf("view %+v, %v", view, err)
	}
	fails(t, []failure{
		{[]string{"replay", "show", path, "--turn", "4"}, exitFailed, "phase 4: the game has 3 phases"},
		{[]string{"replay", "show", path, "--seat", "c"}, exitUsage, `no seat "c", want a to b or 0 to 1`},
	})
}

// TestFormicaScreen: a frame of --play fits terminals of any size.
func TestFormicaScreen(t *testing.T) {
	_, text := formicaGame(t)
	r, err := replay.Open([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	g, err := games.Lookup("formica")
	if err != nil {
		t.Fatal(err)
	}
	film, err := g.Film(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, seat := range []int{-1, 0} {
		s := &show{film: film, words: g.Words(), seats: 2, seat: seat}
		if err := film.Play(func() error {
			for _, size := range [][2]int{{50, 120}, {24, 80}, {24, 30}, {8, 20}, {3, 8}, {1, 1}} {
				screen := string(s.screen(size[0], draw.Style{Width: size[1]}))
				if n := strings.Count(screen, "\n") + 1; n > size[0] {
					t.Errorf("%d lines on %d rows", n, size[0])
				}
				if whole := strings.Contains(screen, "\n  9 "); whole != (size[0] == 50) {
					t.Errorf("on %dx%d the last row of the board is shown: %t", size[0], size[1], whole)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFormicaReplayVerify(t *testing.T) {
	path, text := formicaGame(t)
	t.Chdir(t.TempDir())
	for name, change := range map[string][2]string{
		"order.json":   {`[0,0,`, `[0,0,`},
		"version.json": {`"rules_version":1,"config"`, `"rules_version":2,"config"`},
		"scores.json":  {`"results":{"scores":[`, `"results":{"scores":[1`},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if name == "order.json" {
			changed = strings.Replace(text, `true,`, `false,`, 1)
		}
		if changed == text {
			t.Fatalf("%s is the same game", name)
		}
		if err := os.WriteFile(name, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := myriant("replay", "verify", "--engine", "reference", path, "order.json", "version.json", "scores.json")
	golden(t, "formica-verify.txt", strings.ReplaceAll(r.stdout, path, "formica.json"))
	if r.code != exitFailed || r.stderr != "myriant: 3 of 4 replays do not verify\n" {
		t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
	}
	v := parseJSON[[]replayVerdict](t, ok(t, "replay", "verify", "--engine", "reference", path, "--json"))
	if len(v) != 1 || !v[0].OK || v[0].Turns != 3 || v[0].Reason != formica.ReasonFinalTick || len(v[0].Scores) != 2 {
		t.Errorf("%+v", v)
	}
}

func TestFormicaMaps(t *testing.T) {
	golden(t, "formica-maps.txt", ok(t, "maps", "list", "--game", "formica"))
	dir := t.TempDir()
	path := filepath.Join(dir, "three.json")
	if err := os.WriteFile(path, []byte(ok(t, "maps", "show", "--game", "formica", "generated:seats=3,radius=12", "--json")), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := ok(t, "maps", "validate", "--game", "formica", path); !strings.HasSuffix(got, "three.json: 3 seats, radius 12, 469 cells\n") {
		t.Errorf("validate prints %q", got)
	}
	drawn := ok(t, "maps", "show", "--game", "formica", path)
	if !strings.HasPrefix(drawn, "generated:seats=3,radius=12: 3 seats, radius 12, 469 cells\n") || strings.Count(drawn, "\n") != 27 || !strings.Contains(drawn, "A-C nest") {
		t.Errorf("show prints\n%s", drawn)
	}
	fails(t, []failure{
		{[]string{"maps", "show", "--game", "formica", "generated:seats=5"}, exitFailed, "5 colonies cannot stand symmetrically"},
		{[]string{"maps", "show", "--game", "formica", "duel", "--text"}, exitFailed, `no form "text" of a board of Formica`},
		{[]string{"maps", "list", "--game", "chess"}, exitUsage, `--game: unknown game "chess" (have ants, formica)`},
	})
}

func TestFormicaPolicies(t *testing.T) {
	list := parseJSON[[]games.Policy](t, ok(t, "policies", "list", "--game", "formica", "--json"))
	if len(list) != len(policy.Names()) {
		t.Errorf("%+v", list)
	}
	for _, p := range list {
		if p.Does == "" {
			t.Errorf("there are no words for policy %s", p.Name)
		}
	}
}

// TestFormicaPlay: what is written is the game that was played, on both engines.
func TestFormicaPlay(t *testing.T) {
	t.Chdir(t.TempDir())
	flags := []string{"play", "--game", "formica", "--policies", "scripted,raid", "--seed", "7", "--max-turns", "160"}
	out := ok(t, append(flags, "--show", "--out", "game.json")...)
	for _, want := range []string{"a-d ants  A-D nest", "seat  policy    rank  score  food  territory  ants", "final_tick after 2", " phases of default on default, seed 7", "wrote game.json"} {
		if !strings.Contains(out, want) {
			t.Errorf("play prints no %q:\n%s", want, out)
		}
	}
	for _, engine := range []string{"reference", "batch"} {
		if got := ok(t, "replay", "verify", "--engine", engine, "game.json"); !strings.HasPrefix(got, "ok    game.json: formica, 2") || !strings.Contains(got, " phases, ") {
			t.Errorf("%s: verify prints %q", engine, got)
		}
	}
	result := parseJSON[playResult](t, ok(t, append(flags, "--json", "--out", "again.json")...))
	first, err := os.ReadFile("game.json")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile("again.json"); err != nil || string(again) != string(first) {
		t.Errorf("the same flags write another replay (%v)", err)
	}
	r, err := replay.Open(first)
	if err != nil {
		t.Fatal(err)
	}
	game := r.(*replay.Formica)
	if result.Map != "default" || result.Rules != "default" || result.Turns != game.Phases() || len(result.Seats) != 4 {
		t.Errorf("%+v", result)
	}
	for i, s := range result.Seats {
		seat := s.(map[string]any)
		want := map[string]float64{
			"score": float64(game.Results.Scores2[i]) / 2, "food_stored": float64(game.Results.FoodStored[i]),
			"territory_cells": float64(game.Results.TerritoryCells[i]), "population": float64(game.Results.Population[i]),
		}
		for key, v := range want {
			if seat[key] != v {
				t.Errorf("seat %d: %s is %v, the replay has %v", i, key, seat[key], v)
			}
		}
		if name := []string{"scripted", "raid"}[i%2]; seat["policy"] != name || game.Players[i].Name != name {
			t.Errorf("seat %d: %v, %q", i, seat["policy"], game.Players[i].Name)
		}
	}
	// Boards of other seats, and a rule set with a seed of its own.
	for _, args := range [][]string{
		{"--rules", "duel"}, {"--map", "generated:seats=3,radius=12"}, {"--map", "generated:seats=6,radius=14"}, {"--rules", "seeded-quartet", "--seed", "3"},
	} {
		ok(t, append([]string{"play", "--game", "formica", "--max-turns", "48", "--out", "other.json"}, args...)...)
		ok(t, "replay", "verify", "other.json")
	}
	if got := ok(t, "play", "--game", "formica", "--rules", "seeded-quartet", "--seed", "3", "--max-turns", "16"); !strings.Contains(got, "of seeded-quartet on seeded-quartet, seed 7") {
		t.Errorf("a rule set with a seed of its own: %s", got)
	}
	fails(t, []failure{
		{[]string{"play", "--game", "formica", "--policies", "greedy"}, exitUsage, `--policies: unknown policy "greedy" (have scripted, `},
		{[]string{"play", "--game", "formica", "--map", "generated:seats=5"}, exitFailed, "5 colonies cannot stand symmetrically"},
		{[]string{"play", "--game", "formica", "--map", "tiny-2p"}, exitFailed, "neither a file nor a bundled map"},
		{[]string{"play", "--game", "formica", "--rules", "ladder"}, exitFailed, `no variant "ladder" (have default, duel, seeded-quartet)`},
		{[]string{"play", "--game", "formica", "--rules", `{"rules_version":9}`}, exitFailed, "rules_version is 9, this engine plays"},
	})
}

// TestFormicaGenerate: a dataset of Formica is written, says what it is, reads
// back, and does not depend on the workers.
func TestFormicaGenerate(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"generate", "--game", "formica", "--policies", "scripted,random", "--max-turns", "80", "--seed", "4", "--episodes", "12", "--out"}
	out := ok(t, append(args, "one", "--workers", "1")...)
	for _, want := range []string{"one: 12 episodes of scripted and random by default rules on default", "phases   ", "orders   ", "final_tick        12", "first places"} {
		if !strings.Contains(out, want) {
			t.Errorf("generate prints no %q:\n%s", want, out)
		}
	}
	d, err := datasets.Open("one", datasets.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m := d.Manifest(); m.Game != "formica" || m.Engine.Signature == "" || d.Len() != 12 || !m.Complete {
		t.Errorf("%+v", m)
	}
	if _, err := d.Verify(context.Background(), datasets.VerifyOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	ok(t, append(args, "two", "--workers", "3")...)
	if diff := cmp.Diff(folder(t, "one"), folder(t, "two")); diff != "" {
		t.Errorf("three workers write another folder (-one +three):\n%s", diff)
	}
	if got := ok(t, append(args, "two", "--resume")...); !strings.Contains(got, "the dataset was complete; nothing was played") {
		t.Errorf("resuming a complete dataset prints\n%s", got)
	}
}

func TestFormicaCrosstable(t *testing.T) {
	flags := []string{"policies", "crosstable", "--game", "formica", "-n", "4", "--max-turns", "64", "--seed", "3", "--policies", "raid,forage"}
	r := parseJSON[crosstableResult](t, ok(t, append(flags, "--json")...))
	if r.Rules != "duel" || len(r.Maps) != 1 || r.Maps[0] != "duel" || len(r.Pairings) != 1 || r.Pairings[0].Turns < 8 || r.Pairings[0].Turns > 10 {
		t.Errorf("%+v", r)
	}
	if got := ok(t, flags...); !strings.HasPrefix(got, "4 games a pair by duel rules on duel, ") || !strings.Contains(got, "phases") {
		t.Errorf("crosstable prints\n%s", got)
	}
}

// TestBalanceOutput: the tables of a verdict, from made-up numbers, and what the
// command refuses.
func TestBalanceOutput(t *testing.T) {
	g, err := games.Lookup("formica")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	writeBalance(&out, g.Gates(), &match.Verdict{
		Field: 1440, Mean: 157.25,
		Strategies: []match.StrategyMean{{Strategy: "scripted", Seats: 960, Mean: 213.1, Ratio: 1.355, Wins: 0.45}, {Strategy: "forage", Seats: 960, Mean: 140.2, Ratio: 0.892, Wins: 0.09, OK: true}},
		Slots:      []match.SlotMean{{Slot: 0, Mean: 156.2, Error: 2.98, Errors: -0.35, OK: true}, {Slot: 1, Mean: 164.1, Error: 3.01, Errors: 2.28}},
		Leaders:    []match.LeaderShare{{Of: "field", Tick: 100, Games: 1426, Share: 0.398, OK: true}, {Of: "fixed", Tick: 100, Games: 1420, Share: 0.41}},
		Cycle:      []match.Duel{{Rules: "duel", A: "raid", B: "forage", Points: 0.51, Interval: [2]float64{0.46, 0.56}, ScoreA: 201.25, ScoreB: 199.5}},
	})
	golden(t, "formica-balance.txt", out.String())
	fails(t, []failure{
		{[]string{"policies", "balance"}, exitUsage, "--game: ants has no gates of balance"},
		{[]string{"policies", "balance", "--game", "formica", "--games", "0"}, exitFailed, "0 games and 400 duels"},
	})
}
