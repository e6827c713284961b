// How likely each order is: counts by context, learned as the episode goes on
// and forgotten at its end.

package pack

// Five counts of twelve bits each lie in a uint64, order k at bit 12*k.
type counts = uint64

const (
	orders   = 5
	stay     = 4 // the order that nothing refuses
	lane     = 12
	laneMask = 1<<lane - 1

	// ones sums lanes: counts*ones has in lane k the sum of lanes 0..k, as
	// long as the sum of all stays below 1<<12.
	ones counts = 1 | 1<<lane | 1<<(2*lane) | 1<<(3*lane) | 1<<(4*lane)
	// halves clears the bits that a shift right by one moved across lanes.
	halves counts = ones * (laneMask >> 1)
)

// A method is a way to foresee orders. Its number is in the format.
type method struct {
	// prior counts every order that the mask allows, and one each is added for
	// all orders, so that a refused order can be written too.
	prior counts
	// step is what an order adds to its count in a context; a context whose
	// sum passes limit is halved.
	step, limit counts
}

// The methods, the quickest first. All counts of one order's contexts together
// stay below 1<<12: limits times contexts, plus orders*(prior+1).
var methods = [...]method{
	byMask:  {prior: 64, step: 4, limit: 3700},
	byTrack: {prior: 16, step: 32, limit: 1300},
	byWave:  {prior: 16, step: 32, limit: 1300},
}

const (
	byMask  = iota // by what is refused: orders drawn at random
	byTrack        // by what the unit, and units on its cell, did before
	byWave         // also by where it may be heading
)

// priors is a method's counts before anything was seen, by mask.
var priors = func() (table [len(methods)][masks]counts) {
	for i, m := range methods {
		for mask := range table[i] {
			table[i][mask] = ones + m.prior<<(lane*stay)
			for k := range stay {
				if mask>>k&1 == 1 {
					table[i][mask] += m.prior << (lane * k)
				}
			}
		}
	}
	return table
}()

// A model is what was learned of the seats that share it. Except in mask,
// everything is turned so that the unit's last order went north: units behave
// much alike in all directions, and there is a quarter as much to learn.
type model struct {
	mask [masks]counts // by mask
	// By mask and the unit's last order; and then
	before  [masks * paces * digits]counts // by the order before it,
	other   [masks * paces * digits]counts // by the last order that was another one,
	trodden [masks * paces * digits]counts // by the last order given on its cell.
	// By the directions that lead on, and the last order; and then
	on      [masks * masks * paces]counts  // by mask,
	onOther [masks * digits * paces]counts // by the last order that was another one.
}

// learn counts an order in a context.
func learn(c *counts, order uint, step, limit counts) {
	v := *c + step<<(lane*order)
	if v*ones>>(lane*stay)&laneMask > limit {
		v = v >> 1 & halves
	}
	*c = v
}

// MaxModels bounds the models of one episode.
const MaxModels = 16
