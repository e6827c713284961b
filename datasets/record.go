// Recording episodes that somebody else plays, such as a policy that is being
// trained: a second batch plays every board's orders after them and packs them
// as a generator's would be.

package datasets

import (
	"fmt"
	"math"
	"slices"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/obs"
)

// Player is the name of whoever plays a seat that has no policy, unless
// another is given.
const Player = "player"

// RecordOptions say what a Recording writes, and of which boards. Out, Maps
// and MapOf are required.
type RecordOptions struct {
	Out   string    // a folder that is new or empty
	Game  string    // "" for ants
	Rules string    // name of a rule set or its JSON object, "" for the game's default
	Maps  []env.Map //
	MapOf []int     // per board, an index into Maps
	// Policies tells who plays: Policies[board modulo its length][seat]; "",
	// batch.Caller and seats that are missing are Player.
	Policies [][]string
	Player   string // "" for the constant

	Kind   Kind   // "" for Orders
	Format string // "" for arrow
	// KeepOpen keeps episodes that are not over when the recording is closed, or
	// their board is reset: as Stopped, their last step truncated.
	KeepOpen bool

	CheckpointEvery int   // steps from one state hash to the next, 0 for DefaultCheckpointEvery
	ShardSize       int64 // raw bytes of the rows of a shard, 0 for DefaultShardSize
	Workers         int   // 0: GOMAXPROCS
}

// A RecordSummary is what a Recording has written.
type RecordSummary struct {
	Out      string `json:"out"`
	Episodes int    `json:"episodes"`
	Turns    int64  `json:"turns"`
	Orders   int64  `json:"orders"`
	Shards   int    `json:"shards"`
	Bytes    int64  `json:"bytes"`    // of the shards
	LeftOut  int    `json:"left_out"` // episodes that were begun, and dropped or not over at the end
}

// A Recording writes the episodes of a batch's boards as a dataset, in the order in which they end. It is the batch's Recorder:
//
//	r.Begin(board, seed)     // for every board that was reset
//	r.Before()               // before a step
//	err = b.Step(..)         // calls r.Orders
//	err = r.After()
//
// Boards that were not begun are left out. Returns are those of the game's
// default rewards, whatever the batch's are. Apart from Orders, as a Recorder,
// it is not safe for concurrent use.
type Recording struct {
	p       *plan
	m       *Manifest
	w       *shardWriter
	release func()
	b       *batch.Batch
	scribe  scribe
	oracle  oracle
	names   [][]string // per board
	slots   []slot
	noted   []bool // per board: has orders of this step
	boards  []int  // to begin with the next step
	seeds   []uint64
	id      uint64
	sum     RecordSummary
	keep    bool  // RecordOptions.KeepOpen
	err     error // of writing
}

// Record begins a recording. Errors wrap ErrOptions, ErrExists, env.ErrRules,
// env.ErrMap, or are the file system's.
func Record(o RecordOptions) (*Recording, error) {
	return o.record(osDisk{})
}

