package replay

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
)

// formicaBoard is a board and a config for it, of some ticks.
func formicaBoard(t tester, seats, radius, ticks int) (*formica.Config, *formica.Board) {
	t.Helper()
	c, err := formica.Variant("default")
	if err != nil {
		t.Fatal(err)
	}
	c.MaxTicks = ticks
	b, err := formica.NewBoard("", seats, radius)
	if err != nil {
		t.Fatal(err)
	}
	return &c, b
}

// recordFormica plays a game of random orders, some left out, on the reference.
func recordFormica(t tester, c *formica.Config, b *formica.Board, seed uint64) *Formica {
	t.Helper()
	e, err := formicaref.New(c, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(seed); err != nil {
		t.Fatal(err)
	}
	names := make([]string, b.Players)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	rec, err := NewFormicaRecorder(c, b, names, e)
	if err != nil {
		t.Fatal(err)
	}
	rng := env.RNG(seed)
	for !e.Outcome().Done {
		orders := make([][]byte, b.Players)
		for seat := range orders {
			if rng.Below(4) == 0 {
				continue
			}
			o := formica.Order{
				Mode: formica.Mode(rng.Below(formica.NumModes)), Alloc: formica.AllocTenths[rng.Below(formica.NumTenths)],
				Defend: rng.Below(2) == 0, Target: formica.NoCell,
			}
			if legal := e.Observation(seat).LegalRelocate; len(legal) > 0 {
				o.Target = legal[rng.Below(uint64(len(legal)))]
			}
			orders[seat] = o.Append(nil)
		}
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
		if err := rec.Add(orders, e); err != nil {
			t.Fatal(err)
		}
	}
	f, err := rec.Finish(e.Outcome())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFormicaRecordVerify: what was recorded is read back, written the same and
// plays the same, on boards of all seats.
func TestFormicaRecordVerify(t *testing.T) {
	for _, seats := range []int{2, 3, 4, 6} {
		c, b := formicaBoard(t, seats, 12, 200)
		f := recordFormica(t, c, b, uint64(seats))
		data := encode(t, f)
		r, report := verified(t, data)
		if again := encode(t, r); !bytes.Equal(data, again) {
			t.Errorf("%d seats: written differently the second time", seats)
		}
		if report.Turns != f.Phases() || report.Turns < 25 || report.Orders != len(f.Orders) || report.Seats != seats ||
			report.Format != FormatFormica || !report.Outcome.Done || report.Outcome.Reason != formica.ReasonFinalTick {
			t.Errorf("%d seats: %+v of %d phases, %d orders", seats, report, f.Phases(), len(f.Orders))
		}
		if len(f.Frames) != f.Phases()+1 || f.Frames[0].Tick != 0 || f.Frames[f.Phases()].Tick != 200 {
			t.Errorf("%d seats: %d frames of %d phases", seats, len(f.Frames), f.Phases())
		}
		s, err := r.Setup()
		if err != nil || s.Game != "formica" || s.Map.Seats() != seats || len(s.Players) != seats || s.Players[1] != "b" {
			t.Errorf("%d seats: setup %+v, %v", seats, s, err)
		}
	}
}

// The results in the file are those of the rules, in their words.
func TestFormicaResults(t *testing.T) {
	c, b := formicaBoard(t, 3, 12, 60)
	f := recordFormica(t, c, b, 1)
	want := string(f.Results.AppendJSON(nil))
	if data := string(encode(t, f)); !strings.Contains(data, `"results":`+want) {
		t.Errorf("no results %s in the file", want)
	}
}

// A config with a seed of its own is replayed with it.
func TestFormicaOwnSeed(t *testing.T) {
	c, b := formicaBoard(t, 4, 12, 40)
	own := uint64(7)
	c.Seed = &own
	f := recordFormica(t, c, b, 99)
	if f.SeedUsed != 7 {
		t.Errorf("seed used %d", f.SeedUsed)
	}
	verified(t, encode(t, f))
	f.SeedUsed, f.Results.SeedUsed = 8, 8
	if err := f.Validate(); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), "seed_used: 8, config.seed is 7") {
		t.Errorf("another seed: %v", err)
	}
}

