// Transitions in an order that is drawn. A pool holds places in blocks, and what
// is drawn is copied out of them once.

package datasets

import (
	"context"

	"github.com/myriant-rl/myriant/env"
)

// A drawn transition is row at of a block, which leads to the row a step later.
type drawn struct {
	from *mixed
	at   int32
}

// A mixed block is one whose transitions are in a pool.
type mixed struct {
	block
	all, left int // of its transitions
}

// sparse tells whether few of the block's transitions are left.
func (m *mixed) sparse() bool { return 4*m.left <= m.all }

// gather makes one block of transitions of another: their rows, and then those
// that they lead to.
func (l *layout) gather(list []drawn) *mixed {
	m := &mixed{block: block{rows: l.rows(), seats: len(list)}, all: len(list), left: len(list)}
	m.rows.draw(list, false)
	m.rows.draw(list, true)
	return m
}

// mix reads transitions through a pool of o.Buffer. Whenever that is full, about
// half of it is drawn.
func (d *Dataset) mix(ctx context.Context, l *layout, o *ReadOptions, yield func(*Transitions, error) bool) {
	rng := env.RNG(env.Derive(o.Seed, mixStream, uint64(o.Part)))
	pool := make([]drawn, 0, o.Buffer)
	var m *mixed // that comes in
	defer func() {
		for _, t := range pool {
			t.from.recycle()
		}
		if m != nil {
			m.recycle()
		}
	}()
	// drain draws n, in batches of which only the last of all may be smaller.
	drain := func(n int) bool {
		shuffle(&rng, pool)
		batch := o.Batch
		if batch == 0 {
			batch = n
		}
		if n < len(pool) {
			n = min(len(pool), (n+batch-1)/batch*batch)
		}
		out := pool[:n]
		for len(out) > 0 {
			k := min(batch, len(out))
			t := &Transitions{l.take(k, nil), l.take(k, nil)}
			t.Obs.draw(out[:k], false)
			t.Next.draw(out[:k], true)
			for i := range out[:k] {
				if m := out[i].from; m.left == 1 {
					m.recycle()
				} else {
					m.left--
				}
			}
			out = out[k:]
			pool = pool[k:]
			if !yield(t, nil) {
				return false
			}
		}
		pool = append(make([]drawn, 0, o.Buffer), pool...)
		// The last transitions of a block do not keep it.
		rest := map[*mixed][]int{}
		for i, t := range pool {
			if t.from != m && t.from.sparse() {
				rest[t.from] = append(rest[t.from], i)
			}
		}
		for from, places := range rest {
			list := make([]drawn, len(places))
			for i, at := range places {
				list[i] = pool[at]
			}
			few := l.gather(list)
			for i, at := range places {
				pool[at] = drawn{few, int32(i)}
			}
			from.recycle()
		}
		return true
	}
	for b := range d.blocks(ctx, o) {
		if b.err != nil {
			yield(nil, b.err)
			return
		}
		m = &mixed{block: b}
		var places []int32
		for i := range b.rows.Len() - b.seats {
			if seat := i % b.seats; !b.over[seat] {
				b.over[seat] = b.rows.ends(i)
				places = append(places, int32(i))
			}
		}
		if m.all, m.left = len(places), len(places); m.left == 0 {
			b.recycle()
		}
		for _, at := range places {
			pool = append(pool, drawn{m, at})
			if len(pool) == o.Buffer && !drain((o.Buffer+1)/2) {
				return
			}
		}
	}
	drain(len(pool))
}

// draw adds drawn rows, or those that they lead to.
func (r *Rows) draw(list []drawn, next bool) {
	for i := range r.Columns {
		c := &r.Columns[i]
		for _, t := range list {
			at := int(t.at)
			if next {
				at += t.from.seats
			}
			from := &t.from.rows.Columns[i]
			if c.List {
				c.Data = append(c.Data, from.Data[int(from.Offsets[at])*c.size:int(from.Offsets[at+1])*c.size]...)
				c.Offsets = append(c.Offsets, int32(len(c.Data)/c.size))
			} else {
				c.Data = append(c.Data, from.Data[at*c.size:(at+1)*c.size]...)
			}
		}
	}
	r.n += len(list)
}
