// How boards of Formica are driven: policies, heads, episodes, snapshots.

package batch_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/formicaref"
	"github.com/myriant-rl/myriant/env/formica/policy"
	"github.com/myriant-rl/myriant/env/obs"
)

// hexReference is a reference engine in the state of one board.
func hexReference(t testing.TB, b *batch.Batch, board int) *formicaref.Engine {
	t.Helper()
	e := hexEngine(b, board)
	ref, err := formicaref.New(e.Config(), e.Board())
	must(t, err)
	must(t, ref.SetState(e.AppendState(nil)))
	return ref
}

// hexSeatings are who plays, board by board.
var hexSeatings = [][]string{
	{"scripted", "scripted", "scripted", "scripted", "scripted", "scripted"},
	{"raid", "defend", "build-forage", "build-raid", "random", "forage"},
	{"", "random", "scripted", "raid", "scripted", "build-raid"},
	{"random", "", "random", batch.Caller, "defend", ""},
}

// TestFormicaPolicies plays whole games in the batch, and the same games on
// the reference with the readable policies: orders and states must be equal
// every phase.
func TestFormicaPolicies(t *testing.T) {
	n, steps := 20, 80
	if testing.Short() {
		n, steps = 10, 10
	}
	if long() {
		n, steps = 60, 600
	}
	compared := 0
	for _, rules := range formica.Variants() {
		t.Run(rules, func(t *testing.T) {
			played := newRecorder(n)
			b := newBatch(t, hexBatch(t, func(c *batch.Config) {
				c.Rules, c.Boards, c.Recorder, c.Autoreset, c.Observe = rules, n, played, batch.Disabled, boards(6)
				for i := range n {
					c.Policies = append(c.Policies, hexSeatings[i%len(hexSeatings)][:c.Maps[i%len(c.Maps)].Seats()])
				}
			}))
			must(t, b.Reset(21))
			hexScatter(t, b, 17)
			refs := make([]*formicaref.Engine, n)
			for i := range refs {
				refs[i] = hexReference(t, b, i)
			}
			rng := env.RNG(7)
			for step := range steps {
				for i := range played {
					played[i] = nil
				}
				must(t, b.Step(hexActions(t, b, hexHeads[step%3], &rng)))
				for i, ref := range refs {
					if played[i] == nil {
						continue
					}
					what := fmt.Sprintf("step %d board %d", step, i)
					state := ref.State()
					for seat, name := range b.Config().Policies[i] {
						if name == "" || name == batch.Caller {
							continue
						}
						readable, err := policy.New(name)
						must(t, err)
						want := readable.Act(nil, ref.Observation(seat), policy.Draw(state.Seed, state.Colonies[seat].Home, state.Phase))
						if !bytes.Equal(played[i][seat], want) {
							t.Fatalf("%s: seat %d (%s) was ordered %v, want %v", what, seat, name, played[i][seat], want)
						}
					}
					must(t, ref.Step(played[i]))
					same(t, what+": state", b.Hash(i), env.Hash(ref.AppendState(nil)))
					same(t, what+": ticks", view[int32](t, b, "ticks")[i], ref.Waiting().Elapsed)
					compared++
				}
			}
		})
	}
	t.Logf("%d board-phases with policies equal to the reference", compared)
}

