// Blocks of readers, which come and go at the same sizes, are used again: memory
// that is new to a process costs more than what is copied to it.

package abi

import "unsafe"

// maxPool bounds the bytes that a pool keeps.
const maxPool = 64 << 20

// poolFrom is the size from which blocks are kept.
const poolFrom = 64 << 10

// A pool keeps the blocks of a dataset's readers that nobody looks at any more.
// Its memory's lock guards it.
type pool struct {
	m      *Memory
	spare  []*block
	bytes  int
	closed bool
}

// take makes a block of at least n bytes, held once. What is in it is left over.
// It panics with noMemory.
func (p *pool) take(n int) (uint64, *block) {
	m := p.m
	if n < poolFrom {
		id, b := m.take(n)
		b.holds = 1
		return id, b
	}
	m.mu.Lock()
	best := -1
	for i, b := range p.spare {
		if b.size >= n && b.size <= 2*n && (best < 0 || b.size < p.spare[best].size) {
			best = i
		}
	}
	if best >= 0 {
		b := p.spare[best]
		p.spare = append(p.spare[:best], p.spare[best+1:]...)
		p.bytes -= b.size
		b.holds = 1
		id := m.add(b)
		m.mu.Unlock()
		return id, b
	}
	m.mu.Unlock()
	id, b := m.take(n + n/8) // the next ones may be somewhat larger
	b.holds, b.pool = 1, p
	return id, b
}

// keep takes a block that was dropped, false if there is no room. The caller has
// the lock.
func (p *pool) keep(b *block) bool {
	if p.closed || p.bytes+b.size > maxPool {
		return false
	}
	p.spare = append(p.spare, b)
	p.bytes += b.size
	return true
}

// close frees what is kept.
func (p *pool) close() {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	p.closed = true
	for _, b := range p.spare {
		p.m.heap.Free(b.raw)
	}
	p.spare, p.bytes = nil, 0
}

// copied is a held block with a copy of some bytes.
func (p *pool) copied(data []byte) (uint64, []byte) {
	id, b := p.take(len(data))
	mem := unsafe.Slice((*byte)(b.data), len(data))
	copy(mem, data)
	return id, mem
}

// Take fills datasets.Memory.
func (p *pool) Take(n int) []byte {
	_, b := p.take(n)
	return unsafe.Slice((*byte)(b.data), n)
}

// Drop fills datasets.Memory.
func (p *pool) Drop(mem []byte) { p.m.Release(p.m.id(unsafe.Pointer(unsafe.SliceData(mem)))) }

// hold fills datasets.Hold.
func (p *pool) hold(data, memory []byte) ([]byte, func()) {
	if memory != nil {
		id := p.m.id(unsafe.Pointer(unsafe.SliceData(memory)))
		p.m.Retain(id)
		return data, func() { p.m.Release(id) }
	}
	id, mem := p.copied(data)
	return mem, func() { p.m.Release(id) }
}
