package games

import (
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/mapsource"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
	"github.com/myriant-rl/myriant/env/formica/policy"
	"github.com/myriant-rl/myriant/env/replay"
)

// formicaGame is the game Formica.
type formicaGame struct{}

func (formicaGame) Name() string { return "formica" }

func (formicaGame) Words() Words {
	return Words{Step: "phase", Steps: "phases", Orders: "orders", Limit: "ticks"}
}

func (formicaGame) Rules(text string, limit int) (*Rules, error) {
	c, err := formica.ParseConfig(text)
	if err != nil {
		return nil, err
	}
	if limit != 0 {
		c.MaxTicks = limit
	}
	// A phase every so many ticks from tick 0 on, and at most one a window of events.
	steps := (c.MaxTicks-1)/c.CommandEvery + 1 + c.MaxTicks/c.EventEvery
	return &Rules{Name: c.Name, JSON: c.JSON(), Steps: min(steps, c.MaxTicks), Seed: c.EpisodeSeed}, c.Validate()
}

func (formicaGame) Usual(u Use) Usual {
	if u == Duel {
		return Usual{Rules: "duel", Policies: strings.Join(policy.Names(), ",")}
	}
	return Usual{Rules: "default", Policies: "scripted,raid"}
}

func (formicaGame) Maps() *mapsource.Source { return mapsource.Formica }

// MapFor is the board that the rule set is made for.
func (formicaGame) MapFor(r *Rules, _ Use) string {
	c := mustConfig(r)
	if b, err := formica.BundledBoard(c.Name); err == nil && b.Players == c.Seats && b.Radius == c.Radius {
		return c.Name
	}
	return fmt.Sprintf("generated:seats=%d,radius=%d", c.Seats, c.Radius)
}

// mustConfig reads rules that formicaGame.Rules wrote.
func mustConfig(r *Rules) *formica.Config {
	c, err := formica.ParseConfig(r.JSON)
	if err != nil {
		panic("games: rules that were read do not parse: " + err.Error())
	}
	return &c
}

func (formicaGame) MapColumns() []string { return []string{"id", ">seats", ">radius", ">cells"} }

// formicaMap is what lists tell about a board with --json.
type formicaMap struct {
	ID     string `json:"id"`
	Seats  int    `json:"seats"`
	Radius int    `json:"radius"`
	Cells  int    `json:"cells"`
	Digest string `json:"digest"`
}

func (formicaGame) DescribeMap(em env.Map) MapInfo {
	b := em.(*formica.Board)
	return MapInfo{
		JSON: formicaMap{b.Name, b.Players, b.Radius, b.Cells, b.Digest()},
		Row:  []any{console.Clean(b.Name), b.Players, b.Radius, b.Cells},
		Line: fmt.Sprintf("%d seats, radius %d, %d cells", b.Players, b.Radius, b.Cells),
	}
}

func (formicaGame) MapForms() []string { return []string{"json"} }

func (formicaGame) EncodeMap(m env.Map, form string) ([]byte, error) {
	if form != "json" {
		return nil, fmt.Errorf("no form %q of a board of Formica (have json)", form)
	}
	return append(slices.Clone(m.CanonicalJSON()), '\n'), nil
}

func (formicaGame) Policies() []Policy {
	var list []Policy
	for _, name := range policy.Names() {
		p, err := policy.New(name)
		if err != nil {
			panic("games: " + err.Error())
		}
		list = append(list, Policy{name, p.About()})
	}
	return list
}

// Gates are those of the game's own page.
func (formicaGame) Gates() *Gates {
	return &Gates{
		Rules: "default", Field: policy.Names(), MaxRatio: 1.35, MaxErrors: 2,
		Fixed: []string{"forage", "raid", "defend", "build-forage", "build-raid"}, LeaderTick: 100, MaxLeader: 0.4, TickArray: formica.FieldTick.Name,
		Cycle: []string{"raid", "forage", "defend"}, Duels: []string{"duel", "default"},
	}
}

// Points halves a score: engines count doubled points.
func (formicaGame) Points(score float64) float64 { return score / 2 }

func (formicaGame) Stats() []Stat {
	return []Stat{
		{"food_stored", ">food", formica.FieldFoodStored.Name},
		{"territory_cells", ">territory", formica.FieldTerritory.Name},
		{"population", ">ants", formica.FieldPopulation.Name},
		{"harvested", ">harvested", formica.FieldHarvested.Name},
		{"stolen", ">stolen", formica.FieldStolen.Name},
		{"births", ">births", formica.FieldBirths.Name},
		{"losses", ">losses", formica.FieldLosses.Name},
	}
}

// formicaRecorder writes formica-replay/1.
type formicaRecorder struct{ *replay.FormicaRecorder }

func (r formicaRecorder) Finish(out env.Outcome) (replay.Replay, error) {
	return r.FormicaRecorder.Finish(out)
}

func (formicaGame) Record(r *Rules, m env.Map, _ uint64, players []string, board env.Engine) (Recorder, error) {
	to, err := replay.NewFormicaRecorder(mustConfig(r), m.(*formica.Board), players, board)
	return formicaRecorder{to}, err
}

// DrawMap shows the board as seed 1 lays it out.
func (formicaGame) DrawMap(m env.Map) *draw.Picture {
	c, err := formica.Variant(formica.Variants()[0])
	if err != nil {
		panic("games: " + err.Error())
	}
	b := m.(*formica.Board)
	return draw.Formica(&c, b, formica.NewState(&c, b, 1))
}

