package square

// A waveKernel is the dense part of the policies' waves. The portable form is
// the reference of the vector form in policy_grow_simd_amd64.go; both give
// identical bytes.
type waveKernel struct {
	level string
	// grow takes a wave one level further. next, haloed, becomes the
	// neighbours of front, haloed, that are in free, and free loses them. hit
	// becomes the neighbours of front that are in want. It tells whether next
	// and hit have any cell.
	grow func(p *plan, next, front, free, want, hit []uint64) (some, found bool)
}

// waveLevels lists what this build and machine can run, slowest first.
var waveLevels = append([]waveKernel{{"portable", growGeneric}}, vectorWaves()...)

// wave is the level in use: the best one. Only tests change it.
var wave = waveLevels[len(waveLevels)-1]

func growGeneric(p *plan, next, front, free, want, hit []uint64) (some, found bool) {
	rows := p.rows
	anyNext, anyHit := uint64(0), uint64(0)
	for w := range p.words {
		westWord, eastWord, fromWest, fromEast := p.beside(w)
		column := front[w*p.hs+halo-1:][:rows+2]
		west, east := front[westWord*p.hs+halo:][:rows], front[eastWord*p.hs+halo:][:rows]
		out := next[w*p.hs+halo-1:][:rows+2]
		at := w * p.stride
		free, want, hit := free[at:][:rows], want[at:][:rows], hit[at:][:rows]
		for r := range rows {
			x := column[r+1]
			g := column[r] | column[r+2] | x<<1 | x>>1 | west[r]>>(fromWest&63) | east[r]<<(fromEast&63)
			f := g & free[r]
			h := g & want[r]
			out[r+1], hit[r] = f, h
			free[r] &^= f
			anyNext, anyHit = anyNext|f, anyHit|h
		}
		out[0], out[rows+1] = out[rows], out[1]
	}
	return anyNext != 0, anyHit != 0
}

// beside tells which words hold the columns just west and east of word w, and
// how far their nearest column is from where it is needed.
func (p *plan) beside(w int) (west, east int, fromWest, fromEast uint) {
	west, east, fromWest, fromEast = w-1, w+1, 63, 63
	if w == 0 {
		west, fromWest = p.words-1, uint(p.lastBits-1)
	}
	if w == p.words-1 {
		east, fromEast = 0, uint(p.lastBits-1)
	}
	return west, east, fromWest, fromEast
}