// TestFormicaHeadsAgree gives the same orders through each head: the orders
// played and the boards must be the same.
func TestFormicaHeadsAgree(t *testing.T) {
	steps := 20
	if testing.Short() {
		steps = 6
	}
	ways := []string{"order_bytes", "orders", "order_weights", "order_logits"}
	batches, played := make([]*batch.Batch, len(ways)), make([]recorder, len(ways))
	for i := range ways {
		played[i] = newRecorder(9)
		batches[i] = newBatch(t, hexBatch(t, func(c *batch.Config) { c.Boards, c.Recorder, c.Autoreset = 9, played[i], batch.Disabled }))
		must(t, batches[i].Reset(3))
		hexScatter(t, batches[i], 8)
	}
	first := batches[0]
	z := first.Sizes()
	size := z["W"] * z["W"]
	rng := env.RNG(1)
	moves := 0
	for step := range steps {
		acts := make([]batch.Actions, len(ways))
		for i, way := range ways {
			acts[i].Head = way
		}
		for board := range z["B"] {
			e := hexEngine(first, board)
			state := e.State()
			for seat := range z["S"] {
				logits := make([]float32, z["L"])
				o, target := formica.DefaultOrder(), int32(-1)
				if seat < e.Seats() {
					legal := e.Observation(seat).LegalRelocate
					o.Mode = formica.Mode(rng.Below(4))
					if len(legal) == 0 && o.Mode == formica.ModeRelocate {
						o.Mode = formica.ModeRaid
					}
					if o.Mode == formica.ModeRelocate {
						o.Target = legal[rng.Below(uint64(len(legal)))]
						h := e.Board().Hexes[o.Target].Turn(-int(state.Colonies[seat].Home))
						target = int32((h.R+z["W"]/2)*z["W"] + h.Q + z["W"]/2)
						moves++
					}
					o.Defend = rng.Below(2) == 1
				}
				alloc := rng.Below(formica.NumTenths)
				o.Alloc = formica.AllocTenths[alloc]
				defend := int32(0)
				if o.Defend {
					defend = 1
				}
				acts[0].Uint8 = append(acts[0].Uint8, o.Append(nil)...)
				acts[1].Int32 = append(acts[1].Int32, int32(o.Mode), int32(alloc), defend, target)
				// Any multiple of the shares is the same order.
				k := 1 + int32(rng.Below(20))
				acts[2].Int32 = append(acts[2].Int32, int32(o.Mode), k*int32(o.Alloc[0]/1000), k*int32(o.Alloc[1]/1000), k*int32(o.Alloc[2]/1000), defend, target)
				logits[formica.LogitsMode+int(o.Mode)], logits[formica.LogitsAlloc+int(alloc)], logits[formica.LogitsDefend+int(defend)] = 1, 2, 3
				for i := range size {
					// What is masked may be as tempting as it likes.
					logits[formica.LogitsTarget+i] = float32(rng.Below(100))
				}
				if target >= 0 {
					logits[formica.LogitsTarget+int(target)] = 101
					for i, on := range boardSeat[int8](first, "target_mask", board, seat) {
						if on == 0 {
							logits[formica.LogitsTarget+i] = float32(math.Inf(1))
						}
					}
				}
				acts[3].Float32 = append(acts[3].Float32, logits...)
			}
		}
		for i, b := range batches {
			must(t, b.Step(acts[i]))
			what := fmt.Sprintf("step %d, head %s", step, ways[i])
			same(t, what, fmt.Sprint(played[i]), fmt.Sprint(played[0]))
			sameArrays(t, what, b, first)
		}
	}
	same(t, "nests were told to move", moves > 0, true)
}

// TestFormicaLogits: masked modes are never taken, NaN never wins, ties go to
// the lowest, and samples follow the softmax.
func TestFormicaLogits(t *testing.T) {
	played := newRecorder(400)
	b := newBatch(t, hexBatch(t, func(c *batch.Config) {
		c.Boards, c.Recorder, c.Maps, c.Observe, c.Policies = 400, played, []env.Map{hexBoard(t, 2, 10)}, []int{0, 1}, [][]string{{"", "forage"}}
	}))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	size := b.Sizes()["L"]
	play := func(a batch.Actions, change func(row []float32)) (orders []formica.Order) {
		t.Helper()
		must(t, b.Reset(1)) // no cell to relocate to: only the nest is held
		a.Head, a.Float32 = "order_logits", make([]float32, 400*2*size)
		for i := range 400 {
			change(a.Float32[2*i*size:][:size])
		}
		must(t, b.Step(a))
		for i := range played {
			o, err := formica.DecodeOrder(played[i][0], formica.GeometryOf(10).Cells)
			must(t, err)
			orders = append(orders, o)
		}
		return orders
	}
	for _, c := range []struct {
		modes [4]float32
		want  formica.Mode
	}{
		{[4]float32{0, 0, 0, inf}, formica.ModeForage}, {[4]float32{0, 1, 1, 9}, formica.ModeRaid}, {[4]float32{nan, nan, -inf, 0}, formica.ModeBuild},
		{[4]float32{nan, nan, nan, nan}, formica.ModeForage}, {[4]float32{-inf, -inf, -inf, 0}, formica.ModeForage}, {[4]float32{0, inf, 0, 0}, formica.ModeRaid},
	} {
		for _, sample := range []bool{false, true} {
			if sample && c.modes[1] == c.modes[2] {
				continue
			}
			if o := play(batch.Actions{Sample: sample, Seed: 5}, func(row []float32) { copy(row, c.modes[:]) }); sample && c.modes[0] != c.modes[0] || !sample {
				same(t, fmt.Sprint(c.modes), o[0].Mode, c.want)
			}
		}
	}
	counts := [3]int{}
	for seed := range uint64(10) {
		for _, o := range play(batch.Actions{Sample: true, Seed: seed, Temperature: 0.5}, func(row []float32) {
			row[0], row[1], row[2] = 0, float32(math.Log(2)/2), float32(math.Log(5)/2)
		}) {
			counts[o.Mode]++
		}
	}
	for mode, share := range []float64{1, 2, 5} {
		want := 4000 * share / 8
		if math.Abs(float64(counts[mode])-want) > 5*math.Sqrt(want) {
			t.Errorf("mode %d was drawn %d times of 4000, want about %v", mode, counts[mode], want)
		}
	}
}

