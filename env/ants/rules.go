package ants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
)

// Rules is a rule set as data. Engines read it and branch on nothing else.
// Radii are squared distances.
type Rules struct {
	Name          string `json:"name"`
	ViewRadius2   int    `json:"view_radius2"`
	AttackRadius2 int    `json:"attack_radius2"`
	GatherRadius2 int    `json:"gather_radius2"`
	MaxTurns      int    `json:"max_turns"`

	// CutoffPercent is the share of the population that makes a holder;
	// CutoffTurns the count at which the two cutoff endings hold.
	CutoffPercent int `json:"cutoff_percent"`
	CutoffTurns   int `json:"cutoff_turns"`

	// FoodBlocks: food refuses a move like water does. Otherwise an ant may
	// stand on food.
	FoodBlocks bool `json:"food_blocks"`
	// GatherFirst: gather comes before spawn, so food hatches the same turn.
	GatherFirst bool `json:"gather_first"`
	// HillTie chooses among free hills touched equally long ago.
	HillTie HillTie `json:"hill_tie"`
	// Food is where new food comes from.
	Food FoodSource `json:"food"`
	// Scoring is what a score counts and how ranks break ties.
	Scoring Scoring `json:"scoring"`
	// Endings are checked in order after each turn; the first that holds ends
	// the episode and names its reason.
	Endings []Ending `json:"endings"`
	// Dropout is what happens to a seat whose player fails for good.
	Dropout Dropout `json:"dropout"`
}

// HillTie is a rule for choosing among equally old free hills.
type HillTie string

// The hill tie rules.
const (
	TieListed HillTie = "listed" // the hill listed first in the map
	TieRandom HillTie = "random" // one bounded draw of the episode's tie generator
)

// FoodSource is where new food comes from.
type FoodSource string

// The food sources.
const (
	// FoodSets: symmetric sets at a hidden rate, see food.go.
	FoodSets FoodSource = "sets"
	// FoodSetsOverWater: as FoodSets, but sets hold water cells too, whose
	// food is charged and never appears. It also places starting food.
	FoodSetsOverWater FoodSource = "sets_over_water"
	// FoodTopUp: symmetric sets up to the map's food target each turn.
	FoodTopUp FoodSource = "top_up"
	// FoodScripted: exactly the cells given to Engine.Script.
	FoodScripted FoodSource = "scripted"
	// FoodNone: no new food.
	FoodNone FoodSource = "none"
)

// Scoring is what a score counts.
type Scoring string

// The scorings.
const (
	// ScoreHills: one point per own hill at the start, +2 per raze, -1 per
	// hill lost; ranks by score alone.
	ScoreHills Scoring = "hills"
	// ScoreRazes: hills razed; ranks by hills razed, then living ants, then
	// food gathered.
	ScoreRazes Scoring = "razes"
)

// Check is a condition that can end an episode.
type Check string

// The checks.
const (
	CheckExtermination  Check = "extermination"   // no living ants at all
	CheckLoneSurvivor   Check = "lone_survivor"   // one colony left, two seats or more
	CheckDomination     Check = "domination"      // cutoff count reached by a colony
	CheckIdleFood       Check = "idle_food"       // cutoff count reached by loose food
	CheckRankStabilized Check = "rank_stabilized" // no rank can change, two seats or more
	CheckTurnLimit      Check = "turn_limit"      // MaxTurns played: the only truncation
)

// An Ending is a check and the name that the rule set reports it by.
type Ending struct {
	Check  Check  `json:"check"`
	Reason string `json:"reason"`
}

// Dropout is what happens to a seat whose player fails for good.
type Dropout string

// The dropouts.
const (
	// DropoutHold: its ants stand still to the end. Strikes and forfeits are
	// the match runner's business.
	DropoutHold Dropout = "hold"
	// DropoutOut: the seat is out at once. Its score drops by one per own
	// standing hill, its ants stay on the board, and a later razer of one of
	// its hills gains without it losing again.
	DropoutOut Dropout = "out"
)

var ruleSets = []Rules{
	{
		Name: "ladder", ViewRadius2: 77, AttackRadius2: 5, GatherRadius2: 1, MaxTurns: 1000,
		CutoffPercent: 85, CutoffTurns: 150,
		FoodBlocks: true, HillTie: TieListed, Food: FoodSets, Scoring: ScoreHills, Dropout: DropoutHold,
		Endings: []Ending{
			{CheckExtermination, "extermination"}, {CheckLoneSurvivor, "lone_survivor"},
			{CheckDomination, "domination"}, {CheckIdleFood, "idle_food"},
			{CheckRankStabilized, "rank_stabilized"}, {CheckTurnLimit, "turn_limit"},
		},
	},
	{
		Name: "contest2011", ViewRadius2: 77, AttackRadius2: 5, GatherRadius2: 1, MaxTurns: 1500,
		CutoffPercent: 85, CutoffTurns: 150,
		FoodBlocks: true, HillTie: TieRandom, Food: FoodSetsOverWater, Scoring: ScoreHills, Dropout: DropoutOut,
		Endings: []Ending{
			{CheckExtermination, "extermination"}, {CheckLoneSurvivor, "lone survivor"},
			{CheckIdleFood, "food not being gathered"}, {CheckDomination, "ants not razing hills"},
			{CheckRankStabilized, "rank stabilized"}, {CheckTurnLimit, "turn limit reached"},
		},
	},
	{
		Name: "codeclash", ViewRadius2: 77, AttackRadius2: 5, GatherRadius2: 1, MaxTurns: 500,
		CutoffPercent: 85, CutoffTurns: 150,
		GatherFirst: true, HillTie: TieListed, Food: FoodTopUp, Scoring: ScoreRazes, Dropout: DropoutHold,
		Endings: []Ending{
			{CheckExtermination, "extermination"}, {CheckLoneSurvivor, "lone_survivor"},
			{CheckTurnLimit, "turn_limit"},
		},
	},
}

