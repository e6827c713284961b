package pack

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A play is an episode as the coders see it: one entry a step and seat.
type play struct {
	board Board
	share []uint8
	turns []turn
}

type turn struct {
	seat  int
	cells []int32
	mask  []byte
	sight Sight
	given []byte
}

func (p *play) pack(e *Encoder) []byte {
	e.Reset(p.share)
	for _, t := range p.turns {
		e.Add(t.seat, t.cells, t.mask, &t.sight, t.given)
	}
	return e.Append(nil)
}

// unpack reads the play's orders back and tells the first difference.
func (p *play) unpack(d *Decoder, data []byte) error {
	if err := d.Reset(data, p.share); err != nil {
		return err
	}
	for i, t := range p.turns {
		given := make([]byte, len(t.given))
		if err := d.Read(t.seat, t.cells, t.mask, &t.sight, given); err != nil {
			return err
		}
		if !bytes.Equal(given, t.given) {
			return fmt.Errorf("entry %d: %v, want %v", i, given, t.given)
		}
	}
	return d.End()
}

func (p *play) orders() (n int) {
	for _, t := range p.turns {
		n += len(t.given)
	}
	return n
}

// walk is a play of units that wander about; choose picks an order for a unit
// with its mask and its last order.
func walk(seed uint64, b Board, seats, units, steps int, choose func(r *rand.Rand, mask []byte, last byte) byte) *play {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &play{board: b, share: make([]uint8, seats)}
	type unit struct {
		cell int32
		last byte
	}
	all := make([][]unit, seats)
	wall := map[int32]bool{}
	for range b.Rows * b.Cols / 5 {
		wall[int32(r.IntN(b.Rows)*b.Stride+r.IntN(b.Cols))] = true
	}
	for s := range all {
		for range units {
			all[s] = append(all[s], unit{int32(r.IntN(b.Rows)*b.Stride + r.IntN(b.Cols)), 4})
		}
	}
	where := newTrack(b)
	plane := func() []byte { return make([]byte, b.Rows*((b.Stride+7)/8)) }
	set := func(p []byte, cell int32) {
		p[int(cell)/b.Stride*((b.Stride+7)/8)+int(cell)%b.Stride/8] |= 1 << (int(cell) % b.Stride % 8)
	}
	walls, targets := plane(), plane()
	for cell := range wall {
		set(walls, cell)
	}
	set(targets, int32(r.IntN(b.Rows)*b.Stride+r.IntN(b.Cols)))
	for range steps {
		for s := range seats {
			slices.SortFunc(all[s], func(x, y unit) int { return int(x.cell - y.cell) })
			all[s] = slices.CompactFunc(all[s], func(x, y unit) bool { return x.cell == y.cell })
			t := turn{seat: s, sight: Sight{Stride: (b.Stride + 7) / 8, Visible: plane(), Walls: walls, Items: plane(), Targets: plane()}}
			if s%2 == 1 {
				t.sight.Targets = targets
			}
			for _, u := range all[s] {
				set(t.sight.Visible, u.cell)
				for k := range byte(4) {
					set(t.sight.Visible, where.wrapped(u.cell, k))
				}
			}
			set(t.sight.Items, int32(r.IntN(b.Rows)*b.Stride+r.IntN(b.Cols)))
			for i := range all[s] {
				u := &all[s][i]
				mask := []byte{1, 1, 1, 1, 1}
				for k := range mask[:4] {
					if wall[where.wrapped(u.cell, byte(k))] {
						mask[k] = 0
					}
				}
				u.last = choose(r, mask, u.last)
				t.cells, t.mask, t.given = append(t.cells, u.cell), append(t.mask, mask...), append(t.given, u.last)
				if u.last < 4 && mask[u.last] == 1 {
					u.cell = where.wrapped(u.cell, u.last)
				}
			}
			p.turns = append(p.turns, t)
		}
	}
	return p
}

