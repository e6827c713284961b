package bits

// Benchmarks of the hot kernels, per level.

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var benchShapes = []Shape{NewShape(32, 32), NewShape(96, 64), NewShape(64, 96), NewShape(124, 124)}

// benchLevels runs f for every level and shape, on a plane with one set cell
// in 25.
func benchLevels(b *testing.B, f func(b *testing.B, s *Shape, src []uint64)) {
	saved := active
	defer func() { active = saved }()
	for i := range benchShapes {
		s := &benchShapes[i]
		rng := rand.New(rand.NewPCG(1, 1))
		src := newBoard(s)
		for range s.Rows * s.Cols / 25 {
			src[rng.IntN(s.Rows)][rng.IntN(s.Cols)] = true
		}
		for _, k := range levels {
			active = k
			b.Run(fmt.Sprintf("board=%dx%d/level=%s", s.Rows, s.Cols, k.level), func(b *testing.B) {
				f(b, s, src.plane(s))
			})
		}
	}
}

func benchDilate(b *testing.B, radius2 int) {
	benchLevels(b, func(b *testing.B, s *Shape, src []uint64) {
		d := NewDisk(*s, radius2)
		dst, scratch := make([]uint64, s.PlaneWords()), make([]uint64, d.Scratch())
		for b.Loop() {
			d.Dilate(dst, src, scratch)
		}
	})
}

func BenchmarkDilate77(b *testing.B) { benchDilate(b, 77) }
func BenchmarkDilate5(b *testing.B)  { benchDilate(b, 5) }
func BenchmarkDilate1(b *testing.B)  { benchDilate(b, 1) }

func BenchmarkTranslate(b *testing.B) {
	benchLevels(b, func(b *testing.B, s *Shape, src []uint64) {
		dst := make([]uint64, s.PlaneWords())
		move := NewTranslation(*s, 5, 7)
		for b.Loop() {
			move.Apply(dst, src)
		}
	})
}

func BenchmarkPackRows(b *testing.B) {
	benchLevels(b, func(b *testing.B, s *Shape, src []uint64) {
		rowBytes := (s.Cols + 7) / 8
		dst := make([]byte, s.Rows*rowBytes+PackSlack)
		for b.Loop() {
			PackRows(dst, rowBytes, s, src)
		}
	})
}

func BenchmarkExpandU8(b *testing.B) {
	benchLevels(b, func(b *testing.B, s *Shape, src []uint64) {
		dst := make([]byte, s.Rows*s.Cols)
		for b.Loop() {
			ExpandU8(dst, s.Cols, s, src)
		}
	})
}

func BenchmarkExpandF16(b *testing.B) {
	benchLevels(b, func(b *testing.B, s *Shape, src []uint64) {
		dst := make([]uint16, s.Rows*s.Cols)
		for b.Loop() {
			ExpandF16(dst, s.Cols, s, src)
		}
	})
}

func BenchmarkExpandF32(b *testing.B) {
	benchLevels(b, func(b *testing.B, s *Shape, src []uint64) {
		dst := make([]float32, s.Rows*s.Cols)
		for b.Loop() {
			ExpandF32(dst, s.Cols, s, src)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	benchLevels(b, func(b *testing.B, _ *Shape, src []uint64) {
		for b.Loop() {
			Count(src)
		}
	})
}

func BenchmarkOrInto(b *testing.B) {
	benchLevels(b, func(b *testing.B, s *Shape, src []uint64) {
		dst := make([]uint64, s.PlaneWords())
		for b.Loop() {
			OrInto(dst, src)
		}
	})
}
