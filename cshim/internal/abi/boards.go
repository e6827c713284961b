package abi

import (
	"unsafe"

	"github.com/myriant-rl/myriant/env"
)

// A Span is a run of bytes of the caller; the structure of the header.
type Span struct {
	Data   unsafe.Pointer
	Length int64
}

// list is a list of n numbers of the caller.
func list[T any](what string, p *T, n int64) ([]T, error) {
	if n < 0 || n > MaxBytes/int64(unsafe.Sizeof(*p)) || p == nil && n > 0 {
		return nil, argument("%s: %d at %p", what, n, p)
	}
	if n == 0 {
		return nil, nil
	}
	return unsafe.Slice(p, n), nil
}

// boards are the numbers of boards.
func (h *handle) boards(what string, p *int64, n int64) ([]int, error) {
	given, err := list(what, p, n)
	if err != nil {
		return nil, err
	}
	boards := make([]int, len(given))
	for i, b := range given {
		if boards[i], err = h.board(b); err != nil {
			return nil, err
		}
	}
	return boards, nil
}

func (h *handle) board(b int64) (int, error) {
	if b < 0 || b >= int64(h.config.Boards) {
		return 0, argument("board %d of %d", b, h.config.Boards)
	}
	return int(b), nil
}

// engine is one board of a batch that was reset.
func (h *handle) engine(board int64) (env.Engine, int, error) {
	b, err := h.board(board)
	if err != nil {
		return nil, 0, err
	}
	if err := h.b.Ready(); err != nil {
		return nil, 0, err
	}
	return h.b.Board(b), b, nil
}

// Reset starts episode 0 of every board.
func (l *Library) Reset(id, seed uint64) Status {
	return l.call(id, func(h *handle) error {
		defer h.begun()
		return h.b.Reset(seed)
	})
}

// ResetMask starts a new episode on some boards.
func (l *Library) ResetMask(id uint64, mask *byte, n int64, seeds *uint64, kind int32) Status {
	return l.call(id, func(h *handle) error {
		if n != int64(h.config.Boards) || mask == nil {
			return argument("a mask of %d boards at %p, want %d", n, mask, h.config.Boards)
		}
		if kind != SeedsStream && kind != SeedsEpisode {
			return argument("kind %d of seeds", kind)
		}
		boards := []int{}
		var given []uint64
		for b, m := range unsafe.Slice(mask, n) {
			if m == 0 {
				continue
			}
			boards = append(boards, b)
			if seeds != nil {
				given = append(given, unsafe.Slice(seeds, n)[b])
			}
		}
		defer h.begun()
		switch {
		case seeds != nil && kind == SeedsStream:
			return h.b.ResetStreams(boards, given)
		case seeds != nil && given == nil:
			given = []uint64{}
		}
		return h.b.ResetBoards(boards, given)
	})
}

// StepBoard plays one step of one board alone.
func (l *Library) StepBoard(id uint64, board int64, orders *Span, seats int64) Status {
	return l.call(id, func(h *handle) error {
		e, b, err := h.engine(board)
		if err != nil {
			return err
		}
		if seats != int64(e.Seats()) {
			return argument("orders of %d seats, want %d", seats, e.Seats())
		}
		spans, err := list("orders", orders, seats)
		if err != nil {
			return err
		}
		given := make([][]byte, len(spans))
		for s, o := range spans {
			if given[s], err = list("orders of a seat", (*byte)(o.Data), o.Length); err != nil {
				return err
			}
		}
		if err := e.Step(given); err != nil {
			return err
		}
		h.changed(b)
		h.b.Refresh()
		return nil
	})
}

// Snapshot gives boards as bytes.
func (l *Library) Snapshot(id uint64, boards *int64, n int64, out *Bytes) Status {
	return l.tell(id, out, func(h *handle) ([]byte, error) {
		which, err := h.boards("boards", boards, n)
		if err != nil {
			return nil, err
		}
		return h.b.Snapshot(which)
	})
}

