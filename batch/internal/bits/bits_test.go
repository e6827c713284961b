package bits

// The kernels of every level against cell loops.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// guard is written around every output, and must still be there afterwards.
const guard = 0xA5A5A5A5A5A5A5A5

// eachLevel runs f once per level that this build and machine have.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	saved := active
	defer func() { active = saved }()
	for _, k := range levels {
		active = k
		t.Run(k.level, f)
	}
}

var (
	testCols = []int{1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 47, 48, 49, 50, 60, 62, 63, 64, 65, 66, 72, 95, 96, 97, 112, 113, 120, 124, 127, 128, 129, 130, 144, 145, 191, 192, 193, 200, 254, 255}
	testRows = []int{1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 23, 24, 25, 31, 32, 33, 64, 124, 255}
	// otherRads are the squared radii that no rule set uses.
	otherRads = []int{0, 2, 4, 9, 16, 25, 49, 72, 79, 100, 625, 1024, 20000}
)

// eachShape calls f with shapes of all interesting widths and heights, of which
// the high ones are not combined with every width. Tests that cost more than
// linear time take a share of their cases per shape, by its number.
func eachShape(f func(number int, s Shape)) {
	number := 0
	for _, c := range testCols {
		for _, r := range testRows {
			if r <= 9 || (r+c)%4 == 0 || c%32 <= 1 && r <= 64 {
				if number%shapeShare == 0 {
					f(number, NewShape(r, c))
				}
				number++
			}
		}
	}
}

// board is a plane as cells.
type board [][]bool

func newBoard(s *Shape) board {
	b := make(board, s.Rows)
	for r := range b {
		b[r] = make([]bool, s.Cols)
	}
	return b
}

// plane returns b as a plane.
func (b board) plane(s *Shape) []uint64 {
	p := make([]uint64, s.PlaneWords())
	for r := range b {
		for c, set := range b[r] {
			if set {
				w, bit := s.Locate(r, c)
				p[w] |= bit
			}
		}
	}
	return p
}

// sampleBoards returns boards of shape s: sparse, one cell in two, and, by
// turns, one cell, full or empty.
func sampleBoards(s *Shape, number int, rng *rand.Rand) []board {
	var out []board
	cells := s.Rows * s.Cols
	for _, n := range []int{1 + cells/50, cells / 2, []int{1, cells, 0}[number%3]} {
		b := newBoard(s)
		for range n {
			b[rng.IntN(s.Rows)][rng.IntN(s.Cols)] = true
		}
		if n == cells {
			for r := range b {
				for c := range b[r] {
					b[r][c] = true
				}
			}
		}
		out = append(out, b)
	}
	return out
}

// garbage returns a plane that was in use for something else.
func garbage(n int) []uint64 {
	p := make([]uint64, n)
	for i := range p {
		p[i] = guard
	}
	return p
}

func diffPlane(s *Shape, got, want []uint64) string {
	for i := range want {
		if got[i] != want[i] {
			return fmt.Sprintf("%dx%d: word %d row %d: got %#x, want %#x", s.Rows, s.Cols, i/s.Stride, i%s.Stride, got[i], want[i])
		}
	}
	return ""
}

// wrapDist is the torus distance of two coordinates on an axis of n.
func wrapDist(a, b, n int) int {
	d := max(a-b, b-a)
	return min(d, n-d)
}

// naiveDilate is the cell loop for Disk.Dilate.
func naiveDilate(s *Shape, b board, radius2 int) board {
	type offset struct{ r, c int }
	var disk []offset
	for r := range s.Rows {
		for c := range s.Cols {
			dr, dc := wrapDist(r, 0, s.Rows), wrapDist(c, 0, s.Cols)
			if dr*dr+dc*dc <= radius2 {
				disk = append(disk, offset{r, c})
			}
		}
	}
	out := newBoard(s)
	for r := range b {
		for c, set := range b[r] {
			if !set {
				continue
			}
			for _, o := range disk {
				rr, cc := r+o.r, c+o.c
				if rr >= s.Rows {
					rr -= s.Rows
				}
				if cc >= s.Cols {
					cc -= s.Cols
				}
				out[rr][cc] = true
			}
		}
	}
	return out
}

