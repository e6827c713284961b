// Episodes as rows of the steps kind: played again from their orders.

package datasets

import (
	"encoding/binary"
	"math"
	"runtime"
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
	runs   map[string]*simulation // by digest
}

// A simulation is the board of a map.
type simulation struct {
	*replayer
	lens lens
}

// newSimulator gives a simulator until it is closed. Making boards takes as long as
// playing a good part of an episode, so those of readers that have ended are used
// again.
func (d *Dataset) newSimulator() (*simulator, error) {
	d.mu.Lock()
	if n := len(d.idle) - 1; n >= 0 {
		s := d.idle[n]
		d.idle[n], d.idle = nil, d.idle[:n]
		d.mu.Unlock()
		return s, nil
	}
	d.mu.Unlock()
	l, err := d.layout()
	if err != nil {
		return nil, err
	}
	maps, _, err := d.allMaps()
	if err != nil {
		return nil, err
	}
	return &simulator{d: d, layout: l, maps: maps, runs: map[string]*simulation{}}, nil
}

func (s *simulator) close() {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if len(s.d.idle) < runtime.GOMAXPROCS(0) {
		s.d.idle = append(s.d.idle, s)
		return
	}
	for _, r := range s.runs {
		r.close()
	}
}

// run is the board of a map. All maps are the batch's, so that rows of all of
// them have the same sizes.
func (s *simulator) run(digest string) (*simulation, error) {
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
	s.runs[digest] = &simulation{r, newLens(s.layout, r.b)}
	return s.runs[digest], nil
}

// play appends an episode's rows to dst, and calls done after those of each
// step; done may take them away. Errors are replay's, and done's.
func (s *simulator) play(e *Episode, dst *Rows, done func() error) error {
	r, err := s.run(e.Map)
	if err != nil {
		return err
	}
	row := newRowMaker(s.layout, &r.lens, e, s.d.manifest.CheckpointEvery)
	r.seen = func(_ int, _ *replaySlot, orders [][]byte) { row.append(dst, orders) }
	defer func() {
		r.seen = nil
		r.slots[0].e = nil
	}()
	if err := r.begin([]int{0}, []*Episode{e}); err != nil {
		return err
	}
	for {
		ended, err := r.step()
		if err != nil {
			return err
		}
		row.fill(dst)
		if err := done(); err != nil {
			return err
		}
		if len(ended) > 0 {
			row.append(dst, nil)
			return done()
		}
	}
}

// A lens is the arrays of a batch of one board that rows are read from, and how
// its seats' entries lie in them.
type lens struct {
	reward, terminated, truncated, score, rank, total *obs.Array
	offsets                                           *obs.Array
	shown                                             []view // in the order of the columns that a game shows
}

// A view is an array that a game shows.
type view struct {
	*obs.Array
	stride int // bytes of an entry
	row    int // elements on the last axis
	list   bool
	bits   bool
}

func newLens(l *layout, b *batch.Batch) lens {
	e := lens{
		reward: b.Array(rewardArray), terminated: b.Array(terminatedArray), truncated: b.Array(truncatedArray),
		score: b.Array(scoreArray), rank: b.Array(rankArray), total: b.Array(returnsArray),
	}
	for i := numSteps; i < len(l.columns); i++ {
		s := &l.columns[i]
		a := b.Array(s.name)
		v := view{Array: a, stride: a.Stride(), row: a.Dims[len(a.Dims)-1], list: s.list, bits: s.shown.bits}
		if s.list {
			e.offsets = b.Array(s.offsets)
		} else {
			v.stride /= b.Sizes()["S"]
		}
		e.shown = append(e.shown, v)
	}
	return e
}

// A rowMaker makes the rows of an episode on board 0 of a batch.
type rowMaker struct {
	l        *layout
	in       *lens
	e        *Episode
	every    int
	turn     int
	fixed    [numSteps]int32 // of names
	policies []int32
	ended    []byte // per seat: terminated, truncated by the last step
}

