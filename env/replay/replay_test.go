// Reading, writing, recording and verifying, and what is said of bad input.

package replay

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

var update = flag.Bool("update", false, "rewrite the played replays of testdata")

// played makes the replays of testdata that are not written by hand.
var played = map[string]func(t tester) Replay{
	"ladder.json": func(t tester) Replay {
		e := record(t, ruleSet(t, "ladder", func(r *ants.Rules) { r.MaxTurns = 60 }), duel(t), 1<<63+1)
		e.Seats[1].Strikes = 2
		return e
	},
	"codeclash.json": func(t tester) Replay {
		return record(t, ruleSet(t, "codeclash", func(r *ants.Rules) { r.MaxTurns = 40 }), duel(t), 11)
	},
	"near_sighted.json": func(t tester) Replay {
		return record(t, ruleSet(t, "ladder", func(r *ants.Rules) { r.ViewRadius2, r.MaxTurns = 9, 30 }), duel(t), 12)
	},
	"contest2011.json": func(t tester) Replay {
		r := ruleSet(t, "contest2011", func(r *ants.Rules) { r.MaxTurns = 60 })
		return recordContest(t, r, duel(t), 13, nil)
	},
	"contest2011_dropout.json": func(t tester) Replay {
		r := ruleSet(t, "contest2011", func(r *ants.Rules) { r.MaxTurns, r.Food = 60, ants.FoodScripted })
		return recordContest(t, r, trio(t), 14, map[int]int32{1: 9})
	},
}

// The replays of testdata come out the same bytes when they are made again,
// read and written back, and the same game when they are played again.
func TestTestdata(t *testing.T) {
	for name, make := range played {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name)
			data := encode(t, make(t))
			if *update {
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(readFile(t, path)), string(data)); diff != "" {
				t.Errorf("%s changed (-file +played); rewrite it with -update if that is meant:\n%s", path, diff)
			}
			r, report := verified(t, data)
			if diff := cmp.Diff(string(data), string(encode(t, r))); diff != "" {
				t.Errorf("reading and writing changed (-before +after):\n%s", diff)
			}
			if report.Orders < report.Turns {
				t.Errorf("%d orders in %d turns: too dull a game", report.Orders, report.Turns)
			}
		})
	}
	t.Run("lesson.json", func(t *testing.T) {
		data := readFile(t, filepath.Join("testdata", "lesson.json"))
		r, report := verified(t, data)
		roundTrips(t, data, r)
		if report.Turns != 8 || report.Outcome.Reason != "turn_limit" {
			t.Errorf("%d turns, ended by %s", report.Turns, report.Outcome.Reason)
		}
	})
}

const smallMap = `{"rows":2,"cols":4,"players":2,"water":[0,8],"hills":[[0,0],[1,2]],"made_by":{"n":1.10},"symmetry":{"dr":1,"dc":2}}`

// envelopeText is a small valid envelope with one member replaced.
func envelopeText(member, value string) string {
	members := [][2]string{
		{"seed", "5"}, {"max_turns", "9"}, {"map", smallMap}, {"seats", `[{"seat":0},{"seat":1}]`},
		{"engine_ranks", "[1,1]"}, {"scores", "[1,1]"}, {"reason", `"extermination"`}, {"turns", "2"},
		{"deltas", `[{"t":0,"a":["-","-"]},{"t":1,"a":["W","E"]}]`},
	}
	var b strings.Builder
	found := false
	for _, m := range members {
		if m[0] == member {
			m[1], found = value, true
		}
		if m[1] != "" {
			fmt.Fprintf(&b, ",%q:%s", m[0], m[1])
		}
	}
	if !found {
		fmt.Fprintf(&b, ",%q:%s", member, value)
	}
	return "{" + b.String()[1:] + "}"
}