// RuleSetNames lists the named rule sets; the first is the default.
func RuleSetNames() []string {
	names := make([]string, len(ruleSets))
	for i := range ruleSets {
		names[i] = ruleSets[i].Name
	}
	return names
}

// RuleSet returns a copy of the named rule set. Errors wrap env.ErrRules.
func RuleSet(name string) (Rules, error) {
	for _, r := range ruleSets {
		if r.Name == name {
			r.Endings = append([]Ending(nil), r.Endings...)
			return r, nil
		}
	}
	return Rules{}, fmt.Errorf("%w: no rule set %q (have %s)", env.ErrRules, name, strings.Join(RuleSetNames(), ", "))
}

// ParseRules reads a rule set: "" (the default), a name, or a JSON object
// whose "name" is the rule set that its other fields change. Errors wrap
// env.ErrRules.
func ParseRules(text string) (Rules, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return RuleSet(ruleSets[0].Name)
	}
	if !strings.HasPrefix(text, "{") {
		return RuleSet(text)
	}
	var base struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal([]byte(text), &base); err != nil {
		return Rules{}, fmt.Errorf("%w: %v", env.ErrRules, err)
	}
	if base.Name == "" {
		base.Name = ruleSets[0].Name
	}
	r, err := RuleSet(base.Name)
	if err != nil {
		return Rules{}, err
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return Rules{}, fmt.Errorf("%w: %v", env.ErrRules, err)
	}
	return r, r.Validate()
}

// MaxMaxTurns bounds MaxTurns, and with it the memory of a board.
const MaxMaxTurns = 100_000

// Validate tells whether the rule set can be played. Errors wrap env.ErrRules.
func (r *Rules) Validate() error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: rule set %q: %s", env.ErrRules, r.Name, fmt.Sprintf(format, a...))
	}
	for _, f := range []struct {
		name          string
		value, lo, hi int
	}{
		{"view_radius2", r.ViewRadius2, 0, 1024}, {"attack_radius2", r.AttackRadius2, 0, 100},
		{"gather_radius2", r.GatherRadius2, 0, 100}, {"max_turns", r.MaxTurns, 1, MaxMaxTurns},
		{"cutoff_percent", r.CutoffPercent, 1, 100}, {"cutoff_turns", r.CutoffTurns, 1, MaxMaxTurns},
	} {
		if f.value < f.lo || f.value > f.hi {
			return bad("%s is %d, want %d..%d", f.name, f.value, f.lo, f.hi)
		}
	}
	oneOf := func(field, v string, have ...string) error {
		for _, h := range have {
			if v == h {
				return nil
			}
		}
		return bad("%s is %q, want one of %s", field, v, strings.Join(have, ", "))
	}
	if err := oneOf("hill_tie", string(r.HillTie), string(TieListed), string(TieRandom)); err != nil {
		return err
	}
	if err := oneOf("food", string(r.Food), string(FoodSets), string(FoodSetsOverWater), string(FoodTopUp), string(FoodScripted), string(FoodNone)); err != nil {
		return err
	}
	if err := oneOf("scoring", string(r.Scoring), string(ScoreHills), string(ScoreRazes)); err != nil {
		return err
	}
	if err := oneOf("dropout", string(r.Dropout), string(DropoutHold), string(DropoutOut)); err != nil {
		return err
	}
	limit := false
	for i, e := range r.Endings {
		if err := oneOf(fmt.Sprintf("endings[%d].check", i), string(e.Check), string(CheckExtermination), string(CheckLoneSurvivor),
			string(CheckDomination), string(CheckIdleFood), string(CheckRankStabilized), string(CheckTurnLimit)); err != nil {
			return err
		}
		if e.Reason == "" {
			return bad("endings[%d].reason is empty", i)
		}
		limit = limit || e.Check == CheckTurnLimit
		if e.Check == CheckRankStabilized && r.Scoring == ScoreRazes {
			return bad("endings[%d] checks %s, which scoring %s cannot foresee: ties break by ants", i, e.Check, r.Scoring)
		}
	}
	if len(r.Endings) > 255 {
		return bad("%d endings, want at most 255", len(r.Endings))
	}
	if !limit {
		return bad("no ending checks %s, so an episode might not end", CheckTurnLimit)
	}
	return nil
}

// JSON is the rule set as one JSON object that ParseRules reads back.
func (r *Rules) JSON() string {
	data, err := json.Marshal(r)
	if err != nil {
		panic("ants: rules do not marshal: " + err.Error())
	}
	return string(data)
}
