// The replay of Formica: the seed, the orders of every command phase, a hash of
// the state between phases, and what the game looked like.
//
//	{"format":"formica-replay/1","rules_version":1,"config":{..},"seed_used":S,
//	 "players":[{"name":".."}..],
//	 "orders":[[phase,tick,slot,"mode",food,defense,expansion,defend,[q,r] or null]..],
//	 "hashes":["16 hex digits"..],
//	 "results":{"scores":[..],"food_stored":[..],"territory_cells":[..],"population":[..],
//	   "alive":[..],"died_at":[..],"ticks":N,"seed_used":S,"rules_version":1},
//	 "frames":[{..}..]}
//
// config is every constant of the rules, with the seats and the radius of the
// board that was played on, and no tokens. An order is there where a seat gave
// one; its shares are basis points. hashes[p] is env.Hash of the state after p
// phases, from 0, the state after the reset, so there is one more than phases.
// Scores are points, halves written as .5. frames may be missing or empty; see
// formica_frame.go.

package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// formicaFormat is what the format member says.
const formicaFormat = "formica-replay/1"

// A Formica is a recorded game of Formica.
type Formica struct {
	RulesVersion int
	Config       formica.Config
	SeedUsed     uint64
	Players      []FormicaPlayer
	Orders       []FormicaOrder // by phase, then slot
	Hashes       []uint64       // one more than there are phases
	Results      formica.Results
	Frames       []FormicaFrame // by tick
	Extra        Extra

	config, results Extra
	seedQuoted      bool
}

// A FormicaPlayer is who played a seat.
type FormicaPlayer struct {
	Name  string
	Extra Extra
}

// A FormicaOrder is an order that a seat gave in a phase.
type FormicaOrder struct {
	Phase, Tick int32
	Slot        int
	Mode        formica.Mode
	Alloc       formica.Alloc
	Defend      bool
	Target      *formica.Hex // nil: none
}

// Format is FormatFormica.
func (f *Formica) Format() Format { return FormatFormica }

// Phases is how many command phases were answered.
func (f *Formica) Phases() int { return len(f.Hashes) - 1 }

// Board is the board that was played on. Errors wrap ErrReplay.
func (f *Formica) Board() (*formica.Board, error) {
	b, err := f.Config.Board()
	if err != nil {
		return nil, wrapf("config", err)
	}
	if err := f.Config.CheckBoard(b); err != nil {
		return nil, wrapf("config", err)
	}
	return b, nil
}

// Setup is the config, its board and who played.
func (f *Formica) Setup() (Setup, error) {
	b, err := f.Board()
	if err != nil {
		return Setup{}, err
	}
	s := Setup{Game: "formica", Rules: f.Config.JSON(), Map: b}
	for _, p := range f.Players {
		s.Players = append(s.Players, p.Name)
	}
	return s, nil
}

