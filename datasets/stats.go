// What a dataset is like, in numbers.

package datasets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env/obs"
)

// Stats are a dataset's statistics. Scores are in points.
type Stats struct {
	Game     string        `json:"game"`
	Kind     Kind          `json:"kind"`
	Episodes int           `json:"episodes"`
	Turns    int64         `json:"turns"`
	Orders   int64         `json:"orders"`
	Rows     int64         `json:"rows"`
	Bytes    int64         `json:"bytes"`          // of the shards
	Bits     float64       `json:"bits_per_order"` // 8*Bytes/Orders
	Lengths  Distribution  `json:"lengths"`        // steps of episodes
	Endings  []Ending      `json:"endings"`
	Policies []PolicyStats `json:"policies"`
	Maps     []MapStats    `json:"maps"`
}

// MapStats count the episodes on a map.
type MapStats struct {
	ID       string `json:"id"`
	Digest   string `json:"digest"`
	Episodes int    `json:"episodes"`
}

// PolicyStats are of all seats that a policy played.
type PolicyStats struct {
	Name    string        `json:"name"`
	Seats   int           `json:"seats"`        // played, over all episodes
	Firsts  int           `json:"first_places"` // shared ones too
	Return  Distribution  `json:"return"`
	Score   Distribution  `json:"score"`
	Actions []ActionCount `json:"actions"`
	Units   []UnitsAt     `json:"ants_by_step"`
}

// An ActionCount counts orders of one kind.
type ActionCount struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// UnitsAt is how many ants a seat had in the steps from Step to the next entry,
// on average over the seats of episodes that were not over.
type UnitsAt struct {
	Step int     `json:"step"`
	Mean float64 `json:"mean"`
	// Seats is how many there were in a step, on average.
	Seats float64 `json:"seats"`
}

// A Distribution is how values are spread. Values are in ascending order.
type Distribution struct {
	Min    float64   `json:"min"`
	Median float64   `json:"median"`
	P90    float64   `json:"p90"`
	Max    float64   `json:"max"`
	Mean   float64   `json:"mean"`
	Values []float32 `json:"-"`
}

func (d *Distribution) add(v float32) { d.Values = append(d.Values, v) }

func (d *Distribution) sum() {
	if len(d.Values) == 0 {
		return
	}
	slices.Sort(d.Values)
	total := 0.0
	for _, v := range d.Values {
		total += float64(v)
	}
	at := func(q float64) float64 { return float64(d.Values[int(q*float64(len(d.Values)-1)+0.5)]) }
	d.Min, d.Median, d.P90, d.Max, d.Mean = at(0), at(0.5), at(0.9), at(1), total/float64(len(d.Values))
}

// unitPoints is how many entries ants by step have at most.
const unitPoints = 100

// Stats plays a dataset's episodes again and counts. progress, which may be
// nil, is told the episodes so far. Errors are as of Verify.
func (d *Dataset) Stats(ctx context.Context, o VerifyOptions, progress func(Moved)) (*Stats, error) {
	m := d.manifest
	s := &Stats{Game: m.Game, Kind: m.Kind}
	for i := range m.Shards {
		s.Turns += m.Shards[i].Turns
		s.Orders += m.Shards[i].Orders
		s.Rows += int64(m.Shards[i].Rows)
		s.Bytes += m.Shards[i].Bytes
	}
	if s.Orders > 0 {
		s.Bits = 8 * float64(s.Bytes) / float64(s.Orders)
	}
	policies := map[string]int{}
	for _, name := range distinct(m.Policies.Names) {
		policies[name] = len(s.Policies)
		p := PolicyStats{Name: name}
		for _, action := range d.game.actions {
			p.Actions = append(p.Actions, ActionCount{Name: action})
		}
		s.Policies = append(s.Policies, p)
	}
	maps := map[string]int{}
	for _, e := range m.Maps {
		if _, ok := maps[e.Digest]; !ok {
			maps[e.Digest] = len(s.Maps)
			s.Maps = append(s.Maps, MapStats{ID: e.ID, Digest: e.Digest})
		}
	}
	// Ants by step are summed by step, and only then in wider classes.
	type sum struct{ units, seats int64 }
	units := make([][]sum, len(s.Policies))
	counts := make([]int64, len(d.game.actions))
	w := watch{arrays: []string{d.game.units}, step: func(r *replayer, board int, slot *replaySlot, orders [][]byte) {
		a := r.b.Array(d.game.units)
		have := obs.View[int32](a)[board*a.Dims[1]:]
		for seat := range slot.e.Seats {
			p := policies[slot.e.Seats[seat].Policy]
			for len(units[p]) <= slot.turn {
				units[p] = append(units[p], sum{})
			}
			units[p][slot.turn].units += int64(have[seat])
			units[p][slot.turn].seats++
			clear(counts)
			d.game.tally(counts, orders[seat])
			for i, n := range counts {
				s.Policies[p].Actions[i].Count += n
			}
		}
	}}
	err := d.replay(ctx, d.Episodes(), o.Workers, o.Boards, w, func(e *Episode) {
		s.Episodes++
		s.Lengths.add(float32(e.Turns))
		s.Maps[maps[e.Map]].Episodes++
		i, found := slices.BinarySearchFunc(s.Endings, e.Reason, func(x Ending, reason string) int { return strings.Compare(x.Reason, reason) })
		if !found {
			s.Endings = slices.Insert(s.Endings, i, Ending{Reason: e.Reason})
		}
		s.Endings[i].Episodes++
		for _, seat := range e.Seats {
			p := &s.Policies[policies[seat.Policy]]
			p.Seats++
			p.Return.add(seat.Return)
			p.Score.add(seat.points(d.game))
			if seat.Rank == 1 {
				p.Firsts++
			}
		}
		if progress != nil {
			progress(Moved{s.Episodes, d.Len()})
		}
	})
	if err != nil {
		return nil, err
	}
	s.Lengths.sum()
	longest := int(s.Lengths.Max)
	class := max(1, (longest+unitPoints-1)/unitPoints)
	for p := range s.Policies {
		s.Policies[p].Return.sum()
		s.Policies[p].Score.sum()
		for from := 0; from < len(units[p]); from += class {
			var all sum
			for _, u := range units[p][from:min(from+class, len(units[p]))] {
				all.units += u.units
				all.seats += u.seats
			}
			s.Policies[p].Units = append(s.Policies[p].Units, UnitsAt{from, float64(all.units) / float64(all.seats), float64(all.seats) / float64(min(class, len(units[p])-from))})
		}
	}
	return s, nil
}

