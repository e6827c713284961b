package abi

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/myriant-rl/myriant/env/obs"
)

func TestStatuses(t *testing.T) {
	names, docs := Statuses()
	seen := map[string]bool{}
	for i, name := range names {
		if name == "" || seen[name] || docs[i] == "" && Status(i) != OK || Status(i).String() != name {
			t.Errorf("status %d: %q, %q, %q", i, name, docs[i], Status(i))
		}
		seen[name] = true
	}
	for _, s := range []Status{-1, Status(len(names))} {
		if s.String() != "unknown" {
			t.Errorf("status %d is %s", int(s), s)
		}
	}
}

// TestBlocks: a block lives while it is held or written, and not longer.
func TestBlocks(t *testing.T) {
	l := newTester(t)
	m := l.Memory
	mem := m.Alloc(100)
	id := m.id(unsafe.Pointer(&mem[0]))
	if id == 0 || uintptr(unsafe.Pointer(&mem[0]))%64 != 0 || len(mem) != 100 {
		t.Fatalf("block %d of %d bytes at %p", id, len(mem), &mem[0])
	}
	l.is("release without a hold", m.Release(id), ErrHandle)
	l.is("retain", m.Retain(id), OK)
	l.is("retain", m.Retain(id), OK)
	mem[99] = 7
	m.Free(mem)
	if mem[99] != 7 {
		t.Error("freed while it is held")
	}
	l.is("release", m.Release(id), OK)
	l.is("retain what is only held", m.Retain(id), OK)
	l.is("release", m.Release(id), OK)
	l.is("release", m.Release(id), OK)
	if mem[99] == 7 {
		t.Error("not freed")
	}
	l.is("release what is gone", m.Release(id), ErrHandle)
	l.is("retain what is gone", m.Retain(id), ErrHandle)
	l.is("block 0", m.Retain(0), ErrHandle)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("freed twice")
			}
		}()
		m.Free(mem)
	}()
}

// TestLargeBlocks: a block of a large page or more begins at one, whole and
// zeroed, and is given back as it came.
func TestLargeBlocks(t *testing.T) {
	const hugePage = 2 << 20
	l := newTester(t)
	for _, n := range []int{hugePage - 1, hugePage, 3*hugePage + 5} {
		mem := l.Memory.Alloc(n)
		want := uintptr(hugePage)
		if n < hugePage {
			want = blockAlign
		}
		if at := uintptr(unsafe.Pointer(&mem[0])); at%want != 0 || len(mem) != n || slices.ContainsFunc(mem, func(b byte) bool { return b != 0 }) {
			t.Errorf("block of %d bytes, %d of them at %#x", n, len(mem), at)
		}
		mem[n-1] = 7
		l.Memory.Free(mem)
	}
}

