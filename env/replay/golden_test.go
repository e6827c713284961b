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
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
)

// newBoard is the reference engine of a game, as Verify wants it.
func newBoard(rules string, m env.Map) (env.Engine, error) {
	if b, ok := m.(*formica.Board); ok {
		c, err := formica.ParseConfig(rules)
		if err != nil {
			return nil, err
		}
		return formicaref.New(&c, b)
	}
	r, err := ants.ParseRules(rules)
	if err != nil {
		return nil, err
	}
	return antsref.New(&r, m.(*ants.Map))
}

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

// roundTrips checks that reading and writing the text keeps every value.
func roundTrips(t *testing.T, text []byte, r Replay) {
	t.Helper()
	out, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(genericOf(t, string(text)), genericOf(t, string(out))); diff != "" {
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
			report, err := Verify(r, newBoard)
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

// contestGame is what is read of a recorded contest game.
type contestGame struct {
	MapText string `json:"map_text"`
	Options struct {
		Turns         int
		ViewRadius2   int
		AttackRadius2 int
		SpawnRadius2  int
	}
	Initial struct{ Food []int32 }
	Turns   []struct {
		Orders   [][]json.RawMessage
		Rejected [][][]json.RawMessage
		Killed   []int     `json:"killed_players"`
		Spawned  [][]int32 `json:"spawned"`
		NewFood  []int32   `json:"new_food"`
	}
	Final struct {
		Cutoff      string
		GameLength  int `json:"game_length"`
		Score, Rank []int32
		Bonus       []int32
		WinningTurn int `json:"winning_turn"`
		RankingTurn int `json:"ranking_turn"`
	}
}

// orders is the positional orders of a recorded turn, rejected ones left out.
func (g *contestGame) orders(t *testing.T, turn int, state *ants.State, cols int) [][]byte {
	t.Helper()
	read := func(raw json.RawMessage, v any) {
		if err := json.Unmarshal(raw, v); err != nil {
			t.Fatal(err)
		}
	}
	all := make([][]byte, len(state.Ants))
	for player, list := range g.Turns[turn].Orders {
		all[player] = bytes.Repeat([]byte{ants.Stay}, len(state.Ants[player]))
		if slices.Contains(g.Turns[turn].Killed, player) {
			continue // its orders were not judged
		}
		var places []int
		var letters string
		read(list[0], &places)
		read(list[1], &letters)
		rejected := map[int]bool{}
		if player < len(g.Turns[turn].Rejected) {
			for _, r := range g.Turns[turn].Rejected[player] {
				var i int
				read(r[0], &i)
				rejected[i] = true
			}
		}
		for i := range letters {
			if rejected[i] {
				continue
			}
			at, found := slices.BinarySearch(state.Ants[player], int32(places[2*i]*cols+places[2*i+1]))
			if !found {
				t.Fatalf("turn %d: order %d of player %d is for no ant", turn+1, i, player)
			}
			all[player][at] = contestAction(letters[i])
		}
	}
	return all
}

// Contest games that were recorded turn by turn, with dropouts and several
// hills, are played, recorded in the contest's form, read back and played
// again. Games of over 150 KB are left to the engines' own tests.
func TestGoldenContestGames(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldenDir(t), "contest2011", "g*.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	played, dropouts := 0, 0
	for _, file := range files {
		packed := readFile(t, file)
		if len(packed) > 150<<10 {
			continue
		}
		data, err := gunzip(packed)
		if err != nil {
			t.Fatal(err)
		}
		var g contestGame
		if err := json.Unmarshal(data, &g); err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			m, err := ants.ParseMap([]byte(g.MapText))
			if err != nil {
				t.Fatal(err)
			}
			e := reference(t, ruleSet(t, "contest2011", func(r *ants.Rules) {
				o := g.Options
				r.MaxTurns, r.Food = o.Turns, ants.FoodScripted
				r.ViewRadius2, r.AttackRadius2, r.GatherRadius2 = o.ViewRadius2, o.AttackRadius2, o.SpawnRadius2
			}), m, 0)
			state := e.State()
			state.Food = slices.Sorted(slices.Values(g.Initial.Food))
			if err := e.SetState(state.Append(nil)); err != nil {
				t.Fatal(err)
			}
			rec, err := NewContestRecorder(e, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, turn := range g.Turns {
				for _, player := range turn.Killed {
					rec.Drop(player, StatusCrashed)
					e.Drop(player)
					dropouts++
				}
				var spawns []int32
				for _, s := range turn.Spawned {
					spawns = append(spawns, s[0])
				}
				orders := g.orders(t, i, e.State(), m.Cols)
				e.Script(turn.NewFood, spawns)
				if err := e.Step(orders); err != nil {
					t.Fatal(err)
				}
				if err := rec.Turn(orders); err != nil {
					t.Fatal(err)
				}
			}
			c, err := rec.Finish()
			if err != nil {
				t.Fatal(err)
			}
			type result struct {
				Cutoff              string
				Turns               int
				Score, Rank, Bonus  []int32
				Winning, RankingEnd string
			}
			f := g.Final
			want := result{f.Cutoff, f.GameLength, f.Score, f.Rank, f.Bonus, strconv.Itoa(f.WinningTurn), strconv.Itoa(f.RankingTurn)}
			x := &c.Data.Extra
			got := result{c.Data.Cutoff, c.Turns, c.Scores, c.Ranks, c.Data.Bonus, string(x.Get("winning_turn")), string(x.Get("ranking_turn"))}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("result (-contest's +ours):\n%s", diff)
			}
			_, report := verified(t, encode(t, c))
			if report.Turns != f.GameLength {
				t.Errorf("%d turns, want %d", report.Turns, f.GameLength)
			}
			played++
		})
	}
	t.Logf("%d of %d contest games recorded and played again, with %d dropouts", played, len(files), dropouts)
}
