// Boards that are larger than the terminal.

package draw

// Shrink draws k x k cells as one: the highest thing there is, or the terrain
// that most of them are. k below 2 is the picture itself.
func (p *Picture) Shrink(k int) *Picture {
	if k < 2 {
		return p
	}
	small := newPicture((p.rows+k-1)/k, (p.cols+k-1)/k)
	small.scale, small.hex, small.radius = p.scale*k, p.hex, p.radius
	for r := range small.rows {
		for c := range small.cols {
			small.cells[r*small.cols+c] = p.summary(r*k, c*k, k)
		}
	}
	return small
}

// summary is what the k x k cells from row r, column c show together.
func (p *Picture) summary(r, c, k int) thing {
	var best thing
	var count [kinds]int
	for i := r; i < min(r+k, p.rows); i++ {
		for j := c; j < min(c+k, p.cols); j++ {
			t := p.cells[i*p.cols+j]
			count[t.kind]++
			if t.kind > best.kind {
				best = t
			}
		}
	}
	best.n = 0
	if best.kind > water || best.kind == off {
		return best
	}
	for k := unseen; k <= water; k++ {
		if count[k] > count[best.kind] {
			best.kind = k
		}
	}
	return best
}

// Fit is the least k for which the picture, shrunk by k, fits into that many
// rows and columns, coordinates included.
func (p *Picture) Fit(rows, cols int) int {
	_, wide := p.Size()
	k := 1
	for (p.rows+k-1)/k+1 > max(rows, 2) || (wide+k-1)/k+gutter > max(cols, gutter+1) {
		k++
	}
	return k
}