func (formicaGame) DrawState(r *Rules, m env.Map, state []byte) (*draw.Picture, error) {
	c, b := mustConfig(r), m.(*formica.Board)
	s, err := formica.DecodeState(state, c, b)
	if err != nil {
		return nil, err
	}
	return draw.Formica(c, b, s), nil
}

// formicaFilm is a replay of Formica being shown.
type formicaFilm struct {
	r      *replay.Formica
	b      *formica.Board
	engine *formicaref.Engine
	state  *formica.State
	before *formica.State // the state a phase ago, nil at the start
}

func (formicaGame) Film(r replay.Replay) (Film, error) {
	f := &formicaFilm{r: r.(*replay.Formica)}
	var err error
	if f.b, err = f.r.Board(); err != nil {
		return nil, err
	}
	f.engine, err = formicaref.New(&f.r.Config, f.b)
	return f, err
}

func (f *formicaFilm) Play(each func() error) error {
	f.state = nil
	return f.r.Play(f.engine, func() error {
		f.before, f.state = f.state, f.engine.State()
		return each()
	})
}

func (f *formicaFilm) Step() int { return int(f.state.Phase) }

func (f *formicaFilm) Title() string {
	title := fmt.Sprintf("phase %d, tick %d of %d, %s, %d seats, radius %d",
		f.state.Phase, f.state.Tick, f.r.Config.MaxTicks, console.Clean(f.r.Config.Name), f.b.Players, f.b.Radius)
	if f.state.Done(&f.r.Config) {
		title += ", over: " + formica.ReasonFinalTick
	}
	return title
}

func (f *formicaFilm) Picture(seat int) *draw.Picture {
	if seat >= 0 {
		return draw.FormicaView(&f.r.Config, f.b, f.engine.Observation(seat))
	}
	return draw.Formica(&f.r.Config, f.b, f.state)
}

func (f *formicaFilm) Knows(seat int, st draw.Style) string {
	o := f.engine.Observation(seat)
	return fmt.Sprintf("what seat %s may know: %d ants, %d rivals, %d food in sight, %d nests, threat %d",
		draw.Seat(seat, st), len(o.Ants), len(o.Rivals), len(o.Food), len(o.Nests), o.Threat)
}

func (f *formicaFilm) Standings(st draw.Style) *console.Table {
	room := nameRoom(st, 74)
	t := console.NewTable("seat", "player", ">ants", ">cap", ">food", ">cells", ">score", ">rank", "order")
	ranks := f.engine.Outcome().Ranks
	for seat, p := range f.r.Players {
		k := &f.state.Colonies[seat]
		score := number2(f.state.Score2(&f.r.Config, seat))
		t.Row(draw.Seat(seat, st), console.Clip(p.Name, room), len(k.Ants), f.r.Config.PopCap(int(k.Chambers)), k.Food,
			f.state.Territory(&f.r.Config, seat), score, ranks[seat], f.orderText(k))
	}
	return t
}

// number2 writes doubled points.
func number2(score2 int32) string {
	if score2%2 != 0 {
		return fmt.Sprintf("%d.5", score2/2)
	}
	return fmt.Sprint(score2 / 2)
}

// orderText is a colony's latched order: raid 60/20/20 defend.
func (f *formicaFilm) orderText(k *formica.Colony) string {
	if !k.Alive {
		return "dead"
	}
	o := &k.Order
	text := fmt.Sprintf("%s %d/%d/%d", o.Mode, o.Alloc[0]/100, o.Alloc[1]/100, o.Alloc[2]/100)
	if o.Defend {
		text += " defend"
	}
	if o.Target != formica.NoCell {
		h := f.b.Hexes[o.Target]
		text += fmt.Sprintf(" to %d,%d", h.Q, h.R)
	}
	return text
}

// Events tells the weather, deaths, found nests and what changed since the last
// phase.
func (f *formicaFilm) Events(st draw.Style) []string {
	var lines []string
	if f.state.Event != formica.EventNone {
		lines = append(lines, "event: "+f.state.Event.String())
	}
	if f.state.Rain > 0 {
		lines = append(lines, fmt.Sprintf("rain for %d more ticks", f.state.Rain))
	}
	if f.before == nil {
		return lines
	}
	var ants, food []string
	for seat := range f.state.Colonies {
		k, was := &f.state.Colonies[seat], &f.before.Colonies[seat]
		name := draw.Seat(seat, st)
		if was.Alive && !k.Alive {
			lines = append(lines, fmt.Sprintf("colony %s died in tick %d", name, k.DiedAt))
		}
		if k.Alive && k.Chambers > was.Chambers {
			lines = append(lines, fmt.Sprintf("colony %s has dug chamber %d", name, k.Chambers))
		}
		for other := range k.Known {
			if k.Known[other].Cell != formica.NoCell && was.Known[other].Cell == formica.NoCell {
				lines = append(lines, fmt.Sprintf("colony %s has found the nest of %s", name, draw.Seat(other, st)))
			}
		}
		if n := len(k.Ants) - len(was.Ants); n != 0 {
			ants = append(ants, fmt.Sprintf("%s %+d", name, n))
		}
		if n := k.Food - was.Food; n != 0 {
			food = append(food, fmt.Sprintf("%s %+d", name, n))
		}
	}
	if ants != nil {
		lines = append(lines, "ants: "+strings.Join(ants, ", "))
	}
	if food != nil {
		lines = append(lines, "stored food: "+strings.Join(food, ", "))
	}
	return lines
}

func (f *formicaFilm) Frame() any {
	frame := replay.FormicaFrameOf(&f.r.Config, f.b, f.state)
	return &frame
}

func (f *formicaFilm) View(seat int) []byte { return f.engine.AppendView(nil, seat) }
