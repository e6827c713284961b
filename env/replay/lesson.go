// Lessons: a board and a script per seat, to be played and looked at. A lesson
// records no result.
//
//	{"game":"ants","vars":{"max_turns":N},
//	 "rows":[{"id":..,"seed":S,"seat_count":P,"map":{..},
//	          "seats":[{"seat":0,"label":..,"script":["N",["E","-"]..]}..]}]}
//
// Entry t of a script is for turn t: a letter orders every ant, an array goes
// by position. Past the end of either, an ant holds.

package replay

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// maxLesson bounds the text of a lesson, as its scripts take several times the
// memory of their text.
const maxLesson = 4 << 20

// A Lesson is one scripted game by the ladder's rules.
type Lesson struct {
	ID       string
	Seed     uint64
	MaxTurns int
	Map      *ants.Map
	Seats    []LessonSeat

	game, vars, row Extra // members of the file, of its vars and of its row
	seedQuoted      bool
	mapText         json.RawMessage
	textOf          *ants.Map
}

// A LessonSeat is the script of one seat.
type LessonSeat struct {
	Seat   int
	Label  string
	Script []LessonOrder
	Extra  Extra
}

// A LessonOrder is what a script says for one turn: All, a letter for every
// ant, or where that is empty, Each, a letter for each ant.
type LessonOrder struct {
	All  string
	Each []string
}

// Format is FormatLesson.
func (l *Lesson) Format() Format { return FormatLesson }

// Board is the map.
func (l *Lesson) Board() *ants.Map { return l.Map }

// Rules is the ladder's with the lesson's turn limit.
func (l *Lesson) Rules() (ants.Rules, error) {
	return rules("", func(r *ants.Rules) { r.MaxTurns = l.MaxTurns })
}

// Setup is the rules, the map and who played.
func (l *Lesson) Setup() (Setup, error) {
	players := make([]string, len(l.Seats))
	for i, s := range l.Seats {
		players[i] = s.Label
	}
	return antsSetup(l, players)
}

// Play plays the game on an engine of Ants.
func (l *Lesson) Play(eng env.Engine, each func() error) error { return playAnts(l, eng, each) }

func (l *Lesson) verify(eng env.Engine, report *Report) error { return verifyAnts(l, eng, report) }

// DecodeLesson reads a lesson. It checks the form and the map, but not whether
// the parts fit together: call Validate. Errors wrap ErrReplay.
func DecodeLesson(data []byte) (*Lesson, error) {
	if len(data) > maxLesson {
		return nil, badf("", "a lesson of %d bytes, at most %d", len(data), maxLesson)
	}
	data, err := compact(data)
	if err != nil {
		return nil, err
	}
	o := readObject("", data)
	if game := o.text("game", true); o.err == nil && game != "ants" {
		o.fail("game", "%q, want \"ants\"", game)
	}
	vars := readObject("vars", o.take("vars", true))
	var rows []json.RawMessage
	o.array("rows", true, 1, func(_ int, raw json.RawMessage) error {
		rows = append(rows, raw)
		return nil
	})
	if o.err != nil {
		return nil, o.err
	}
	if len(rows) != 1 {
		return nil, badf("rows", "%d entries, want one", len(rows))
	}
	l := &Lesson{MaxTurns: vars.integer("max_turns", true)}
	if vars.err != nil {
		return nil, vars.err
	}
	row := readObject("rows[0]", rows[0])
	l.ID = row.text("id", false)
	s := row.seed("seed", true)
	l.Seed, l.seedQuoted = s.value, s.quoted
	l.mapText = row.take("map", true)
	if row.err == nil {
		if l.Map, err = ants.ParseMapJSON(l.mapText); err != nil {
			return nil, wrapf("rows[0].map", err)
		}
		l.textOf = l.Map
	}
	row.array("seats", true, ants.MaxSeats, func(i int, raw json.RawMessage) error {
		seat, err := decodeLessonSeat(index("rows[0].seats", i), raw)
		l.Seats = append(l.Seats, seat)
		return err
	})
	if row.err != nil {
		return nil, row.err
	}
	l.game, l.vars, l.row = o.extra, vars.extra, row.extra
	return l, nil
}

