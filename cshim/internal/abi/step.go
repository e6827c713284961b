package abi

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/obs"
)

// A Buffer is memory of the caller; the structure of the header.
type Buffer struct {
	Data    unsafe.Pointer
	Bytes   int64
	Shape   *int64
	Strides *int64
	DType   int32
	NDim    int32
}

// Actions are one step's actions; the structure of the header.
type Actions struct {
	Head        *byte
	Buffer      Buffer
	Seed        uint64
	Temperature float32
	Flags       uint32
}

// check tells whether a buffer is C-contiguous memory of a type, and of a
// shape, where -1 leaves an axis open.
func (b *Buffer) check(what string, dtype obs.DType, dims []int) error {
	bad := func(format string, a ...any) error { return fmt.Errorf("%s: %s", what, fmt.Sprintf(format, a...)) }
	if b.DType != int32(dtype) {
		return bad("elements of %s, want %s", dtypeName(b.DType), dtype)
	}
	if b.Bytes < 0 || b.Bytes > MaxBytes || b.Data == nil && b.Bytes > 0 {
		return bad("%d bytes at %p", b.Bytes, b.Data)
	}
	if uintptr(b.Data)%uintptr(dtype.Size()) != 0 {
		return bad("memory at %p is not aligned to elements of %s", b.Data, dtype)
	}
	if b.Shape != nil {
		if b.NDim < 0 || int(b.NDim) != len(dims) {
			return bad("%d axes, want %d", b.NDim, len(dims))
		}
		shape := unsafe.Slice(b.Shape, b.NDim)
		want := int64(dtype.Size())
		for i, n := range shape {
			if dims[i] >= 0 && n != int64(dims[i]) || n < 0 {
				return bad("shape %v, want %v", shape, dims)
			}
			if n > 0 && want > math.MaxInt64/n {
				return bad("shape %v is too large", shape)
			}
			want *= n
		}
		if b.Bytes != want {
			return bad("%d bytes for shape %v of %s, want %d", b.Bytes, shape, dtype, want)
		}
		if b.Strides != nil && b.Bytes > 0 {
			strides := unsafe.Slice(b.Strides, b.NDim)
			for i, step := len(shape)-1, int64(dtype.Size()); i >= 0; i-- {
				if shape[i] != 1 && strides[i] != step {
					return bad("strides %v for shape %v: not contiguous in C order", strides, shape)
				}
				step *= shape[i]
			}
		}
		return nil
	}
	entry, open := int64(dtype.Size()), false
	for _, n := range dims {
		if n < 0 {
			open = true
		} else {
			entry *= int64(n)
		}
	}
	if open && (entry == 0 || b.Bytes%entry != 0) {
		return bad("%d bytes, want a multiple of %d", b.Bytes, entry)
	}
	if !open && b.Bytes != entry {
		return bad("%d bytes, want %d", b.Bytes, entry)
	}
	return nil
}

func dtypeName(code int32) string {
	for _, d := range DTypes() {
		if int32(d) == code {
			return d.String()
		}
	}
	return fmt.Sprintf("type %d", code)
}

// slice is the buffer's memory as elements.
func slice[T obs.Elem](b *Buffer) []T {
	if b.Bytes == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(b.Data), uintptr(b.Bytes)/unsafe.Sizeof(*new(T)))
}

// actions reads the actions of a step. What the game thinks of them is left to
// it.
func (h *handle) actions(a *Actions) (batch.Actions, error) {
	if a == nil || a.Head == nil {
		return batch.Actions{}, nil
	}
	orders := func(err error) error { return &failure{ErrOrders, err.Error()} }
	f := h.heads[textAt(a.Head, MaxName)]
	if f == nil {
		return batch.Actions{}, orders(fmt.Errorf("no head %q (have %s)", textAt(a.Head, MaxName), h.headNames()))
	}
	dims, err := h.b.Sizes().Resolve(f.Shape)
	if err != nil {
		panic("abi: head " + f.Name + ": " + err.Error())
	}
	if f.Ragged() {
		dims[0] = -1
	}
	if err := a.Buffer.check("head "+f.Name, f.DType, dims); err != nil {
		return batch.Actions{}, orders(err)
	}
	acts := batch.Actions{Head: f.Name}
	switch f.DType {
	case obs.Uint8:
		acts.Uint8 = slice[uint8](&a.Buffer)
	case obs.Int32:
		acts.Int32 = slice[int32](&a.Buffer)
	case obs.Float32:
		acts.Float32 = slice[float32](&a.Buffer)
	default:
		panic("abi: head " + f.Name + " of " + f.DType.String())
	}
	if a.Flags&^Sample != 0 {
		return batch.Actions{}, argument("flags %#x, want 0 or %#x", a.Flags, Sample)
	}
	if a.Flags&Sample == 0 {
		return acts, nil
	}
	if f.DType != obs.Float32 {
		return batch.Actions{}, argument("head %s has no logits to sample from", f.Name)
	}
	if t := a.Temperature; !(t >= 0) || math.IsInf(float64(t), 1) {
		return batch.Actions{}, argument("temperature %v, want a number, 0 or more", t)
	}
	acts.Sample, acts.Seed, acts.Temperature = true, a.Seed, a.Temperature
	return acts, nil
}

// textAt is a NUL-terminated text of the caller, cut at n bytes. It is valid
// during the call only.
func textAt(p *byte, n int) string {
	i := 0
	for i < n && *(*byte)(unsafe.Add(unsafe.Pointer(p), i)) != 0 {
		i++
	}
	return unsafe.String(p, i)
}

func (h *handle) headNames() string {
	list := ""
	for _, f := range h.b.Heads() {
		if list != "" {
			list += ", "
		}
		list += f.Name
	}
	return list
}

// step plays a step. What goes wrong with recording is told when that ends.
func (h *handle) step(a batch.Actions) error {
	if h.rec == nil {
		return h.b.Step(a)
	}
	h.rec.Before()
	if err := h.b.Step(a); err != nil {
		return err
	}
	if h.rec.After() == nil {
		h.begun()
	}
	return nil
}

// Step plays one step of every board. given tells that there is a table.
func (l *Library) Step(id uint64, a *Actions, table []Row, given bool) Status {
	return l.call(id, func(h *handle) error {
		if err := h.checkTable(table, given); err != nil {
			return err
		}
		acts, err := h.actions(a)
		if err != nil {
			return err
		}
		if err := h.step(acts); err != nil {
			return err
		}
		h.fill(table)
		return nil
	})
}

// Arrays fills a table.
func (l *Library) Arrays(id uint64, table []Row) Status {
	return l.call(id, func(h *handle) error {
		if err := h.checkTable(table, true); err != nil {
			return err
		}
		h.fill(table)
		return nil
	})
}

// Read copies an array.
func (l *Library) Read(id uint64, row int64, to *Buffer) Status {
	return l.call(id, func(h *handle) error {
		if row < 0 || row >= int64(len(h.rows)) {
			return argument("row %d of %d", row, len(h.rows))
		}
		if to == nil {
			return argument("to is null")
		}
		a := h.rows[row].a
		if err := to.check("array "+a.Name, a.DType, a.Dims); err != nil {
			return argument("%v", err)
		}
		copy(slice[uint8](to), a.Data)
		return nil
	})
}
