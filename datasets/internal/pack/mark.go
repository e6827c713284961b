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
// The contexts are where model's tables have the unit; they are sums, so that a
// mark is the sum of what the unit's cell, its mask and the wave add to it.
type mark uint64

const (
	markMask    = 0  // 4 bits: directions that are not known to be refused
	markTurn    = 4  // 2 bits: how far it is turned
	markTurned  = 6  // 4 bits: the mask, turned
	markOrder   = 10 // 3 bits: the order
	markModel   = 13 // 4 bits: the seat's model
	markBefore  = 17 // 9 bits each: (mask*paces+pace)*digits+digit, turned
	markOther   = 26
	markTrodden = 35
	markOn      = 44 // 10 bits: pace, then four bits of the directions that lead on and four of the mask, turned
	markOnOther = 54 // 9 bits: (on*paces+pace)*digits+digit, turned
)

// contexts bounds a mark's contexts; tables of so many need no look at the index.
const contexts = 1 << 10

func (m mark) get(at, bits uint) uint { return uint(m>>at) & (1<<bits - 1) }

func (m mark) order() uint8 { return uint8(m.get(markOrder, 3)) }
func (m mark) model() uint  { return m.get(markModel, 4) }

// turnedOrder is the order as seen after the turn.
func (m mark) turnedOrder() uint8 { return turnOrder[m.get(markTurn, 2)][m.order()] }

// The contexts of model's tables.
func (m mark) before() uint  { return m.get(markBefore, 9) }
func (m mark) other() uint   { return m.get(markOther, 9) }
func (m mark) trodden() uint { return m.get(markTrodden, 9) }
func (m mark) on() uint      { return m.get(markOn, 10) }
func (m mark) onOther() uint { return m.get(markOnOther, 9) }

// byTrack is a mark whose contexts of the wave are those of byTrack, for which
// the decoder, whose method is one, uses the same tables.
func (m mark) byTrack() mark {
	const wave = (1<<10-1)<<markOn | (1<<9-1)<<markOnOther
	return m&^wave | mark(m.other())<<markOn | mark(m.trodden())<<markOnOther
}

// newMark makes the mark of a unit on a cell, with the directions that are not
// refused and those that lead on.
func newMark(s spot, mask, on uint) mark {
	m := spotMarks[s&(1<<spotEnd-1)]
	turn := uint(m) & (3 << markTurn)
	return m + maskMarks[(turn|mask)&63] + onMarks[(turn|on)&63]
}

// What a spot, and by four times a turn a mask and the directions that lead on,
// add to a mark.
var (
	spotMarks           [1 << spotEnd]mark
	maskMarks, onMarks  [4 << markTurn]mark
	turnOrder, turnBack [4][8]uint8 // by 0..3 quarters against the clock, and back
)

func init() {
	for t := range uint8(4) {
		for k := range uint8(8) {
			turnOrder[t][k], turnBack[t][k] = k, k
		}
		for k := range uint8(stay) {
			turnOrder[t][k], turnBack[t][k] = (k-t)%4, (k+t)%4
		}
		for mask := range mark(masks) {
			turned := (mask>>t | mask<<(4-t)) % masks
			each := turned * paces * digits
			maskMarks[mark(t)<<markTurn|mask] = mask<<markMask | turned<<markTurned | each<<markBefore | each<<markOther | each<<markTrodden | turned<<markOn
			onMarks[mark(t)<<markTurn|mask] = turned<<(markOn+stay) | each<<markOnOther
		}
	}
	for s := range spotMarks {
		digit := func(at int) mark { return mark(s) >> at & 7 }
		turn, pace := mark(0), mark(0)
		switch last := digit(spotLast); last {
		case 0:
			pace = 2
		case stay + 1:
			pace = 1
		default:
			turn = (last - 1) % 4
		}
		context := func(at int) mark {
			if d := digit(at); d > 0 {
				return pace*digits + mark(turnOrder[turn][d-1]) + 1
			}
			return pace * digits
		}
		spotMarks[s] = turn<<markTurn | context(spotBefore)<<markBefore | context(spotOther)<<markOther | context(spotTrail)<<markTrodden |
			pace<<(markOn+2*stay) | context(spotOther)<<markOnOther
	}
}

// gather makes four bits of the first four flags, which are 0 or 1.
func gather(flags []byte) uint {
	v := binary.LittleEndian.Uint32(flags) & 0x01010101
	return uint(v * (1<<24 | 1<<17 | 1<<10 | 1<<3) >> 24 & 15)
}
