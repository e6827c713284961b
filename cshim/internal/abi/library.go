package abi

import (
	"fmt"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/myriant-rl/myriant/batch"
)

// A Library is everything behind the interface. It is safe for concurrent use.
type Library struct {
	Memory *Memory

	mu      sync.Mutex
	next    uint64
	handles map[uint64]*handle
	graves  []grave // of the handles that were closed last
	others
}

// A grave is what is left of a handle.
type grave struct {
	id     uint64
	reason string
}

// maxGraves is how many closed handles are remembered.
const maxGraves = 64

// NewLibrary is a library whose blocks lie in a heap.
func NewLibrary(heap Heap) *Library {
	return &Library{Memory: NewMemory(heap), next: 1, handles: map[uint64]*handle{}, others: others{map[uint64]*dataset{}, map[uint64]*reader{}, map[uint64]*task{}}}
}

// find finds a handle.
func (l *Library) find(id uint64) (*handle, Status) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.handles[id]; h != nil {
		return h, OK
	}
	if id > 0 && id < l.next && l.datasets[id] == nil && l.readers[id] == nil && l.tasks[id] == nil {
		return nil, ErrClosed
	}
	return nil, ErrHandle
}

// guarded runs a call that has no handle. A panic becomes a status.
func guarded(f func() error) (status Status, reason string) {
	defer func() {
		if p := recover(); p != nil {
			status, reason = panicked(p)
		}
	}()
	if err := f(); err != nil {
		return statusOf(err, ErrArgument), err.Error()
	}
	return OK, ""
}

// panicked is the status and reason of a panic.
func panicked(p any) (Status, string) {
	if n, ok := p.(noMemory); ok {
		return ErrMemory, n.Error()
	}
	return ErrPanic, fmt.Sprintf("%v\n%s", p, debug.Stack())
}

// argument is an error of the class ErrArgument.
func argument(format string, a ...any) error {
	return &failure{ErrArgument, fmt.Sprintf(format, a...)}
}

// Catalog tells what the library holds.
func (l *Library) Catalog(out *Bytes) Status {
	status, _ := guarded(func() error {
		if out == nil {
			return argument("out is null")
		}
		*out = l.Memory.give(catalog())
		return nil
	})
	return status
}

// Map tells a map's canonical JSON.
func (l *Library) Map(name string, entry []byte, out *Bytes) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("out is null")
		}
		g, err := findGame(name)
		if err != nil {
			return err
		}
		m, err := g.parseMap(entry)
		if err != nil {
			return err
		}
		*out = l.Memory.give(m.CanonicalJSON())
		return nil
	})
}

// Spec tells about the batch that a configuration describes.
func (l *Library) Spec(text []byte, out *Bytes) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("out is null")
		}
		c, err := parseConfig(text)
		if err != nil {
			return err
		}
		s, err := c.sample()
		if err != nil {
			return err
		}
		defer s.Close()
		*out = l.Memory.give(c.spec(s))
		return nil
	})
}

// Create makes a batch.
func (l *Library) Create(text []byte, out *uint64) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("handle is null")
		}
		c, err := parseConfig(text)
		if err != nil {
			return err
		}
		s, err := c.sample()
		if err != nil {
			return err
		}
		defer s.Close()
		if err := l.probe(c.bytes(s)); err != nil {
			return err
		}
		h := &handle{lib: l, config: c, spec: c.spec(s)}
		if h.b, err = batch.New(c.whole(l.Memory)); err != nil {
			return c.blame(err)
		}
		h.open()
		l.mu.Lock()
		defer l.mu.Unlock()
		h.id = l.next
		l.next++
		l.handles[h.id] = h
		*out = h.id
		return nil
	})
}

// probe tells whether there is memory for n bytes: Go ends the process where
// there is none.
func (l *Library) probe(n int) error {
	p := l.Memory.heap.Alloc(n)
	if p == nil {
		return noMemory(n)
	}
	l.Memory.heap.Free(p)
	return nil
}

// LastError tells the reason of a handle's last error.
func (l *Library) LastError(id uint64) (string, Status) {
	h, status := l.find(id)
	if status == OK {
		h.reasonMu.Lock()
		defer h.reasonMu.Unlock()
		return h.reason, OK
	}
	if status != ErrClosed {
		return "", status
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range l.graves {
		if g.id == id {
			return g.reason, OK
		}
	}
	return "", OK
}

// bury forgets a handle but for its last error. Its memory of Go is gone with
// it.
func (l *Library) bury(h *handle) {
	h.reasonMu.Lock()
	defer h.reasonMu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.handles, h.id)
	if h.reason == "" {
		return
	}
	if len(l.graves) == maxGraves {
		l.graves = append(l.graves[:0], l.graves[1:]...)
	}
	l.graves = append(l.graves, grave{h.id, h.reason})
}

// CopyText copies a text to a buffer of the caller, cut and ended by a NUL.
func CopyText(text string, to unsafe.Pointer, capacity int) {
	if to == nil || capacity <= 0 {
		return
	}
	room := unsafe.Slice((*byte)(to), capacity)
	n := copy(room[:capacity-1], text)
	room[n] = 0
}