// tell runs a call that gives bytes.
func (l *Library) tell(id uint64, out *Bytes, f func(h *handle) ([]byte, error)) Status {
	return l.call(id, func(h *handle) error {
		if out == nil {
			return argument("out is null")
		}
		data, err := f(h)
		if err != nil {
			return err
		}
		*out = l.Memory.give(data)
		return nil
	})
}

// HandleSpec tells about a batch.
func (l *Library) HandleSpec(id uint64, out *Bytes) Status {
	h, status := l.find(id)
	if status != OK {
		return status
	}
	status, _ = guarded(func() error {
		if out == nil {
			return argument("out is null")
		}
		*out = l.Memory.give(h.spec)
		return nil
	})
	return status
}

// Restore puts the boards of a snapshot in place of others.
func (l *Library) Restore(id uint64, boards *int64, n int64, data *byte, length int64) Status {
	return l.call(id, func(h *handle) error {
		which, err := h.boards("boards", boards, n)
		if err != nil {
			return err
		}
		bytes, err := list("a snapshot", data, length)
		if err != nil {
			return err
		}
		if err := h.b.Restore(which, bytes); err != nil {
			return err
		}
		h.changed(which...)
		return nil
	})
}

// Clone makes boards the same as others.
func (l *Library) Clone(id uint64, to, from *int64, n int64) Status {
	return l.call(id, func(h *handle) error {
		dst, err := h.boards("to", to, n)
		if err != nil {
			return err
		}
		src, err := h.boards("from", from, n)
		if err != nil {
			return err
		}
		if err := h.b.Clone(dst, src); err != nil {
			return err
		}
		h.changed(dst...)
		return nil
	})
}

// Hash tells the hashes of boards' states.
func (l *Library) Hash(id uint64, boards *int64, n int64, out *uint64) Status {
	return l.call(id, func(h *handle) error {
		which, err := h.boards("boards", boards, n)
		if err != nil {
			return err
		}
		hashes, err := list("out", out, n)
		if err != nil {
			return err
		}
		if err := h.b.Ready(); err != nil {
			return err
		}
		for i, b := range which {
			hashes[i] = h.b.Hash(b)
		}
		return nil
	})
}

// State gives a board's canonical state.
func (l *Library) State(id uint64, board int64, out *Bytes) Status {
	return l.tell(id, out, func(h *handle) ([]byte, error) {
		e, _, err := h.engine(board)
		if err != nil {
			return nil, err
		}
		return e.AppendState(nil), nil
	})
}

// SetState replaces a board's state.
func (l *Library) SetState(id uint64, board int64, data *byte, length int64) Status {
	return l.call(id, func(h *handle) error {
		e, b, err := h.engine(board)
		if err != nil {
			return err
		}
		state, err := list("a state", data, length)
		if err != nil {
			return err
		}
		if err := e.SetState(state); err != nil {
			return err
		}
		h.changed(b)
		h.b.Refresh()
		return nil
	})
}

// View tells what a seat may know.
func (l *Library) View(id uint64, board, seat int64, out *Bytes) Status {
	return l.tell(id, out, func(h *handle) ([]byte, error) {
		e, _, err := h.engine(board)
		if err != nil {
			return nil, err
		}
		if seat < 0 || seat >= int64(e.Seats()) {
			return nil, argument("seat %d of %d", seat, e.Seats())
		}
		return e.AppendView(nil, int(seat)), nil
	})
}

// outcomeJSON is the form of an outcome.
type outcomeJSON struct {
	Done      bool    `json:"done"`
	Truncated bool    `json:"truncated"`
	Reason    string  `json:"reason"`
	Steps     int     `json:"steps"`
	Scores    []int32 `json:"scores"`
	Ranks     []int32 `json:"ranks"`
}

// Outcome tells how a board stands.
func (l *Library) Outcome(id uint64, board int64, out *Bytes) Status {
	return l.tell(id, out, func(h *handle) ([]byte, error) {
		e, _, err := h.engine(board)
		if err != nil {
			return nil, err
		}
		return encode(outcomeJSON(e.Outcome())), nil
	})
}