// points is a seat's score in points.
func (s *Seat) points(g *game) float32 { return float32(float64(s.Score) * g.points) }

// Card is a dataset card in Markdown, with the header that Hugging Face reads.
// It is made from the manifest alone, or also from statistics, which may be
// nil.
func (d *Dataset) Card(s *Stats) string {
	m := d.manifest
	var b strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	turns, orders, rows, bytes := int64(0), int64(0), int64(0), int64(0)
	for i := range m.Shards {
		turns, orders, rows, bytes = turns+m.Shards[i].Turns, orders+m.Shards[i].Orders, rows+int64(m.Shards[i].Rows), bytes+m.Shards[i].Bytes
	}
	p("---\npretty_name: Myriant %s, %s\ntags:\n- reinforcement-learning\n- myriant\n- %s", m.Game, strings.Join(distinct(m.Policies.Names), " and "), m.Game)
	p("configs:\n- config_name: default\n  data_files: \"shard-*.%s\"\n---\n", m.FileFormat)
	p("# Episodes of %s played by %s\n", m.Game, strings.Join(distinct(m.Policies.Names), ", "))
	p("Kind `%s`: one row %s. %s files, %s-compressed.\n", m.Kind, map[Kind]string{Orders: "an episode, with its packed orders", Steps: "an episode, step and seat"}[m.Kind], m.FileFormat, m.Compression)
	p("| | |\n| --- | --- |")
	p("| episodes | %d%s |\n| turns | %d |\n| orders | %d |\n| rows | %d |\n| bytes | %d in %d files |", m.written(), map[bool]string{false: fmt.Sprintf(" of %d", m.Episodes)}[m.Complete], turns, orders, rows, bytes, len(m.Shards))
	p("| engine | %s, behaviour signature `%s` |\n| schema | `%s` |", m.Engine.Version, m.Engine.Signature, m.Schema)
	seeds := "each row's own"
	if m.Seeds.EpisodeSeed != recordedPlan {
		seeds = fmt.Sprintf("seed %d; of an episode `", m.Seeds.Seed) + m.Seeds.EpisodeSeed + "`, its map `" + m.Seeds.EpisodeMap + "`"
	}
	p("| seeds | %s |", seeds)
	p("| policies | %s (%s) |\n", strings.Join(m.Policies.Names, ", "), m.Policies.Seats)
	p("## Maps\n\n| map | seats | size | digest |\n| --- | --- | --- | --- |")
	for _, e := range m.Maps {
		p("| %s | %d | %dx%d | `%.12s` |", e.ID, e.Seats, e.Rows, e.Cols, e.Digest)
	}
	p("\n## Rules\n\n```json\n%s\n```\n", m.Rules)
	p("## Columns\n\n| column | type | |\n| --- | --- | --- |")
	for _, c := range m.Kind.columns(d.game) {
		p("| `%s` | `%s` | %s |", c.name, strings.ReplaceAll(c.typ.String(), "|", "\\|"), c.doc)
	}
	if s != nil {
		p("\n## Statistics\n\n| policy | seats | first places | return, mean | score, mean | score, median |\n| --- | --- | --- | --- | --- | --- |")
		for _, x := range s.Policies {
			p("| %s | %d | %d | %.3g | %.3g | %.3g |", x.Name, x.Seats, x.Firsts, x.Return.Mean, x.Score.Mean, x.Score.Median)
		}
		p("\n| ending | episodes |\n| --- | --- |")
		for _, x := range s.Endings {
			p("| %s | %d |", x.Reason, x.Episodes)
		}
		p("\nEpisodes have %.0f to %.0f turns, %.0f on average.", s.Lengths.Min, s.Lengths.Max, s.Lengths.Mean)
	}
	p("\n## Reading\n\nAny reader of %s opens the files. `myriant data verify` plays every episode again and compares; `myriant data convert`\nwrites the other kind.", m.FileFormat)
	return b.String()
}
