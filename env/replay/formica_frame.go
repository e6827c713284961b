// What a game of Formica looked like at one tick, for viewers that cannot play it
// again.
//
//	{"tick":96,"rain_ticks":0,"scores":[..],
//	 "colonies":[{"nest":[q,r],"food_stored":31,"population":18,"pop_cap":22,"chambers":1,
//	   "territory_cells":80,"alive":true,"mode":"forage","defend":false}..],
//	 "ants":[[slot,q,r,role,carry]..],"food":[[q,r,n]..],"territory":[[q,r,slot]..]}
//
// Lists are by slot and index, or by cell. role is the number of formica.Role.

package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/env/formica"
)

// A FormicaFrame is a board at one tick.
type FormicaFrame struct {
	Tick      int32
	RainTicks int32
	Scores2   []int32 // per seat, doubled
	Colonies  []FormicaColony
	Ants      []FormicaAnt
	Food      []FormicaSpot // amounts
	Territory []FormicaSpot // slots
	Extra     Extra
}

// A FormicaColony is a seat's numbers in a frame.
type FormicaColony struct {
	Nest           formica.Hex
	FoodStored     int32
	Population     int32
	PopCap         int32
	Chambers       int32
	TerritoryCells int32
	Alive          bool
	Mode           formica.Mode
	Defend         bool
	Extra          Extra
}

// A FormicaAnt is an ant in a frame.
type FormicaAnt struct {
	Slot  int
	At    formica.Hex
	Role  formica.Role
	Carry int32
}

// A FormicaSpot is a cell and a number.
type FormicaSpot struct {
	At formica.Hex
	N  int32
}

// FormicaFrameOf is the frame of a state.
func FormicaFrameOf(c *formica.Config, b *formica.Board, s *formica.State) FormicaFrame {
	f := FormicaFrame{
		Tick: s.Tick, RainTicks: int32(s.Rain),
		Ants: []FormicaAnt{}, Food: []FormicaSpot{}, Territory: []FormicaSpot{},
	}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		f.Scores2 = append(f.Scores2, s.Score2(c, seat))
		f.Colonies = append(f.Colonies, FormicaColony{
			Nest: b.Hexes[k.Nest], FoodStored: k.Food, Population: int32(len(k.Ants)), PopCap: int32(c.PopCap(int(k.Chambers))),
			Chambers: int32(k.Chambers), TerritoryCells: int32(s.Territory(c, seat)), Alive: k.Alive, Mode: k.Order.Mode, Defend: k.Order.Defend,
		})
		for _, a := range k.Ants {
			f.Ants = append(f.Ants, FormicaAnt{seat, b.Hexes[a.Cell], a.Role, int32(a.Carry)})
		}
	}
	for cell, h := range b.Hexes {
		if n := s.Food[cell]; n > 0 {
			f.Food = append(f.Food, FormicaSpot{h, int32(n)})
		}
		if owner := int(s.Owner[cell]); owner < len(s.Colonies) && s.Colonies[owner].Alive && s.Holds(c, owner, cell) {
			f.Territory = append(f.Territory, FormicaSpot{h, int32(owner)})
		}
	}
	return f
}

// MarshalJSON is the frame as it is in the file.
func (f *FormicaFrame) MarshalJSON() ([]byte, error) { return f.append(nil), nil }

// numbers reads a row of exactly want numbers.
func numbers(path string, raw json.RawMessage, want int, dst []int32) error {
	n := 0
	err := array(path, raw, want, func(i int, raw json.RawMessage) (err error) {
		n++
		dst[i], err = integer(index(path, i), raw)
		return err
	})
	if err == nil && n != want {
		err = badf(path, "%d elements, want %d", n, want)
	}
	return err
}

// mostCells bounds the lists of a frame: no board has more cells or ants.
const mostCells = 3*formica.MaxRadius*(formica.MaxRadius+1) + 1

