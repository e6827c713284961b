package obs

import (
	"testing"
	"unsafe"
)

func TestArray(t *testing.T) {
	sizes := Sizes{"B": 3, "S": 2}
	a, err := NewArray(Field{Name: "reward", DType: Float32, Shape: []Dim{"B", "S", "5"}}, sizes, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Data) != 3*2*5*4 || a.Stride() != 40 || len(View[float32](a)) != 30 {
		t.Errorf("%d bytes, stride %d, %d elements", len(a.Data), a.Stride(), len(View[float32](a)))
	}
	if uintptr(unsafe.Pointer(&a.Data[0]))%64 != 0 {
		t.Error("not aligned to 64 bytes")
	}
	if len(a.Mem()) < len(a.Data)+slack {
		t.Errorf("%d spare bytes, want %d", len(a.Mem())-len(a.Data), slack)
	}
	if _, err := NewArray(Field{Name: "x", Shape: []Dim{"Q"}}, sizes, 0); err == nil {
		t.Error("a dimension without a size was accepted")
	}
}

func TestRagged(t *testing.T) {
	a, err := NewArray(Field{Name: "cells", DType: Int32, Shape: []Dim{"N"}}, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	if a.Dims[0] != 0 || len(a.Data) != 0 {
		t.Errorf("length %d at the start", a.Dims[0])
	}
	a.SetLen(3)
	copy(View[int32](a), []int32{7, 8, 9})
	a.SetLen(1000)
	if v := View[int32](a); v[0] != 7 || v[2] != 9 || len(v) != 1000 {
		t.Errorf("growing lost the contents: %v", v[:3])
	}
	if allocs := testing.AllocsPerRun(100, func() { a.SetLen(10); a.SetLen(900) }); allocs != 0 {
		t.Errorf("%v allocations within the memory there is", allocs)
	}
}

func TestViewOfAnotherSize(t *testing.T) {
	a, err := NewArray(Field{Name: "x", DType: Int64, Shape: []Dim{"4"}}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("int64 viewed as int32")
		}
	}()
	View[int32](a)
}

// A counted memory knows what it has given out.
type counted map[*byte]int

func (c counted) Alloc(n int) []byte {
	mem := alignedBytes(n)[:n]
	c[unsafe.SliceData(mem)] = n
	return mem
}

func (c counted) Free(mem []byte) {
	if n, ok := c[unsafe.SliceData(mem)]; !ok || n != len(mem) {
		panic("freed what was not given out")
	}
	delete(c, unsafe.SliceData(mem))
}

// TestMemory: all memory of an array is from where it should be and goes back.
func TestMemory(t *testing.T) {
	from := counted{}
	for _, shape := range [][]Dim{{"N"}, {"4"}, {"0"}} {
		a, err := NewArrayIn(from, Field{Name: "x", DType: Int32, Shape: shape}, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		if a.Field.Ragged() {
			a.SetLen(2)
			copy(View[int32](a), []int32{7, 8})
			a.SetLen(1000)
			if v := View[int32](a); v[0] != 7 || v[1] != 8 {
				t.Errorf("growing lost the contents: %v", v[:2])
			}
		}
		if n := from[unsafe.SliceData(a.Mem())]; len(from) != 1 || n < len(a.Data)+slack {
			t.Errorf("%v: %d allocations, the array's of %d bytes for %d", shape, len(from), n, len(a.Data))
		}
		a.Free()
		if len(from) != 0 {
			t.Errorf("%v: %d allocations are left", shape, len(from))
		}
	}
}
