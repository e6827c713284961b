// Episodes as rows of the steps kind: played again from their orders.

package datasets

import (
	"slices"
	"sync"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// Stopped is the reason of an episode that was not over when its recording
// ended. Its last step is truncated.
const Stopped = "stopped"

// The arrays that rows are read from, in every game.
const (
	rewardArray     = "reward"
	terminatedArray = "terminated"
	truncatedArray  = "truncated"
	scoreArray      = "score"
	rankArray       = "rank"
)

// stepArrays are the arrays that rows of a game are read from.
func stepArrays(g *game) []string {
	list := []string{rewardArray, terminatedArray, truncatedArray, scoreArray, rankArray}
	for i := range g.shown {
		list = append(list, g.shown[i].field.Name)
	}
	return list
}

// A simulator plays episodes one after the other, each on a board of its own
// map. It is not safe for concurrent use.
type simulator struct {
	d      *Dataset
	layout *layout
	maps   []env.Map
	runs   map[string]*replayer // by digest
}

func (d *Dataset) newSimulator() (*simulator, error) {
	l, err := d.layout()
	if err != nil {
		return nil, err
	}
	maps, _, err := d.allMaps()
	return &simulator{d: d, layout: l, maps: maps, runs: map[string]*replayer{}}, err
}

func (s *simulator) close() {
	for _, r := range s.runs {
		r.close()
	}
}

// run is the board of a map. All maps are the batch's, so that rows of all of
// them have the same sizes.
func (s *simulator) run(digest string) (*replayer, error) {
	if r := s.runs[digest]; r != nil {
		return r, nil
	}
	if _, err := s.d.Map(digest); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(s.maps, func(m env.Map) bool { return m.Digest() == digest })
	r, err := s.d.newReplayer(s.maps, []int{at}, 1, stepArrays(s.d.game))
	if err != nil {
		return nil, err
	}
	s.runs[digest] = r
	return r, nil
}

// play appends an episode's rows to dst, and calls done after those of each
// step; done may take them away. Errors are replay's, and done's.
func (s *simulator) play(e *Episode, dst *Rows, done func() error) error {
	r, err := s.run(e.Map)
	if err != nil {
		return err
	}
	row := newRowMaker(s.layout, e, s.d.manifest.CheckpointEvery)
	r.seen = func(_ int, _ *replaySlot, orders [][]byte) { row.append(dst, r.b, orders) }
	if err := r.begin([]int{0}, []*Episode{e}); err != nil {
		return err
	}
	for {
		ended, err := r.step()
		if err != nil {
			r.slots[0].e = nil
			return err
		}
		row.fill(dst, r.b)
		if err := done(); err != nil {
			r.slots[0].e = nil
			return err
		}
		if len(ended) > 0 {
			row.append(dst, r.b, nil)
			return done()
		}
	}
}

// A rowMaker makes the rows of an episode on board 0 of a batch.
type rowMaker struct {
	l        *layout
	e        *Episode
	every    int
	turn     int
	fixed    [numSteps]int32 // of names
	policies []int32
	ended    []byte // per seat: terminated, truncated by the last step
}

func newRowMaker(l *layout, e *Episode, every int) *rowMaker {
	m := &rowMaker{l: l, e: e, every: every, ended: make([]byte, 2*len(e.Seats))}
	m.fixed[stepMap] = int32(slices.Index(l.names.maps, e.Map))
	m.fixed[stepReason] = int32(slices.Index(l.names.reasons, e.Reason))
	for _, seat := range e.Seats {
		m.policies = append(m.policies, int32(slices.Index(l.names.policies, seat.Policy)))
	}
	return m
}

// put appends an element to a column.
func put[T obs.Elem](c *Column, v T) {
	at := len(c.Data)
	c.Data = append(c.Data, make([]byte, c.size)...)
	Of[T](&Column{Name: c.Name, DType: c.DType, Data: c.Data[at:]})[0] = v
}

// append adds the rows of a step that is about to be played by the given
// orders, or without orders those of the last observation.
func (m *rowMaker) append(r *Rows, b *batch.Batch, orders [][]byte) {
	final := orders == nil
	scores, ranks, returns := b.Array(scoreArray), b.Array(rankArray), b.Array(returnsArray)
	hash := uint64(0)
	switch {
	case final:
		hash = m.e.FinalHash
	case m.turn > 0 && m.turn%m.every == 0:
		hash = m.e.Checkpoints[m.turn/m.every-1]
	}
	for seat := range m.e.Seats {
		c := r.Columns
		put(&c[stepEpisode], m.e.ID)
		put(&c[stepStep], int32(m.turn))
		put(&c[stepSeat], int32(seat))
		put(&c[stepSeed], m.e.Seed)
		put(&c[stepMap], m.fixed[stepMap])
		put(&c[stepPolicy], m.policies[seat])
		if !final {
			c[stepActions].Data = append(c[stepActions].Data, orders[seat]...)
		}
		c[stepActions].Offsets = append(c[stepActions].Offsets, int32(len(c[stepActions].Data)))
		put(&c[stepReward], float32(0))
		put(&c[stepTerminated], m.ended[2*seat])
		put(&c[stepTruncated], m.ended[2*seat+1])
		put(&c[stepFinal], final)
		put(&c[stepScore], obs.View[int32](scores)[seat])
		put(&c[stepRank], obs.View[int32](ranks)[seat])
		put(&c[stepReturn], obs.View[float32](returns)[seat])
		put(&c[stepStrikes], m.e.Seats[seat].Strikes)
		put(&c[stepReason], m.fixed[stepReason])
		put(&c[stepHash], hash)
		m.l.look(r, b, 0, seat)
	}
	r.n += len(m.e.Seats)
	m.turn++
}

// fill completes the rows of the step that was just played.
func (m *rowMaker) fill(r *Rows, b *batch.Batch) {
	rewards := obs.View[float32](b.Array(rewardArray))
	terminated, truncated := b.Array(terminatedArray).Data, b.Array(truncatedArray).Data
	first := r.n - len(m.e.Seats)
	for seat := range m.e.Seats {
		t, u := terminated[seat], truncated[seat]
		if m.turn == m.e.Turns && m.e.Reason == Stopped && t == 0 {
			u = 1
		}
		m.ended[2*seat], m.ended[2*seat+1] = t, u
		Of[float32](&r.Columns[stepReward])[first+seat] = rewards[seat]
		r.Columns[stepTerminated].Data[first+seat] = t
		r.Columns[stepTruncated].Data[first+seat] = u
	}
}

// A layoutOnce is a dataset's layout, made when it is first asked for.
type layoutOnce struct {
	once sync.Once
	l    *layout
	err  error
}

// layout is what rows of the dataset look like.
func (d *Dataset) layout() (*layout, error) {
	d.form.once.Do(func() { d.form.l, d.form.err = d.newLayout() })
	return d.form.l, d.form.err
}

func (d *Dataset) newLayout() (*layout, error) {
	maps, _, err := d.allMaps()
	if err != nil {
		return nil, err
	}
	names, err := d.manifest.dictionaries()
	if err != nil {
		return nil, err
	}
	cfg := batch.Config{Game: d.manifest.Game, Rules: d.rules, Boards: 1, Maps: maps, Workers: 1, Arrays: []string{returnsArray}}
	for _, m := range maps {
		for s := len(cfg.Observe); s < m.Seats(); s++ {
			cfg.Observe = append(cfg.Observe, s)
		}
	}
	b, err := batch.New(cfg)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return newLayout(d.game, b.Sizes(), names)
}

// allMaps are the dataset's maps, each once, and where they are by digest.
func (d *Dataset) allMaps() (maps []env.Map, index map[string]int, err error) {
	index = map[string]int{}
	for _, entry := range d.manifest.Maps {
		if _, seen := index[entry.Digest]; seen {
			continue
		}
		m, err := d.Map(entry.Digest)
		if err != nil {
			return nil, nil, err
		}
		index[entry.Digest] = len(maps)
		maps = append(maps, m)
	}
	return maps, index, nil
}
