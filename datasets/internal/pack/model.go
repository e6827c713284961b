// How likely each order is: counts by context, learned as the episode goes on
// and forgotten at its end.

package pack

// Counts of the orders are kept as sums, five of twelve bits each in a uint64: at
// bit 12*k is how often one of the orders 0..k came. So the sums of counts that
// are added are there without more ado.
type counts = uint64

const (
	orders   = 5
	stay     = 4 // the order that nothing refuses
	lane     = 12
	laneMask = 1<<lane - 1
	lanes    = 1<<(lane*orders) - 1 // all five

	// ones sums lanes: what has counts in its lanes, times ones, has in lane k the
	// sum of lanes 0..k, as long as the sum of all stays below 1<<12.
	ones counts = 1 | 1<<lane | 1<<(2*lane) | 1<<(3*lane) | 1<<(4*lane)
	// halves clears the bits that a shift right by one moved across lanes.
	halves counts = ones * (laneMask >> 1)
)

// once is each order once.
var once = func() (table [8]counts) {
	for order := range orders {
		table[order] = ones << (lane * order) & lanes
	}
	return table
}()

// A method is a way to foresee orders. Its number is in the format.
type method struct {
	// prior counts every order that the mask allows, and one each is added for
	// all orders, so that a refused order can be written too.
	prior counts
	// step is what an order adds to its count in a context; a context whose
	// sum passes limit is halved.
	step, limit counts

	steps  [8]counts     // by order, what it adds
	priors [masks]counts // by mask, the counts before anything was seen
}

// The methods, the quickest first. All counts of one order's contexts together
// stay below 1<<12: limits times contexts, plus orders*(prior+1).
var methods = [...]method{byMask: {prior: 64, step: 4, limit: 3700}, byTrack: turned, byWave: turned}

// turned is what the methods of three contexts have alike.
var turned = method{prior: 16, step: 32, limit: 1300}

const (
	byMask  = iota // by what is refused: orders drawn at random
	byTrack        // by what the unit, and units on its cell, did before
	byWave         // also by where it may be heading
)

func init() {
	for i := range methods {
		m := &methods[i]
		for order, each := range once {
			m.steps[order] = m.step * each
		}
		for mask := range m.priors {
			for k := range orders {
				m.priors[mask] += once[k]
				if k == stay || mask>>k&1 == 1 {
					m.priors[mask] += m.prior * once[k]
				}
			}
		}
	}
}

// A model is what was learned of the seats that share it. Except in mask,
// everything is turned so that the unit's last order went north: units behave
// much alike in all directions, and there is a quarter as much to learn. A mark
// says where.
type model struct {
	mask [masks]counts // by mask
	// By mask and the unit's last order; and then
	before  [contexts]counts // by the order before it,
	other   [contexts]counts // by the last order that was another one,
	trodden [contexts]counts // by the last order given on its cell.
	// By the directions that lead on, and the last order; and then
	on      [contexts]counts // by mask,
	onOther [contexts]counts // by the last order that was another one.
}

// learn counts an order in a context.
func learn(c *counts, order uint8, by *method) {
	v := *c + by.steps[order&7]
	if v>>(lane*stay) > by.limit {
		v = halved(v)
	}
	*c = v
}

// halved halves each count, rounding down.
func halved(v counts) counts {
	each := v - v<<lane&lanes
	return each >> 1 & halves * ones & lanes
}

// MaxModels bounds the models of one episode.
const MaxModels = 16
