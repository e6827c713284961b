// The 2011 contest's replay (revision 3): what every ant did from birth to
// death, and the histories around it.
//
//	{"challenge":"ants","game_length":T,"status":[..],"playerturns":[..],
//	 "score":[..],"rank":[..],"playernames":[..],
//	 "replaydata":{"revision":3,"players":P,"turns":N,"viewradius2":..,
//	   "attackradius2":..,"spawnradius2":..,"map":{"rows":R,"cols":C,"data":[..]},
//	   "ants":[[row,col,start,end,owner,"moves"]..],"food":[[row,col,start,end,owner]..],
//	   "hills":[[row,col,owner,end]..],"scores":[[..]..],"hive_history":[[..]..],
//	   "bonus":[..],"cutoff":".."}}
//
// Turns count from 1 and 0 is the start: an ant, a food or a hill is on the
// board after turn t when start <= t < end, and end is T+1 for what outlasted
// the game. moves is what the ant did on turns start+1, start+2 and so on, "-"
// where it was refused, up to the turn it died on. A food that one player
// gathered names it. map.data is the board as it stood when the file was
// written: of it only the water matters. score holds bonus, scores does not.
// A history of a player goes on while the player is alive; after that it is
// only brought up to a turn on which the value changed.

package replay

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

const contestRevision = 3

// maxThings bounds the ants, and the food, of a contest replay.
const maxThings = 1 << 20

// A Contest is a replay in the contest's form.
type Contest struct {
	Turns       int      // game_length: turns played
	Names       []string // playernames; may be nil
	Status      []string // how each player left, see the Status constants; may be nil
	PlayerTurns []int32  // the last turn of each player; may be nil with Status
	Scores      []int32  // at the end, bonus included
	Ranks       []int32  // from 0, ties share
	Data        ContestData
	Extra       Extra
}

// How a player of the contest left.
const (
	StatusSurvived   = "survived"
	StatusEliminated = "eliminated"
	StatusTimeout    = "timeout"
	StatusCrashed    = "crashed"
	StatusInvalid    = "invalid" // disqualified for an order, after the turn's orders were read
)

// ContestData is the game's own part of a contest replay.
type ContestData struct {
	Players       int
	MaxTurns      int // turns
	ViewRadius2   int
	AttackRadius2 int
	GatherRadius2 int // spawnradius2
	Rows, Cols    int
	Board         []string // map.data
	Ants          []ContestAnt
	Food          []ContestFood
	Hills         []ContestHill
	ScoreHistory  [][]int32 // per player, from turn 0
	HiveHistory   [][]int32
	Bonus         []int32
	Cutoff        string // the reason
	Extra         Extra
	MapExtra      Extra
}

// A ContestAnt is the life of one ant.
type ContestAnt struct {
	Row, Col   int32
	Start, End int32
	Owner      int32
	Moves      string
}

// A ContestFood is the life of one food. Owner is -1 where no player has it.
type ContestFood struct {
	Row, Col   int32
	Start, End int32
	Owner      int32
}

// A ContestHill is the life of one hill.
type ContestHill struct {
	Row, Col int32
	Owner    int32
	End      int32
}

// Format is FormatContest.
func (c *Contest) Format() Format { return FormatContest }

// Rules is the contest's rule set with the replay's radii and turn limit; the
// food is scripted.
func (c *Contest) Rules() (ants.Rules, error) {
	return rules("contest2011", func(r *ants.Rules) {
		d := &c.Data
		r.MaxTurns, r.Food = d.MaxTurns, ants.FoodScripted
		r.ViewRadius2, r.AttackRadius2, r.GatherRadius2 = d.ViewRadius2, d.AttackRadius2, d.GatherRadius2
	})
}

// Board makes the map: the water of map.data and the hills, in the order in
// which they are listed. It has no name, no symmetry and no food. The replay
// must be valid.
func (c *Contest) Board() *ants.Map {
	d := &c.Data
	m := &ants.Map{Rows: d.Rows, Cols: d.Cols, Players: d.Players, Water: make([]bool, 0, d.Rows*d.Cols)}
	for _, row := range d.Board {
		for i := range len(row) {
			m.Water = append(m.Water, row[i] == '%')
		}
	}
	for _, h := range d.Hills {
		m.Hills = append(m.Hills, ants.Spot{Cell: h.Row*int32(d.Cols) + h.Col, Owner: uint8(h.Owner)})
	}
	return m
}