// TestFormicaBadOrders: a refused step says which seat and what, and changes
// nothing; with HoldBad it is no order.
func TestFormicaBadOrders(t *testing.T) {
	config := func(hold bool, r batch.Recorder) batch.Config {
		return hexBatch(t, func(c *batch.Config) {
			c.Boards, c.Maps, c.HoldBad, c.Recorder = 3, []env.Map{hexBoard(t, 2, 10)}, hold, r
		})
	}
	b := newBatch(t, config(false, nil))
	must(t, b.Reset(1))
	played := newRecorder(3)
	holding := newBatch(t, config(true, played))
	must(t, holding.Reset(1))
	good := map[string]batch.Actions{
		"orders":        {Int32: slices.Repeat([]int32{3, 5, 0, -1}, 6)},
		"order_weights": {Int32: slices.Repeat([]int32{3, 1, 1, 1, 0, -1}, 6)},
		"order_bytes":   {Uint8: slices.Repeat(formica.DefaultOrder().Append(nil), 6)},
	}
	for _, c := range []struct {
		head  string
		at    int
		value int32
		word  string
	}{
		{"orders", 0, 4, "mode 4"}, {"orders", 0, -2, "mode -2"}, {"orders", 1, 66, "alloc 66"}, {"orders", 1, -1, "alloc -1"},
		{"orders", 2, 2, "defend"}, {"orders", 3, 441, "target 441"}, {"orders", 3, -2, "target -2"}, {"orders", 3, 0, "not on the board"},
		{"order_weights", 0, 7, "mode 7"}, {"order_weights", 2, -1, "weight 1"}, {"order_weights", 3, 1_000_001, "weight 2"},
		{"order_weights", 4, -1, "defend"}, {"order_weights", 5, 440, "not on the board"},
		{"order_bytes", 0, 4, "mode 4"}, {"order_bytes", 1, 1, "alloc"}, {"order_bytes", 7, 2, "defend"}, {"order_bytes", 9, 1, "target"},
	} {
		a := good[c.head]
		a.Head = c.head
		// Board 2, seat 1: the last row.
		if a.Uint8 != nil {
			a.Uint8 = slices.Clone(a.Uint8)
			a.Uint8[len(a.Uint8)-formica.OrderBytes+c.at] = uint8(c.value)
		} else {
			a.Int32 = slices.Clone(a.Int32)
			a.Int32[len(a.Int32)-len(a.Int32)/6+c.at] = c.value
		}
		before := b.Hash(0) ^ b.Hash(1)<<1 ^ b.Hash(2)<<2
		err := b.Step(a)
		if !errors.Is(err, env.ErrOrders) || !strings.Contains(err.Error(), "board 2 seat 1") || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%s column %d of %d: %v, want %q of board 2 seat 1", c.head, c.at, c.value, err, c.word)
		}
		same(t, "state after a refused step", b.Hash(0)^b.Hash(1)<<1^b.Hash(2)<<2, before)
		must(t, holding.Step(a))
		if played[2][1] != nil || played[2][0] == nil {
			t.Errorf("%s column %d of %d: held as %v", c.head, c.at, c.value, played[2])
		}
	}
	// In another mode the target is not read.
	must(t, b.Step(batch.Actions{Head: "orders", Int32: slices.Repeat([]int32{0, 5, 0, 9999}, 6)}))
	for _, a := range []batch.Actions{
		{}, {Head: "ant"}, {Head: "orders", Int32: make([]int32, 23)}, {Head: "orders", Uint8: make([]uint8, 24)}, {Head: "order_logits", Float32: make([]float32, 5)},
		{Head: "order_weights", Int32: make([]int32, 24)}, {Head: "order_bytes", Uint8: make([]uint8, 59)},
	} {
		if err := b.Step(a); !errors.Is(err, env.ErrOrders) {
			t.Errorf("head %q: %v", a.Head, err)
		}
	}
}

