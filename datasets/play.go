// Boards that play a dataset's episodes, many at once and in any order; the
// episodes themselves depend on their numbers alone.

package datasets

import (
	"fmt"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/obs"
)

// An arena plays the episodes of a plan from one on. It fills batch.Recorder.
type arena struct {
	plan   *plan
	b      *batch.Batch
	scribe scribe
	slots  []slot
	mapOf  []int // per board
	live   int   // boards that play an episode of the plan
	wait   int   // steps since boards were last given episodes

	free    [][]int    // per map: boards that wait for an episode
	queue   [][]uint64 // per map: episodes to begin, in order
	scanned uint64     // episodes before this one were queued
}

// A slot is what a board is playing.
type slot struct {
	live bool
	e    *Episode
}

// returnsArray is the array that returns are read from.
const returnsArray = "episode_return"

// maxWait is how many steps a board without an episode waits at most for
// others, so that they are reset together.
const maxWait = 8

// boardsPerWorker is how many boards a worker has unless told otherwise.
const boardsPerWorker = 64

// newArena makes boards for episodes from..p.end()-1.
func newArena(p *plan, from uint64) (*arena, error) {
	a := &arena{plan: p, scanned: from, free: make([][]int, len(p.Maps)), queue: make([][]uint64, len(p.Maps))}
	need := make([]int, len(p.Maps)) // episodes on each map
	total := int(p.end() - from)
	for e := from; e < p.end(); e++ {
		need[episodeMap(p.Seed, e, len(p.Maps))]++
	}
	boards := min(p.Boards, total)
	seats := 0
	policies := [][]string{}
	for m, n := range need {
		if n == 0 {
			continue
		}
		seats = max(seats, p.Maps[m].Seats())
		names := seatPolicies(p.Policies, p.Maps[m].Seats())
		for range max(1, boards*n/total) {
			a.free[m] = append(a.free[m], len(a.mapOf))
			a.mapOf = append(a.mapOf, m)
			policies = append(policies, names)
		}
	}
	cfg := batch.Config{
		Game: p.Game, Rules: p.Rules, Boards: len(a.mapOf), Maps: p.Maps, MapOf: a.mapOf, Policies: policies,
		Arrays: append([]string{returnsArray}, p.game.arrays...), Autoreset: batch.Disabled, Workers: p.Workers, Recorder: a,
	}
	if p.choose != nil {
		cfg.Policies = nil
	}
	for s := range seats {
		cfg.Observe = append(cfg.Observe, s)
	}
	var err error
	if a.b, err = batch.New(cfg); err != nil {
		return nil, err
	}
	a.slots = make([]slot, len(a.mapOf))
	a.scribe = p.game.scribe(a.b)
	if err := a.b.Reset(p.Seed); err != nil {
		return nil, err
	}
	a.wait = maxWait
	return a, nil
}

func (a *arena) close() { a.b.Close() }

// feed gives waiting boards episodes below a bound.
func (a *arena) feed(below uint64) error {
	p := a.plan
	for ; a.scanned < min(below, p.end()); a.scanned++ {
		m := episodeMap(p.Seed, a.scanned, len(p.Maps))
		a.queue[m] = append(a.queue[m], a.scanned)
	}
	ready := 0
	for m := range a.queue {
		ready += min(len(a.queue[m]), len(a.free[m]))
	}
	a.wait++
	if ready == 0 || a.wait < maxWait && ready < (len(a.slots)+15)/16 {
		return nil
	}
	a.wait = 0
	var boards []int
	var seeds []uint64
	for m := range a.queue {
		n := min(len(a.queue[m]), len(a.free[m]))
		for _, e := range a.queue[m][:n] {
			board := a.free[m][0]
			a.free[m] = a.free[m][1:]
			seed := episodeSeed(p.Seed, e)
			names := seatPolicies(p.Policies, p.Maps[m].Seats())
			a.slots[board] = slot{live: true, e: &Episode{ID: e, Seed: seed, Map: p.Maps[m].Digest(), Seats: make([]Seat, len(names))}}
			for s, name := range names {
				a.slots[board].e.Seats[s].Policy = name
			}
			a.scribe.begin(board, names)
			boards, seeds = append(boards, board), append(seeds, seed)
		}
		a.queue[m] = a.queue[m][n:]
	}
	a.live += len(boards)
	return a.b.ResetBoards(boards, seeds)
}

// step plays one step of every board and hands out the episodes that it ended.
func (a *arena) step(ended func(*Episode)) error {
	a.scribe.before()
	var acts batch.Actions
	if a.plan.choose != nil {
		acts = a.plan.choose(a)
	}
	if err := a.b.Step(acts); err != nil {
		return err
	}
	returns := a.b.Array(returnsArray)
	seats := returns.Dims[1]
	for i := range a.slots {
		s := &a.slots[i]
		if !s.live {
			continue
		}
		e := s.e
		done := a.b.Done(i)
		if !done {
			if e.Turns%a.plan.CheckpointEvery == 0 {
				e.Checkpoints = append(e.Checkpoints, a.b.Hash(i))
			}
			continue
		}
		out := a.b.Outcome(i)
		if out.Steps != e.Turns {
			return fmt.Errorf("board %d says %d steps after %d", i, out.Steps, e.Turns)
		}
		e.Reason, e.FinalHash = out.Reason, a.b.Hash(i)
		for s := range e.Seats {
			e.Seats[s].Score, e.Seats[s].Rank, e.Seats[s].Return = out.Scores[s], out.Ranks[s], obs.View[float32](returns)[i*seats+s]
		}
		s.live = false
		a.live--
		a.free[a.mapOf[i]] = append(a.free[a.mapOf[i]], i)
		ended(e)
	}
	return nil
}

// Orders packs what a board's seats ordered in a step.
func (a *arena) Orders(board int, orders [][]byte) {
	s := &a.slots[board]
	if !s.live {
		return
	}
	s.e.Turns++
	s.e.Orders += int64(a.plan.game.count(orders))
	a.scribe.note(board, orders)
	if a.b.Done(board) {
		s.e.Packed = a.scribe.finish(board, nil)
	}
}
