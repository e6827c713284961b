package formica

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
)

// RulesVersion is the version of the rules that this package and its engines
// play. It changes whenever one config and one seed could play differently.
const RulesVersion = 1

// Limits that engines rely on, whatever the config says.
const (
	MaxSeats     = 6
	MaxRadius    = 31     // cells fit in 12 bits, distances in 6
	AntSlots     = 48     // ants of one colony
	MaxPheromone = 0x7FFF // 15 bits
	MaxMaxTicks  = 30_000 // a stamp fits in an int16
	MaxFood      = 1 << 24
)

// Config is a rule set as data: every constant of the game. Engines read it
// and branch on nothing else. Distances are in hexes, times in ticks, chances
// in the unit that the comment says.
type Config struct {
	Name         string `json:"name"`
	RulesVersion int    `json:"rules_version"`
	// Seats and Radius are the board that the variant is made for, see Board.
	// An engine plays on the board that it is given, which need not be that.
	Seats  int `json:"seats"`
	Radius int `json:"radius"`

	MaxTicks      int `json:"max_ticks"`
	CommandEvery  int `json:"command_every"`   // ticks between scheduled command phases
	BudgetMS      int `json:"budget_ms"`       // time to answer a scheduled phase; shown, not kept, by engines
	EventBudgetMS int `json:"event_budget_ms"` // the same for an event phase
	// Seed, if set, is the seed of every episode: Reset ignores its own.
	Seed *uint64 `json:"seed,omitempty"`

	NestInset   int      `json:"nest_inset"`   // nests stand at distance Radius - NestInset of the centre
	Orbits      [][2]int `json:"orbits"`       // per food orbit, least and greatest distance of a patch to the nearest nest
	PatchFood   int      `json:"patch_food"`   // cap of a cell of an orbit's patch
	CentreFood  int      `json:"centre_food"`  // cap of a cell of the centre patch
	RegrowEvery int      `json:"regrow_every"` // every so many ticks each patch cell below its cap gains 1

	StartAnts     int `json:"start_ants"`
	StartFood     int `json:"start_food"`
	BaseCap       int `json:"base_cap"` // population cap without chambers
	CapPerChamber int `json:"cap_per_chamber"`
	MaxChambers   int `json:"max_chambers"`

	BirthEvery      int `json:"birth_every"`
	BirthEveryBuild int `json:"birth_every_build"` // the same in build mode
	BirthCost       int `json:"birth_cost"`
	Reserve         int `json:"reserve"` // food that must be left after a birth
	ReserveBuild    int `json:"reserve_build"`
	UpkeepPerFood   int `json:"upkeep_per_food"` // ant-ticks that cost one food

	Carry          int    `json:"carry"`           // most food that a forager harvests
	FruitlessTicks int    `json:"fruitless_ticks"` // a forager without food this long goes home
	HeadingWeights [4]int `json:"heading_weights"` // by turn: ahead, 60, 120, 180 degrees
	OutwardWeights [3]int `json:"outward_weights"` // away from the own nest, level, towards it
	TrailBase      int    `json:"trail_base"`      // weight of a cell without pheromone
	TrailShift     int    `json:"trail_shift"`
	TrailMax       int    `json:"trail_max"` // most weight that pheromone adds

	PatrolRadius int `json:"patrol_radius"` // defenders stay this close to the nest
	ChaseSight   int `json:"chase_sight"`   // and chase rivals this close to themselves, 0..2
	ChaseNest    int `json:"chase_nest"`    // that are this close to the nest
	ExpandLeash  int `json:"expand_leash"`  // expanders stay this close to the nest
	ExpandStale  int `json:"expand_stale"`  // weight of a tick of staleness
	ExpandOpen   int `json:"expand_open"`   // staleness of a cell that is not own-held
	ExpandCrowd  int `json:"expand_crowd"`  // weight of an own ant on the cell
	DefendSkip   int `json:"defend_skip"`   // chance in 256 that defend makes an ant skip its move

	StealMax      int `json:"steal_max"`      // food that a raider takes at most
	StealDefended int `json:"steal_defended"` // the same from a colony under defend
	DigEvery      int `json:"dig_every"`      // every so many ticks each builder on the nest digs 1
	DigPerChamber int `json:"dig_per_chamber"`
	ChamberFood   int `json:"chamber_food"`

	StrengthDefender int `json:"strength_defender"` // within HomeRange of its nest
	StrengthAlert    int `json:"strength_alert"`    // the same under defend
	StrengthAway     int `json:"strength_away"`     // farther off
	StrengthRaider   int `json:"strength_raider"`
	StrengthBuilder  int `json:"strength_builder"`
	HomeRange        int `json:"home_range"`
	KillArmed        int `json:"kill_armed"`   // enemy strength for a death, with a defender or raider in the cell
	KillUnarmed      int `json:"kill_unarmed"` // without

	TrailEmpty    int `json:"trail_empty"`    // pheromone that an ant leaves
	TrailCarrying int `json:"trail_carrying"` // the same while carrying
	DecayShift    int `json:"decay_shift"`    // v loses (v>>DecayShift)+1 a tick
	RainTicks     int `json:"rain_ticks"`     // how long a rain lasts
	RainDecays    int `json:"rain_decays"`    // decays a tick in rain
	HoldTicks     int `json:"hold_ticks"`     // a cell is held so long after its stamp

	RelocateEvery   int `json:"relocate_every"` // ticks for a hex
	RelocateCost    int `json:"relocate_cost"`  // food for a hex
	RelocateMinFood int `json:"relocate_min_food"`
	RelocateRange   int `json:"relocate_range"`

	EventEvery    int `json:"event_every"`    // one event a window of so many ticks, none in the first
	EventSpread   int `json:"event_spread"`   // its offset in the window is below this
	LocustPercent int `json:"locust_percent"` // chance that it is a locust
	RainPercent   int `json:"rain_percent"`   // chance that it is rain; else it clears
	LocustToll    int `json:"locust_toll"`    // percent of stored food that a locust takes

	FoodSight   int `json:"food_sight"`   // distances that ants see
	RivalSight  int `json:"rival_sight"`  //
	ScentSight  int `json:"scent_sight"`  //
	NestSight   int `json:"nest_sight"`   //
	ThreatRange int `json:"threat_range"` // of the nest

	// Doubled score points.
	Score2Food  int `json:"score2_food"`  // a stored food
	Score2Cell  int `json:"score2_cell"`  // a cell held
	Score2Alive int `json:"score2_alive"` // a living colony
}