// TestFormicaBadConfig: every error wraps a documented one and says what is wrong.
func TestFormicaBadConfig(t *testing.T) {
	for _, c := range []struct {
		change func(c *batch.Config)
		want   error
		word   string
	}{
		{func(c *batch.Config) { c.Maps = []env.Map{bundled(t, "tiny-2p")} }, env.ErrMap, "want a Formica board"},
		{func(c *batch.Config) { c.Rules = `{"rules_version":2}` }, env.ErrRules, "rules_version"},
		{func(c *batch.Config) { c.Rules = `{"nest_inset":9}` }, env.ErrMap, "too small"},
		{func(c *batch.Config) { c.Planes = obs.Bit }, batch.ErrConfig, "have uint8, float16, float32"},
		{func(c *batch.Config) { c.Options = map[string]bool{"recentre": false} }, batch.ErrConfig, "recentre"},
		{func(c *batch.Config) { c.Rewards = map[string]float64{"kills": 1} }, batch.ErrConfig, "margin, win, score"},
		{func(c *batch.Config) { c.Arrays = []string{"ant_cells"} }, batch.ErrConfig, "ant_cells"},
		{func(c *batch.Config) { c.Policies = [][]string{{"greedy"}} }, env.ErrRules, "scripted"},
		{func(c *batch.Config) { c.Observe = []int{0, 6} }, batch.ErrConfig, "seat 6"},
	} {
		b, err := batch.New(hexBatch(t, c.change))
		if err == nil {
			b.Close()
		}
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%v, want %v with %q", err, c.want, c.word)
		}
	}
	b := newBatch(t, batch.Config{Game: "formica", Boards: 2, Maps: []env.Map{hexBoard(t, 4, 12)}})
	same(t, "default arrays", fmt.Sprint(b.Names()), fmt.Sprint(formica.DefaultArrays()))
	same(t, "planes", b.Array("planes").DType, obs.Uint8)
	same(t, "declared arrays", len(b.Outputs()), len(everyFormicaArray()))
	if n := b.BoardBytes(); n <= 0 || n > 16<<10 {
		t.Errorf("a board takes %d bytes, want at most 16 KiB", n)
	}
}

// hexIdle steps without any order.
func hexIdle(t testing.TB, b *batch.Batch) {
	t.Helper()
	rows := b.Config().Boards * b.Sizes()["S"]
	must(t, b.Step(batch.Actions{Head: "orders", Int32: slices.Repeat([]int32{-1, 0, 0, -1}, rows)}))
}

// threePhases is a game of three phases, unless there are events.
const threePhases = `{"name":"duel","max_ticks":24,"start_ants":20,"upkeep_per_food":48}`

// TestFormicaAutoreset plays four episodes of three phases in each mode.
func TestFormicaAutoreset(t *testing.T) {
	played := func(turn int32, episode uint64) moment { return moment{turn, false, true, episode} }
	for _, c := range []struct {
		mode batch.Autoreset
		want func(episode uint64) []moment
	}{
		{batch.NextStep, func(e uint64) []moment {
			return []moment{played(1, e), played(2, e), {3, true, true, e}, {0, false, false, e + 1}}
		}},
		{batch.SameStep, func(e uint64) []moment {
			return []moment{played(1, e), played(2, e), {3, true, true, e + 1}}
		}},
		{batch.Disabled, func(e uint64) []moment {
			return []moment{played(1, e), played(2, e), {3, true, true, e}, {3, true, false, e}}
		}},
	} {
		t.Run(c.mode.String(), func(t *testing.T) {
			const n = 5
			b := newBatch(t, hexBatch(t, func(k *batch.Config) {
				k.Boards, k.Maps, k.Rules, k.Autoreset, k.Rewards = n, []env.Map{hexBoard(t, 2, 10)}, threePhases, c.mode, everyFormicaReward
			}))
			must(t, b.Reset(77))
			returns := make([]float32, n*2)
			for episode := range uint64(4) {
				for step, want := range c.want(episode) {
					hexIdle(t, b)
					for i := range n {
						what := fmt.Sprintf("episode %d step %d board %d", episode, step, i)
						same(t, what+": turn", view[int32](t, b, "turn")[i], want.turn)
						same(t, what+": tick", view[int32](t, b, "tick")[i], 8*want.turn)
						ticks := int32(0)
						if want.valid {
							ticks = 8
						}
						same(t, what+": ticks", view[int32](t, b, "ticks")[i], ticks)
						same(t, what+": done", view[bool](t, b, "done")[i], want.done)
						same(t, what+": valid", view[bool](t, b, "valid")[i], want.valid)
						same(t, what+": reason", view[uint8](t, b, "reason")[i] != 0, want.done)
						same(t, what+": seed", hexEngine(b, i).State().Seed, env.EpisodeSeed(77, uint64(i), want.episode))
						same(t, what+": board waits", b.Done(i), want.done && c.mode != batch.SameStep)
						for seat := range 2 {
							at := 2*i + seat
							same(t, what+": truncated", view[bool](t, b, "truncated")[at], false)
							same(t, what+": terminated", view[bool](t, b, "terminated")[at], want.done)
							reward := view[float32](t, b, "reward")[at]
							if !want.valid {
								same(t, what+": reward of no step", reward, 0)
							}
							if want.turn <= 1 {
								returns[at] = 0
							}
							returns[at] += reward
							same(t, what+": return", view[float32](t, b, "episode_return")[at], returns[at])
						}
						if c.mode == batch.SameStep && want.done {
							same(t, what+": final tick", obs.View[int32](b.Final("tick"))[i], 24)
							same(t, what+": final scalar", obs.View[float32](b.Final("scalars"))[2*i*formica.NumScalars+formica.ScalarTick], 1)
							same(t, what+": fresh scalar", boardSeat[float32](b, "scalars", i, 0)[formica.ScalarTick], 0)
						}
					}
				}
				if c.mode == batch.Disabled {
					must(t, b.ResetBoards(boards(n), nil))
				}
			}
		})
	}
}