func (o RecordOptions) record(d disk) (*Recording, error) {
	if o.Player == "" {
		o.Player = Player
	}
	names := make([][]string, len(o.MapOf))
	var all []string
	seats := 0
	for b, m := range o.MapOf {
		if m < 0 || m >= len(o.Maps) {
			return nil, fmt.Errorf("%w: board %d has map %d of %d", ErrOptions, b, m, len(o.Maps))
		}
		seats = max(seats, o.Maps[m].Seats())
		var row []string
		if len(o.Policies) > 0 {
			row = o.Policies[b%len(o.Policies)]
		}
		for s := range o.Maps[m].Seats() {
			name := o.Player
			if s < len(row) && row[s] != "" && row[s] != batch.Caller {
				name = row[s]
			}
			names[b] = append(names[b], name)
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	p, err := Options{
		Out: o.Out, Game: o.Game, Rules: o.Rules, Maps: o.Maps, Policies: all, Episodes: math.MaxInt32,
		Kind: o.Kind, Format: o.Format, CheckpointEvery: o.CheckpointEvery, ShardSize: o.ShardSize, Workers: o.Workers,
	}.plan()
	if err != nil {
		return nil, err
	}
	p.recorded = true
	cfg := batch.Config{
		Game: p.Game, Rules: p.Rules, Boards: len(o.MapOf), Maps: p.Maps, MapOf: o.MapOf,
		Arrays: append([]string{returnsArray}, p.game.arrays...), Autoreset: batch.Disabled, Workers: p.Workers,
	}
	for s := range seats {
		cfg.Observe = append(cfg.Observe, s)
	}
	b, err := batch.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	r := &Recording{p: p, b: b, names: names, slots: make([]slot, len(o.MapOf)), noted: make([]bool, len(o.MapOf)), sum: RecordSummary{Out: o.Out}, keep: o.KeepOpen}
	r.scribe, r.oracle = p.game.scribe(b), p.game.oracle(b)
	if err := r.open(d); err != nil {
		b.Close()
		return nil, err
	}
	return r, nil
}

// open makes the folder ready.
func (r *Recording) open(d disk) error {
	if err := r.b.Reset(0); err != nil {
		return err
	}
	if err := makeDir(d, r.p.Out); err != nil {
		return err
	}
	var err error
	if r.release, err = lockDir(r.p.Out); err != nil {
		return err
	}
	if r.m, _, err = r.p.start(d); err == nil {
		r.w, err = newShardWriter(d, r.p.Out, r.m, r.p.group)
	}
	if err != nil {
		r.release()
	}
	return err
}

// Begin tells that a board has started an episode with a seed. One that it was
// in is left out, or kept as RecordOptions says.
func (r *Recording) Begin(board int, seed uint64) {
	r.stop(board)
	e := &Episode{Seed: seed, Map: r.b.Config().Maps[r.b.Config().MapOf[board]].Digest(), Seats: make([]Seat, len(r.names[board]))}
	for s, name := range r.names[board] {
		e.Seats[s].Policy = name
	}
	r.slots[board] = slot{live: true, e: e}
	if i := slices.Index(r.boards, board); i >= 0 {
		r.seeds[i] = seed
		return
	}
	r.boards, r.seeds = append(r.boards, board), append(r.seeds, seed)
}

// Drop leaves a board's episode out: its state was changed by something else
// than a step.
func (r *Recording) Drop(board int) {
	if r.slots[board].live {
		r.sum.LeftOut++
	}
	r.slots[board] = slot{}
}

// stop ends the episode that a board is in, if any.
func (r *Recording) stop(board int) {
	s := &r.slots[board]
	if !r.keep || !s.live || s.e.Turns == 0 || r.err != nil {
		r.Drop(board)
		return
	}
	// A checkpoint is not told of the last state.
	s.e.Checkpoints = s.e.Checkpoints[:checkpoints(s.e.Turns, r.p.CheckpointEvery)]
	if r.err = r.end(board, s.e); r.err == nil {
		*s = slot{}
	}
}

// Before is called before every step.
func (r *Recording) Before() {
	if r.err != nil {
		return
	}
	if len(r.boards) > 0 {
		if err := r.b.ResetBoards(r.boards, r.seeds); err != nil {
			panic("datasets: a board does not reset: " + err.Error())
		}
		for _, i := range r.boards {
			r.scribe.begin(i, r.names[i])
		}
		r.boards, r.seeds = r.boards[:0], r.seeds[:0]
	}
	r.scribe.before()
	r.oracle.room()
	clear(r.noted)
}

// Orders fills batch.Recorder.
func (r *Recording) Orders(board int, orders [][]byte) {
	s := &r.slots[board]
	if !s.live || r.err != nil {
		return
	}
	r.noted[board] = true
	s.e.Turns++
	s.e.Orders += int64(r.p.game.count(orders))
	r.scribe.note(board, orders)
	if err := r.oracle.give(board, orders); err != nil {
		panic("datasets: orders that were played cannot be: " + err.Error())
	}
}

// After is called after every step that was played, and writes the episodes
// that it ended. After an error, which is the file system's, nothing more is
// recorded; it is told again by every call, and by Close.
func (r *Recording) After() error {
	if r.err != nil {
		return r.err
	}
	for i, noted := range r.noted {
		if !noted {
			r.oracle.idle(i)
		}
	}
	if err := r.b.Step(r.oracle.actions()); err != nil {
		panic("datasets: orders that were played are refused: " + err.Error())
	}
	for i, noted := range r.noted {
		if !noted {
			continue
		}
		s := &r.slots[i]
		e := s.e
		if !r.b.Done(i) {
			if e.Turns%r.p.CheckpointEvery == 0 {
				e.Checkpoints = append(e.Checkpoints, r.b.Hash(i))
			}
			continue
		}
		if r.err = r.end(i, e); r.err != nil {
			return r.err
		}
		*s = slot{}
	}
	return nil
}

// end writes the episode that ended on a board.
func (r *Recording) end(board int, e *Episode) error {
	out := r.b.Outcome(board)
	e.ID, e.Reason, e.FinalHash = r.id, out.Reason, r.b.Hash(board)
	if !r.b.Done(board) {
		e.Reason = Stopped
	}
	returns := r.b.Array(returnsArray)
	for s := range e.Seats {
		e.Seats[s].Score, e.Seats[s].Rank, e.Seats[s].Return = out.Scores[s], out.Ranks[s], obs.View[float32](returns)[board*returns.Dims[1]+s]
	}
	e.Packed = r.scribe.finish(board, nil)
	if err := r.w.write(e); err != nil {
		return err
	}
	r.id++
	r.sum.Episodes++
	r.sum.Turns += int64(e.Turns)
	r.sum.Orders += e.Orders
	return nil
}

// Hash is the hash of a board's state as it was recorded so far, if it is in an
// episode that is.
func (r *Recording) Hash(board int) (hash uint64, ok bool) {
	if s := &r.slots[board]; !s.live || s.e.Turns == 0 {
		return 0, false
	}
	return r.b.Hash(board), true
}

// Close ends the recording: the folder is then a complete dataset, or, when no
// episode ended, without one. Errors are the file system's; what whole shards
// hold can be read all the same.
func (r *Recording) Close() (*RecordSummary, error) {
	defer r.release()
	defer r.b.Close()
	for i := range r.slots {
		r.stop(i)
	}
	err := r.err
	if err == nil {
		err = r.w.close()
	}
	r.w.abandon()
	r.sum.Shards, r.sum.Bytes = len(r.m.Shards), r.w.listed
	switch {
	case err != nil:
	case r.sum.Episodes == 0:
		err = r.m.remove(r.w.disk, r.p.Out)
	default:
		r.m.Episodes, r.m.Complete = r.m.written(), true
		err = r.m.write(r.w.disk, r.p.Out)
	}
	return &r.sum, err
}