func TestEnvelopeErrors(t *testing.T) {
	if _, err := Open([]byte(envelopeText("reason", `"extermination"`))); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("N", 9)
	for _, c := range []struct{ member, value, want string }{
		{"seed", "-1", "seed: -1 where a whole number of 64 bits is wanted"},
		{"seed", "1e3", "seed: 1e3 where"},
		{"seed", `"007"`, `seed: "007" where`},
		{"seed", "18446744073709551616", "seed: 18446744073709551616 where"},
		{"seed", "", "seed: missing"},
		{"seed", "null", "seed: missing"},
		{"max_turns", "0", "rules: bad rules"},
		{"max_turns", "2.0", "max_turns: 2.0 where a whole number of 32 bits is wanted"},
		{"rules", `"chess"`, "rules: bad rules: no rule set"},
		{"rules", `{"name":"ladder","food":"scripted"}`, "rules: food is scripted"},
		{"map", `{"rows":2}`, "map: bad map: syntax"},
		{"map", "7", "map: bad map: syntax"},
		{"seats", "{}", "seats: an object where an array is wanted"},
		{"seats", `[{"seat":0}]`, "seats: 1 entries on a map of 2 seats"},
		{"seats", `[{"seat":0},{"seat":0}]`, "seats[1].seat: 0, want 1"},
		{"seats", `[{"seat":0},{"seat":1,"m":1}]`, "seats[1].m: match 1: a file of several matches is not read"},
		{"seats", `[{"seat":0},{"seat":1,"forfeited":1}]`, "seats[1].forfeited: a number where true or false is wanted"},
		{"seats", `[{"seat":0,"seat":0},{"seat":1}]`, "seats[0].seat: given twice"},
		{"seats", `[{"seat":0,"strikes":-1},{"seat":1}]`, "seats[0].strikes: -1"},
		{"engine_ranks", "[1]", "engine_ranks: 1 entries"},
		{"engine_ranks", "[1,3]", "engine_ranks[1]: 3, want 1..2"},
		{"engine_ranks", `[1,"1"]`, `engine_ranks[1]: "1" where a whole number`},
		{"scores", "[1,1,1]", "scores: 3 entries"},
		{"scores", "[1,2147483648]", "scores[1]: 2147483648 where"},
		{"reason", "1", "reason: a number where a string is wanted"},
		{"turns", "3", "deltas: 2 entries in a game of 3 turns"},
		{"turns", "10", "turns: 10, want 0..9"},
		{"deltas", `[{"t":0,"a":["-","-"]},{"t":2,"a":["W","E"]}]`, "deltas[1].t: 2, want 1"},
		{"deltas", `[{"t":0,"a":["-"]},{"t":1,"a":["W","E"]}]`, "deltas[0].a: 1 entries"},
		{"deltas", `[{"t":0,"a":["-",3]},{"t":1,"a":["W","E"]}]`, "deltas[0].a[1]: a number where a string is wanted"},
		{"deltas", `[{"t":0,"a":["-","-"]},{"t":1,"m":2,"a":["W","E"]}]`, "deltas[1].m: match 2"},
		{"deltas", `[{"t":0,"a":["-","` + long + `"]},{"t":1,"a":["W","E"]}]`, "deltas[0].a[1]: more orders than the 8 cells"},
		{"deltas", `[{"t":0,"a":["-","-"]},[]]`, "deltas[1]: an array where an object is wanted"},
	} {
		_, err := Open([]byte(envelopeText(c.member, c.value)))
		if !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %q", c.member, c.value, err, c.want)
		}
	}
	_, err := Open([]byte(envelopeText("map", `{"rows":2}`)))
	if !errors.Is(err, env.ErrMap) {
		t.Errorf("a bad map is not told apart: %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	bomb := func() []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		zeros := make([]byte, 1<<20)
		for range MaxBytes>>20 + 1 {
			if _, err := z.Write(zeros); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}()
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "no JSON"},
		{[]byte("{"), "no JSON, at byte 1"},
		{[]byte(`{"a":1} x`), "no JSON, at byte 9"},
		{[]byte("[]"), "an array where an object is wanted"},
		{[]byte(`{"states":[]}`), "an object of no known form"},
		{[]byte(`{"format":"ants-transcript","replay":[]}`), "replay: an array where an object is wanted"},
		{[]byte(`{"game":"chess","vars":{},"rows":[]}`), `game: "chess"`},
		{[]byte(`{"game":"ants","vars":{},"rows":[]}`), "rows: 0 entries, want one"},
		{[]byte{0x1f, 0x8b, 0, 0}, "no gzip"},
		{bomb, "more than 67108864 bytes after decompression"},
		{make([]byte, MaxBytes+1), "67108865 bytes, at most 67108864"},
	} {
		_, err := Open(c.data)
		if !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: got %v, want %q", c.data, err, c.want)
		}
	}
}

