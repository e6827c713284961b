// The orders message: how a player's text becomes an order, with everything
// that can be wrong with it.

package formica

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A Code names what was wrong with an orders message.
type Code string

// The codes.
const (
	CodeMalformed Code = "malformed"   // no JSON object, or not of type "orders"
	CodeMissing   Code = "missing"     // no type, mode, alloc or defend
	CodeMode      Code = "mode"        // unknown mode
	CodeAlloc     Code = "alloc"       // a share that is negative, no number or missing, or all are zero
	CodeDefend    Code = "defend"      // no boolean
	CodeRelocate  Code = "relocate_to" // not one of the legal cells
	CodeClosed    Code = "closed"      // second, late, or for another phase
)

// A Reply is what a message of a player comes to.
type Reply struct {
	// Given: Order replaces the latch. Otherwise the latch stays.
	Given bool
	Order Order
	// Closes: the seat has answered this phase; further messages are
	// CodeClosed.
	Closes bool
	// Codes, in the order of the constants, and Message, a sentence for each,
	// are what the seat is told in one error message; none if all was well.
	Codes   []Code
	Message string
}

// ReadOrders reads the first message of a seat for the phase that o describes:
//
//	{"type":"orders","mode":"forage","alloc":{"food":0.6,"defense":0.2,"expansion":0.2},"defend":false,
//	"relocate_to":[q,r],"phase":12}
//
// relocate_to and phase may be missing or null, unknown fields are ignored, and
// of a repeated field the last counts. What is wrong is handled so:
//
//	no JSON object, type not "orders"            latch stays, the seat is closed       malformed
//	type, mode, alloc or defend missing          latch stays, the seat is closed       missing
//	phase is not o.Phase                         ignored, the seat is not closed       closed
//	mode is none of the four words               forage, the rest applies              mode
//	alloc is no object; a share is negative,     counts as 0; all zero is .6/.2/.2;    alloc
//	no number, beyond a float64, or missing      the rest applies
//	defend is no boolean                         false, the rest applies               defend
//	relocate_to is no pair of whole numbers, or  no target, the rest applies           relocate_to
//	none of o.LegalRelocate
//
// The shares need not sum to 1: each becomes floor(10000*share/sum) basis
// points, and what is left goes to the largest remainders, food before defense
// before expansion. A legal relocate_to in another mode is dropped.
func ReadOrders(data []byte, o *Observation) Reply {
	fields, ok := object(data)
	if !ok {
		return refuse(CodeMalformed, "the message is no JSON object")
	}
	for _, name := range []string{"type", "mode", "alloc", "defend"} {
		if _, ok := fields[name]; !ok {
			return refuse(CodeMissing, "the message has no "+name)
		}
	}
	if word, ok := str(fields["type"]); !ok || word != "orders" {
		return refuse(CodeMalformed, `the message's type is not "orders"`)
	}
	if raw, ok := given(fields, "phase"); ok {
		if n, whole := integer(raw); !whole || n != int(o.Phase) {
			r := refuse(CodeClosed, "the message is for another phase than "+strconv.Itoa(int(o.Phase)))
			r.Closes = false
			return r
		}
	}
	r := Reply{Given: true, Closes: true, Order: Order{Target: NoCell}}
	var said []string
	wrong := func(code Code, message string) {
		r.Codes = append(r.Codes, code)
		said = append(said, message)
	}
	if mode, ok := readMode(fields["mode"]); ok {
		r.Order.Mode = mode
	} else {
		wrong(CodeMode, "unknown mode, read as forage")
	}
	alloc, ok := readAlloc(fields["alloc"])
	r.Order.Alloc = alloc
	if !ok {
		wrong(CodeAlloc, "alloc wants three shares that are numbers, not negative and not all 0")
	}
	switch string(fields["defend"]) {
	case "true":
		r.Order.Defend = true
	case "false":
	default:
		wrong(CodeDefend, "defend is neither true nor false, read as false")
	}
	if raw, ok := given(fields, "relocate_to"); ok {
		cell, ok := o.readTarget(raw)
		switch {
		case !ok:
			wrong(CodeRelocate, "relocate_to is none of the legal cells, ignored")
		case r.Order.Mode == ModeRelocate:
			r.Order.Target = cell
		}
	}
	r.Message = strings.Join(said, "; ")
	return r
}

func refuse(code Code, message string) Reply {
	return Reply{Closes: true, Codes: []Code{code}, Message: message}
}

