package pack

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// slowWave is the definition of what a wave tells: distances by cell, targets
// first, cells out of sight from farLevel on.
func slowWave(b Board, cells []int32, s *Sight) []uint8 {
	where := newTrack(b)
	set := func(p []byte, cell int32) bool {
		r, c := int(cell)/b.Stride, int(cell)%b.Stride
		return p[r*s.Stride+c/8]>>(c%8)&1 == 1
	}
	const never = 1 << 20
	level := make([]int, b.Rows*b.Stride)
	shut := make([]bool, len(level))
	dark := make([]bool, len(level))
	targets := false
	for cell := range level {
		level[cell] = never
		if cell%b.Stride >= b.Cols {
			continue
		}
		at := int32(cell)
		shut[cell] = set(s.Walls, at) || set(s.Items, at)
		dark[cell] = !set(s.Walls, at) && !set(s.Visible, at)
		if set(s.Targets, at) {
			level[cell], targets = 0, true
		}
	}
	start := 0
	if !targets {
		start = farLevel
	}
	for k := start; k < maxLevel; k++ {
		for cell := range level {
			if k == farLevel && dark[cell] && !shut[cell] && level[cell] == never {
				level[cell] = farLevel
			}
		}
		for cell := range level {
			if level[cell] != never || shut[cell] || cell%b.Stride >= b.Cols {
				continue
			}
			for o := range byte(4) {
				if level[where.wrapped(int32(cell), o)] == k {
					level[cell] = k + 1
				}
			}
		}
	}
	on := make([]uint8, len(cells))
	for i, cell := range cells {
		if l := level[cell]; l != never && l != 0 && !(l == farLevel && dark[cell]) {
			for o := range byte(4) {
				if level[where.wrapped(cell, o)] == l-1 {
					on[i] |= 1 << o
				}
			}
		}
	}
	return on
}

// TestWave: every level says what the definition says.
func TestWave(t *testing.T) {
	best := flow
	defer func() { flow = best }()
	for _, flow = range flowLevels {
		t.Run(flow.level, testWave)
	}
}

func testWave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Board{Rows: rapid.IntRange(1, 40).Draw(t, "rows"), Cols: rapid.SampledFrom([]int{1, 2, 7, 8, 31, 63, 64, 65, 96, 127, 128, 129}).Draw(t, "cols")}
		b.Stride = b.Cols + rapid.IntRange(0, 70).Draw(t, "padding")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		s := Sight{Stride: (b.Stride + 7) / 8}
		plane := func(share float64) []byte {
			p := make([]byte, b.Rows*s.Stride)
			for row := range b.Rows {
				for c := range b.Stride {
					if r.Float64() < share {
						p[row*s.Stride+c/8] |= 1 << (c % 8)
					}
				}
			}
			return p
		}
		s.Walls, s.Items = plane(0.2), plane(0.05)
		s.Visible = plane(rapid.SampledFrom([]float64{0.2, 0.9, 0.99, 1}).Draw(t, "visible"))
		s.Targets = plane(rapid.SampledFrom([]float64{0, 0.002, 0.1}).Draw(t, "targets"))
		var cells []int32
		for cell := range b.Rows * b.Stride {
			in := s.Visible[cell/b.Stride*s.Stride+cell%b.Stride/8]>>(cell%b.Stride%8)&1 == 1
			if cell%b.Stride < b.Cols && in && r.IntN(3) == 0 {
				cells = append(cells, int32(cell))
			}
		}
		w := newWave(b)
		for range 2 { // the second time over what the first left behind
			w.spread(cells, &s)
			for i, want := range slowWave(b, cells, &s) {
				if got := w.on[i]; got != want {
					t.Fatalf("unit on cell %d: %04b leads on, want %04b", cells[i], got, want)
				}
			}
		}
	})
}

// BenchmarkWave spreads a wave to 31 units on a board of 64x96, as in the middle of a
// game.
func BenchmarkWave(b *testing.B) {
	best := flow
	defer func() { flow = best }()
	board := Board{64, 96, 96}
	r := rand.New(rand.NewPCG(5, 5))
	plane := func(share float64) []byte {
		p := make([]byte, board.Rows*board.Cols/8, board.Rows*board.Cols/8+64)
		for i := range p {
			for k := range 8 {
				if r.Float64() < share {
					p[i] |= 1 << k
				}
			}
		}
		return p
	}
	s := Sight{Stride: 12, Walls: plane(0.1), Items: plane(0.005), Targets: plane(0.003), Visible: plane(0.995)}
	var cells []int32
	for cell := range int32(board.Rows * board.Cols) {
		if s.Walls[cell/8]>>(cell%8)&1 == 0 && r.IntN(board.Rows*board.Cols) < 31 {
			cells = append(cells, cell)
		}
	}
	for _, flow = range flowLevels {
		b.Run(flow.level, func(b *testing.B) {
			w := newWave(board)
			for b.Loop() {
				w.spread(cells, &s)
			}
		})
	}
}
