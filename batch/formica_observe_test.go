// What the arrays say of a seat is what its JSON view says, and nothing else.

package batch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// A message is a seat's JSON view, read back.
type message struct {
	Kind     string    `json:"kind"`
	Tick     int       `json:"tick"`
	MaxTicks int       `json:"max_ticks"`
	Slot     int       `json:"slot"`
	Radius   int       `json:"radius"`
	Rain     int       `json:"rain_ticks"`
	Scores   []float64 `json:"scores"`
	Alive    []bool    `json:"alive"`
	Colony   struct {
		Nest       [2]int         `json:"nest"`
		Food       int            `json:"food_stored"`
		Population int            `json:"population"`
		Cap        int            `json:"pop_cap"`
		Chambers   int            `json:"chambers"`
		Squads     map[string]int `json:"squads"`
		Territory  [][2]int       `json:"territory"`
		Freshness  []int          `json:"freshness"`
		Orders     struct {
			Mode   string             `json:"mode"`
			Alloc  map[string]float64 `json:"alloc"`
			Defend bool               `json:"defend"`
		} `json:"orders"`
	} `json:"colony"`
	Ants      [][5]int `json:"ants"`
	Food      [][3]int `json:"food"`
	Rivals    [][4]int `json:"rivals"`
	Scent     [][3]int `json:"scent"`
	Pheromone [][3]int `json:"pheromone"`
	Nests     []struct {
		Cell [2]int `json:"cell"`
	} `json:"nests"`
	Threat int      `json:"threat"`
	Legal  [][2]int `json:"legal_relocate"`
}

// A readable observation: planes by name on the grid, scalars by name.
type readable struct {
	planes  map[string][]int
	scalars map[string]float32
}

// readMessage makes the planes and scalars of a message, by their
// declaration's text. homes are the directions in which the nests of all seats
// started, which everybody knows; width is the grid's; sights are the rule
// set's.
func readMessage(m *message, homes []uint8, width int, rules *formica.Config) readable {
	r := readable{planes: map[string][]int{}, scalars: map[string]float32{}}
	for _, p := range formica.Planes() {
		r.planes[p.Name] = make([]int, width*width)
	}
	home := int(homes[m.Slot])
	at := func(q, row int) int {
		// Turned so that the own nest's direction comes to lie in direction 0.
		h := formica.Hex{Q: q, R: row}.Turn(6 - home)
		return (h.R+width/2)*width + h.Q + width/2
	}
	set := func(name string, q, row, value int) { r.planes[name][at(q, row)] = value }
	add := func(name string, q, row int) { r.planes[name][at(q, row)]++ }
	length := func(q, row int) int { return formica.Hex{Q: q, R: row}.Length() }
	for row := -m.Radius; row <= m.Radius; row++ {
		for q := -m.Radius; q <= m.Radius; q++ {
			if length(q, row) > m.Radius {
				continue
			}
			set("valid", q, row, 1)
			for _, a := range m.Ants {
				far := length(a[1]-q, a[2]-row)
				if far <= rules.FoodSight {
					set("food_vision", q, row, 1)
				}
				if far <= rules.RivalSight {
					set("rival_vision", q, row, 1)
				}
			}
		}
	}
	if m.Alive[m.Slot] {
		set("own_nest", m.Colony.Nest[0], m.Colony.Nest[1], 1)
	}
	for i, c := range m.Colony.Territory {
		set("own_held", c[0], c[1], 1)
		set("freshness", c[0], c[1], min(255, m.Colony.Freshness[i]))
	}
	for _, p := range m.Pheromone {
		set("own_pheromone", p[0], p[1], min(255, p[2]/8))
	}
	for _, a := range m.Ants {
		name := []string{"ants_searching", "ants_defense", "ants_expansion", "ants_raid", "ants_build"}[a[3]]
		if a[4] > 0 {
			name = "ants_carrying"
		}
		add(name, a[1], a[2])
	}
	for _, f := range m.Food {
		set("food", f[0], f[1], f[2])
	}
	for _, v := range m.Rivals {
		add("rivals", v[0], v[1])
		if v[3] == 1 {
			add("rival_raiders", v[0], v[1])
		}
	}
	for _, s := range m.Scent {
		set("scent", s[0], s[1], s[2])
	}
	for _, n := range m.Nests {
		set("known_nests", n.Cell[0], n.Cell[1], 1)
	}
	for _, c := range m.Legal {
		set("legal_relocation", c[0], c[1], 1)
	}
	flag := func(on bool) float32 {
		if on {
			return 1
		}
		return 0
	}
	r.scalars["tick"] = float32(m.Tick) / float32(m.MaxTicks)
	r.scalars["event"] = flag(m.Kind == "event")
	r.scalars["rain"], r.scalars["food"] = float32(m.Rain), float32(m.Colony.Food)
	r.scalars["population"], r.scalars["pop_cap"] = float32(m.Colony.Population), float32(m.Colony.Cap)
	r.scalars["chambers"], r.scalars["threat"] = float32(m.Colony.Chambers), float32(m.Threat)
	for role, n := range m.Colony.Squads {
		r.scalars["squad_"+role] = float32(n)
	}
	for s, h := range homes {
		d := (int(h) + 6 - home) % 6
		r.scalars[fmt.Sprintf("score_%d", d)] = float32(m.Scores[s])
		r.scalars[fmt.Sprintf("alive_%d", d)] = flag(m.Alive[s])
	}
	r.scalars["mode_"+m.Colony.Orders.Mode] = 1
	for part, share := range m.Colony.Orders.Alloc {
		r.scalars["alloc_"+part] = float32(share)
	}
	r.scalars["defend"] = flag(m.Colony.Orders.Defend)
	return r
}

