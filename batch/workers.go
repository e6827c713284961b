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
	work []chan func(worker int)
	wg   sync.WaitGroup
	left atomic.Int32 // workers that wg waits for
	down []any        // what a worker panicked with
	// patience is how long those who wait look before they sleep. A step is a few
	// phases, and to wake a thread takes as long as a short one.
	patience time.Duration
}

// patience is that of crews with a processor for each worker. Others have none:
// who looks keeps from working those that it waits for.
const patience = 50 * time.Microsecond

func newCrew(workers int) *crew {
	c := &crew{work: make([]chan func(int), workers), down: make([]any, workers)}
	if workers <= runtime.GOMAXPROCS(0) {
		c.patience = patience
	}
	for w := 1; w < workers; w++ {
		c.work[w] = make(chan func(int), 1)
		go c.serve(w)
	}
	return c
}

func (c *crew) serve(w int) {
	work := c.work[w]
	for {
		c.watch(func() bool { return len(work) > 0 })
		f, ok := <-work
		if !ok {
			return
		}
		c.call(f, w)
	}
}

// watch looks until there is what is waited for, or patience is at its end.
func (c *crew) watch(ready func() bool) {
	if c.patience == 0 {
		return
	}
	for begin := time.Now(); ; {
		for range 64 {
			if ready() {
				return
			}
		}
		if time.Since(begin) > c.patience {
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

// run calls f once for every worker and returns when all are done. A panic of
// any becomes a panic of the caller.
func (c *crew) run(f func(worker int)) {
	if len(c.work) == 1 {
		f(0)
		return
	}
	c.wg.Add(len(c.work))
	c.left.Store(int32(len(c.work)))
	for w := 1; w < len(c.work); w++ {
		c.work[w] <- f
	}
	c.call(f, 0)
	c.watch(func() bool { return c.left.Load() == 0 })
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