// DecodeFormica reads a replay of Formica. It checks the form, but not whether
// the parts fit together: call Validate. Errors wrap ErrReplay.
func DecodeFormica(data []byte) (*Formica, error) {
	data, err := compact(data)
	if err != nil {
		return nil, err
	}
	o := readObject("", data)
	if format := o.text("format", true); o.err == nil && format != formicaFormat {
		o.fail("format", "%q, want %q", format, formicaFormat)
	}
	f := &Formica{RulesVersion: o.integer("rules_version", true)}
	if o.err == nil {
		if err := f.checkVersion(); err != nil {
			return nil, err
		}
	}
	if raw := o.take("config", true); o.err == nil {
		if err := f.decodeConfig(raw); err != nil {
			return nil, err
		}
	}
	s := o.seed("seed_used", true)
	f.SeedUsed, f.seedQuoted = s.value, s.quoted
	o.array("players", true, formica.MaxSeats, func(i int, raw json.RawMessage) error {
		p := readObject(index("players", i), raw)
		f.Players = append(f.Players, FormicaPlayer{Name: p.text("name", false), Extra: p.extra})
		return p.err
	})
	o.array("orders", true, formica.MaxSeats*formica.MaxMaxTicks, func(i int, raw json.RawMessage) error {
		order, err := decodeFormicaOrder(index("orders", i), raw)
		f.Orders = append(f.Orders, order)
		return err
	})
	o.array("hashes", true, formica.MaxMaxTicks+1, func(i int, raw json.RawMessage) error {
		digits, err := shortText(index("hashes", i), raw)
		if err != nil {
			return err
		}
		hash, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || len(digits) != 16 || digits != strings.ToLower(digits) {
			return badf(index("hashes", i), "%s where 16 hex digits are wanted", sample(raw))
		}
		f.Hashes = append(f.Hashes, hash)
		return nil
	})
	if raw := o.take("results", true); o.err == nil {
		if err := f.decodeResults(raw); err != nil {
			return nil, err
		}
	}
	o.array("frames", false, formica.MaxMaxTicks+1, func(i int, raw json.RawMessage) error {
		frame, err := decodeFormicaFrame(index("frames", i), raw)
		f.Frames = append(f.Frames, frame)
		return err
	})
	if o.err != nil {
		return nil, o.err
	}
	f.Extra = o.extra
	return f, nil
}

// checkVersion refuses games by other rules: nothing else in the file can be
// trusted to mean the same.
func (f *Formica) checkVersion() error {
	if f.RulesVersion != formica.RulesVersion {
		return badf("rules_version", "the game was played by version %d of the rules, this program plays version %d", f.RulesVersion, formica.RulesVersion)
	}
	return nil
}

// configNames are the members of a config that formica.Config holds.
var configNames = func() []string {
	seed := uint64(0)
	names := []string{}
	full := readObject("", json.RawMessage((&formica.Config{Seed: &seed}).JSON()))
	for _, m := range full.extra.list {
		names = append(names, m.name)
	}
	return names
}()

// decodeConfig reads the members that are constants of the rules and keeps the
// others, such as a server's.
func (f *Formica) decodeConfig(raw json.RawMessage) error {
	o := readObject("config", raw)
	known := []byte{'{'}
	for _, name := range configNames {
		value := o.take(name, false)
		if value == nil {
			continue
		}
		if len(known) > 1 {
			known = append(known, ',')
		}
		known = append(appendText(known, name), ':')
		known = append(known, value...)
	}
	if o.err != nil {
		return o.err
	}
	var err error
	if f.Config, err = formica.ParseConfig(string(append(known, '}'))); err != nil {
		return wrapf("config", err)
	}
	f.config = o.extra
	return nil
}

// decodeFormicaOrder reads a row of orders.
func decodeFormicaOrder(path string, raw json.RawMessage) (FormicaOrder, error) {
	var order FormicaOrder
	var numbers [6]int32 // phase, tick, slot, shares
	n := 0
	err := array(path, raw, 9, func(i int, raw json.RawMessage) (err error) {
		n++
		path := index(path, i)
		switch i {
		case 3:
			word, err := shortText(path, raw)
			if err != nil {
				return err
			}
			mode := slices.Index(formica.ModeNames[:], word)
			if mode < 0 {
				return badf(path, "mode %.40q, want one of %s", word, strings.Join(formica.ModeNames[:], ", "))
			}
			order.Mode = formica.Mode(mode)
		case 7:
			if s := string(raw); s != "true" && s != "false" {
				return badf(path, "%s where true or false is wanted", kind(raw))
			}
			order.Defend = string(raw) == "true"
		case 8:
			if string(raw) == "null" {
				return nil
			}
			h, err := decodeHex(path, raw)
			order.Target = &h
			return err
		default:
			at := i
			if i > 3 {
				at--
			}
			numbers[at], err = integer(path, raw)
		}
		return err
	})
	if err != nil {
		return order, err
	}
	if n != 9 {
		return order, badf(path, "%d elements, want 9", n)
	}
	order.Phase, order.Tick, order.Slot = numbers[0], numbers[1], int(numbers[2])
	for i, share := range numbers[3:] {
		if share < 0 || share > formica.AllocWhole {
			return order, badf(index(path, 4+i), "%d, want 0..%d", share, formica.AllocWhole)
		}
		order.Alloc[i] = uint16(share)
	}
	return order, nil
}