func decodeFormicaFrame(path string, raw json.RawMessage) (FormicaFrame, error) {
	o := readObject(path, raw)
	f := FormicaFrame{
		Tick: int32(o.integer("tick", true)), RainTicks: int32(o.integer("rain_ticks", true)), Scores2: o.points("scores"),
		Ants: []FormicaAnt{}, Food: []FormicaSpot{}, Territory: []FormicaSpot{},
	}
	o.array("colonies", true, formica.MaxSeats, func(i int, raw json.RawMessage) error {
		k, err := decodeFormicaColony(index(o.at("colonies"), i), raw)
		f.Colonies = append(f.Colonies, k)
		return err
	})
	o.array("ants", true, formica.MaxSeats*formica.AntSlots, func(i int, raw json.RawMessage) error {
		var v [5]int32
		err := numbers(index(o.at("ants"), i), raw, 5, v[:])
		if err == nil && (v[3] < 0 || v[3] >= formica.NumRoles) {
			err = badf(index(o.at("ants"), i), "role %d, want 0..%d", v[3], formica.NumRoles-1)
		}
		f.Ants = append(f.Ants, FormicaAnt{int(v[0]), formica.Hex{Q: int(v[1]), R: int(v[2])}, formica.Role(v[3]), v[4]})
		return err
	})
	spots := func(name string, to *[]FormicaSpot) {
		o.array(name, true, mostCells, func(i int, raw json.RawMessage) error {
			var v [3]int32
			err := numbers(index(o.at(name), i), raw, 3, v[:])
			*to = append(*to, FormicaSpot{formica.Hex{Q: int(v[0]), R: int(v[1])}, v[2]})
			return err
		})
	}
	spots("food", &f.Food)
	spots("territory", &f.Territory)
	f.Extra = o.extra
	return f, o.err
}

func decodeFormicaColony(path string, raw json.RawMessage) (FormicaColony, error) {
	o := readObject(path, raw)
	var k FormicaColony
	if raw := o.take("nest", true); o.err == nil {
		k.Nest, o.err = decodeHex(o.at("nest"), raw)
	}
	k.FoodStored, k.Population = int32(o.integer("food_stored", true)), int32(o.integer("population", true))
	k.PopCap, k.Chambers = int32(o.integer("pop_cap", true)), int32(o.integer("chambers", true))
	k.TerritoryCells, k.Alive = int32(o.integer("territory_cells", true)), o.flag("alive")
	if word := o.text("mode", true); o.err == nil {
		mode := slices.Index(formica.ModeNames[:], word)
		if mode < 0 {
			return k, badf(o.at("mode"), "mode %.40q, want one of %s", word, strings.Join(formica.ModeNames[:], ", "))
		}
		k.Mode = formica.Mode(mode)
	}
	k.Defend = o.flag("defend")
	k.Extra = o.extra
	return k, o.err
}

func (f *FormicaFrame) append(dst []byte) []byte {
	spots := func(name string, list []FormicaSpot) field {
		return field{name, true, func(dst []byte) []byte {
			return appendList(dst, len(list), func(dst []byte, i int) []byte {
				return append(appendRow(dst, int32(list[i].At.Q), int32(list[i].At.R), list[i].N), ']')
			})
		}}
	}
	return appendObject(dst, &f.Extra, []field{
		putInt("tick", true, int(f.Tick)),
		putInt("rain_ticks", true, int(f.RainTicks)),
		{"scores", true, func(dst []byte) []byte {
			return appendList(dst, len(f.Scores2), func(dst []byte, i int) []byte { return appendPoints(dst, f.Scores2[i]) })
		}},
		{"colonies", true, func(dst []byte) []byte {
			return appendList(dst, len(f.Colonies), func(dst []byte, i int) []byte { return f.Colonies[i].append(dst) })
		}},
		{"ants", true, func(dst []byte) []byte {
			return appendList(dst, len(f.Ants), func(dst []byte, i int) []byte {
				a := &f.Ants[i]
				return append(appendRow(dst, int32(a.Slot), int32(a.At.Q), int32(a.At.R), int32(a.Role), a.Carry), ']')
			})
		}},
		spots("food", f.Food),
		spots("territory", f.Territory),
	})
}

