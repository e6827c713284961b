// Whether a game can have made a contest replay.

package replay

import (
	"strings"

	"github.com/myriant-rl/myriant/env/ants"
)

// Validate tells whether a game can have made the replay: lists of the right
// lengths, lives within the game, ants born on their own hills, one for every
// hill at the start, that never walk into water. Errors wrap ErrReplay.
func (c *Contest) Validate() error {
	d := &c.Data
	if d.Rows < 1 || d.Rows > ants.MaxSide || d.Cols < 1 || d.Cols > ants.MaxSide {
		return badf("replaydata.map", "board of %dx%d, want 1..%d a side", d.Rows, d.Cols, ants.MaxSide)
	}
	if d.Players < ants.MinSeats || d.Players > ants.MaxSeats {
		return badf("replaydata.players", "%d, want %d..%d", d.Players, ants.MinSeats, ants.MaxSeats)
	}
	if len(d.Board) != d.Rows {
		return badf("replaydata.map.data", "%d rows, want %d", len(d.Board), d.Rows)
	}
	for i, row := range d.Board {
		if len(row) != d.Cols {
			return badf(index("replaydata.map.data", i), "%d letters, want %d", len(row), d.Cols)
		}
		if at := strings.IndexFunc(row, unknownLetter); at >= 0 {
			return badf(index("replaydata.map.data", i), "%q, unknown letter", row[at:at+1])
		}
	}
	if c.Turns < 0 || c.Turns > d.MaxTurns {
		return badf("game_length", "%d, want 0..%d, the turn limit", c.Turns, d.MaxTurns)
	}
	if _, err := c.Rules(); err != nil {
		return err
	}
	if err := validateResult("rank", c.Ranks, "score", c.Scores, d.Players, 0); err != nil {
		return err
	}
	if len(d.Bonus) != d.Players {
		return badf("replaydata.bonus", "%d entries in a game of %d", len(d.Bonus), d.Players)
	}
	if err := c.validatePlayers(); err != nil {
		return err
	}
	if err := c.validateHistory("replaydata.scores", d.ScoreHistory); err != nil {
		return err
	}
	if err := c.validateHistory("replaydata.hive_history", d.HiveHistory); err != nil {
		return err
	}
	if err := c.validateHills(); err != nil {
		return err
	}
	m := c.Board()
	if err := m.Validate(); err != nil {
		return wrapf("replaydata", err)
	}
	if err := c.validateFood(m); err != nil {
		return err
	}
	return c.validateAnts(m)
}

// unknownLetter tells whether the contest's engine never draws the letter.
func unknownLetter(r rune) bool {
	return !(r >= 'a' && r <= 'j' || r >= 'A' && r <= 'J' || r >= '0' && r <= '9' || strings.ContainsRune(".%*!?", r))
}

func (c *Contest) validatePlayers() error {
	n := c.Data.Players
	if c.Status == nil {
		return nil
	}
	if len(c.Status) != n {
		return badf("status", "%d entries in a game of %d", len(c.Status), n)
	}
	if len(c.PlayerTurns) != n {
		return badf("playerturns", "%d entries in a game of %d", len(c.PlayerTurns), n)
	}
	for i, t := range c.PlayerTurns {
		if t < 0 || int(t) > c.Turns {
			return badf(index("playerturns", i), "%d, want 0..%d, the game's turns", t, c.Turns)
		}
	}
	return nil
}

func (c *Contest) validateHistory(path string, all [][]int32) error {
	if len(all) != c.Data.Players {
		return badf(path, "%d entries in a game of %d", len(all), c.Data.Players)
	}
	for i, list := range all {
		if len(list) < 1 || len(list) > c.Turns+1 {
			return badf(index(path, i), "%d entries in a game of %d turns", len(list), c.Turns)
		}
	}
	return nil
}

// inside tells whether a place is on the board.
func (d *ContestData) inside(row, col int32) bool {
	return row >= 0 && int(row) < d.Rows && col >= 0 && int(col) < d.Cols
}

// lives checks that start <= the last turn, and start < end <= the last turn + 1.
func (c *Contest) lives(path string, start, end int32) error {
	if start < 0 || int(start) > c.Turns {
		return badf(path, "starts on turn %d of %d", start, c.Turns)
	}
	if end <= start || int(end) > c.Turns+1 {
		return badf(path, "ends on turn %d, want %d..%d", end, start+1, c.Turns+1)
	}
	return nil
}

