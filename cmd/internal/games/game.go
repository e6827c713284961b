// What commands need of a game.

package games

import (
	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/cmd/internal/draw"
	"github.com/myriant-rl/myriant/cmd/internal/mapsource"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/replay"
)

// A Game is what commands know of a game beyond what env.Game tells.
type Game interface {
	// Name is the word of --game, as env.Lookup knows it.
	Name() string
	// Words are what the game calls things.
	Words() Words

	// Rules reads a rule set: a name, a JSON object of changes, or "" for the
	// usual one. limit, if not 0, is its turn limit instead of its own. Errors
	// wrap env.ErrRules.
	Rules(text string, limit int) (*Rules, error)
	// Usual is what a command plays unless it is told otherwise.
	Usual(u Use) Usual

	// Maps is where maps come from.
	Maps() *mapsource.Source
	// MapFor names the map that is played by rules where none is named.
	MapFor(r *Rules, u Use) string
	// MapColumns are the titles of lists of maps; DescribeMap fills them.
	MapColumns() []string
	DescribeMap(m env.Map) MapInfo
	// MapForms are the forms that a map is written in, the first the default;
	// EncodeMap writes one.
	MapForms() []string
	EncodeMap(m env.Map, form string) ([]byte, error)

	// Policies lists the bundled policies, in the order of their package.
	Policies() []Policy
	// Gates are what the rules must keep to so that no strategy is best; nil for
	// games that have none.
	Gates() *Gates
	// Points is a score, or a mean of scores, in the points of the rules.
	Points(score float64) float64
	// Stats are what a game between policies tells of a seat, in order.
	Stats() []Stat

	// Record starts the record of a game on a board that was just reset with the
	// seed. players names who plays each seat.
	Record(r *Rules, m env.Map, seed uint64, players []string, board env.Engine) (Recorder, error)
	// Film makes a replay of the game ready to be shown.
	Film(r replay.Replay) (Film, error)

	// DrawMap shows a map, DrawState a board of it by its canonical state.
	DrawMap(m env.Map) *draw.Picture
	DrawState(r *Rules, m env.Map, state []byte) (*draw.Picture, error)
}

// A Use is what rules and maps are wanted for.
type Use uint8

// The uses.
const (
	Play     Use = iota // one game
	Generate            // a dataset
	Duel                // games of two seats
)

// A Usual is what a command plays unless it is told otherwise.
type Usual struct {
	Rules    string
	Policies string // with commas between them
}

// Words are what a game calls things.
type Words struct {
	Step, Steps string // what one step is: turn, turns
	Orders      string // what is counted as one order: ant-turns
	Limit       string // what --max-turns counts
}

// Rules is a rule set that was read.
type Rules struct {
	Name  string
	JSON  string // all of it
	Steps int    // the most steps that a game can have
	// Seed is the seed that a game reset with a seed is played with: a rule set
	// may have one of its own.
	Seed func(seed uint64) uint64
}

// A Policy is a bundled policy and what it does, in a few words.
type Policy struct {
	Name string `json:"name"`
	Does string `json:"does"`
}

// A Stat is a number that is told of a seat at the end of a game: what it is
// called in JSON and in tables, and the batch's array [B,P] that holds it.
type Stat struct {
	Key, Title, Array string
}

// Gates are bounds on how bundled strategies do against each other.
type Gates struct {
	Rules string // of the games, on their own map
	// Field are the strategies that are dealt to the seats: none has more than
	// MaxRatio times the mean score of all, and no seat's mean is more than
	// MaxErrors standard errors off it.
	Field     []string
	MaxRatio  float64
	MaxErrors float64
	// In games of the field, and in games of the Fixed strategies, the sole leader
	// at the first step that ends at LeaderTick or later wins at most MaxLeader of
	// them. TickArray is the batch's array of ticks, [B].
	Fixed      []string
	LeaderTick int
	MaxLeader  float64
	TickArray  string
	// Cycle: each beats the next, and the last the first, when the two share the
	// seats, by each of the rules of Duels on their own map.
	Cycle []string
	Duels []string
}

// MapInfo is what is told about a map.
type MapInfo struct {
	JSON any    // for lists with --json
	Row  []any  // under MapColumns
	Line string // in a sentence
}

// A Recorder makes a replay of a game that is being played.
type Recorder interface {
	// Add adds a step: what was ordered, seat by seat, and the board after it.
	Add(orders [][]byte, after env.Engine) error
	// Finish adds how the game ended and returns the valid replay.
	Finish(out env.Outcome) (replay.Replay, error)
}

// A Film is a replay that is played again on the readable engine and drawn step
// by step. All methods but Play are about the step that it stands at.
type Film interface {
	// Play plays it from the start; each is called for the state before the
	// first step and after every step. Its first error ends the play.
	Play(each func() error) error
	// Step is how many steps were played.
	Step() int
	// Title says which moment of which game it is.
	Title() string
	// Picture is the board, or what one seat may know of it; seat is -1 for all.
	Picture(seat int) *draw.Picture
	// Knows says what a seat may know, in a line.
	Knows(seat int, st draw.Style) string
	// Standings is the table of the seats, Events what happened in the step.
	Standings(st draw.Style) *console.Table
	Events(st draw.Style) []string
	// Frame is everything, for JSON; View is the JSON view of one seat.
	Frame() any
	View(seat int) []byte
}