// Closed is the reply to a message that comes second or late.
func Closed() Reply { return refuse(CodeClosed, "the phase is closed") }

// AppendError appends the error message for a reply with codes:
//
//	{"type":"error","phase":12,"codes":["mode"],"message":".."}
func (r *Reply) AppendError(dst []byte, phase int32) []byte {
	w := writer{dst: dst}
	w.text(`{"type":"error","phase":`).num(int(phase)).text(`,"codes":`)
	w.list(len(r.Codes), func(i int) { w.text(`"`).text(string(r.Codes[i])).text(`"`) })
	w.text(`,"message":`)
	w.dst = strconv.AppendQuote(w.dst, r.Message) // plain ASCII, so Go's quotes are JSON's
	w.text("}")
	return w.dst
}

// AppendOrders appends the orders message that ReadOrders reads back as o. The
// geometry is the board's; relocate_to is left out without a target.
func AppendOrders(dst []byte, o Order, g *Geometry, phase int32) []byte {
	w := writer{g: g, dst: dst}
	w.text(`{"type":"orders",`)
	w.order(o)
	if o.Target != NoCell {
		w.text(`,"relocate_to":`).cell(o.Target)
	}
	w.text(`,"phase":`).num(int(phase)).text("}")
	return w.dst
}

// object reads one JSON object and nothing after it.
func object(data []byte) (map[string]json.RawMessage, bool) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, false
	}
	return fields, fields != nil
}

// given is a field that is neither missing nor null.
func given(fields map[string]json.RawMessage, name string) (json.RawMessage, bool) {
	raw, ok := fields[name]
	return raw, ok && !bytes.Equal(raw, []byte("null"))
}

// str reads a JSON string; null is none.
func str(raw json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// number reads a JSON number in the range of a float64.
func number(raw json.RawMessage) (float64, bool) {
	var v *float64
	if json.Unmarshal(raw, &v) != nil || v == nil {
		return 0, false
	}
	return *v, true
}

// integer reads a JSON number without a fraction, such as 3 or 3.0.
func integer(raw json.RawMessage) (int, bool) {
	v, ok := number(raw)
	if !ok || v != math.Trunc(v) || math.Abs(v) > 1<<30 {
		return 0, false
	}
	return int(v), true
}

func readMode(raw json.RawMessage) (Mode, bool) {
	word, ok := str(raw)
	if !ok {
		return ModeForage, false
	}
	for mode, name := range ModeNames {
		if word == name {
			return Mode(mode), true
		}
	}
	return ModeForage, false
}

// readAlloc normalises the shares, with ok false if any was bad.
func readAlloc(raw json.RawMessage) (alloc Alloc, ok bool) {
	fields, ok := object(raw)
	shares, sum := [3]*big.Rat{}, new(big.Rat)
	for i, name := range allocNames {
		shares[i] = new(big.Rat)
		v, number := number(fields[name])
		if !number || v < 0 {
			ok = false
			continue
		}
		shares[i].SetFloat64(v)
		sum.Add(sum, shares[i])
	}
	if sum.Sign() == 0 {
		return DefaultOrder().Alloc, false
	}
	rest, remainders := int64(AllocWhole), [3]*big.Rat{}
	for i, share := range shares {
		part := new(big.Rat).Mul(share, big.NewRat(AllocWhole, 1))
		part.Quo(part, sum)
		whole := new(big.Int).Quo(part.Num(), part.Denom())
		alloc[i] = uint16(whole.Int64())
		rest -= whole.Int64()
		remainders[i] = part.Sub(part, new(big.Rat).SetInt(whole))
	}
	for ; rest > 0; rest-- {
		best := 0
		for i := range remainders {
			if remainders[i].Cmp(remainders[best]) > 0 {
				best = i
			}
		}
		alloc[best]++
		remainders[best] = big.NewRat(-1, 1)
	}
	return alloc, ok
}

// readTarget reads [q,r] as one of the legal cells.
func (o *Observation) readTarget(raw json.RawMessage) (int32, bool) {
	var pair []json.RawMessage
	if json.Unmarshal(raw, &pair) != nil || len(pair) != 2 {
		return NoCell, false
	}
	q, okQ := integer(pair[0])
	r, okR := integer(pair[1])
	if !okQ || !okR {
		return NoCell, false
	}
	cell := int32(GeometryOf(o.Radius).Cell(Hex{q, r}))
	for _, legal := range o.LegalRelocate {
		if legal == cell {
			return cell, true
		}
	}
	return NoCell, false
}