func decodeLessonSeat(path string, raw json.RawMessage) (LessonSeat, error) {
	o := readObject(path, raw)
	s := LessonSeat{Seat: o.integer("seat", true), Label: o.text("label", false)}
	o.array("script", true, ants.MaxMaxTurns, func(i int, raw json.RawMessage) error {
		var order LessonOrder
		var err error
		path := index(o.at("script"), i)
		if raw[0] == '"' {
			order.All, err = letter(path, raw)
		} else {
			order.Each = []string{}
			err = array(path, raw, ants.MaxCells, func(j int, raw json.RawMessage) error {
				s, err := letter(index(path, j), raw)
				order.Each = append(order.Each, s)
				return err
			})
		}
		s.Script = append(s.Script, order)
		return err
	})
	s.Extra = o.extra
	return s, o.err
}

// letter reads the order of one ant.
func letter(path string, raw json.RawMessage) (string, error) {
	s, err := shortText(path, raw)
	if err != nil {
		return "", err
	}
	if n := utf8.RuneCountInString(s); n != 1 {
		return "", badf(path, "%d letters, want one", n)
	}
	return s, nil
}

// Encode writes the lesson. Members keep their order.
func (l *Lesson) Encode() ([]byte, error) {
	if l.Map == nil {
		return nil, badf("rows[0].map", "missing")
	}
	mapText := l.mapText
	if l.Map != l.textOf {
		var err error
		if mapText, err = l.Map.MarshalJSON(); err != nil {
			return nil, wrapf("rows[0].map", err)
		}
	}
	row := []field{
		putText("id", l.ID != "", l.ID),
		{"seed", true, seed{l.Seed, l.seedQuoted}.append},
		putRaw("map", true, mapText),
		{"seats", true, func(dst []byte) []byte {
			return appendList(dst, len(l.Seats), func(dst []byte, i int) []byte { return l.Seats[i].append(dst) })
		}},
	}
	dst := appendObject(nil, &l.game, []field{
		putText("game", true, "ants"),
		{"vars", true, func(dst []byte) []byte {
			return appendObject(dst, &l.vars, []field{putInt("max_turns", true, l.MaxTurns)})
		}},
		{"rows", true, func(dst []byte) []byte {
			return append(appendObject(append(dst, '['), &l.row, row), ']')
		}},
	})
	return append(dst, '\n'), nil
}

func (s *LessonSeat) append(dst []byte) []byte {
	return appendObject(dst, &s.Extra, []field{
		putInt("seat", true, s.Seat),
		putText("label", s.Label != "", s.Label),
		{"script", true, func(dst []byte) []byte {
			return appendList(dst, len(s.Script), func(dst []byte, i int) []byte {
				if order := &s.Script[i]; order.All == "" {
					return appendTexts(dst, order.Each)
				}
				return appendText(dst, s.Script[i].All)
			})
		}},
	})
}

// Validate tells whether the lesson can be played: the map holds and there is
// a script for every seat. Errors wrap ErrReplay.
func (l *Lesson) Validate() error {
	if l.Map == nil {
		return badf("rows[0].map", "missing")
	}
	if err := l.Map.Validate(); err != nil {
		return wrapf("rows[0].map", err)
	}
	if _, err := l.Rules(); err != nil {
		return err
	}
	if len(l.Seats) != l.Map.Players {
		return badf("rows[0].seats", "%d entries on a map of %d seats", len(l.Seats), l.Map.Players)
	}
	for i, s := range l.Seats {
		if s.Seat != i {
			return badf(index("rows[0].seats", i)+".seat", "%d, want %d", s.Seat, i)
		}
	}
	return nil
}

// script plays to the end of the game.
func (l *Lesson) script() script { return &lessonScript{l: l} }

type lessonScript struct {
	l    *Lesson
	turn int
	t    turn
}

func (s *lessonScript) seed() uint64           { return s.l.Seed }
func (s *lessonScript) start(*ants.State) bool { return false }

func (s *lessonScript) next(state *ants.State) (turn, bool) {
	if state.Ending != 0 {
		return turn{}, false
	}
	s.t.orders = s.t.orders[:0]
	for seat, cells := range state.Ants {
		orders := make([]byte, 0, len(cells))
		if script := s.l.Seats[seat].Script; s.turn < len(script) {
			order := &script[s.turn]
			for i := range cells {
				switch {
				case order.All != "":
					orders = AppendActions(orders, order.All)
				case i < len(order.Each):
					orders = AppendActions(orders, order.Each[i])
				default:
					orders = append(orders, ants.Stay)
				}
			}
		}
		s.t.orders = append(s.t.orders, orders)
	}
	s.turn++
	return s.t, true
}

func (s *lessonScript) check(*ants.State) *Difference   { return nil }
func (s *lessonScript) end(out env.Outcome) *Difference { return nil }