// Setup is the rules, the map and who played.
func (c *Contest) Setup() (Setup, error) {
	players := make([]string, c.Data.Players)
	copy(players, c.Names)
	return antsSetup(c, players)
}

// Play plays the game on an engine of Ants.
func (c *Contest) Play(eng env.Engine, each func() error) error { return playAnts(c, eng, each) }

func (c *Contest) verify(eng env.Engine, report *Report) error { return verifyAnts(c, eng, report) }

// DecodeContest reads a contest replay. It checks the form, but not whether
// the parts fit together: call Validate. Errors wrap ErrReplay.
func DecodeContest(data []byte) (*Contest, error) {
	data, err := compact(data)
	if err != nil {
		return nil, err
	}
	o := readObject("", data)
	c := &Contest{
		Turns:       o.integer("game_length", true),
		Names:       o.texts("playernames", false, ants.MaxSeats),
		Status:      o.texts("status", false, ants.MaxSeats),
		PlayerTurns: o.integers("playerturns", false, ants.MaxSeats),
		Scores:      o.integers("score", true, ants.MaxSeats),
		Ranks:       o.integers("rank", true, ants.MaxSeats),
	}
	if raw := o.take("challenge", false); raw != nil && string(raw) != `"ants"` {
		o.fail("challenge", "%s, want \"ants\"", sample(raw))
	}
	raw := o.take("replaydata", true)
	if o.err != nil {
		return nil, o.err
	}
	c.Extra = o.extra
	return c, c.Data.decode(readObject("replaydata", raw))
}

func (d *ContestData) decode(o *object) error {
	if r := o.integer("revision", true); o.err == nil && r != contestRevision {
		o.fail("revision", "%d, want %d", r, contestRevision)
	}
	d.Players = o.integer("players", true)
	d.MaxTurns = o.integer("turns", true)
	d.ViewRadius2 = o.integer("viewradius2", true)
	d.AttackRadius2 = o.integer("attackradius2", true)
	d.GatherRadius2 = o.integer("spawnradius2", true)
	board := &object{err: o.err}
	if raw := o.take("map", true); o.err == nil {
		board = readObject("replaydata.map", raw)
		d.Rows, d.Cols = board.integer("rows", true), board.integer("cols", true)
		d.Board = board.texts("data", true, ants.MaxSide)
		if board.err != nil {
			return board.err
		}
	}
	d.MapExtra = board.extra
	o.array("ants", true, maxThings, func(i int, raw json.RawMessage) error {
		var a ContestAnt
		_, err := row(index("replaydata.ants", i), raw, 6, &a.Moves, &a.Row, &a.Col, &a.Start, &a.End, &a.Owner)
		d.Ants = append(d.Ants, a)
		return err
	})
	o.array("food", true, maxThings, func(i int, raw json.RawMessage) error {
		f := ContestFood{Owner: -1}
		n, err := row(index("replaydata.food", i), raw, 4, nil, &f.Row, &f.Col, &f.Start, &f.End, &f.Owner)
		if n == 5 && f.Owner < 0 && err == nil {
			err = badf(index("replaydata.food", i), "owner %d", f.Owner)
		}
		d.Food = append(d.Food, f)
		return err
	})
	o.array("hills", true, ants.MaxHills, func(i int, raw json.RawMessage) error {
		var h ContestHill
		_, err := row(index("replaydata.hills", i), raw, 4, nil, &h.Row, &h.Col, &h.Owner, &h.End)
		d.Hills = append(d.Hills, h)
		return err
	})
	d.ScoreHistory = o.histories("scores")
	d.HiveHistory = o.histories("hive_history")
	d.Bonus = o.integers("bonus", true, ants.MaxSeats)
	d.Cutoff = o.text("cutoff", true)
	d.Extra = o.extra
	return o.err
}

// row reads an array of at least want elements: numbers, then a string if last
// is given. It returns how many there were.
func row(path string, raw json.RawMessage, want int, last *string, numbers ...*int32) (int, error) {
	limit := len(numbers)
	if last != nil {
		limit++
	}
	n := 0
	err := array(path, raw, limit, func(i int, raw json.RawMessage) error {
		n++
		if i == len(numbers) {
			if raw[0] != '"' {
				return badf(index(path, i), "%s where a string is wanted", kind(raw))
			}
			*last = text(raw)
			return nil
		}
		v, err := integer(index(path, i), raw)
		*numbers[i] = v
		return err
	})
	if err == nil && n < want {
		err = badf(path, "%d elements, want %d", n, want)
	}
	return n, err
}

