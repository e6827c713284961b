package formicaref

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// An Engine plays one board. It fills formica.Engine. It is not safe for
// concurrent use.
type Engine struct {
	c       *formica.Config
	b       *formica.Board
	s       *formica.State // nil before the first reset
	key     uint64         // of this tick's draws
	elapsed int32
}

// New returns an engine that plays the rules on the board. Both must stay as
// they are. Errors wrap env.ErrRules or env.ErrMap.
func New(c *formica.Config, b *formica.Board) (*Engine, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := c.CheckBoard(b); err != nil {
		return nil, err
	}
	return &Engine{c: c, b: b}, nil
}

// Seats is the number of colonies.
func (e *Engine) Seats() int { return e.b.Players }

// Config is what the engine plays.
func (e *Engine) Config() *formica.Config { return e.c }

// Board is where it plays.
func (e *Engine) Board() *formica.Board { return e.b }

// Reset starts a new episode. A config with a seed of its own overrides seed.
func (e *Engine) Reset(seed uint64) error {
	e.s, e.elapsed = formica.NewState(e.c, e.b, e.c.EpisodeSeed(seed)), 0
	return nil
}

// Step plays one command phase: it applies the orders, plays the rest of the
// tick, and then ticks until a phase waits or the last tick is played.
func (e *Engine) Step(orders [][]byte) error {
	if e.s == nil {
		return fmt.Errorf("%w: step of a board that was never reset", env.ErrNotReset)
	}
	if e.s.Done(e.c) {
		return nil
	}
	dead := func(seat int) bool { return !e.s.Colonies[seat].Alive }
	list, given, err := formica.DecodeOrders(orders, e.b.Players, e.b.Cells, dead)
	if err != nil {
		return err
	}
	e.answerPhase(list, given)
	e.elapsed = 0
	for waits := false; !waits; {
		e.playTick()
		e.elapsed++
		waits = e.beginTick()
	}
	return nil
}

// Outcome tells how the episode stands.
func (e *Engine) Outcome() env.Outcome {
	s := e.state()
	out := env.Outcome{Steps: int(s.Phase), Scores: make([]int32, e.b.Players), Ranks: make([]int32, e.b.Players)}
	for seat := range out.Scores {
		out.Scores[seat] = s.Score2(e.c, seat)
	}
	for seat, score := range out.Scores {
		out.Ranks[seat] = 1
		for _, other := range out.Scores {
			if other > score {
				out.Ranks[seat]++
			}
		}
	}
	if s.Done(e.c) {
		out.Done, out.Reason = true, formica.ReasonFinalTick
	}
	return out
}

// state panics before the first Reset or SetState.
func (e *Engine) state() *formica.State {
	if e.s == nil {
		panic("formicaref: a board that was never reset")
	}
	return e.s
}

// State is a deep copy of the whole state. It panics before the first Reset or
// SetState.
func (e *Engine) State() *formica.State { return e.state().Clone() }

// AppendState appends the state's canonical encoding.
func (e *Engine) AppendState(dst []byte) []byte { return e.state().Append(dst) }

// SetState replaces the state, after checking that play can go on from it.
func (e *Engine) SetState(state []byte) error {
	s, err := formica.DecodeState(state, e.c, e.b)
	if err != nil {
		return err
	}
	e.s, e.elapsed = s, 0
	return nil
}

// Observation is what a seat may know now.
func (e *Engine) Observation(seat int) *formica.Observation {
	return formica.Observe(e.c, e.b, e.state(), seat)
}

// AppendView appends the seat's command message.
func (e *Engine) AppendView(dst []byte, seat int) []byte { return e.Observation(seat).AppendJSON(dst) }

// Waiting tells which phase waits.
func (e *Engine) Waiting() formica.Waiting {
	w := e.state().Waiting(e.c)
	w.Elapsed = e.elapsed
	return w
}

// Results are the episode's results as they stand.
func (e *Engine) Results() *formica.Results { return e.state().Results(e.c) }

var _ formica.Engine = (*Engine)(nil)
