// Views of a dataset of either kind: rows, transitions and windows. Rows of
// kind orders are played from the orders, several episodes at once.

package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/myriant-rl/myriant/env"
)

// ReadOptions say what a view reads and in which order. The zero value reads
// everything in order.
type ReadOptions struct {
	Episodes []int // 0..Len()-1, nil: all
	// Part and Parts read every Parts-th episode of that order from number Part
	// on, for readers that share a dataset. 0 parts are one.
	Part, Parts int

	// Shuffle permutes episodes, and passes what is read through a pool of
	// Buffer transitions, or windows, of which each next one is drawn: all as
	// Seed says, whatever the number of workers. Episodes that lie together in a
	// file stay near each other, so that files are read once.
	Shuffle bool
	Seed    uint64
	Buffer  int // 0 for DefaultBuffer

	// Batch is how many transitions come at once; the last are fewer. 0: as many
	// as are at hand.
	Batch int

	Workers int // episodes played at once; 0: GOMAXPROCS

	// Memory is where the rows of episodes that are played are made, nil: Go's
	// heap. What reading gives is its reader's, until Recycle.
	Memory Memory
}

// DefaultBuffer is how many transitions, or windows, are mixed.
const DefaultBuffer = 4096

// A view has rows of an episode in hand until they are so many bytes, or so
// many rows.
const (
	chunkBytes = 4 << 20
	chunkRows  = 4096
)

const (
	shuffleStream = 0x44415441_53485546
	mixStream     = 0x44415441_4D495853
)

func (o *ReadOptions) check(d *Dataset) error {
	if o.Parts == 0 {
		o.Parts = 1
	}
	if o.Buffer == 0 {
		o.Buffer = DefaultBuffer
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Part < 0 || o.Part >= o.Parts || o.Buffer < 1 || o.Batch < 0 || o.Workers < 1 {
		return fmt.Errorf("%w: part %d of %d, buffer %d, batch %d, %d workers", ErrOptions, o.Part, o.Parts, o.Buffer, o.Batch, o.Workers)
	}
	for _, e := range o.Episodes {
		if e < 0 || e >= d.Len() {
			return fmt.Errorf("%w: episode %d of %d", ErrOptions, e, d.Len())
		}
	}
	return nil
}

// order is the episodes to read.
func (o *ReadOptions) order(d *Dataset) []int {
	list := slices.Clone(o.Episodes)
	if o.Episodes == nil {
		for e := range d.Len() {
			list = append(list, e)
		}
	}
	if o.Shuffle {
		// Episodes that begin in one group are a run: runs are permuted, and
		// episodes within them.
		rng := env.RNG(env.Derive(o.Seed, shuffleStream))
		type place struct{ shard, group int }
		runs := map[place][]int{}
		var places []place
		for _, e := range list {
			i, j := d.find(e)
			p := place{i, j}
			if runs[p] == nil {
				places = append(places, p)
			}
			runs[p] = append(runs[p], e)
		}
		shuffle(&rng, places)
		list = list[:0]
		for _, p := range places {
			shuffle(&rng, runs[p])
			list = append(list, runs[p]...)
		}
	}
	var mine []int
	for i := o.Part; i < len(list); i += o.Parts {
		mine = append(mine, list[i])
	}
	return mine
}

func shuffle[T any](rng *env.RNG, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := int(rng.Below(uint64(i + 1)))
		list[i], list[j] = list[j], list[i]
	}
}

// A block is some steps of an episode. The last step of a block is also the
// first of the episode's next block.
type block struct {
	rows  *Rows
	seats int
	first bool   // it begins the episode
	last  bool   // it ends it, with the last observation
	over  []bool // per seat: the game had ended for it before
	err   error
}

// ends tells whether row i ended the game for its seat, or the episode.
func (r *Rows) ends(i int) bool {
	return r.Columns[stepTerminated].Data[i] != 0 || r.Columns[stepTruncated].Data[i] != 0
}

// recycle gives the block's memory back.
func (b *block) recycle() {
	if b.rows != nil {
		b.rows.Recycle()
	}
}

