package abi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// configJSON is the form that package main's doc.go describes.
type configJSON struct {
	Game      string             `json:"game"`
	Rules     json.RawMessage    `json:"rules"`
	Boards    int                `json:"boards"`
	Maps      []json.RawMessage  `json:"maps"`
	MapOf     []int              `json:"map_of"`
	Policies  [][]*string        `json:"policies"`
	Observe   []int              `json:"observe"`
	Arrays    []string           `json:"arrays"`
	Columns   []string           `json:"columns"`
	Planes    string             `json:"planes"`
	Options   map[string]bool    `json:"options"`
	Rewards   map[string]float64 `json:"rewards"`
	ZeroSum   bool               `json:"zero_sum"`
	HoldBad   bool               `json:"hold_bad"`
	Autoreset string             `json:"autoreset"`
	Workers   int                `json:"workers"`
}

// maxBoards keeps products of sizes far from overflow.
const maxBoards = 1 << 30

// A config is a configuration that was read.
type config struct {
	batch.Config
	game    *game
	rules   *ruleSet
	mapOf   []int    // repeated over the boards
	columns []string // arrays that Arrow shows; empty: all
}

func badConfig(format string, a ...any) error {
	return &failure{ErrConfig, fmt.Sprintf(format, a...)}
}

// decodeStrict reads one JSON value without unknown fields and nothing after it.
func decodeStrict(data []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("no JSON")
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more text after the JSON value")
	}
	return nil
}

// parseConfig reads a configuration. Errors are failures, or wrap env.ErrRules
// or env.ErrMap. What only a batch can judge is left to it.
func parseConfig(data []byte) (*config, error) {
	var j configJSON
	if err := decodeStrict(data, &j); err != nil {
		return nil, badConfig("configuration: %v", err)
	}
	g, err := findGame(j.Game)
	if err != nil {
		return nil, err
	}
	c := &config{game: g}
	if c.rules, err = g.parseRules(j.Rules); err != nil {
		return nil, err
	}
	if j.Boards < 1 || j.Boards > maxBoards {
		return nil, badConfig("boards is %d, want 1..%d", j.Boards, maxBoards)
	}
	if c.Maps, err = g.parseMaps(j.Maps, c.rules); err != nil {
		return nil, err
	}
	if c.mapOf = j.MapOf; len(c.mapOf) == 0 {
		for i := range min(len(c.Maps), j.Boards) {
			c.mapOf = append(c.mapOf, i)
		}
	}
	if len(c.mapOf) > j.Boards {
		return nil, badConfig("map_of has %d entries for %d boards", len(c.mapOf), j.Boards)
	}
	for i, m := range c.mapOf {
		if m < 0 || m >= len(c.Maps) {
			return nil, badConfig("map_of[%d] is %d, want 0..%d", i, m, len(c.Maps)-1)
		}
	}
	if len(j.Policies) > j.Boards {
		return nil, badConfig("policies has %d rows for %d boards", len(j.Policies), j.Boards)
	}
	for _, row := range j.Policies {
		names := []string{}
		for _, name := range row {
			switch {
			case name == nil || *name == "" || *name == batch.Caller:
				names = append(names, batch.Caller)
			case !slices.ContainsFunc(g.policies, func(p label) bool { return p.Name == *name }):
				return nil, badConfig("no policy %q (have %s, %s)", *name, batch.Caller, g.policyNames())
			default:
				names = append(names, *name)
			}
		}
		c.Policies = append(c.Policies, names)
	}
	if len(c.Policies) == 0 {
		c.Policies = [][]string{{}}
	}
	if j.Planes != "" {
		i := slices.IndexFunc(g.planes, func(d obs.DType) bool { return d.String() == j.Planes })
		if i < 0 {
			return nil, badConfig("planes of %q (have %s)", j.Planes, strings.Join(dtypeNames(g.planes), ", "))
		}
		c.Planes = g.planes[i]
	} else {
		c.Planes = g.planes[0]
	}
	if j.Autoreset != "" {
		if c.Autoreset, err = batch.ParseAutoreset(j.Autoreset); err != nil {
			return nil, badConfig("%v", err)
		}
	}
	if j.Workers < 0 || j.Workers > 1<<16 {
		return nil, badConfig("workers is %d, want 0..%d", j.Workers, 1<<16)
	}
	c.Game, c.Rules, c.Boards = g.name, c.rules.json, j.Boards
	c.Arrays, c.columns, c.Options, c.Rewards = j.Arrays, j.Columns, j.Options, j.Rewards
	c.ZeroSum, c.HoldBad, c.Workers = j.ZeroSum, j.HoldBad, j.Workers
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	c.Workers = min(c.Workers, c.Boards)
	if c.Observe = j.Observe; c.Observe == nil {
		c.Observe = c.callers()
	}
	return c, nil
}

