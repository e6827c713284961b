package batch

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// ErrClosed: use of a closed batch.
var ErrClosed = errors.New("batch is closed")

// A Batch is many boards of one game that step together.
type Batch struct {
	cfg   Config
	k     kernel.Kernel
	crew  *crew
	shard []int // worker w has boards shard[w]..shard[w+1]-1
	main  *outputs
	final *outputs // with SameStep
	// outputs are both; listed those that the phase in hand lists into.
	outputs, listed []*outputs

	streams []stream
	begun   []begun
	ready   bool     // Reset was called
	marked  []stream // at Mark
	closed  bool

	in      kernel.Input
	errs    []error
	entries []int
	state   []byte // memory of Hash
	// The phases as function values, made once so that a step allocates nothing.
	decode, play, gather, watch func(int)
}

// A begun tells of a board's last reset.
type begun struct {
	seed, count uint64
}

// A stream is where a board's episode seeds come from.
type stream struct {
	seed, board, episode uint64
}

// Actions are one step's actions: the name of a head, and its elements in the
// shape that the head declares. With every seat native the zero value steps.
type Actions struct {
	Head    string
	Uint8   []uint8   // heads of uint8
	Int32   []int32   // heads of int32
	Float32 []float32 // heads of logits

	// Sample draws from the masked softmax of logits at Temperature (0 is 1)
	// instead of taking the argmax. Draws depend on Seed, board, seat and turn.
	Sample      bool
	Seed        uint64
	Temperature float32
}

// New makes a batch. It has no episodes before Reset. Close it when done.
func New(cfg Config) (*Batch, error) {
	kc, err := cfg.resolve()
	if err != nil {
		return nil, err
	}
	k, err := kernels[cfg.Game](kc)
	if err != nil {
		if !errors.Is(err, env.ErrRules) && !errors.Is(err, env.ErrMap) {
			err = fmt.Errorf("%w: %w", ErrConfig, err)
		}
		return nil, err
	}
	if cfg.Arrays == nil {
		cfg.Arrays = k.Defaults()
	}
	b := &Batch{cfg: cfg, k: k, streams: make([]stream, cfg.Boards), begun: make([]begun, cfg.Boards),
		errs: make([]error, cfg.Workers), entries: make([]int, cfg.Workers)}
	for w := range cfg.Workers + 1 {
		b.shard = append(b.shard, w*cfg.Boards/cfg.Workers)
	}
	whole := false
	defer func() { // Memory may panic, too
		if !whole {
			b.free()
		}
	}()
	if b.main, err = b.newOutputs(cfg.Arrays); err != nil {
		return nil, err
	}
	if cfg.Autoreset == SameStep {
		if b.final, err = b.newOutputs(cfg.Arrays); err != nil {
			return nil, err
		}
	}
	whole = true
	b.crew = newCrew(cfg.Workers, runtime.GOMAXPROCS(0))
	b.decode = func(w int) { b.errs[w] = b.k.Decode(w, b.shard[w], b.shard[w+1], &b.in) }
	b.play = b.playShard
	b.gather = func(w int) {
		for _, o := range b.listed {
			o.gather(w, cfg.Workers)
		}
	}
	b.watch = func(w int) {
		for i := b.shard[w]; i < b.shard[w+1]; i++ {
			b.k.Report(i, b.main.handle, false)
			b.k.Observe(w, i, b.main.handle, &b.main.lists[w])
		}
	}
	return b, nil
}

// Close ends the workers. The arrays stay readable, unless they have the
// configuration's Memory, which gets it back. Closing twice is a no-op.
func (b *Batch) Close() {
	if !b.closed {
		b.closed = true
		b.crew.dismiss()
		b.free()
	}
}

// free gives the arrays' memory back, if it is not of Go's heap.
func (b *Batch) free() {
	if b.cfg.Memory == nil {
		return
	}
	for _, o := range b.outputs {
		o.free()
	}
}

// Config is the configuration with its defaults filled in.
func (b *Batch) Config() Config { return b.cfg }

// Ready tells why the boards cannot be stepped or looked at: ErrClosed, or
// env.ErrNotReset before the first Reset.
func (b *Batch) Ready() error {
	if b.closed {
		return ErrClosed
	}
	if !b.ready {
		return fmt.Errorf("batch: %w", env.ErrNotReset)
	}
	return nil
}

