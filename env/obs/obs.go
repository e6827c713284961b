// Package obs is the vocabulary in which games declare their arrays once: each
// array a player or trainer can see has a name, a dtype, a symbolic shape and
// a meaning. Engines allocate from these declarations, and exporters and
// generated constants are made from them.
package obs

import (
	"fmt"
	"strconv"
	"unsafe"
)

// DType is an element type. Bit is a packed bit: eight elements a byte, the
// first in the lowest bit, each row padded to whole bytes. Unset, the zero
// value, is no type: where a type may be chosen, it leaves the choice open.
type DType uint8

// The element types.
const (
	Unset DType = iota
	Bit
	Bool
	Uint8
	Int8
	Int32
	Int64
	Uint64
	Float16
	Float32
)

var dtypes = [...]struct {
	name string
	size int
}{{"unset", 0}, {"bit", 1}, {"bool", 1}, {"uint8", 1}, {"int8", 1}, {"int32", 4}, {"int64", 8}, {"uint64", 8}, {"float16", 2}, {"float32", 4}}

// String is the dtype's numpy name ("bit" for packed bits).
func (d DType) String() string { return dtypes[d].name }

// Size is the bytes of one element; for Bit, of one byte of eight elements.
func (d DType) Size() int { return dtypes[d].size }

// A Dim is one axis: a symbol that Sizes resolves, or a decimal number. The
// symbols used are
//
//	B   boards of the batch
//	S   observed seats
//	P   seats of the largest board
//	C   planes
//	H   rows of the largest board
//	W   columns of the largest board
//	RB  bytes of a packed row, ceil(W/8)
//	N   ragged: entries of all boards and observed seats, in that order
//	O   B*S+1, the length of an offsets array
type Dim string

// A Field declares one array.
type Field struct {
	Name  string
	DType DType
	Shape []Dim
	Doc   string
}

// Ragged tells whether the array's length changes from step to step.
func (f Field) Ragged() bool { return len(f.Shape) > 0 && f.Shape[0] == "N" }

// Sizes resolves symbolic dimensions.
type Sizes map[Dim]int

// Resolve returns the numeric shape; a ragged first axis is 0.
func (s Sizes) Resolve(shape []Dim) ([]int, error) {
	dims := make([]int, len(shape))
	for i, d := range shape {
		if n, ok := s[d]; ok {
			dims[i] = n
			continue
		}
		if d == "N" {
			continue
		}
		n, err := strconv.Atoi(string(d))
		if err != nil {
			return nil, fmt.Errorf("dimension %q has no size", d)
		}
		dims[i] = n
	}
	return dims, nil
}

// A Plane declares one channel of a planes array.
type Plane struct {
	Name string
	Doc  string
}

// A Memory is where arrays have their memory from, if not from Go's heap.
type Memory interface {
	// Alloc returns n zeroed bytes, 64-byte aligned. Without memory it panics.
	Alloc(n int) []byte
	// Free takes back what Alloc returned. Nothing writes to it any more.
	Free(mem []byte)
}

// An Array is a field with memory: C-contiguous, 64-byte aligned, whole
// elements. The memory belongs to whoever made the array.
type Array struct {
	Field
	Dims []int  // numeric shape; Dims[0] of a ragged array changes with SetLen
	Data []byte // the bytes of exactly Dims
	mem  []byte // the whole allocation
	from Memory // nil: Go's heap
}

// NewArray allocates a zeroed array of Go's heap. A ragged array has length 0
// and room for hint entries.
func NewArray(f Field, sizes Sizes, hint int) (*Array, error) {
	return NewArrayIn(nil, f, sizes, hint)
}

// NewArrayIn is NewArray with memory from elsewhere, until Free; nil is Go's
// heap. The memory of a ragged array that grows is freed when it has moved.
func NewArrayIn(from Memory, f Field, sizes Sizes, hint int) (*Array, error) {
	dims, err := sizes.Resolve(f.Shape)
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", f.Name, err)
	}
	a := &Array{Field: f, Dims: dims, from: from}
	if f.Ragged() {
		a.SetLen(hint)
		a.SetLen(0)
		return a, nil
	}
	n := f.DType.Size()
	for _, d := range dims {
		n *= d
	}
	a.mem = a.alloc(n)
	a.Data = a.mem[:n]
	return a, nil
}

// Free gives the memory back to where it is from. The array must not be used
// any more.
func (a *Array) Free() {
	if a.from != nil && a.mem != nil {
		a.from.Free(a.mem)
	}
	a.mem, a.Data = nil, nil
}

// alloc returns n bytes and the slack.
func (a *Array) alloc(n int) []byte {
	if a.from != nil {
		return a.from.Alloc(n + slack)
	}
	return alignedBytes(n)
}

// slack is spare bytes past the end of every allocation, so that kernels may
// store whole words at the tail.
const slack = 64

func alignedBytes(n int) []byte { return Bytes(n + slack) }

// Stride is the bytes of one entry of the first axis.
func (a *Array) Stride() int {
	n := a.DType.Size()
	for _, d := range a.Dims[1:] {
		n *= d
	}
	return n
}

// SetLen sets the first axis of a ragged array, keeping what fits. It
// allocates only when it must grow, by at least half.
func (a *Array) SetLen(n int) {
	need := n * a.Stride()
	if need+slack > len(a.mem) {
		grown := a.alloc(max(need, len(a.mem)+len(a.mem)/2))
		copy(grown, a.Data)
		if a.from != nil && a.mem != nil {
			a.from.Free(a.mem)
		}
		a.mem = grown
	}
	a.Dims[0] = n
	a.Data = a.mem[:need]
}

// Mem is Data with at least 64 writable bytes past its end.
func (a *Array) Mem() []byte { return a.mem }

// Elem is the Go type of an element.
type Elem interface {
	~uint8 | ~int8 | ~uint16 | ~int32 | ~int64 | ~uint64 | ~float32 | ~bool
}

// View is the array's memory as elements of type T, whose size must be the
// dtype's. It is valid as long as the array's memory is.
func View[T Elem](a *Array) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if size != a.DType.Size() {
		panic(fmt.Sprintf("obs: array %s of %s viewed as elements of %d bytes", a.Name, a.DType, size))
	}
	if len(a.Data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(a.Data))), len(a.Data)/size)
}
