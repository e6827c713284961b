// Datasets made from datasets: in another kind or format, from parts, or in two
// parts for training and validation.

package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/myriant-rl/myriant/env"
)

// TransformOptions say how a dataset is written that is made from others. Zero
// values are those of the first source, but for the size of shards when the
// kind is another: then it is the kind's default.
type TransformOptions struct {
	Out       string
	Kind      Kind
	Format    string
	ShardSize int64 // raw bytes of the rows of a shard
}

// A Transformed is what was written.
type Transformed struct {
	Out      string `json:"out"`
	Kind     Kind   `json:"kind"`
	Format   string `json:"file_format"`
	Complete bool   `json:"complete"`
	Episodes int    `json:"episodes"`
	Turns    int64  `json:"turns"`
	Rows     int64  `json:"rows"`
	Shards   int    `json:"shards"`
	Bytes    int64  `json:"bytes"` // of the shards
}

// Moved is how far a transformation is.
type Moved struct{ Episodes, Total int }

// An output is a dataset that is being made from others.
type output struct {
	m       *Manifest
	w       *shardWriter
	out     string
	release func()
}

// open begins to write what the plan says.
func (p *plan) open(d disk) (*output, error) {
	if err := makeDir(d, p.Out); err != nil {
		return nil, err
	}
	release, err := lockDir(p.Out)
	if err != nil {
		return nil, err
	}
	o := &output{out: p.Out, release: release}
	if o.m, _, err = p.start(d); err == nil {
		o.w, err = newShardWriter(d, p.Out, o.m, p.group)
	}
	if err != nil {
		release()
		return nil, err
	}
	return o, nil
}

// end completes the dataset, unless there was an error.
func (o *output) end(err error) error {
	defer o.release()
	if err == nil {
		err = o.w.close()
	}
	o.w.abandon()
	if err == nil && o.m.Seeds.EpisodeSeed == recordedPlan && !o.m.Complete {
		// What was recorded has as many episodes as there were.
		o.m.Episodes, o.m.Complete = o.m.written(), true
		err = o.m.write(o.w.disk, o.out)
	}
	return err
}

func (o *output) transformed() *Transformed {
	t := &Transformed{Out: o.out, Kind: o.m.Kind, Format: o.m.FileFormat, Complete: o.m.Complete, Episodes: o.m.written(), Shards: len(o.m.Shards)}
	for i := range o.m.Shards {
		t.Turns += o.m.Shards[i].Turns
		t.Rows += int64(o.m.Shards[i].Rows)
		t.Bytes += o.m.Shards[i].Bytes
	}
	return t
}

// again is the plan that made a dataset.
func (d *Dataset) again(o TransformOptions) (*plan, error) {
	m := d.manifest
	opts := Options{
		Out: o.Out, Game: m.Game, Rules: d.rules, Policies: m.Policies.Names, Episodes: m.Episodes, First: m.First,
		Seed: uint64(m.Seeds.Seed), Kind: o.Kind, Format: o.Format, ShardSize: o.ShardSize, CheckpointEvery: m.CheckpointEvery,
	}
	if opts.Kind == "" {
		opts.Kind = m.Kind
	}
	if opts.Format == "" {
		opts.Format = m.FileFormat
	}
	if opts.ShardSize == 0 && opts.Kind == m.Kind {
		opts.ShardSize = m.ShardSize
	}
	for _, e := range m.Maps {
		mp, err := d.Map(e.Digest)
		if err != nil {
			return nil, err
		}
		opts.Maps = append(opts.Maps, mp)
	}
	p, err := opts.plan()
	if err != nil {
		return nil, err
	}
	p.recorded = m.Seeds.EpisodeSeed == recordedPlan
	return p, nil
}

// unplanned makes a plan one of up to n episodes that come from elsewhere.
func (p *plan) unplanned() {
	p.recorded, p.First, p.Seed, p.Episodes = true, 0, 0, math.MaxInt32
}

// Convert writes a dataset in another kind or format. Both kinds hold the same,
// so that converting back gives the same bytes. The context ends it early; what
// is there then is a readable dataset. Errors wrap ErrOptions, ErrExists,
// ErrCorrupt, ErrReplay, or are the context's or the file system's.
func Convert(ctx context.Context, d *Dataset, o TransformOptions, progress func(Moved)) (*Transformed, error) {
	p, err := d.again(o)
	if err != nil {
		return nil, err
	}
	out, err := p.open(osDisk{})
	if err != nil {
		return nil, err
	}
	return out.fill(ctx, []*Dataset{d}, false, progress)
}

// fill writes the episodes of datasets, one after the other.
func (o *output) fill(ctx context.Context, from []*Dataset, renumber bool, progress func(Moved)) (*Transformed, error) {
	now := Moved{}
	for _, d := range from {
		now.Total += d.Len()
	}
	var err error
	for _, d := range from {
		for e, fail := range d.each(ctx) {
			if err = fail; err != nil {
				break
			}
			if renumber {
				e = e.numbered(now.Episodes)
			}
			if err = o.w.write(e); err != nil {
				break
			}
			now.Episodes++
			if progress != nil {
				progress(now)
			}
		}
		if err != nil {
			break
		}
	}
	if err := o.end(err); err != nil {
		return nil, err
	}
	return o.transformed(), nil
}