// TestFormicaRewards checks rewards, ranks and statistics against what the
// states before and after a step say.
func TestFormicaRewards(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 6
	}
	deaths := 0
	for round := range rounds {
		zeroSum := round%2 == 1
		rules := `{"name":"default","max_ticks":40}`
		if round%3 == 2 {
			// Colonies that starve.
			rules = `{"name":"default","max_ticks":60,"start_ants":1,"start_food":0,"upkeep_per_food":48}`
		}
		played := newRecorder(10)
		b := newBatch(t, hexBatch(t, func(c *batch.Config) {
			c.Rules, c.Autoreset, c.ZeroSum, c.Observe = rules, batch.Disabled, zeroSum, boards(6)
			c.Rewards, c.Recorder = everyFormicaReward, played
		}))
		must(t, b.Reset(uint64(round)))
		rng := env.RNG(round)
		returns := map[[2]int]float32{}
		for step := range 9 {
			before := make([]*formica.State, 10)
			stats := map[string][]int32{}
			for i := range before {
				before[i] = hexEngine(b, i).State()
			}
			for _, name := range []string{"episode_births", "episode_losses", "episode_stolen"} {
				stats[name] = slices.Clone(view[int32](t, b, name))
			}
			for i := range played {
				played[i] = nil
			}
			must(t, b.Step(hexActions(t, b, hexHeads[step%3], &rng)))
			for i := range before {
				e := hexEngine(b, i)
				c, after := e.Config(), e.State()
				n := e.Seats()
				var raw []float32
				scores, best := e.Outcome().Scores, slices.Max(e.Outcome().Scores)
				for s := range n {
					r := float32(0)
					if played[i] != nil {
						r = 0.5 * float32(scores[s]-before[i].Score2(c, s)) / 2
						died := before[i].Colonies[s].Alive && !after.Colonies[s].Alive
						if died {
							deaths++
						}
						if died || before[i].Colonies[s].Alive && after.Done(c) {
							mean := float32(0)
							for u := range n {
								if u != s {
									mean += float32(scores[u]) / 2 / float32(n-1)
								}
							}
							r += float32(scores[s])/2 - mean
						}
						if after.Done(c) {
							leaders := 0
							for _, score := range scores {
								if score == best {
									leaders++
								}
							}
							if scores[s] == best && leaders == 1 {
								r += 8
							}
						}
					}
					raw = append(raw, r)
				}
				for s := range 6 {
					what := fmt.Sprintf("round %d step %d board %d seat %d", round, step, i, s)
					at := 6*i + s
					if s >= n {
						same(t, what+": reward", view[float32](t, b, "reward")[at], 0)
						same(t, what+": terminated", view[bool](t, b, "terminated")[at], true)
						same(t, what+": rank", view[int32](t, b, "rank")[at], 0)
						continue
					}
					want := raw[s]
					if zeroSum {
						for u, r := range raw {
							if u != s {
								want -= r / float32(n-1)
							}
						}
					}
					got := view[float32](t, b, "reward")[at]
					if math.Abs(float64(got-want)) > 1e-3 {
						t.Fatalf("%s: reward %v, want %v", what, got, want)
					}
					returns[[2]int{i, s}] += got
					same(t, what+": return", view[float32](t, b, "episode_return")[at], returns[[2]int{i, s}])
					k := &after.Colonies[s]
					same(t, what+": score", view[int32](t, b, "score")[at], scores[s])
					same(t, what+": rank", view[int32](t, b, "rank")[at], e.Outcome().Ranks[s])
					same(t, what+": food", view[int32](t, b, "food_stored")[at], k.Food)
					same(t, what+": territory", view[int32](t, b, "territory")[at], int32(after.Territory(c, s)))
					same(t, what+": population", view[int32](t, b, "population")[at], int32(len(k.Ants)))
					same(t, what+": terminated", view[bool](t, b, "terminated")[at], after.Done(c) || !k.Alive)
					births := view[int32](t, b, "episode_births")[at] - stats["episode_births"][at]
					losses := view[int32](t, b, "episode_losses")[at] - stats["episode_losses"][at]
					same(t, what+": births less losses", births-losses, int32(len(k.Ants)-len(before[i].Colonies[s].Ants)))
					if births < 0 || losses < 0 || view[int32](t, b, "episode_stolen")[at] < stats["episode_stolen"][at] {
						t.Fatalf("%s: statistics went down", what)
					}
				}
			}
		}
	}
	if deaths == 0 {
		t.Fatal("no colony died")
	}
	t.Logf("%d deaths", deaths)
}