// A feeder makes the blocks of episodes. It is not safe for concurrent use.
type feeder struct {
	d      *Dataset
	sim    *simulator // of kind orders
	memory Memory
}

func (d *Dataset) newFeeder(m Memory) (*feeder, error) {
	f := &feeder{d: d, memory: m}
	if d.manifest.Kind == Steps {
		return f, nil
	}
	var err error
	f.sim, err = d.newSimulator()
	return f, err
}

func (f *feeder) close() {
	if f.sim != nil {
		f.sim.close()
	}
}

// chunk is how many rows a block has at least, unless it ends an episode.
func (l *layout) chunk() int {
	bytes := 0
	for i := range l.empty {
		bytes += l.empty[i].size
	}
	return min(max(chunkBytes/bytes, 1), chunkRows)
}

// feed makes the blocks of episode e until emit says no.
func (f *feeder) feed(e int, emit func(block) bool) error {
	l, err := f.d.layout()
	if err != nil {
		return err
	}
	chunk := l.chunk()
	b := block{rows: &Rows{}, first: true}
	defer func() { b.recycle() }() // what was not handed out
	// room is the rows of the next block at most: left are the steps from the one
	// that it begins with.
	left := 0
	room := func() int { return min(chunk+2*b.seats, left*b.seats) }
	// next hands the block out once it is large enough, or at the end.
	next := func() error {
		b.last = b.rows.final(b.rows.Len() - 1)
		if !b.last && b.rows.Len() < chunk+b.seats {
			return nil
		}
		out, whole := b, *b.rows
		out.rows = &whole
		b.over = slices.Clone(b.over)
		if b.first {
			b.over = make([]bool, b.seats)
			out.over = make([]bool, b.seats)
		}
		for i := range whole.Len() - b.seats {
			b.over[i%b.seats] = b.over[i%b.seats] || whole.ends(i)
		}
		b.rows.room = nil
		if !out.last {
			// The rows that play goes on with begin with the last step.
			left -= whole.Len()/b.seats - 1
			tail := l.rows()
			if f.sim != nil {
				tail = l.take(room(), f.memory)
			}
			tail.Append(&whole, whole.Len()-b.seats, whole.Len())
			*b.rows, b.first = *tail, false
		}
		l.grew(&whole)
		if !emit(out) {
			out.recycle()
			return errEnough
		}
		return nil
	}
	if f.sim != nil {
		episode, err := f.d.Episode(e)
		if err != nil {
			return err
		}
		b.seats, left = len(episode.Seats), episode.Turns+1
		*b.rows = *l.take(room(), f.memory)
		return enough(f.sim.play(episode, b.rows, next))
	}
	return enough(f.d.pieces(e, func(piece *Rows) error {
		b.seats = f.d.maps[l.names.maps[Of[int32](&piece.Columns[stepMap])[0]]].entry.Seats
		if b.rows.Len() == 0 {
			*b.rows = *piece
		} else {
			b.rows.Append(piece, 0, piece.Len())
		}
		return next()
	}))
}

// errEnough ends what makes blocks that nobody wants any more.
var errEnough = errors.New("enough")

func enough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// blocks makes the blocks of episodes in the given order, several episodes at
// once.
func (d *Dataset) blocks(ctx context.Context, o *ReadOptions) iter.Seq[block] {
	return func(yield func(block) bool) {
		episodes, workers := o.order(d), o.Workers
		ahead := newShelf(len(episodes), 4*workers)
		ended := context.AfterFunc(ctx, ahead.stop)
		defer ended()
		var wg sync.WaitGroup
		defer ahead.clear()
		defer wg.Wait()
		defer ahead.stop()
		for range max(1, min(workers, len(episodes))) {
			wg.Go(func() {
				f, err := d.newFeeder(o.Memory)
				if err == nil {
					defer f.close()
				}
				for {
					i, ok := ahead.begin()
					if !ok {
						return
					}
					fail := err
					if fail == nil {
						fail = f.feed(episodes[i], func(b block) bool { return ahead.put(i, b) })
					}
					if fail != nil {
						ahead.put(i, block{err: fail})
					}
					ahead.end(i)
				}
			})
		}
		for {
			b, ok := ahead.next()
			if !ok {
				break
			}
			if !yield(b) {
				return
			}
		}
		if ctx.Err() != nil {
			yield(block{err: context.Cause(ctx)})
		}
	}
}