// Reset starts episode 0 of every board. Episode e of board i has the seed
// env.EpisodeSeed(seed, i, e).
func (b *Batch) Reset(seed uint64) error {
	if b.closed {
		return ErrClosed
	}
	b.crew.run(func(w int) {
		for i := b.shard[w]; i < b.shard[w+1]; i++ {
			b.streams[i] = stream{seed, uint64(i), 0}
			b.begin(w, i, env.EpisodeSeed(seed, uint64(i), 0))
		}
	}, true)
	b.ready = true
	b.Refresh()
	return nil
}

// ResetBoards starts a new episode on some boards: the next of their streams,
// or with the given episode seeds, one a board.
func (b *Batch) ResetBoards(boards []int, seeds []uint64) error {
	if err := b.Ready(); err != nil {
		return err
	}
	if seeds != nil && len(seeds) != len(boards) {
		return fmt.Errorf("%w: %d seeds for %d boards", ErrConfig, len(seeds), len(boards))
	}
	if err := b.inRange(boards); err != nil {
		return err
	}
	b.each(boards, func(w, j, i int) {
		if seeds != nil {
			b.begin(w, i, seeds[j])
		} else {
			b.next(w, i)
		}
	})
	b.Refresh()
	return nil
}

// ResetStreams gives some boards streams of their own and starts their first
// episodes: boards[j] has those that the only board of a batch has after
// Reset(seeds[j]). A batch that was never reset needs all its boards here.
func (b *Batch) ResetStreams(boards []int, seeds []uint64) error {
	if b.closed {
		return ErrClosed
	}
	if len(seeds) != len(boards) {
		return fmt.Errorf("%w: %d seeds for %d boards", ErrConfig, len(seeds), len(boards))
	}
	if err := b.inRange(boards); err != nil {
		return err
	}
	if !b.ready {
		given := make([]bool, b.cfg.Boards)
		for _, i := range boards {
			given[i] = true
		}
		if i := slices.Index(given, false); i >= 0 {
			return fmt.Errorf("batch: %w: board %d", env.ErrNotReset, i)
		}
	}
	b.each(boards, func(w, j, i int) {
		b.streams[i] = stream{seeds[j], 0, 0}
		b.begin(w, i, env.EpisodeSeed(seeds[j], 0, 0))
	})
	b.ready = true
	b.Refresh()
	return nil
}

// each calls f for the j-th of the boards, which is i, on i's worker; in order
// for each board.
func (b *Batch) each(boards []int, f func(w, j, i int)) {
	b.crew.run(func(w int) {
		for j, i := range boards {
			if b.shard[w] <= i && i < b.shard[w+1] {
				f(w, j, i)
			}
		}
	}, true)
}

// Record tells r of every step from now on, in place of the configuration's
// Recorder; nil tells nobody.
func (b *Batch) Record(r Recorder) { b.cfg.Recorder = r }

func (b *Batch) inRange(boards []int) error {
	for _, i := range boards {
		if i < 0 || i >= b.cfg.Boards {
			return fmt.Errorf("%w: board %d of %d", ErrConfig, i, b.cfg.Boards)
		}
	}
	return nil
}

func (b *Batch) next(w, i int) {
	s := &b.streams[i]
	s.episode++
	b.begin(w, i, env.EpisodeSeed(s.seed, s.board, s.episode))
}

func (b *Batch) begin(w, i int, seed uint64) {
	b.begun[i] = begun{seed, b.begun[i].count + 1}
	b.k.Reset(w, i, seed)
}

// Begun tells how often a board was reset, and with which seed last. Restore,
// Clone and Rewind are no resets.
func (b *Batch) Begun(board int) (seed, count uint64) {
	return b.begun[board].seed, b.begun[board].count
}

// Refresh writes the main arrays anew from the boards as they are, as after a
// reset. It is needed only after a board was changed through Board.
func (b *Batch) Refresh() {
	for w := range b.entries {
		b.entries[w] = 0
		for i := b.shard[w]; i < b.shard[w+1]; i++ {
			b.entries[w] += b.k.Entries(i)
		}
	}
	b.list(b.outputs[:1], b.watch)
}