func (k *FormicaColony) append(dst []byte) []byte {
	return appendObject(dst, &k.Extra, []field{
		{"nest", true, func(dst []byte) []byte { return appendHex(dst, k.Nest) }},
		putInt("food_stored", true, int(k.FoodStored)),
		putInt("population", true, int(k.Population)),
		putInt("pop_cap", true, int(k.PopCap)),
		putInt("chambers", true, int(k.Chambers)),
		putInt("territory_cells", true, int(k.TerritoryCells)),
		putFlag("alive", true, k.Alive),
		putText("mode", true, k.Mode.String()),
		putFlag("defend", true, k.Defend),
	})
}

// validate tells whether a frame can be of the board.
func (f *FormicaFrame) validate(path string, c *formica.Config, b *formica.Board) error {
	if f.Tick < 0 || int(f.Tick) > c.MaxTicks {
		return badf(path+".tick", "%d, want 0..%d", f.Tick, c.MaxTicks)
	}
	if len(f.Scores2) != b.Players || len(f.Colonies) != b.Players {
		return badf(path, "%d scores and %d colonies on a board of %d seats", len(f.Scores2), len(f.Colonies), b.Players)
	}
	for i := range f.Colonies {
		if b.Cell(f.Colonies[i].Nest) == formica.NoCell {
			return badf(index(path+".colonies", i)+".nest", "off the board")
		}
	}
	for i, a := range f.Ants {
		if a.Slot < 0 || a.Slot >= b.Players || b.Cell(a.At) == formica.NoCell {
			return badf(index(path+".ants", i), "slot %d at %d,%d", a.Slot, a.At.Q, a.At.R)
		}
	}
	for i, s := range f.Food {
		if b.Cell(s.At) == formica.NoCell || s.N < 1 || s.N > 255 {
			return badf(index(path+".food", i), "%d food at %d,%d", s.N, s.At.Q, s.At.R)
		}
	}
	for i, s := range f.Territory {
		if b.Cell(s.At) == formica.NoCell || s.N < 0 || int(s.N) >= b.Players {
			return badf(index(path+".territory", i), "slot %d at %d,%d", s.N, s.At.Q, s.At.R)
		}
	}
	return nil
}

// compare tells the first thing in which a recorded frame differs from the
// computed one.
func (f *FormicaFrame) compare(phases int, now *FormicaFrame) *Difference {
	if d := differ(phases, -1, "rain ticks", f.RainTicks, now.RainTicks); d != nil {
		return d
	}
	for seat := range now.Colonies {
		a, b := &f.Colonies[seat], &now.Colonies[seat]
		for _, v := range []struct {
			what               string
			recorded, computed any
		}{
			{"mode", a.Mode, b.Mode}, {"defend", a.Defend, b.Defend}, {"alive", a.Alive, b.Alive}, {"nest", a.Nest, b.Nest}, {"food stored", a.FoodStored, b.FoodStored},
			{"population", a.Population, b.Population}, {"population cap", a.PopCap, b.PopCap}, {"chambers", a.Chambers, b.Chambers},
			{"territory cells", a.TerritoryCells, b.TerritoryCells},
		} {
			if d := differ(phases, seat, v.what, v.recorded, v.computed); d != nil {
				return d
			}
		}
		if d := differ(phases, seat, "score", string(appendPoints(nil, f.Scores2[seat])), string(appendPoints(nil, now.Scores2[seat]))); d != nil {
			return d
		}
	}
	if d := differLists(phases, "ants", f.Ants, now.Ants); d != nil {
		return d
	}
	if d := differLists(phases, "food", f.Food, now.Food); d != nil {
		return d
	}
	return differLists(phases, "territory", f.Territory, now.Territory)
}

// differLists is nil where the lists are equal, and else about the first entry
// that is not.
func differLists[T comparable](phases int, what string, recorded, computed []T) *Difference {
	for i := range max(len(recorded), len(computed)) {
		a, b := "none", "none"
		if i < len(recorded) {
			a = fmt.Sprintf("%+v", recorded[i])
		}
		if i < len(computed) {
			b = fmt.Sprintf("%+v", computed[i])
		}
		if d := differ(phases, -1, fmt.Sprintf("%s, entry %d", what, i), a, b); d != nil {
			return d
		}
	}
	return nil
}
