// The commands on Formica.

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/games"
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
