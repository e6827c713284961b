package bits

// The plan of a dilation: which cells lie within a radius of a set.
//
// A disk of squared radius q is a stack of row segments: at row distance k its
// half width is half[k] = floor(sqrt(q-k*k)), and wider segments lie nearer the
// centre. With V(j) = the OR of the source rows at the distances k whose half
// width is w(j), w(0) > w(1) > ..., and G(n) = growth by n columns both ways,
//
//	disk = G(w0) V(0) | G(w1) V(1) | ...
//	     = G(..) ( G(w1-w2) ( G(w0-w1) V(0) | V(1) ) | V(2) ) ...
//
// so each block of rows loads every source row of its disk once and then only
// shifts in registers.
//
// To keep the torus out of the loops, the source is first copied to scratch
// with halo rows above and below, and cut into windows: words that hold a body
// of columns with an edge of w0 columns on both sides, wrapped. Shifts in a
// window then need no carry, and what leaves a window at one end may come in
// at the other, since the edge takes it. So growth is by rotation, which makes
// a board of 64 columns a window without edges.

import (
	"fmt"
	"slices"
)

// maxEdge is the widest window edge in use. A disk that is wider still is
// dilated by whole rows.
const maxEdge = 24

// Disk is the plan of a dilation by one radius on boards of one shape. It is
// read only after NewDisk and may be shared.
type Disk struct {
	shape  Shape
	form   diskForm
	reach  int        // largest row distance in the disk, at most Rows/2
	half   []int      // half width at row distance 0..reach, at most Cols/2
	bands  []band     // half widths, widest first
	slots  []window   // windows of a row, west to east
	halo   int        // scratch rows above and below the board, a multiple of 8
	span   int        // words of one window's column in scratch
	rest   bool       // the last word of a row is still open after the last window
	common commonDisk // a disk with kernels of its own
}

// diskForm is the way in which a disk is dilated.
type diskForm uint8

const (
	formCopy  diskForm = iota // the disk is one cell
	formEdges                 // windows with edges
	formTurn                  // 64 columns: one window, no edges
	formRows                  // very wide: whole rows, portable only
)

// commonDisk tells the profiles that have kernels with constant shifts.
type commonDisk uint8

const (
	diskAny  commonDisk = iota
	diskPlus            // half widths 1 0: the plus of squared radius 1
	diskFive            // half widths 2 2 1: squared radius 5 (to 7)
	diskView            // half widths 8 8 8 8 7 7 6 5 3: squared radius 77 (to 79)
)

// band is a run of row distances with one half width, and the growth from
// that half width down to the next band's.
type band struct {
	from, to int   // row distances
	grow     []int // column shifts, each at most twice the sum before it plus one
}

// window is one word of a row in scratch: edge, body, edge.
type window struct {
	pieces gathering // where its bits come from
	word   int       // row word that the body starts in
	rot    int       // rotation to the left that brings the body to its place there
	here   uint64    // mask of the body in that word
	next   uint64    // mask of the body in the next word, once rotated
	first  bool      // no body before it has bits in that word
	flush  bool      // the body completes the word
}

// NewDisk plans the dilation of planes of shape s by every offset with
// dr*dr+dc*dc <= radius2, both measured the short way round the torus.
// It panics if radius2 is negative.
func NewDisk(s Shape, radius2 int) *Disk {
	if radius2 < 0 {
		panic(fmt.Sprintf("bits: squared radius %d", radius2))
	}
	d := &Disk{shape: s}
	// Beyond half a turn the way round the other side is shorter and its
	// segment at least as wide, so nothing is lost by stopping there.
	for k := 0; k <= s.Rows/2 && k*k <= radius2; k++ {
		d.half = append(d.half, min(floorSqrt(radius2-k*k), s.Cols/2))
	}
	d.reach = len(d.half) - 1
	for k, w := range d.half {
		if k == 0 || w != d.half[k-1] {
			d.bands = append(d.bands, band{from: k})
		}
		d.bands[len(d.bands)-1].to = k
	}
	for i := range d.bands {
		below := 0
		if i+1 < len(d.bands) {
			below = d.half[d.bands[i+1].from]
		}
		d.bands[i].grow = growth(d.half[d.bands[i].from] - below)
	}
	switch {
	case d.reach == 0 && d.half[0] == 0:
		d.form = formCopy
		return d
	case s.Cols == wordBits && d.half[0] < wordBits/2:
		d.form = formTurn
		d.slots = cut(&s, wordBits, 0)
	case d.half[0] <= maxEdge:
		d.form = formEdges
		d.slots = cut(&s, wordBits-2*d.half[0], d.half[0])
	default:
		d.form = formRows
		return d
	}
	last := &d.slots[len(d.slots)-1]
	d.rest = !last.flush || last.word < s.Words-1
	d.halo = roundUp(d.reach)
	d.span = d.halo + s.Stride + d.halo + lanes
	d.common = profile(d.half)
	return d
}

// Shape returns the shape of the disk's planes.
func (d *Disk) Shape() *Shape { return &d.shape }

// Scratch is the number of scratch words that Dilate needs.
func (d *Disk) Scratch() int {
	if d.form == formRows {
		return d.shape.PlaneWords()
	}
	return len(d.slots) * d.span
}

// Same tells whether the disk has these half widths at row distances 0, 1, ..
func (d *Disk) Same(half ...int) bool { return slices.Equal(d.half, half) }

// Dilate sets dst to the cells within the radius of a set cell of src.
// dst, src and scratch must not overlap. scratch has at least Scratch() words,
// which may be overwritten.
func (d *Disk) Dilate(dst, src, scratch []uint64) {
	n := d.shape.PlaneWords()
	active.dilate(d, dst[:n], src[:n], scratch[:d.Scratch()])
}

// growth splits a growth by n columns into steps: after x grows by each step
// both ways, a lone bit covers n columns on both sides without gaps.
func growth(n int) []int {
	var shifts []int
	for done := 0; done < n; {
		s := min(2*done+1, n-done)
		shifts = append(shifts, s)
		done += s
	}
	return shifts
}

// cut divides the columns of a row into windows with bodies of size columns
// and edges of edge columns.
func cut(s *Shape, size, edge int) []window {
	var slots []window
	reached := 0 // words begun
	for col := 0; col < s.Cols; col += size {
		n := min(size, s.Cols-col)
		left := col % wordBits
		body := ^uint64(0) >> uint(wordBits-n)
		slots = append(slots, window{
			pieces: gather(s, col-edge, n+2*edge),
			word:   col / wordBits,
			rot:    (left - edge) & (wordBits - 1),
			here:   body << uint(left),
			next:   body >> uint(wordBits-left),
			first:  col/wordBits >= reached,
			flush:  left+n >= wordBits,
		})
		reached = (col+n-1)/wordBits + 1
	}
	return slots
}

// profile recognises the common disks by their half widths, so that a disk
// that a small board cuts short does not take their kernels.
func profile(half []int) commonDisk {
	for _, c := range []struct {
		disk    commonDisk
		radius2 int
	}{{diskPlus, 1}, {diskFive, 5}, {diskView, 77}} {
		same := len(half)-1 == floorSqrt(c.radius2)
		for k := 0; same && k < len(half); k++ {
			same = half[k] == floorSqrt(c.radius2-k*k)
		}
		if same {
			return c.disk
		}
	}
	return diskAny
}

// floorSqrt returns the largest r with r*r <= n, n >= 0.
func floorSqrt(n int) int {
	r := 0
	for (r+1)*(r+1) <= n {
		r++
	}
	return r
}
