package datasets

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Progress is how far Generate is. Numbers are of the whole dataset, resumed
// parts included, but for those that say otherwise.
type Progress struct {
	Episodes int   // played and in order
	Total    int   // that there will be
	Resumed  int   // that were there before
	Turns    int64 // played by this call
	Orders   int64 // given in this call
	Bytes    int64 // written
	Shards   int   // whole
	Elapsed  time.Duration
}

// A Summary is what Generate has done.
type Summary struct {
	Out      string   `json:"out"`
	Game     string   `json:"game"`
	Kind     Kind     `json:"kind"`
	Complete bool     `json:"complete"`
	Episodes int      `json:"episodes"`           // of the dataset
	Resumed  int      `json:"resumed"`            // of those: there before this call
	Turns    int64    `json:"turns"`              // of the dataset
	Orders   int64    `json:"orders"`             // of the dataset: one per unit, seat and turn
	Shards   int      `json:"shards"`             // of the dataset
	Bytes    int64    `json:"bytes"`              // of the shards
	Bits     float64  `json:"bits_per_order"`     // 8*Bytes/Orders
	Removed  []string `json:"removed_leftovers"`  // files of an interrupted writer
	Endings  []Ending `json:"endings"`            // of the episodes played by this call
	Firsts   []int    `json:"first_rank_by_seat"` // episodes played by this call in which the seat came first, ties too
	Seconds  float64  `json:"seconds"`
}

// An Ending counts the episodes that ended for one reason.
type Ending struct {
	Reason   string `json:"reason"`
	Episodes int    `json:"episodes"`
}

// progressEvery is how often progress is told.
const progressEvery = 100 * time.Millisecond

// Generate plays episodes with bundled policies and writes them to a folder.
// progress, which may be nil, is called now and then from this goroutine, and
// at the end. When the context ends, or writing fails, the folder is a dataset
// of the episodes that whole shards hold, and Generate with Resume goes on to
// the same bytes as if nothing had happened. Errors wrap ErrOptions, ErrExists,
// ErrCorrupt, env.ErrRules, env.ErrMap, the context's or a file system's error.
func Generate(ctx context.Context, o Options, progress func(Progress)) (*Summary, error) {
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	return p.generate(ctx, osDisk{}, progress)
}

func (p *plan) generate(ctx context.Context, d disk, progress func(Progress)) (*Summary, error) {
	begun := time.Now()
	if progress == nil {
		progress = func(Progress) {}
	}
	if err := p.checkPlayers(); err != nil {
		return nil, err
	}
	if err := makeDir(d, p.Out); err != nil {
		return nil, err
	}
	release, err := lockDir(p.Out)
	if err != nil {
		return nil, err
	}
	defer release()
	m, removed, err := p.start(d)
	if err != nil {
		return nil, err
	}
	resumed := m.written()
	t := &tally{}
	if !m.Complete {
		if err := p.run(ctx, d, m, t, func(now Progress) {
			now.Resumed, now.Elapsed = resumed, time.Since(begun)
			progress(now)
		}); err != nil {
			return nil, err
		}
	}
	s := &Summary{Out: p.Out, Game: p.Game, Kind: p.Kind, Complete: m.Complete, Episodes: m.written(), Resumed: resumed,
		Shards: len(m.Shards), Removed: removed, Endings: t.endings, Firsts: t.firsts, Seconds: time.Since(begun).Seconds()}
	for i := range m.Shards {
		s.Turns += m.Shards[i].Turns
		s.Orders += m.Shards[i].Orders
		s.Bytes += m.Shards[i].Bytes
	}
	if s.Orders > 0 {
		s.Bits = 8 * float64(s.Bytes) / float64(s.Orders)
	}
	return s, nil
}

// run plays and writes the episodes that the manifest's shards do not hold.
func (p *plan) run(ctx context.Context, d disk, m *Manifest, t *tally, progress func(Progress)) error {
	from := uint64(m.First + m.written())
	a, err := newArena(p, from)
	if err != nil {
		return err
	}
	defer a.close()
	w, err := newShardWriter(d, p.Out, m, p.group)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := newSink(w, stop)
	// Episodes end in any order; those that are too early wait here, and none
	// begins that is too far ahead of the first that is missing.
	window := uint64(4*len(a.slots) + 64)
	early := map[uint64]*Episode{}
	next := from
	now := Progress{Episodes: m.written(), Total: p.Episodes, Shards: len(m.Shards)}
	told := time.Now()
	for next < p.end() && ctx.Err() == nil {
		if err := a.feed(next + window); err != nil {
			stop(err)
			break
		}
		if err := a.step(func(r *Episode) { early[r.ID] = r }); err != nil {
			stop(err)
			break
		}
		for r, ok := early[next]; ok; r, ok = early[next] {
			delete(early, next)
			next++
			t.add(r)
			now.Turns += int64(r.Turns)
			now.Orders += r.Orders
			if !s.send(ctx, r) {
				break
			}
		}
		if time.Since(told) >= progressEvery {
			told = time.Now()
			now.Episodes, now.Bytes, now.Shards = int(next)-m.First, s.bytes.Load(), int(s.shards.Load())
			progress(now)
		}
	}
	if err := s.end(ctx); err != nil {
		return err
	}
	now.Episodes, now.Bytes, now.Shards = int(next)-m.First, s.bytes.Load(), int(s.shards.Load())
	progress(now)
	return nil
}

// A sink writes rows on a goroutine of its own.
type sink struct {
	rows   chan *Episode
	done   chan error
	bytes  atomic.Int64
	shards atomic.Int64
	whole  bool // set before rows closes: every row was sent
}

func newSink(w *shardWriter, stop func(error)) *sink {
	s := &sink{rows: make(chan *Episode, 256), done: make(chan error, 1)}
	report := func() {
		s.bytes.Store(w.bytes())
		s.shards.Store(int64(len(w.manifest.Shards)))
	}
	go func() {
		var err error
		for r := range s.rows {
			if err != nil {
				continue
			}
			if err = w.write(r); err != nil {
				stop(err)
			}
			report()
		}
		if err == nil && s.whole {
			err = w.close()
		}
		w.abandon()
		report()
		s.done <- err
	}()
	return s
}

// send hands a row over; false when writing was stopped.
func (s *sink) send(ctx context.Context, r *Episode) bool {
	select {
	case s.rows <- r:
		return true
	case <-ctx.Done():
		return false
	}
}

// end waits until all is written, or dropped after an error.
func (s *sink) end(ctx context.Context) error {
	s.whole = ctx.Err() == nil
	close(s.rows)
	if err := <-s.done; err != nil {
		return err
	}
	return context.Cause(ctx)
}

// A tally counts how episodes went.
type tally struct {
	endings []Ending
	firsts  []int
}

func (t *tally) add(r *Episode) {
	i, found := slices.BinarySearchFunc(t.endings, r.Reason, func(e Ending, reason string) int { return strings.Compare(e.Reason, reason) })
	if !found {
		t.endings = slices.Insert(t.endings, i, Ending{Reason: r.Reason})
	}
	t.endings[i].Episodes++
	for s := range r.Seats {
		if s == len(t.firsts) {
			t.firsts = append(t.firsts, 0)
		}
		if r.Seats[s].Rank == 1 {
			t.firsts[s]++
		}
	}
}