// TestHandles: what is no handle, and what was one.
func TestHandles(t *testing.T) {
	l := newTester(t)
	id := l.create(small)
	var out Bytes
	var hash uint64
	table := make([]Row, 14)
	boards, n := ids(0)
	calls := map[string]func(id uint64) Status{
		"arrays":     func(id uint64) Status { return l.Arrays(id, table) },
		"read":       func(id uint64) Status { return l.Read(id, 0, &Buffer{}) },
		"reset":      func(id uint64) Status { return l.Reset(id, 1) },
		"reset_mask": func(id uint64) Status { return l.ResetMask(id, first([]byte{1, 1, 1}), 3, nil, 0) },
		"step":       func(id uint64) Status { return l.Step(id, nil, nil, false) },
		"send":       func(id uint64) Status { return l.Send(id, nil) },
		"recv":       func(id uint64) Status { return l.Recv(id, 0, nil, false) },
		"step_board": func(id uint64) Status { return l.StepBoard(id, 0, first(make([]Span, 2)), 2) },
		"snapshot":   func(id uint64) Status { return l.Snapshot(id, boards, n, &out) },
		"restore":    func(id uint64) Status { return l.Restore(id, boards, n, nil, 0) },
		"clone":      func(id uint64) Status { return l.Clone(id, boards, boards, n) },
		"hash":       func(id uint64) Status { return l.Hash(id, boards, n, &hash) },
		"state":      func(id uint64) Status { return l.State(id, 0, &out) },
		"set_state":  func(id uint64) Status { return l.SetState(id, 0, nil, 0) },
		"view":       func(id uint64) Status { return l.View(id, 0, 0, &out) },
		"outcome":    func(id uint64) Status { return l.Outcome(id, 0, &out) },
		"record":     func(id uint64) Status { return l.Record(id, []byte(`{}`)) },
		"stop":       func(id uint64) Status { return l.RecordStop(id, nil) },
		"spec":       func(id uint64) Status { return l.HandleSpec(id, &out) },
		"schema":     func(id uint64) Status { return l.ArrowSchema(id, nil) },
		"arrow":      func(id uint64) Status { return l.Arrow(id, Main, 0, nil) },
	}
	for name, call := range calls {
		for _, bad := range []uint64{0, id + 1, 1 << 63} {
			if got := call(bad); got != ErrHandle {
				t.Errorf("%s of handle %d: %s", name, bad, got)
			}
		}
	}
	l.is("close of handle 0", l.Close(0), ErrHandle)
	l.is("close of no handle", l.Close(id+1), ErrHandle)
	if _, status := l.LastError(0); status != ErrHandle {
		t.Errorf("the last error of handle 0: %s", status)
	}
	// Before the first reset, what needs a state says so.
	for _, name := range []string{"step", "step_board", "snapshot", "restore", "clone", "hash", "state", "set_state", "view", "outcome"} {
		if got := calls[name](id); got != ErrNotReset {
			t.Errorf("%s before the reset: %s", name, got)
		}
	}
	if got := l.ResetMask(id, first([]byte{1, 0, 1}), 3, first([]uint64{1, 2, 3}), SeedsStream); got != ErrNotReset {
		t.Errorf("reset of some boards before the reset: %s", got)
	}
	reason, status := l.LastError(id)
	l.is("last error", status, OK)
	if !strings.Contains(reason, "not reset") {
		t.Errorf("the last error is %q", reason)
	}
	l.is("close", l.Close(id), OK)
	for name, call := range calls {
		if got := call(id); got != ErrClosed {
			t.Errorf("%s of a closed handle: %s", name, got)
		}
	}
	l.is("close again", l.Close(id), OK)
	if again, status := l.LastError(id); status != OK || again != reason {
		t.Errorf("the last error of a closed handle: %q, %s", again, status)
	}
}

// TestGraves: reasons of closed handles are kept for some time, and numbers are
// never used twice.
func TestGraves(t *testing.T) {
	l := newTester(t)
	var list []uint64
	for range maxGraves + 3 {
		id := l.create(`{"boards":1,"arrays":["done"],"workers":1}`)
		if len(list) > 0 && id <= list[len(list)-1] {
			t.Fatalf("handle %d after %d", id, list[len(list)-1])
		}
		l.is("step", l.Step(id, nil, nil, false), ErrNotReset)
		l.is("close", l.Close(id), OK)
		list = append(list, id)
	}
	for i, id := range list {
		reason, status := l.LastError(id)
		if status != OK || (reason != "") != (i >= 3) {
			t.Errorf("handle %d of %d: %q, %s", i, len(list), reason, status)
		}
	}
	if len(l.graves) > maxGraves {
		t.Errorf("%d graves", len(l.graves))
	}
}

