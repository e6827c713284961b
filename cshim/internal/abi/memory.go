package abi

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/myriant-rl/myriant/env/obs"
)

// A Heap is where blocks have their memory from: C's, in the library.
type Heap interface {
	// Alloc returns n zeroed bytes, or nil when there are none.
	Alloc(n int) unsafe.Pointer
	// Free takes back what Alloc returned.
	Free(p unsafe.Pointer)
}

const (
	blockAlign = 64 // at least
	blockSlack = 64 // readable bytes after the end
)

// A Memory keeps the blocks that callers may look at. It is safe for
// concurrent use, and obs.Memory for batches.
type Memory struct {
	heap Heap

	mu     sync.Mutex
	next   uint64
	blocks map[uint64]*block
	at     map[unsafe.Pointer]uint64
	bytes  int64
}

// A block lives while a batch writes to it or a caller holds it.
type block struct {
	raw, data unsafe.Pointer
	size      int
	written   bool
	holds     int
	pool      *pool // that keeps it when nobody needs it any more
}

// NewMemory is a memory of a heap's.
func NewMemory(heap Heap) *Memory {
	return &Memory{heap: heap, next: 1, blocks: map[uint64]*block{}, at: map[unsafe.Pointer]uint64{}}
}

// noMemory is what an allocation that fails panics with.
type noMemory int

func (n noMemory) Error() string { return fmt.Sprintf("no memory for %d bytes", int(n)) }

// take makes a block of n bytes. Large ones begin at a large page and ask the
// system for such pages, as obs.Bytes does. It panics with noMemory.
func (m *Memory) take(n int) (uint64, *block) {
	const most = 1 << 47
	if n > most {
		panic(noMemory(n))
	}
	align := obs.Align(n)
	raw := m.heap.Alloc(n + align + blockSlack)
	if raw == nil {
		panic(noMemory(n))
	}
	pad := -int(uintptr(raw)) & (align - 1)
	b := &block{raw: raw, data: unsafe.Add(raw, pad), size: n}
	obs.Advise(unsafe.Slice((*byte)(b.data), n))
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.add(b), b
}

// add gives a block a number. The caller has the lock.
func (m *Memory) add(b *block) uint64 {
	id := m.next
	m.next++
	m.blocks[id], m.at[b.data] = b, id
	m.bytes += int64(b.size)
	return id
}

// drop frees a block that nobody needs any more, unless its pool keeps it. The
// caller has the lock.
func (m *Memory) drop(id uint64, b *block) {
	if b.written || b.holds > 0 {
		return
	}
	delete(m.blocks, id)
	delete(m.at, b.data)
	m.bytes -= int64(b.size)
	if b.pool == nil || !b.pool.keep(b) {
		m.heap.Free(b.raw)
	}
}

// Alloc is obs.Memory's.
func (m *Memory) Alloc(n int) []byte {
	_, b := m.take(n)
	b.written = true
	return unsafe.Slice((*byte)(b.data), n)
}

// Free is obs.Memory's.
func (m *Memory) Free(mem []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := m.at[unsafe.Pointer(unsafe.SliceData(mem))]
	b := m.blocks[id]
	if b == nil || !b.written {
		panic("abi: freed what no batch writes to")
	}
	b.written = false
	m.drop(id, b)
}

// id is the block whose memory begins at data.
func (m *Memory) id(data unsafe.Pointer) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at[data]
}

// Retain adds a hold.
func (m *Memory) Retain(id uint64) Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.blocks[id]
	if b == nil {
		return ErrHandle
	}
	b.holds++
	return OK
}

// Release takes a hold away.
func (m *Memory) Release(id uint64) Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.blocks[id]
	if b == nil || b.holds == 0 {
		return ErrHandle
	}
	b.holds--
	m.drop(id, b)
	return OK
}

// Live counts the blocks and their bytes.
func (m *Memory) Live() (blocks int, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.blocks), m.bytes
}

// copied is a held block with a copy of some bytes.
func (m *Memory) copied(data []byte) (uint64, []byte) {
	id, b := m.take(len(data))
	b.holds = 1
	mem := unsafe.Slice((*byte)(b.data), len(data))
	copy(mem, data)
	return id, mem
}

// Bytes are bytes for the caller; the structure of the header.
type Bytes struct {
	Data   unsafe.Pointer
	Length int64
	Block  uint64
}

// give is a held block with a copy of some bytes, for the caller.
func (m *Memory) give(data []byte) Bytes {
	id, mem := m.copied(data)
	return Bytes{unsafe.Pointer(unsafe.SliceData(mem)), int64(len(mem)), id}
}
