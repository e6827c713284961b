// Episodes of kind steps as rows of kind orders: their rows are checked, and
// their orders packed while they are played once more.

package datasets

import (
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/env"
)

// checkRows tells whether a group's rows can be what the manifest says: each
// follows from the one before it.
func (d *Dataset) checkRows(r *Rows, s *Shard, g *Group) error {
	episodes, steps, seats := Of[uint64](&r.Columns[stepEpisode]), Of[int32](&r.Columns[stepStep]), Of[int32](&r.Columns[stepSeat])
	maps := Of[int32](&r.Columns[stepMap])
	bad := func(i int, format string, a ...any) error {
		return fmt.Errorf("%w: row %d: %s", ErrCorrupt, i, fmt.Sprintf(format, a...))
	}
	limit := d.game.maxSteps(d.rules)
	for i := range r.Len() {
		e, step, seat := episodes[i], int(steps[i]), int(seats[i])
		if e < uint64(g.First) || e >= uint64(s.First+s.Episodes) || step < 0 || step > limit {
			return bad(i, "step %d of episode %d", step, e)
		}
		n := d.maps[r.layout.names.maps[maps[i]]].entry.Seats
		switch {
		case i == 0:
			if e != uint64(g.First) || seat != 0 {
				return bad(i, "seat %d of episode %d, want seat 0 of episode %d", seat, e, g.First)
			}
		case seats[i-1]+1 < int32(d.maps[r.layout.names.maps[maps[i-1]]].entry.Seats):
			if e != episodes[i-1] || steps[i] != steps[i-1] || seats[i] != seats[i-1]+1 || maps[i] != maps[i-1] || r.final(i) != r.final(i-1) {
				return bad(i, "episode %d, step %d, seat %d after episode %d, step %d, seat %d", e, step, seat, episodes[i-1], steps[i-1], seats[i-1])
			}
		case r.final(i - 1):
			if e != episodes[i-1]+1 || step != 0 || seat != 0 {
				return bad(i, "episode %d, step %d, seat %d after the end of episode %d", e, step, seat, episodes[i-1])
			}
		default:
			if e != episodes[i-1] || steps[i] != steps[i-1]+1 || seat != 0 || maps[i] != maps[i-1] {
				return bad(i, "episode %d, step %d, seat %d after episode %d, step %d", e, step, seat, episodes[i-1], steps[i-1])
			}
		}
		if i == r.Len()-1 && seat != n-1 {
			return bad(i, "the group ends with seat %d of %d", seat, n)
		}
	}
	return nil
}

// pieces calls f with the rows of episode e, in order: as many groups as it is
// in.
func (d *Dataset) pieces(e int, f func(*Rows) error) error {
	id := uint64(d.manifest.First + e)
	i, j := d.find(e)
	next := int32(0) // step
	for ; j < len(d.manifest.Shards[i].Groups); j++ {
		r, err := d.rows(i, j)
		if err != nil {
			return err
		}
		episodes := Of[uint64](&r.Columns[stepEpisode])
		from, found := slices.BinarySearch(episodes, id)
		if !found {
			if next == 0 {
				continue // it begins with the next group
			}
			break
		}
		to := from + 1
		for to < r.Len() && episodes[to] == id {
			to++
		}
		piece := r.Slice(from, to)
		steps := Of[int32](&piece.Columns[stepStep])
		if steps[0] != next {
			return fmt.Errorf("%w: %s: group %d: episode %d goes on with step %d, want %d", ErrCorrupt, d.manifest.Shards[i].Name, j, id, steps[0], next)
		}
		next = steps[len(steps)-1] + 1
		if err := f(piece); err != nil {
			return err
		}
		if piece.final(piece.Len() - 1) {
			return nil
		}
	}
	return fmt.Errorf("%w: %s: episode %d has no end", ErrCorrupt, d.manifest.Shards[i].Name, id)
}

// A packer plays given orders and packs them. It is not safe for concurrent
// use.
type packer struct {
	d    *Dataset
	runs map[string]*packing // by digest
}

// packing is the board of a map.
type packing struct {
	*replayer
	scribe scribe
}

func (d *Dataset) newPacker() *packer { return &packer{d: d, runs: map[string]*packing{}} }

func (p *packer) close() {
	for _, r := range p.runs {
		r.close()
	}
}

