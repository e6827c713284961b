package bits

// Word by word operations on planes, and counts.

// Count returns the number of set bits.
func Count(src []uint64) int { return active.count(src) }

// OrInto sets dst |= src and returns how many bits were new.
// len(dst) >= len(src); dst beyond is unchanged.
func OrInto(dst, src []uint64) (added int) { return active.orInto(dst[:len(src)], src) }

// Or sets dst = a | b. len(a) >= len(dst) and len(b) >= len(dst); dst may be a
// or b.
func Or(dst, a, b []uint64) { active.or(dst, a[:len(dst)], b[:len(dst)]) }
