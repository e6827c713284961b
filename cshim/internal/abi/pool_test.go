package abi

import "testing"

// TestPool: blocks are used again while the pool is open, up to a bound, and
// whoever holds one keeps it.
func TestPool(t *testing.T) {
	l := newTester(t)
	p := &pool{m: l.Memory}
	id, b := p.take(1 << 20)
	first := b.data
	other, c := p.take(1 << 20)
	if c.data == first {
		t.Fatal("one block was given twice")
	}
	l.is("release", l.Memory.Release(id), OK)
	l.is("again", l.Memory.Release(id), ErrHandle)
	if again, b := p.take(1<<20 - 100); b.data != first || again == id {
		t.Errorf("block %d at %p, want another number for %p", again, b.data, first)
	} else {
		l.is("retain", l.Memory.Retain(again), OK)
		l.is("release", l.Memory.Release(again), OK)
		if p.bytes != 0 {
			t.Error("a block that is held was kept")
		}
		l.is("release", l.Memory.Release(again), OK)
	}
	if blocks, bytes := l.Memory.Live(); blocks != 1 || bytes != int64(c.size) {
		t.Errorf("%d blocks of %d bytes are alive", blocks, bytes)
	}
	if small, b := p.take(100); b.pool != nil {
		t.Error("a small block is kept")
	} else {
		l.is("release", l.Memory.Release(small), OK)
	}
	var ids []uint64
	for range 12 {
		id, _ := p.take(10 << 20)
		ids = append(ids, id)
	}
	for _, id := range ids {
		l.is("release", l.Memory.Release(id), OK)
	}
	if p.bytes > maxPool || p.bytes < maxPool/2 {
		t.Errorf("%d bytes are kept, want at most %d", p.bytes, maxPool)
	}
	p.close()
	if p.bytes != 0 || len(p.spare) != 0 {
		t.Errorf("%d bytes are kept after the end", p.bytes)
	}
	l.is("release", l.Memory.Release(other), OK)
	if p.bytes != 0 {
		t.Error("a closed pool keeps blocks")
	}
}