// EpisodeRows reads all rows of episode e, 0..Len()-1, and of its files no more
// than the groups around it. Errors wrap ErrCorrupt or ErrReplay, or are the
// file system's.
func (d *Dataset) EpisodeRows(e int) (*Rows, error) {
	if e < 0 || e >= d.Len() {
		return nil, fmt.Errorf("%w: episode %d of %d", ErrOptions, e, d.Len())
	}
	l, err := d.layout()
	if err != nil {
		return nil, err
	}
	all := l.rows()
	for r, err := range d.Rows(context.Background(), ReadOptions{Episodes: []int{e}, Workers: 1}) {
		if err != nil {
			return nil, err
		}
		all.Append(r, 0, r.Len())
		r.Recycle()
	}
	return all, nil
}

// Rows reads the rows of episodes: each time some whole steps of one episode.
// It ends after an error, which wraps ErrCorrupt, ErrReplay or ErrOptions, or
// is the context's or the file system's. Memory is bounded by some groups
// whatever the dataset's size. With Shuffle only episodes are permuted.
func (d *Dataset) Rows(ctx context.Context, o ReadOptions) iter.Seq2[*Rows, error] {
	return func(yield func(*Rows, error) bool) {
		if err := o.check(d); err != nil {
			yield(nil, err)
			return
		}
		for b := range d.blocks(ctx, &o) {
			if b.err != nil {
				yield(nil, b.err)
				return
			}
			to := b.rows.Len()
			if !b.last {
				to -= b.seats
			}
			rows := b.rows.Slice(0, to)
			rows.room = b.rows.room
			if !yield(rows, nil) {
				return
			}
		}
	}
}

// Transitions are steps of seats: row i of Obs is what a seat saw, did and got,
// with its masks and whether that ended the game for it, and row i of Next what
// it saw then. None goes beyond its episode, nor beyond the step that ended the
// game for its seat, though rows go on while others play.
type Transitions struct {
	Obs, Next *Rows
}

// Slice shows transitions from..to-1. It shares the memory of columns.
func (t *Transitions) Slice(from, to int) *Transitions {
	return &Transitions{t.Obs.Slice(from, to), t.Next.Slice(from, to)}
}

// Recycle gives their memory back, see Rows.Recycle.
func (t *Transitions) Recycle() {
	t.Obs.Recycle()
	t.Next.Recycle()
}

// Len is how many there are.
func (t *Transitions) Len() int { return t.Obs.Len() }

func (l *layout) transitions() *Transitions { return &Transitions{l.rows(), l.rows()} }

func (t *Transitions) add(o *Transitions, from, to int) {
	t.Obs.Append(o.Obs, from, to)
	t.Next.Append(o.Next, from, to)
}

// played are the transitions of seats for which the game had not ended before;
// over says so of the first step, and is kept up.
func (t *Transitions) played(over []bool) *Transitions {
	var skip []int
	for i := range t.Len() {
		s := i % len(over)
		if over[s] {
			skip = append(skip, i)
		}
		over[s] = over[s] || t.Obs.ends(i)
	}
	if len(skip) == 0 {
		return t
	}
	rest := t.Obs.layout.transitions()
	from := 0
	for _, i := range append(skip, t.Len()) {
		rest.add(t, from, i)
		from = i + 1
	}
	return rest
}

