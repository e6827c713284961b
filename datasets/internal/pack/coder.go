// The range coder: a carrying coder of 32-bit ranges that moves whole bytes.

package pack

// bottom is where a range is too short and is stretched by a byte. It is the
// bound of totals squared, so that the coder loses almost nothing.
const bottom = maxTotal * maxTotal

// maxTotal bounds the total that symbols are shares of.
const maxTotal = 1 << lane

// inverse is 2^32 over each total, rounded down: multiplying is much faster
// than dividing, and what rounding loses is lost on both sides.
var inverse = func() (table [maxTotal]uint32) {
	for total := 2; total < maxTotal; total++ {
		table[total] = uint32(1 << 32 / total)
	}
	return table
}()

// unit is the part of a range that one share of a total has.
func unit(rng, total uint64) uint64 { return rng * uint64(inverse[total&(maxTotal-1)]) >> 32 }

// coder writes symbols given as shares of a total.
type coder struct {
	low uint64 // below 1<<32 between calls
	rng uint32
	out []byte
}

func (c *coder) reset() {
	c.low, c.rng, c.out = 0, 1<<32-1, c.out[:0]
}

// put writes a symbol that holds [lo, lo+freq) of total; freq is at least 1
// and total, of two symbols or more, below maxTotal.
func (c *coder) put(lo, freq, total uint32) {
	r := unit(uint64(c.rng), uint64(total))
	c.low += r * uint64(lo)
	c.rng = uint32(r) * freq
	if c.low>>32 != 0 {
		c.carry()
	}
	for c.rng < bottom {
		c.out = append(c.out, byte(c.low>>24))
		c.low = c.low << 8 & (1<<32 - 1)
		c.rng <<= 8
	}
}

// carry adds one to the number that was written so far.
func (c *coder) carry() {
	c.low &= 1<<32 - 1
	for i := len(c.out) - 1; ; i-- {
		c.out[i]++
		if c.out[i] != 0 {
			return
		}
	}
}

// finish writes the byte that tells the last symbols apart. A range is never
// shorter than bottom, so one byte lies in it whatever zeros follow.
func (c *coder) finish() {
	v := c.low + (bottom - 1)
	if v>>32 != 0 {
		c.carry()
	}
	c.out = append(c.out, byte(v>>24))
}

// decoder reads what a coder wrote. Bytes past the end read as zero.
type decoder struct {
	code, rng uint32
	data      []byte
	pos       int  // bytes taken, those past the end too
	bad       bool // an answer was no share of the range, see ask
}

// ahead is how many bytes the decoder has read past those that the encoder
// had written at the same symbol, less the byte of finish.
const ahead = 3

func (d *decoder) reset(data []byte) {
	*d = decoder{data: data, rng: 1<<32 - 1}
	for range 4 {
		d.code = d.code<<8 | uint32(d.next())
	}
}

// next is the next byte.
func (d *decoder) next() (b byte) {
	if d.pos < len(d.data) {
		b = d.data[d.pos]
	}
	d.pos++
	return b
}

// stretch makes a range that is too short longer by bytes: what code is in it
// and how long it is.
func (d *decoder) stretch(code, rng uint64) (uint64, uint64) {
	for rng < bottom {
		code, rng = code<<8|uint64(d.next()), rng<<8
	}
	return code, rng
}
