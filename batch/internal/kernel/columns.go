package kernel

import (
	"slices"
	"unsafe"
)

// Columns are the fields of every board: what copies, remembers and measures
// boards goes over all of them.
type Columns struct {
	list   []column
	marked []column // at Mark
}

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
}

// AddColumns adds fields that have per values a board.
func AddColumns[T any](c *Columns, per int, fields ...[]T) {
	for _, f := range fields {
		c.list = append(c.list, columnOf[T]{f, per})
	}
}

// Copy makes board dst the same as board src, which is on the same map.
func (c *Columns) Copy(dst, src int) {
	for _, f := range c.list {
		f.copyBoard(dst, src)
	}
}

// Mark remembers every board as it is; Rewind goes back to it.
func (c *Columns) Mark() {
	if c.marked == nil {
		for _, f := range c.list {
			c.marked = append(c.marked, f.clone())
		}
		return
	}
	for i, f := range c.marked {
		f.set(c.list[i])
	}
}

// Rewind puts every board back to where Mark was called last. It panics before
// the first Mark.
func (c *Columns) Rewind() {
	for i, f := range c.list {
		f.set(c.marked[i])
	}
}

// Bytes is the memory of one board.
func (c *Columns) Bytes() int {
	n := 0
	for _, f := range c.list {
		n += f.bytes()
	}
	return n
}

func (c columnOf[T]) copyBoard(dst, src int) {
	copy(c.data[dst*c.per:(dst+1)*c.per], c.data[src*c.per:(src+1)*c.per])
}

func (c columnOf[T]) clone() column   { return columnOf[T]{slices.Clone(c.data), c.per} }
func (c columnOf[T]) set(from column) { copy(c.data, from.(columnOf[T]).data) }

func (c columnOf[T]) bytes() int {
	var value T
	return c.per * int(unsafe.Sizeof(value))
}
