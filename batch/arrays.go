package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/myriant-rl/myriant/batch/internal/kernel"
	"github.com/myriant-rl/myriant/env/obs"
)

// outputs is one set of arrays with the machinery of its ragged ones.
type outputs struct {
	arrays  map[string]*obs.Array
	names   []string // in the order of declaration
	ragged  []*obs.Array
	offsets *obs.Array // of the ragged arrays, exported or not
	counts  []int64
	handle  int
	lists   []kernel.Ragged // per worker
	stage   [][]*obs.Array  // per worker but the first, per ragged array
}

// newOutputs makes a set of arrays. Those that are exported have the memory
// that the configuration says.
func (b *Batch) newOutputs(names []string) (*outputs, error) {
	declared := b.k.Outputs()
	sizes := b.k.Sizes()
	o := &outputs{arrays: map[string]*obs.Array{}}
	b.outputs = append(b.outputs, o)
	for _, name := range names {
		if !slices.ContainsFunc(declared, func(f obs.Field) bool { return f.Name == name }) {
			have := make([]string, len(declared))
			for i, f := range declared {
				have[i] = f.Name
			}
			return nil, fmt.Errorf("%w: no array %q (have %s)", ErrConfig, name, strings.Join(have, ", "))
		}
	}
	sink := kernel.Sink{Arrays: o.arrays}
	var offsets obs.Field
	for _, f := range declared {
		if len(f.Shape) == 1 && f.Shape[0] == "O" {
			offsets = f
		}
		if !slices.Contains(names, f.Name) {
			continue
		}
		a, err := obs.NewArrayIn(b.cfg.Memory, f, sizes, 0)
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrConfig, err)
		}
		o.arrays[f.Name] = a
		o.names = append(o.names, f.Name)
		if f.Ragged() {
			o.ragged = append(o.ragged, a)
			sink.Ragged = append(sink.Ragged, f.Name)
		}
	}
	if offsets.Name != "" {
		if o.offsets = o.arrays[offsets.Name]; o.offsets == nil {
			a, err := obs.NewArray(offsets, sizes, 0)
			if err != nil {
				return nil, fmt.Errorf("%w: %v", ErrConfig, err)
			}
			o.offsets = a
		}
		o.counts = make([]int64, sizes["O"]-1)
		sink.Counts = o.counts
	}
	o.lists = make([]kernel.Ragged, b.cfg.Workers)
	o.stage = make([][]*obs.Array, b.cfg.Workers)
	for w := range o.lists {
		o.lists[w].Mem = make([][]byte, len(o.ragged))
		for i, a := range o.ragged {
			if w == 0 {
				continue
			}
			s, err := obs.NewArray(a.Field, sizes, 0)
			if err != nil {
				return nil, fmt.Errorf("%w: %v", ErrConfig, err)
			}
			o.stage[w] = append(o.stage[w], s)
			o.lists[w].Mem[i] = s.Mem()
		}
	}
	o.handle = b.k.Bind(&sink)
	return o, nil
}

// free gives the exported arrays' memory back.
func (o *outputs) free() {
	for _, a := range o.arrays {
		a.Free()
	}
}

// room makes room for what each worker may list: entries[w] at most.
func (o *outputs) room(entries []int) {
	total := 0
	for _, n := range entries {
		total += n
	}
	for i, a := range o.ragged {
		n := a.Dims[0]
		a.SetLen(max(total, n))
		a.SetLen(n)
		for w := range o.lists {
			if w == 0 {
				o.lists[w].Mem[i] = a.Mem()
				continue
			}
			s := o.stage[w][i]
			s.SetLen(entries[w])
			o.lists[w].Mem[i] = s.Mem()
		}
	}
	for w := range o.lists {
		o.lists[w].N = 0
	}
}

// sum turns the counts into offsets and sets the ragged arrays' length.
func (o *outputs) sum() {
	if o.offsets == nil {
		return
	}
	offsets := obs.View[int64](o.offsets)
	at := int64(0)
	for i, n := range o.counts {
		offsets[i] = at
		at += n
	}
	offsets[len(o.counts)] = at
	for _, a := range o.ragged {
		a.SetLen(int(at))
	}
}

// gather copies worker part's share of what the workers but the first listed
// to its place.
func (o *outputs) gather(part, parts int) {
	for i, a := range o.ragged {
		stride := a.Stride()
		at := o.lists[0].N
		for w := 1; w < len(o.lists); w++ {
			n := o.lists[w].N
			lo, hi := n*part/parts, n*(part+1)/parts
			copy(a.Data[(at+lo)*stride:(at+hi)*stride], o.lists[w].Mem[i][lo*stride:hi*stride])
			at += n
		}
	}
}

// Array is an exported array of the main set, or nil when there is none of
// that name. Its memory is the batch's and changes with each step; that of a
// ragged array may also move.
func (b *Batch) Array(name string) *obs.Array { return b.main.arrays[name] }

// Final is an exported array of the set that SameStep writes for boards whose
// episode a step ended; entries of other boards are left over. Ragged arrays
// list the ended boards' entries only. Without SameStep it is nil.
func (b *Batch) Final(name string) *obs.Array {
	if b.final == nil {
		return nil
	}
	return b.final.arrays[name]
}

// Names lists the exported arrays in the order of their declaration.
func (b *Batch) Names() []string { return slices.Clone(b.main.names) }

// Outputs declares every array the game can export, Heads every way to give
// actions.
func (b *Batch) Outputs() []obs.Field { return b.k.Outputs() }

// Heads declares the arrays that actions can be given through.
func (b *Batch) Heads() []obs.Field { return b.k.Inputs() }

// Sizes resolves the symbols of the declared arrays.
func (b *Batch) Sizes() obs.Sizes { return b.k.Sizes() }