func (o *object) histories(name string) [][]int32 {
	var all [][]int32
	o.array(name, true, ants.MaxSeats, func(i int, raw json.RawMessage) error {
		var list []int32
		path := index(o.at(name), i)
		err := array(path, raw, ants.MaxMaxTurns+1, func(t int, raw json.RawMessage) error {
			v, err := integer(index(path, t), raw)
			list = append(list, v)
			return err
		})
		all = append(all, list)
		return err
	})
	return all
}

// Encode writes the replay. Members keep their order.
func (c *Contest) Encode() ([]byte, error) {
	dst := appendObject(nil, &c.Extra, []field{
		putText("challenge", !c.Extra.read, "ants"),
		putInt("game_length", true, c.Turns),
		putTexts("playernames", c.Names != nil, c.Names),
		putTexts("status", c.Status != nil, c.Status),
		putIntegers("playerturns", c.PlayerTurns != nil, c.PlayerTurns),
		putIntegers("score", true, c.Scores),
		putIntegers("rank", true, c.Ranks),
		putText("replayformat", !c.Extra.read, "json"),
		{"replaydata", true, c.Data.append},
	})
	return append(dst, '\n'), nil
}

func (d *ContestData) append(dst []byte) []byte {
	history := func(name string, all [][]int32) field {
		return field{name, true, func(dst []byte) []byte {
			return appendLines(dst, len(all), func(dst []byte, i int) []byte { return appendIntegers(dst, all[i]) })
		}}
	}
	return appendObject(dst, &d.Extra, []field{
		putInt("revision", true, contestRevision),
		putInt("players", true, d.Players),
		putInt("turns", true, d.MaxTurns),
		putInt("viewradius2", true, d.ViewRadius2),
		putInt("attackradius2", true, d.AttackRadius2),
		putInt("spawnradius2", true, d.GatherRadius2),
		{"map", true, func(dst []byte) []byte {
			return appendObject(dst, &d.MapExtra, []field{
				putInt("rows", true, d.Rows),
				putInt("cols", true, d.Cols),
				{"data", true, func(dst []byte) []byte {
					return appendLines(dst, len(d.Board), func(dst []byte, i int) []byte { return appendText(dst, d.Board[i]) })
				}},
			})
		}},
		{"ants", true, func(dst []byte) []byte {
			return appendLines(dst, len(d.Ants), func(dst []byte, i int) []byte {
				a := &d.Ants[i]
				dst = appendRow(dst, a.Row, a.Col, a.Start, a.End, a.Owner)
				dst = appendText(append(dst, ','), a.Moves)
				return append(dst, ']')
			})
		}},
		{"food", true, func(dst []byte) []byte {
			return appendLines(dst, len(d.Food), func(dst []byte, i int) []byte {
				f := &d.Food[i]
				if f.Owner < 0 {
					return append(appendRow(dst, f.Row, f.Col, f.Start, f.End), ']')
				}
				return append(appendRow(dst, f.Row, f.Col, f.Start, f.End, f.Owner), ']')
			})
		}},
		{"hills", true, func(dst []byte) []byte {
			return appendLines(dst, len(d.Hills), func(dst []byte, i int) []byte {
				h := &d.Hills[i]
				return append(appendRow(dst, h.Row, h.Col, h.Owner, h.End), ']')
			})
		}},
		history("scores", d.ScoreHistory),
		history("hive_history", d.HiveHistory),
		putIntegers("bonus", true, d.Bonus),
		putText("cutoff", true, d.Cutoff),
	})
}

// appendRow appends an array of numbers without its end.
func appendRow(dst []byte, numbers ...int32) []byte {
	dst = append(dst, '[')
	for i, n := range numbers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return dst
}

// dropped tells whether a status is of a player that was taken out. The
// contest's server also wrote the turn after the word.
func dropped(status string) bool {
	word, _, _ := strings.Cut(status, " ")
	return word == StatusTimeout || word == StatusCrashed || word == StatusInvalid
}
