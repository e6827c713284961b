// Work on whole datasets: generating, converting, merging, splitting, verifying,
// counting. It goes on in a goroutine of its own while callers wait as long as
// they like.

package abi

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/myriant-rl/myriant/datasets"
)

// taskJSON is the form of the options of a task.
type taskJSON struct {
	Do        string   `json:"do"`
	From      []string `json:"from"` // folders of the datasets that are read
	AnyEngine bool     `json:"any_engine"`
	Out       string   `json:"out"`
	Rest      string   `json:"rest"` // of split: the other folder
	Kind      string   `json:"kind"`
	Format    string   `json:"format"`
	ShardSize int64    `json:"shard_size"`
	Seed      uint64   `json:"seed"` // of generate, split
	Fraction  float64  `json:"fraction"`
	Workers   int      `json:"workers"`

	// Of generate.
	Game            string            `json:"game"`
	Rules           json.RawMessage   `json:"rules"`
	Maps            []json.RawMessage `json:"maps"`
	Policies        []string          `json:"policies"`
	Episodes        int               `json:"episodes"`
	First           int               `json:"first"`
	CheckpointEvery int               `json:"checkpoint_every"`
	Resume          bool              `json:"resume"`
}

// progressJSON is how far a task is.
type progressJSON struct {
	Episodes int   `json:"episodes"`
	Total    int   `json:"total"`
	Turns    int64 `json:"turns,omitempty"` // played
	Bytes    int64 `json:"bytes,omitempty"` // written
}

// A task is work that is under way, or has ended.
type task struct {
	stop  context.CancelFunc
	ended chan struct{}

	mu     sync.Mutex
	at     progressJSON
	result any
	err    error
}

func (t *task) tell(p progressJSON) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at = p
}

func (t *task) moved(m datasets.Moved) { t.tell(progressJSON{Episodes: m.Episodes, Total: m.Total}) }

// tasks are what can be done.
var tasks = map[string]func(ctx context.Context, j *taskJSON, from []*datasets.Dataset, t *task) (any, error){
	"generate": func(ctx context.Context, j *taskJSON, _ []*datasets.Dataset, t *task) (any, error) {
		o, err := j.generate()
		if err != nil {
			return nil, err
		}
		return datasets.Generate(ctx, o, func(p datasets.Progress) {
			t.tell(progressJSON{Episodes: p.Episodes, Total: p.Total, Turns: p.Turns, Bytes: p.Bytes})
		})
	},
	"convert": func(ctx context.Context, j *taskJSON, from []*datasets.Dataset, t *task) (any, error) {
		return datasets.Convert(ctx, from[0], j.transform(), t.moved)
	},
	"merge": func(ctx context.Context, j *taskJSON, from []*datasets.Dataset, t *task) (any, error) {
		return datasets.Merge(ctx, from, j.transform(), t.moved)
	},
	"split": func(ctx context.Context, j *taskJSON, from []*datasets.Dataset, t *task) (any, error) {
		in, out, err := datasets.Split(ctx, from[0], j.transform(), j.Rest, j.Seed, j.Fraction, t.moved)
		return []*datasets.Transformed{in, out}, err
	},
	"verify": func(ctx context.Context, j *taskJSON, from []*datasets.Dataset, t *task) (any, error) {
		return from[0].Verify(ctx, datasets.VerifyOptions{Workers: j.Workers}, func(v datasets.Verification) {
			t.tell(progressJSON{Episodes: v.Episodes, Total: from[0].Len(), Turns: v.Turns})
		})
	},
	"stats": func(ctx context.Context, j *taskJSON, from []*datasets.Dataset, t *task) (any, error) {
		return from[0].Stats(ctx, datasets.VerifyOptions{Workers: j.Workers}, t.moved)
	},
}

// generate are the options of generating.
func (j *taskJSON) generate() (datasets.Options, error) {
	o := datasets.Options{
		Out: j.Out, Policies: j.Policies, Episodes: j.Episodes, First: j.First, Seed: j.Seed, Kind: datasets.Kind(j.Kind), Format: j.Format,
		ShardSize: j.ShardSize, CheckpointEvery: j.CheckpointEvery, Workers: j.Workers, Resume: j.Resume,
	}
	g, err := findGame(j.Game)
	if err != nil {
		return o, err
	}
	r, err := g.parseRules(j.Rules)
	if err != nil {
		return o, err
	}
	for _, name := range j.Policies {
		if !slices.ContainsFunc(g.policies, func(p label) bool { return p.Name == name }) {
			return o, badConfig("no policy %q (have %s)", name, g.policyNames())
		}
	}
	o.Game, o.Rules = g.name, r.json
	o.Maps, err = g.parseMaps(j.Maps, r)
	return o, err
}

func (j *taskJSON) transform() datasets.TransformOptions {
	return datasets.TransformOptions{Out: j.Out, Kind: datasets.Kind(j.Kind), Format: j.Format, ShardSize: j.ShardSize}
}

// TaskBegin begins a task.
func (l *Library) TaskBegin(options []byte, out *uint64) (Status, string) {
	return guarded(func() error {
		if out == nil {
			return argument("task is null")
		}
		var j taskJSON
		if err := decodeStrict(options, &j); err != nil {
			return badConfig("options: %v", err)
		}
		do := tasks[j.Do]
		if do == nil {
			return badConfig("nothing to do: %.40q (have convert, generate, merge, split, stats, verify)", j.Do)
		}
		if most := len(j.From); j.Do == "generate" && most > 0 || j.Do != "generate" && most == 0 || j.Do != "merge" && most > 1 {
			return badConfig("%s from %d datasets", j.Do, most)
		}
		var from []*datasets.Dataset
		for _, dir := range j.From {
			d, err := datasets.Open(dir, datasets.OpenOptions{AnyEngine: j.AnyEngine})
			if err != nil {
				return err
			}
			from = append(from, d)
		}
		ctx, stop := context.WithCancel(context.Background())
		t := &task{stop: stop, ended: make(chan struct{})}
		go func() {
			defer close(t.ended)
			var result any
			status, reason := guarded(func() (err error) {
				result, err = do(ctx, &j, from, t)
				return err
			})
			t.mu.Lock()
			defer t.mu.Unlock()
			if t.result = result; status != OK {
				t.err = &failure{status, reason}
			}
		}()
		*out = l.number(func(id uint64) { l.tasks[id] = t })
		return nil
	})
}

// taskToldJSON is what is told of a task.
type taskToldJSON struct {
	Done     bool         `json:"done"`
	Progress progressJSON `json:"progress"`
	Result   any          `json:"result,omitempty"`
}

// TaskWait waits for the end of a task, so many milliseconds at most, and tells
// how it stands.
func (l *Library) TaskWait(id uint64, milliseconds int64, out *Bytes) (Status, string) {
	return guarded(func() error {
		if out == nil || milliseconds < 0 {
			return argument("out is null, or %d milliseconds", milliseconds)
		}
		l.mu.Lock()
		t := l.tasks[id]
		var err error
		if t == nil {
			err = l.missing(id, "task")
		}
		l.mu.Unlock()
		if err != nil {
			return err
		}
		done := false
		select {
		case <-t.ended:
			done = true
		case <-time.After(time.Duration(min(milliseconds, 1<<40)) * time.Millisecond):
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if done && t.err != nil {
			return t.err
		}
		told := taskToldJSON{Done: done, Progress: t.at}
		if done {
			told.Result = t.result
		}
		*out = l.Memory.give(encode(told))
		return nil
	})
}

// close ends a task early: what it wrote is a dataset of whole files.
func (t *task) close() {
	t.stop()
	<-t.ended
}