// each is Episodes until the context ends.
func (d *Dataset) each(ctx context.Context) iter.Seq2[*Episode, error] {
	return func(yield func(*Episode, error) bool) {
		for e, err := range d.Episodes() {
			if ctx.Err() != nil {
				yield(nil, context.Cause(ctx))
				return
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// numbered is the episode with another number.
func (e *Episode) numbered(id int) *Episode {
	n := *e
	n.ID = uint64(id)
	return &n
}

// Merge writes several datasets as one. The parts of one dataset, in any order,
// give the bytes that it has undivided. Otherwise the episodes are numbered
// anew, in the order of the sources, and the manifest has no seed plan; rule
// set and checkpoints must be alike. Errors are as of Convert.
func Merge(ctx context.Context, from []*Dataset, o TransformOptions, progress func(Moved)) (*Transformed, error) {
	if len(from) == 0 {
		return nil, fmt.Errorf("%w: nothing to merge", ErrOptions)
	}
	p, err := from[0].again(o)
	if err != nil {
		return nil, err
	}
	parts := inOrder(from)
	if parts != nil {
		from = parts
		p.First, p.Episodes = from[0].manifest.First, 0
		for _, d := range from {
			p.Episodes += d.manifest.Episodes
		}
	} else {
		p.unplanned()
		p.Policies, p.Maps = slices.Clone(p.Policies), nil
		seen := map[string]bool{}
		for _, d := range from {
			if diff := from[0].foreign(d); diff != "" {
				return nil, fmt.Errorf("%w: %s and %s do not go together: %s", ErrOptions, from[0].dir, d.dir, diff)
			}
			p.Policies = distinct(append(p.Policies, d.manifest.Policies.Names...))
			for _, e := range d.manifest.Maps {
				if seen[e.Digest] {
					continue
				}
				seen[e.Digest] = true
				m, err := d.Map(e.Digest)
				if err != nil {
					return nil, err
				}
				p.Maps = append(p.Maps, m)
			}
		}
	}
	out, err := p.open(osDisk{})
	if err != nil {
		return nil, err
	}
	return out.fill(ctx, from, parts == nil, progress)
}

// inOrder sorts the whole parts of one dataset that follow each other; nil when
// the datasets are no such parts.
func inOrder(from []*Dataset) []*Dataset {
	parts := slices.Clone(from)
	slices.SortStableFunc(parts, func(a, b *Dataset) int { return a.manifest.First - b.manifest.First })
	for i, d := range parts {
		m := *d.manifest
		if m.Seeds.EpisodeSeed == recordedPlan || i < len(parts)-1 && !m.Complete {
			return nil
		}
		first := *parts[0].manifest
		if i > 0 && m.First != parts[i-1].manifest.First+parts[i-1].manifest.Episodes {
			return nil
		}
		m.First, m.Episodes, m.Kind, m.FileFormat, m.Schema, m.ShardSize = first.First, first.Episodes, first.Kind, first.FileFormat, first.Schema, first.ShardSize
		if m.difference(&first) != "" {
			return nil
		}
	}
	return parts
}

// foreign says why the episodes of another dataset cannot be in one with this
// one's; "" when they can.
func (d *Dataset) foreign(o *Dataset) string {
	a, b := d.manifest, o.manifest
	switch {
	case a.Game != b.Game:
		return fmt.Sprintf("games %s and %s", a.Game, b.Game)
	case d.rules != o.rules:
		return "other rules"
	case a.Engine.Signature != b.Engine.Signature:
		return "other engines"
	case a.CheckpointEvery != b.CheckpointEvery:
		return fmt.Sprintf("a checkpoint every %d and every %d steps", a.CheckpointEvery, b.CheckpointEvery)
	}
	return ""
}

const splitStream = 0x44415441_53504C54

// InSplit tells on which side of a split an episode is: true with the given
// probability, by a hash of the seed and of what the episode is, not of its
// number. So equal episodes are on one side, and an episode stays on its side
// when others are added.
func InSplit(e *Episode, seed uint64, fraction float64) bool {
	return float64(env.Derive(seed, splitStream, e.Seed, e.FinalHash)>>11)/(1<<53) < fraction
}

// Split writes a dataset's episodes to two folders: to Out those that InSplit
// tells, some fraction, and the others to rest. Episodes are numbered anew and
// the manifests have no seed plan. Errors are as of Convert; ErrOptions also
// when a side has no episode.
func Split(ctx context.Context, d *Dataset, o TransformOptions, rest string, seed uint64, fraction float64, progress func(Moved)) (in, out *Transformed, err error) {
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("%w: a fraction of %g, want one between 0 and 1", ErrOptions, fraction)
	}
	var sides [2]*output
	for i, dir := range []string{o.Out, rest} {
		to := o
		to.Out = dir
		p, err := d.again(to)
		if err == nil {
			p.unplanned()
			sides[i], err = p.open(osDisk{})
		}
		if err != nil {
			if i > 0 {
				err = errors.Join(err, sides[0].drop())
			}
			return nil, nil, err
		}
	}
	now := Moved{Total: d.Len()}
	var counts [2]int
	for e, fail := range d.each(ctx) {
		if err = fail; err != nil {
			break
		}
		side := 1
		if InSplit(e, seed, fraction) {
			side = 0
		}
		if err = sides[side].w.write(e.numbered(counts[side])); err != nil {
			break
		}
		counts[side]++
		now.Episodes++
		if progress != nil {
			progress(now)
		}
	}
	if err == nil && (counts[0] == 0 || counts[1] == 0) {
		err = fmt.Errorf("%w: %d and %d episodes; a side would be empty", ErrOptions, counts[0], counts[1])
		return nil, nil, errors.Join(err, sides[0].drop(), sides[1].drop())
	}
	if err := errors.Join(sides[0].end(err), sides[1].end(err)); err != nil {
		return nil, nil, err
	}
	return sides[0].transformed(), sides[1].transformed(), nil
}

// drop ends the writing and takes back what open wrote.
func (o *output) drop() error {
	defer o.release()
	o.w.abandon()
	err := o.m.removeShards(o.w.disk, o.out)
	return errors.Join(err, o.m.remove(o.w.disk, o.out))
}
