package games

import (
	"bytes"
	"fmt"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/mapsource"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/ants/policy"
	"github.com/myriant-rl/myriant/env/replay"
)

// antsGame is the game Ants.
type antsGame struct{}

func (antsGame) Name() string { return "ants" }

func (antsGame) Words() Words {
	return Words{Step: "turn", Steps: "turns", Orders: "ant-turns", Limit: "turns"}
}

func (antsGame) Rules(text string, limit int) (*Rules, error) {
	r, err := ants.ParseRules(text)
	if err != nil {
		return nil, err
	}
	if limit != 0 {
		r.MaxTurns = limit
	}
	return &Rules{Name: r.Name, JSON: r.JSON(), Steps: r.MaxTurns, Seed: func(seed uint64) uint64 { return seed }}, r.Validate()
}

func (antsGame) Usual(Use) Usual {
	return Usual{Rules: ants.RuleSetNames()[0], Policies: "greedy,hunter"}
}

func (antsGame) Maps() *mapsource.Source { return mapsource.Ants }

// MapFor is a small board; games on the larger one last some hundred turns.
func (antsGame) MapFor(_ *Rules, u Use) string {
	if u == Generate {
		return "open-64x96-2p"
	}
	return "open-32x32-2p"
}

func (antsGame) MapColumns() []string {
	return []string{"id", ">size", ">seats", ">hills", ">water", ">food", "symmetric"}
}

// antsMap is what lists tell about a map with --json.
type antsMap struct {
	ID           string      `json:"id"`
	Rows         int         `json:"rows"`
	Cols         int         `json:"cols"`
	Seats        int         `json:"seats"`
	Hills        int         `json:"hills"`
	Land         int         `json:"land"`
	WaterPercent float64     `json:"water_percent"`
	Food         int         `json:"food"`
	Symmetry     *ants.Shift `json:"symmetry"` // the move, null for none
	Digest       string      `json:"digest"`
}

func (antsGame) DescribeMap(em env.Map) MapInfo {
	m := em.(*ants.Map)
	land := 0
	for _, wet := range m.Water {
		if !wet {
			land++
		}
	}
	cells := m.Rows * m.Cols
	i := antsMap{
		ID: m.Name, Rows: m.Rows, Cols: m.Cols, Seats: m.Players, Hills: len(m.Hills), Land: land,
		WaterPercent: float64(1000*(cells-land)/cells) / 10, Food: len(m.Food), Symmetry: m.Symmetry, Digest: m.Digest(),
	}
	symmetric := "no move"
	if s := m.Symmetry; s != nil {
		symmetric = fmt.Sprintf("move %d,%d", s.DR, s.DC)
	}
	size, water := fmt.Sprintf("%dx%d", i.Rows, i.Cols), fmt.Sprintf("%.0f%%", i.WaterPercent)
	return MapInfo{
		JSON: i,
		Row:  []any{console.Clean(i.ID), size, i.Seats, i.Hills, water, i.Food, symmetric},
		Line: fmt.Sprintf("%s, %d seats, %d hills, %s water, %d food, %s", size, i.Seats, i.Hills, water, i.Food, symmetric),
	}
}

func (antsGame) MapForms() []string { return []string{"json", "text"} }

func (antsGame) EncodeMap(em env.Map, form string) ([]byte, error) {
	m := em.(*ants.Map)
	switch form {
	case "json":
		data, err := m.MarshalJSON()
		return append(data, '\n'), err
	case "text":
		var b bytes.Buffer
		fmt.Fprintf(&b, "# %s\n", bytes.ReplaceAll([]byte(m.Name), []byte("\n"), []byte(" ")))
		return m.AppendText(b.Bytes()), nil
	}
	return nil, fmt.Errorf("no map form %q (have json, text)", form)
}

// antsWords says what each bundled policy does.
var antsWords = map[string]string{
	"hold":   "every ant stays where it is",
	"random": "each ant moves at random among what its mask allows",
	"greedy": "each ant takes a shortest way to food, unexplored land or an enemy hill",
	"hunter": "as greedy, but ants gather before they fight",
}

func (antsGame) Policies() []Policy {
	var list []Policy
	for _, name := range policy.Names() {
		list = append(list, Policy{name, antsWords[name]})
	}
	return list
}

func (antsGame) Gates() *Gates { return nil }

func (antsGame) Points(score float64) float64 { return score }

