// The ladder's replay: an envelope of what was played, by whom and how it
// ended, around the orders of every turn.
//
//	{"seed":S,"max_turns":N,"rules":..,"map":{..},
//	 "seats":[{"m":0,"seat":0,"model":..,"label":..,"strikes":0,"forfeited":false}..],
//	 "engine_ranks":[..],"scores":[..],"reason":"..","turns":N,
//	 "deltas":[{"m":0,"t":0,"a":["NE-",""]}..]}
//
// An entry of a holds one letter for each ant of the seat, row-major; any
// other letter than N, E, S, W is read as '-' and kept as it is. rules is
// ours: a rule set's name or object, absent for the ladder's own. m numbers
// the matches of a file; only 0 is read.

package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// An Envelope is a replay in the ladder's form.
type Envelope struct {
	Seed     uint64
	MaxTurns int
	// RuleSet is what ants.ParseRules reads: "" for the ladder's own rules, a
	// name, or a JSON object. MaxTurns goes before its turn limit.
	RuleSet string
	Map     *ants.Map
	Seats   []Seat
	Ranks   []int32 // the engine's, 1-based, without what forfeits do to them
	Scores  []int32
	Reason  string
	Turns   int // turns played
	Deltas  []Delta
	Extra   Extra

	seedQuoted bool
	mapText    json.RawMessage // what textOf was read from
	textOf     *ants.Map
}

// A Seat is who played a colony.
type Seat struct {
	Seat      int
	Model     string
	Label     string
	Strikes   int
	Forfeited bool
	Extra     Extra
}

// A Delta is the orders of one turn: a string per seat, a letter per ant. A
// seat without ants has "".
type Delta struct {
	Turn   int // counts from 0
	Orders []string
	Extra  Extra
}

// Format is FormatLadder.
func (e *Envelope) Format() Format { return FormatLadder }

// Board is the map.
func (e *Envelope) Board() *ants.Map { return e.Map }

// Rules is RuleSet with MaxTurns as its limit.
func (e *Envelope) Rules() (ants.Rules, error) {
	return rules(e.RuleSet, func(r *ants.Rules) { r.MaxTurns = e.MaxTurns })
}

// Setup is the rules, the map and who played.
func (e *Envelope) Setup() (Setup, error) {
	players := make([]string, len(e.Seats))
	for i, s := range e.Seats {
		if players[i] = s.Label; s.Label == "" {
			players[i] = s.Model
		}
	}
	return antsSetup(e, players)
}

// Play plays the game on an engine of Ants.
func (e *Envelope) Play(eng env.Engine, each func() error) error { return playAnts(e, eng, each) }

func (e *Envelope) verify(eng env.Engine, report *Report) error { return verifyAnts(e, eng, report) }

// Decode reads an envelope. It checks the form and the map, but not whether
// the parts fit together: call Validate. Errors wrap ErrReplay.
func Decode(data []byte) (*Envelope, error) {
	data, err := compact(data)
	if err != nil {
		return nil, err
	}
	o := readObject("", data)
	e := &Envelope{}
	s := o.seed("seed", true)
	e.Seed, e.seedQuoted = s.value, s.quoted
	e.MaxTurns = o.integer("max_turns", true)
	if raw := o.take("rules", false); raw != nil {
		if raw[0] == '"' {
			e.RuleSet = text(raw)
		} else {
			e.RuleSet = string(raw)
		}
	}
	e.mapText = o.take("map", true)
	if o.err == nil {
		if e.Map, err = ants.ParseMapJSON(e.mapText); err != nil {
			return nil, wrapf("map", err)
		}
		e.textOf = e.Map
	}
	o.array("seats", true, ants.MaxSeats, func(i int, raw json.RawMessage) error {
		seat, err := decodeSeat(index("seats", i), raw)
		e.Seats = append(e.Seats, seat)
		return err
	})
	e.Ranks = o.integers("engine_ranks", true, ants.MaxSeats)
	e.Scores = o.integers("scores", true, ants.MaxSeats)
	e.Reason = o.text("reason", true)
	e.Turns = o.integer("turns", true)
	o.array("deltas", true, ants.MaxMaxTurns, func(i int, raw json.RawMessage) error {
		d, err := decodeDelta(index("deltas", i), raw)
		e.Deltas = append(e.Deltas, d)
		return err
	})
	if o.err != nil {
		return nil, o.err
	}
	e.Extra = o.extra
	return e, nil
}