// Input of a legal size cannot make the reader allocate many times that.
func TestBounds(t *testing.T) {
	many := func(n int, s string) string { return "[" + strings.Repeat(s+",", n) + s + "]" }
	members := `{"seat":0`
	for i := range maxMembers {
		members += fmt.Sprintf(`,"x%d":0`, i)
	}
	contest := `{"game_length":1,"score":[],"rank":[],"replaydata":{"revision":3,"players":2,"turns":1,` +
		`"viewradius2":1,"attackradius2":1,"spawnradius2":1,"map":{"rows":1,"cols":1,"data":[]},`
	for _, c := range []struct{ text, want string }{
		{envelopeText("deltas", many(ants.MaxMaxTurns, `{"t":0,"a":[]}`)), "deltas: more than 100000 elements"},
		{envelopeText("deltas", `[{"t":0,"a":`+many(10, `""`)+`}]`), "deltas[0].a: more than 10 elements"},
		{envelopeText("deltas", `[{"t":0,"a":["`+strings.Repeat("N", 12*ants.MaxCells+1)+`"]}]`), "is too long for the ants of any board"},
		{envelopeText("reason", `"`+strings.Repeat("x", maxText)+`"`), "reason: a string of 4098 bytes"},
		{envelopeText("seats", "["+members+"}]"), "seats[0]: more than 100 members"},
		{envelopeText("x", strings.Repeat("[", 20000)+strings.Repeat("]", 20000)), "no JSON"},
		{contest + `"ants":` + many(maxThings, `[0,0,0,1,0,""]`) + "}}", "replaydata.ants: more than 1048576 elements"},
		{contest + `"ants":[],"food":` + many(maxThings, `[0,0,0,1]`) + "}}", "replaydata.food: more than 1048576 elements"},
		{contest + `"ants":[],"food":[],"hills":` + many(ants.MaxHills, `[0,0,0,1]`) + "}}", "replaydata.hills: more than 250 elements"},
		{`{"game":"ants","rows":"` + strings.Repeat("x", maxLesson) + `"}`, "a lesson of 4194"},
	} {
		if _, err := Open([]byte(c.text)); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: got %.200v, want %q", c.text, err, c.want)
		}
	}
}

func TestOpenGzip(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(envelopeText("seed", "6"))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := r.(*Envelope); !ok || e.Seed != 6 {
		t.Errorf("got %v", r)
	}
}

// Seeds are exact, and written so that a reader with 64-bit floats is exact
// too; the form they were read in is kept where it may be.
func TestSeeds(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"0", "0"},
		{"9007199254740992", "9007199254740992"},
		{"9007199254740993", `"9007199254740993"`},
		{"18446744073709551615", `"18446744073709551615"`},
		{`"9007199254740993"`, `"9007199254740993"`},
		{`"17"`, `"17"`},
	} {
		e, err := Decode([]byte(envelopeText("seed", c.in)))
		if err != nil {
			t.Fatal(err)
		}
		if text := string(encode(t, e)); !strings.HasPrefix(text, `{"seed":`+c.out+",") {
			t.Errorf("%s: want %s, got %.60s", c.in, c.out, text)
		}
	}
}

