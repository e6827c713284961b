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
func (r *recording) script(boards int) [Turns][]byte {
	var script [Turns][]byte
	for k := range script {
		for b := range boards {
			script[k] = append(script[k], r.orders[k][b%r.sources]...)
		}
	}
	return script
}

// newSide sets boards up at the scene's turn, marks them, plays a pass, and
// holds what it leads to to the recording. Close its batch when done.
func newSide(w *Workload, r *recording, boards, workers int, script *[Turns][]byte) (*side, error) {
	sc := r.scene
	cfg := batch.Config{
		Game: sc.Game, Rules: sc.Rules, Maps: []env.Map{r.m}, Boards: boards, Workers: workers,
		Observe: seats(r.m), Autoreset: batch.Disabled,
	}
	s := &side{}
	if w.Native {
		cfg.Policies = sc.policies(r.m)
	} else {
		for k := range s.actions {
			s.actions[k] = batch.Actions{Head: sc.Head, Uint8: script[k]}
		}
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
