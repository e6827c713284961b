package pack

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/myriant-rl/myriant/env/formica"
)

// A said is what a seat ordered in a step.
type said struct {
	seat  int
	order formica.Order
	given bool
}

// drawOrder draws any valid order of a board of so many cells.
func drawOrder(t *rapid.T, cells int) formica.Order {
	o := formica.Order{
		Mode: formica.Mode(rapid.IntRange(0, formica.NumModes-1).Draw(t, "mode")), Defend: rapid.Bool().Draw(t, "defend"), Target: formica.NoCell,
	}
	if rapid.Bool().Draw(t, "even") {
		o.Alloc = formica.AllocTenths[rapid.IntRange(0, formica.NumTenths-1).Draw(t, "tenths")]
	} else {
		food := rapid.IntRange(0, formica.AllocWhole).Draw(t, "food")
		defense := rapid.IntRange(0, formica.AllocWhole-food).Draw(t, "defense")
		o.Alloc = formica.Alloc{uint16(food), uint16(defense), uint16(formica.AllocWhole - food - defense)}
	}
	if rapid.Bool().Draw(t, "moves") {
		o.Target = int32(rapid.IntRange(0, cells-1).Draw(t, "target"))
	}
	return o
}

func pack(e *ColonyEncoder, share []uint8, list []said) []byte {
	e.Reset(share)
	for _, s := range list {
		e.Add(s.seat, s.order, s.given)
	}
	return e.Append(nil)
}

// TestColonies: any orders come back, from an encoder and a decoder that were
// used before.
func TestColonies(t *testing.T) {
	const seats, cells = 3, 3*31*32 + 1
	e, d := NewColonyEncoder(seats), NewColonyDecoder(seats)
	rapid.Check(t, func(t *rapid.T) {
		share := []uint8{0, uint8(rapid.IntRange(0, 1).Draw(t, "share")), 0}
		var list []said
		before := [seats]formica.Order{formica.DefaultOrder(), formica.DefaultOrder(), formica.DefaultOrder()}
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			for seat := range seats {
				s := said{seat: seat, given: rapid.IntRange(0, 3).Draw(t, "given") > 0}
				if s.given {
					if s.order = before[seat]; rapid.Bool().Draw(t, "new") {
						s.order = drawOrder(t, cells)
					}
					before[seat] = s.order
				}
				list = append(list, s)
			}
		}
		data := pack(e, share, list)
		if err := d.Reset(data, share); err != nil {
			t.Fatal(err)
		}
		for i, s := range list {
			o, given, err := d.Read(s.seat)
			if err != nil || given != s.given || o != s.order {
				t.Fatalf("entry %d: %+v %t (%v), want %+v %t", i, o, given, err, s.order, s.given)
			}
		}
		if err := d.End(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestColoniesShort: a colony that says the same again and again takes next to
// nothing, and one that changes between a few orders little.
func TestColoniesShort(t *testing.T) {
	e := NewColonyEncoder(4)
	share := []uint8{0, 0, 1, 1}
	var same, few []said
	for step := range 80 {
		for seat := range 4 {
			o := formica.Order{Alloc: formica.AllocTenths[20+seat], Target: formica.NoCell}
			same = append(same, said{seat, o, true})
			if step%7 >= 3 {
				o.Mode = formica.ModeRaid
			}
			few = append(few, said{seat, o, true})
		}
	}
	if n := len(pack(e, share, same)); n > 24 {
		t.Errorf("%d bytes for 320 orders of which four are new", n)
	}
	if n := len(pack(e, share, few)); n > 60 {
		t.Errorf("%d bytes for 320 orders that change now and then", n)
	}
}

// Bytes that no encoder wrote are errors or orders, never a panic; what is cut or
// longer is not at its end.
func FuzzColonies(f *testing.F) {
	e := NewColonyEncoder(2)
	share := []uint8{0, 1}
	o := formica.Order{Mode: formica.ModeRelocate, Alloc: formica.Alloc{1, 2, 9997}, Target: 77}
	f.Add(pack(e, share, []said{{0, o, true}, {1, formica.Order{}, false}, {0, o, true}, {1, formica.DefaultOrder(), true}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := NewColonyDecoder(2)
		if err := d.Reset(data, share); err != nil {
			if !errors.Is(err, ErrPacked) {
				t.Fatal(err)
			}
			return
		}
		for i := range 200 {
			o, given, err := d.Read(i % 2)
			if err != nil {
				if !errors.Is(err, ErrPacked) {
					t.Fatal(err)
				}
				return
			}
			if given {
				if _, err := formica.DecodeOrder(o.Append(nil), 1<<targetBits); err != nil {
					t.Fatalf("order %d: %v", i, err)
				}
			}
		}
	})
}

func TestColoniesErrors(t *testing.T) {
	e, d := NewColonyEncoder(1), NewColonyDecoder(1)
	share := []uint8{0}
	var list []said
	for i := range formica.NumTenths {
		list = append(list, said{0, formica.Order{Alloc: formica.AllocTenths[i], Target: int32(i)}, true})
	}
	data := pack(e, share, list)
	for name, bad := range map[string][]byte{"nothing": nil, "of units": append([]byte{1 << 4}, data[1:]...)} {
		if err := d.Reset(bad, share); !errors.Is(err, ErrPacked) {
			t.Errorf("%s: %v", name, err)
		}
	}
	read := func(data []byte) error {
		if err := d.Reset(data, share); err != nil {
			return err
		}
		for range list {
			if _, _, err := d.Read(0); err != nil {
				return err
			}
		}
		return d.End()
	}
	if err := read(data); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{"cut": data[:len(data)/2], "a byte less": data[:len(data)-1], "a byte more": append(data[:len(data):len(data)], 0)} {
		if err := read(bad); !errors.Is(err, ErrPacked) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
