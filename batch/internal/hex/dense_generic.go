package hex

// decayGeneric is the portable form of kernels.decay.
func decayGeneric(trail []uint64, shift uint) {
	const ones, tops = 0x0001_0001_0001_0001, 0x8000_8000_8000_8000
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