func defaultConfig() Config {
	return Config{
		Name: "default", RulesVersion: RulesVersion, Seats: 4, Radius: 12,
		MaxTicks: 600, CommandEvery: 8, BudgetMS: 3000, EventBudgetMS: 1200,
		NestInset: 3, Orbits: [][2]int{{3, 5}, {5, 7}, {6, 12}}, PatchFood: 6, CentreFood: 8, RegrowEvery: 30,
		StartAnts: 12, StartFood: 20, BaseCap: 16, CapPerChamber: 6, MaxChambers: 4,
		BirthEvery: 10, BirthEveryBuild: 4, BirthCost: 4, Reserve: 10, ReserveBuild: 6, UpkeepPerFood: 80,
		Carry: 2, FruitlessTicks: 36, HeadingWeights: [4]int{12, 6, 2, 1}, OutwardWeights: [3]int{4, 2, 1},
		TrailBase: 16, TrailShift: 3, TrailMax: 240,
		PatrolRadius: 3, ChaseSight: 2, ChaseNest: 4, ExpandLeash: 10, ExpandStale: 8, ExpandOpen: 30, ExpandCrowd: 40, DefendSkip: 32,
		StealMax: 2, StealDefended: 1, DigEvery: 4, DigPerChamber: 15, ChamberFood: 10,
		StrengthDefender: 5, StrengthAlert: 10, StrengthAway: 1, StrengthRaider: 2, StrengthBuilder: 1, HomeRange: 4,
		KillArmed: 12, KillUnarmed: 60,
		TrailEmpty: 8, TrailCarrying: 64, DecayShift: 5, RainTicks: 10, RainDecays: 2, HoldTicks: 25,
		RelocateEvery: 4, RelocateCost: 1, RelocateMinFood: 6, RelocateRange: 4,
		EventEvery: 50, EventSpread: 40, LocustPercent: 40, RainPercent: 30, LocustToll: 15,
		FoodSight: 3, RivalSight: 2, ScentSight: 1, NestSight: 2, ThreatRange: 4,
		Score2Food: 2, Score2Cell: 1, Score2Alive: 40,
	}
}