// TestFormicaHarvest: what patches lost, colonies picked up.
func TestFormicaHarvest(t *testing.T) {
	b := newBatch(t, hexBatch(t, func(c *batch.Config) {
		c.Rules, c.Autoreset, c.Observe = `{"name":"default","regrow_every":30000}`, batch.Disabled, boards(6)
		c.Policies = [][]string{{"scripted", "forage"}}
	}))
	must(t, b.Reset(5))
	food := func(i int) (n int32) {
		for _, f := range hexEngine(b, i).State().Food {
			n += int32(f)
		}
		return n
	}
	var start []int32
	for i := range 10 {
		start = append(start, food(i))
	}
	for range 60 {
		rows := b.Config().Boards * 6
		must(t, b.Step(batch.Actions{Head: "orders", Int32: slices.Repeat([]int32{0, 65, 0, -1}, rows)}))
		for i := range 10 {
			taken := int32(0)
			for s := range 6 {
				taken += view[int32](t, b, "episode_harvested")[6*i+s]
			}
			same(t, fmt.Sprintf("food taken on board %d", i), taken, start[i]-food(i))
		}
	}
	same(t, "food was taken", food(0) < start[0], true)
}

// TestFormicaSnapshots takes boards apart in the middle of an episode and goes
// on from bytes, from clones, from a mark, in other batches: everything goes on
// as it would have.
func TestFormicaSnapshots(t *testing.T) {
	steps := 12
	if testing.Short() {
		steps = 5
	}
	for _, s := range hexSettings(t) {
		t.Run(s.name, func(t *testing.T) {
			c := s.config
			c.Observe = boards(6)
			b := newBatch(t, c)
			must(t, b.Reset(5))
			hexScatter(t, b, 9)
			rng := env.RNG(2)
			for step := range 5 {
				must(t, b.Step(hexActions(t, b, s.head, &rng)))
				revive(t, b, step)
			}
			data, err := b.Snapshot(boards(c.Boards))
			must(t, err)
			must(t, b.Mark())
			c.Workers = 3
			other := newBatch(t, c)
			must(t, other.Reset(99))
			must(t, other.Restore(boards(c.Boards), data))
			again, err := other.Snapshot(boards(c.Boards))
			must(t, err)
			same(t, "first different byte of the snapshot of what was restored", firstDifference(again, data), -1)
			fork := rng
			var hashes []uint64
			for step := range steps {
				a := hexActions(t, b, s.head, &rng)
				must(t, b.Step(a))
				must(t, other.Step(a))
				revive(t, b, step)
				revive(t, other, step)
				for _, name := range b.Names() {
					what := fmt.Sprintf("step %d after restoring", step)
					sameArray(t, what, other.Array(name), b.Array(name))
					for i, done := range view[bool](t, b, "done") {
						// The rows of boards that go on are left over.
						if a, z := b.Final(name), other.Final(name); a != nil && done {
							n := a.Stride()
							same(t, what+": first different byte of final "+name, firstDifference(z.Data[i*n:][:n], a.Data[i*n:][:n]), -1)
						}
					}
				}
				hashes = append(hashes, b.Hash(step%c.Boards))
			}
			must(t, b.Rewind())
			rng = fork
			for step := range steps {
				must(t, b.Step(hexActions(t, b, s.head, &rng)))
				revive(t, b, step)
				same(t, fmt.Sprintf("state in step %d after rewinding", step), b.Hash(step%c.Boards), hashes[step])
			}
			n := len(c.Maps)
			must(t, b.Clone([]int{0, n}, []int{n, 2 * n}))
			same(t, "state of a clone", b.Hash(n), b.Hash(2*n))
			for _, cut := range []int{0, 5, len(data) / 2, len(data) - 1} {
				if err := b.Restore(boards(c.Boards), data[:cut]); !errors.Is(err, batch.ErrSnapshot) && !errors.Is(err, env.ErrState) {
					t.Errorf("a snapshot cut to %d bytes gave %v", cut, err)
				}
			}
		})
	}
}

