package datasets

import (
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/datasets/internal/pack"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// Orders of Ants are packed against each seat's ants, their masks and what the
// seat sees.
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
	reasons: func(rules string) (names []string) {
		for _, e := range mustRules(rules).Endings {
			names = append(names, e.Reason)
		}
		return names
	},
	parseMap: func(data []byte) (env.Map, error) {
		m, err := ants.ParseMapJSON(data)
		if err != nil {
			return nil, err
		}
		return m, nil
	},
	arrays:  []string{ants.FieldAntOffsets.Name, ants.FieldAntCells.Name, ants.FieldAntMask.Name, ants.FieldPlanesPacked.Name},
	shown:   []shown{{ants.FieldPlanesPacked, false}, {ants.FieldAntCells, false}, {ants.FieldAntMask, true}},
	offsets: ants.FieldAntOffsets.Name,
	count: func(orders [][]byte) int {
		n := 0
		for _, o := range orders {
			n += len(o)
		}
		return n
	},
	points:  1,
	units:   ants.FieldAntCount.Name,
	actions: []string{"north", "east", "south", "west", "stay"},
	tally: func(counts []int64, given []byte) {
		for _, a := range given {
			counts[a]++
		}
	},
	scribe: func(b *batch.Batch) scribe {
		s := &antsScribe{antsBoards: newAntsBoards(b)}
		for i := range b.Config().Boards {
			s.packers = append(s.packers, pack.NewEncoder(s.grid(i)))
		}
		return s
	},
	oracle: func(b *batch.Batch) oracle {
		o := &antsOracle{antsBoards: newAntsBoards(b)}
		for i := range b.Config().Boards {
			o.packers = append(o.packers, pack.NewDecoder(o.grid(i)))
			o.given = append(o.given, make([][]byte, o.on[i]))
		}
		o.sights = make([]pack.Sight, len(o.packers)) // one a board, for next
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

// antsBoards tells what the seats of a batch's boards see, in its arrays.
type antsBoards struct {
	b     *batch.Batch
	seats int   // on axis S
	on    []int // by board: its seats
	// The batch's arrays, whose data is another after every step.
	listed, cells, masks, planes *obs.Array
	// Of the planes array: bytes of a row, of a plane and of a seat, and the
	// planes that count.
	row, plane, seat              int
	visible, water, food, targets int
}

func newAntsBoards(b *batch.Batch) antsBoards {
	dims := b.Array(ants.FieldPlanesPacked.Name).Dims
	a := antsBoards{b: b, seats: dims[1], row: dims[4], plane: dims[3] * dims[4], seat: dims[2] * dims[3] * dims[4]}
	a.listed, a.cells = b.Array(ants.FieldAntOffsets.Name), b.Array(ants.FieldAntCells.Name)
	a.masks, a.planes = b.Array(ants.FieldAntMask.Name), b.Array(ants.FieldPlanesPacked.Name)
	for i := range b.Config().Boards {
		_, seats := a.grid(i)
		a.on = append(a.on, seats)
	}
	for i, p := range ants.Planes(ants.MinSeats, false, false) {
		switch p.Name {
		case "visible":
			a.visible = i
		case "known_water":
			a.water = i
		case "food":
			a.food = i
		case "enemy_hills":
			a.targets = i
		}
	}
	return a
}

// grid is a board as the packer numbers its cells, and its seats.
func (a *antsBoards) grid(board int) (pack.Board, int) {
	c := a.b.Config()
	m := c.Maps[c.MapOf[board]]
	rows, cols := m.Size()
	return pack.Board{Rows: rows, Cols: cols, Stride: a.b.Sizes()["W"]}, m.Seats()
}

func (a *antsBoards) offsets() []int64 {
	return obs.View[int64](a.listed)
}

// of are a board's offsets: one a seat, and the end.
func (a *antsBoards) of(offsets []int64, board int) []int64 {
	return offsets[board*a.seats : (board+1)*a.seats+1]
}

// An antsView is what all seats see: arrays of the batch, or copies.
type antsView struct {
	offsets []int64
	cells   []int32
	masks   []byte
	planes  []byte
}

func (a *antsBoards) view() antsView {
	return antsView{a.offsets(), obs.View[int32](a.cells), a.masks.Data, a.planes.Data}
}

// one is a seat's part of a view.
func (a *antsBoards) one(v *antsView, board, seat int) (cells []int32, masks []byte, sight pack.Sight) {
	at := a.of(v.offsets, board)
	from, to := at[seat], at[seat+1]
	planes := v.planes[(board*a.seats+seat)*a.seat:]
	plane := func(i int) []byte { return planes[i*a.plane : (i+1)*a.plane] }
	return v.cells[from:to], v.masks[from*int64(ants.NumActions) : to*int64(ants.NumActions)],
		pack.Sight{Stride: a.row, Visible: plane(a.visible), Walls: plane(a.water), Items: plane(a.food), Targets: plane(a.targets)}
}

type antsScribe struct {
	antsBoards
	packers []*pack.Encoder
	seen    antsView // what the next step's orders answer, copied
}

func (s *antsScribe) before() {
	v := s.view()
	s.seen.offsets = append(s.seen.offsets[:0], v.offsets...)
	s.seen.cells = append(s.seen.cells[:0], v.cells...)
	s.seen.masks = append(s.seen.masks[:0], v.masks...)
	s.seen.planes = append(s.seen.planes[:0], v.planes...)
}

func (s *antsScribe) begin(board int, policies []string) { s.packers[board].Reset(shares(policies)) }

func (s *antsScribe) note(board int, orders [][]byte) {
	for seat, given := range orders {
		cells, masks, sight := s.one(&s.seen, board, seat)
		s.packers[board].Add(seat, cells, masks, &sight, given)
	}
}

func (s *antsScribe) finish(board int, dst []byte) []byte { return s.packers[board].Append(dst) }

type antsOracle struct {
	antsBoards
	packers []*pack.Decoder
	acts    []byte     // of all boards, as the head of an action for each ant
	given   [][][]byte // what orders gave, per board and seat
	sights  []pack.Sight
}

func (o *antsOracle) begin(board int, policies []string, packed []byte) error {
	return o.packers[board].Reset(packed, shares(policies))
}

func (o *antsOracle) room() {
	offsets := o.offsets()
	n := int(offsets[len(offsets)-1])
	o.acts = slices.Grow(o.acts[:0], n)[:n]
}

func (o *antsOracle) next(board int) error {
	view := o.view()
	at := o.of(view.offsets, board)
	for seat := range o.on[board] {
		cells, masks, sight := o.one(&view, board, seat)
		o.sights[board] = sight
		if err := o.packers[board].Read(seat, cells, masks, &o.sights[board], o.acts[at[seat]:at[seat+1]]); err != nil {
			return err
		}
	}
	return nil
}

func (o *antsOracle) idle(board int) {
	at := o.of(o.offsets(), board)
	for i := at[0]; i < at[o.seats]; i++ {
		o.acts[i] = ants.Stay
	}
}

func (o *antsOracle) give(board int, orders [][]byte) error {
	at := o.of(o.offsets(), board)
	for seat, given := range orders {
		if n := int(at[seat+1] - at[seat]); len(given) != n {
			return fmt.Errorf("%d orders of seat %d for %d ants", len(given), seat, n)
		}
		copy(o.acts[at[seat]:at[seat+1]], given)
	}
	return nil
}

func (o *antsOracle) count(board int) int {
	at := o.of(o.offsets(), board)
	return int(at[o.seats] - at[0])
}

func (o *antsOracle) orders(board int) [][]byte {
	at := o.of(o.offsets(), board)
	orders := o.given[board]
	for seat := range orders {
		orders[seat] = o.acts[at[seat]:at[seat+1]:at[seat+1]]
	}
	return orders
}

func (o *antsOracle) actions() batch.Actions {
	return batch.Actions{Head: ants.HeadAnt.Name, Uint8: o.acts}
}

func (o *antsOracle) end(board int) error { return o.packers[board].End() }