// variants are the named rule sets, as what they change of the default.
var variants = []struct {
	name   string
	change func(c *Config)
}{
	{"default", func(*Config) {}},
	{"duel", func(c *Config) { c.Seats, c.Radius, c.MaxTicks = 2, 10, 480 }},
	{"seeded-quartet", func(c *Config) {
		seed := uint64(7)
		c.MaxTicks, c.Seed = 300, &seed
	}},
}

// Variants lists the named rule sets; the first is the default.
func Variants() []string {
	names := make([]string, len(variants))
	for i := range variants {
		names[i] = variants[i].name
	}
	return names
}

// Variant returns the named rule set. Errors wrap env.ErrRules.
func Variant(name string) (Config, error) {
	for _, v := range variants {
		if v.name == name {
			c := defaultConfig()
			c.Name = name
			v.change(&c)
			return c, nil
		}
	}
	return Config{}, fmt.Errorf("%w: no variant %q (have %s)", env.ErrRules, name, strings.Join(Variants(), ", "))
}

// ParseConfig reads a rule set: "" (the default), the name of a variant, or a
// JSON object whose "name" is the variant that its other fields change. A
// "rules_version" other than RulesVersion is refused. Errors wrap env.ErrRules.
func ParseConfig(text string) (Config, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Variant(variants[0].name)
	}
	if !strings.HasPrefix(text, "{") {
		return Variant(text)
	}
	var base struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal([]byte(text), &base); err != nil {
		return Config{}, fmt.Errorf("%w: %v", env.ErrRules, err)
	}
	if base.Name == "" {
		base.Name = variants[0].name
	}
	c, err := Variant(base.Name)
	if err != nil {
		return Config{}, err
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Config{}, fmt.Errorf("%w: %v", env.ErrRules, err)
	}
	return c, c.Validate()
}

// JSON is the rule set as one JSON object that ParseConfig reads back.
func (c *Config) JSON() string {
	data, err := json.Marshal(c)
	if err != nil {
		panic("formica: config does not marshal: " + err.Error())
	}
	return string(data)
}

// Board is the board that the variant is made for. Errors wrap env.ErrMap.
func (c *Config) Board() (*Board, error) { return NewBoard(c.Name, c.Seats, c.Radius) }

// EpisodeSeed is the seed that an episode reset with seed is played with: the
// config's own if it has one.
func (c *Config) EpisodeSeed(seed uint64) uint64 {
	if c.Seed != nil {
		return *c.Seed
	}
	return seed
}

// PopCap is the population cap with that many chambers.
func (c *Config) PopCap(chambers int) int {
	return min(c.BaseCap+c.CapPerChamber*chambers, AntSlots)
}

