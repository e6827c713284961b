// How likely each order is: counts by context, learned as the episode goes on
// and forgotten at its end.

package pack

// Five counts of twelve bits each lie in a uint64, order k at bit 12*k.
type counts = uint64

const (
	orders   = 5 // values of an order; the last is "stay", which nothing refuses
	lane     = 12
	laneMask = 1<<lane - 1

	// ones sums lanes: counts*ones has in lane k the sum of lanes 0..k, as
	// long as the sum of all stays below 1<<12.
	ones counts = 1 | 1<<lane | 1<<(2*lane) | 1<<(3*lane) | 1<<(4*lane)
	// halves clears the bits that a shift right by one moved across lanes.
	halves counts = ones * (laneMask >> 1)
)

// Contexts are built of digits of base 6: an order plus one, or 0 for none.
const base = orders + 1

// A method is a way to foresee orders. Its number is in the format.
type method struct {
	// prior counts every order that the mask allows, and one each is added for
	// all orders, so that a refused order can be written too.
	prior counts
	// step is what an order adds to its count in a context; a context whose
	// sum passes limit is halved.
	step, limit counts
}

// The methods. All counts of one order's contexts together stay below 1<<12:
// limits times contexts, plus orders*(prior+1).
var methods = [...]method{
	{prior: 64, step: 4, limit: 3700}, // the mask alone: orders drawn at random
	{prior: 16, step: 32, limit: 1300},
}

const (
	maskOnly = iota
	byTracks
)

// priors is a method's counts before anything was seen, by mask.
var priors = func() (table [len(methods)][1 << (orders - 1)]counts) {
	for i, m := range methods {
		for mask := range table[i] {
			table[i][mask] = ones + m.prior<<(lane*(orders-1))
			for k := range orders - 1 {
				if mask>>k&1 == 1 {
					table[i][mask] += m.prior << (lane * k)
				}
			}
		}
	}
	return table
}()

// A model is what was learned of the seats that share it.
type model struct {
	// mask: by mask.
	mask [1 << (orders - 1)]counts
	// recent: by mask and the unit's last two orders.
	recent [1 << (orders - 1) * base * base]counts
	// flow: by mask, the unit's last order, the last order given on its cell
	// and the order of the unit before it in the list.
	flow [1 << (orders - 1) * base * base * base]counts
	// trail: by the last two orders given on the cell, the unit's last order
	// and the order of the unit before it in the list.
	trail [base * base * base * base]counts
}

// A mark is one order's contexts: indices into the tables, those of flow and
// trail with the previous unit's digit still to be added, the mask, and later
// the order itself and its seat's model.
type mark uint64

const (
	markTrail  = 10
	markFlow   = 21
	markMask   = 33
	markOrder  = 37
	markFirst  = 40 // the first unit of its seat and step: no unit before it
	markModel  = 41
	markRecent = 0
)

func newMark(mask, last, before, trail, trail2 uint) mark {
	recent := (mask*base+last)*base + before
	flow := ((mask*base+last)*base + trail) * base
	tr := ((trail*base+trail2)*base + last) * base
	return mark(recent)<<markRecent | mark(tr)<<markTrail | mark(flow)<<markFlow | mark(mask)<<markMask
}

func (m mark) recent() uint { return uint(m>>markRecent) & (1<<10 - 1) }
func (m mark) trail() uint  { return uint(m>>markTrail) & (1<<11 - 1) }
func (m mark) flow() uint   { return uint(m>>markFlow) & (1<<12 - 1) }
func (m mark) mask() uint   { return uint(m>>markMask) & (1<<(orders-1) - 1) }
func (m mark) order() uint  { return uint(m>>markOrder) & 7 }
func (m mark) first() bool  { return m>>markFirst&1 == 1 }
func (m mark) model() uint  { return uint(m>>markModel) & 15 }

// learn counts an order in a context.
func learn(c *counts, order uint, step, limit counts) {
	v := *c + step<<(lane*order)
	if v*ones>>(lane*(orders-1))&laneMask > limit {
		v = v >> 1 & halves
	}
	*c = v
}

// MaxModels bounds the models of one episode.
const MaxModels = 16
