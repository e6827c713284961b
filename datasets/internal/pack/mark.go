// A mark is everything that is known of one unit before its order, and later
// the order.

package pack

import "encoding/binary"

const (
	masks  = 1 << stay  // sets of the four directions
	digits = orders + 1 // an order plus one, or 0 for none
	paces  = 3          // the last order: went, stayed, none
)

// A mark's fields. "Turned" is seen from a unit whose last order went north.
type mark uint64

const (
	markMask   = 0  // 4 bits: directions that are not known to be refused
	markOrder  = 4  // 3 bits: the order
	markModel  = 7  // 4 bits: the seat's model
	markTurn   = 11 // 2 bits: how far it is turned
	markTurned = 13 // 4 bits: the mask, turned
	markFrame  = 17 // 6 bits: turned mask and pace: mask*paces+pace
	markBefore = 23 // 3 bits each: digits, turned
	markOther  = 26
	markTrail  = 29
	markOn     = 32 // 4 bits: directions that lead on, turned
)

func (m mark) get(at, bits uint) uint { return uint(m>>at) & (1<<bits - 1) }

func (m mark) order() uint { return m.get(markOrder, 3) }
func (m mark) model() uint { return m.get(markModel, 4) }

// turnedOrder is the order as seen after the turn.
func (m mark) turnedOrder() uint { return turnOrder[m.get(markTurn, 2)][m.order()] }

// The contexts of model's tables.
func (m mark) before() uint  { return m.get(markFrame, 6)*digits + m.get(markBefore, 3) }
func (m mark) other() uint   { return m.get(markFrame, 6)*digits + m.get(markOther, 3) }
func (m mark) trodden() uint { return m.get(markFrame, 6)*digits + m.get(markTrail, 3) }
func (m mark) on() uint      { return m.get(markOn, 4)*masks*paces + m.get(markFrame, 6) }
func (m mark) onOther() uint {
	return (m.get(markOn, 4)*digits+m.get(markOther, 3))*paces + m.get(markFrame, 6)%paces
}

// newMark makes a mark of digits that were not turned yet.
func newMark(mask, last, before, other, trail, on uint) mark {
	turn, pace := uint(0), uint(0)
	switch last {
	case 0:
		pace = 2
	case stay + 1:
		pace = 1
	default:
		turn = last - 1
	}
	d, turned := &turnDigit[turn], turnMask[turn][mask]
	return mark(mask)<<markMask | mark(turn)<<markTurn | mark(turned)<<markTurned | mark(turned*paces+pace)<<markFrame |
		mark(d[before])<<markBefore | mark(d[other])<<markOther | mark(d[trail])<<markTrail | mark(turnMask[turn][on])<<markOn
}

// Tables of turning by 0..3 quarters against the clock, and back.
var (
	turnOrder, turnBack [4][8]uint
	turnDigit           [4][8]uint
	turnMask            [4][masks]uint
)

func init() {
	for t := range uint(4) {
		for k := range uint(8) {
			turnOrder[t][k], turnBack[t][k], turnDigit[t][k] = k, k, k
		}
		for k := range uint(stay) {
			turnOrder[t][k], turnBack[t][k], turnDigit[t][k+1] = (k-t)%4, (k+t)%4, (k-t)%4+1
		}
		for mask := range uint(masks) {
			turnMask[t][mask] = (mask>>t | mask<<(4-t)) % masks
		}
	}
}

// gather makes four bits of the first four flags, which are 0 or 1.
func gather(flags []byte) uint {
	v := binary.LittleEndian.Uint32(flags) & 0x01010101
	return uint(v * (1<<24 | 1<<17 | 1<<10 | 1<<3) >> 24 & 15)
}
