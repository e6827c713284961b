// Episodes played again from their recorded orders, many at once.

package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// ErrReplay: an episode that does not play as it was recorded. The error names
// the shard, the episode, and the first step at which it shows.
var ErrReplay = errors.New("an episode plays otherwise than it was recorded")

// A replayer plays recorded episodes on a batch of boards.
type replayer struct {
	d      *Dataset
	b      *batch.Batch
	oracle oracle
	slots  []*replaySlot
	every  int
	crew   int
	total  *obs.Array // returns
	// seen, when set, is told the orders of every step before it is played; they
	// are the replayer's.
	seen func(board int, s *replaySlot, orders [][]byte)
}

type replaySlot struct {
	e      *Episode // nil: the board waits
	turn   int
	orders int64
	err    error
}

// newReplayer makes boards for episodes on the given maps; mapOf says which
// board has which. arrays are exported beside those that it needs.
func (d *Dataset) newReplayer(maps []env.Map, mapOf []int, workers int, arrays []string) (*replayer, error) {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	seats := 0
	for _, m := range maps {
		seats = max(seats, m.Seats())
	}
	observe := make([]int, seats)
	for s := range observe {
		observe[s] = s
	}
	b, err := batch.New(batch.Config{
		Game: d.manifest.Game, Rules: d.rules, Boards: len(mapOf), Maps: maps, MapOf: mapOf, Observe: observe,
		Arrays: distinct(append(append([]string{returnsArray}, d.game.arrays...), arrays...)), Autoreset: batch.Disabled, Workers: workers,
	})
	if err != nil {
		return nil, err
	}
	r := &replayer{d: d, b: b, oracle: d.game.oracle(b), every: d.manifest.CheckpointEvery, crew: workers, total: b.Array(returnsArray)}
	for range mapOf {
		r.slots = append(r.slots, &replaySlot{})
	}
	return r, b.Reset(0)
}

func (r *replayer) close() { r.b.Close() }

// begin starts episodes on boards of their maps.
func (r *replayer) begin(boards []int, episodes []*Episode) error {
	seeds := make([]uint64, len(boards))
	for j, i := range boards {
		e := episodes[j]
		if err := r.oracle.begin(i, e.policies(), e.Packed); err != nil {
			return r.failure(e, fmt.Errorf("%w: %v", ErrCorrupt, err))
		}
		*r.slots[i] = replaySlot{e: e}
		seeds[j] = e.Seed
	}
	return r.b.ResetBoards(boards, seeds)
}

// An over is a board and the episode that ended on it as recorded.
type over struct {
	board int
	e     *Episode
}

// step plays one step of every board from the recorded orders and tells which
// episodes ended.
func (r *replayer) step() (ended []over, err error) {
	r.oracle.room()
	if parts := min(r.crew, len(r.slots)); parts == 1 {
		r.decode(0, len(r.slots))
	} else {
		var wg sync.WaitGroup
		for w := range parts {
			wg.Go(func() { r.decode(w*len(r.slots)/parts, (w+1)*len(r.slots)/parts) })
		}
		wg.Wait()
	}
	for i, s := range r.slots {
		if s.e == nil {
			continue
		}
		if s.err != nil {
			return nil, r.failure(s.e, fmt.Errorf("%w: orders of turn %d: %v", ErrReplay, s.turn, s.err))
		}
		if r.seen != nil {
			r.seen(i, s, r.oracle.orders(i))
		}
	}
	if err := r.b.Step(r.oracle.actions()); err != nil {
		return nil, err
	}
	for i, s := range r.slots {
		if s.e == nil {
			continue
		}
		s.turn++
		if err := r.compare(i, s); err != nil {
			return nil, r.failure(s.e, err)
		}
		if s.turn == s.e.Turns {
			ended = append(ended, over{i, s.e})
			s.e = nil
		}
	}
	return ended, nil
}

// decode unpacks the orders of boards from..to-1.
func (r *replayer) decode(from, to int) {
	for i, s := range r.slots[from:to] {
		i += from
		if s.e == nil || r.b.Done(i) {
			r.oracle.idle(i)
			continue
		}
		s.err = r.oracle.next(i)
		s.orders += int64(r.oracle.count(i))
	}
}

