package abi

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/batch/arrowexport"
	"github.com/myriant-rl/myriant/env/obs"
)

// A handle is a batch that a caller has.
type handle struct {
	lib    *Library
	id     uint64
	config *config
	spec   []byte

	// mu is held during a call; who does not get it is told that the handle is
	// busy. A step that was sent does not hold it: flying tells of that.
	mu      sync.Mutex
	b       *batch.Batch // nil once closed
	rows    []row
	heads   map[string]*obs.Field
	flying  bool
	flights chan batch.Actions // to the goroutine that plays what is sent, made at the first
	landed  chan Status

	rec *recording // nil: none

	exporter    *arrowexport.Exporter
	exporterErr error

	broken   atomic.Bool // by a panic
	reasonMu sync.Mutex
	reason   string
}

// open fills what follows from the batch.
func (h *handle) open() {
	sets := []func(string) *obs.Array{h.b.Array}
	if h.b.Config().Autoreset == batch.SameStep {
		sets = append(sets, h.b.Final)
	}
	for _, set := range sets {
		for _, name := range h.b.Names() {
			h.rows = append(h.rows, newRow(set(name)))
		}
	}
	h.heads = map[string]*obs.Field{}
	for _, f := range h.b.Heads() {
		h.heads[f.Name] = &f
	}
	if h.exporter, h.exporterErr = arrowexport.New(h.b, h.config.columns...); h.exporterErr == nil && h.exporter.Schema().NumFields() == 0 {
		h.exporterErr = &failure{ErrExport, "no array has a column"}
	}
}

// note keeps the reason of an error.
func (h *handle) note(reason string) {
	h.reasonMu.Lock()
	h.reason = strings.Clone(reason)
	h.reasonMu.Unlock()
}

// run runs a part of a call. A panic breaks the handle.
func (h *handle) run(f func() error) (status Status) {
	defer func() {
		if p := recover(); p != nil {
			h.broken.Store(true)
			var reason string
			status, reason = panicked(p)
			if status == ErrMemory { // in the middle of something
				status = ErrPanic
			}
			h.note(reason)
		}
	}()
	if err := f(); err != nil {
		h.note(err.Error())
		return statusOf(err, ErrArgument)
	}
	return OK
}

// call runs a call that needs a handle for itself.
func (l *Library) call(id uint64, f func(h *handle) error) Status {
	h, status := l.enter(id)
	if status != OK {
		return status
	}
	defer h.mu.Unlock()
	if h.flying {
		return ErrBusy
	}
	if h.broken.Load() {
		return ErrPanic
	}
	return h.run(func() error { return f(h) })
}

// enter finds a handle and takes it, if nobody else has it.
func (l *Library) enter(id uint64) (*handle, Status) {
	h, status := l.find(id)
	if status != OK {
		return nil, status
	}
	if !h.mu.TryLock() {
		return nil, ErrBusy
	}
	if h.b == nil {
		h.mu.Unlock()
		return nil, ErrClosed
	}
	return h, OK
}

// Close ends a batch.
func (l *Library) Close(id uint64) Status {
	h, status := l.enter(id)
	switch {
	case status == ErrClosed:
		return OK
	case status != OK:
		return status
	}
	defer h.mu.Unlock()
	if h.flying {
		<-h.landed
		h.flying = false
	}
	if h.flights != nil {
		close(h.flights)
	}
	status = h.run(func() error {
		defer h.b.Close()
		return h.stopRecording(nil)
	})
	h.b = nil
	l.bury(h)
	return status
}

// Send starts a step.
func (l *Library) Send(id uint64, a *Actions) Status {
	return l.call(id, func(h *handle) error {
		acts, err := h.actions(a)
		if err != nil {
			return err
		}
		if h.flights == nil {
			h.flights, h.landed = make(chan batch.Actions), make(chan Status, 1)
			go h.fly(h.flights)
		}
		h.flying = true
		h.flights <- acts
		return nil
	})
}

// fly plays what is sent.
func (h *handle) fly(flights <-chan batch.Actions) {
	for acts := range flights {
		h.landed <- h.run(func() error { return h.step(acts) })
	}
}

// Recv waits for the step that was sent.
func (l *Library) Recv(id uint64, timeout int32, table []Row, given bool) Status {
	h, status := l.enter(id)
	if status != OK {
		return status
	}
	defer h.mu.Unlock()
	switch {
	case h.flying:
	case h.broken.Load():
		return ErrPanic
	default:
		return h.run(func() error { return &failure{ErrIdle, "nothing was sent"} })
	}
	if status := h.run(func() error { return h.checkTable(table, given) }); status != OK {
		return status
	}
	if timeout < 0 {
		status = <-h.landed
	} else {
		select {
		case status = <-h.landed:
		default:
			t := time.NewTimer(time.Duration(timeout) * time.Millisecond)
			defer t.Stop()
			select {
			case status = <-h.landed:
			case <-t.C:
				return Pending
			}
		}
	}
	h.flying = false
	if status == OK {
		h.fill(table)
	}
	return status
}

// A Row is one array of a handle's table; the structure of the header.
type Row struct {
	Data  unsafe.Pointer
	Bytes int64
	Block uint64
	DType int32
	NDim  int32
	Shape [MaxNDim]int64
	Name  [MaxName]byte
}

// A row is what a Row is made from.
type row struct {
	a    *obs.Array
	last Row // as it was filled last
}

func newRow(a *obs.Array) row {
	r := row{a: a, last: Row{DType: int32(a.DType), NDim: int32(len(a.Dims))}}
	if len(a.Dims) > MaxNDim || len(a.Name) >= MaxName {
		panic("abi: the header has no room for the array " + a.Name)
	}
	for i, n := range a.Dims {
		r.last.Shape[i] = int64(n)
	}
	copy(r.last.Name[:], a.Name)
	return r
}

// checkTable refuses a table that is given and not of the right length.
func (h *handle) checkTable(table []Row, given bool) error {
	if given && len(table) != len(h.rows) {
		return argument("a table of %d rows, want %d", len(table), len(h.rows))
	}
	return nil
}

// fill fills a table.
func (h *handle) fill(table []Row) {
	for i := range table {
		r := &h.rows[i]
		if data := unsafe.Pointer(unsafe.SliceData(r.a.Mem())); data != r.last.Data {
			r.last.Data, r.last.Block = data, h.lib.Memory.id(data)
		}
		r.last.Bytes = int64(len(r.a.Data))
		if r.last.NDim > 0 {
			r.last.Shape[0] = int64(r.a.Dims[0])
		}
		table[i] = r.last
	}
}
