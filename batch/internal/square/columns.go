package square

import "slices"

// A column is one field of every board: what copies, remembers and measures
// boards goes over all of them.
type column interface {
	copyBoard(dst, src int)
	clone() column
	set(from column) // of the same length
	bytes() int      // of a board
}

// A columnOf has per values a board.
type columnOf[T any] struct {
	data []T
	per  int
	size int // bytes of a value
}

func (c columnOf[T]) copyBoard(dst, src int) {
	copy(c.data[dst*c.per:(dst+1)*c.per], c.data[src*c.per:(src+1)*c.per])
}

func (c columnOf[T]) clone() column   { return columnOf[T]{slices.Clone(c.data), c.per, c.size} }
func (c columnOf[T]) set(from column) { copy(c.data, from.(columnOf[T]).data) }
func (c columnOf[T]) bytes() int      { return c.per * c.size }

// columnsOf appends fields of the same kind.
func columnsOf[T any](dst []column, size, per int, fields ...[]T) []column {
	for _, f := range fields {
		dst = append(dst, columnOf[T]{f, per, size})
	}
	return dst
}

// columns lists every field that the future of a board depends on, and its
// statistics. The reward is not among them: it is of the last turn only.
func (e *Engine) columns() (all []column) {
	all = columnsOf(all, 8, e.stride, e.words)
	all = columnsOf(all, 2, e.pendingCap, e.pending)
	all = columnsOf(all, 2, e.maxSets, e.order)
	all = columnsOf(all, 4, 1, e.turn, e.holder, e.count, e.foodCount, e.rate, e.period, e.cursor, e.price, e.pendingLen)
	all = columnsOf(all, 8, 1, e.extra, e.rotation, e.ordered)
	all = columnsOf(all, 8, 1, e.seed)
	all = columnsOf(all, 8, 1, e.tie)
	all = columnsOf(all, 1, 1, e.ending)
	all = columnsOf(all, 1, 1, e.started)
	all = columnsOf(all, 4, e.p, e.ants, e.hive, e.score, e.razed, e.gathered, e.kills, e.losses)
	all = columnsOf(all, 4, e.p, e.returns)
	all = columnsOf(all, 1, e.p, e.out)
	all = columnsOf(all, 4, e.h, e.touched)
	all = columnsOf(all, 1, e.h, e.fallen)
	return all
}

// CopyBoard makes board dst the same as board src, which is on the same map.
func (e *Engine) CopyBoard(dst, src int) {
	for _, c := range e.all {
		c.copyBoard(dst, src)
	}
}

// Mark remembers every board as it is; Rewind goes back to it.
func (e *Engine) Mark() {
	if e.marked == nil {
		for _, c := range e.all {
			e.marked = append(e.marked, c.clone())
		}
		return
	}
	for i, c := range e.marked {
		c.set(e.all[i])
	}
}

// Rewind puts every board back to where Mark was called last. It panics before
// the first Mark.
func (e *Engine) Rewind() {
	for i, c := range e.all {
		c.set(e.marked[i])
	}
}

// BoardBytes is the memory of one board: its columns, who plays it, its map
// and the rewards of its last turn.
func (e *Engine) BoardBytes() int {
	n := e.p + 4 + 4*e.p
	for _, c := range e.all {
		n += c.bytes()
	}
	return n
}
