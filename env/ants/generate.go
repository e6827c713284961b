// The map generator: seeded, and always symmetric under a translation whose
// order is the number of seats, connected, and validated like any other map.
//
// generate_names.go reads and writes options as text, generate_ground.go is a
// board that is drawn on everywhere at once, generate_families.go draws the
// families, and generate_place.go puts hills and food.

package ants

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
)

// Limits of generated maps.
const (
	MinGenerateSide         = 24
	MaxGenerateSide         = 124
	MaxGenerateSeats        = 8
	MaxGenerateHills        = 4
	MaxGenerateWaterPercent = 60
)

// GenerateOptions say what map to make. Equal options make equal maps.
type GenerateOptions struct {
	// Family is how the land looks: one of FamilyNames, or CodeClash.
	Family string
	Seats  int // 2..8; 0 is 2
	// HillsPerSeat is 1..4; 0 is 1.
	HillsPerSeat int
	// Rows and Cols are 24..124; 0 is a size that suits the seats. A board of
	// that size must have a translation of order Seats: Seats divides the
	// least common multiple of Rows and Cols. It must move every cell at least
	// 4 away, which only some boards of 8 seats with a side of 24 miss.
	Rows, Cols int
	Seed       uint64
	// WaterPercent is about the share of water, 1..60; 0 is the family's own.
	// Water is grown or worn away cell by cell as far as the land stays
	// connected, so a board can end short of it.
	WaterPercent int
}

// CodeClash is the family of the CodeClash board: 32x32, two seats of one
// hill, moved by half the board both ways, with scattered water and food. Only
// its seed can be chosen.
const CodeClash = "codeclash"

type family struct {
	name string
	draw func(g *ground, rng *env.RNG, o *GenerateOptions)
	// court is the squared radius of the land that is cleared around hills.
	court int
}

var families = []family{
	{"open", drawOpen, 2},
	{"maze", drawMaze, 5},
	{"cave", drawCave, 4},
	{"rooms", drawRooms, 2},
	{"colonnade", drawColonnade, 5},
}

// FamilyNames lists the families that can be generated.
func FamilyNames() []string {
	names := make([]string, len(families))
	for i := range families {
		names[i] = families[i].name
	}
	return names
}

const (
	// generateAttempts bounds the boards that are drawn for one map.
	generateAttempts = 64
	// leastWater is the least share that a family's own drawing must have.
	leastWater = 4
)

// Generate makes a map. Its name is the options as text, from which it can be
// made again; its food target is the food it starts with. Errors are
// *MapError: CodeOptions if there can be no such map, CodeGenerate if none of
// a fixed number of attempts made a good one.
func Generate(o GenerateOptions) (*Map, error) {
	o, err := o.resolve()
	if err != nil {
		return nil, err
	}
	draw := family{CodeClash, drawScattered, 2}
	for _, f := range families {
		if f.name == o.Family {
			draw = f
		}
	}
	var why error
	for attempt := range generateAttempts {
		rng := env.RNG(env.Derive(o.Seed, generateStream, uint64(attempt)))
		m, err := o.attempt(draw, &rng, attempt)
		if err == nil {
			return m, nil
		}
		why = err
	}
	return nil, mapErrorf(CodeGenerate, "%s: %d attempts failed, the last with: %v", o, generateAttempts, why)
}

const generateStream = 0x6D61702E67656E00

// GenerateCodeClash makes the CodeClash board of a seed.
func GenerateCodeClash(seed uint64) (*Map, error) {
	return Generate(GenerateOptions{Family: CodeClash, Seed: seed})
}

var errPoor = errors.New("poor board")

// attempt draws one board. Errors say why it is not good enough.
func (o *GenerateOptions) attempt(f family, rng *env.RNG, attempt int) (*Map, error) {
	g := newGround(o.Rows, o.Cols, o.Seats, pickShift(o, rng))
	f.draw(g, rng, o)
	g.connect()
	if o.WaterPercent > 0 {
		g.adjustWater(o.WaterPercent, rng)
	}
	// The demand for distance falls with the attempts.
	cellsPerHill := o.Rows * o.Cols / (o.Seats * o.HillsPerSeat)
	apart := max(minHillsApart, isqrt(cellsPerHill)*3/4-attempt/4)
	hills, err := placeHills(g, rng, o.HillsPerSeat, min(f.court, cellsPerHill/24), apart)
	if err != nil {
		return nil, err
	}
	if o.WaterPercent == 0 && g.wet()*100 < leastWater*len(g.water) {
		return nil, fmt.Errorf("%w: under %d%% water", errPoor, leastWater)
	}
	food := placeFood(g, rng, hills)
	if len(food) == 0 {
		return nil, fmt.Errorf("%w: no room for food", errPoor)
	}
	spec, err := json.Marshal(map[string]string{"family": o.Family, "spec": o.String()})
	if err != nil {
		panic("ants: strings do not marshal: " + err.Error())
	}
	m := &Map{
		Name: o.String(), Rows: o.Rows, Cols: o.Cols, Players: o.Seats,
		Water: g.water, Food: food, FoodTarget: len(food),
		Symmetry: &Shift{DR: g.move.DR, DC: g.move.DC},
		Extra:    map[string]json.RawMessage{"generator": spec},
	}
	for _, h := range hills {
		for seat, c := range g.orbit(h) {
			m.Hills = append(m.Hills, Spot{c, uint8(seat)})
		}
	}
	return m, m.Validate()
}

