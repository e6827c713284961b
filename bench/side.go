package bench

import (
	"fmt"
	"time"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
)

// A side is a workload on one number of workers.
type side struct {
	b       *batch.Batch
	actions [Turns]batch.Actions
}

// script is the recorded orders, spread over boards: board b plays what source
// b modulo sources did.
func (r *recording) script(boards int) [Turns]batch.Actions {
	var script [Turns]batch.Actions
	for k := range script {
		orders := make([][][]byte, boards)
		for b := range orders {
			orders[b] = r.orders[k][b%r.sources]
		}
		script[k] = r.scene.Actions(orders)
	}
	return script
}

// moved is how many units the recorded turns of so many boards move, all
// together, how many ticks those turns take, and in how many of those ticks a
// unit moves.
func (r *recording) moved(boards int) (units, ticks, unitTicks int) {
	for k := range Turns {
		for b := range boards {
			u, t := r.units[k][b%r.sources], r.ticks[k][b%r.sources]
			units, ticks, unitTicks = units+u, ticks+t, unitTicks+u*t
		}
	}
	return units, ticks, unitTicks
}

// newSide sets boards up at the scene's turn, marks them, plays a pass, and
// holds what it leads to to the recording. Close its batch when done.
func newSide(w *Workload, r *recording, boards, workers int, script *[Turns]batch.Actions) (*side, error) {
	sc := r.scene
	cfg := batch.Config{
		Game: sc.Game, Rules: sc.Rules, Maps: []env.Map{r.m}, Boards: boards, Workers: workers,
		Observe: seats(r.m), Autoreset: batch.Disabled, Arrays: w.Arrays,
	}
	s := &side{}
	if w.Native {
		cfg.Policies = sc.policies(r.m)
	} else {
		s.actions = *script
	}
	var err error
	if s.b, err = batch.New(cfg); err != nil {
		return nil, err
	}
	if err := s.place(r); err != nil {
		s.b.Close()
		return nil, fmt.Errorf("%s on %d workers: %w", w.Name, workers, err)
	}
	return s, nil
}

// place puts the recorded boards everywhere and checks a pass.
func (s *side) place(r *recording) error {
	if err := s.b.Reset(0); err != nil {
		return err
	}
	at := 0
	for _, shot := range r.shots {
		boards := make([]int, shot.boards)
		for i := range boards {
			boards[i] = at + i
		}
		if err := s.b.Restore(boards, shot.data); err != nil {
			return err
		}
		at += shot.boards
	}
	var dst, src []int
	for i := r.sources; i < s.b.Config().Boards; i++ {
		dst, src = append(dst, i), append(src, i%r.sources)
	}
	if err := s.b.Clone(dst, src); err != nil {
		return err
	}
	if err := s.b.Mark(); err != nil {
		return err
	}
	if err := s.pass(nil); err != nil {
		return err
	}
	boards := s.b.Config().Boards
	for i := range r.sources {
		last := i + (boards-1-i)/r.sources*r.sources // the last copy of source i
		for _, b := range []int{i, last} {
			if s.b.Hash(b) != r.hashes[i] {
				return fmt.Errorf("board %d is not where the recorded orders led", b)
			}
		}
	}
	return nil
}

// pass plays the turns from where the boards are. after, if not nil, is called
// after each.
func (s *side) pass(after func(turn int)) error {
	for k := range s.actions {
		if err := s.b.Step(s.actions[k]); err != nil {
			return err
		}
		if after != nil {
			after(k)
		}
	}
	return nil
}

// warm plays one turn from the mark.
func (s *side) warm() error {
	if err := s.b.Rewind(); err != nil {
		return err
	}
	return s.b.Step(s.actions[0])
}

// inputBytes is what a step reads of the actions of one turn.
func (s *side) inputBytes(turn int) int {
	a := &s.actions[turn]
	return len(a.Uint8) + 4*len(a.Int32) + 4*len(a.Float32)
}

// outputBytes is what a step writes to arrays, all boards together.
func (s *side) outputBytes() int {
	n := 0
	for _, name := range s.b.Names() {
		n += len(s.b.Array(name).Data)
	}
	return n
}

// time plays a pass from the mark.
func (s *side) time() (time.Duration, error) {
	begin := time.Now()
	err := s.pass(nil)
	return time.Since(begin), err
}