// TestFormicaChangedBoards changes boards through Board: the batch notices
// ends and starts that it did not make.
func TestFormicaChangedBoards(t *testing.T) {
	b := newBatch(t, hexBatch(t, func(c *batch.Config) {
		c.Boards, c.Maps, c.Rules, c.Autoreset = 3, []env.Map{hexBoard(t, 2, 10)}, threePhases, batch.Disabled
	}))
	e, err := newFastFormica(threePhases, hexBoard(t, 2, 10))
	must(t, err)
	if err := e.Step(nil); !errors.Is(err, env.ErrNotReset) {
		t.Errorf("a step before the reset gave %v", err)
	}
	must(t, b.Reset(9))
	for range 3 {
		must(t, hexEngine(b, 1).Step(nil))
	}
	b.Refresh()
	same(t, "done", fmt.Sprint(view[bool](t, b, "done")), "[false true false]")
	same(t, "waiting", hexEngine(b, 1).Waiting().Done, true)
	hexIdle(t, b)
	same(t, "valid", fmt.Sprint(view[bool](t, b, "valid")), "[true false true]")
	must(t, hexEngine(b, 1).Reset(1))
	b.Refresh()
	hexIdle(t, b)
	same(t, "turns", fmt.Sprint(view[int32](t, b, "turn")), "[2 1 2]")
}

// TestFormicaObservation: an observation is the caller's own.
func TestFormicaObservation(t *testing.T) {
	b := newBatch(t, hexBatch(t, nil))
	must(t, b.Reset(3))
	hexScatter(t, b, 4)
	for i := range 10 {
		e, ref := hexEngine(b, i), hexReference(t, b, i)
		var kept []*formica.Observation
		for s := range e.Seats() {
			kept = append(kept, e.Observation(s))
		}
		for s := range e.Seats() {
			same(t, fmt.Sprintf("observation of board %d seat %d", i, s), string(kept[s].AppendJSON(nil)), string(ref.Observation(s).AppendJSON(nil)))
			same(t, "homes", fmt.Sprint(kept[s].Homes), fmt.Sprint(ref.Observation(s).Homes))
		}
		same(t, "results", string(e.Results().AppendJSON(nil)), string(ref.Results().AppendJSON(nil)))
		same(t, "waiting", fmt.Sprintf("%+v", e.Waiting()), fmt.Sprintf("%+v", ref.Waiting()))
	}
}

// TestFormicaRecorder: a recorder is told every phase that is played, and its
// orders, given as bytes, play the game again.
func TestFormicaRecorder(t *testing.T) {
	played := newRecorder(6)
	config := hexBatch(t, func(c *batch.Config) {
		c.Boards, c.Rules, c.Policies, c.Recorder, c.Observe = 6, `{"name":"default","max_ticks":60}`, [][]string{{"scripted", "random"}}, played, boards(6)
	})
	b := newBatch(t, config)
	config.Policies, config.Recorder = nil, nil
	again := newBatch(t, config)
	must(t, b.Reset(4))
	must(t, again.Reset(4))
	rng := env.RNG(1)
	for step := range 20 {
		for i := range played {
			played[i] = nil
		}
		must(t, b.Step(hexActions(t, b, "orders", &rng)))
		a := batch.Actions{Head: "order_bytes"}
		for i := range played {
			same(t, "told of a phase", played[i] != nil, view[bool](t, b, "valid")[i])
			for s := range 6 {
				row := make([]byte, formica.OrderBytes)
				row[0] = formica.NoOrder
				if s < len(played[i]) && played[i][s] != nil {
					row = played[i][s]
				}
				a.Uint8 = append(a.Uint8, row...)
			}
		}
		must(t, again.Step(a))
		sameArrays(t, fmt.Sprintf("step %d by the recorded orders", step), again, b)
	}
}

