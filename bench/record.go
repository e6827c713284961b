package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
)

// A recording is boards of a scene and what they do in the next Turns turns.
// It does not depend on the number of workers that made it.
type recording struct {
	scene   *Scene
	m       env.Map
	sources int
	shots   []shot
	orders  [Turns][][][]byte // per turn and source: the orders of all seats
	units   [Turns][]int      // per turn and source: units that the turn moved, of all seats
	ticks   [Turns][]int      // per turn and source: ticks that it took
	hashes  []uint64          // per source: of the state after the last turn
}

// A shot is a snapshot of some boards.
type shot struct {
	data   []byte
	boards int
}

// A player gives the actions of one step to every board.
type player func(*batch.Batch) (batch.Actions, error)

// native is the player for boards whose seats the batch's own policies play.
func native(*batch.Batch) (batch.Actions, error) { return batch.Actions{}, nil }

// A recorder plays games of a scene: the lead-in on one batch, the recorded
// turns on another.
type recorder struct {
	sc     *Scene
	play   player
	boards int
	lead   *batch.Batch
	main   *batch.Batch
	turn   int               // the recorded turn that main plays
	orders [Turns][][][]byte // per turn and board of main
	units  [Turns][]int
	ticks  [Turns][]int
}

// recordRounds bounds how often games are played to find boards for a scene.
const recordRounds = 16

// record plays games of a scene until it has found as many sources. play is
// where orders come from, nil for the batch's own policies. tick is told the
// turns played, and how many there are if the games played so far suffice.
func record(ctx context.Context, sc *Scene, sources, workers int, play player, tick func(done, total int)) (*recording, error) {
	m, err := sc.Map()
	if err != nil {
		return nil, err
	}
	r := &recording{scene: sc, m: m}
	rec := &recorder{sc: sc, play: play, boards: sources + max(sources/4, 4)}
	for k := range rec.orders {
		rec.orders[k], rec.units[k], rec.ticks[k] = make([][][]byte, rec.boards), make([]int, rec.boards), make([]int, rec.boards)
	}
	cfg := batch.Config{
		Game: sc.Game, Rules: sc.Rules, Maps: []env.Map{m}, Boards: rec.boards, Workers: workers,
		Observe: seats(m), Arrays: sc.Counts, Autoreset: batch.Disabled, Recorder: rec,
	}
	if play == nil {
		rec.play, cfg.Policies = native, sc.policies(m)
	}
	if rec.main, err = batch.New(cfg); err != nil {
		return nil, err
	}
	defer rec.main.Close()
	cfg.Recorder = nil
	if sc.LeadIn != "" {
		cfg.Rules = sc.LeadIn
	}
	if rec.lead, err = batch.New(cfg); err != nil {
		return nil, err
	}
	defer rec.lead.Close()
	for round := 0; r.sources < sources; round++ {
		if round == recordRounds {
			return nil, fmt.Errorf("%d games of %s on %s give %d boards with %v to %v units a seat at turn %d, want %d",
				round*rec.boards, sc.Policy, m.ID(), r.sources, sc.Units[0], sc.Units[1], sc.Turn, sources)
		}
		turns := sc.Turn + Turns
		progress := func(turn int) error {
			tick(round*turns+turn, (round+1)*turns)
			return ctx.Err()
		}
		found, err := rec.enter(env.Derive(sc.Seed, uint64(round)), progress)
		if err != nil {
			return nil, err
		}
		if found, err = rec.recorded(found, progress); err != nil {
			return nil, err
		}
		if err := r.keep(rec, found[:min(len(found), sources-r.sources)]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// enter plays games up to the scene's turn, marks them, and lists the boards that play on and
// have the scene's number of units.
func (rec *recorder) enter(seed uint64, progress func(turn int) error) ([]int, error) {
	if err := rec.lead.Reset(seed); err != nil {
		return nil, err
	}
	for turn := range rec.sc.Turn {
		if err := progress(turn); err != nil {
			return nil, err
		}
		if err := rec.step(rec.lead); err != nil {
			return nil, err
		}
	}
	if err := rec.main.Reset(seed); err != nil {
		return nil, err
	}
	seats := float64(rec.main.Config().Maps[0].Seats())
	var found []int
	for i := range rec.boards {
		units := float64(rec.sc.Count(rec.lead, i)) / seats
		if rec.lead.Done(i) || units < rec.sc.Units[0] || units > rec.sc.Units[1] {
			continue
		}
		found = append(found, i)
		board := rec.main.Board(i)
		if err := board.SetState(rec.lead.Board(i).AppendState(nil)); err != nil {
			return nil, err
		}
		if rec.sc.Enter != nil {
			if err := rec.sc.Enter(board); err != nil {
				return nil, err
			}
		}
	}
	rec.main.Refresh()
	return found, rec.main.Mark()
}

// recorded plays the turns after the mark and lists which of the boards play on still.
func (rec *recorder) recorded(boards []int, progress func(turn int) error) ([]int, error) {
	for rec.turn = range Turns {
		if err := progress(rec.sc.Turn + rec.turn); err != nil {
			return nil, err
		}
		for i := range rec.boards {
			rec.units[rec.turn][i], rec.ticks[rec.turn][i] = rec.sc.Count(rec.main, i), 1
		}
		if err := rec.step(rec.main); err != nil {
			return nil, err
		}
		for i := range rec.boards {
			if rec.sc.Ticks != nil {
				rec.ticks[rec.turn][i] = rec.sc.Ticks(rec.main, i)
			}
		}
	}
	return slices.DeleteFunc(boards, rec.main.Done), nil
}

func (rec *recorder) step(b *batch.Batch) error {
	a, err := rec.play(b)
	if err != nil {
		return err
	}
	return b.Step(a)
}

// Orders keeps what a board plays.
func (rec *recorder) Orders(board int, orders [][]byte) {
	kept := make([][]byte, len(orders))
	for seat := range orders {
		kept[seat] = slices.Clone(orders[seat])
	}
	rec.orders[rec.turn][board] = kept
}

// keep adds boards that have just been recorded.
func (r *recording) keep(rec *recorder, boards []int) error {
	for _, i := range boards {
		r.hashes = append(r.hashes, rec.main.Hash(i))
		for k := range Turns {
			r.orders[k] = append(r.orders[k], rec.orders[k][i])
			r.units[k] = append(r.units[k], rec.units[k][i])
			r.ticks[k] = append(r.ticks[k], rec.ticks[k][i])
		}
	}
	if err := rec.main.Rewind(); err != nil {
		return err
	}
	data, err := rec.main.Snapshot(boards)
	if err != nil {
		return err
	}
	r.shots = append(r.shots, shot{data, len(boards)})
	r.sources += len(boards)
	return nil
}

// policies gives every seat the scene's policy.
func (sc *Scene) policies(m env.Map) [][]string {
	return [][]string{slices.Repeat([]string{sc.Policy}, m.Seats())}
}

// seats lists all seats of a map.
func seats(m env.Map) []int {
	list := make([]int, m.Seats())
	for s := range list {
		list[s] = s
	}
	return list
}