// TestFormicaDifference: what was changed is found, at its phase and by its name.
func TestFormicaDifference(t *testing.T) {
	c, b := formicaBoard(t, 4, 12, 120)
	for name, v := range map[string]struct {
		change      func(f *Formica)
		phase, seat int
		what        string
	}{
		"an order": {func(f *Formica) {
			o := &f.Orders[0]
			o.Defend = !o.Defend
		}, 1, 0, "defend"},
		"an order, no frames": {func(f *Formica) { f.Orders[0].Defend, f.Frames = !f.Orders[0].Defend, nil }, 1, -1, "state hash"},
		"a tick": {func(f *Formica) {
			for i := range f.Orders {
				if f.Orders[i].Phase == 3 {
					f.Orders[i].Tick++
				}
			}
		}, 3, 0, "tick of the phase"},
		"the seed":      {func(f *Formica) { f.SeedUsed, f.Results.SeedUsed, f.Frames = 6, 6, nil }, 0, -1, "state hash"},
		"a hash":        {func(f *Formica) { f.Hashes[5]++ }, 5, -1, "state hash"},
		"a score":       {func(f *Formica) { f.Frames[4].Scores2[2]++ }, 4, 2, "score"},
		"stored food":   {func(f *Formica) { f.Frames[4].Colonies[1].FoodStored++ }, 4, 1, "food stored"},
		"an ant":        {func(f *Formica) { f.Frames[4].Ants[2].Carry++ }, 4, -1, "ants, entry 2"},
		"no ant":        {func(f *Formica) { f.Frames[4].Ants = f.Frames[4].Ants[:3] }, 4, -1, "ants, entry 3"},
		"food":          {func(f *Formica) { f.Frames[4].Food[0].N++ }, 4, -1, "food, entry 0"},
		"territory":     {func(f *Formica) { f.Frames[4].Territory[1].N = 3 - f.Frames[4].Territory[1].N }, 4, -1, "territory, entry 1"},
		"rain":          {func(f *Formica) { f.Frames[4].RainTicks++ }, 4, -1, "rain ticks"},
		"a result":      {func(f *Formica) { f.Results.FoodStored[1]++ }, -1, 1, "results: food stored"},
		"a final score": {func(f *Formica) { f.Results.Scores2[3]++ }, -1, 3, "results: score"},
		"a phase less":  {func(f *Formica) { f.cut() }, -2, -1, "end of the game"},
	} {
		f := recordFormica(t, c, b, 5)
		phases := f.Phases()
		v.change(f)
		_, err := Verify(f, newBoard)
		var d *Difference
		if !errors.As(err, &d) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		phase := v.phase
		if phase < 0 {
			phase += phases + 1
		}
		if d.Turn != phase || d.Seat != v.seat || d.What != v.what || d.Recorded == d.Computed {
			t.Errorf("%s: %+v, want %q of seat %d after %d phases", name, d, v.what, v.seat, phase)
		}
	}
}

// cut drops the last phase.
func (f *Formica) cut() {
	f.Hashes = f.Hashes[:len(f.Hashes)-1]
	f.Frames = nil
	for len(f.Orders) > 0 && int(f.Orders[len(f.Orders)-1].Phase) >= f.Phases() {
		f.Orders = f.Orders[:len(f.Orders)-1]
	}
}