func (c *Contest) validateHills() error {
	d := &c.Data
	if len(d.Hills) > ants.MaxHills {
		return badf("replaydata.hills", "%d hills, at most %d", len(d.Hills), ants.MaxHills)
	}
	for i, h := range d.Hills {
		path := index("replaydata.hills", i)
		if !d.inside(h.Row, h.Col) {
			return badf(path, "at %d,%d on a board of %dx%d", h.Row, h.Col, d.Rows, d.Cols)
		}
		if h.Owner < 0 || int(h.Owner) >= d.Players {
			return badf(path, "player %d of %d", h.Owner, d.Players)
		}
		if err := c.lives(path, 0, h.End); err != nil {
			return err
		}
	}
	return nil
}

func (c *Contest) validateFood(m *ants.Map) error {
	d := &c.Data
	start := make([]bool, len(m.Water))
	for _, h := range m.Hills {
		start[h.Cell] = true
	}
	for i, f := range d.Food {
		path := index("replaydata.food", i)
		if !d.inside(f.Row, f.Col) {
			return badf(path, "at %d,%d on a board of %dx%d", f.Row, f.Col, d.Rows, d.Cols)
		}
		cell := f.Row*int32(d.Cols) + f.Col
		if m.Water[cell] {
			return badf(path, "on water at %d,%d", f.Row, f.Col)
		}
		if err := c.lives(path, f.Start, f.End); err != nil {
			return err
		}
		if f.Owner < -1 || int(f.Owner) >= d.Players {
			return badf(path, "player %d of %d", f.Owner, d.Players)
		}
		if f.Owner >= 0 && int(f.End) == c.Turns+1 {
			return badf(path, "gathered by player %d, and on the board at the end", f.Owner)
		}
		if f.Start == 0 {
			if start[cell] {
				return badf(path, "second food or food on a hill at %d,%d at the start", f.Row, f.Col)
			}
			start[cell] = true
		}
	}
	return nil
}

func (c *Contest) validateAnts(m *ants.Map) error {
	d := &c.Data
	hill := make([]int32, len(m.Water)) // 1 + owner
	waiting := 0
	for _, h := range m.Hills {
		hill[h.Cell] = 1 + int32(h.Owner)
		waiting++
	}
	first := make([]bool, len(m.Water))
	for i, a := range d.Ants {
		path := index("replaydata.ants", i)
		if !d.inside(a.Row, a.Col) {
			return badf(path, "at %d,%d on a board of %dx%d", a.Row, a.Col, d.Rows, d.Cols)
		}
		cell := a.Row*int32(d.Cols) + a.Col
		if a.Owner < 0 || int(a.Owner) >= d.Players || hill[cell] != 1+a.Owner {
			return badf(path, "ant of player %d starts at %d,%d, which is no hill of it", a.Owner, a.Row, a.Col)
		}
		if err := c.lives(path, a.Start, a.End); err != nil {
			return err
		}
		if a.Start == 0 {
			if first[cell] {
				return badf(path, "second ant at %d,%d at the start", a.Row, a.Col)
			}
			first[cell] = true
			waiting--
		}
		if want := min(int(a.End), c.Turns) - int(a.Start); len(a.Moves) != want {
			return badf(path, "%d moves, want %d", len(a.Moves), want)
		}
		for t := range len(a.Moves) {
			action := contestAction(a.Moves[t])
			if action == ants.NumActions {
				return badf(path, "%q, unknown move", a.Moves[t:t+1])
			}
			if cell = m.Neighbour(cell, action); m.Water[cell] {
				return badf(path, "moves into water on turn %d", int(a.Start)+t+1)
			}
		}
	}
	if waiting != 0 {
		return badf("replaydata.ants", "%d hills without an ant at the start", waiting)
	}
	return nil
}

// contestAction is the action of a letter of moves, NumActions for none.
func contestAction(c byte) ants.Action {
	switch c {
	case 'n':
		return ants.North
	case 'e':
		return ants.East
	case 's':
		return ants.South
	case 'w':
		return ants.West
	case '-':
		return ants.Stay
	}
	return ants.NumActions
}

const contestChars = "nesw-" // the letters of moves, by action
