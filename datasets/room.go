// Where rows that are played have their memory: it is used again, and need not
// be Go's.

package datasets

import (
	"slices"
	"sync"
	"unsafe"
)

// A Memory is where rows have their memory from. Its methods may be called at
// once.
type Memory interface {
	// Take gives n bytes or more that begin at a multiple of 64. Anything may be
	// in them.
	Take(n int) []byte
	// Drop takes back what Take gave.
	Drop(mem []byte)
}

// A room is the memory of some rows.
type room struct {
	columns []Column // with the memory as it is, whatever is in it
	rows    int      // that there is memory for, but for lists
	from    Memory   // nil: Go's
	mem     []byte   // of from
	free    int      // bytes of mem before those that no column has
	bytes   int      // while it is spare
}

// spareRooms are rooms in Go's memory that are used again, and how much rows
// take that were played before.
type spareRooms struct {
	mu     sync.Mutex
	rooms  []*room
	bytes  int
	longer []int // by column: of a list, the most entries of 16 rows
}

// maxSpare bounds the bytes of rooms that are kept to be used again.
const maxSpare = aheadBytes

// put takes the memory of rows back.
func (s *spareRooms) put(r *room) {
	if r.from != nil {
		r.from.Drop(r.mem)
		return
	}
	n := 0
	for i := range r.columns {
		n += cap(r.columns[i].Data) + 4*cap(r.columns[i].Offsets)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.rooms) > 0 && s.bytes+n > maxSpare { // the oldest fit least
		s.bytes -= s.rooms[0].bytes
		s.rooms = slices.Delete(s.rooms, 0, 1)
	}
	r.bytes = n
	s.rooms = append(s.rooms, r)
	s.bytes += n
}

// take is empty rows with memory for some n, in m or if that is nil in Go's
// memory.
func (l *layout) take(n int, m Memory) *Rows {
	if m != nil {
		return l.placed(n, m)
	}
	l.spare.mu.Lock()
	var r *room
	for i := len(l.spare.rooms) - 1; i >= 0 && r == nil; i-- {
		if l.spare.rooms[i].rows >= n {
			r = l.spare.rooms[i]
			l.spare.rooms = slices.Delete(l.spare.rooms, i, i+1)
			l.spare.bytes -= r.bytes
		}
	}
	l.spare.mu.Unlock()
	if r == nil {
		rows := l.room(n)
		rows.room = &room{columns: rows.Columns, rows: n}
		return rows
	}
	rows := &Rows{Columns: r.columns, layout: l, room: r}
	rows.Reset()
	return rows
}

// align is what places in a Memory begin at multiples of.
const align = 64

// placed is empty rows whose columns lie one after the other in memory of m. A
// list that grows longer than was foreseen moves to Go's memory.
func (l *layout) placed(n int, m Memory) *Rows {
	r := l.rows()
	l.spare.mu.Lock()
	if l.spare.longer == nil {
		l.spare.longer = make([]int, len(r.Columns))
	}
	sizes := make([]int, len(r.Columns))
	total, lists := 0, 0
	for i := range r.Columns {
		c := &r.Columns[i]
		sizes[i] = n * c.size
		if c.List {
			sizes[i] = n * c.size * max(32, (l.spare.longer[i]+15)/16*5/4)
			lists++
		}
		sizes[i] = (sizes[i] + align - 1) &^ (align - 1)
		total += sizes[i]
	}
	l.spare.mu.Unlock()
	// What is free is enough for the offsets of lists.
	mem := m.Take(total + lists*(4*(n+1)+align))
	at := 0
	for i := range r.Columns {
		r.Columns[i].Data = mem[at : at : at+sizes[i]]
		at += sizes[i]
	}
	r.room = &room{columns: r.Columns, rows: n, from: m, mem: mem, free: at}
	return r
}

// grew learns from rows that were played how long lists are.
func (l *layout) grew(r *Rows) {
	if r.room == nil || r.room.from == nil || r.n == 0 {
		return
	}
	l.spare.mu.Lock()
	defer l.spare.mu.Unlock()
	for i := range r.Columns {
		if c := &r.Columns[i]; c.List {
			l.spare.longer[i] = max(l.spare.longer[i], int(c.Offsets[r.n])*16/r.n)
		}
	}
}

// Memory is what a Memory gave for the rows, nil if none did, and how many of
// its bytes columns may lie in: whoever has the rows may use the rest.
func (r *Rows) Memory() (mem []byte, used int) {
	if r.room == nil || r.room.from == nil {
		return nil, 0
	}
	return r.room.mem, r.room.free
}

// within tells whether data lies in mem.
func within(data, mem []byte) bool {
	at, from := uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	return len(data) > 0 && at >= from && at < from+uintptr(len(mem))
}
