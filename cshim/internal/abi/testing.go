//go:build myriant_testing

// What only the library under test can do.

package abi

// Explode makes the library panic: at once if board is negative, else on the
// worker that plays the board's next step.
func (l *Library) Explode(id uint64, board int64) Status {
	return l.call(id, func(h *handle) error {
		if board < 0 {
			panic("a bug on purpose")
		}
		h.b.Record(explosive(board))
		return nil
	})
}

type explosive int

func (e explosive) Orders(board int, _ [][]byte) {
	if board == int(e) {
		panic("a bug on purpose")
	}
}
