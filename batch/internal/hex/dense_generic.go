package hex

// ones and tops are the lowest and the highest bit of each 16-bit lane.
const ones, tops = 0x0001_0001_0001_0001, 0x8000_8000_8000_8000

// decayGeneric is the portable form of kernels.decay.
func decayGeneric(trail []uint64, shift uint) {
	shift &= 15
	keep := ones * (uint64(0xFFFF) >> shift)
	for i, v := range trail {
		loss := v>>shift&keep + ones
		// With its top bit set no lane borrows from the next; the bit stays set
		// where the loss was no more than the value.
		left := (v | tops) - loss
		enough := left & tops
		trail[i] = left & (enough - enough>>15)
	}
}

// weighGeneric is the portable form of kernels.weigh.
func weighGeneric(dst, trail []uint64, shift uint, base, most uint16) {
	shift &= 15
	keep := ones * (uint64(0xFFFF) >> shift)
	add, limit := ones*uint64(base), ones*uint64(most)
	dst = dst[:len(trail)]
	for i, v := range trail {
		x := v >> shift & keep
		enough := ((x | tops) - limit) & tops
		over := enough - enough>>15 // all lower bits of the lanes at the limit
		dst[i] = (x&^over | limit&over) + add
	}
}
