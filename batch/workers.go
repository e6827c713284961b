package batch

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A crew is the goroutines that work on shards. The first of them is the
// caller's own, so that a batch of one worker never switches.
type crew struct {
	work []chan job
	wg   sync.WaitGroup
	left atomic.Int32 // hands that wg waits for
	down []any        // what a worker panicked with
	room int32        // for hands: processors
	has  atomic.Int32 // hands that busy counts
}

// A job is a phase of what a batch does. Hand i of n does the work of workers i,
// i+n, i+2n, ..; more tells that another phase follows at once.
type job struct {
	f    func(worker int)
	n    int
	more bool
	at   time.Time // handed out
}

// busy counts the hands of all crews that are in a phase. No crew takes more than
// there are processors left: to hand work to a goroutine that has to wait for a
// processor takes longer than to do it.
var busy atomic.Int32

// To wake a thread takes as long as a short phase, or a few, so those who wait look
// first: within a step as long as patience, and for the next step twice as long as
// the last one took, from a quarter of patience to four times patience. That fails for
// a caller that does much else between steps, and has its processors for that: after a
// few times they look only as long as curiosity, until a step comes sooner again.
// They do not look while more hands are busy than there are processors, for they
// would keep what they look for from being done.
const (
	patience  = time.Millisecond
	curiosity = 50 * time.Microsecond
	few       = 4
)

// newCrew is a crew of so many workers, for so many processors.
func newCrew(workers, processors int) *crew {
	c := &crew{work: make([]chan job, workers), down: make([]any, workers), room: int32(processors)}
	for w := 1; w < workers; w++ {
		c.work[w] = make(chan job, 1)
		go c.serve(w)
	}
	return c
}

func (c *crew) serve(i int) {
	work, wait, longest := c.work[i], curiosity, patience
	var begin, end time.Time // of the step
	hands := 1               // that look, of this crew
	late := 0                // steps in a row that came when nobody looked any more
	for goesOn := false; ; {
		c.watch(hands, wait, func() bool { return len(work) > 0 })
		j, ok := <-work
		if !ok {
			return
		}
		if !goesOn {
			begin = time.Now()
			if late++; j.at.Sub(end) <= longest {
				late = 0
			}
		}
		c.call(j, i)
		if goesOn = j.more; goesOn {
			hands, wait = j.n, patience
			continue
		}
		end, hands = time.Now(), 1
		longest = min(max(2*end.Sub(begin), patience/4), 4*patience)
		if wait = longest; late >= few {
			wait = curiosity
		}
	}
}

// watch looks for what is waited for, not longer than told. So many of the
// crew's hands do.
func (c *crew) watch(hands int, wait time.Duration, ready func() bool) {
	for begin := time.Now(); ; {
		crowded := busy.Load()-c.has.Load()+int32(hands) > c.room
		for range 64 {
			if ready() {
				return
			}
		}
		if crowded || time.Since(begin) > wait {
			return
		}
	}
}

// call does a hand's part of a job.
func (c *crew) call(j job, hand int) {
	w := hand
	defer c.wg.Done()
	defer c.left.Add(-1)
	defer func() {
		if p := recover(); p != nil {
			c.down[w] = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	for ; w < len(c.work); w += j.n {
		j.f(w)
	}
}

// run calls f once for every worker and returns when all are done. more tells
// that it will be called again at once. A panic of any becomes a panic of the
// caller.
func (c *crew) run(f func(worker int), more bool) {
	n := int32(len(c.work))
	if n == 1 {
		busy.Add(1)
		defer busy.Add(-1)
		f(0)
		return
	}
	n = min(n, max(1, c.room-busy.Load()))
	c.wg.Add(int(n))
	c.left.Store(n)
	j := job{f, int(n), more, time.Now()}
	for i := range n - 1 {
		c.work[i+1] <- j
	}
	c.has.Store(n)
	busy.Add(n)
	c.call(j, 0)
	c.watch(int(n), patience, func() bool { return c.left.Load() == 0 })
	c.wg.Wait()
	busy.Add(-n)
	c.has.Store(0)
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