func newRowMaker(l *layout, in *lens, e *Episode, every int) *rowMaker {
	m := &rowMaker{l: l, in: in, e: e, every: every, ended: make([]byte, 2*len(e.Seats))}
	m.fixed[stepMap] = int32(slices.Index(l.names.maps, e.Map))
	m.fixed[stepReason] = int32(slices.Index(l.names.reasons, e.Reason))
	for _, seat := range e.Seats {
		m.policies = append(m.policies, int32(slices.Index(l.names.policies, seat.Policy)))
	}
	return m
}

func (c *Column) put8(v byte)        { c.Data = append(c.Data, v) }
func (c *Column) put32(v int32)      { c.Data = binary.NativeEndian.AppendUint32(c.Data, uint32(v)) }
func (c *Column) put64(v uint64)     { c.Data = binary.NativeEndian.AppendUint64(c.Data, v) }
func (c *Column) putFloat(v float32) { c.put32(int32(math.Float32bits(v))) }

// append adds the rows of a step that is about to be played by the given
// orders, or without orders those of the last observation.
func (m *rowMaker) append(r *Rows, orders [][]byte) {
	final := byte(0)
	if orders == nil {
		final = 1
	}
	scores, ranks, returns := obs.View[int32](m.in.score), obs.View[int32](m.in.rank), obs.View[float32](m.in.total)
	hash := uint64(0)
	switch {
	case final == 1:
		hash = m.e.FinalHash
	case m.turn > 0 && m.turn%m.every == 0:
		hash = m.e.Checkpoints[m.turn/m.every-1]
	}
	c := r.Columns
	for seat := range m.e.Seats {
		c[stepEpisode].put64(m.e.ID)
		c[stepStep].put32(int32(m.turn))
		c[stepSeat].put32(int32(seat))
		c[stepSeed].put64(m.e.Seed)
		c[stepMap].put32(m.fixed[stepMap])
		c[stepPolicy].put32(m.policies[seat])
		if orders != nil {
			c[stepActions].Data = append(c[stepActions].Data, orders[seat]...)
		}
		c[stepActions].Offsets = append(c[stepActions].Offsets, int32(len(c[stepActions].Data)))
		c[stepReward].put32(0)
		c[stepTerminated].put8(m.ended[2*seat])
		c[stepTruncated].put8(m.ended[2*seat+1])
		c[stepFinal].put8(final)
		c[stepScore].put32(scores[seat])
		c[stepRank].put32(ranks[seat])
		c[stepReturn].putFloat(returns[seat])
		c[stepStrikes].put32(m.e.Seats[seat].Strikes)
		c[stepReason].put32(m.fixed[stepReason])
		c[stepHash].put64(hash)
	}
	m.in.look(r, len(m.e.Seats))
	r.n += len(m.e.Seats)
	m.turn++
}

// look appends the entries of the shown arrays for the board's seats.
func (e *lens) look(r *Rows, seats int) {
	var offsets []int64
	if e.offsets != nil {
		offsets = obs.View[int64](e.offsets)
	}
	for i := range e.shown {
		v, c := &e.shown[i], &r.Columns[numSteps+i]
		if !v.list && !v.bits { // seats lie one after the other, as rows do
			c.Data = append(c.Data, v.Data[:seats*v.stride]...)
			continue
		}
		for seat := range seats {
			from, to := seat, seat+1
			if v.list {
				from, to = int(offsets[seat]), int(offsets[seat+1])
			}
			if v.bits {
				c.Data = packBits(c.Data, v.Mem()[from*v.stride:], (to-from)*v.stride/v.row, v.row)
			} else {
				c.Data = append(c.Data, v.Data[from*v.stride:to*v.stride]...)
			}
			if v.list {
				c.Offsets = append(c.Offsets, int32(len(c.Data)/c.size))
			}
		}
	}
}

// fill completes the rows of the step that was just played.
func (m *rowMaker) fill(r *Rows) {
	rewards := obs.View[float32](m.in.reward)
	terminated, truncated := m.in.terminated.Data, m.in.truncated.Data
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
