package bits

// Dilation, portable form.

import "math/bits"

// dilateGeneric is the portable form of Disk.Dilate.
func dilateGeneric(d *Disk, dst, src, scratch []uint64) {
	switch {
	case d.form == formCopy:
		copy(dst, src)
	case d.form == formRows:
		dilateRows(d, dst, src, scratch)
	case d.common == diskPlus:
		dilatePlus(&d.shape, dst, src)
	case d.common == diskView:
		spread(d, src, scratch)
		growView(d, dst, scratch)
	default:
		spread(d, src, scratch)
		growWindows(d, dst, scratch)
	}
}

// dilatePlus dilates by the four neighbours.
func dilatePlus(s *Shape, dst, src []uint64) {
	for w := range s.Words {
		plusRows(s, dst, src, w, 0, s.Rows)
	}
	clearPadding(s, dst)
}

// plusRows is dilatePlus for word w of rows from to to-1.
func plusRows(s *Shape, dst, src []uint64, w, from, to int) {
	westWord, eastWord, fromWest, fromEast, mask := s.Neighbours(w)
	own := src[w*s.Stride:][:s.Rows]
	west := src[westWord*s.Stride:][:s.Rows]
	east := src[eastWord*s.Stride:][:s.Rows]
	out := dst[w*s.Stride:][:s.Rows]
	above := own[(from+s.Rows-1)%s.Rows]
	for r := from; r < to; r++ {
		x := own[r]
		y := above | x | x<<1 | x>>1 | west[r]>>(fromWest&63) | east[r]<<(fromEast&63)
		if below := r + 1; below < len(own) {
			y |= own[below]
		} else {
			y |= own[0]
		}
		out[r] = y & mask
		above = x
	}
}

// spread cuts src into windows and adds the halo rows.
func spread(d *Disk, src, scratch []uint64) {
	s := &d.shape
	for i := range d.slots {
		column := scratch[i*d.span : (i+1)*d.span]
		body := column[d.halo : d.halo+s.Rows]
		clear(body)
		for _, p := range d.slots[i].pieces.used() {
			words := src[int(p.word)*s.Stride:][:len(body)]
			for r, x := range words {
				body[r] |= bits.RotateLeft64(x, int(p.rot)) & p.mask
			}
		}
		copy(column[d.halo-d.reach:d.halo], body[s.Rows-d.reach:])
		copy(column[d.halo+s.Rows:][:d.reach], body)
	}
}

// growWindows dilates the windows and joins their bodies to rows.
func growWindows(d *Disk, dst, scratch []uint64) {
	s := &d.shape
	for r := range s.Rows {
		var open uint64
		for i := range d.slots {
			at := &d.slots[i]
			column := scratch[i*d.span+d.halo-d.reach+r:][:2*d.reach+1]
			var x uint64
			for _, b := range d.bands {
				for k := b.from; k <= b.to; k++ {
					x |= column[d.reach-k] | column[d.reach+k]
				}
				for _, n := range b.grow {
					x |= bits.RotateLeft64(x, n) | bits.RotateLeft64(x, -n)
				}
			}
			x = bits.RotateLeft64(x, at.rot)
			open |= x & at.here
			if at.flush {
				dst[at.word*s.Stride+r] = open
				open = x & at.next
			}
		}
		if d.rest {
			dst[(s.Words-1)*s.Stride+r] = open
		}
	}
	clearPadding(s, dst)
}

// growView is growWindows for the view disk, half widths 8 8 8 8 7 7 6 5 3.
func growView(d *Disk, dst, scratch []uint64) {
	s := &d.shape
	for i := range d.slots {
		at := &d.slots[i]
		column := scratch[i*d.span+d.halo-8:][:s.Rows+16]
		out := dst[at.word*s.Stride:][:s.Rows]
		for r := range out {
			c := (*[17]uint64)(column[r:])
			x := c[5] | c[6] | c[7] | c[8] | c[9] | c[10] | c[11]
			x |= bits.RotateLeft64(x, 1) | bits.RotateLeft64(x, -1)
			x |= c[3] | c[4] | c[12] | c[13]
			x |= bits.RotateLeft64(x, 1) | bits.RotateLeft64(x, -1)
			x |= c[2] | c[14]
			x |= bits.RotateLeft64(x, 1) | bits.RotateLeft64(x, -1)
			x |= c[1] | c[15]
			x |= bits.RotateLeft64(x, 1) | bits.RotateLeft64(x, -1)
			x |= bits.RotateLeft64(x, 1) | bits.RotateLeft64(x, -1)
			x |= c[0] | c[16]
			x |= bits.RotateLeft64(x, 1) | bits.RotateLeft64(x, -1)
			x |= bits.RotateLeft64(x, 2) | bits.RotateLeft64(x, -2)
			x = bits.RotateLeft64(x, at.rot)
			if at.first {
				out[r] = x & at.here
			} else {
				out[r] |= x & at.here
			}
			if at.next != 0 {
				dst[(at.word+1)*s.Stride+r] = x & at.next
			}
		}
	}
	clearPadding(s, dst)
}

// dilateRows dilates by whole rows, for disks too wide for windows.
func dilateRows(d *Disk, dst, src, scratch []uint64) {
	s := &d.shape
	copy(scratch, src)
	for r := range s.Rows {
		var row [MaxWords]uint64
		for _, b := range d.bands {
			for k := b.from; k <= b.to; k++ {
				up, down := r-k, r+k
				if up < 0 {
					up += s.Rows
				}
				if down >= s.Rows {
					down -= s.Rows
				}
				for w := range s.Words {
					row[w] |= scratch[w*s.Stride+up] | scratch[w*s.Stride+down]
				}
			}
			for _, n := range b.grow {
				east, west := rotateRow(s, &row, n), rotateRow(s, &row, s.Cols-n)
				for w := range s.Words {
					row[w] |= east[w] | west[w]
				}
			}
		}
		for w := range s.Words {
			dst[w*s.Stride+r] = row[w]
		}
	}
	clearPadding(s, dst)
}

// rotateRow moves the bits of a row n columns east, 0 <= n < Cols.
func rotateRow(s *Shape, row *[MaxWords]uint64, n int) (out [MaxWords]uint64) {
	// Column c goes to c+n, or to c+n-Cols: one move up and one move down.
	up, upBits := n/wordBits, uint(n%wordBits)
	down, downBits := (s.Cols-n)/wordBits, uint((s.Cols-n)%wordBits)
	for w := range s.Words {
		if v := w - up; v >= 0 {
			out[w] |= row[v] << upBits
		}
		if v := w - up - 1; v >= 0 {
			out[w] |= row[v] >> (wordBits - upBits)
		}
		if v := w + down; v < s.Words {
			out[w] |= row[v] >> downBits
		}
		if v := w + down + 1; v < s.Words {
			out[w] |= row[v] << (wordBits - downBits)
		}
	}
	out[s.Words-1] &= s.Last
	return out
}

// clearPadding zeroes the words of rows beyond Rows.
func clearPadding(s *Shape, plane []uint64) {
	for w := range s.Words {
		clear(plane[w*s.Stride+s.Rows : (w+1)*s.Stride])
	}
}
