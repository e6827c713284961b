package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/cmd/internal/match"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/replay"
)

// recordGame plays a short game of wanderers on the reference and writes its
// replay.
func recordGame(t *testing.T, path string) *replay.Envelope {
	t.Helper()
	rules, err := ants.ParseRules(`{"max_turns":60}`)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ants.BundledMap("tiny-2p")
	if err != nil {
		t.Fatal(err)
	}
	e, err := antsref.New(&rules, m)
	if err != nil {
		t.Fatal(err)
	}
	const seed = 3
	if err := e.Reset(seed); err != nil {
		t.Fatal(err)
	}
	rec, err := replay.NewRecorder(m, &rules, seed, []string{"left", "right"})
	if err != nil {
		t.Fatal(err)
	}
	rng := env.RNG(11)
	for !e.Outcome().Done {
		orders := make([][]byte, m.Players)
		for seat, cells := range e.State().Ants {
			for range cells {
				orders[seat] = append(orders[seat], byte(rng.Below(uint64(ants.NumActions))))
			}
		}
		if err := rec.Turn(orders); err != nil {
			t.Fatal(err)
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
	}
	envelope, err := rec.Finish(e.Outcome())
	if err != nil {
		t.Fatal(err)
	}
	writeReplay(t, path, envelope)
	return envelope
}

func writeReplay(t *testing.T, path string, e *replay.Envelope) {
	t.Helper()
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReplayVerify(t *testing.T) {
	t.Chdir(t.TempDir())
	game := recordGame(t, "game.json")
	plain, err := os.ReadFile("game.json")
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("game.json.gz", zipped.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	orders := 0
	for _, d := range game.Deltas {
		orders += len(d.Orders[0]) + len(d.Orders[1])
	}
	for _, engine := range match.Engines() {
		verdicts := parseJSON[[]replayVerdict](t, ok(t, "replay", "verify", "--json", "--engine", engine, "game.json", "game.json.gz"))
		for _, v := range verdicts {
			if !v.OK || v.Turns != game.Turns || v.Orders != orders || v.Reason != game.Reason || v.Map != "tiny-2p" {
				t.Errorf("%s: %+v, recorded %d turns, %d orders, %s", engine, v, game.Turns, orders, game.Reason)
			}
		}
	}
	if got := ok(t, "replay", "verify", "game.json"); !strings.HasPrefix(got, "ok    game.json: ladder, 60 turns, ") {
		t.Errorf("prints %q", got)
	}
}

// TestReplayVerifyMismatch: orders or results that were changed are found, at
// their turn, by both engines.
func TestReplayVerifyMismatch(t *testing.T) {
	t.Chdir(t.TempDir())
	recordGame(t, "game.json")
	short := recordGame(t, "short.json")
	short.Deltas[40].Orders[1] = short.Deltas[40].Orders[1][1:]
	writeReplay(t, "short.json", short)
	reason := recordGame(t, "reason.json")
	reason.Reason = "domination"
	writeReplay(t, "reason.json", reason)
	if err := os.WriteFile("broken.json", []byte(`{"deltas":[`), 0o644); err != nil {
		t.Fatal(err)
	}
	files := []string{"game.json", "short.json", "reason.json", "broken.json", "gone.json"}
	for _, engine := range match.Engines() {
		r := myriant(append([]string{"replay", "verify", "--json", "--engine", engine}, files...)...)
		if r.code != exitFailed || r.stderr != "myriant: 4 of 5 replays do not verify\n" {
			t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
		}
		v := parseJSON[[]replayVerdict](t, r.stdout)
		if !v[0].OK {
			t.Errorf("%+v", v[0])
		}
		if d := v[1].Difference; d == nil || d.Turn != 40 || d.Seat == nil || *d.Seat != 1 || d.What != "orders" {
			t.Errorf("short: %+v", d)
		}
		if d := v[2].Difference; d == nil || d.Turn != 60 || d.Seat != nil || d.What != "reason" || d.Recorded != "domination" || d.Computed != "turn_limit" {
			t.Errorf("reason: %+v", d)
		}
		if !strings.Contains(v[3].Error, "broken.json: bad replay") || !strings.Contains(v[4].Error, "gone.json: no such file") {
			t.Errorf("%+v, %+v", v[3], v[4])
		}
	}
	r := myriant(append([]string{"replay", "verify"}, files...)...)
	golden(t, "replay-verify.txt", r.stdout)
	fails(t, []failure{
		{[]string{"replay", "verify"}, exitUsage, "needs a replay file"},
		{[]string{"replay", "verify", "--engine", "fast", "game.json"}, exitUsage, `--engine: no engine "fast" (have batch, reference)`},
	})
}

func TestReplayVerifyInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	recordGame(t, "game.json")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := myriantContext(ctx, "replay", "verify", "game.json")
	if r.code != exitInterrupted || r.stderr != "myriant: stopped after 0 of 1 replays: interrupted\n" {
		t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
	}
}

func TestReplayShow(t *testing.T) {
	t.Chdir(t.TempDir())
	game := recordGame(t, "game.json")
	for name, args := range map[string][]string{
		"replay-show.txt":      {"--turn", "40"},
		"replay-show-seat.txt": {"--turn", "40", "--seat", "b"},
		"replay-show-end.txt":  nil,
	} {
		golden(t, name, ok(t, append([]string{"replay", "show", "game.json"}, args...)...))
	}
	if ok(t, "replay", "show", "game.json", "--turn", "40", "--seat", "1") != ok(t, "replay", "show", "game.json", "--turn", "40", "--seat", "B") {
		t.Error("seat 1 and seat B are not the same")
	}
	if ok(t, "replay", "show", "game.json", "--turn", "60") != ok(t, "replay", "show", "game.json") {
		t.Error("the last turn is not what is shown without --turn")
	}
	f := parseJSON[ants.Frame](t, ok(t, "replay", "show", "game.json", "--turn", "40", "--json"))
	counts := [2]int{}
	for _, a := range f.Ants {
		counts[a.Owner]++
	}
	// Frame N is the state after N turns, and delta N orders its ants.
	if f.Turn != 40 || counts[0] != len(game.Deltas[40].Orders[0]) || counts[1] != len(game.Deltas[40].Orders[1]) {
		t.Errorf("frame %d has ants %v, its turn has orders %q", f.Turn, counts, game.Deltas[40].Orders)
	}
	var view struct {
		Size []int
		Mine [][2]int
	}
	if err := json.Unmarshal([]byte(ok(t, "replay", "show", "game.json", "--turn", "40", "--seat", "b", "--json")), &view); err != nil {
		t.Fatal(err)
	}
	if len(view.Mine) != counts[1] || len(view.Size) != 2 || view.Size[0] != 24 {
		t.Errorf("view of %d ants on %v", len(view.Mine), view.Size)
	}
	fails(t, []failure{
		{[]string{"replay", "show", "game.json", "--turn", "61"}, exitFailed, "turn 61: the game has 60 turns"},
		{[]string{"replay", "show", "game.json", "--turn", "-2"}, exitUsage, "--turn is -2, want 0 or more"},
		{[]string{"replay", "show", "game.json", "--seat", "c"}, exitUsage, `no seat "c", want a to b or 0 to 1`},
		{[]string{"replay", "show", "game.json", "--seat", "2"}, exitUsage, `no seat "2", want a to b or 0 to 1`},
		{[]string{"replay", "show", "game.json", "--seat", "é"}, exitUsage, `no seat "é"`},
		{[]string{"replay", "show", "game.json", "--play"}, exitFailed, "--play needs a terminal"},
		{[]string{"replay", "show", "game.json", "--play", "--speed", "0"}, exitUsage, "--speed is 0"},
		{[]string{"replay", "show", "game.json", "--json", "--play"}, exitUsage, "--json and --play exclude each other"},
		{[]string{"replay", "show", "gone.json"}, exitFailed, "gone.json: no such file"},
		{[]string{"replay", "show"}, exitUsage, "needs a replay file"},
	})
}

// TestScreen: a frame of --play fits terminals of any size, and is not shrunk
// where there is room.
func TestScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	game := recordGame(t, "game.json")
	g, err := games.Lookup("ants")
	if err != nil {
		t.Fatal(err)
	}
	film, err := g.Film(game)
	if err != nil {
		t.Fatal(err)
	}
	for _, seat := range []int{-1, 1} {
		s := &show{film: film, words: g.Words(), seats: 2, seat: seat}
		err := film.Play(func() error {
			for _, size := range [][2]int{{50, 120}, {24, 80}, {24, 30}, {8, 20}, {3, 8}, {1, 1}} {
				rows, cols := size[0], size[1]
				text := string(s.screen(rows, draw.Style{Width: cols}))
				if n := strings.Count(text, "\n") + 1; n > rows {
					t.Errorf("%d lines on %d rows", n, rows)
				}
				if whole := strings.Contains(text, "\n 23 "); whole != (rows == 50) {
					t.Errorf("on %dx%d the last row of the board is shown: %t", rows, cols, whole)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
