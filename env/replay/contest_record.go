// Recording a game in the contest's form while it is played.

package replay

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env/ants"
)

// A ContestRecorder makes a contest replay of one game. It is not safe for
// concurrent use.
type ContestRecorder struct {
	e      Framer
	c      Contest
	state  *ants.State   // after the last recorded turn
	living [][]tracked   // per player, ascending by cell
	lying  map[int32]int // place in the list of the food on each cell
	walked [][]byte      // the moves of each ant of the list
	leader rankings
}

// tracked is an ant that lives: its cell and its place in the list.
type tracked struct {
	cell int32
	at   int
}

// rankings watches when the order of the players last changed.
type rankings struct {
	ranks, winners           []int32
	rankingTurn, winningTurn int
}

// NewContestRecorder starts the record of the game on an engine that was just
// reset. The rules must be the contest's but for radii, turn limit and food
// source. names is who plays; nil for nobody's names. Errors wrap ErrReplay.
func NewContestRecorder(e Framer, names []string) (*ContestRecorder, error) {
	r, m := e.Rules(), e.Map()
	rec := &ContestRecorder{e: e, state: e.State(), living: make([][]tracked, m.Players), lying: make(map[int32]int)}
	rec.c = Contest{
		Names: names, Status: make([]string, m.Players), PlayerTurns: make([]int32, m.Players),
		Data: ContestData{
			Players: m.Players, MaxTurns: r.MaxTurns, Rows: m.Rows, Cols: m.Cols,
			ViewRadius2: r.ViewRadius2, AttackRadius2: r.AttackRadius2, GatherRadius2: r.GatherRadius2,
			Board: drawWater(m), Bonus: make([]int32, m.Players),
			ScoreHistory: make([][]int32, m.Players), HiveHistory: make([][]int32, m.Players),
		},
	}
	if names != nil && len(names) != m.Players {
		return nil, badf("playernames", "%d names in a game of %d", len(names), m.Players)
	}
	want, err := rec.c.Rules()
	if err != nil {
		return nil, err
	}
	if want.Food = r.Food; want.JSON() != r.JSON() {
		return nil, badf("replaydata", "rules %q are not the contest's", r.Name)
	}
	if rec.state.Turn != 0 {
		return nil, badf("game_length", "the game is recorded from turn %d on", rec.state.Turn)
	}
	for _, h := range rec.state.Hills {
		rec.c.Data.Hills = append(rec.c.Data.Hills, ContestHill{Row: rec.row(h.Cell), Col: rec.col(h.Cell), Owner: int32(h.Owner)})
	}
	for player, cells := range rec.state.Ants {
		for _, cell := range cells {
			rec.birth(cell, player)
		}
	}
	for _, cell := range rec.state.Food {
		rec.appear(cell)
	}
	rec.histories()
	return rec, nil
}

// drawWater is the board as rows of '%' and '.'.
func drawWater(m *ants.Map) []string {
	rows := make([]string, m.Rows)
	for r := range rows {
		row := []byte(strings.Repeat(".", m.Cols))
		for c := range row {
			if m.Water[r*m.Cols+c] {
				row[c] = '%'
			}
		}
		rows[r] = string(row)
	}
	return rows
}

func (rec *ContestRecorder) row(cell int32) int32 { return cell / int32(rec.c.Data.Cols) }
func (rec *ContestRecorder) col(cell int32) int32 { return cell % int32(rec.c.Data.Cols) }

func (rec *ContestRecorder) birth(cell int32, player int) {
	rec.living[player] = append(rec.living[player], tracked{cell, len(rec.c.Data.Ants)})
	rec.walked = append(rec.walked, nil)
	rec.c.Data.Ants = append(rec.c.Data.Ants, ContestAnt{
		Row: rec.row(cell), Col: rec.col(cell), Start: rec.state.Turn, Owner: int32(player),
	})
}

func (rec *ContestRecorder) appear(cell int32) {
	rec.lying[cell] = len(rec.c.Data.Food)
	rec.c.Data.Food = append(rec.c.Data.Food, ContestFood{Row: rec.row(cell), Col: rec.col(cell), Start: rec.state.Turn, Owner: -1})
}

