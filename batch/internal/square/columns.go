package square

import "github.com/myriant-rl/myriant/batch/internal/kernel"

// columns lists every field that the future of a board depends on, and its
// statistics. The reward is not among them: it is of the last turn only.
func (e *Engine) columns() (all kernel.Columns) {
	kernel.AddColumns(&all, e.stride, e.words)
	kernel.AddColumns(&all, e.pendingCap, e.pending)
	kernel.AddColumns(&all, e.maxSets, e.order)
	kernel.AddColumns(&all, 1, e.turn, e.holder, e.count, e.foodCount, e.rate, e.period, e.cursor, e.price, e.pendingLen)
	kernel.AddColumns(&all, 1, e.extra, e.rotation, e.ordered)
	kernel.AddColumns(&all, 1, e.seed)
	kernel.AddColumns(&all, 1, e.tie)
	kernel.AddColumns(&all, 1, e.ending)
	kernel.AddColumns(&all, 1, e.started)
	kernel.AddColumns(&all, e.p, e.ants, e.hive, e.score, e.razed, e.gathered, e.kills, e.losses)
	kernel.AddColumns(&all, e.p, e.returns)
	kernel.AddColumns(&all, e.p, e.out)
	kernel.AddColumns(&all, e.h, e.touched)
	kernel.AddColumns(&all, e.h, e.fallen)
	return all
}

// CopyBoard makes board dst the same as board src, which is on the same map.
func (e *Engine) CopyBoard(dst, src int) { e.all.Copy(dst, src) }

// Mark remembers every board as it is; Rewind goes back to it.
func (e *Engine) Mark() { e.all.Mark() }

// Rewind puts every board back to where Mark was called last. It panics before
// the first Mark.
func (e *Engine) Rewind() { e.all.Rewind() }

// BoardBytes is the memory of one board: its columns, who plays it, its map
// and the rewards of its last turn.
func (e *Engine) BoardBytes() int { return e.p + 4 + 4*e.p + e.all.Bytes() }
