package env

import (
	"testing"
)

// TestRNG compares with splitmix64's published outputs for seed 0.
func TestRNG(t *testing.T) {
	r := RNG(0)
	for i, want := range []uint64{0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC} {
		if got := r.Next(); got != want {
			t.Errorf("draw %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestBelow(t *testing.T) {
	r := RNG(1)
	for _, n := range []uint64{1, 2, 3, 7, 1 << 32, 1<<63 + 1, 1<<64 - 1} {
		for range 1000 {
			if v := r.Below(n); v >= n {
				t.Fatalf("below %d drew %d", n, v)
			}
		}
	}
	var seen [6]int
	for range 6000 {
		seen[r.Below(6)]++
	}
	for v, count := range seen {
		if count < 850 || count > 1150 {
			t.Errorf("%d drawn %d times of 6000, want about 1000", v, count)
		}
	}
}

// TestSeeds: no two of many episodes share a seed, whichever way they differ.
func TestSeeds(t *testing.T) {
	seen := map[uint64][3]uint64{}
	for _, seed := range []uint64{0, 1, 2, 1 << 63, 1<<64 - 1} {
		for board := range uint64(50) {
			for episode := range uint64(50) {
				s := EpisodeSeed(seed, board, episode)
				if other, dup := seen[s]; dup {
					t.Fatalf("episodes %v and %v share seed %d", other, [3]uint64{seed, board, episode}, s)
				}
				seen[s] = [3]uint64{seed, board, episode}
			}
		}
	}
	if Derive(1, 2, 3) == Derive(1, 3, 2) {
		t.Error("the order of words does not matter to Derive")
	}
}

func TestHash(t *testing.T) {
	// The first eight bytes of SHA-256 of nothing: e3 b0 c4 42 98 fc 1c 14.
	if got := Hash(nil); got != 0x141cfc9842c4b0e3 {
		t.Errorf("hash of nothing is %#x", got)
	}
}
