package hex

import (
	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/obs"
)

// A sink is a kernel.Sink with the arrays looked up; those not asked for are nil.
type sink struct {
	planes                *obs.Array
	perSeat               int // bytes of planes of a seat
	scalars               []float32
	modes, defend, target []int8
	observes              bool // any of the above
	reward, returns       []float32
	terminated, truncated []bool
	done, valid           []bool
	reason                []uint8
	turn, tick, ticks     []int32
	rank                  []int32
	counters              []counter
}

// A counter is an array of seats, and where its numbers are.
type counter struct {
	dst []int32
	of  func(e *Engine, c *colony) int32
}

// Bind looks the arrays of a sink up.
func (e *Engine) Bind(ks *kernel.Sink) int {
	s := sink{planes: ks.Arrays[formica.FieldPlanes.Name]}
	i32 := func(f obs.Field) []int32 { return arrayOf[int32](ks, f) }
	s.scalars = arrayOf[float32](ks, formica.FieldScalars)
	s.modes, s.defend = arrayOf[int8](ks, formica.FieldModeMask), arrayOf[int8](ks, formica.FieldDefendMask)
	s.target = arrayOf[int8](ks, formica.FieldTargetMask)
	s.observes = s.planes != nil || s.scalars != nil || s.modes != nil || s.defend != nil || s.target != nil
	s.reward, s.returns = arrayOf[float32](ks, formica.FieldReward), arrayOf[float32](ks, formica.FieldReturn)
	s.terminated, s.truncated = arrayOf[bool](ks, formica.FieldTerminated), arrayOf[bool](ks, formica.FieldTruncated)
	s.done, s.valid = arrayOf[bool](ks, formica.FieldDone), arrayOf[bool](ks, formica.FieldValid)
	s.reason = arrayOf[uint8](ks, formica.FieldReason)
	s.turn, s.tick, s.ticks, s.rank = i32(formica.FieldTurn), i32(formica.FieldTick), i32(formica.FieldTicks), i32(formica.FieldRank)
	for _, c := range []struct {
		field obs.Field
		of    func(e *Engine, c *colony) int32
	}{
		{formica.FieldScore, (*Engine).score2},
		{formica.FieldFoodStored, func(_ *Engine, c *colony) int32 { return c.food }},
		{formica.FieldTerritory, func(_ *Engine, c *colony) int32 { return c.held }},
		{formica.FieldPopulation, func(_ *Engine, c *colony) int32 { return int32(c.n) }},
		{formica.FieldHarvested, func(_ *Engine, c *colony) int32 { return c.harvested }},
		{formica.FieldStolen, func(_ *Engine, c *colony) int32 { return c.stolen }},
		{formica.FieldBirths, func(_ *Engine, c *colony) int32 { return c.births }},
		{formica.FieldLosses, func(_ *Engine, c *colony) int32 { return c.losses }},
	} {
		if dst := i32(c.field); dst != nil {
			s.counters = append(s.counters, counter{dst, c.of})
		}
	}
	if s.planes != nil {
		s.perSeat = s.planes.Stride() / max(1, len(e.seats.Observe))
	}
	e.sinks = append(e.sinks, s)
	return len(e.sinks) - 1
}

func arrayOf[T obs.Elem](ks *kernel.Sink, f obs.Field) []T {
	if a := ks.Arrays[f.Name]; a != nil {
		return obs.View[T](a)
	}
	return nil
}

// rewards turns what the step did into each seat's reward.
func (e *Engine) rewards(w *worker) {
	g := &w.g
	wt := &e.weights
	base := g.b * e.p
	n := len(g.colonies)
	done := e.Done(g.b)
	var scores [seats]int32
	total, best, first := int32(0), int32(-1), 0
	for s := range g.colonies {
		scores[s] = e.score2(&g.colonies[s])
		total += scores[s]
		switch {
		case scores[s] > best:
			best, first = scores[s], 1
		case scores[s] == best:
			first++
		}
	}
	sum := float32(0)
	for s := range g.colonies {
		r := wt.score * float32(scores[s]-w.score[s]) / 2
		if w.alive[s] && (done || g.colonies[s].n == 0) {
			rivals := int32(n - 1)
			r += wt.margin * float32(scores[s]*rivals-(total-scores[s])) / float32(2*rivals)
		}
		if done && scores[s] == best && first == 1 {
			r += wt.win
		}
		e.reward[base+s] = r
		sum += r
	}
	for s := range g.colonies {
		r := &e.reward[base+s]
		if e.cfg.ZeroSum {
			*r -= (sum - *r) / float32(n-1)
		}
		g.colonies[s].returns += *r
	}
}

// Report writes what the last step led to.
func (e *Engine) Report(b, handle int, played bool) {
	k := &e.sinks[handle]
	var g game
	e.game(&g, b)
	base := b * e.p
	done := e.Done(b)
	for i, s := range e.seats.Observe {
		at := b*len(e.seats.Observe) + i
		absent := s >= g.seats
		if k.reward != nil {
			k.reward[at] = 0
			if played && !absent {
				k.reward[at] = e.reward[base+s]
			}
		}
		if k.returns != nil {
			k.returns[at] = e.colonies[base+s].returns
		}
		if k.terminated != nil {
			k.terminated[at] = absent || done || g.colonies[s].n == 0
		}
		if k.truncated != nil {
			k.truncated[at] = false
		}
	}
	if k.done != nil {
		k.done[b] = done
	}
	if k.valid != nil {
		k.valid[b] = played
	}
	if k.reason != nil {
		k.reason[b] = 0
		if done {
			k.reason[b] = 1
		}
	}
	if k.turn != nil {
		k.turn[b] = g.clock.phase
	}
	if k.tick != nil {
		k.tick[b] = g.clock.tick
	}
	if k.ticks != nil {
		k.ticks[b] = 0
		if played {
			k.ticks[b] = g.clock.elapsed
		}
	}
	if k.rank != nil {
		clear(k.rank[base : base+e.p])
		e.ranks(&g, k.rank[base:base+g.seats])
	}
	for i := range k.counters {
		c := &k.counters[i]
		clear(c.dst[base+g.seats : base+e.p])
		for s := range g.colonies {
			c.dst[base+s] = c.of(e, &g.colonies[s])
		}
	}
}
