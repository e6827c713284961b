package abi

import (
	"unsafe"

	"github.com/myriant-rl/myriant/batch/arrowexport"
	"github.com/myriant-rl/myriant/env/obs"
)

// ArrowSchema calls f with the exporter of a handle, which must be asked for
// its schema only.
func (l *Library) ArrowSchema(id uint64, f func(x *arrowexport.Exporter) error) Status {
	h, status := l.find(id)
	if status != OK {
		return status
	}
	if h.exporterErr != nil {
		h.note(h.exporterErr.Error())
		return ErrExport
	}
	status, reason := guarded(func() error { return f(h.exporter) })
	if status != OK {
		h.note(reason)
	}
	return status
}

// Arrow calls f with the exporter of a handle, the set that is wanted, and
// where its records have their memory from.
func (l *Library) Arrow(id uint64, set int32, flags uint32, f func(x *arrowexport.Exporter, final bool, hold arrowexport.Hold) error) Status {
	return l.call(id, func(h *handle) error {
		if set != Main && set != Final {
			return argument("set %d", set)
		}
		if flags&^View != 0 {
			return argument("flags %#x, want 0 or %#x", flags, View)
		}
		if h.exporterErr != nil {
			return h.exporterErr
		}
		hold := l.Memory.holdCopy
		if flags&View != 0 {
			hold = l.Memory.holdView
		}
		return f(h.exporter, set == Final, hold)
	})
}

// holdView holds an array's own memory.
func (m *Memory) holdView(a *obs.Array) ([]byte, func()) {
	id := m.id(unsafe.Pointer(unsafe.SliceData(a.Mem())))
	if m.Retain(id) != OK {
		panic("abi: array " + a.Name + " lies in no block")
	}
	return a.Data, func() { m.Release(id) }
}

// holdCopy holds a copy of an array.
func (m *Memory) holdCopy(a *obs.Array) ([]byte, func()) {
	id, mem := m.copied(a.Data)
	return mem, func() { m.Release(id) }
}