func uniform(r *rand.Rand, mask []byte, _ byte) byte {
	for {
		if k := byte(r.IntN(orders)); mask[k] == 1 {
			return k
		}
	}
}

func steady(r *rand.Rand, mask []byte, last byte) byte {
	if last < 4 && mask[last] == 1 && r.IntN(8) > 0 {
		return last
	}
	return uniform(r, mask, last)
}

func anything(r *rand.Rand, _ []byte, _ byte) byte { return byte(r.IntN(orders)) }

func hold(*rand.Rand, []byte, byte) byte { return 4 }

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Board{Rows: rapid.IntRange(1, 40).Draw(t, "rows"), Cols: rapid.IntRange(1, 40).Draw(t, "cols")}
		b.Stride = b.Cols + rapid.IntRange(0, 9).Draw(t, "padding")
		seats := rapid.IntRange(1, 10).Draw(t, "seats")
		choose := rapid.SampledFrom([]func(*rand.Rand, []byte, byte) byte{uniform, steady, anything, hold}).Draw(t, "policy")
		p := walk(rapid.Uint64().Draw(t, "seed"), b, seats, rapid.IntRange(0, 60).Draw(t, "units"), rapid.IntRange(0, 80).Draw(t, "steps"), choose)
		for s := range p.share {
			p.share[s] = rapid.Uint8Range(0, MaxModels-1).Draw(t, "model")
		}
		e, d := NewEncoder(b, seats), NewDecoder(b, seats)
		data := p.pack(e)
		if err := p.unpack(d, data); err != nil {
			t.Fatal(err)
		}
		// Neither side remembers the episode before.
		if again := p.pack(e); !bytes.Equal(again, data) {
			t.Fatal("the second episode of an encoder differs from the first")
		}
		if err := p.unpack(d, data); err != nil {
			t.Fatalf("second time: %v", err)
		}
	})
}