// Transitions reads the transitions of episodes. Errors are as of Rows.
func (d *Dataset) Transitions(ctx context.Context, o ReadOptions) iter.Seq2[*Transitions, error] {
	return func(yield func(*Transitions, error) bool) {
		err := o.check(d)
		var l *layout
		if err == nil {
			l, err = d.layout()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if o.Shuffle {
			d.mix(ctx, l, &o, yield)
			return
		}
		pool := l.transitions()
		for b := range d.blocks(ctx, &o) {
			if b.err != nil {
				yield(nil, b.err)
				return
			}
			n := b.rows.Len() - b.seats
			whole := &Transitions{b.rows.Slice(0, n), b.rows.Slice(b.seats, b.rows.Len())}
			t := whole.played(b.over)
			n = t.Len()
			if o.Batch == 0 {
				if t == whole {
					t.Obs.room, b.rows.room = b.rows.room, nil
				}
				b.recycle()
				if n > 0 && !yield(t, nil) {
					return
				}
				continue
			}
			for from := 0; from < n; {
				to := min(n, from+o.Batch-pool.Len())
				pool.add(t, from, to)
				from = to
				if pool.Len() < o.Batch {
					continue
				}
				if !yield(pool, nil) {
					return
				}
				pool = l.transitions()
			}
			b.recycle()
		}
		if pool.Len() > 0 {
			yield(pool, nil)
		}
	}
}

// WindowOptions say how episodes are cut into windows.
type WindowOptions struct {
	ReadOptions
	Length int // steps of a window, 1 or more
	Stride int // from one window's first step to the next's; 0: Length
	// Short keeps the windows at the ends of episodes, and of seats' parts in
	// them, that have fewer steps.
	Short bool
}

// A Window is consecutive steps of one seat of one episode: Steps rows of what
// it did, and one more of what it saw after. None goes beyond the step that
// ended the game for the seat.
type Window struct {
	Rows  *Rows
	Steps int
}

// Windows reads windows of episodes. Errors are as of Rows.
func (d *Dataset) Windows(ctx context.Context, o WindowOptions) iter.Seq2[*Window, error] {
	return func(yield func(*Window, error) bool) {
		if o.Stride == 0 {
			o.Stride = o.Length
		}
		err := o.check(d)
		if o.Length < 1 || o.Length > math.MaxInt32 || o.Stride < 1 {
			err = fmt.Errorf("%w: windows of %d steps every %d", ErrOptions, o.Length, o.Stride)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		rng := env.RNG(env.Derive(o.Seed, mixStream, uint64(o.Part)))
		var pool []*Window
		out := func(w *Window) bool {
			if !o.Shuffle {
				return yield(w, nil)
			}
			if len(pool) < o.Buffer {
				pool = append(pool, w)
				return true
			}
			i := int(rng.Below(uint64(len(pool))))
			w, pool[i] = pool[i], w
			return yield(w, nil)
		}
		var held *Rows
		var over []bool // per seat, at the first step that is held
		skip := 0       // steps until the next window, beyond those that are held
		for b := range d.blocks(ctx, &o.ReadOptions) {
			if b.err != nil {
				yield(nil, b.err)
				return
			}
			seats := b.seats
			if b.first {
				held, skip = b.rows.layout.rows(), 0
				held.Append(b.rows, 0, b.rows.Len())
				over = b.over
			} else {
				held.Append(b.rows, seats, b.rows.Len())
			}
			b.recycle()
			at := 0 // step of held
			for {
				drop := min(skip, held.Len()/seats-1-at)
				for i := at * seats; i < (at+drop)*seats; i++ {
					over[i%seats] = over[i%seats] || held.ends(i)
				}
				at, skip = at+drop, skip-drop
				n := min(o.Length, held.Len()/seats-1-at)
				if skip > 0 || n < 1 || n < o.Length && !b.last {
					break
				}
				if n == o.Length || o.Short {
					for seat := range seats {
						steps := 0
						for steps < n && !over[seat] && (steps == 0 || !held.ends((at+steps-1)*seats+seat)) {
							steps++
						}
						if steps == 0 || steps < o.Length && !o.Short {
							continue
						}
						w := &Window{Rows: held.layout.rows(), Steps: steps}
						order := make([]int, steps+1)
						for i := range order {
							order[i] = (at+i)*seats + seat
						}
						w.Rows.gather(held, order)
						if !out(w) {
							return
						}
					}
				}
				skip = o.Stride
			}
			rest := held.layout.rows()
			rest.Append(held, at*seats, held.Len())
			held = rest
		}
		shuffle(&rng, pool)
		for _, w := range pool {
			if !yield(w, nil) {
				return
			}
		}
	}
}
