// What the tests of this package share: boards, ways to play them, and
// readable access to a batch's arrays.

package batch_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/ants/antsref"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/obs"
)

// everyArray names all arrays that a batch of Ants can export.
var everyArray = []string{
	"planes", "ant_offsets", "ant_cells", "ant_mask", "cell_mask", "reward", "terminated", "truncated", "done", "valid",
	"reason", "turn", "score", "rank", "ant_count", "episode_return", "episode_gathered", "episode_kills",
	"episode_losses", "episode_razed",
}

// everyReward weighs every term of the reward, each differently.
var everyReward = map[string]float64{"score": 1, "food": 0.5, "kills": 0.25, "losses": 0.125, "explore": 2, "win": 8, "rank": 4}

// options are the switches of Ants.
func options(perOwner, recentre bool) map[string]bool {
	return map[string]bool{"per_owner": perOwner, "recentre": recentre}
}

// newBatch makes a batch that is closed with the test.
func newBatch(t testing.TB, c batch.Config) *batch.Batch {
	t.Helper()
	b, err := batch.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rulesOf reads a rule set; its JSON text makes all spellings equal.
func rulesOf(t testing.TB, text string) *ants.Rules {
	t.Helper()
	r, err := ants.ParseRules(text)
	must(t, err)
	return &r
}

// bundled reads a bundled map.
func bundled(t testing.TB, id string) *ants.Map {
	t.Helper()
	m, err := ants.BundledMap(id)
	must(t, err)
	return m
}

// generated makes a map from a seed.
func generated(t testing.TB, o ants.GenerateOptions) *ants.Map {
	t.Helper()
	m, err := ants.Generate(o)
	must(t, err)
	return m
}

// tiny is a board of 2x3, far smaller than every disk.
func tiny() *ants.Map {
	return &ants.Map{Name: "tiny", Rows: 2, Cols: 3, Players: 2, Water: make([]bool, 6),
		Hills: []ants.Spot{{Cell: 0, Owner: 0}, {Cell: 4, Owner: 1}}, Food: []int32{2}}
}

// mixedMaps are boards of different sizes and seats, among them some that are
// smaller than a word, one of a word exactly and one of more, with and without
// a symmetry.
func mixedMaps(t testing.TB) []env.Map {
	t.Helper()
	maps := []env.Map{
		tiny(), bundled(t, "tiny-2p"),
		generated(t, ants.GenerateOptions{Family: "open", Seats: 4, HillsPerSeat: 2, Rows: 24, Cols: 64, Seed: 5}),
		generated(t, ants.GenerateOptions{Family: "cave", Seats: 2, Rows: 24, Cols: 68, Seed: 6}),
	}
	for seed := uint64(1); len(maps) < 7; seed++ {
		m := envtest.AntsMap(envtest.Choices(seed))
		if m.Rows <= 40 && m.Cols <= 66 && m.Players <= 5 {
			maps = append(maps, m)
		}
	}
	return maps
}

// scatter puts boards into the middle of things: states that the rules can be
// played on from, drawn from the seed. Every third board stays where it is.
func scatter(t testing.TB, b *batch.Batch, seed uint64) {
	t.Helper()
	for i := range b.Config().Boards {
		if i%3 == 2 {
			continue
		}
		e := engineOf(b, i)
		must(t, e.SetState(envtest.AntsState(envtest.Choices(env.Derive(seed, uint64(i))), e.Rules(), e.Map()).Append(nil)))
	}
	b.Refresh()
}

// engineOf is one board of a batch of Ants.
func engineOf(b *batch.Batch, board int) ants.Engine { return b.Board(board).(ants.Engine) }

// stateOf is the state of one board.
func stateOf(b *batch.Batch, board int) *ants.State { return engineOf(b, board).State() }

// boards are 0..n-1.
func boards(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// view is an array's elements. It fails the test where there is no such array.
func view[T obs.Elem](t testing.TB, b *batch.Batch, name string) []T {
	t.Helper()
	a := b.Array(name)
	if a == nil {
		t.Fatalf("no array %q", name)
	}
	return obs.View[T](a)
}

// listed is how many ants the ragged arrays list.
func listed(t testing.TB, b *batch.Batch) int {
	t.Helper()
	offsets := view[int64](t, b, "ant_offsets")
	return int(offsets[len(offsets)-1])
}

// elements is the number of elements of a head's array.
func elements(t testing.TB, b *batch.Batch, head string) int {
	t.Helper()
	for _, f := range b.Heads() {
		if f.Name != head {
			continue
		}
		dims, err := b.Sizes().Resolve(f.Shape)
		must(t, err)
		if f.Ragged() {
			dims[0] = listed(t, b)
		}
		n := 1
		for _, d := range dims {
			n *= d
		}
		return n
	}
	t.Fatalf("no head %q", head)
	return 0
}

// heads are the ways to give actions; the last one samples.
var heads = []string{"ant", "cell", "ant_logits", "cell_logits", "sampled"}

// randomActions draws a step's actions through one of heads. Logits have ties,
// infinities and NaNs among them.
func randomActions(t testing.TB, b *batch.Batch, head string, rng *env.RNG) batch.Actions {
	t.Helper()
	a := batch.Actions{Head: head}
	if head == "sampled" {
		a = batch.Actions{Head: "ant_logits", Sample: true, Seed: rng.Next(), Temperature: 0.7}
	}
	n := elements(t, b, a.Head)
	if a.Head == "ant" || a.Head == "cell" {
		a.Uint8 = make([]uint8, n)
		for i := range a.Uint8 {
			a.Uint8[i] = uint8(rng.Below(uint64(ants.NumActions)))
		}
		return a
	}
	a.Float32 = make([]float32, n)
	for i := range a.Float32 {
		a.Float32[i] = randomLogit(rng)
	}
	return a
}

func randomLogit(rng *env.RNG) float32 {
	switch rng.Below(24) {
	case 0:
		return float32(math.NaN())
	case 1:
		return float32(math.Inf(1))
	case 2:
		return float32(math.Inf(-1))
	}
	return float32(int(rng.Below(9))-4) / 2
}

// sameArrays fails the test where an exported array of got differs from that
// of want.
func sameArrays(t testing.TB, what string, got, want *batch.Batch) {
	t.Helper()
	for _, name := range want.Names() {
		sameArray(t, what, got.Array(name), want.Array(name))
		if want.Final(name) != nil {
			sameArray(t, what+", final", got.Final(name), want.Final(name))
		}
	}
}

func sameArray(t testing.TB, what string, got, want *obs.Array) {
	t.Helper()
	if !slices.Equal(got.Dims, want.Dims) {
		t.Fatalf("%s: array %s has the shape %v, want %v", what, want.Name, got.Dims, want.Dims)
	}
	if at := firstDifference(got.Data, want.Data); at >= 0 {
		t.Fatalf("%s: array %s of shape %v differs from byte %d: %d, want %d", what, want.Name, want.Dims, at, got.Data[at], want.Data[at])
	}
}

// firstDifference is the first index where equally long bytes differ, or -1.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range a {
		if i == len(b) || a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// boardBytes is what an array says of one board: its rows of axis B, or its
// entries between the board's offsets.
func boardBytes(t testing.TB, b *batch.Batch, a *obs.Array, board int) []byte {
	t.Helper()
	seats := b.Sizes()["S"]
	switch {
	case a.Ragged():
		offsets := view[int64](t, b, "ant_offsets")
		lo, hi := int(offsets[board*seats]), int(offsets[(board+1)*seats])
		return a.Data[lo*a.Stride() : hi*a.Stride()]
	case a.Shape[0] == "O":
		offsets := obs.View[int64](a)[board*seats : (board+1)*seats+1]
		var counts []byte
		for i := range seats {
			counts = fmt.Appendf(counts, "%d ", offsets[i+1]-offsets[i])
		}
		return counts
	}
	return a.Data[board*a.Stride() : (board+1)*a.Stride()]
}

// A cut reads one array of planes.
type planesArray struct {
	a        *obs.Array
	names    []string
	c, h, w  int
	seats    int
	rowBytes int
}

// planesOf is the planes array of a batch whose boards have the given seats at
// most.
func planesOf(t testing.TB, b *batch.Batch) planesArray {
	t.Helper()
	a := b.Array("planes")
	if a == nil {
		t.Fatal("no array planes")
	}
	z := b.Sizes()
	p := planesArray{a: a, c: z["C"], h: z["H"], w: z["W"], seats: z["S"], rowBytes: z["RB"]}
	cfg := b.Config()
	pad := false
	rows, cols := cfg.Maps[0].Size()
	for _, m := range cfg.Maps {
		r, c := m.Size()
		pad = pad || r != rows || c != cols
	}
	for _, plane := range ants.Planes(z["P"], cfg.Options["per_owner"], pad) {
		p.names = append(p.names, plane.Name)
	}
	if len(p.names) != p.c {
		t.Fatalf("%d planes, want %v", p.c, p.names)
	}
	return p
}

// at is a cell's value in one plane: 0 or 1, and anything else as -1.
func (p planesArray) at(board, seat, plane, r, c int) int {
	index := (board*p.seats+seat)*p.c + plane
	cell := index*p.h*p.w + r*p.w + c
	value := func(x, one uint32) int {
		switch x {
		case 0:
			return 0
		case one:
			return 1
		}
		return -1
	}
	switch p.a.DType {
	case obs.Bit:
		return int(p.a.Data[(index*p.h+r)*p.rowBytes+c/8] >> (c % 8) & 1)
	case obs.Uint8:
		return value(uint32(p.a.Data[cell]), 1)
	case obs.Float16:
		return value(uint32(obs.View[uint16](p.a)[cell]), 0x3C00)
	}
	return value(math.Float32bits(obs.View[float32](p.a)[cell]), 0x3F800000)
}

// tail tells whether the bits past the last column of a packed row are clear;
// it is true of other element types.
func (p planesArray) tail(board, seat, plane, r int) bool {
	if p.a.DType != obs.Bit || p.w%8 == 0 {
		return true
	}
	index := (board*p.seats+seat)*p.c + plane
	return p.a.Data[(index*p.h+r)*p.rowBytes+p.rowBytes-1]>>(p.w%8) == 0
}

// recorder keeps the orders of the last step of every board.
type recorder [][][]byte

func newRecorder(n int) recorder { return make(recorder, n) }

// Orders is called by the workers, each for its own boards.
func (r recorder) Orders(board int, orders [][]byte) {
	r[board] = make([][]byte, len(orders))
	for seat := range orders {
		r[board][seat] = bytes.Clone(orders[seat])
	}
}

// reference is a reference engine in the state of one board.
func reference(t testing.TB, b *batch.Batch, board int) *antsref.Engine {
	t.Helper()
	e := engineOf(b, board)
	ref, err := antsref.New(e.Rules(), e.Map())
	must(t, err)
	must(t, ref.SetState(e.AppendState(nil)))
	return ref
}