// decodeHex reads [q,r].
func decodeHex(path string, raw json.RawMessage) (formica.Hex, error) {
	var at [2]int32
	n := 0
	err := array(path, raw, 2, func(i int, raw json.RawMessage) (err error) {
		n++
		at[i], err = integer(index(path, i), raw)
		return err
	})
	if err == nil && n != 2 {
		err = badf(path, "%d elements, want 2", n)
	}
	if err == nil && (max(at[0], at[1]) > formica.MaxRadius || min(at[0], at[1]) < -formica.MaxRadius) {
		err = badf(path, "%s lies on no board", sample(raw))
	}
	return formica.Hex{Q: int(at[0]), R: int(at[1])}, err
}

func (f *Formica) decodeResults(raw json.RawMessage) error {
	o := readObject("results", raw)
	r := &f.Results
	r.Scores2 = o.points("scores")
	r.FoodStored = o.integers("food_stored", true, formica.MaxSeats)
	r.TerritoryCells = o.integers("territory_cells", true, formica.MaxSeats)
	r.Population = o.integers("population", true, formica.MaxSeats)
	o.array("alive", true, formica.MaxSeats, func(i int, raw json.RawMessage) error {
		if s := string(raw); s != "true" && s != "false" {
			return badf(index("results.alive", i), "%s where true or false is wanted", kind(raw))
		}
		r.Alive = append(r.Alive, string(raw) == "true")
		return nil
	})
	o.array("died_at", true, formica.MaxSeats, func(i int, raw json.RawMessage) error {
		tick := int32(-1)
		var err error
		if string(raw) != "null" {
			if tick, err = integer(index("results.died_at", i), raw); err == nil && tick < 0 {
				err = badf(index("results.died_at", i), "%d, want 0 or more, or null", tick)
			}
		}
		r.DiedAt = append(r.DiedAt, tick)
		return err
	})
	r.Ticks = int32(o.integer("ticks", true))
	r.SeedUsed = o.seed("seed_used", true).value
	r.RulesVersion = o.integer("rules_version", true)
	f.results = o.extra
	return o.err
}

// points reads a list of points, whole or with .5, doubled.
func (o *object) points(name string) []int32 {
	var list []int32
	o.array(name, true, formica.MaxSeats, func(i int, raw json.RawMessage) error {
		whole, half, _ := strings.Cut(string(raw), ".")
		n, err := integer(index(o.at(name), i), json.RawMessage(whole))
		if err != nil || half != "" && half != "5" && half != "0" || n < 0 || n > 1<<29 {
			return badf(index(o.at(name), i), "%s where points in halves are wanted", sample(raw))
		}
		n *= 2
		if half == "5" {
			n++
		}
		list = append(list, n)
		return nil
	})
	return list
}

// appendPoints appends doubled points as points.
func appendPoints(dst []byte, score2 int32) []byte {
	dst = strconv.AppendInt(dst, int64(score2/2), 10)
	if score2%2 != 0 {
		dst = append(dst, ".5"...)
	}
	return dst
}

