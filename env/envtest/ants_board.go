package envtest

import (
	"slices"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// antsSizes are board sizes that engines get wrong: one cell high or wide,
// smaller than the view disk, odd, prime, and around the edges of words.
var antsSizes = [][2]int{
	{1, 255}, {255, 1}, {2, 3}, {3, 2}, {4, 4}, {5, 7}, {8, 8}, {7, 17}, {11, 13}, {17, 17}, {13, 31}, {24, 24},
	{32, 32}, {31, 33}, {9, 63}, {10, 64}, {11, 65}, {29, 31}, {43, 39}, {12, 124}, {10, 127}, {9, 128}, {8, 129},
	{7, 191}, {6, 192}, {5, 193}, {4, 255}, {40, 40}, {48, 24}, {64, 16}, {65, 12}, {124, 10}, {60, 30},
}

// AntsMap draws a board: half of them with a translation, where the size
// allows one, the others with random water and hills and no symmetry at all.
func AntsMap(choose Chooser) *ants.Map {
	size := pick(choose, antsSizes...)
	players := ants.MinSeats + choose(ants.MaxSeats-ants.MinSeats+1)
	if choose.one(3) {
		players = ants.MinSeats
	}
	if choose.one(2) {
		for range 12 {
			if m := symmetricMap(choose, size[0], size[1], ants.MinSeats+choose(ants.MaxSeats-ants.MinSeats+1)); m != nil {
				return m
			}
		}
	}
	return wildMap(choose, size[0], size[1], players)
}

// wildMap has water, hills and food anywhere, and seats with 0 to 3 hills.
func wildMap(choose Chooser, rows, cols, players int) *ants.Map {
	m := &ants.Map{Name: "wild", Rows: rows, Cols: cols, Players: players, Water: make([]bool, rows*cols)}
	percent := pick(choose, 0, 5, 20, 40)
	var land []int32
	for cell := range m.Water {
		if m.Water[cell] = choose(100) < percent; !m.Water[cell] {
			land = append(land, int32(cell))
		}
	}
	shuffle(choose, land)
	perSeat := 1 + choose(3)
	for range perSeat {
		for seat := range players {
			if len(land) > 2 && !choose.one(10) {
				m.Hills = append(m.Hills, ants.Spot{Cell: land[0], Owner: uint8(seat)})
				land = land[1:]
			}
		}
	}
	m.Food = slices.Clone(land[:min(len(land), choose(1+len(land)/8))])
	m.FoodTarget = choose(1 + 2*len(m.Food))
	if err := m.Validate(); err != nil {
		panic("envtest: drawn map: " + err.Error())
	}
	return m
}

// symmetricMap has a translation of the right order, or is nil where it found
// none that makes a valid map.
func symmetricMap(choose Chooser, rows, cols, players int) *ants.Map {
	var shifts []ants.Shift
	for dr := 0; dr < rows; dr++ {
		for dc := 0; dc < cols; dc++ {
			if order(rows, cols, dr, dc) == players {
				shifts = append(shifts, ants.Shift{DR: dr, DC: dc})
			}
		}
	}
	if len(shifts) == 0 {
		return nil
	}
	shift := pick(choose, shifts...)
	m := &ants.Map{Name: "symmetric", Rows: rows, Cols: cols, Players: players, Water: make([]bool, rows*cols), Symmetry: &shift}
	orbit := func(cell int32) []int32 {
		cells := []int32{cell}
		for len(cells) < players {
			last := cells[len(cells)-1]
			r, c := (int(last)/cols+shift.DR)%rows, (int(last)%cols+shift.DC)%cols
			cells = append(cells, int32(r*cols+c))
		}
		return cells
	}
	percent := pick(choose, 0, 5, 15)
	var starts []int32
	seen := make([]bool, rows*cols)
	for cell := range int32(rows * cols) {
		if seen[cell] {
			continue
		}
		wet := choose(100) < percent
		for _, c := range orbit(cell) {
			seen[c], m.Water[c] = true, wet
		}
		if !wet {
			starts = append(starts, cell)
		}
	}
	shuffle(choose, starts)
	hills := min(1+choose(4), len(starts))
	for _, cell := range starts[:hills] {
		for seat, c := range orbit(cell) {
			m.Hills = append(m.Hills, ants.Spot{Cell: c, Owner: uint8(seat)})
		}
	}
	starts = starts[hills:]
	for _, cell := range starts[:min(len(starts), choose(6))] {
		m.Food = append(m.Food, orbit(cell)...)
	}
	m.FoodTarget = choose(1 + 3*len(m.Food))
	if m.Validate() != nil {
		return nil
	}
	return m
}

// order is how often a translation must be repeated to come back.
func order(rows, cols, dr, dc int) int {
	inRows, inCols := rows/gcd(rows, dr), cols/gcd(cols, dc)
	return inRows / gcd(inRows, inCols) * inCols
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func shuffle[T any](choose Chooser, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := choose(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// AntsState draws any state that the rules can be played on from: crowds of
// ants, food anywhere, full hives, razed and touched hills, seats that are
// out, a cutoff about to be reached, food owed and waiting.
func AntsState(choose Chooser, rules *ants.Rules, m *ants.Map) *ants.State {
	cells := m.Rows * m.Cols
	s := &ants.State{
		Turn:   int32(choose(rules.MaxTurns)),
		Ants:   make([][]int32, m.Players),
		Seats:  make([]ants.Seat, m.Players),
		Holder: int32(choose(m.Players+2)) + ants.HolderFood,
		Count:  int32(choose(rules.CutoffTurns)),
	}
	if choose.one(8) {
		s.Turn = int32(rules.MaxTurns) - 1
	}
	if choose.one(8) {
		s.Count = int32(rules.CutoffTurns) - 1
	}
	under := choose.one(3) // food may lie under ants, even where it would be refused
	antsPer1000, foodPer1000 := pick(choose, 0, 5, 50, 200, 600), pick(choose, 0, 20, 100)
	hill := make([]bool, cells)
	for _, h := range m.Hills {
		hill[h.Cell] = true
	}
	for cell := range int32(cells) {
		if m.Water[cell] {
			continue
		}
		there := choose(1000)
		if there < antsPer1000 {
			seat := choose(m.Players)
			s.Ants[seat] = append(s.Ants[seat], cell)
		}
		if (under || there >= antsPer1000) && !hill[cell] && choose(1000) < foodPer1000 {
			s.Food = append(s.Food, cell)
		}
	}
	razed := pick(choose, 1, 3, 8) // of ten
	for _, h := range m.Hills {
		s.Hills = append(s.Hills, ants.Hill{
			Cell: h.Cell, Owner: h.Owner, Razed: choose(10) < razed, Touched: int32(choose(min(int(s.Turn), 3) + 1)),
		})
	}
	for i := range s.Seats {
		seat := &s.Seats[i]
		seat.Hive = int32(pick(choose, 0, 0, 1, 2, 5, 1000))
		seat.Score = int32(choose(9)) - 2
		seat.Razed = int32(choose(4))
		seat.Gathered = int32(choose(20))
		seat.Out = choose.one(12)
		seat.Known = make([]uint64, ants.KnownWords(cells))
		for w := range seat.Known {
			seat.Known[w] = uint64(choose(1<<16)) * 0x0001_0003_0007_000F
		}
		if rest := cells % 64; rest != 0 {
			seat.Known[len(seat.Known)-1] &= 1<<rest - 1
		}
	}
	s.Gen = generator(choose, rules, m)
	return s
}

func generator(choose Chooser, rules *ants.Rules, m *ants.Map) ants.Generator {
	seed := uint64(choose(1 << 30))
	g := ants.Generator{Seed: seed, Tie: env.RNG(choose(1 << 30))}
	sets := m.FoodSets(rules)
	if sets.Len() > 0 {
		g.Cursor, g.Rotation = int32(choose(sets.Len())), int64(choose(3))
		if choose.one(3) {
			g.Cursor = int32(sets.Len()) - 1
		}
	}
	if rules.Food != ants.FoodSets && rules.Food != ants.FoodSetsOverWater {
		return g
	}
	if !choose.one(6) {
		g.Rate, g.Period = ants.FoodRate(seed)
	}
	if sets.Len() > 0 {
		g.Extra = int64(choose(max(1, int(g.Period))))
	}
	for range choose(5) {
		if cell := int32(choose(m.Rows * m.Cols)); !m.Water[cell] {
			g.Pending = append(g.Pending, cell)
		}
	}
	return g
}