func decodeSeat(path string, raw json.RawMessage) (Seat, error) {
	o := readObject(path, raw)
	o.match()
	s := Seat{
		Seat:      o.integer("seat", true),
		Model:     o.text("model", false),
		Label:     o.text("label", false),
		Strikes:   o.integer("strikes", false),
		Forfeited: o.flag("forfeited"),
	}
	s.Extra = o.extra
	return s, o.err
}

func decodeDelta(path string, raw json.RawMessage) (Delta, error) {
	o := readObject(path, raw)
	o.match()
	d := Delta{Turn: o.integer("t", true)}
	o.array("a", true, ants.MaxSeats, func(i int, raw json.RawMessage) error {
		if raw[0] != '"' {
			return badf(index(o.at("a"), i), "%s where a string is wanted", kind(raw))
		}
		// No cell holds two ants, and no letter is longer than \udfff\udfff.
		if len(raw) > 2+12*ants.MaxCells {
			return badf(index(o.at("a"), i), "a string of %d bytes is too long for the ants of any board", len(raw))
		}
		d.Orders = append(d.Orders, text(raw))
		return nil
	})
	d.Extra = o.extra
	return d, o.err
}

// match reads the number of the match in its file.
func (o *object) match() {
	if m := o.integer("m", false); m != 0 {
		o.fail("m", "match %d: a file of several matches is not read", m)
	}
}

// Encode writes the envelope. Members keep their order; each delta has a line
// of its own.
func (e *Envelope) Encode() ([]byte, error) {
	if e.Map == nil {
		return nil, badf("map", "missing")
	}
	mapText := e.mapText
	if e.Map != e.textOf {
		var err error
		if mapText, err = e.Map.MarshalJSON(); err != nil {
			return nil, wrapf("map", err)
		}
	}
	ruleSet := json.RawMessage(e.RuleSet)
	if !strings.HasPrefix(e.RuleSet, "{") {
		ruleSet = appendText(nil, e.RuleSet)
	} else if !json.Valid(ruleSet) {
		return nil, badf("rules", "no JSON object: %s", sample(ruleSet))
	}
	dst := appendObject(nil, &e.Extra, []field{
		{"seed", true, seed{e.Seed, e.seedQuoted}.append},
		putInt("max_turns", true, e.MaxTurns),
		putRaw("rules", e.RuleSet != "", ruleSet),
		putRaw("map", true, mapText),
		{"seats", true, func(dst []byte) []byte {
			return appendList(dst, len(e.Seats), func(dst []byte, i int) []byte { return e.Seats[i].append(dst) })
		}},
		putIntegers("engine_ranks", true, e.Ranks),
		putIntegers("scores", true, e.Scores),
		putText("reason", true, e.Reason),
		putInt("turns", true, e.Turns),
		{"deltas", true, func(dst []byte) []byte {
			return appendLines(dst, len(e.Deltas), func(dst []byte, i int) []byte { return e.Deltas[i].append(dst) })
		}},
	})
	return append(dst, '\n'), nil
}

func (s *Seat) append(dst []byte) []byte {
	fresh := !s.Extra.read
	return appendObject(dst, &s.Extra, []field{
		putInt("m", fresh, 0),
		putInt("seat", true, s.Seat),
		putText("model", s.Model != "", s.Model),
		putText("label", s.Label != "", s.Label),
		putInt("strikes", fresh || s.Strikes != 0, s.Strikes),
		putFlag("forfeited", fresh || s.Forfeited, s.Forfeited),
	})
}

func (d *Delta) append(dst []byte) []byte {
	return appendObject(dst, &d.Extra, []field{
		putInt("m", !d.Extra.read, 0),
		putInt("t", true, d.Turn),
		putTexts("a", true, d.Orders),
	})
}