// Validate tells whether the rule set can be played. Errors wrap env.ErrRules
// and name the field.
func (c *Config) Validate() error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: rule set %q: %s", env.ErrRules, c.Name, fmt.Sprintf(format, a...))
	}
	if c.RulesVersion != RulesVersion {
		return bad("rules_version is %d, this engine plays %d", c.RulesVersion, RulesVersion)
	}
	if err := checkSeats(c.Seats); err != nil {
		return bad("seats: %v", err)
	}
	for _, f := range []struct {
		name          string
		value, lo, hi int
	}{
		{"radius", c.Radius, 1, MaxRadius}, {"max_ticks", c.MaxTicks, 1, MaxMaxTicks},
		{"command_every", c.CommandEvery, 1, MaxMaxTicks},
		{"budget_ms", c.BudgetMS, 0, 1 << 30}, {"event_budget_ms", c.EventBudgetMS, 0, 1 << 30},
		{"nest_inset", c.NestInset, 0, MaxRadius}, {"patch_food", c.PatchFood, 1, 255}, {"centre_food", c.CentreFood, 1, 255},
		{"regrow_every", c.RegrowEvery, 1, MaxMaxTicks},
		{"start_ants", c.StartAnts, 1, AntSlots}, {"start_food", c.StartFood, 0, 1 << 20},
		{"base_cap", c.BaseCap, 1, AntSlots}, {"cap_per_chamber", c.CapPerChamber, 0, AntSlots}, {"max_chambers", c.MaxChambers, 0, AntSlots},
		{"base_cap + cap_per_chamber * max_chambers", c.BaseCap + c.CapPerChamber*c.MaxChambers, 1, AntSlots},
		{"birth_every", c.BirthEvery, 1, MaxMaxTicks}, {"birth_every_build", c.BirthEveryBuild, 1, MaxMaxTicks},
		{"birth_cost", c.BirthCost, 0, 1 << 20}, {"reserve", c.Reserve, 0, 1 << 20}, {"reserve_build", c.ReserveBuild, 0, 1 << 20},
		{"upkeep_per_food", c.UpkeepPerFood, AntSlots, 1 << 15},
		{"carry", c.Carry, 1, 100}, {"fruitless_ticks", c.FruitlessTicks, 1, 255},
		{"trail_base", c.TrailBase, 1, 255}, {"trail_shift", c.TrailShift, 0, 15}, {"trail_max", c.TrailMax, 0, 255},
		{"patrol_radius", c.PatrolRadius, 1, 2 * MaxRadius}, {"chase_sight", c.ChaseSight, 0, 2}, {"chase_nest", c.ChaseNest, 0, 2 * MaxRadius},
		{"expand_leash", c.ExpandLeash, 1, 2 * MaxRadius}, {"expand_stale", c.ExpandStale, 0, 100}, {"expand_open", c.ExpandOpen, 0, 1000},
		{"expand_crowd", c.ExpandCrowd, 0, 1000}, {"defend_skip", c.DefendSkip, 0, 256},
		{"steal_max", c.StealMax, 0, 100}, {"steal_defended", c.StealDefended, 0, 100},
		{"dig_every", c.DigEvery, 1, MaxMaxTicks}, {"dig_per_chamber", c.DigPerChamber, 1, 200}, {"chamber_food", c.ChamberFood, 0, 1 << 20},
		{"strength_defender", c.StrengthDefender, 0, 100}, {"strength_alert", c.StrengthAlert, 0, 100}, {"strength_away", c.StrengthAway, 0, 100},
		{"strength_raider", c.StrengthRaider, 0, 100}, {"strength_builder", c.StrengthBuilder, 0, 100}, {"home_range", c.HomeRange, 0, 2 * MaxRadius},
		{"kill_armed", c.KillArmed, 1, 1000}, {"kill_unarmed", c.KillUnarmed, 1, 1000},
		{"trail_empty", c.TrailEmpty, 0, 600}, {"trail_carrying", c.TrailCarrying, 0, 600}, {"decay_shift", c.DecayShift, 0, 15},
		{"rain_ticks", c.RainTicks, 0, 255}, {"rain_decays", c.RainDecays, 0, 4}, {"hold_ticks", c.HoldTicks, 0, 255},
		{"relocate_every", c.RelocateEvery, 1, 255}, {"relocate_cost", c.RelocateCost, 0, 1 << 20},
		{"relocate_min_food", c.RelocateMinFood, 0, 1 << 20}, {"relocate_range", c.RelocateRange, 0, 2 * MaxRadius},
		{"event_every", c.EventEvery, 2, MaxMaxTicks}, {"event_spread", c.EventSpread, 1, c.EventEvery - 1},
		{"locust_percent", c.LocustPercent, 0, 100}, {"rain_percent", c.RainPercent, 0, 100 - c.LocustPercent}, {"locust_toll", c.LocustToll, 0, 100},
		{"food_sight", c.FoodSight, 0, 2 * MaxRadius}, {"rival_sight", c.RivalSight, 0, 2 * MaxRadius}, {"scent_sight", c.ScentSight, 0, 2 * MaxRadius},
		{"nest_sight", c.NestSight, 0, 2 * MaxRadius}, {"threat_range", c.ThreatRange, 0, 2 * MaxRadius},
		{"score2_food", c.Score2Food, 0, 100}, {"score2_cell", c.Score2Cell, 0, 100}, {"score2_alive", c.Score2Alive, 0, 10_000},
	} {
		if f.value < f.lo || f.value > f.hi {
			return bad("%s is %d, want %d..%d", f.name, f.value, f.lo, f.hi)
		}
	}
	for i, w := range c.HeadingWeights {
		if w < 1 || w > 255 {
			return bad("heading_weights[%d] is %d, want 1..255", i, w)
		}
	}
	for i, w := range c.OutwardWeights {
		if w < 1 || w > 255 {
			return bad("outward_weights[%d] is %d, want 1..255", i, w)
		}
	}
	if len(c.Orbits) > 8 {
		return bad("%d orbits, want at most 8", len(c.Orbits))
	}
	for i, o := range c.Orbits {
		if o[0] < 2 || o[1] < o[0] || o[1] > 2*MaxRadius {
			return bad("orbits[%d] is %d..%d, want 2 <= least <= greatest <= %d", i, o[0], o[1], 2*MaxRadius)
		}
	}
	return nil
}
