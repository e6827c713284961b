// Recorded games of other engines: each must be read and written back whole,
// and come out the same when it is played again.

package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
)

func newReference(r *ants.Rules, m *ants.Map) (ants.Engine, error) { return antsref.New(r, m) }

// goldenDir is the folder of recorded data; a test skips where there is none.
func goldenDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MYRIANT_GOLDEN")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "golden")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no golden data at %s (set MYRIANT_GOLDEN)", dir)
	}
	return dir
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// generic decodes any JSON with its numbers as they are written.
func generic(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// roundTrips checks that reading and writing the text keeps every value.
func roundTrips(t *testing.T, text []byte, r Replay) {
	t.Helper()
	out, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(generic(t, text), generic(t, out)); diff != "" {
		t.Errorf("reading and writing changed (-recorded +written):\n%s", diff)
	}
}

func TestGoldenReplays(t *testing.T) {
	dir := goldenDir(t)
	var files []string
	for _, pattern := range []string{"ladder/replay-*.json", "ladder/lesson-*.json", "contest2011/transcript_*.json.gz"} {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if !strings.HasSuffix(f, ".golden.json") {
				files = append(files, f)
			}
		}
		if len(found) == 0 {
			t.Errorf("no files %s in %s", pattern, dir)
		}
	}
	turns, orders := 0, 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data := readFile(t, file)
			r, err := Open(data)
			if err != nil {
				t.Fatal(err)
			}
			text := data
			if r.Format() == FormatContest {
				plain, err := gunzip(data)
				if err != nil {
					t.Fatal(err)
				}
				var transcript struct{ Replay json.RawMessage }
				if err := json.Unmarshal(plain, &transcript); err != nil {
					t.Fatal(err)
				}
				text = transcript.Replay
			}
			roundTrips(t, text, r)
			report, err := Verify(r, newReference)
			if err != nil {
				t.Fatal(err)
			}
			turns += report.Turns
			orders += report.Orders
			if l, ok := r.(*Lesson); ok {
				lessonMatches(t, l, strings.TrimSuffix(file, ".json")+".golden.json")
			}
		})
	}
	t.Logf("%d golden files read, written and played again: %d turns, %d orders", len(files), turns, orders)
}

// lessonMatches compares the orders that a lesson gives with those recorded.
func lessonMatches(t *testing.T, l *Lesson, path string) {
	t.Helper()
	var golden struct{ Orders [][]string }
	if err := json.Unmarshal(readFile(t, path), &golden); err != nil {
		t.Fatal(err)
	}
	rules, err := l.Rules()
	if err != nil {
		t.Fatal(err)
	}
	e, err := newReference(&rules, l.Map)
	if err != nil {
		t.Fatal(err)
	}
	var orders [][]string
	if err := play(l.script(), e, func(turn *turn, before, _ *ants.State) error {
		if turn == nil {
			return nil
		}
		var all []string
		for seat, list := range turn.orders {
			letters, err := Letters(list)
			if err != nil {
				return err
			}
			letters += strings.Repeat("-", len(before.Ants[seat])-len(letters))
			all = append(all, letters)
		}
		orders = append(orders, all)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(golden.Orders, orders); diff != "" {
		t.Errorf("orders (-recorded +played):\n%s", diff)
	}
}

// Playing a contest replay again and recording that gives the replay back, but
// for the order in which its lists are kept.
func TestGoldenContestRecorder(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldenDir(t), "contest2011", "transcript_*.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range files {
		r, err := Open(readFile(t, file))
		if err != nil {
			t.Fatal(err)
		}
		want := r.(*Contest)
		if slices.Contains(want.Status, StatusInvalid) {
			continue // a player that leaves after its orders were read is not recorded
		}
		checked++
		got := rerecord(t, want)
		for _, c := range []*Contest{want, got} {
			slices.SortFunc(c.Data.Ants, func(a, b ContestAnt) int { return compareRows(a.Start-b.Start, a.Row-b.Row, a.Col-b.Col) })
			slices.SortFunc(c.Data.Food, func(a, b ContestFood) int { return compareRows(a.Start-b.Start, a.Row-b.Row, a.Col-b.Col) })
		}
		type facts struct {
			Turns                       int
			Scores, Ranks, PlayerTurns  []int32
			Status                      []string
			Ants                        []ContestAnt
			Food                        []ContestFood
			Hills                       []ContestHill
			ScoreHistory, HiveHistory   [][]int32
			Bonus                       []int32
			Cutoff, Winning, Ranking    string
			View, Attack, Gather, Limit int
		}
		factsOf := func(c *Contest) facts {
			d := &c.Data
			return facts{
				c.Turns, c.Scores, c.Ranks, c.PlayerTurns, c.Status, d.Ants, d.Food, d.Hills, d.ScoreHistory, d.HiveHistory,
				d.Bonus, d.Cutoff, string(d.Extra.Get("winning_turn")), string(d.Extra.Get("ranking_turn")),
				d.ViewRadius2, d.AttackRadius2, d.GatherRadius2, d.MaxTurns,
			}
		}
		if diff := cmp.Diff(factsOf(want), factsOf(got)); diff != "" {
			t.Errorf("%s (-contest's +ours):\n%s", filepath.Base(file), diff)
		}
	}
	t.Logf("%d of %d contest replays recorded again", checked, len(files))
}

func compareRows(keys ...int32) int {
	for _, k := range keys {
		if k != 0 {
			return int(k)
		}
	}
	return 0
}

// rerecord plays a contest replay and records it.
func rerecord(t *testing.T, c *Contest) *Contest {
	t.Helper()
	rules, err := c.Rules()
	if err != nil {
		t.Fatal(err)
	}
	e, err := antsref.New(&rules, c.Board())
	if err != nil {
		t.Fatal(err)
	}
	var rec *ContestRecorder
	if err := play(c.script(), e, func(turn *turn, before, _ *ants.State) error {
		if turn == nil {
			rec, err = NewContestRecorder(e, c.Names)
			return err
		}
		return rec.Turn(turn.orders)
	}); err != nil {
		t.Fatal(err)
	}
	got, err := rec.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return got
}
