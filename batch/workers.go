package batch

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// A crew is the goroutines that work on shards. Worker 0 is the caller's own
// goroutine, so that a batch of one worker never switches.
type crew struct {
	work []chan func(worker int)
	wg   sync.WaitGroup
	down []any // what a worker panicked with
}

func newCrew(workers int) *crew {
	c := &crew{work: make([]chan func(int), workers), down: make([]any, workers)}
	for w := 1; w < workers; w++ {
		c.work[w] = make(chan func(int), 1)
		go c.serve(w)
	}
	return c
}

func (c *crew) serve(w int) {
	for f := range c.work[w] {
		c.call(f, w)
	}
}

func (c *crew) call(f func(int), w int) {
	defer c.wg.Done()
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
	for w := 1; w < len(c.work); w++ {
		c.work[w] <- f
	}
	c.call(f, 0)
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