// TestFormicaNoAllocation steps boards over the ends of their episodes,
// through each head, with every array exported and every policy at play.
func TestFormicaNoAllocation(t *testing.T) {
	withoutChecks(t)
	for _, mode := range []batch.Autoreset{batch.SameStep, batch.Disabled} {
		for _, head := range hexHeads {
			t.Run(fmt.Sprintf("%s-%s", mode, head), func(t *testing.T) {
				b := newBatch(t, hexBatch(t, func(c *batch.Config) {
					c.Rules, c.Autoreset, c.Workers, c.Observe = `{"name":"default","max_ticks":30000}`, mode, 1, boards(6)
					c.Planes = []obs.DType{obs.Uint8, obs.Float16}[int(mode)%2]
					c.Policies = [][]string{{"", "scripted"}, {"random", ""}, {"defend", "build-raid"}, {"raid", "build-forage"}, {"forage", "random"}}
				}))
				must(t, b.Reset(1))
				rng := env.RNG(1)
				var acts []batch.Actions
				for range 4 {
					acts = append(acts, hexActions(t, b, head, &rng))
				}
				i := 0
				step := func() {
					if err := b.Step(acts[i%4]); err != nil {
						t.Fatal(err)
					}
					i++
				}
				for range 20 {
					step()
				}
				if n := testing.AllocsPerRun(60, step); n != 0 {
					t.Errorf("%v allocations a step", n)
				}
			})
		}
	}
}

// FuzzFormicaPhase plays one phase from states made of the fuzzer's bytes on
// an engine and its reference.
func FuzzFormicaPhase(f *testing.F) {
	for seed := range byte(12) {
		f.Add(bytes.Repeat([]byte{seed, 7 * seed, 31 * seed}, 5+int(seed)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		choose := envtest.ChoicesFrom(data)
		rules, m := envtest.FormicaConfig(choose), envtest.FormicaBoard(choose)
		state := envtest.FormicaState(choose, &rules, m)
		orders := envtest.FormicaOrders(choose, &rules, m, state)
		play := func(newEngine envtest.NewEngine) env.Engine {
			e, err := newEngine(rules.JSON(), m)
			must(t, err)
			must(t, e.SetState(state.Append(nil)))
			must(t, e.Step(orders))
			return e
		}
		e, ref := play(newFastFormica), play(newFormicaReference)
		if got, want := e.AppendState(nil), ref.AppendState(nil); !bytes.Equal(got, want) {
			t.Fatalf("states differ under %s on %s from %+v with %v:\n%s", rules.JSON(), m.CanonicalJSON(), state, orders, envtest.FormicaDiff(m, got, want))
		}
		for seat := range m.Players {
			same(t, fmt.Sprintf("view of seat %d", seat), string(e.AppendView(nil, seat)), string(ref.AppendView(nil, seat)))
		}
	})
}

// FuzzFormicaState changes bytes of states: what is no state is refused, as the
// reference does, and what is accepted can be played.
func FuzzFormicaState(f *testing.F) {
	m := hexBoard(f, 2, 7)
	rules, err := formica.Variant("default")
	must(f, err)
	e, err := newFastFormica("default", m)
	must(f, err)
	ref, err := newFormicaReference("default", m)
	must(f, err)
	for seed := range byte(6) {
		f.Add(seed, []byte{0, 40, seed, 3, 200, 255})
	}
	f.Fuzz(func(t *testing.T, seed byte, changes []byte) {
		state := envtest.FormicaState(envtest.Choices(uint64(seed)), &rules, m.(*formica.Board)).Append(nil)
		for ; len(changes) >= 3; changes = changes[3:] {
			state[(int(changes[0])<<8|int(changes[1]))%len(state)] = changes[2]
		}
		must(t, e.Reset(1))
		must(t, ref.Reset(1))
		before := e.AppendState(nil)
		got, want := e.SetState(state), ref.SetState(state)
		if (got == nil) != (want == nil) {
			t.Fatalf("SetState: %v, want %v", got, want)
		}
		if got != nil {
			if !errors.Is(got, env.ErrState) || !bytes.Equal(e.AppendState(nil), before) {
				t.Fatalf("%v, and the state may have changed", got)
			}
			return
		}
		must(t, e.Step(nil))
		must(t, ref.Step(nil))
		if !bytes.Equal(e.AppendState(nil), ref.AppendState(nil)) {
			t.Fatalf("states differ:\n%s", envtest.FormicaDiff(m, e.AppendState(nil), ref.AppendState(nil)))
		}
	})
}
