package datasets

import (
	"fmt"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/datasets/internal/pack"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// Orders of Formica are packed by themselves: one a colony and phase, or none.
var formicaGame = game{
	rules: func(text string) (string, error) {
		c, err := formica.ParseConfig(text)
		if err != nil {
			return "", err
		}
		return c.JSON(), c.Validate()
	},
	signature: func(rules string) string { return formica.Signature(mustConfig(rules).Name) },
	// A phase plays a tick at least.
	maxSteps: func(rules string) int { return mustConfig(rules).MaxTicks },
	reasons:  func(string) []string { return []string{formica.ReasonFinalTick} },
	parseMap: func(data []byte) (env.Map, error) {
		b, err := formica.ParseBoard(data)
		if err != nil {
			return nil, err
		}
		return b, nil
	},
	shown: []shown{{formica.FieldPlanes, false}, {formica.FieldScalars, false}, {formica.FieldModeMask, true}, {formica.FieldDefendMask, true}, {formica.FieldTargetMask, true}},
	count: func(orders [][]byte) int {
		n := 0
		for _, o := range orders {
			if len(o) > 0 {
				n++
			}
		}
		return n
	},
	points:  0.5,
	units:   formica.FieldPopulation.Name,
	actions: append(formica.ModeNames[:len(formica.ModeNames):len(formica.ModeNames)], "none"),
	tally: func(counts []int64, given []byte) {
		if len(given) == 0 {
			counts[formica.NumModes]++
			return
		}
		counts[given[0]]++
	},
	scribe: func(b *batch.Batch) scribe {
		s := &formicaScribe{formicaBoards: newFormicaBoards(b)}
		for i := range b.Config().Boards {
			s.packers = append(s.packers, pack.NewColonyEncoder(s.board(i).Players))
		}
		return s
	},
	oracle: func(b *batch.Batch) oracle {
		o := &formicaOracle{formicaBoards: newFormicaBoards(b), seats: len(b.Config().Observe)}
		for i := range b.Config().Boards {
			o.packers = append(o.packers, pack.NewColonyDecoder(o.board(i).Players))
			o.given = append(o.given, make([][]byte, o.board(i).Players))
		}
		o.bytes = make([]byte, b.Config().Boards*o.seats*formica.OrderBytes)
		return o
	},
}

// mustConfig reads rules that formicaGame.rules wrote.
func mustConfig(text string) formica.Config {
	c, err := formica.ParseConfig(text)
	if err != nil {
		panic("datasets: canonical rules do not parse: " + err.Error())
	}
	return c
}

type formicaBoards struct {
	b  *batch.Batch
	on []*formica.Board // by board of the batch
}

func newFormicaBoards(b *batch.Batch) formicaBoards {
	f := formicaBoards{b: b}
	c := b.Config()
	for _, m := range c.MapOf {
		f.on = append(f.on, c.Maps[m].(*formica.Board))
	}
	return f
}

func (f *formicaBoards) board(i int) *formica.Board { return f.on[i] }

type formicaScribe struct {
	formicaBoards
	packers []*pack.ColonyEncoder
}

func (s *formicaScribe) before() {}

func (s *formicaScribe) begin(board int, policies []string) { s.packers[board].Reset(shares(policies)) }

func (s *formicaScribe) note(board int, orders [][]byte) {
	b := s.board(board)
	for seat := range b.Players {
		var o formica.Order
		given := seat < len(orders) && len(orders[seat]) > 0
		if given {
			var err error
			if o, err = formica.DecodeOrder(orders[seat], b.Cells); err != nil {
				panic(fmt.Sprintf("datasets: board %d played a bad order of seat %d: %v", board, seat, err))
			}
		}
		s.packers[board].Add(seat, o, given)
	}
}

func (s *formicaScribe) finish(board int, dst []byte) []byte { return s.packers[board].Append(dst) }

type formicaOracle struct {
	formicaBoards
	packers []*pack.ColonyDecoder
	seats   int        // on axis S
	bytes   []byte     // of all boards, as the head of encoded orders
	given   [][][]byte // what orders gave, per board and seat
}

func (o *formicaOracle) begin(board int, policies []string, packed []byte) error {
	return o.packers[board].Reset(packed, shares(policies))
}

func (o *formicaOracle) room() {}

// entry is where a seat's order is in the head.
func (o *formicaOracle) entry(board, seat int) []byte {
	at := (board*o.seats + seat) * formica.OrderBytes
	return o.bytes[at : at+formica.OrderBytes : at+formica.OrderBytes]
}

func (o *formicaOracle) next(board int) error {
	b := o.board(board)
	for seat := range b.Players {
		order, given, err := o.packers[board].Read(seat)
		switch {
		case err != nil:
			return err
		case !given:
			o.entry(board, seat)[0] = formica.NoOrder
			continue
		case int(order.Target) >= b.Cells:
			return fmt.Errorf("%w: target cell %d of a board of %d", pack.ErrPacked, order.Target, b.Cells)
		}
		order.Append(o.entry(board, seat)[:0])
	}
	return nil
}

func (o *formicaOracle) idle(board int) {
	for seat := range o.seats {
		o.entry(board, seat)[0] = formica.NoOrder
	}
}

func (o *formicaOracle) give(board int, orders [][]byte) error {
	o.idle(board)
	for seat, given := range orders {
		if len(given) != 0 && len(given) != formica.OrderBytes {
			return fmt.Errorf("an order of seat %d has %d bytes, want %d", seat, len(given), formica.OrderBytes)
		}
		copy(o.entry(board, seat), given)
	}
	return nil
}

func (o *formicaOracle) count(board int) int {
	n := 0
	for seat := range o.board(board).Players {
		if o.entry(board, seat)[0] != formica.NoOrder {
			n++
		}
	}
	return n
}

func (o *formicaOracle) orders(board int) [][]byte {
	orders := o.given[board]
	for seat := range orders {
		orders[seat] = nil
		if e := o.entry(board, seat); e[0] != formica.NoOrder {
			orders[seat] = e
		}
	}
	return orders
}

func (o *formicaOracle) actions() batch.Actions {
	return batch.Actions{Head: formica.HeadBytes.Name, Uint8: o.bytes}
}

func (o *formicaOracle) end(board int) error { return o.packers[board].End() }