// A long episode passes every limit: batches, the trial, halved counts.
func TestLongEpisode(t *testing.T) {
	for name, choose := range map[string]func(*rand.Rand, []byte, byte) byte{"uniform": uniform, "steady": steady, "hold": hold} {
		p := walk(3, Board{32, 32, 32}, 2, 300, 1200, choose)
		if n := p.orders(); n < trial+batch {
			t.Fatalf("%s: only %d orders", name, n)
		}
		if err := p.unpack(NewDecoder(p.board, 2), p.pack(NewEncoder(p.board, 2))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Packed orders take hardly more than what the policy's draws hold.
func TestSize(t *testing.T) {
	b := Board{32, 32, 32}
	bits := func(choose func(*rand.Rand, []byte, byte) byte) (float64, *play) {
		p := walk(5, b, 2, 40, 300, choose)
		return 8 * float64(len(p.pack(NewEncoder(b, 2)))) / float64(p.orders()), p
	}
	got, p := bits(uniform)
	entropy := 0.0
	for _, t := range p.turns {
		for i := range t.given {
			legal := 0
			for _, f := range t.mask[i*orders : (i+1)*orders] {
				legal += int(f)
			}
			entropy += math.Log2(float64(legal))
		}
	}
	entropy /= float64(p.orders())
	t.Logf("uniform: %.4f bits an order, entropy %.4f", got, entropy)
	if got > entropy+0.01 {
		t.Errorf("uniform takes %.4f bits an order, its entropy is %.4f", got, entropy)
	}
	if got, _ = bits(steady); got > 1.2 {
		t.Errorf("steady takes %.4f bits an order, want at most 1.2", got)
	}
	if got, _ = bits(hold); got > 0.06 {
		t.Errorf("hold takes %.4f bits an order, want at most 0.06", got)
	}
}

// The format is fixed: these bytes are in files.
func TestFormat(t *testing.T) {
	b := Board{Rows: 3, Cols: 4, Stride: 5}
	all := []byte{1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1}
	var turns []turn
	for i := range 40 {
		k := byte(i % 3)
		sight := Sight{Stride: 1, Visible: []byte{0x0f, 0x0f, 0x0e}, Walls: make([]byte, 3), Items: []byte{2, 0, 0}, Targets: make([]byte, 3)}
		turns = append(turns, turn{0, []int32{0, 6, 13}, all, sight, []byte{4, k, 0}}, turn{1, []int32{8}, []byte{1, 1, 1, 1, 1}, sight, []byte{1}})
	}
	for _, c := range []struct {
		turns int
		want  string
	}{
		{0, "10"}, {2, "10ccd1"}, {len(turns), "11cce4380eea518f6e4928cf"},
	} {
		q := &play{board: b, share: []uint8{0, 1}, turns: turns[:c.turns]}
		if got := hex.EncodeToString(q.pack(NewEncoder(b, 2))); got != c.want {
			t.Errorf("%d entries pack to %s, want %s", c.turns, got, c.want)
		}
	}
}

func TestDecoderRefuses(t *testing.T) {
	p := walk(9, Board{16, 16, 16}, 2, 20, 60, steady)
	good := p.pack(NewEncoder(p.board, 2))
	d := NewDecoder(p.board, 2)
	for _, data := range [][]byte{nil, {0}, {0x20}, {0x12}, {0x1f, 0, 0}, good[:1], good[:len(good)/2], good[:len(good)-1], append(slices.Clone(good), 0)} {
		err := p.unpack(d, data)
		if err == nil {
			t.Errorf("%d bytes of %d were accepted", len(data), len(good))
		}
	}
	if err := p.unpack(d, good[:len(good)/2]); err == nil {
		t.Errorf("cut in half: %v", err)
	}
	if err := p.unpack(d, good); err != nil {
		t.Errorf("after errors the decoder reads no more: %v", err)
	}
	// Too few bytes never read on for long, whatever they decode to.
	empty := append([]byte{good[0]}, 0xff)
	if err := p.unpack(d, empty); err == nil {
		t.Error("two bytes were read as a whole episode")
	}
}

func FuzzDecode(f *testing.F) {
	p := walk(11, Board{16, 16, 20}, 3, 20, 40, steady)
	f.Add(p.pack(NewEncoder(p.board, 3)))
	q := walk(12, Board{16, 16, 20}, 3, 20, 40, uniform)
	f.Add(q.pack(NewEncoder(q.board, 3)))
	f.Add([]byte{0x10})
	d := NewDecoder(p.board, 3)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := d.Reset(data, p.share); err != nil {
			return
		}
		var given [64]byte
		for _, turn := range p.turns {
			out := given[:len(turn.cells)]
			if err := d.Read(turn.seat, turn.cells, turn.mask, &turn.sight, out); err != nil {
				if !errors.Is(err, ErrPacked) {
					t.Fatal(err)
				}
				return
			}
			for _, k := range out {
				if k >= orders {
					t.Fatalf("order %d", k)
				}
			}
		}
		_ = d.End()
	})
}

func BenchmarkPack(b *testing.B) {
	for _, c := range []struct {
		name   string
		choose func(*rand.Rand, []byte, byte) byte
	}{{"uniform", uniform}, {"steady", steady}} {
		p := walk(7, Board{32, 32, 32}, 2, 40, 300, c.choose)
		n := int64(p.orders())
		e, d := NewEncoder(p.board, 2), NewDecoder(p.board, 2)
		b.Run("encode/"+c.name, func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				p.pack(e)
			}
		})
		data := p.pack(e)
		given := make([]byte, 64)
		b.Run("decode/"+c.name, func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				if err := d.Reset(data, p.share); err != nil {
					b.Fatal(err)
				}
				for _, t := range p.turns {
					if err := d.Read(t.seat, t.cells, t.mask, &t.sight, given[:len(t.cells)]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