// compareHex compares the arrays of every observed seat with its JSON view.
func compareHex(t *testing.T, what string, b *batch.Batch) {
	t.Helper()
	z := b.Sizes()
	width := z["W"]
	for board := range z["B"] {
		e := hexEngine(b, board)
		state := e.State()
		var homes []uint8
		for _, k := range state.Colonies {
			homes = append(homes, k.Home)
		}
		for at, seat := range hexObserved(b) {
			what := fmt.Sprintf("%s, board %d seat %d", what, board, seat)
			got := hexPlanes(t, b, board, at)
			scalars := boardSeat[float32](b, "scalars", board, at)
			modes, defend := boardSeat[int8](b, "mode_mask", board, at), boardSeat[int8](b, "defend_mask", board, at)
			targets := boardSeat[int8](b, "target_mask", board, at)
			want := readable{planes: map[string][]int{}, scalars: map[string]float32{}}
			alive := false
			if seat < e.Seats() {
				var m message
				must(t, json.Unmarshal(e.AppendView(nil, seat), &m))
				want = readMessage(&m, homes, width, e.Config())
				alive = m.Alive[seat]
			}
			legal := 0
			for p, plane := range formica.Planes() {
				expected := want.planes[plane.Name]
				if expected == nil {
					expected = make([]int, width*width)
				}
				for i, v := range got[p] {
					if v != expected[i] {
						t.Fatalf("%s: plane %s has %d at row %d, column %d, want %d", what, plane.Name, v, i/width, i%width, expected[i])
					}
					if plane.Name == "legal_relocation" {
						legal += v
						if int(targets[i]) != v {
							t.Fatalf("%s: target mask %d at %d, want %d", what, targets[i], i, v)
						}
					}
				}
			}
			for i, s := range formica.Scalars() {
				if scalars[i] != want.scalars[s.Name] {
					t.Fatalf("%s: scalar %s is %v, want %v", what, s.Name, scalars[i], want.scalars[s.Name])
				}
			}
			wantModes, wantDefend := []int8{1, 0, 0, 0}, []int8{1, 0}
			if alive {
				wantModes, wantDefend = []int8{1, 1, 1, int8(min(1, legal))}, []int8{1, 1}
			}
			same(t, what+": mode mask", fmt.Sprint(modes), fmt.Sprint(wantModes))
			same(t, what+": defend mask", fmt.Sprint(defend), fmt.Sprint(wantDefend))
		}
	}
}

// TestFormicaObserved builds every plane, scalar and mask again from the JSON
// views alone.
func TestFormicaObserved(t *testing.T) {
	rounds, steps := 12, 10
	if testing.Short() {
		rounds, steps = 3, 3
	}
	for round := range rounds {
		choose := envtest.Choices(uint64(100 + round))
		rules := envtest.FormicaConfig(choose)
		t.Run(fmt.Sprintf("%d-%s", round, rules.Name), func(t *testing.T) {
			b := newBatch(t, hexBatch(t, func(c *batch.Config) {
				c.Boards, c.Rules, c.Autoreset = 7, rules.JSON(), batch.Disabled
				c.Planes = []obs.DType{obs.Uint8, obs.Float16, obs.Float32}[round%3]
				if round%2 == 0 {
					c.Maps = c.Maps[round/2%len(c.Maps):][:1]
				}
				c.Observe = boards(c.Maps[0].Seats())
				for _, m := range c.Maps {
					c.Observe = boards(max(len(c.Observe), m.Seats()))
				}
			}))
			must(t, b.Reset(uint64(round)))
			compareHex(t, "after the reset", b)
			hexScatter(t, b, uint64(round))
			compareHex(t, "scattered", b)
			rng := env.RNG(round)
			for step := range steps {
				must(t, b.Step(hexActions(t, b, hexHeads[(round+step)%len(hexHeads)], &rng)))
				compareHex(t, fmt.Sprintf("step %d", step), b)
			}
		})
	}
}