func (p *packer) run(digest string) (*packing, error) {
	if r := p.runs[digest]; r != nil {
		return r, nil
	}
	m, err := p.d.Map(digest)
	if err != nil {
		return nil, err
	}
	r, err := p.d.newReplayer([]env.Map{m}, []int{0}, 1, nil)
	if err != nil {
		return nil, err
	}
	p.runs[digest] = &packing{r, p.d.game.scribe(r.b)}
	return p.runs[digest], nil
}

// repack reads episode e of a dataset of kind steps.
func (d *Dataset) repack(p *packer, e int) (*Episode, error) {
	var out *Episode
	var run *packing
	var orders [][]byte
	every := d.manifest.CheckpointEvery
	fail := func(step int, err error) error {
		return fmt.Errorf("%s: episode %d: %w: step %d: %v", d.shardOf(uint64(d.manifest.First+e)), d.manifest.First+e, ErrReplay, step, err)
	}
	err := d.pieces(e, func(r *Rows) error {
		c := r.Columns
		names := r.layout.names
		for i := 0; i < r.Len(); {
			step := int(Of[int32](&c[stepStep])[i])
			hash := Of[uint64](&c[stepHash])[i]
			if out == nil {
				out = &Episode{ID: Of[uint64](&c[stepEpisode])[i], Seed: Of[uint64](&c[stepSeed])[i], Map: names.maps[Of[int32](&c[stepMap])[i]], Reason: names.reasons[Of[int32](&c[stepReason])[i]]}
				out.Seats = make([]Seat, d.maps[out.Map].entry.Seats)
				for s := range out.Seats {
					out.Seats[s] = Seat{Policy: names.policies[Of[int32](&c[stepPolicy])[i+s]], Strikes: Of[int32](&c[stepStrikes])[i+s]}
				}
				orders = make([][]byte, len(out.Seats))
				var err error
				if run, err = p.run(out.Map); err != nil {
					return err
				}
				run.scribe.begin(0, out.policies())
				if err := run.b.ResetBoards([]int{0}, []uint64{out.Seed}); err != nil {
					return err
				}
			} else if step%every == 0 && !r.final(i) {
				out.Checkpoints = append(out.Checkpoints, hash)
			}
			n := len(out.Seats)
			if r.final(i) {
				for s := range out.Seats {
					seat := &out.Seats[s]
					seat.Score, seat.Rank, seat.Return = Of[int32](&c[stepScore])[i+s], Of[int32](&c[stepRank])[i+s], Of[float32](&c[stepReturn])[i+s]
				}
				out.Turns, out.FinalHash = step, hash
				return nil
			}
			for s := range orders {
				orders[s] = c[stepActions].Entry(i + s)
			}
			if run.b.Done(0) {
				return fail(step, fmt.Errorf("the game is over"))
			}
			if err := run.give(orders); err != nil {
				return fail(step, err)
			}
			out.Orders += int64(d.game.count(orders))
			i += n
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if run == nil || out.Turns == 0 {
		return nil, fmt.Errorf("%w: episode %d has no steps", ErrCorrupt, d.manifest.First+e)
	}
	out.Packed = run.scribe.finish(0, nil)
	if got := run.b.Hash(0); got != out.FinalHash {
		return nil, fail(out.Turns, fmt.Errorf("the state's hash is %016x, recorded is %016x", got, out.FinalHash))
	}
	return out, d.checkPlan(out)
}

// give plays orders, and packs them.
func (p *packing) give(orders [][]byte) error {
	p.scribe.before()
	p.oracle.room()
	if err := p.oracle.give(0, orders); err != nil {
		return err
	}
	if err := p.b.Step(p.oracle.actions()); err != nil {
		return err
	}
	p.scribe.note(0, orders)
	return nil
}

// repackAll reads all episodes of a dataset of kind steps.
func (d *Dataset) repackAll(yield func(*Episode, error) bool) {
	p := d.newPacker()
	defer p.close()
	for e := range d.Len() {
		i, _ := d.find(e)
		err := d.checkShard(i)
		var out *Episode
		if err == nil {
			out, err = d.repack(p, e)
		}
		if !yield(out, err) || err != nil {
			return
		}
	}
}

// sameRows names the first column in which rows differ; "" when there is none.
func sameRows(a, b *Rows) string {
	if a.n != b.n {
		return "number of rows"
	}
	for i := range a.Columns {
		x, y := &a.Columns[i], &b.Columns[i]
		if string(x.Data) != string(y.Data) || !slices.Equal(x.Offsets, y.Offsets) {
			return x.Name
		}
	}
	return ""
}
