package abi

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/myriant-rl/myriant/env/obs"
)

// goHeap is a heap of Go's that knows what it has given out.
type goHeap struct {
	mu    sync.Mutex
	out   map[unsafe.Pointer][]byte
	limit int // of one allocation; 0: none
}

func (h *goHeap) Alloc(n int) unsafe.Pointer {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.limit != 0 && n > h.limit || n > 1<<32 {
		return nil
	}
	mem := make([]byte, max(n, 1))
	p := unsafe.Pointer(unsafe.SliceData(mem))
	h.out[p] = mem
	return p
}

func (h *goHeap) Free(p unsafe.Pointer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	mem, ok := h.out[p]
	if !ok {
		panic("freed what was not given out")
	}
	for i := range mem {
		mem[i] = 0xEE // whoever still looks at it shall notice
	}
	delete(h.out, p)
}

// A tester is a library under test. At the test's end it must have no memory.
type tester struct {
	*Library
	t    testing.TB
	heap *goHeap
}

func newTester(t testing.TB) *tester {
	t.Helper()
	h := &goHeap{out: map[unsafe.Pointer][]byte{}}
	l := &tester{NewLibrary(h), t, h}
	t.Cleanup(func() {
		if blocks, bytes := l.Memory.Live(); blocks != 0 || bytes != 0 || len(h.out) != 0 {
			t.Errorf("%d blocks of %d bytes, %d allocations are left", blocks, bytes, len(h.out))
		}
	})
	return l
}

// is fails the test when a status is not the wanted one.
func (l *tester) is(what string, got, want Status) {
	l.t.Helper()
	if got != want {
		l.t.Fatalf("%s: %s, want %s", what, got, want)
	}
}

// ok fails the test when a call of a handle did not succeed.
func (l *tester) ok(id uint64, status Status) {
	l.t.Helper()
	if status != OK {
		reason, _ := l.LastError(id)
		l.t.Fatalf("%s: %s", status, reason)
	}
}

// fails fails the test unless a call of a handle failed, with a reason that
// has a part.
func (l *tester) fails(what string, id uint64, got, want Status, part string) {
	l.t.Helper()
	reason, _ := l.LastError(id)
	if got != want || !strings.Contains(reason, part) {
		l.t.Errorf("%s: %s, %q; want %s, %q in it", what, got, reason, want, part)
	}
}

// create makes a batch, which is closed with the test.
func (l *tester) create(config string) uint64 {
	l.t.Helper()
	var id uint64
	if status, reason := l.Create([]byte(config), &id); status != OK {
		l.t.Fatalf("%s: %s: %s", config, status, reason)
	}
	l.t.Cleanup(func() { l.Close(id) })
	return id
}

// take copies bytes that the library gave, and releases them.
func (l *tester) take(b Bytes) []byte {
	l.t.Helper()
	if b.Data == nil || uintptr(b.Data)%64 != 0 {
		l.t.Errorf("bytes at %p", b.Data)
	}
	data := append([]byte(nil), unsafe.Slice((*byte)(b.Data), b.Length)...)
	if end := *(*byte)(unsafe.Add(b.Data, b.Length)); end != 0 {
		l.t.Errorf("bytes are followed by %d", end)
	}
	l.is("release", l.Memory.Release(b.Block), OK)
	return data
}

// bytes runs a call that gives bytes.
func (l *tester) bytes(id uint64, call func(out *Bytes) Status) []byte {
	l.t.Helper()
	var b Bytes
	l.ok(id, call(&b))
	return l.take(b)
}

func (l *tester) spec(id uint64) *specJSON {
	l.t.Helper()
	s := &specJSON{}
	if err := json.Unmarshal(l.bytes(id, func(out *Bytes) Status { return l.HandleSpec(id, out) }), s); err != nil {
		l.t.Fatal(err)
	}
	return s
}

// table is the table of a handle.
func (l *tester) table(id uint64) []Row {
	l.t.Helper()
	rows := make([]Row, l.spec(id).Table)
	l.ok(id, l.Arrays(id, rows))
	return rows
}

// name is a row's name.
func (r *Row) name() string { return textAt(&r.Name[0], MaxName) }

// data is a row's memory.
func (r *Row) data() []byte { return unsafe.Slice((*byte)(r.Data), r.Bytes) }

// find is the row of an array; the second of its name is the final set's.
func find(t testing.TB, table []Row, name string, final bool) *Row {
	t.Helper()
	for i := range table {
		if table[i].name() == name && (!final || i >= len(table)/2) {
			return &table[i]
		}
	}
	t.Fatalf("no array %q", name)
	return nil
}

// numbers is a row's memory as elements.
func numbers[T obs.Elem](r *Row) []T {
	return unsafe.Slice((*T)(r.Data), uintptr(r.Bytes)/unsafe.Sizeof(*new(T)))
}

// cText is a text with a NUL.
func cText(s string) *byte { return unsafe.SliceData([]byte(s + "\x00")) }

// acts are actions through a head.
func acts[T uint8 | int32 | float32](head string, values []T) *Actions {
	a := &Actions{Head: cText(head), Buffer: Buffer{Data: unsafe.Pointer(unsafe.SliceData(values)), Bytes: int64(len(values)) * int64(unsafe.Sizeof(*new(T)))}}
	switch any(values).(type) {
	case []uint8:
		a.Buffer.DType = int32(obs.Uint8)
	case []int32:
		a.Buffer.DType = int32(obs.Int32)
	case []float32:
		a.Buffer.DType = int32(obs.Float32)
	}
	return a
}

// ids is a list of boards as the interface takes it.
func ids(list ...int64) (*int64, int64) { return unsafe.SliceData(list), int64(len(list)) }

// first is where a list begins.
func first[T any](list []T) *T { return unsafe.SliceData(list) }

const small = `{"boards":3,"maps":["tiny-2p"],"workers":2}`

// native is a batch whose seats all play by themselves, of short games.
func native(extra string) string {
	return fmt.Sprintf(`{"boards":4,"maps":["tiny-2p"],"rules":{"name":"ladder","max_turns":3},"policies":[["greedy","random"]],"observe":[0,1],"workers":2%s}`, extra)
}
