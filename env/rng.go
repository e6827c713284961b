package env

import (
	"crypto/sha256"
	"encoding/binary"
)

// RNG is splitmix64. Its state is the whole generator: copy it to fork it.
type RNG uint64

const gamma = 0x9E3779B97F4A7C15

// Next returns the next 64-bit draw.
func (r *RNG) Next() uint64 {
	*r += gamma
	return mix(uint64(*r))
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Below returns a uniform draw in [0, n) by rejection. n must not be 0.
func (r *RNG) Below(n uint64) uint64 {
	const top = 1<<64 - 1
	limit := top - top%n
	for {
		if v := r.Next(); v < limit {
			return v % n
		}
	}
}

// Derive folds words into a seed of its own stream. Distinct inputs give
// unrelated streams; the order of words matters.
func Derive(seed uint64, words ...uint64) uint64 {
	h := mix(seed + gamma)
	for _, w := range words {
		h = mix(h ^ mix(w+gamma))
		h += gamma
	}
	return h
}

// EpisodeSeed is the seed of one episode of one board of a batch. It depends
// on nothing else, so it is the same for any number of boards, workers or
// threads.
func EpisodeSeed(seed uint64, board, episode uint64) uint64 {
	return Derive(seed, 0x45504953_4F444531, board, episode)
}

// Hash is the 64-bit hash of a canonical state: the first eight bytes of its
// SHA-256, little endian.
func Hash(state []byte) uint64 {
	sum := sha256.Sum256(state)
	return binary.LittleEndian.Uint64(sum[:])
}
