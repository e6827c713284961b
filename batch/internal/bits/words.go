package bits

// Word by word operations on planes, and counts.

// Count returns the number of set bits.
func Count(src []uint64) int { return active.count(src) }

// OrInto sets dst |= src and returns how many bits were new.
// len(dst) >= len(src); dst beyond is unchanged.
func OrInto(dst, src []uint64) (added int) { return active.orInto(dst[:len(src)], src) }

// And sets dst = a & b. len(a) >= len(dst) and len(b) >= len(dst); dst may be
// a or b.
func And(dst, a, b []uint64) { active.and(dst, a[:len(dst)], b[:len(dst)]) }

// AndNot sets dst = a &^ b, with the lengths of And.
func AndNot(dst, a, b []uint64) { active.andNot(dst, a[:len(dst)], b[:len(dst)]) }

// Or sets dst = a | b, with the lengths of And.
func Or(dst, a, b []uint64) { active.or(dst, a[:len(dst)], b[:len(dst)]) }

// Overlap reports whether a and b have a set bit in common. len(b) >= len(a);
// the rest of b is not read.
func Overlap(a, b []uint64) bool { return active.overlap(a, b[:len(a)]) }
