package abi

import (
	"encoding/json"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/obs"
)

// The forms of package main's doc.go.

type libraryJSON struct {
	ABI          int    `json:"abi"`
	Version      string `json:"version"`
	Acceleration string `json:"acceleration"`
}

func aboutLibrary() libraryJSON { return libraryJSON{ABIVersion, Version, batch.Acceleration()} }

type specJSON struct {
	libraryJSON
	Game        string             `json:"game"`
	RuleSet     string             `json:"rule_set"`
	Rules       json.RawMessage    `json:"rules"`
	Signature   string             `json:"signature"`
	MaxSteps    int                `json:"max_steps"`
	Reasons     []string           `json:"reasons"`
	ScorePoints float64            `json:"score_points"`
	Boards      int                `json:"boards"`
	Workers     int                `json:"workers"`
	Autoreset   string             `json:"autoreset"`
	HoldBad     bool               `json:"hold_bad"`
	ZeroSum     bool               `json:"zero_sum"`
	Maps        []mapJSON          `json:"maps"`
	MapOf       []int              `json:"map_of"`
	Policies    [][]string         `json:"policies"`
	Observe     []int              `json:"observe"`
	Planes      string             `json:"planes"`
	Options     map[string]bool    `json:"options"`
	Rewards     map[string]float64 `json:"rewards"`
	Sizes       obs.Sizes          `json:"sizes"`
	Table       int                `json:"table"`
	Arrays      []arrayJSON        `json:"arrays"`
	Heads       []headJSON         `json:"heads"`
}

type mapJSON struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
	Rows   int    `json:"rows"`
	Cols   int    `json:"cols"`
	Seats  int    `json:"seats"`
}

type fieldJSON struct {
	Name   string    `json:"name"`
	DType  string    `json:"dtype"`
	Axes   []obs.Dim `json:"axes"`
	Shape  []int     `json:"shape"`
	Ragged bool      `json:"ragged"`
	Labels [][]label `json:"labels"`
	Doc    string    `json:"doc"`
}

type arrayJSON struct {
	fieldJSON
	Role role `json:"role"`
	Row  int  `json:"row"`
}

type headJSON struct {
	fieldJSON
	Logits bool     `json:"logits"`
	Masks  []string `json:"masks"`
}

// spec tells about the batch that a configuration describes; s is a sample of
// it.
func (c *config) spec(s *batch.Batch) []byte {
	w := s.Config()
	j := specJSON{
		libraryJSON: aboutLibrary(),
		Game:        c.game.name, RuleSet: c.rules.name, Rules: json.RawMessage(c.rules.json), Signature: c.rules.signature,
		MaxSteps: c.rules.maxSteps, Reasons: c.rules.reasons, ScorePoints: c.game.points,
		Boards: c.Boards, Workers: c.Workers, Autoreset: c.Autoreset.String(), HoldBad: c.HoldBad, ZeroSum: c.ZeroSum,
		MapOf: c.mapOf, Policies: c.Policies, Observe: c.Observe, Planes: c.Planes.String(),
		Options: map[string]bool{}, Rewards: map[string]float64{}, Sizes: c.sizes(s),
	}
	for _, m := range c.Maps {
		rows, cols := m.Size()
		j.Maps = append(j.Maps, mapJSON{m.ID(), m.Digest(), rows, cols, m.Seats()})
	}
	for _, o := range c.game.options {
		j.Options[o.Name] = c.Options[o.Name]
	}
	for _, t := range c.game.terms {
		j.Rewards[t.Name] = t.Default
		if c.Rewards != nil {
			j.Rewards[t.Name] = c.Rewards[t.Name]
		}
	}
	row := map[string]int{}
	for i, name := range s.Names() {
		row[name] = i
	}
	j.Table = len(row)
	if w.Autoreset == batch.SameStep {
		j.Table *= 2
	}
	for _, f := range s.Outputs() {
		a := arrayJSON{fieldJSON: c.field(f, j.Sizes), Role: isObservation, Row: -1}
		if r, ok := c.game.roles[f.Name]; ok {
			a.Role = r
		}
		if i, ok := row[f.Name]; ok {
			a.Row = i
		}
		j.Arrays = append(j.Arrays, a)
	}
	for _, f := range s.Heads() {
		j.Heads = append(j.Heads, headJSON{c.field(f, j.Sizes), f.DType == obs.Float32, c.game.masks[f.Name]})
	}
	return encode(j)
}

func (c *config) field(f obs.Field, sizes obs.Sizes) fieldJSON {
	shape, err := sizes.Resolve(f.Shape)
	if err != nil {
		panic("abi: " + f.Name + ": " + err.Error())
	}
	j := fieldJSON{f.Name, f.DType.String(), f.Shape, shape, f.Ragged(), make([][]label, len(shape)), f.Doc}
	if j.Ragged {
		shape[0] = -1
	}
	for i := range shape {
		j.Labels[i] = c.game.labels(f, i, sizes, c.Options)
	}
	return j
}

// sizes are those of the whole batch: only axes that count boards differ from
// the sample's.
func (c *config) sizes(s *batch.Batch) obs.Sizes {
	sizes := obs.Sizes{}
	for d, n := range s.Sizes() {
		sizes[d] = n
	}
	sizes["B"] = c.Boards
	if _, ok := sizes["O"]; ok {
		sizes["O"] = c.Boards*sizes["S"] + 1
	}
	return sizes
}

// bytes is what the batch will take, near enough to tell that it cannot.
func (c *config) bytes(s *batch.Batch) int {
	n := c.Boards * s.BoardBytes()
	sizes := c.sizes(s)
	for _, name := range s.Names() {
		a := s.Array(name)
		dims, err := sizes.Resolve(a.Shape)
		if err != nil {
			panic("abi: " + name + ": " + err.Error())
		}
		bytes := a.DType.Size()
		for _, d := range dims {
			bytes *= d
		}
		if c.Autoreset == batch.SameStep {
			bytes *= 2
		}
		n += bytes
	}
	return n
}

// catalogJSON is the form of the catalog.
type catalogJSON struct {
	libraryJSON
	Games []gameJSON `json:"games"`
}

type gameJSON struct {
	Name        string        `json:"name"`
	RuleSets    []ruleSetJSON `json:"rule_sets"`
	Maps        []string      `json:"maps"`
	Policies    []label       `json:"policies"`
	Rewards     []term        `json:"rewards"`
	Options     []label       `json:"options"`
	Planes      []string      `json:"planes"`
	ScorePoints float64       `json:"score_points"`
}

type ruleSetJSON struct {
	Name      string          `json:"name"`
	Signature string          `json:"signature"`
	MaxSteps  int             `json:"max_steps"`
	Rules     json.RawMessage `json:"rules"`
}

// catalog tells what the library holds.
func catalog() []byte {
	j := catalogJSON{libraryJSON: aboutLibrary()}
	for _, g := range allGames {
		of := gameJSON{
			Name: g.name, Maps: g.maps(), Policies: g.policies, Rewards: g.terms, Options: g.options,
			Planes: dtypeNames(g.planes), ScorePoints: g.points,
		}
		for _, name := range g.ruleSets() {
			r, err := g.rules(name)
			if err != nil {
				panic("abi: a rule set that is listed is none: " + err.Error())
			}
			of.RuleSets = append(of.RuleSets, ruleSetJSON{r.name, r.signature, r.maxSteps, json.RawMessage(r.json)})
		}
		j.Games = append(j.Games, of)
	}
	return encode(j)
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("abi: " + err.Error())
	}
	return data
}
