package abi

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// A twin is a batch made from the same configuration, driven directly.
func twin(t *testing.T, config string) *batch.Batch {
	t.Helper()
	c, err := parseConfig([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	b, err := batch.New(c.whole(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// same holds a table to a twin's arrays.
func same(t *testing.T, when string, table []Row, b *batch.Batch) {
	t.Helper()
	names := b.Names()
	for i := range table {
		a := b.Array(names[i%len(names)])
		if i >= len(names) {
			a = b.Final(names[i%len(names)])
		}
		r := &table[i]
		shape := r.Shape[:r.NDim]
		if r.name() != a.Name || fmt.Sprint(shape) != fmt.Sprint(a.Dims) {
			t.Fatalf("%s: row %d is %s %v, want %s %v", when, i, r.name(), shape, a.Name, a.Dims)
		}
		if !bytes.Equal(r.data(), a.Data) {
			t.Fatalf("%s: row %d, %s, differs", when, i, a.Name)
		}
	}
}

// stepConfigs are batches with callers, of both games and in all modes.
func stepConfigs() map[string]string {
	list := map[string]string{}
	for _, mode := range []string{"next_step", "same_step", "disabled"} {
		list["ants "+mode] = `{"boards":7,"maps":["tiny-2p","small-3p"],"policies":[["caller","greedy"],["hunter","caller"]],
			"rules":{"name":"ladder","max_turns":20},"workers":3,"autoreset":"` + mode + `"}`
		list["formica "+mode] = `{"game":"formica","boards":5,"rules":{"name":"duel","max_ticks":60},"maps":["duel"],
			"policies":[["caller","raid"]],"workers":2,"autoreset":"` + mode + `"}`
	}
	return list
}

// choices draws what the caller does, for the head of the number.
func choices(b *batch.Batch, head int, rng *env.RNG) (*Actions, batch.Actions) {
	f := b.Heads()[head]
	dims, err := b.Sizes().Resolve(f.Shape)
	if err != nil {
		panic(err)
	}
	if f.Ragged() {
		dims[0] = b.Array("ant_cells").Dims[0]
	}
	n := 1
	for _, d := range dims {
		n *= d
	}
	var a *Actions
	to := batch.Actions{Head: f.Name}
	switch {
	case f.DType == obs.Float32:
		to.Float32 = make([]float32, n)
		for i := range to.Float32 {
			to.Float32[i] = float32(rng.Below(1000)) / 100
		}
		a = acts(f.Name, to.Float32)
		if to.Sample = rng.Below(2) == 0; to.Sample {
			to.Seed, to.Temperature = rng.Next(), float32(rng.Below(3))
			a.Flags, a.Seed, a.Temperature = Sample, to.Seed, to.Temperature
		}
	case f.DType == obs.Int32:
		to.Int32 = make([]int32, n) // weights must not be all 0
		for i := range to.Int32 {
			to.Int32[i] = int32(rng.Below(2))
			if dims[2] == 6 && i%6 >= 1 && i%6 <= 3 {
				to.Int32[i]++
			}
		}
		a = acts(f.Name, to.Int32)
	case f.Name == "order_bytes":
		to.Uint8 = slices.Repeat([]uint8{255}, n)
		a = acts(f.Name, to.Uint8)
	default:
		to.Uint8 = make([]uint8, n)
		for i := range to.Uint8 {
			to.Uint8[i] = uint8(rng.Below(5))
		}
		a = acts(f.Name, to.Uint8)
	}
	shape := make([]int64, len(dims))
	for i, d := range dims {
		shape[i] = int64(d)
	}
	if rng.Below(2) == 0 {
		a.Buffer.Shape, a.Buffer.NDim = first(shape), int32(len(shape))
	}
	return a, to
}

// TestStep: whatever is done through the interface, in one call or two, gives
// the arrays that the batch itself gives.
func TestStep(t *testing.T) {
	for name, config := range stepConfigs() {
		t.Run(name, func(t *testing.T) {
			l := newTester(t)
			id, b := l.create(config), twin(t, config)
			boards := b.Config().Boards
			rng := env.RNG(1)
			table := make([]Row, l.spec(id).Table)
			l.ok(id, l.Reset(id, 7))
			if err := b.Reset(7); err != nil {
				t.Fatal(err)
			}
			moved := 0
			for step := range 60 {
				a, direct := choices(b, step%len(b.Heads()), &rng)
				if err := b.Step(direct); err != nil {
					t.Fatal(err)
				}
				before := slices.Clone(table)
				if step%2 == 0 {
					l.ok(id, l.Step(id, a, table, true))
				} else {
					l.ok(id, l.Send(id, a))
					l.ok(id, l.Recv(id, -1, table, true))
				}
				for i := range table {
					if table[i].Block != before[i].Block {
						moved++
					}
				}
				same(t, fmt.Sprint("step ", step), table, b)
				if step%10 != 9 {
					continue
				}
				mask, seeds, list := make([]byte, boards), make([]uint64, boards), []int{}
				for i := range mask {
					seeds[i] = rng.Next()
					if rng.Below(2) == 0 {
						mask[i] = byte(1 + rng.Below(255))
						list = append(list, i)
					}
				}
				given := []uint64{}
				for _, i := range list {
					given = append(given, seeds[i])
				}
				switch step / 10 % 3 {
				case 0:
					l.ok(id, l.ResetMask(id, first(mask), int64(boards), nil, 0))
					given = nil
				case 1:
					l.ok(id, l.ResetMask(id, first(mask), int64(boards), first(seeds), SeedsEpisode))
				case 2:
					l.ok(id, l.ResetMask(id, first(mask), int64(boards), first(seeds), SeedsStream))
					if err := b.ResetStreams(list, given); err != nil {
						t.Fatal(err)
					}
				}
				if step/10%3 != 2 {
					if err := b.ResetBoards(list, given); err != nil {
						t.Fatal(err)
					}
				}
				l.ok(id, l.Arrays(id, table))
				same(t, "after a reset of some boards", table, b)
			}
			if moved < len(table) {
				t.Errorf("%d of %d blocks were ever told", moved, len(table))
			}
		})
	}
}

// TestStreams: the first reset may give every board a stream of its own, which
// is that of a batch of one.
func TestStreams(t *testing.T) {
	l := newTester(t)
	id, one := l.create(native("")), l.create(`{"boards":1,"maps":["tiny-2p"],"rules":{"name":"ladder","max_turns":3},"policies":[["greedy","random"]]}`)
	l.ok(id, l.ResetMask(id, first([]byte{1, 1, 1, 1}), 4, first([]uint64{5, 6, 1<<64 - 1, 8}), SeedsStream))
	l.ok(one, l.Reset(one, 1<<64-1))
	for step := range 10 {
		var got, want uint64
		l.ok(id, l.Hash(id, first([]int64{2}), 1, &got))
		l.ok(one, l.Hash(one, first([]int64{0}), 1, &want))
		if got != want {
			t.Fatalf("step %d: hash %x, want %x", step, got, want)
		}
		l.ok(id, l.Step(id, nil, nil, false))
		l.ok(one, l.Step(one, nil, nil, false))
	}
}

// TestActions: actions that cannot be read are refused, and change nothing.
func TestActions(t *testing.T) {
	l := newTester(t)
	id := l.create(small) // 3 boards, 2 seats, 24x24
	l.ok(id, l.Reset(id, 1))
	ants := int(find(t, l.table(id), "ant_cells", false).Shape[0])
	if ants == 0 {
		t.Fatal("no ants")
	}
	cells := 3 * 2 * 24 * 24
	with := func(a *Actions, change func(b *Buffer)) *Actions { change(&a.Buffer); return a }
	good := make([]uint8, 4*cells)
	shaped := func(shape, strides []int64) *Actions {
		return with(acts("cell", good[:cells]), func(b *Buffer) {
			b.Shape, b.NDim = first(shape), int32(len(shape))
			if strides != nil {
				b.Strides = first(strides)
			}
		})
	}
	sample := func(head string, temperature float32, flags uint32) *Actions {
		a := acts(head, make([]float32, 5*ants))
		a.Flags, a.Temperature = flags, temperature
		return a
	}
	bad := make([]uint8, ants)
	bad[ants-1] = 99
	full := []int64{3, 2, 24, 24}
	for _, c := range []struct {
		what string
		a    *Actions
		want Status
		part string
	}{
		{"none", nil, ErrOrders, "no actions given"},
		{"no head", &Actions{}, ErrOrders, "no actions given"},
		{"a head that is none", acts("tail", good), ErrOrders, `no head "tail" (have ant, cell, ant_logits, cell_logits)`},
		{"a long name", acts("0123456789012345678901234567890123456789", good), ErrOrders, `no head "01234567890123456789012345678901"`},
		{"one ant less", acts("ant", good[:ants-1]), ErrOrders, "want"},
		{"one ant more", acts("ant", good[:ants+1]), ErrOrders, "want"},
		{"no ants", acts("ant", good[:0]), ErrOrders, "want"},
		{"action 99", acts("ant", bad), ErrOrders, "99"},
		{"one cell less", acts("cell", good[:cells-1]), ErrOrders, "want 3456"},
		{"one cell more", acts("cell", good[:cells+1]), ErrOrders, "want 3456"},
		{"no cells", acts("cell", good[:0]), ErrOrders, "want 3456"},
		{"int32", acts("cell", make([]int32, cells)), ErrOrders, "elements of int32, want uint8"},
		{"int64", with(acts("cell", good[:cells]), func(b *Buffer) { b.DType = int32(obs.Int64) }), ErrOrders, "elements of int64, want uint8"},
		{"type 77", with(acts("cell", good[:cells]), func(b *Buffer) { b.DType = 77 }), ErrOrders, "elements of type 77"},
		{"null", with(acts("cell", good[:cells]), func(b *Buffer) { b.Data = nil }), ErrOrders, "bytes at"},
		{"-1 bytes", with(acts("cell", good[:cells]), func(b *Buffer) { b.Bytes = -1 }), ErrOrders, "-1 bytes"},
		{"more bytes than there are", with(acts("ant", good), func(b *Buffer) { b.Bytes = math.MaxInt64 }), ErrOrders, "9223372036854775807 bytes"},
		{"half a row", with(acts("ant_logits", make([]float32, 5*ants)), func(b *Buffer) { b.Bytes -= 4 }), ErrOrders, "multiple of 20"},
		{"off by a byte", with(acts("ant_logits", make([]float32, 5*ants+1)), func(b *Buffer) { b.Data = unsafe.Add(b.Data, 1); b.Bytes -= 4 }), ErrOrders, "not aligned"},
		{"of 3 axes", shaped([]int64{6, 24, 24}, nil), ErrOrders, "3 axes, want 4"},
		{"of another shape", shaped([]int64{2, 3, 24, 24}, nil), ErrOrders, "shape [2 3 24 24], want [3 2 24 24]"},
		{"a negative axis", shaped([]int64{3, 2, -24, 24}, nil), ErrOrders, "shape"},
		{"transposed", shaped(full, []int64{1152, 576, 1, 24}), ErrOrders, "not contiguous"},
		{"every second cell", shaped(full, []int64{2304, 1152, 48, 2}), ErrOrders, "not contiguous"},
		{"repeated rows", shaped(full, []int64{1152, 576, 0, 1}), ErrOrders, "not contiguous"},
		{"flag 2", sample("ant_logits", 1, 2), ErrArgument, "flags"},
		{"sampling what are no logits", func() *Actions { a := acts("ant", good[:ants]); a.Flags = Sample; return a }(), ErrArgument, "no logits"},
		{"temperature -1", sample("ant_logits", -1, Sample), ErrArgument, "temperature"},
		{"temperature NaN", sample("ant_logits", float32(math.NaN()), Sample), ErrArgument, "temperature"},
		{"temperature Inf", sample("ant_logits", float32(math.Inf(1)), Sample), ErrArgument, "temperature"},
	} {
		var before, after [3]uint64
		three := first([]int64{0, 1, 2})
		l.ok(id, l.Hash(id, three, 3, &before[0]))
		l.fails(c.what, id, l.Step(id, c.a, nil, false), c.want, c.part)
		sent := l.Send(id, c.a)
		if sent == OK { // the game's own complaint
			sent = l.Recv(id, -1, nil, false)
		}
		l.fails(c.what+", sent", id, sent, c.want, c.part)
		l.ok(id, l.Hash(id, three, 3, &after[0]))
		if before != after {
			t.Errorf("%s: the boards changed", c.what)
		}
	}
	for _, a := range []*Actions{
		shaped(full, nil), shaped(full, []int64{1152, 576, 24, 1}), acts("ant", good[:0]), sample("ant_logits", 0, Sample),
	} {
		if a.Buffer.Bytes == 0 {
			continue
		}
		h, _ := l.find(id)
		n := h.b.Array("ant_cells").Dims[0]
		if textAt(a.Head, MaxName) == "ant_logits" {
			a = acts("ant_logits", make([]float32, 5*n))
		}
		l.ok(id, l.Step(id, a, nil, false))
	}
	for _, n := range []int{0, 13, 15} {
		l.fails("a table", id, l.Step(id, acts("cell", good[:cells]), make([]Row, n), true), ErrArgument, "want 14")
		l.fails("a table", id, l.Arrays(id, make([]Row, n)), ErrArgument, "want 14")
	}
}

// TestZeroAnts: a batch without an ant left steps with no actions.
func TestZeroAnts(t *testing.T) {
	l := newTester(t)
	id := l.create(`{"boards":2,"maps":["rows 3\ncols 4\nplayers 2\nm ....\nm ....\nm ....\n"],"rules":{"name":"ladder","endings":[{"check":"turn_limit","reason":"end"}]}}`)
	l.ok(id, l.Reset(id, 1))
	table := l.table(id)
	if n := find(t, table, "ant_cells", false).Shape[0]; n != 0 {
		t.Fatalf("%d ants", n)
	}
	l.ok(id, l.Step(id, acts("ant", []uint8{}), table, true))
	none := &Actions{Head: cText("ant"), Buffer: Buffer{DType: int32(obs.Uint8)}}
	l.ok(id, l.Step(id, none, table, true))
	none.Buffer.Shape, none.Buffer.NDim = first([]int64{0}), 1
	l.ok(id, l.Send(id, none))
	l.ok(id, l.Recv(id, -1, table, true))
	r := find(t, table, "ant_mask", false)
	if r.Bytes != 0 || r.Data == nil || uintptr(r.Data)%64 != 0 || r.Shape != [MaxNDim]int64{0, 5} {
		t.Errorf("a mask of %d bytes at %p, shape %v", r.Bytes, r.Data, r.Shape)
	}
	if turn := numbers[int32](find(t, table, "turn", false)); turn[0] != 3 || turn[1] != 3 {
		t.Errorf("turns %v", turn)
	}
	l.ok(id, l.Read(id, 3, &Buffer{DType: int32(obs.Int8)}))
}

// TestRead copies every array, and refuses memory that does not fit.
func TestRead(t *testing.T) {
	l := newTester(t)
	id := l.create(native(`,"autoreset":"same_step"`))
	l.ok(id, l.Reset(id, 1))
	for range 3 {
		l.ok(id, l.Step(id, nil, nil, false))
	}
	table := l.table(id)
	for i := range table {
		r := &table[i]
		words := make([]uint64, r.Bytes/8+1)
		to := Buffer{Data: unsafe.Pointer(&words[0]), Bytes: r.Bytes, DType: r.DType, Shape: &r.Shape[0], NDim: r.NDim}
		l.ok(id, l.Read(id, int64(i), &to))
		if got := unsafe.Slice((*byte)(to.Data), r.Bytes); !bytes.Equal(got, r.data()) {
			t.Errorf("row %d, %s, is copied otherwise", i, r.name())
		}
		to.Shape, to.Bytes = nil, r.Bytes+1
		l.fails(r.name(), id, l.Read(id, int64(i), &to), ErrArgument, fmt.Sprintf("array %s: %d bytes", r.name(), r.Bytes+1))
		to.Bytes, to.DType = r.Bytes, int32(obs.Uint64)
		l.fails(r.name(), id, l.Read(id, int64(i), &to), ErrArgument, "elements of uint64, want "+dtypeName(r.DType))
	}
	for _, row := range []int64{-1, int64(len(table))} {
		l.fails("a row that is none", id, l.Read(id, row, &Buffer{}), ErrArgument, "row")
	}
	l.fails("nowhere", id, l.Read(id, 0, nil), ErrArgument, "null")
}

// TestHold: a held block keeps its address, its bytes and its memory while the
// array moves on and the batch is closed.
func TestHold(t *testing.T) {
	l := newTester(t)
	id := l.create(`{"boards":2,"maps":["tiny-2p"],"policies":[["hunter","hunter"]],"observe":[0,1]}`)
	l.ok(id, l.Reset(id, 1))
	old := *find(t, l.table(id), "ant_cells", false)
	l.is("retain", l.Memory.Retain(old.Block), OK)
	now := old
	var bytes []byte
	for range 1000 {
		// The last of the old block: it moves within the next step.
		bytes = append(bytes[:0], now.data()...)
		l.ok(id, l.Step(id, nil, nil, false))
		if now = *find(t, l.table(id), "ant_cells", false); now.Block != old.Block {
			break
		}
	}
	if now.Block == old.Block || now.Data == old.Data {
		t.Fatal("it never moved")
	}
	last := slices.Clone(unsafe.Slice((*byte)(old.Data), len(bytes)))
	fixed := *find(t, l.table(id), "reward", false)
	l.is("retain", l.Memory.Retain(fixed.Block), OK)
	reward := slices.Clone(fixed.data())
	l.is("close", l.Close(id), OK)
	if !slices.Equal(reward, fixed.data()) || !slices.Equal(last, unsafe.Slice((*byte)(old.Data), len(last))) {
		t.Error("a held block changed after the end")
	}
	l.is("retain of a block that nobody holds", l.Memory.Retain(now.Block), ErrHandle)
	l.is("release", l.Memory.Release(old.Block), OK)
	l.is("release", l.Memory.Release(fixed.Block), OK)
}