// TestBusy: while a call is under way, or a step, everybody else is told so.
func TestBusy(t *testing.T) {
	l := newTester(t)
	id := l.create(native(""))
	l.ok(id, l.Reset(id, 1))
	l.is("a step without an end", l.Step(id, nil, nil, false), OK)
	h, _ := l.find(id)
	h.mu.Lock()
	for what, got := range map[string]Status{
		"step": l.Step(id, nil, nil, false), "recv": l.Recv(id, -1, nil, false), "close": l.Close(id), "reset": l.Reset(id, 1),
	} {
		l.is(what+" during a call", got, ErrBusy)
	}
	var out Bytes
	l.is("spec", l.HandleSpec(id, &out), OK)
	l.is("release", l.Memory.Release(out.Block), OK)
	h.mu.Unlock()

	l.ok(id, l.Send(id, nil))
	for what, got := range map[string]Status{
		"step": l.Step(id, nil, nil, false), "send": l.Send(id, nil), "arrays": l.Arrays(id, make([]Row, 14)),
	} {
		l.is(what+" during a step", got, ErrBusy)
	}
	l.is("recv", l.Recv(id, -1, nil, false), OK)
	l.is("recv of nothing", l.Recv(id, -1, nil, false), ErrIdle)
	l.is("recv of nothing", l.Recv(id, 1000, nil, false), ErrIdle)
	l.ok(id, l.Send(id, nil))
	l.is("close ends a step", l.Close(id), OK)
}

// A gate is a recorder that lets no board pass.
type gate chan struct{}

func (g gate) Orders(int, [][]byte) { <-g }

// TestPending: Recv waits no longer than it is told to.
func TestPending(t *testing.T) {
	l := newTester(t)
	id := l.create(native(""))
	l.ok(id, l.Reset(id, 1))
	h, _ := l.find(id)
	g := make(gate)
	h.b.Record(g)
	l.ok(id, l.Send(id, nil))
	begun := time.Now()
	l.is("recv at once", l.Recv(id, 0, nil, false), Pending)
	l.is("recv for a while", l.Recv(id, 30, nil, false), Pending)
	if waited := time.Since(begun); waited < 30*time.Millisecond || waited > 20*time.Second {
		t.Errorf("waited for %v", waited)
	}
	l.is("step", l.Step(id, nil, nil, false), ErrBusy)
	close(g)
	l.is("recv", l.Recv(id, 60_000, nil, false), OK)
}

// A bomb is a recorder that panics at a board.
type bomb int

func (b bomb) Orders(board int, _ [][]byte) {
	if board == int(b) {
		panic("a bug on purpose")
	}
}

// TestPanic: a panic of any worker, in any kind of step, is a status; the
// handle is of no more use, its blocks and its end are.
func TestPanic(t *testing.T) {
	for board := range 4 { // of two workers
		for _, send := range []bool{false, true} {
			l := newTester(t)
			id := l.create(native(""))
			l.ok(id, l.Reset(id, 1))
			block := l.table(id)[0].Block
			l.is("retain", l.Memory.Retain(block), OK)
			h, _ := l.find(id)
			h.b.Record(bomb(board))
			if send {
				l.ok(id, l.Send(id, nil))
				l.is("recv", l.Recv(id, -1, nil, false), ErrPanic)
				l.is("recv again", l.Recv(id, -1, nil, false), ErrPanic)
			} else {
				l.is("step", l.Step(id, nil, nil, false), ErrPanic)
			}
			l.fails("step after it", id, l.Step(id, nil, nil, false), ErrPanic, "a bug on purpose")
			l.fails("reset after it", id, l.Reset(id, 1), ErrPanic, "handle_test.go")
			l.is("release", l.Memory.Release(block), OK)
			l.is("close", l.Close(id), OK)
			l.is("close again", l.Close(id), OK)
		}
	}
}

// TestPanicOfCreate: panics without a handle are statuses, too.
func TestPanicOfCreate(t *testing.T) {
	status, reason := guarded(func() error { panic("a bug on purpose") })
	if status != ErrPanic || !strings.Contains(reason, "a bug on purpose\n") || !strings.Contains(reason, "handle_test.go") {
		t.Errorf("%s: %s", status, reason)
	}
}