func TestDilate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	saved := active
	defer func() { active = saved }()
	eachShape(func(number int, s Shape) {
		for _, q := range []int{1, 5, 77, otherRads[number%len(otherRads)], otherRads[(number+3)%len(otherRads)]} {
			d := NewDisk(s, q)
			for i, b := range sampleBoards(&s, number, rng) {
				// The cell loop costs set cells times disk; big boards that
				// are well filled say nothing that small ones do not.
				if Count(b.plane(&s))*min(s.Rows*s.Cols, 4*q) > 50_000 {
					continue
				}
				src, want := b.plane(&s), naiveDilate(&s, b, q).plane(&s)
				n, m := s.PlaneWords(), d.Scratch()
				kept := slices.Clone(src)
				for _, k := range levels {
					active = k
					// One word off, so that vectors are not aligned.
					dst, scratch := garbage(n+2), garbage(m+2)
					d.Dilate(dst[1:], src, scratch[1:])
					if msg := diffPlane(&s, dst[1:], want); msg != "" {
						t.Fatalf("%s: squared radius %d, board %d: %s", k.level, q, i, msg)
					}
					if dst[0] != guard || dst[n+1] != guard || scratch[0] != guard || scratch[m+1] != guard {
						t.Fatalf("%s: %dx%d squared radius %d: wrote out of bounds", k.level, s.Rows, s.Cols, q)
					}
					if !slices.Equal(src, kept) {
						t.Fatalf("%s: %dx%d squared radius %d: source changed", k.level, s.Rows, s.Cols, q)
					}
				}
			}
		}
	})
}

func TestTranslation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	eachLevel(t, func(t *testing.T) {
		eachShape(func(number int, s Shape) {
			n := s.PlaneWords()
			moves := [][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}, {0, 0}, {s.Rows, -s.Cols}}
			for range 3 {
				moves = append(moves, [2]int{rng.IntN(1000) - 500, rng.IntN(1000) - 500})
			}
			for _, b := range sampleBoards(&s, number, rng) {
				src := b.plane(&s)
				kept := slices.Clone(src)
				for _, m := range moves {
					moved := newBoard(&s)
					for r := range b {
						for c, set := range b[r] {
							moved[wrap(r+m[0], s.Rows)][wrap(c+m[1], s.Cols)] = set
						}
					}
					want := moved.plane(&s)
					dst := garbage(n + 1)
					NewTranslation(s, m[0], m[1]).Apply(dst, src)
					if msg := diffPlane(&s, dst, want); msg != "" {
						t.Fatalf("translation by %v: %s", m, msg)
					}
					if dst[n] != guard || !slices.Equal(src, kept) {
						t.Fatalf("%dx%d: move %v wrote out of bounds", s.Rows, s.Cols, m)
					}
				}
			}
		})
	})
}

func TestPackRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	eachLevel(t, func(t *testing.T) {
		eachShape(func(number int, s Shape) {
			least := (s.Cols + 7) / 8
			for _, rowBytes := range []int{least, least + 1, (least + 3) &^ 3, (least + 7) &^ 7, 7 + number%10, 32} {
				if rowBytes < least {
					continue
				}
				for _, b := range sampleBoards(&s, number, rng) {
					want := make([]byte, s.Rows*rowBytes)
					for r := range b {
						for c, set := range b[r] {
							if set {
								want[r*rowBytes+c/8] |= 1 << (c % 8)
							}
						}
					}
					const before = 3 // rows need not be aligned
					dst := make([]byte, before+len(want)+PackSlack+1)
					for i := range dst {
						dst[i] = 0xA5
					}
					PackRows(dst[before:], rowBytes, &s, b.plane(&s))
					for i, x := range want {
						if dst[before+i] != x {
							t.Fatalf("%dx%d in rows of %d bytes: byte %d: got %#x, want %#x", s.Rows, s.Cols, rowBytes, i, dst[before+i], x)
						}
					}
					if dst[before-1] != 0xA5 || dst[len(dst)-1] != 0xA5 {
						t.Fatalf("%dx%d in rows of %d bytes: wrote out of bounds", s.Rows, s.Cols, rowBytes)
					}
				}
			}
		})
	})
}

// testExpand checks one dense expansion.
func testExpand[T byte | uint16 | float32](t *testing.T, expand func([]T, int, *Shape, []uint64), one, mark T) {
	rng := rand.New(rand.NewPCG(7, 8))
	eachLevel(t, func(t *testing.T) {
		eachShape(func(number int, s Shape) {
			for _, rowLen := range []int{s.Cols, s.Cols + 1, (s.Cols + 63) &^ 63, 16 * (number%20 + 1)} {
				if rowLen < s.Cols {
					continue
				}
				b := sampleBoards(&s, number, rng)[1]
				const before = 1
				n := s.Rows * rowLen
				dst := make([]T, before+n+64)
				for i := range dst {
					dst[i] = mark
				}
				expand(dst[before:], rowLen, &s, b.plane(&s))
				for i := range n {
					var want T
					if c := i % rowLen; c < s.Cols && b[i/rowLen][c] {
						want = one
					}
					if dst[before+i] != want {
						t.Fatalf("%dx%d in rows of %d: element %d: got %v, want %v", s.Rows, s.Cols, rowLen, i, dst[before+i], want)
					}
				}
				for i, x := range dst {
					if (i < before || i >= before+n) && x != mark {
						t.Fatalf("%dx%d in rows of %d: wrote out of bounds", s.Rows, s.Cols, rowLen)
					}
				}
			}
		})
	})
}

