package datasets

import (
	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/datasets/internal/pack"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// Orders of Ants are packed against each seat's ants and their masks.
var antsGame = game{
	rules: func(text string) (string, error) {
		r, err := ants.ParseRules(text)
		if err != nil {
			return "", err
		}
		return r.JSON(), r.Validate()
	},
	signature: func(rules string) string { return ants.Signature(mustRules(rules).Name) },
	maxSteps:  func(rules string) int { return mustRules(rules).MaxTurns },
	parseMap: func(data []byte) (env.Map, error) {
		m, err := ants.ParseMapJSON(data)
		if err != nil {
			return nil, err
		}
		return m, nil
	},
	arrays: []string{ants.FieldAntOffsets.Name, ants.FieldAntCells.Name, ants.FieldAntMask.Name},
	head:   ants.HeadAnt.Name,
	scribe: func(b *batch.Batch) scribe {
		boards := antsBoards{b: b, seats: b.Sizes()["S"]}
		s := &antsScribe{antsBoards: boards}
		for i := range b.Config().Boards {
			s.packers = append(s.packers, pack.NewEncoder(boards.grid(i)))
		}
		return s
	},
	oracle: func(b *batch.Batch) oracle {
		boards := antsBoards{b: b, seats: b.Sizes()["S"]}
		o := &antsOracle{antsBoards: boards}
		for i := range b.Config().Boards {
			o.packers = append(o.packers, pack.NewDecoder(boards.grid(i)))
		}
		return o
	},
}

// mustRules reads rules that antsGame.rules wrote.
func mustRules(text string) ants.Rules {
	r, err := ants.ParseRules(text)
	if err != nil {
		panic("datasets: canonical rules do not parse: " + err.Error())
	}
	return r
}

// antsBoards tells where the ants of a batch's boards are in its arrays.
type antsBoards struct {
	b     *batch.Batch
	seats int // on axis S
}

// grid is a board as the packer numbers its cells, and its seats.
func (a *antsBoards) grid(board int) (pack.Board, int) {
	c := a.b.Config()
	m := c.Maps[c.MapOf[board]]
	rows, cols := m.Size()
	return pack.Board{Rows: rows, Cols: cols, Stride: a.b.Sizes()["W"]}, m.Seats()
}

func (a *antsBoards) offsets() []int64 {
	return obs.View[int64](a.b.Array(ants.FieldAntOffsets.Name))
}

// of are a board's offsets: one a seat, and the end.
func (a *antsBoards) of(offsets []int64, board int) []int64 {
	return offsets[board*a.seats : (board+1)*a.seats+1]
}

type antsScribe struct {
	antsBoards
	packers []*pack.Encoder
	// Of the observation that the next step's orders answer.
	at    []int64
	cells []int32
	masks []byte
}

func (s *antsScribe) before() {
	s.at = append(s.at[:0], s.offsets()...)
	s.cells = append(s.cells[:0], obs.View[int32](s.b.Array(ants.FieldAntCells.Name))...)
	s.masks = append(s.masks[:0], s.b.Array(ants.FieldAntMask.Name).Data...)
}

func (s *antsScribe) begin(board int, policies []string) { s.packers[board].Reset(shares(policies)) }

func (s *antsScribe) note(board int, orders [][]byte) {
	at := s.of(s.at, board)
	for seat, given := range orders {
		from, to := at[seat], at[seat+1]
		s.packers[board].Add(seat, s.cells[from:to], s.masks[from*int64(ants.NumActions):to*int64(ants.NumActions)], given)
	}
}

func (s *antsScribe) finish(board int, dst []byte) []byte { return s.packers[board].Append(dst) }

type antsOracle struct {
	antsBoards
	packers []*pack.Decoder
}

func (o *antsOracle) begin(board int, policies []string, packed []byte) error {
	return o.packers[board].Reset(packed, shares(policies))
}

func (o *antsOracle) next(board int, acts []byte) error {
	at := o.of(o.offsets(), board)
	cells := obs.View[int32](o.b.Array(ants.FieldAntCells.Name))
	masks := o.b.Array(ants.FieldAntMask.Name).Data
	_, seats := o.grid(board)
	for seat := range seats {
		from, to := at[seat], at[seat+1]
		if err := o.packers[board].Read(seat, cells[from:to], masks[from*int64(ants.NumActions):to*int64(ants.NumActions)], acts[from:to]); err != nil {
			return err
		}
	}
	return nil
}

func (o *antsOracle) idle(board int, acts []byte) {
	at := o.of(o.offsets(), board)
	for i := at[0]; i < at[o.seats]; i++ {
		acts[i] = ants.Stay
	}
}

func (o *antsOracle) orders(board int, acts []byte) [][]byte {
	at := o.of(o.offsets(), board)
	_, seats := o.grid(board)
	orders := make([][]byte, seats)
	for seat := range orders {
		orders[seat] = append([]byte{}, acts[at[seat]:at[seat+1]]...)
	}
	return orders
}

func (o *antsOracle) size() int {
	offsets := o.offsets()
	return int(offsets[len(offsets)-1])
}

func (o *antsOracle) end(board int) error { return o.packers[board].End() }