// TestFormicaLeaks changes what a seat may not know, through SetState: not a
// byte of what the arrays show it may change.
func TestFormicaLeaks(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	changed := 0
	for round := range rounds {
		seed := env.Derive(77, uint64(round))
		choose := envtest.Choices(seed)
		rules, m := envtest.FormicaConfig(choose), envtest.FormicaBoard(choose)
		start := envtest.FormicaState(choose, &rules, m)
		seat := choose(m.Players)
		b := newBatch(t, hexBatch(t, func(c *batch.Config) {
			c.Boards, c.Rules, c.Maps, c.Observe, c.Workers = 5, rules.JSON(), []env.Map{m}, boards(m.Players), 1
		}))
		must(t, b.Reset(1))
		for board := range 5 {
			s := start
			if board > 0 {
				s = envtest.FormicaHidden(choose, &rules, m, start, seat)
				if !bytes.Equal(s.Append(nil), start.Append(nil)) {
					changed++
				}
			}
			must(t, hexEngine(b, board).SetState(s.Append(nil)))
		}
		b.Refresh()
		for _, name := range []string{"planes", "scalars", "mode_mask", "defend_mask", "target_mask"} {
			a := b.Array(name)
			row := a.Stride() / m.Players
			want := a.Data[seat*row:][:row]
			for board := 1; board < 5; board++ {
				if got := a.Data[board*a.Stride()+seat*row:][:row]; !bytes.Equal(got, want) {
					t.Fatalf("seed %d: hidden changes show in %s of seat %d from byte %d", seed, name, seat, firstDifference(got, want))
				}
			}
		}
	}
	if changed < 3*rounds {
		t.Errorf("only %d of %d changes changed anything", changed, 4*rounds)
	}
	t.Logf("%d changes of hidden state leave the arrays as they are", changed)
}

// TestFormicaRelabelledBatch plays whole episodes on two boards of a batch,
// natively, the second with the seats renumbered and their policies with them:
// scores must be renumbered the same way, and every seat's arrays must be the
// same bytes.
func TestFormicaRelabelledBatch(t *testing.T) {
	episodes := 500
	if testing.Short() {
		episodes = 12
	}
	if long() {
		episodes = 3000
	}
	names := []string{"scripted", "forage", "raid", "defend", "build-forage", "build-raid", "random"}
	perSeat := []string{"planes", "scalars", "mode_mask", "defend_mask", "target_mask", "reward", "terminated", "episode_return"}
	all := []string{"score", "rank", "food_stored", "territory", "population", "episode_harvested", "episode_stolen", "episode_births", "episode_losses"}
	phases := 0
	const pairs = 10
	for round := range (episodes + pairs - 1) / pairs {
		m := hexMaps(t)[round%5].(*formica.Board)
		choose := envtest.Choices(uint64(4000 + round))
		c := hexBatch(t, func(c *batch.Config) {
			c.Rules = []string{"default", "duel", `{"name":"default","rain_decays":3,"locust_toll":40}`}[round%3]
			c.Boards, c.Maps, c.Observe, c.Autoreset, c.Rewards = 2*pairs, []env.Map{m}, boards(m.Players), batch.Disabled, everyFormicaReward
		})
		var seats [pairs][]int
		for i := range pairs {
			seats[i] = boards(m.Players)
			for j := range seats[i] {
				k := j + choose(m.Players-j)
				seats[i][j], seats[i][k] = seats[i][k], seats[i][j]
			}
			one, other := make([]string, m.Players), make([]string, m.Players)
			for s, to := range seats[i] {
				one[s] = names[choose(len(names))]
				other[to] = one[s]
			}
			c.Policies = append(c.Policies, one, other)
		}
		b := newBatch(t, c)
		must(t, b.Reset(uint64(round)))
		for i := range pairs {
			start := hexEngine(b, 2*i).State()
			must(t, hexEngine(b, 2*i+1).SetState(envtest.FormicaRelabelled(start, seats[i]).Append(nil)))
		}
		b.Refresh()
		for step := 0; slices.Contains(view[bool](t, b, "done"), false); step++ {
			must(t, b.Step(batch.Actions{}))
			for i := range pairs {
				what := fmt.Sprintf("round %d step %d pair %d seats %v", round, step, i, seats[i])
				for s, to := range seats[i] {
					for _, name := range perSeat {
						a := b.Array(name)
						row := a.Stride() / m.Players
						got, want := a.Data[(2*i+1)*a.Stride()+to*row:][:row], a.Data[2*i*a.Stride()+s*row:][:row]
						if !bytes.Equal(got, want) {
							t.Fatalf("%s: %s of seat %d differs from that of seat %d from byte %d", what, name, to, s, firstDifference(got, want))
						}
					}
					for _, name := range all {
						list := view[int32](t, b, name)
						same(t, what+": "+name, list[(2*i+1)*m.Players+to], list[2*i*m.Players+s])
					}
				}
				phases++
			}
		}
	}
	t.Logf("%d phases equal to their relabellings", phases)
}