// Encode writes the replay. Members keep their order; an order and a frame has a
// line of its own.
func (f *Formica) Encode() ([]byte, error) {
	config := readObject("config", json.RawMessage(f.Config.JSON()))
	var constants []field
	for _, m := range config.extra.list {
		constants = append(constants, putRaw(m.name, true, m.raw))
	}
	dst := appendObject(nil, &f.Extra, []field{
		putText("format", true, formicaFormat),
		putInt("rules_version", true, f.RulesVersion),
		{"config", true, func(dst []byte) []byte { return appendObject(dst, &f.config, constants) }},
		{"seed_used", true, seed{f.SeedUsed, f.seedQuoted}.append},
		{"players", true, func(dst []byte) []byte {
			return appendList(dst, len(f.Players), func(dst []byte, i int) []byte {
				p := &f.Players[i]
				return appendObject(dst, &p.Extra, []field{putText("name", !p.Extra.read || p.Name != "", p.Name)})
			})
		}},
		{"orders", true, func(dst []byte) []byte {
			return appendLines(dst, len(f.Orders), func(dst []byte, i int) []byte { return f.Orders[i].append(dst) })
		}},
		{"hashes", true, func(dst []byte) []byte {
			return appendLines(dst, len(f.Hashes), func(dst []byte, i int) []byte { return fmt.Appendf(dst, `"%016x"`, f.Hashes[i]) })
		}},
		{"results", true, f.appendResults},
		{"frames", f.Frames != nil, func(dst []byte) []byte {
			return appendLines(dst, len(f.Frames), func(dst []byte, i int) []byte { return f.Frames[i].append(dst) })
		}},
	})
	return append(dst, '\n'), nil
}

func (o *FormicaOrder) append(dst []byte) []byte {
	dst = appendRow(dst, o.Phase, o.Tick, int32(o.Slot))
	dst = appendText(append(dst, ','), o.Mode.String())
	for _, share := range o.Alloc {
		dst = strconv.AppendInt(append(dst, ','), int64(share), 10)
	}
	dst = strconv.AppendBool(append(dst, ','), o.Defend)
	dst = append(dst, ',')
	if o.Target == nil {
		return append(dst, "null]"...)
	}
	return append(appendHex(dst, *o.Target), ']')
}

func appendHex(dst []byte, h formica.Hex) []byte {
	return append(appendRow(dst, int32(h.Q), int32(h.R)), ']')
}

func (f *Formica) appendResults(dst []byte) []byte {
	r := &f.Results
	return appendObject(dst, &f.results, []field{
		{"scores", true, func(dst []byte) []byte {
			return appendList(dst, len(r.Scores2), func(dst []byte, i int) []byte { return appendPoints(dst, r.Scores2[i]) })
		}},
		putIntegers("food_stored", true, r.FoodStored),
		putIntegers("territory_cells", true, r.TerritoryCells),
		putIntegers("population", true, r.Population),
		{"alive", true, func(dst []byte) []byte {
			return appendList(dst, len(r.Alive), func(dst []byte, i int) []byte { return strconv.AppendBool(dst, r.Alive[i]) })
		}},
		{"died_at", true, func(dst []byte) []byte {
			return appendList(dst, len(r.DiedAt), func(dst []byte, i int) []byte {
				if r.DiedAt[i] < 0 {
					return append(dst, "null"...)
				}
				return strconv.AppendInt(dst, int64(r.DiedAt[i]), 10)
			})
		}},
		putInt("ticks", true, int(r.Ticks)),
		{"seed_used", true, seed{r.SeedUsed, f.seedQuoted}.append},
		putInt("rules_version", true, r.RulesVersion),
	})
}