// list makes room in sets of arrays for b.entries, runs the phase that writes
// them, and brings what each worker listed together.
func (b *Batch) list(sets []*outputs, phase func(worker int)) {
	b.listed = sets
	for _, o := range sets {
		o.room(b.entries)
	}
	gathers := len(b.shard) > 2 && len(b.main.ragged) > 0
	b.crew.run(phase, gathers)
	for _, o := range sets {
		o.sum()
	}
	if gathers {
		b.crew.run(b.gather, false)
	}
}

// Step plays one step of every board. An error wraps env.ErrOrders (and names
// board, seat and ant), env.ErrNotReset or ErrClosed, and then nothing has
// changed.
func (b *Batch) Step(a Actions) error {
	if err := b.Ready(); err != nil {
		return err
	}
	b.in = kernel.Input{Head: a.Head, Uint8: a.Uint8, Int32: a.Int32, Float32: a.Float32, Sample: a.Sample, SampleSeed: a.Seed, Temperature: a.Temperature}
	var offsets []int64
	if b.main.offsets != nil {
		offsets = obs.View[int64](b.main.offsets)
	}
	if err := b.k.Prepare(&b.in, offsets); err != nil {
		return err
	}
	if a.Head != "" {
		b.crew.run(b.decode, true)
		for _, err := range b.errs {
			if err != nil {
				return err
			}
		}
	}
	b.bound(offsets)
	b.list(b.outputs, b.play)
	b.in = kernel.Input{}
	return nil
}

// bound fills entries with what each worker's shard can list after a step.
func (b *Batch) bound(offsets []int64) {
	per := 0
	if b.cfg.Boards > 0 && len(offsets) > 0 {
		per = (len(offsets) - 1) / b.cfg.Boards
	}
	for w := range b.entries {
		lo, hi := b.shard[w], b.shard[w+1]
		b.entries[w] = (hi - lo) * b.k.MaxGrowth()
		if per > 0 {
			b.entries[w] += int(offsets[hi*per] - offsets[lo*per])
		}
	}
}

// playShard steps, reports and observes the boards of a worker.
func (b *Batch) playShard(w int) {
	mode := b.cfg.Autoreset
	for i := b.shard[w]; i < b.shard[w+1]; i++ {
		played := true
		switch {
		case !b.k.Done(i):
			b.k.Step(w, i)
			if b.cfg.Recorder != nil {
				b.cfg.Recorder.Orders(i, b.k.Orders(w))
			}
		case mode == NextStep:
			b.next(w, i)
			played = false
		default:
			played = false
		}
		b.k.Report(i, b.main.handle, played)
		if mode == SameStep {
			b.finish(w, i, played)
		}
		b.k.Observe(w, i, b.main.handle, &b.main.lists[w])
	}
}

// finish snapshots and resets a board whose episode is over.
func (b *Batch) finish(w, i int, played bool) {
	if !b.k.Done(i) {
		per := len(b.final.counts) / b.cfg.Boards
		clear(b.final.counts[i*per : (i+1)*per])
		return
	}
	b.k.Report(i, b.final.handle, played)
	b.k.Observe(w, i, b.final.handle, &b.final.lists[w])
	b.next(w, i)
}

// Done tells whether a board's episode is over and waits for its reset.
func (b *Batch) Done(board int) bool { return b.k.Done(board) }

// Outcome tells how a board stands.
func (b *Batch) Outcome(board int) env.Outcome { return b.k.Outcome(board) }

// Hash is env.Hash of a board's canonical state.
func (b *Batch) Hash(board int) uint64 {
	b.state = b.k.AppendState(b.state[:0], board)
	return env.Hash(b.state)
}

// BoardBytes is the memory that one board takes, outputs not counted.
func (b *Batch) BoardBytes() int { return b.k.BoardBytes() }

// TouchedBytes are the bytes of state that a step of one board must read and
// write, outputs and inputs not counted.
func (b *Batch) TouchedBytes() (read, written int) { return b.k.TouchedBytes() }

// Board is one board as an engine of its own, with orders by position; seats
// played by a policy follow the given orders there. It must not be used during
// Step, and the arrays show its changes only after Refresh.
func (b *Batch) Board(board int) env.Engine { return b.k.One(board) }
