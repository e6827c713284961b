package abi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/myriant-rl/myriant/env"
)

func (l *tester) hash(id uint64, board int64) uint64 {
	l.t.Helper()
	var h uint64
	l.ok(id, l.Hash(id, &board, 1, &h))
	return h
}

func (l *tester) snapshot(id uint64, boards ...int64) []byte {
	l.t.Helper()
	return l.bytes(id, func(out *Bytes) Status { return l.Snapshot(id, first(boards), int64(len(boards)), out) })
}

// TestSnapshots: restored and cloned boards play on as the originals, in this
// batch and in another.
func TestSnapshots(t *testing.T) {
	l := newTester(t)
	id, other := l.create(native("")), l.create(native(`,"autoreset":"same_step"`))
	l.ok(id, l.Reset(id, 1))
	l.ok(other, l.Reset(other, 2))
	l.ok(id, l.Step(id, nil, nil, false))
	saved := l.snapshot(id, 2, 0)
	to := []int64{0, 3}
	l.ok(other, l.Restore(other, first(to), 2, first(saved), int64(len(saved))))
	l.ok(id, l.Clone(id, first([]int64{1, 3}), first([]int64{2, 2}), 2))
	for step := range 2 {
		want := l.hash(id, 2)
		for _, at := range []struct {
			id    uint64
			board int64
			want  uint64
		}{{id, 1, want}, {id, 3, want}, {other, 0, want}, {other, 3, l.hash(id, 0)}} {
			if got := l.hash(at.id, at.board); got != at.want {
				t.Errorf("step %d: board %d of %d has hash %x, want %x", step, at.board, at.id, got, at.want)
			}
		}
		l.ok(id, l.Step(id, nil, nil, false))
		l.ok(other, l.Step(other, nil, nil, false))
	}
	empty := l.snapshot(id)
	l.ok(id, l.Restore(id, nil, 0, first(empty), int64(len(empty))))
	l.ok(id, l.Clone(id, nil, nil, 0))

	before := l.hash(id, 0)
	zero := []int64{0, 0}
	for _, c := range []struct {
		what string
		got  Status
		want Status
		part string
	}{
		{"a snapshot cut short", l.Restore(id, first(to), 2, first(saved), int64(len(saved)-1)), ErrState, "ends inside"},
		{"a snapshot of 2 boards for 1", l.Restore(id, first(to), 1, first(saved), int64(len(saved))), ErrState, "2 boards, want 1"},
		{"no bytes", l.Restore(id, first(to), 2, nil, 0), ErrState, "no snapshot header"},
		{"bytes at null", l.Restore(id, first(to), 2, nil, 5), ErrArgument, "a snapshot: 5 at"},
		{"-1 bytes", l.Restore(id, first(to), 2, first(saved), -1), ErrArgument, "-1 at"},
		{"board 4 of 4", l.Restore(id, first([]int64{4}), 1, first(saved), int64(len(saved))), ErrArgument, "board 4 of 4"},
		{"board -1", l.Snapshot(id, first([]int64{-1}), 1, &Bytes{}), ErrArgument, "board -1 of 4"},
		{"boards at null", l.Snapshot(id, nil, 1, &Bytes{}), ErrArgument, "boards: 1 at"},
		{"more boards than there are", l.Snapshot(id, first(zero), math.MaxInt64, &Bytes{}), ErrArgument, "at"},
		{"more bytes than there are", l.Restore(id, first(to), 2, first(saved), math.MaxInt64), ErrArgument, "at"},
		{"-1 boards", l.Snapshot(id, first(zero), -1, &Bytes{}), ErrArgument, "-1 at"},
		{"nowhere", l.Snapshot(id, first(zero), 1, nil), ErrArgument, "out is null"},
		{"clone onto board 9", l.Clone(id, first([]int64{9}), first(zero), 1), ErrArgument, "board 9 of 4"},
		{"clone of board 9", l.Clone(id, first(zero), first([]int64{9}), 1), ErrArgument, "board 9 of 4"},
		{"hash of board 9", l.Hash(id, first([]int64{9}), 1, new(uint64)), ErrArgument, "board 9 of 4"},
		{"hash to null", l.Hash(id, first(zero), 2, nil), ErrArgument, "out: 2 at"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	l.fails("the reason", id, l.Restore(id, first(to), 2, first(saved), int64(len(saved)-1)), ErrState, "ends inside")
	if l.hash(id, 0) != before {
		t.Error("a refused call changed a board")
	}
	small := l.create(`{"boards":1,"maps":["small-3p"],"rules":{"name":"ladder","max_turns":3},"policies":[["greedy","random","random"]]}`)
	l.ok(small, l.Reset(small, 1))
	l.fails("another map", small, l.Restore(small, first(zero), 1, first(l.snapshot(id, 0)), int64(len(l.snapshot(id, 0)))), ErrState, "another map")
}

// TestLook: state, view and outcome are the batch's.
func TestLook(t *testing.T) {
	for name, config := range stepConfigs() {
		l := newTester(t)
		id, b := l.create(config), twin(t, config)
		l.ok(id, l.Reset(id, 7))
		if err := b.Reset(7); err != nil {
			t.Fatal(err)
		}
		rng := env.RNG(2)
		for range 3 {
			a, direct := choices(b, 0, &rng)
			l.ok(id, l.Step(id, a, nil, false))
			if err := b.Step(direct); err != nil {
				t.Fatal(err)
			}
		}
		for board := range b.Config().Boards {
			e := b.Board(board)
			if got := l.bytes(id, func(out *Bytes) Status { return l.State(id, int64(board), out) }); !bytes.Equal(got, e.AppendState(nil)) {
				t.Errorf("%s: another state of board %d", name, board)
			}
			for seat := range e.Seats() {
				if got := l.bytes(id, func(out *Bytes) Status { return l.View(id, int64(board), int64(seat), out) }); !bytes.Equal(got, e.AppendView(nil, seat)) {
					t.Errorf("%s: another view of board %d, seat %d: %s", name, board, seat, got)
				}
			}
			var got outcomeJSON
			if err := json.Unmarshal(l.bytes(id, func(out *Bytes) Status { return l.Outcome(id, int64(board), out) }), &got); err != nil {
				t.Fatal(err)
			}
			if want := e.Outcome(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: outcome %v, want %v", name, got, want)
			}
			if got, want := l.hash(id, int64(board)), b.Hash(board); got != want {
				t.Errorf("%s: hash %x, want %x", name, got, want)
			}
			l.fails("no seat", id, l.View(id, int64(board), int64(e.Seats()), &Bytes{}), ErrArgument, "seat")
			l.fails("no seat", id, l.View(id, int64(board), -1, &Bytes{}), ErrArgument, "seat -1")
		}
		for _, call := range []func(board int64, out *Bytes) Status{
			func(board int64, out *Bytes) Status { return l.State(id, board, out) },
			func(board int64, out *Bytes) Status { return l.View(id, board, 0, out) },
			func(board int64, out *Bytes) Status { return l.Outcome(id, board, out) },
		} {
			l.fails("no board", id, call(-1, &Bytes{}), ErrArgument, "board -1")
			l.fails("no board", id, call(1<<40, &Bytes{}), ErrArgument, "board 1099511627776")
			l.fails("nowhere", id, call(0, nil), ErrArgument, "out is null")
		}
	}
}

// spans are orders as the interface takes them.
func spans(orders [][]byte, seats int) []Span {
	list := make([]Span, seats)
	for s := range min(len(orders), seats) {
		if len(orders[s]) > 0 {
			list[s] = Span{unsafe.Pointer(&orders[s][0]), int64(len(orders[s]))}
		}
	}
	return list
}

// TestStepBoard: one board steps, the others stay, and observations follow.
func TestStepBoard(t *testing.T) {
	l := newTester(t)
	id := l.create(small)
	l.ok(id, l.Reset(id, 1))
	table := l.table(id)
	offsets := numbers[int64](find(t, table, "ant_offsets", false))
	orders := [][]byte{make([]byte, offsets[3]-offsets[2]), nil} // all of seat 0 go north, seat 1 stays
	from := slices.Clone(numbers[int32](find(t, table, "ant_cells", false)))
	before := []uint64{l.hash(id, 0), l.hash(id, 1), l.hash(id, 2)}
	l.ok(id, l.StepBoard(id, 1, first(spans(orders, 2)), 2))
	if l.hash(id, 0) != before[0] || l.hash(id, 1) == before[1] || l.hash(id, 2) != before[2] {
		t.Error("other boards stepped, or this one did not")
	}
	now := numbers[int32](find(t, l.table(id), "ant_cells", false))
	if want := (from[offsets[2]] - 24 + 24*24) % (24 * 24); !slices.Contains(now, want) {
		t.Errorf("ants were at %v and are at %v, none at %d", from, now, want)
	}
	state := l.bytes(id, func(out *Bytes) Status { return l.State(id, 1, out) })
	l.ok(id, l.SetState(id, 0, first(state), int64(len(state))))
	if l.hash(id, 0) != l.hash(id, 1) {
		t.Error("the state was not set")
	}
	orders[0][0] = 77
	hash := l.hash(id, 1)
	l.fails("order 77", id, l.StepBoard(id, 1, first(spans(orders, 2)), 2), ErrOrders, "77")
	l.fails("orders of 3 seats", id, l.StepBoard(id, 1, first(make([]Span, 3)), 3), ErrArgument, "3 seats, want 2")
	l.fails("orders at null", id, l.StepBoard(id, 1, nil, 2), ErrArgument, "orders: 2 at")
	l.fails("a seat's orders at null", id, l.StepBoard(id, 1, first([]Span{{nil, 1}, {}}), 2), ErrArgument, "orders of a seat")
	l.fails("board 3", id, l.StepBoard(id, 3, first(make([]Span, 2)), 2), ErrArgument, "board 3 of 3")
	l.fails("half a state", id, l.SetState(id, 1, first(state), int64(len(state)/2)), ErrState, "")
	l.fails("a state at null", id, l.SetState(id, 1, nil, 3), ErrArgument, "a state: 3 at")
	if l.hash(id, 1) != hash {
		t.Error("a refused call changed the board")
	}
}

// TestResetMaskErrors: masks that are none.
func TestResetMaskErrors(t *testing.T) {
	l := newTester(t)
	id := l.create(small)
	l.ok(id, l.Reset(id, 1))
	l.fails("2 boards of 3", id, l.ResetMask(id, first([]byte{1, 1}), 2, nil, 0), ErrArgument, "2 boards")
	l.fails("no boards", id, l.ResetMask(id, nil, 0, nil, 0), ErrArgument, "0 boards")
	l.fails("a mask at null", id, l.ResetMask(id, nil, 3, nil, 0), ErrArgument, "3 boards")
	l.fails("kind 2", id, l.ResetMask(id, first([]byte{1, 1, 1}), 3, nil, 2), ErrArgument, "kind 2")
	hash := l.hash(id, 1)
	l.ok(id, l.ResetMask(id, first([]byte{0, 0, 0}), 3, first([]uint64{1, 2, 3}), SeedsEpisode))
	l.ok(id, l.ResetMask(id, first([]byte{1, 0, 1}), 3, first([]uint64{1, 2, 3}), SeedsEpisode))
	if l.hash(id, 1) != hash {
		t.Error("a board outside the mask was reset")
	}
}