// Validate tells whether a game can have made the envelope: the map and the
// rules hold, every list has an entry per seat, the turns are consecutive, no
// seat orders more ants than the board has cells. Errors wrap ErrReplay.
func (e *Envelope) Validate() error {
	if e.Map == nil {
		return badf("map", "missing")
	}
	if err := e.Map.Validate(); err != nil {
		return wrapf("map", err)
	}
	r, err := e.Rules()
	if err != nil {
		return err
	}
	if r.Food == ants.FoodScripted {
		return badf("rules", "food is %s, which an envelope does not record", r.Food)
	}
	n := e.Map.Players
	if len(e.Seats) != n {
		return badf("seats", "%d entries on a map of %d seats", len(e.Seats), n)
	}
	for i, s := range e.Seats {
		if s.Seat != i {
			return badf(index("seats", i)+".seat", "%d, want %d", s.Seat, i)
		}
		if s.Strikes < 0 {
			return badf(index("seats", i)+".strikes", "%d", s.Strikes)
		}
	}
	if err := validateResult("engine_ranks", e.Ranks, "scores", e.Scores, n, 1); err != nil {
		return err
	}
	if e.Turns < 0 || e.Turns > e.MaxTurns {
		return badf("turns", "%d, want 0..%d, the turn limit", e.Turns, e.MaxTurns)
	}
	if len(e.Deltas) != e.Turns {
		return badf("deltas", "%d entries in a game of %d turns", len(e.Deltas), e.Turns)
	}
	for i := range e.Deltas {
		d := &e.Deltas[i]
		if d.Turn != i {
			return badf(index("deltas", i)+".t", "%d, want %d", d.Turn, i)
		}
		if len(d.Orders) != n {
			return badf(index("deltas", i)+".a", "%d entries on a map of %d seats", len(d.Orders), n)
		}
		for seat, s := range d.Orders {
			if cells := e.Map.Rows * e.Map.Cols; len(s) > cells && utf8.RuneCountInString(s) > cells {
				return badf(index(index("deltas", i)+".a", seat), "more orders than the %d cells of the board", cells)
			}
		}
	}
	return nil
}

// validateResult checks ranks and scores; the best rank is first.
func validateResult(ranksPath string, ranks []int32, scoresPath string, scores []int32, seats, first int) error {
	if len(ranks) != seats {
		return badf(ranksPath, "%d entries on a map of %d seats", len(ranks), seats)
	}
	if len(scores) != seats {
		return badf(scoresPath, "%d entries on a map of %d seats", len(scores), seats)
	}
	for i, r := range ranks {
		if int(r) < first || int(r) >= first+seats {
			return badf(index(ranksPath, i), "%d, want %d..%d", r, first, first+seats-1)
		}
	}
	return nil
}

// script plays the deltas.
func (e *Envelope) script() script { return &envelopeScript{e: e} }

type envelopeScript struct {
	e    *Envelope
	turn int
	t    turn
	buf  []byte
}

func (s *envelopeScript) seed() uint64           { return s.e.Seed }
func (s *envelopeScript) start(*ants.State) bool { return false }

func (s *envelopeScript) next(*ants.State) (turn, bool) {
	if s.turn == len(s.e.Deltas) {
		return turn{}, false
	}
	d := &s.e.Deltas[s.turn]
	s.turn++
	s.buf = s.buf[:0]
	s.t.orders, s.t.counts = s.t.orders[:0], s.t.counts[:0]
	for _, letters := range d.Orders {
		from := len(s.buf)
		s.buf = AppendActions(s.buf, letters)
		s.t.orders = append(s.t.orders, s.buf[from:len(s.buf):len(s.buf)])
		s.t.counts = append(s.t.counts, len(s.buf)-from)
	}
	return s.t, true
}

func (s *envelopeScript) check(*ants.State) *Difference { return nil }

func (s *envelopeScript) end(out env.Outcome) *Difference {
	return compareOutcome(out, s.e.Turns, s.e.Reason, s.e.Scores, s.e.Ranks)
}

// AppendActions appends the action of each letter; unknown letters are '-'.
func AppendActions(dst []byte, letters string) []byte {
	for _, c := range letters {
		a := strings.IndexRune(ants.ActionChars, c)
		if a < 0 {
			a = int(ants.Stay)
		}
		dst = append(dst, byte(a))
	}
	return dst
}

// Letters is the order string of a list of actions.
func Letters(actions []byte) (string, error) {
	s := make([]byte, len(actions))
	for i, a := range actions {
		if a >= ants.NumActions {
			return "", fmt.Errorf("%w: action %d of ant %d, want 0..%d", env.ErrOrders, a, i, ants.NumActions-1)
		}
		s[i] = ants.ActionChars[a]
	}
	return string(s), nil
}