// Validate tells whether a game can have made the replay: the rules are this
// program's and hold, every list has an entry per seat, orders are valid and in
// order, frames are of the board. Errors wrap ErrReplay.
func (f *Formica) Validate() error {
	if err := f.checkVersion(); err != nil {
		return err
	}
	if err := f.Config.Validate(); err != nil {
		return wrapf("config", err)
	}
	b, err := f.Board()
	if err != nil {
		return err
	}
	if want := f.Config.EpisodeSeed(f.SeedUsed); want != f.SeedUsed {
		return badf("seed_used", "%d, config.seed is %d", f.SeedUsed, want)
	}
	if len(f.Players) != b.Players {
		return badf("players", "%d entries on a board of %d seats", len(f.Players), b.Players)
	}
	if n := f.Phases(); n < 0 || n > f.Config.MaxTicks {
		return badf("hashes", "%d entries, want 1..%d: one a phase and one", len(f.Hashes), f.Config.MaxTicks+1)
	}
	for i := range f.Orders {
		if err := f.validateOrder(b, i); err != nil {
			return err
		}
	}
	if err := f.validateResults(b.Players); err != nil {
		return err
	}
	for i := range f.Frames {
		if i > 0 && f.Frames[i].Tick <= f.Frames[i-1].Tick {
			return badf(index("frames", i)+".tick", "%d after %d", f.Frames[i].Tick, f.Frames[i-1].Tick)
		}
		if err := f.Frames[i].validate(index("frames", i), &f.Config, b); err != nil {
			return err
		}
	}
	return nil
}

func (f *Formica) validateOrder(b *formica.Board, i int) error {
	o, path := &f.Orders[i], index("orders", i)
	if o.Phase < 0 || int(o.Phase) >= f.Phases() {
		return badf(index(path, 0), "phase %d of %d", o.Phase, f.Phases())
	}
	if o.Tick < 0 || int(o.Tick) >= f.Config.MaxTicks {
		return badf(index(path, 1), "tick %d of %d", o.Tick, f.Config.MaxTicks)
	}
	if o.Slot < 0 || o.Slot >= b.Players {
		return badf(index(path, 2), "slot %d of %d", o.Slot, b.Players)
	}
	if i > 0 {
		last := &f.Orders[i-1]
		switch {
		case o.Phase < last.Phase, o.Phase == last.Phase && o.Slot <= last.Slot:
			return badf(path, "phase %d, slot %d after phase %d, slot %d", o.Phase, o.Slot, last.Phase, last.Slot)
		case o.Phase == last.Phase && o.Tick != last.Tick:
			return badf(index(path, 1), "tick %d, another order of the phase has %d", o.Tick, last.Tick)
		}
	}
	if _, err := o.encode(b); err != nil {
		return wrapf(path, err)
	}
	return nil
}

// encode is the order as engines take it. Errors wrap env.ErrOrders.
func (o *FormicaOrder) encode(b *formica.Board) ([]byte, error) {
	order := formica.Order{Mode: o.Mode, Alloc: o.Alloc, Defend: o.Defend, Target: formica.NoCell}
	if o.Target != nil {
		cell := b.Cell(*o.Target)
		if cell == formica.NoCell {
			return nil, fmt.Errorf("%w: target %d,%d is off the board", env.ErrOrders, o.Target.Q, o.Target.R)
		}
		order.Target = int32(cell)
	}
	data := order.Append(nil)
	_, err := formica.DecodeOrder(data, b.Cells)
	return data, err
}

func (f *Formica) validateResults(seats int) error {
	r := &f.Results
	for _, list := range []struct {
		name string
		n    int
	}{
		{"scores", len(r.Scores2)}, {"food_stored", len(r.FoodStored)}, {"territory_cells", len(r.TerritoryCells)},
		{"population", len(r.Population)}, {"alive", len(r.Alive)}, {"died_at", len(r.DiedAt)},
	} {
		if list.n != seats {
			return badf("results."+list.name, "%d entries on a board of %d seats", list.n, seats)
		}
	}
	if r.SeedUsed != f.SeedUsed {
		return badf("results.seed_used", "%d, the game's is %d", r.SeedUsed, f.SeedUsed)
	}
	if r.RulesVersion != f.RulesVersion {
		return badf("results.rules_version", "%d, the game's is %d", r.RulesVersion, f.RulesVersion)
	}
	return nil
}

var _ Replay = (*Formica)(nil)

// isFormica tells whether an object says that it is a replay of Formica, of any
// version of the format.
func isFormica(format json.RawMessage) bool {
	return bytes.HasPrefix(format, []byte(`"formica-replay/`))
}
