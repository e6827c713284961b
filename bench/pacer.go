package bench

import (
	"context"
	"fmt"
	"time"
)

// A Pacer plays workloads when it is told to, for programs that reach the
// engine in another way and measure both in turns, a pass of each at a time.
// It is not safe for concurrent use. Close it when done.
type Pacer struct {
	Recorded []Recorded // what the workloads are
	sides    map[string]*side
}

// NewPacer records workloads and sets their boards up for the first of the
// options' numbers of workers. Errors wrap ErrOptions or are the context's.
func NewPacer(ctx context.Context, o Options) (*Pacer, error) {
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	scenes, err := p.record(ctx)
	if err != nil {
		return nil, err
	}
	x := &Pacer{sides: map[string]*side{}}
	for i := range p.workloads {
		w := &p.workloads[i]
		r := scenes[w.Scene]
		d, err := describe(w, r)
		if err != nil {
			x.Close()
			return nil, err
		}
		script := r.script(w.Boards)
		s, err := newSide(w, r, w.Boards, p.Workers[0], &script)
		if err != nil {
			x.Close()
			return nil, err
		}
		x.Recorded, x.sides[w.Name] = append(x.Recorded, d), s
	}
	p.progress(1, "")
	return x, nil
}

// Pass plays the recorded turns of a workload from the start; nanoseconds a
// board and turn of the second half: other programs had the processors before, which
// come back slowly. The error of a name that is not there wraps ErrOptions.
func (x *Pacer) Pass(name string) (float64, error) {
	s := x.sides[name]
	if s == nil {
		return 0, fmt.Errorf("%w: no workload %q is set up", ErrOptions, name)
	}
	if err := s.b.Rewind(); err != nil {
		return 0, err
	}
	var begin time.Time
	err := s.pass(func(turn int) {
		if turn == Turns/2-1 {
			begin = time.Now()
		}
	})
	return float64(time.Since(begin)) / float64(Turns/2*s.b.Config().Boards), err
}

// Close ends the workloads' batches.
func (x *Pacer) Close() {
	for _, s := range x.sides {
		s.b.Close()
	}
}