// Unknown members of every level stay in their places, digit for digit.
func TestUnknownMembers(t *testing.T) {
	text := `{"z":[1.50,1e400,{"seed":"x"}],"seed":5,"max_turns":9,"map":` + smallMap + `,
		"seats":[{"label":null,"seat":0,"rating":0.1000},{"model":"","strikes":3,"seat":1}],"engine_ranks":[1,1],"scores":[1,1],
		"\u00e9":"\ud800","reason":"extermination","turns":1,"deltas":[{"ms":[1,2],"a":["?é","n"],"t":0}],"big":123456789012345678901234567890}`
	e, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	roundTrips(t, []byte(text), e)
	want := `{"z":[1.50,1e400,{"seed":"x"}],"seed":5,"max_turns":9,"map":` + smallMap +
		`,"seats":[{"label":null,"seat":0,"rating":0.1000},{"model":"","strikes":3,"seat":1}],"engine_ranks":[1,1],"scores":[1,1],` +
		`"é":"\ud800","reason":"extermination","turns":1,"deltas":[` + "\n" + `{"ms":[1,2],"a":["?é","n"],"t":0}],"big":123456789012345678901234567890}` + "\n"
	if diff := cmp.Diff(want, string(encode(t, e))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := string(e.Extra.Get("big")); got != "123456789012345678901234567890" {
		t.Errorf("big is %s", got)
	}
	if got := string(AppendActions(nil, e.Deltas[0].Orders[0])); got != "\x04\x04" {
		t.Errorf("unknown letters are read as %q", got)
	}
	e.Seats[0].Label = "red"
	if err := e.Extra.Set("big", 3); err != nil {
		t.Fatal(err)
	}
	if got := string(encode(t, e)); !strings.Contains(got, `{"label":"red","seat":0,`) || !strings.Contains(got, `"big":3}`) {
		t.Errorf("changes are not written: %s", got)
	}
}

// Any JSON in unknown members of any level survives.
func TestUnknownMembersProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var value func(depth int) *rapid.Generator[string]
		value = func(depth int) *rapid.Generator[string] {
			leaf := rapid.OneOf(
				rapid.Just("null"), rapid.Just("true"), rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?`),
				rapid.Map(rapid.String(), func(s string) string { return string(appendText(nil, s)) }))
			if depth == 0 {
				return leaf
			}
			return rapid.OneOf(leaf,
				rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(l []string) string { return "[ " + strings.Join(l, " ,\n") + "]" }),
				rapid.Map(value(depth-1), func(s string) string { return `{"k":` + s + ` ,"\"{":1}` }))
		}
		extra := func(label string) string {
			return rapid.StringMatching(`[a-z\\]{0,3}`).Filter(func(s string) bool { return len(s) != 1 }).Draw(t, label+" name")
		}
		member := func(label string) string {
			return string(appendText(nil, "x"+extra(label))) + ":" + value(2).Draw(t, label)
		}
		text := envelopeText("seats", `[{`+member("seat")+`,"seat":0},{"seat":1,"m":0}]`)
		text = text[:len(text)-1] + "," + member("top") + "}"
		text = strings.Replace(text, `"t":0,`, `"t":0,`+member("delta")+",", 1)
		r, err := Open([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out := encode(t, r)
		if diff := cmp.Diff(genericOf(t, text), genericOf(t, string(out))); diff != "" {
			t.Fatalf("(-read +written):\n%s", diff)
		}
		again, err := Open(out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, encode(t, again)) {
			t.Fatal("written differently the second time")
		}
	})
}

// A recorded game verifies, whatever the rules, the seed and the board.
func TestRecordVerify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(ants.RuleSetNames()).Draw(t, "rules")
		r := ruleSet(t, name, func(r *ants.Rules) {
			r.MaxTurns = rapid.IntRange(1, 30).Draw(t, "turns")
			r.ViewRadius2 = rapid.SampledFrom([]int{77, 4}).Draw(t, "view")
		})
		m := duel(t)
		if rapid.Bool().Draw(t, "three seats") {
			m = trio(t)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		e := record(t, r, m, seed)
		got, report := verified(t, encode(t, e))
		if report.Turns != e.Turns || report.Outcome.Reason != e.Reason {
			t.Fatalf("%d turns ended by %s, want %d by %s", report.Turns, report.Outcome.Reason, e.Turns, e.Reason)
		}
		if got.(*Envelope).Seed != seed {
			t.Fatalf("seed %d became %d", seed, got.(*Envelope).Seed)
		}

		// An order too many is found where it is.
		turn, seat := rapid.IntRange(0, e.Turns-1).Draw(t, "turn"), rapid.IntRange(0, m.Players-1).Draw(t, "seat")
		e.Deltas[turn].Orders[seat] += "-"
		_, err := Verify(e, newBoard)
		var d *Difference
		if !errors.As(err, &d) || d.Turn != turn || d.Seat != seat || d.What != "orders" {
			t.Fatalf("an order too many in turn %d of seat %d: %v", turn, seat, err)
		}
	})
}

// A game recorded in the contest's form verifies, dropouts included.
func TestContestRecordVerify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ruleSet(t, "contest2011", func(r *ants.Rules) {
			r.MaxTurns = rapid.IntRange(1, 30).Draw(t, "turns")
			r.AttackRadius2 = rapid.SampledFrom([]int{5, 1}).Draw(t, "attack")
			r.Food = rapid.SampledFrom([]ants.FoodSource{ants.FoodSetsOverWater, ants.FoodScripted}).Draw(t, "food")
		})
		m := duel(t)
		if rapid.Bool().Draw(t, "three seats") {
			m = trio(t)
		}
		drops := map[int]int32{}
		for player := range m.Players {
			if turn := rapid.Int32Range(0, 20).Draw(t, "drop"); turn > 0 {
				drops[player] = turn
			}
		}
		c := recordContest(t, r, m, rapid.Uint64().Draw(t, "seed"), drops)
		data := encode(t, c)
		got, report := verified(t, data)
		if report.Turns != c.Turns {
			t.Fatalf("%d turns, want %d", report.Turns, c.Turns)
		}
		if again := encode(t, got); !bytes.Equal(data, again) {
			t.Fatalf("written differently the second time:\n%s", cmp.Diff(string(data), string(again)))
		}
	})
}

func TestDifferences(t *testing.T) {
	make := func() *Envelope {
		return record(t, ruleSet(t, "ladder", func(r *ants.Rules) { r.MaxTurns = 20 }), duel(t), 3)
	}
	turns := make().Turns
	for _, c := range []struct {
		what   string
		turn   int
		change func(e *Envelope)
	}{
		{"scores", turns, func(e *Envelope) { e.Scores[1]++ }},
		{"ranks", turns, func(e *Envelope) { e.Ranks[0] = 3 - e.Ranks[0] }},
		{"reason", turns, func(e *Envelope) { e.Reason = "domination" }},
		{"end of the game", turns - 1, func(e *Envelope) { e.Turns--; e.Deltas = e.Deltas[:e.Turns] }},
		{"end of the game", turns - 2, func(e *Envelope) { e.MaxTurns -= 2; e.Turns--; e.Deltas = e.Deltas[:e.Turns] }},
		{"orders", 0, func(e *Envelope) { e.Deltas[0].Orders[1] = "" }},
	} {
		e := make()
		c.change(e)
		_, err := Verify(e, newBoard)
		var d *Difference
		if c.what == "end of the game" && e.Turns > e.MaxTurns {
			if !errors.Is(err, ErrReplay) {
				t.Errorf("more turns than the limit: %v", err)
			}
			continue
		}
		if !errors.Is(err, ErrMismatch) || !errors.As(err, &d) || d.What != c.what || d.Turn != c.turn {
			t.Errorf("%s after %d turns: got %v", c.what, c.turn, err)
		}
	}
}

func TestContestDifferences(t *testing.T) {
	r := ruleSet(t, "contest2011", func(r *ants.Rules) { r.MaxTurns = 60 })
	for _, c := range []struct {
		what   string
		change func(c *Contest)
	}{
		{"scores", func(c *Contest) { c.Scores[0]++ }},
		{"ranks", func(c *Contest) { c.Ranks[0] = 1 - c.Ranks[0] }},
		{"reason", func(c *Contest) { c.Data.Cutoff = "lone survivor" }},
		{"score", func(c *Contest) { c.Data.ScoreHistory[1][3]++ }},
		{"hive", func(c *Contest) { c.Data.HiveHistory[1][2]++ }},
		{"food", func(c *Contest) {
			i := slices.IndexFunc(c.Data.Food, func(f ContestFood) bool { return int(f.End) < c.Turns })
			c.Data.Food[i].End++
		}},
		{"ants", func(c *Contest) {
			i := slices.IndexFunc(c.Data.Ants, func(a ContestAnt) bool { return int(a.End) < c.Turns })
			c.Data.Ants[i].End++
			c.Data.Ants[i].Moves += "-"
		}},
		{"hill at 0,6 razed", func(c *Contest) { c.Data.Hills[2].End = 5 }},
		{"ants", func(c *Contest) { c.Status[1], c.PlayerTurns[1] = StatusCrashed, 5 }},
	} {
		replay := recordContest(t, r, duel(t), 13, nil)
		c.change(replay)
		_, err := Verify(replay, newBoard)
		var d *Difference
		if !errors.Is(err, ErrMismatch) || !errors.As(err, &d) || d.What != c.what {
			t.Errorf("%s: got %v", c.what, err)
		}
	}
}

func TestContestErrors(t *testing.T) {
	r := ruleSet(t, "contest2011", func(r *ants.Rules) { r.MaxTurns = 60 })
	for _, c := range []struct {
		want   string
		change func(c *Contest)
	}{
		{"replaydata.map: board of 0x16", func(c *Contest) { c.Data.Rows = 0 }},
		{"replaydata.map: board of 12x-1", func(c *Contest) { c.Data.Cols = -1 }},
		{"replaydata.players: 1", func(c *Contest) { c.Data.Players = 1 }},
		{"replaydata.map.data: 12 rows, want 9", func(c *Contest) { c.Data.Rows = 9 }},
		{"replaydata.map.data[2]: 3 letters, want 16", func(c *Contest) { c.Data.Board[2] = "..." }},
		{`replaydata.map.data[2]: "#"`, func(c *Contest) { c.Data.Board[2] = "#..............." }},
		{"game_length: -1", func(c *Contest) { c.Turns = -1 }},
		{"game_length: 61, want 0..60", func(c *Contest) { c.Turns = 61 }},
		{"rules: bad rules", func(c *Contest) { c.Data.AttackRadius2 = -1 }},
		{"rank: 1 entries", func(c *Contest) { c.Ranks = c.Ranks[:1] }},
		{"rank[0]: 2, want 0..1", func(c *Contest) { c.Ranks[0] = 2 }},
		{"replaydata.bonus", func(c *Contest) { c.Data.Bonus = nil }},
		{"status: 1 entries", func(c *Contest) { c.Status = c.Status[:1] }},
		{"playerturns: 0 entries", func(c *Contest) { c.PlayerTurns = nil }},
		{"playerturns[1]: 99", func(c *Contest) { c.PlayerTurns[1] = 99 }},
		{"replaydata.scores[0]: 0 entries", func(c *Contest) { c.Data.ScoreHistory[0] = nil }},
		{"replaydata.hive_history: 0 entries", func(c *Contest) { c.Data.HiveHistory = nil }},
		{"replaydata.hills[0]: at 12,1", func(c *Contest) { c.Data.Hills[0].Row = 12 }},
		{"replaydata.hills[0]: player 2", func(c *Contest) { c.Data.Hills[0].Owner = 2 }},
		{"replaydata.hills[0]: ends on turn 0", func(c *Contest) { c.Data.Hills[0].End = 0 }},
		{"replaydata: bad map: hill_on_water", func(c *Contest) { c.Data.Board[0] = ".....%%........." }},
		{"replaydata.food[0]: on water at 1,3", func(c *Contest) { c.Data.Food[0].Row, c.Data.Food[0].Col = 1, 3 }},
		{"replaydata.food[0]: at -1,3", func(c *Contest) { c.Data.Food[0].Row, c.Data.Food[0].Col = -1, 3 }},
		{"replaydata.food[0]: player 9", func(c *Contest) { c.Data.Food[0].Owner = 9 }},
		{"replaydata.food[0]: gathered by player", func(c *Contest) { c.Data.Food[0].End, c.Data.Food[0].Owner = int32(c.Turns)+1, 0 }},
		{"replaydata.food[1]: second food", func(c *Contest) { c.Data.Food[1] = c.Data.Food[0] }},
		{"replaydata.ants[0]: ant of player 7", func(c *Contest) { c.Data.Ants[0].Owner = 7 }},
		{"which is no hill of it", func(c *Contest) { c.Data.Ants[0].Col++ }},
		{"replaydata.ants[0]: starts on turn -1", func(c *Contest) { c.Data.Ants[0].Start = -1 }},
		{"replaydata.ants[0]: ends on turn", func(c *Contest) { c.Data.Ants[0].End = int32(c.Turns) + 2 }},
		{"moves, want", func(c *Contest) { c.Data.Ants[0].Moves += "n" }},
		{`replaydata.ants[0]: "N", unknown move`, func(c *Contest) { c.Data.Ants[0].Moves = "N" + c.Data.Ants[0].Moves[1:] }},
		{"replaydata.ants[0]: moves into water on turn 3", func(c *Contest) {
			c.Data.Ants[0] = ContestAnt{Row: 0, Col: 1, Start: 0, End: 4, Moves: "ese-"}
		}},
		{"replaydata.ants: 1 hills without an ant", func(c *Contest) { c.Data.Ants = c.Data.Ants[1:] }},
		{"replaydata.ants[1]: second ant", func(c *Contest) { c.Data.Ants[1] = c.Data.Ants[0] }},
	} {
		replay := recordContest(t, r, duel(t), 13, nil)
		c.change(replay)
		if err := replay.Validate(); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	text := string(encode(t, recordContest(t, r, duel(t), 13, nil)))
	for _, c := range []struct{ from, to, want string }{
		{`"revision":3`, `"revision":2`, "replaydata.revision: 2, want 3"},
		{`"challenge":"ants"`, `"challenge":"planets"`, `challenge: "planets"`},
		{`"rows":12`, `"rows":"12"`, `replaydata.map.rows: "12" where`},
		{`"bonus":[`, `"bonus":[1,2,3,4,5,6,7,8,9,`, "replaydata.bonus: more than 10 elements"},
		{`"ants":[`, `"ants":[[1,2,3],`, "replaydata.ants[0]: 3 elements, want 6"},
		{`"ants":[`, `"ants":[[1,2,3,4,5,6],`, "replaydata.ants[0][5]: a number where a string is wanted"},
		{`"food":[`, `"food":[[1,2,3,4,-1],`, "replaydata.food[0]: owner -1"},
		{`"food":[`, `"food":[[1,2,3,4,0,0],`, "replaydata.food[0]: more than 5 elements"},
		{`"scores":[`, `"scores":[0,`, "replaydata.scores[0]: a number where an array is wanted"},
	} {
		changed := strings.Replace(text, c.from, c.to, 1)
		if changed == text {
			t.Fatalf("no %s in the text", c.from)
		}
		if _, err := Open([]byte(changed)); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.to, err, c.want)
		}
	}
}

func TestPlay(t *testing.T) {
	e := record(t, ruleSet(t, "ladder", func(r *ants.Rules) { r.MaxTurns = 30 }), duel(t), 4)
	r, err := e.Rules()
	if err != nil {
		t.Fatal(err)
	}
	engine := reference(t, &r, e.Map, 0)
	turns := int32(-1)
	if err := e.Play(engine, func() error {
		f := engine.Frame()
		if f.Turn != turns+1 {
			t.Errorf("frame %d after frame %d", f.Turn, turns)
		}
		turns = f.Turn
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if out := engine.Outcome(); int(turns) != e.Turns || !out.Done || out.Reason != e.Reason {
		t.Errorf("last frame %d, done %v, %q; want %d, %q", turns, out.Done, out.Reason, e.Turns, e.Reason)
	}
	stop := errors.New("stop")
	if err := e.Play(engine, func() error {
		if engine.Outcome().Steps == 7 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) || engine.State().Turn != 7 {
		t.Errorf("got %v at turn %d, want the callback's error at turn 7", err, engine.State().Turn)
	}
	var another struct{ env.Engine }
	if err := e.Play(another, nil); err == nil || !strings.Contains(err.Error(), "an engine of another game") {
		t.Errorf("on an engine of another game: %v", err)
	}
}

func TestRecorderErrors(t *testing.T) {
	m := duel(t)
	scripted := ruleSet(t, "contest2011", func(r *ants.Rules) { r.Food = ants.FoodScripted })
	if _, err := NewRecorder(m, scripted, 0, nil); !errors.Is(err, ErrReplay) {
		t.Errorf("scripted food: %v", err)
	}
	ladder := ruleSet(t, "ladder", nil)
	if _, err := NewRecorder(m, ladder, 0, []string{"one"}); !errors.Is(err, ErrReplay) {
		t.Errorf("one label: %v", err)
	}
	if _, err := NewContestRecorder(reference(t, ladder, m, 0), nil); !errors.Is(err, ErrReplay) {
		t.Errorf("the ladder's rules in the contest's form: %v", err)
	}
	rec, err := NewRecorder(m, ladder, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, orders := range [][][]byte{nil, {{0}}, {{0}, {5}}} {
		if err := rec.Turn(orders); !errors.Is(err, env.ErrOrders) {
			t.Errorf("%v: %v", orders, err)
		}
	}
	if _, err := rec.Finish(env.Outcome{}); !errors.Is(err, ErrReplay) {
		t.Errorf("a game that is not over: %v", err)
	}
	if _, err := rec.Finish(env.Outcome{Done: true, Steps: 1, Scores: []int32{2, 2}, Ranks: []int32{1, 1}}); !errors.Is(err, ErrReplay) {
		t.Errorf("a turn that was not recorded: %v", err)
	}
}