func TestExpandU8(t *testing.T)  { testExpand(t, ExpandU8, 1, 0xA5) }
func TestExpandF16(t *testing.T) { testExpand(t, ExpandF16, halfOne, 0xA5A5) }
func TestExpandF32(t *testing.T) { testExpand(t, ExpandF32, 1, -5) }

func TestWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	eachLevel(t, func(t *testing.T) {
		for n := range 140 {
			for density := range 4 {
				a, b := make([]uint64, n), make([]uint64, n+3)
				for i := range b {
					b[i] = rng.Uint64()
					for range density {
						b[i] &= rng.Uint64()
					}
				}
				for i := range a {
					a[i] = rng.Uint64()
					for range density {
						a[i] &= rng.Uint64()
					}
					if density == 3 {
						a[i] &^= b[i]
					}
				}
				if density == 3 && n > 0 { // one common bit
					i := rng.IntN(n)
					a[i] |= 1 << (i % 64)
					if rng.IntN(2) == 0 {
						b[i] |= 1 << (i % 64)
					}
				}
				count, added := 0, 0
				or := make([]uint64, n)
				for i, x := range a {
					for bit := uint64(1); bit != 0; bit <<= 1 {
						inA, inB := x&bit != 0, b[i]&bit != 0
						if inA {
							count++
							or[i] |= bit
						}
						if inB {
							or[i] |= bit
						}
						if inA && !inB {
							added++
						}
					}
				}
				if got := Count(a); got != count {
					t.Fatalf("count of %d words: got %d, want %d", n, got, count)
				}
				dst := garbage(n + 1)
				Or(dst[:n], a, b)
				if !slices.Equal(dst[:n], or) || dst[n] != guard {
					t.Fatalf("or of %d words: got %x, want %x", n, dst, or)
				}
				copy(dst, a)
				Or(dst[:n], dst, b)
				if !slices.Equal(dst[:n], or) {
					t.Fatalf("or of %d words in place: got %x, want %x", n, dst[:n], or)
				}
				rest := slices.Clone(b[n:])
				if got := OrInto(b, a); got != added || !slices.Equal(b[:n], or) || !slices.Equal(b[n:], rest) {
					t.Fatalf("or into %d words: got %d and %x, want %d and %x", n, got, b, added, or)
				}
			}
		}
	})
}

func TestCallersBugsPanic(t *testing.T) {
	s := NewShape(9, 70)
	d := NewDisk(s, 5)
	plane := make([]uint64, s.PlaneWords())
	short := plane[:len(plane)-1]
	for name, f := range map[string]func(){
		"shape of 0 rows":      func() { NewShape(0, 5) },
		"shape of 256 columns": func() { NewShape(5, 256) },
		"negative radius":      func() { NewDisk(s, -1) },
		"short source": func() {
			d.Dilate(make([]uint64, len(plane)), short[:len(short):len(short)], make([]uint64, d.Scratch()))
		},
		"short scratch":          func() { d.Dilate(make([]uint64, len(plane)), plane, make([]uint64, d.Scratch()-1)) },
		"packed rows too short":  func() { PackRows(make([]byte, 1000), 8, &s, plane) },
		"no slack":               func() { PackRows(make([]byte, s.Rows*9), 9, &s, plane) },
		"dense rows too short":   func() { ExpandU8(make([]byte, 1000), 69, &s, plane) },
		"dense plane too short":  func() { ExpandF32(make([]float32, 9*70-1), 70, &s, plane) },
		"destination too short":  func() { OrInto(make([]uint64, 3), plane) },
		"second operand missing": func() { Or(plane, plane, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestCommonDisks holds the radii of the rule sets to their own kernels.
func TestCommonDisks(t *testing.T) {
	for q, want := range map[int]commonDisk{1: diskPlus, 2: diskAny, 5: diskFive, 7: diskFive, 72: diskAny, 77: diskView, 79: diskView, 80: diskAny} {
		if got := NewDisk(NewShape(40, 40), q).common; got != want {
			t.Errorf("squared radius %d: got kernel %d, want %d", q, got, want)
		}
	}
	if got := NewDisk(NewShape(40, 15), 77).common; got != diskAny {
		t.Errorf("a disk cut short by its board takes kernel %d", got)
	}
}

func TestNoAllocations(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		s := NewShape(33, 97)
		d := NewDisk(s, 77)
		a, b, scratch := make([]uint64, s.PlaneWords()), make([]uint64, s.PlaneWords()), make([]uint64, d.Scratch())
		a[5] = 7
		move := NewTranslation(s, 3, 4)
		bytes := make([]byte, 33*97+PackSlack)
		if n := testing.AllocsPerRun(10, func() {
			d.Dilate(b, a, scratch)
			move.Apply(b, a)
			PackRows(bytes, 13, &s, a)
			ExpandU8(bytes, 97, &s, a)
			OrInto(b, a)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