func (antsGame) Stats() []Stat {
	return []Stat{
		{"ants", ">ants", ants.FieldAntCount.Name},
		{"gathered", ">food", ants.FieldGathered.Name},
		{"razed", ">razed", ants.FieldRazed.Name},
		{"kills", ">kills", ants.FieldKills.Name},
		{"losses", ">losses", ants.FieldLosses.Name},
	}
}

// ladderRecorder writes the ladder's form.
type ladderRecorder struct{ to *replay.Recorder }

func (r ladderRecorder) Add(orders [][]byte, _ env.Engine) error { return r.to.Turn(orders) }

func (r ladderRecorder) Finish(out env.Outcome) (replay.Replay, error) { return r.to.Finish(out) }

func (antsGame) Record(r *Rules, m env.Map, seed uint64, players []string, _ env.Engine) (Recorder, error) {
	set, err := ants.ParseRules(r.JSON)
	if err != nil {
		return nil, err
	}
	to, err := replay.NewRecorder(m.(*ants.Map), &set, seed, players)
	return ladderRecorder{to}, err
}

func (antsGame) DrawMap(m env.Map) *draw.Picture { return draw.Map(m.(*ants.Map)) }

func (antsGame) DrawState(_ *Rules, em env.Map, state []byte) (*draw.Picture, error) {
	m := em.(*ants.Map)
	s, err := ants.DecodeState(state, m)
	if err != nil {
		return nil, err
	}
	return draw.State(m, s), nil
}

// antsFilm is a replay of Ants being shown.
type antsFilm struct {
	r      replay.AntsReplay
	set    ants.Rules
	m      *ants.Map
	names  []string
	engine *antsref.Engine
	frame  ants.Frame
}

func (antsGame) Film(r replay.Replay) (Film, error) {
	f := &antsFilm{r: r.(replay.AntsReplay)}
	s, err := r.Setup()
	if err != nil {
		return nil, err
	}
	f.names, f.m = s.Players, f.r.Board()
	if f.set, err = f.r.Rules(); err != nil {
		return nil, err
	}
	f.engine, err = antsref.New(&f.set, f.m)
	return f, err
}

func (f *antsFilm) Play(each func() error) error {
	return f.r.Play(f.engine, func() error {
		f.frame = f.engine.Frame()
		return each()
	})
}

func (f *antsFilm) Step() int { return int(f.frame.Turn) }

func (f *antsFilm) Title() string {
	title := fmt.Sprintf("turn %d, %s, %s", f.frame.Turn, f.set.Name, console.Clean(f.m.Name))
	if f.frame.Done {
		title += ", over: " + f.frame.Reason
	}
	return title
}

func (f *antsFilm) Picture(seat int) *draw.Picture {
	if seat >= 0 {
		return draw.View(f.engine.View(seat), seat, f.frame.Deaths)
	}
	return draw.Frame(f.m, &f.frame)
}

func (f *antsFilm) Knows(seat int, st draw.Style) string {
	v := f.engine.View(seat)
	return fmt.Sprintf("what seat %s may know: %d own ants, %d others and %d food in sight", draw.Seat(seat, st), len(v.Mine), len(v.Foes), len(v.Food))
}

func (f *antsFilm) Standings(st draw.Style) *console.Table {
	living, hills := make([]int, f.m.Players), make([]int, f.m.Players)
	for _, a := range f.frame.Ants {
		living[a.Owner]++
	}
	for _, h := range f.frame.Hills {
		hills[h.Owner]++
	}
	room := nameRoom(st, 42)
	t := console.NewTable("seat", "player", ">ants", ">hive", ">hills", ">score", ">rank")
	for seat, name := range f.names {
		t.Row(draw.Seat(seat, st), console.Clip(name, room), living[seat], f.frame.Hive[seat], hills[seat], f.frame.Score[seat], f.frame.Ranks[seat])
	}
	return t
}

// nameRoom is how many columns there are for names in a table whose other
// columns take so many.
func nameRoom(st draw.Style, others int) int {
	const most = 40
	if st.Width == 0 {
		return most
	}
	return min(most, max(st.Width-others, 8))
}

func (f *antsFilm) Events(st draw.Style) []string { return draw.Events(f.m, &f.frame, st) }

func (f *antsFilm) Frame() any { return &f.frame }

func (f *antsFilm) View(seat int) []byte { return f.engine.AppendView(nil, seat) }
