package abi

import (
	"github.com/myriant-rl/myriant/datasets"
)

// recordJSON is the form of the options of a recording.
type recordJSON struct {
	Out             string `json:"out"`
	Player          string `json:"player"`
	CheckpointEvery int    `json:"checkpoint_every"`
	ShardSize       int64  `json:"shard_size"`
	Kind            string `json:"kind"`
	Format          string `json:"format"`
	KeepOpen        bool   `json:"keep_open"`
}

// A recording is a dataset that is being written.
type recording struct {
	*datasets.Recording
	counts []uint64 // per board: resets that it knows of
}

// Record begins to record.
func (l *Library) Record(id uint64, options []byte) Status {
	return l.call(id, func(h *handle) error {
		var j recordJSON
		if err := decodeStrict(options, &j); err != nil {
			return badConfig("options: %v", err)
		}
		if h.rec != nil {
			return badConfig("a recording is under way")
		}
		c := h.b.Config()
		r, err := datasets.Record(datasets.RecordOptions{
			Out: j.Out, Game: c.Game, Rules: c.Rules, Maps: c.Maps, MapOf: c.MapOf, Policies: c.Policies, Player: j.Player,
			CheckpointEvery: j.CheckpointEvery, ShardSize: j.ShardSize, Workers: c.Workers,
			Kind: datasets.Kind(j.Kind), Format: j.Format, KeepOpen: j.KeepOpen,
		})
		if err != nil {
			return err
		}
		h.rec = &recording{r, make([]uint64, c.Boards)}
		for i := range h.rec.counts {
			_, h.rec.counts[i] = h.b.Begun(i)
		}
		h.b.Record(r)
		return nil
	})
}

// RecordStop ends a recording.
func (l *Library) RecordStop(id uint64, out *Bytes) Status {
	return l.call(id, func(h *handle) error {
		if h.rec == nil {
			return &failure{ErrIdle, "nothing is recorded"}
		}
		return h.stopRecording(out)
	})
}

// stopRecording ends a recording, if there is one, and gives its summary.
func (h *handle) stopRecording(out *Bytes) error {
	if h.rec == nil {
		return nil
	}
	r := h.rec
	h.rec = nil
	h.b.Record(nil)
	sum, err := r.Close()
	if err != nil {
		return &failure{ErrIO, err.Error()}
	}
	if out != nil {
		*out = h.lib.Memory.give(encode(sum))
	}
	return nil
}

// begun tells the recording of the boards that were reset.
func (h *handle) begun() {
	if h.rec == nil {
		return
	}
	for i := range h.rec.counts {
		if seed, n := h.b.Begun(i); n != h.rec.counts[i] {
			h.rec.counts[i] = n
			h.rec.Begin(i, seed)
		}
	}
}

// changed tells the recording of boards that were changed by no step.
func (h *handle) changed(boards ...int) {
	if h.rec == nil {
		return
	}
	for _, i := range boards {
		h.rec.Drop(i)
	}
}
