package batch

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A crew is the goroutines that work on shards. Worker 0 is the caller's own
// goroutine, so that a batch of one worker never switches.
type crew struct {
	work []chan job
	wg   sync.WaitGroup
	left atomic.Int32 // workers that wg waits for
	down []any        // what a worker panicked with
	keen bool         // a processor for each worker: who waits may look for work
}

// A job is a phase of what a batch does; more tells that another follows at
// once.
type job struct {
	f    func(worker int)
	more bool
}

// To wake a thread takes as long as a short phase, so those who wait look first:
// within a step as long as patience, and for the next step as long as the last
// one took, from curiosity to twice patience. So they never waste more of a
// processor than they used. Without a processor for each they would keep those
// that they wait for from working.
const (
	patience  = time.Millisecond
	curiosity = 50 * time.Microsecond
)

func newCrew(workers int) *crew {
	c := &crew{work: make([]chan job, workers), down: make([]any, workers), keen: workers <= runtime.GOMAXPROCS(0)}
	for w := 1; w < workers; w++ {
		c.work[w] = make(chan job, 1)
		go c.serve(w)
	}
	return c
}

func (c *crew) serve(w int) {
	work, wait := c.work[w], curiosity
	var begin time.Time // of the step
	for goesOn := false; ; {
		c.watch(wait, func() bool { return len(work) > 0 })
		j, ok := <-work
		if !ok {
			return
		}
		if !goesOn {
			begin = time.Now()
		}
		c.call(j.f, w)
		if goesOn = j.more; goesOn {
			wait = patience
		} else {
			wait = min(max(time.Since(begin), curiosity), 2*patience)
		}
	}
}

// watch looks for what is waited for, not longer than told.
func (c *crew) watch(wait time.Duration, ready func() bool) {
	if !c.keen {
		return
	}
	for begin := time.Now(); ; {
		for range 64 {
			if ready() {
				return
			}
		}
		if time.Since(begin) > wait {
			return
		}
	}
}

func (c *crew) call(f func(int), w int) {
	defer c.wg.Done()
	defer c.left.Add(-1)
	defer func() {
		if p := recover(); p != nil {
			c.down[w] = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	f(w)
}

// run calls f once for every worker and returns when all are done. more tells
// that it will be called again at once. A panic of any becomes a panic of the
// caller.
func (c *crew) run(f func(worker int), more bool) {
	if len(c.work) == 1 {
		f(0)
		return
	}
	c.wg.Add(len(c.work))
	c.left.Store(int32(len(c.work)))
	for w := 1; w < len(c.work); w++ {
		c.work[w] <- job{f, more}
	}
	c.call(f, 0)
	c.watch(patience, func() bool { return c.left.Load() == 0 })
	c.wg.Wait()
	for _, p := range c.down {
		if p != nil {
			clear(c.down)
			panic(p)
		}
	}
}

// dismiss ends the goroutines.
func (c *crew) dismiss() {
	for w := 1; w < len(c.work); w++ {
		close(c.work[w])
	}
}