// compare holds a board to what was recorded of the turns played so far.
func (r *replayer) compare(i int, s *replaySlot) error {
	e, done := s.e, r.b.Done(i)
	differ := func(format string, a ...any) error {
		return fmt.Errorf("%w: after turn %d %s", ErrReplay, s.turn, fmt.Sprintf(format, a...))
	}
	last := s.turn == e.Turns
	if done != (last && e.Reason != Stopped) {
		if done {
			return differ("it is over, recorded are %d turns", e.Turns)
		}
		return differ("it goes on, recorded is its end")
	}
	if last || s.turn%r.every == 0 {
		want := e.FinalHash
		if !last {
			want = e.Checkpoints[s.turn/r.every-1]
		}
		if got := r.b.Hash(i); got != want {
			return differ("the state's hash is %016x, recorded is %016x", got, want)
		}
	}
	if !last {
		return nil
	}
	if s.orders != e.Orders {
		return differ("there were %d orders, recorded are %d", s.orders, e.Orders)
	}
	if err := r.oracle.end(i); err != nil {
		return differ("its orders end otherwise: %v", err)
	}
	out := r.b.Outcome(i)
	if out.Reason != e.Reason && e.Reason != Stopped {
		return differ("it ended by %q, recorded is %q", out.Reason, e.Reason)
	}
	returns := r.total
	for seat, want := range e.Seats {
		got := want
		got.Score, got.Rank, got.Return = out.Scores[seat], out.Ranks[seat], obs.View[float32](returns)[i*returns.Dims[1]+seat]
		if got != want {
			return differ("seat %d has score %d, rank %d, return %g; recorded are %d, %d, %g", seat, got.Score, got.Rank, got.Return, want.Score, want.Rank, want.Return)
		}
	}
	return nil
}

// failure names the shard and the episode.
func (r *replayer) failure(e *Episode, err error) error {
	return fmt.Errorf("%s: episode %d: %w", r.d.shardOf(e.ID), e.ID, err)
}

func (d *Dataset) shardOf(id uint64) string {
	for i := range d.manifest.Shards {
		if s := &d.manifest.Shards[i]; id < uint64(s.First+s.Episodes) {
			return s.Name
		}
	}
	return d.dir
}

// Orders plays an episode of the dataset again and returns what was ordered:
// [step][seat][unit], in the game's encoding. Errors wrap ErrCorrupt or
// ErrReplay.
func (d *Dataset) Orders(e *Episode) ([][][]byte, error) {
	m, err := d.Map(e.Map)
	if err != nil {
		return nil, err
	}
	r, err := d.newReplayer([]env.Map{m}, []int{0}, 1, nil)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var steps [][][]byte
	r.seen = func(_ int, _ *replaySlot, orders [][]byte) {
		step := make([][]byte, len(orders))
		for seat, given := range orders {
			step[seat] = slices.Clone(given)
		}
		steps = append(steps, step)
	}
	if err := r.begin([]int{0}, []*Episode{e}); err != nil {
		return nil, err
	}
	for {
		ended, err := r.step()
		if err != nil {
			return nil, err
		}
		if len(ended) > 0 {
			return steps, nil
		}
	}
}

// A watch is told every step of episodes that are played again, before it is
// played.
type watch struct {
	arrays []string // that it looks at
	step   func(r *replayer, board int, s *replaySlot, orders [][]byte)
}

// replay plays episodes again, at once as far as their maps and the number of
// boards allow, and calls ended after each that went as recorded. w, if not
// zero, watches every step.
func (d *Dataset) replay(ctx context.Context, episodes iter.Seq2[*Episode, error], workers, boards int, w watch, ended func(*Episode)) error {
	maps, index, err := d.allMaps()
	if err != nil {
		return err
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if boards == 0 {
		boards = min(boardsPerWorker*workers, d.Len())
	}
	boards = max(boards, len(maps))
	mapOf := make([]int, boards)
	free := make([][]int, len(maps))
	for i := range mapOf {
		mapOf[i] = i % len(maps)
		free[mapOf[i]] = append(free[mapOf[i]], i)
	}
	r, err := d.newReplayer(maps, mapOf, workers, w.arrays)
	if err != nil {
		return err
	}
	defer r.close()
	if w.step != nil {
		r.seen = func(board int, s *replaySlot, orders [][]byte) { w.step(r, board, s, orders) }
	}
	next, stop := iter.Pull2(episodes)
	defer stop()
	queue := make([][]*Episode, len(maps)) // read, and waiting for a board
	waiting, live, more, idle := 0, 0, true, maxWait
	for more || waiting > 0 || live > 0 {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		for more && waiting < 2*boards {
			e, err, ok := next()
			if !ok {
				more = false
				break
			}
			if err != nil {
				return err
			}
			m := index[e.Map]
			queue[m] = append(queue[m], e)
			waiting++
		}
		ready := 0
		for m := range queue {
			ready += min(len(queue[m]), len(free[m]))
		}
		idle++
		if ready > 0 && (live == 0 || idle >= maxWait || ready >= (boards+15)/16) {
			idle = 0
			var on []int
			var which []*Episode
			for m := range queue {
				n := min(len(queue[m]), len(free[m]))
				on, which = append(on, free[m][:n]...), append(which, queue[m][:n]...)
				queue[m], free[m] = queue[m][n:], free[m][n:]
			}
			if err := r.begin(on, which); err != nil {
				return err
			}
			waiting -= len(on)
			live += len(on)
		}
		if live == 0 {
			continue
		}
		done, err := r.step()
		if err != nil {
			return err
		}
		for _, o := range done {
			live--
			free[mapOf[o.board]] = append(free[mapOf[o.board]], o.board)
			ended(o.e)
		}
	}
	return nil
}
