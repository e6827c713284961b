//go:build goexperiment.simd && amd64

package square

import "simd/archsimd"

// vectorWaves lists the vector levels that the processor has.
func vectorWaves() []waveKernel {
	if !archsimd.X86.AVX512() {
		return nil
	}
	return []waveKernel{{"avx512", growAVX512}}
}

// growAVX512 is growGeneric eight rows at a time. Padding rows of free and
// want are empty, so what a front has there does not matter.
func growAVX512(p *plan, next, front, free, want, hit []uint64) (some, found bool) {
	_, _ = next[p.hs*p.words-1], front[p.hs*p.words-1]
	_, _, _ = free[p.pw-1], want[p.pw-1], hit[p.pw-1]
	one := archsimd.BroadcastUint64x8(1)
	var anyNext, anyHit vec
	for w := range p.words {
		westWord, eastWord, west1, east1 := p.beside(w)
		fromWest, fromEast := archsimd.BroadcastUint64x8(uint64(west1)), archsimd.BroadcastUint64x8(uint64(east1))
		own, west, east := ptr(front[w*p.hs+halo:]), ptr(front[westWord*p.hs+halo:]), ptr(front[eastWord*p.hs+halo:])
		out := ptr(next[w*p.hs+halo:])
		at := w * p.stride
		enter, wanted, hits := ptr(free[at:]), ptr(want[at:]), ptr(hit[at:])
		for r := 0; r < p.stride; r += 8 {
			x := load(own, r)
			g := load(own, r-1).Or(load(own, r+1)).Or(x.ShiftLeft(one)).Or(x.ShiftRight(one))
			g = g.Or(load(west, r).ShiftRight(fromWest)).Or(load(east, r).ShiftLeft(fromEast))
			open := load(enter, r)
			f := g.And(open)
			h := g.And(load(wanted, r))
			store(out, r, f)
			store(hits, r, h)
			store(enter, r, open.Xor(f))
			anyNext, anyHit = anyNext.Or(f), anyHit.Or(h)
		}
	}
	some, found = anyNext.NotEqual(vec{}).ToBits() != 0, anyHit.NotEqual(vec{}).ToBits() != 0
	archsimd.ClearAVXUpperBits()
	p.setHalo(next)
	return some, found
}