func dtypeNames(list []obs.DType) []string {
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = d.String()
	}
	return names
}

// parseRules reads a rule set: absent, a name, or an object.
func (g *game) parseRules(raw json.RawMessage) (*ruleSet, error) {
	text := strings.TrimSpace(string(raw))
	if text == "null" {
		text = ""
	}
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, badConfig("rules: %v", err)
		}
	} else if text != "" && !strings.HasPrefix(text, "{") {
		return nil, badConfig("rules is %.20s, want a name or an object", text)
	}
	return g.rules(text)
}

// parseMaps reads the maps, or makes the usual one when there are none.
func (g *game) parseMaps(raw []json.RawMessage, r *ruleSet) ([]env.Map, error) {
	if len(raw) == 0 {
		m, err := g.usual(r)
		if err != nil {
			return nil, err
		}
		return []env.Map{m}, nil
	}
	maps := make([]env.Map, len(raw))
	for i, r := range raw {
		m, err := g.parseMap(r)
		if err != nil {
			return nil, fmt.Errorf("maps[%d]: %w", i, err)
		}
		maps[i] = m
	}
	return maps, nil
}

// parseMap reads a name, a map's text, or a map as an object.
func (g *game) parseMap(raw json.RawMessage) (env.Map, error) {
	text := strings.TrimSpace(string(raw))
	if strings.HasPrefix(text, "{") {
		return g.decode(raw)
	}
	var name string
	if err := json.Unmarshal(raw, &name); err != nil || text == "null" {
		return nil, fmt.Errorf("%w: %.20s, want a name, a text or an object", env.ErrMap, text)
	}
	if trimmed := strings.TrimSpace(name); strings.HasPrefix(trimmed, "{") || strings.Contains(trimmed, "\n") {
		return g.decode([]byte(name))
	}
	return g.named(name)
}

func (g *game) policyNames() string {
	names := make([]string, len(g.policies))
	for i, p := range g.policies {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// callers are the seats that the caller plays on some board.
func (c *config) callers() []int {
	seats := []int{}
	c.kinds(func(_, m, p int) {
		for s := range c.Maps[m].Seats() {
			row := c.Policies[p]
			if (s >= len(row) || row[s] == batch.Caller) && !slices.Contains(seats, s) {
				seats = append(seats, s)
			}
		}
	})
	slices.Sort(seats)
	return seats
}

// kinds calls f for the first board of each kind: its number, map and row of
// policies. Rows that say the same are one.
func (c *config) kinds(f func(board, m, policies int)) {
	rows := make([]int, len(c.Policies))
	index := map[string]int{}
	for i, row := range c.Policies {
		key := strings.Join(row, "\x00")
		if _, seen := index[key]; !seen {
			index[key] = i
		}
		rows[i] = index[key]
	}
	seen := map[[2]int]bool{}
	for b := range min(c.Boards, len(c.mapOf)*len(rows)) {
		k := [2]int{c.mapOf[b%len(c.mapOf)], rows[b%len(rows)]}
		if !seen[k] {
			seen[k] = true
			f(b, k[0], k[1])
		}
	}
}

// sample makes a batch of one board of each kind, which has everything that
// the spec needs, and refuses what the whole batch would.
func (c *config) sample() (*batch.Batch, error) {
	s := c.Config
	s.Boards, s.Workers, s.MapOf, s.Policies = 0, 1, nil, nil
	c.kinds(func(_, m, p int) {
		s.Boards++
		s.MapOf = append(s.MapOf, m)
		s.Policies = append(s.Policies, c.Policies[p])
	})
	b, err := batch.New(s)
	if err != nil {
		return nil, c.blame(err)
	}
	for _, name := range c.columns {
		if b.Array(name) == nil {
			b.Close()
			return nil, badConfig("columns has %q, which is not among the arrays", name)
		}
	}
	return b, nil
}

// blame gives an error of a batch of one board of each kind the class that it
// has for the caller.
func (c *config) blame(err error) error {
	return &failure{statusOf(err, ErrConfig), strings.TrimPrefix(err.Error(), batch.ErrConfig.Error()+": ")}
}

// whole is the configuration of the batch.
func (c *config) whole(mem obs.Memory) batch.Config {
	w := c.Config
	w.Memory = mem
	w.MapOf = make([]int, w.Boards)
	for b := range w.MapOf {
		w.MapOf[b] = c.mapOf[b%len(c.mapOf)]
	}
	return w
}