// Drop notes how a player left that the caller takes out of the engine before
// the next turn: StatusTimeout or StatusCrashed. A player without ants is not
// asked for orders any more, so it cannot leave.
func (rec *ContestRecorder) Drop(player int, status string) {
	if rec.c.Status[player] == "" {
		rec.c.Status[player], rec.c.PlayerTurns[player] = status, rec.state.Turn+1
	}
}

// Turn adds the turn that the engine has just played with these orders.
func (rec *ContestRecorder) Turn(orders [][]byte) error {
	frame, before := rec.e.Frame(), rec.state
	if frame.Turn != before.Turn+1 {
		return badf("game_length", "turn %d follows turn %d", frame.Turn, before.Turn)
	}
	after := rec.e.State()
	moves := rec.moves(orders, after)
	if !rec.explains(moves, &frame) {
		// Players that were taken out had decided the game: nobody moved.
		if moves = rec.moves(nil, after); !rec.explains(moves, &frame) {
			return badf("replaydata.ants", "turn %d was not played with these orders", frame.Turn)
		}
	}
	rec.state = after
	d := &rec.c.Data
	for player, list := range rec.living {
		alive := list[:0]
		for i, t := range list {
			rec.walked[t.at] = append(rec.walked[t.at], contestChars[moves[player][i]])
			t.cell = rec.e.Map().Neighbour(t.cell, moves[player][i])
			if slices.ContainsFunc(frame.Deaths, func(d ants.Death) bool { return d.Cell == t.cell && int(d.Owner) == player }) {
				d.Ants[t.at].End = frame.Turn
			} else {
				alive = append(alive, t)
			}
		}
		rec.living[player] = alive
	}
	for _, born := range frame.Spawned {
		rec.birth(born.Cell, int(born.Owner))
	}
	for _, list := range rec.living {
		slices.SortFunc(list, func(a, b tracked) int { return cmp.Compare(a.cell, b.cell) })
	}
	for _, gone := range frame.Gathered {
		f := &d.Food[rec.lying[gone.Cell]]
		f.End, f.Owner = frame.Turn, int32(gone.Owner)
		delete(rec.lying, gone.Cell)
	}
	for _, cell := range frame.NewFood {
		rec.appear(cell)
	}
	for _, raze := range frame.Razed {
		i := slices.IndexFunc(rec.state.Hills, func(h ants.Hill) bool { return h.Cell == raze.Cell })
		if !raze.Bonus {
			d.Hills[i].End = frame.Turn
			continue
		}
		d.Bonus[raze.By] += 2
		if !rec.state.Seats[raze.Owner].Out {
			d.Bonus[raze.Owner]--
		}
	}
	rec.histories()
	return nil
}

// moves is what each ant does by the orders: it stays where it has none, where
// its player is out, and where water or food refuses the move.
func (rec *ContestRecorder) moves(orders [][]byte, after *ants.State) [][]byte {
	m := rec.e.Map()
	all := make([][]byte, len(rec.living))
	for player, list := range rec.living {
		all[player] = make([]byte, len(list))
		for i, t := range list {
			a := ants.Stay
			if player < len(orders) && i < len(orders[player]) && !after.Seats[player].Out {
				a = orders[player][i]
			}
			to := m.Neighbour(t.cell, a)
			if _, food := slices.BinarySearch(rec.state.Food, to); m.Water[to] || food {
				a = ants.Stay
			}
			all[player][i] = a
		}
	}
	return all
}

// explains tells whether the moves lead to where ants live or died.
func (rec *ContestRecorder) explains(moves [][]byte, frame *ants.Frame) bool {
	var want, got []ants.Spot
	for player, list := range rec.living {
		for i, t := range list {
			want = append(want, ants.Spot{Cell: rec.e.Map().Neighbour(t.cell, moves[player][i]), Owner: uint8(player)})
		}
	}
	for _, spot := range frame.Ants {
		if !slices.Contains(frame.Spawned, spot) {
			got = append(got, spot)
		}
	}
	for _, d := range frame.Deaths {
		got = append(got, ants.Spot{Cell: d.Cell, Owner: d.Owner})
	}
	order := func(a, b ants.Spot) int { return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Owner, b.Owner)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	return slices.Equal(want, got)
}

