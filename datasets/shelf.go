// Reading ahead: several workers make the blocks of episodes, and one reader
// takes them in the order of the episodes.

package datasets

import "sync"

// aheadBytes bounds what lies on a shelf, but for one block of the episode that
// is being read and one in every worker's hands.
const aheadBytes = 16 << 20

// A shelf has a place for the blocks of each episode. It is safe for concurrent
// use; only one goroutine may call next.
type shelf struct {
	mu      sync.Mutex
	changed sync.Cond
	places  []place // of episodes from first on
	total   int
	most    int // episodes that may have been begun and not read
	first   int // the episode that is being read
	begun   int
	bytes   int64
	stopped bool
}

// A place is what an episode has on the shelf.
type place struct {
	blocks []block
	ended  bool
}

// newShelf makes a shelf for so many episodes.
func newShelf(total, most int) *shelf {
	s := &shelf{total: total, most: most}
	s.changed.L = &s.mu
	return s
}

// stop ends all calls: there is nothing to begin, to put or to read any more.
func (s *shelf) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.changed.Broadcast()
}

// begin is the next episode to make, false if there is none.
func (s *shelf) begin() (i int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped && s.begun < s.total && s.begun-s.first >= s.most {
		s.changed.Wait()
	}
	if s.stopped || s.begun == s.total {
		return 0, false
	}
	i = s.begun
	s.begun++
	s.places = append(s.places, place{})
	return i, true
}

// put adds a block of episode i. It waits while the shelf is full, unless the
// reader waits for this one. It is false if nobody wants it.
func (s *shelf) put(i int, b block) bool {
	size := int64(0)
	if b.rows != nil {
		size = b.rows.raw()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped && s.bytes > 0 && s.bytes+size > aheadBytes && (i > s.first || len(s.places[0].blocks) > 0) {
		s.changed.Wait()
	}
	if s.stopped {
		return false
	}
	p := &s.places[i-s.first]
	p.blocks = append(p.blocks, b)
	s.bytes += size
	s.changed.Broadcast()
	return true
}

// end says that episode i has no more blocks.
func (s *shelf) end(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.places[i-s.first].ended = true
	s.changed.Broadcast()
}

// next is the next block, false after the last.
func (s *shelf) next() (b block, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped && s.first < s.total {
		if len(s.places) > 0 {
			p := &s.places[0]
			if len(p.blocks) > 0 {
				b := p.blocks[0]
				p.blocks[0] = block{}
				p.blocks = p.blocks[1:]
				if b.rows != nil {
					s.bytes -= b.rows.raw()
				}
				s.changed.Broadcast()
				return b, true
			}
			if p.ended {
				s.places = s.places[1:]
				s.first++
				s.changed.Broadcast()
				continue
			}
		}
		s.changed.Wait()
	}
	return block{}, false
}

// clear gives the memory of what nobody has read back. No other call is under
// way or follows.
func (s *shelf) clear() {
	for _, p := range s.places {
		for i := range p.blocks {
			p.blocks[i].recycle()
		}
	}
	s.places = nil
}