// resolve fills in what is left open and refuses what cannot be made.
func (o GenerateOptions) resolve() (GenerateOptions, error) {
	bad := func(format string, a ...any) (GenerateOptions, error) {
		return o, mapErrorf(CodeOptions, format, a...)
	}
	if o.Family == CodeClash {
		want := GenerateOptions{Family: CodeClash, Seats: 2, HillsPerSeat: 1, Rows: 32, Cols: 32, Seed: o.Seed}
		have, fixed := o.fields(), want.fields()
		for i := range have {
			if *have[i].to != 0 && *have[i].to != *fixed[i].to {
				return bad("%s is %d, but a %s board is always 32x32 for 2 seats of one hill; only its seed can be chosen",
					have[i].key, *have[i].to, CodeClash)
			}
		}
		return want, nil
	}
	known := false
	for _, f := range families {
		known = known || f.name == o.Family
	}
	if !known {
		return bad("no family %q (have %s, %s)", o.Family, strings.Join(FamilyNames(), ", "), CodeClash)
	}
	if o.Seats == 0 {
		o.Seats = MinSeats
	}
	if o.HillsPerSeat == 0 {
		o.HillsPerSeat = 1
	}
	for _, f := range []struct {
		name          string
		value, lo, hi int
	}{
		{"seats", o.Seats, MinSeats, MaxGenerateSeats},
		{"hills", o.HillsPerSeat, 1, MaxGenerateHills},
		{"water", o.WaterPercent, 0, MaxGenerateWaterPercent},
	} {
		if f.value < f.lo || f.value > f.hi {
			return bad("%s is %d, want %d..%d", f.name, f.value, f.lo, f.hi)
		}
	}
	for _, side := range []int{o.Rows, o.Cols} {
		if side != 0 && (side < MinGenerateSide || side > MaxGenerateSide) {
			return bad("board of %dx%d, want %d..%d a side", o.Rows, o.Cols, MinGenerateSide, MaxGenerateSide)
		}
	}
	want := defaultSizes[o.Seats]
	switch {
	case o.Rows == 0 && o.Cols == 0:
		o.Rows, o.Cols = want.DR, want.DC
	case o.Rows == 0:
		o.Rows = nearestSide(o.Cols, want.DR, o.Seats)
	case o.Cols == 0:
		o.Cols = nearestSide(o.Rows, want.DC, o.Seats)
	}
	if !hasMove(o.Rows, o.Cols, o.Seats) {
		var near []string
		for _, s := range nearestSizes(o.Rows, o.Cols, o.Seats) {
			near = append(near, fmt.Sprintf("%dx%d", s.DR, s.DC))
		}
		return bad("no translation of a %dx%d board has order %d and moves cells %d or more; nearest sizes that have one: %s",
			o.Rows, o.Cols, o.Seats, isqrt(minSpacing2), strings.Join(near, ", "))
	}
	return o, nil
}

// defaultSizes are rows and columns by seats.
var defaultSizes = [MaxGenerateSeats + 1]Shift{
	2: {32, 48}, 3: {48, 48}, 4: {48, 64}, 5: {60, 80}, 6: {60, 96}, 7: {70, 98}, 8: {80, 112},
}

// minSpacing2 is the least squared distance of a cell and its nearest image.
const minSpacing2 = 16

// hasMove tells whether a board has a translation of that order that moves
// every cell far enough.
func hasMove(rows, cols, order int) bool { return len(wideMoves(rows, cols, order)) > 0 }

// wideMoves lists the translations of that order that keep a cell's images
// about as far apart as any does.
func wideMoves(rows, cols, order int) []Shift {
	type move struct {
		Shift
		spacing int
	}
	m := &Map{Rows: rows, Cols: cols}
	var moves []move
	best := minSpacing2
	unitR, unitC := rows/gcd(rows, order), cols/gcd(cols, order)
	for dr := 0; dr < rows; dr += unitR {
		for dc := 0; dc < cols; dc += unitC {
			s := Shift{dr, dc}
			if s.order(rows, cols) != order {
				continue
			}
			spacing := rows*rows + cols*cols
			for k := 1; k < order; k++ {
				spacing = min(spacing, m.Distance2(0, m.offset(0, k*dr, k*dc)))
			}
			moves = append(moves, move{s, spacing})
			best = max(best, spacing)
		}
	}
	var wide []Shift
	for _, c := range moves {
		if c.spacing >= minSpacing2 && 4*c.spacing >= 3*best {
			wide = append(wide, c.Shift)
		}
	}
	return wide
}

// nearestSide is the side next to want that goes with the other.
func nearestSide(other, want, seats int) int {
	for d := 0; ; d++ {
		for _, side := range []int{want - d, want + d} {
			if side >= MinGenerateSide && side <= MaxGenerateSide && hasMove(side, other, seats) {
				return side
			}
		}
	}
}

// nearestSizes lists a few sizes that have a move, nearest first.
func nearestSizes(rows, cols, seats int) []Shift {
	var found []Shift
	for d := 1; len(found) < 3 && d <= 2*MaxGenerateSide; d++ {
		for dr := -d; dr <= d; dr++ {
			for _, dc := range []int{abs(dr) - d, d - abs(dr)} {
				r, c := rows+dr, cols+dc
				inside := r >= MinGenerateSide && r <= MaxGenerateSide && c >= MinGenerateSide && c <= MaxGenerateSide
				if inside && hasMove(r, c, seats) && len(found) < 4 {
					found = append(found, Shift{r, c})
				}
				if dc == 0 {
					break
				}
			}
		}
	}
	return found
}

// pickShift draws one of the translations that keep images far apart.
func pickShift(o *GenerateOptions, rng *env.RNG) Shift {
	if o.Family == CodeClash {
		return Shift{o.Rows / 2, o.Cols / 2}
	}
	moves := wideMoves(o.Rows, o.Cols, o.Seats)
	return moves[rng.Below(uint64(len(moves)))]
}

// isqrt is the integer square root.
func isqrt(n int) int {
	r := 0
	for (r+1)*(r+1) <= n {
		r++
	}
	return r
}
