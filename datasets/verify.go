package datasets

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// VerifyOptions say how fast Verify checks, never what.
type VerifyOptions struct {
	Workers int // 0: GOMAXPROCS
	Boards  int // boards played at once, 0 for a default
}

// A Verification is what Verify has checked.
type Verification struct {
	Complete bool    `json:"complete"` // the dataset has all its episodes
	Shards   int     `json:"shards"`
	Episodes int     `json:"episodes"`
	Turns    int64   `json:"turns"`
	Bytes    int64   `json:"bytes"`
	Seconds  float64 `json:"seconds"`
}

// Verify checks everything that a dataset says: hashes of shards and maps, the
// form of every row, that seeds and maps follow the seed plan, and, playing
// every episode again, its orders, checkpoints and outcome, and of kind steps
// every row. progress, which may
// be nil, is told the episodes checked so far. Errors wrap ErrCorrupt,
// ErrReplay, or are the context's or the file system's; the first one ends it.
func (d *Dataset) Verify(ctx context.Context, o VerifyOptions, progress func(Verification)) (*Verification, error) {
	begun := time.Now()
	v := &Verification{Complete: d.manifest.Complete, Shards: len(d.manifest.Shards)}
	for i := range d.manifest.Shards {
		v.Bytes += d.manifest.Shards[i].Bytes
	}
	told := begun
	var sim *simulator
	if d.manifest.Kind == Steps {
		var err error
		if sim, err = d.newSimulator(); err != nil {
			return v, err
		}
		defer sim.close()
	}
	planned := func(yield func(*Episode, error) bool) {
		for e, err := range d.Episodes() {
			if err == nil && sim != nil {
				err = d.compareRows(sim, e)
			}
			if err == nil {
				err = d.checkPlan(e)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
	err := d.replay(ctx, planned, o.Workers, o.Boards, watch{}, func(e *Episode) {
		v.Episodes++
		v.Turns += int64(e.Turns)
		if progress != nil && time.Since(told) >= progressEvery {
			told = time.Now()
			v.Seconds = time.Since(begun).Seconds()
			progress(*v)
		}
	})
	v.Seconds = time.Since(begun).Seconds()
	if err != nil {
		return v, err
	}
	if v.Episodes != d.Len() {
		return v, fmt.Errorf("%w: %d of %d episodes were read", ErrCorrupt, v.Episodes, d.Len())
	}
	if progress != nil {
		progress(*v)
	}
	return v, nil
}

// compareRows holds an episode's rows to those that playing it gives.
func (d *Dataset) compareRows(sim *simulator, e *Episode) error {
	want := sim.layout.rows()
	at := 0 // rows compared
	next, stop := iter.Pull(func(yield func(*Rows) bool) {
		// pieces hands its own errors out to the one who reads e.
		_ = d.pieces(int(e.ID)-d.manifest.First, func(r *Rows) error {
			if !yield(r) {
				return errEnough
			}
			return nil
		})
	})
	defer stop()
	differ := func(column string) error {
		return fmt.Errorf("%s: episode %d: %w: row %d or one soon after differs in column %s", d.shardOf(e.ID), e.ID, ErrReplay, at, column)
	}
	piece, ok := next()
	err := sim.play(e, want, func() error {
		for want.Len() > 0 && ok {
			n := min(want.Len(), piece.Len())
			if column := sameRows(want.Slice(0, n), piece.Slice(0, n)); column != "" {
				return differ(column)
			}
			at += n
			rest := sim.layout.rows()
			rest.Append(want, n, want.Len())
			*want = *rest
			if piece = piece.Slice(n, piece.Len()); piece.Len() == 0 {
				piece, ok = next()
			}
		}
		return nil
	})
	if err == nil && (ok || want.Len() > 0) {
		err = differ("step")
	}
	return err
}

// checkPlan tells whether an episode is what the seed plan says, if there is
// one.
func (d *Dataset) checkPlan(e *Episode) error {
	m := d.manifest
	if m.Seeds.EpisodeSeed == recordedPlan {
		return nil
	}
	seed := uint64(m.Seeds.Seed)
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s: episode %d: %s", ErrCorrupt, d.shardOf(e.ID), e.ID, fmt.Sprintf(format, a...))
	}
	if want := episodeSeed(seed, e.ID); e.Seed != want {
		return bad("its seed is %d, by plan it is %d", e.Seed, want)
	}
	if want := m.Maps[episodeMap(seed, e.ID, len(m.Maps))].Digest; e.Map != want {
		return bad("its map is %s, by plan it is %s", e.Map, want)
	}
	for s, want := range seatPolicies(m.Policies.Names, len(e.Seats)) {
		if got := e.Seats[s].Policy; got != want {
			return bad("seat %d was played by %q, by plan by %q", s, got, want)
		}
	}
	return nil
}