// TestNoMemory: a batch without memory for its arrays is an error, and keeps
// none; one that runs out of it while it steps is broken.
func TestNoMemory(t *testing.T) {
	l := newTester(t)
	cfg, err := parseConfig([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	s, err := cfg.sample()
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	l.heap.limit = cfg.bytes(s) - 1
	var id uint64
	if status, reason := l.Create([]byte(small), &id); status != ErrMemory || !strings.Contains(reason, "no memory for") {
		t.Errorf("%s: %s", status, reason)
	}
	l.heap.limit = 0
	id = l.create(native(""))
	l.heap.limit = 10
	l.fails("reset", id, l.Reset(id, 1), ErrPanic, "no memory for")
	var out Bytes
	l.is("spec", l.HandleSpec(id, &out), ErrMemory)
}

// TestThreads hammers one handle and its blocks from many goroutines: every
// call succeeds or is told that the handle is busy or closed.
func TestThreads(t *testing.T) {
	l := newTester(t)
	id := l.create(native(`,"autoreset":"same_step"`))
	l.ok(id, l.Reset(id, 1))
	rows := len(l.table(id))
	var wg sync.WaitGroup
	var mu sync.Mutex
	counts := map[Status]int{}
	for g := range 8 {
		wg.Go(func() {
			table := make([]Row, rows)
			for i := range 200 {
				var s Status
				switch (g + i) % 5 {
				case 0:
					s = l.Step(id, nil, table, true)
				case 1:
					if s = l.Send(id, nil); s == OK {
						for s = Pending; s == Pending || s == ErrBusy; {
							s = l.Recv(id, 1, table, true)
						}
					}
				case 2:
					if s = l.Arrays(id, table); s == OK {
						r := &table[i%rows]
						if l.Memory.Retain(r.Block) == OK {
							_ = append([]byte(nil), r.data()[:0]...)
							if l.Memory.Release(r.Block) != OK {
								t.Error("a hold got lost")
							}
						}
					}
				case 3:
					var out Bytes
					if s = l.Outcome(id, int64(i%4), &out); s == OK && l.Memory.Release(out.Block) != OK {
						t.Error("bytes without a hold")
					}
				case 4:
					if i == 180 {
						l.Close(id)
					}
					_, s = l.LastError(id)
				}
				mu.Lock()
				counts[s]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for s := range counts {
		if s != OK && s != ErrBusy && s != ErrClosed && s != ErrIdle {
			t.Errorf("%d calls: %s", counts[s], s)
		}
	}
	if counts[OK] == 0 {
		t.Error("no call succeeded")
	}
}

func TestCopyText(t *testing.T) {
	for _, c := range []struct {
		room int
		want string
	}{{10, "hello\x00...."}, {6, "hello\x00"}, {5, "hell\x00"}, {1, "\x00"}, {0, ""}} {
		to := []byte("..........")[:c.room:c.room]
		var p unsafe.Pointer
		if c.room > 0 {
			p = unsafe.Pointer(&to[0])
		}
		CopyText("hello", p, c.room)
		if string(to) != c.want {
			t.Errorf("room %d: %q, want %q", c.room, to, c.want)
		}
	}
	CopyText("hello", nil, 10)
}

// TestDTypes: every type of arrays and heads has its code in the header.
func TestDTypes(t *testing.T) {
	l := newTester(t)
	known := map[string]bool{}
	for _, d := range DTypes() {
		known[d.String()] = true
	}
	for _, g := range allGames {
		s := l.spec(l.create(`{"game":"` + g.name + `","boards":1}`))
		for _, a := range s.Arrays {
			if !known[a.DType] {
				t.Errorf("array %s of %s", a.Name, a.DType)
			}
		}
		for _, h := range s.Heads {
			if !known[h.DType] {
				t.Errorf("head %s of %s", h.Name, h.DType)
			}
		}
	}
	if known[obs.Unset.String()] {
		t.Error("no type is a type")
	}
}