// formicaSample is a short game of two seats, kept as a file.
func formicaSample(t tester) string {
	t.Helper()
	path := filepath.Join("testdata", "formica.json")
	if *update {
		c, b := formicaBoard(t, 2, 10, 24)
		if err := os.WriteFile(path, encode(t, recordFormica(t, c, b, 3)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFormicaErrors: files that are no replay say where and why.
func TestFormicaErrors(t *testing.T) {
	text := formicaSample(t)
	if _, err := Open([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"format":"formica-replay/1"`, `"format":"formica-replay/2"`, `format: "formica-replay/2", want "formica-replay/1"`},
		{`"rules_version":\d+,"config"`, `"rules_version":99,"config"`, "rules_version: the game was played by version 99 of the rules, this program plays version"},
		{`"rules_version":\d+,"seats"`, `"rules_version":99,"seats"`, "config: bad rules"},
		{`"seats":2`, `"seats":5`, "config: bad rules"},
		{`"seats":2`, `"seats":3`, "players: 2 entries on a board of 3 seats"},
		{`"radius":10`, `"radius":4`, "config: bad map: radius 4 is too small"},
		{`"max_ticks":24`, `"max_ticks":"24"`, "config: bad rules"},
		{`"players":\[`, `"players":[{},`, "players: 3 entries on a board of 2 seats"},
		{`"orders":\[`, `"orders":[[0,0,0,"forage",1,2,3,true],`, "orders[0]: 8 elements, want 9"},
		{`"orders":\[`, `"orders":[[0,0,0,"dance",6000,2000,2000,true,null],`, `orders[0][3]: mode "dance", want one of forage, raid, build, relocate`},
		{`"orders":\[`, `"orders":[[0,0,0,"forage",6000,2000,1000,true,null],`, "orders[0]: bad orders: alloc sums to 9000, want 10000"},
		{`"orders":\[`, `"orders":[[0,0,0,"forage",-1,2000,1000,true,null],`, "orders[0][4]: -1, want 0..10000"},
		{`"orders":\[`, `"orders":[[0,0,0,"forage",6000,2000,2000,1,null],`, "orders[0][7]: a number where true or false is wanted"},
		{`"orders":\[`, `"orders":[[0,0,0,"forage",6000,2000,2000,true,[11,0]],`, "orders[0]: bad orders: target 11,0 is off the board"},
		{`"orders":\[`, `"orders":[[0,0,0,"forage",6000,2000,2000,true,[1]],`, "orders[0][8]: 1 elements, want 2"},
		{`"orders":\[`, `"orders":[[0,0,2,"forage",6000,2000,2000,true,null],`, "orders[0][2]: slot 2 of 2"},
		{`"orders":\[`, `"orders":[[99,0,0,"forage",6000,2000,2000,true,null],`, "orders[0][0]: phase 99 of 3"},
		{`"orders":\[`, `"orders":[[0,0,0,"forage",6000,2000,2000,true,null],[0,0,0,"raid",6000,2000,2000,true,null],`, "orders[1]: phase 0, slot 0 after phase 0, slot 0"},
		{`"hashes":\[`, `"hashes":["123",`, "hashes[0]: \"123\" where 16 hex digits are wanted"},
		{`"hashes":\[`, `"hashes":[7,`, "hashes[0]: a number where a string is wanted"},
		{`"scores":\[`, `"scores":[1.25,`, "1.25 where points in halves are wanted"},
		{`"alive":\[`, `"alive":[1,`, "results.alive[0]: a number where true or false is wanted"},
		{`"died_at":\[`, `"died_at":[-3,`, "results.died_at[0]: -3, want 0 or more, or null"},
		{`"died_at":\[`, `"died_at":[3,`, "results.died_at: 3 entries on a board of 2 seats"},
		{`"ants":\[`, `"ants":[[0,0,0,9,0],`, "role 9, want 0..4"},
		{`"ants":\[`, `"ants":[[7,0,0,0,0],`, "slot 7 at 0,0"},
		{`"food":\[`, `"food":[[0,99,1],`, "1 food at 0,99"},
		{`"frames":\[`, `"frames":[{},`, "frames[0].tick: missing"},
	} {
		where := regexp.MustCompile(c.from).FindStringIndex(text)
		if where == nil {
			t.Errorf("%s is not in the sample", c.from)
			continue
		}
		changed := text[:where[0]] + c.to + text[where[1]:]
		if _, err := Open([]byte(changed)); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.to, err, c.want)
		}
	}
}

// TestFormicaUnknown: members that this package does not know survive, everywhere.
func TestFormicaUnknown(t *testing.T) {
	text := formicaSample(t)
	for _, where := range []string{`{"format"`, `"config":{"`, `"players":[{"`, `"results":{"`, `{"tick"`, `{"nest"`} {
		at := strings.Index(text, where) + strings.LastIndex(where, "{") + 1
		text = text[:at] + `"mine":[1.50,{"a":null}],` + text[at:]
	}
	r, err := Open([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	again := encode(t, r)
	var plain, other bytes.Buffer
	for _, c := range []struct {
		dst *bytes.Buffer
		src []byte
	}{{&plain, []byte(text)}, {&other, again}} {
		compacted, err := compact(c.src)
		if err != nil {
			t.Fatal(err)
		}
		c.dst.Write(compacted)
	}
	if diff := cmp.Diff(plain.String(), other.String()); diff != "" {
		t.Errorf("(-read +written):\n%s", diff)
	}
	if _, err := Verify(r, newBoard); err != nil {
		t.Error(err)
	}
}

func TestFormicaRecorderErrors(t *testing.T) {
	c, b := formicaBoard(t, 2, 10, 24)
	e, err := formicaref.New(c, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(1); err != nil {
		t.Fatal(err)
	}
	if _, err := NewFormicaRecorder(c, b, []string{"one"}, e); !errors.Is(err, ErrReplay) {
		t.Errorf("one name: %v", err)
	}
	rec, err := NewFormicaRecorder(c, b, nil, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Add([][]byte{{1, 2}}, e); !errors.Is(err, env.ErrOrders) || rec.f.Phases() != 0 {
		t.Errorf("an order of two bytes: %v, %d phases", err, rec.f.Phases())
	}
	if _, err := rec.Finish(e.Outcome()); !errors.Is(err, ErrReplay) {
		t.Errorf("a game that is not over: %v", err)
	}
	if err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := NewFormicaRecorder(c, b, nil, e); !errors.Is(err, ErrReplay) {
		t.Errorf("from the second phase on: %v", err)
	}
}

// A config whose food orbits cannot fit is refused at once, however many there
// are: files are not trusted.
func TestFormicaOrbits(t *testing.T) {
	text := formicaSample(t)
	for _, orbits := range []string{"[[3,3],[3,3],[3,3],[3,3],[3,3],[3,3],[3,3],[3,3]]", "[[3,7],[3,7],[3,7],[3,7],[3,7],[3,7],[3,7],[3,7]]", "[[6,12],[6,12],[6,12],[6,12],[6,12],[6,12],[6,12],[6,12]]"} {
		changed := regexp.MustCompile(`"orbits":\[\[[\d,\[\]]*\]\]`).ReplaceAllString(text, `"orbits":`+orbits)
		begun := time.Now()
		_, err := Open([]byte(changed))
		if took := time.Since(begun); changed == text || took > 10*time.Second {
			t.Errorf("orbits %s: %v after %v", orbits, err, took)
		}
		if err != nil && !errors.Is(err, ErrReplay) {
			t.Errorf("orbits %s: %v", orbits, err)
		}
	}
}