// histories brings the histories up to the state, as the contest's engine
// does, and notes who left and who leads.
func (rec *ContestRecorder) histories() {
	d := &rec.c.Data
	scores := make([]int32, d.Players)
	for player, seat := range rec.state.Seats {
		scores[player] = seat.Score - d.Bonus[player]
		gone := rec.c.Status[player] != ""
		if !gone && len(rec.state.Ants[player]) == 0 {
			rec.c.Status[player], rec.c.PlayerTurns[player] = StatusEliminated, rec.state.Turn
			gone = true
		}
		d.ScoreHistory[player] = rec.extend(d.ScoreHistory[player], scores[player], gone)
		d.HiveHistory[player] = rec.extend(d.HiveHistory[player], seat.Hive, gone)
	}
	if rec.state.Turn > 0 {
		rec.leader.note(scores, int(rec.state.Turn))
	}
}

// extend adds the value after this turn. Of a player that is gone only changes
// are added, at the turn's place.
func (rec *ContestRecorder) extend(history []int32, v int32, gone bool) []int32 {
	if n := len(history); gone && n > 0 {
		if history[n-1] == v {
			return history
		}
		for len(history) < int(rec.state.Turn) {
			history = append(history, history[n-1])
		}
	}
	return append(history, v)
}

// note records the turn if ranks or winners changed.
func (l *rankings) note(scores []int32, turn int) {
	ranks, winners := contestRanks(scores), []int32(nil)
	for player, r := range ranks {
		if r == 0 {
			winners = append(winners, int32(player))
		}
	}
	if !slices.Equal(ranks, l.ranks) {
		l.ranks, l.rankingTurn = ranks, turn
	}
	if !slices.Equal(winners, l.winners) {
		l.winners, l.winningTurn = winners, turn
	}
}

// contestRanks counts for each player those with a higher score.
func contestRanks(scores []int32) []int32 {
	ranks := make([]int32, len(scores))
	for i, s := range scores {
		for _, other := range scores {
			if other > s {
				ranks[i]++
			}
		}
	}
	return ranks
}

// Finish ends the record with the engine's outcome and returns the valid
// replay, which the caller owns. Errors wrap ErrReplay: a game that is not over.
func (rec *ContestRecorder) Finish() (*Contest, error) {
	out := rec.e.Outcome()
	if !out.Done {
		return nil, badf("game_length", "the game is not over after %d turns", out.Steps)
	}
	c := rec.c
	d := &c.Data
	c.Turns, d.Cutoff = out.Steps, out.Reason
	c.Scores = slices.Clone(out.Scores)
	c.Ranks = contestRanks(out.Scores)
	rec.leader.note(c.Scores, c.Turns)
	for player, status := range c.Status {
		if status == "" {
			c.Status[player], c.PlayerTurns[player] = StatusSurvived, int32(c.Turns)
		}
	}
	end := int32(c.Turns) + 1
	for i := range d.Ants {
		d.Ants[i].Moves = string(rec.walked[i])
		if d.Ants[i].End == 0 {
			d.Ants[i].End = end
		}
	}
	for i := range d.Food {
		if d.Food[i].End == 0 {
			d.Food[i].End = end
		}
	}
	for i := range d.Hills {
		if d.Hills[i].End == 0 {
			d.Hills[i].End = end
		}
	}
	for _, f := range []struct {
		name  string
		value any
	}{
		{"winning_turn", rec.leader.winningTurn}, {"ranking_turn", rec.leader.rankingTurn},
		{"engine_seed", json.RawMessage(seed{value: rec.state.Gen.Seed}.append(nil))},
	} {
		if err := d.Extra.Set(f.name, f.value); err != nil {
			return nil, err
		}
	}
	return &c, c.Validate()
}
