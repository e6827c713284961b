//go:build goexperiment.simd && amd64

package bits

// Torus translation, vector forms. Reference: translate_generic.go.

import (
	"math/bits"
	"simd/archsimd"
	"unsafe"
)

// translateAVX512 is translateGeneric. The rows keep their order but for one
// cut. The longer part comes last and in vectors that end where it ends; the
// shorter one, if under a vector, is written with what the longer overwrites.
func translateAVX512(s *Shape, t translation, dst, src []uint64) {
	if s.Rows < 16 {
		translateGeneric(s, t, dst, src)
		return
	}
	for w := range s.Words {
		p := &t.words[w].pieces
		in0 := unsafe.Pointer(&src[int(p[0].word)*s.Stride])
		in1 := unsafe.Pointer(&src[int(p[1].word)*s.Stride])
		in2 := unsafe.Pointer(&src[int(p[2].word)*s.Stride])
		out := unsafe.Pointer(&dst[w*s.Stride])
		rot0, mask0 := archsimd.BroadcastInt64x8(int64(p[0].rot)), archsimd.BroadcastInt64x8(int64(p[0].mask))
		rot1, mask1 := archsimd.BroadcastInt64x8(int64(p[1].rot)), archsimd.BroadcastInt64x8(int64(p[1].mask))
		rot2, mask2 := archsimd.BroadcastInt64x8(int64(p[2].rot)), archsimd.BroadcastInt64x8(int64(p[2].mask))
		lower := t.down < s.Rows-t.down // the part that stays in order is the longer
		for part := range 2 {
			from, to, n := s.Rows-t.down, 0, t.down
			if lower == (part == 1) {
				from, to, n = 0, t.down, s.Rows-t.down
			}
			turn := 0 // lanes
			if n < 8 {
				if n == 0 {
					continue
				}
				if to == 0 {
					from, turn = s.Rows-8, 8-n
				} else {
					to, turn = s.Rows-8, n
				}
				n = 8
			}
			lanes := load8(unsafe.Pointer(&lanesFrom), turn)
			for k := 0; ; k += 8 {
				k = min(k, n-8)
				x := load8(in0, from+k).AsInt64x8().RotateLeft(rot0).And(mask0)
				x = load8(in1, from+k).AsInt64x8().RotateLeft(rot1).And(mask1).Or(x)
				x = load8(in2, from+k).AsInt64x8().RotateLeft(rot2).And(mask2).Or(x)
				store8(out, to+k, x.AsUint64x8().Permute(lanes))
				if k == n-8 {
					break
				}
			}
		}
	}
	archsimd.ClearAVXUpperBits()
	if s.Rows != s.Stride {
		clearPadding(s, dst)
	}
}

// join gathers one row: row[0] is its first word, row[stride] its second.
func (g *gathering) join(row []uint64, stride int) (x uint64) {
	for i := range g.used() {
		p := &g.pieces[i]
		x |= bits.RotateLeft64(row[int(p.word)*stride], int(p.rot)) & p.mask
	}
	return x
}

// translateAVX2 is translateGeneric.
func translateAVX2(s *Shape, t translation, dst, src []uint64) {
	for w := range s.Words {
		g := &t.words[w]
		p := &g.pieces
		in0 := unsafe.Pointer(&src[int(p[0].word)*s.Stride])
		in1 := unsafe.Pointer(&src[int(p[1].word)*s.Stride])
		in2 := unsafe.Pointer(&src[int(p[2].word)*s.Stride])
		out := unsafe.Pointer(&dst[w*s.Stride])
		left0, right0, mask0 := archsimd.BroadcastUint64x4(uint64(p[0].rot)), archsimd.BroadcastUint64x4(wordBits-uint64(p[0].rot)), archsimd.BroadcastUint64x4(p[0].mask)
		left1, right1, mask1 := archsimd.BroadcastUint64x4(uint64(p[1].rot)), archsimd.BroadcastUint64x4(wordBits-uint64(p[1].rot)), archsimd.BroadcastUint64x4(p[1].mask)
		left2, right2, mask2 := archsimd.BroadcastUint64x4(uint64(p[2].rot)), archsimd.BroadcastUint64x4(wordBits-uint64(p[2].rot)), archsimd.BroadcastUint64x4(p[2].mask)
		from, to, n := 0, t.down, s.Rows-t.down
		for range 2 {
			for k := 0; n >= 4; k += 4 {
				k = min(k, n-4)
				a, b, c := load4(in0, from+k), load4(in1, from+k), load4(in2, from+k)
				a = a.ShiftLeft(left0).Or(a.ShiftRight(right0)).And(mask0)
				b = b.ShiftLeft(left1).Or(b.ShiftRight(right1)).And(mask1)
				c = c.ShiftLeft(left2).Or(c.ShiftRight(right2)).And(mask2)
				store4(out, to+k, a.Or(b).Or(c))
				if k == n-4 {
					break
				}
			}
			if n < 4 {
				for k := range n {
					dst[w*s.Stride+to+k] = g.join(src[from+k:], s.Stride)
				}
			}
			from, to, n = s.Rows-t.down, 0, t.down
		}
	}
	archsimd.ClearAVXUpperBits()
	if s.Rows != s.Stride {
		clearPadding(s, dst)
	}
}
