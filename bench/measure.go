package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

// Options choose what is measured.
type Options struct {
	Workloads []string // names; nil: all
	Workers   []int    // nil: 1, 2 and GOMAXPROCS, as far as there are so many
	Boards    int      // of every workload; 0: the workload's own number
	Quick     bool     // 26 s or little more in place of 150, and fewer distinct boards
	// Progress, if not nil, is told how much of ProgressTotal is done.
	Progress func(done int, note string)
}

// ProgressTotal is what Options.Progress counts to.
const ProgressTotal = 1000

// A budget bounds a run. Every workload gets at least the rounds of fewest,
// however long they take, and at most those of most.
type budget struct {
	whole        time.Duration
	fewest, most int
}

var (
	quickBudget = budget{26 * time.Second, 3, 30}
	fullBudget  = budget{150 * time.Second, 5, 300}
)

// recordShare is the part of the progress that recording takes.
const recordShare = ProgressTotal / 5

// A plan is options with the defaults filled in.
type plan struct {
	Options
	budget
	workloads []Workload
	progress  func(done float64, note string)
}

func (o Options) plan() (*plan, error) {
	p := &plan{Options: o, budget: fullBudget}
	if o.Quick {
		p.budget = quickBudget
	}
	most := 0 // more games than foreseen must not set the progress back
	p.progress = func(done float64, note string) {
		if most = max(most, min(int(done*ProgressTotal), ProgressTotal)); o.Progress != nil {
			o.Progress(most, note)
		}
	}
	names := o.Workloads
	if len(names) == 0 {
		names = Names()
	}
	for i, name := range names {
		w, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("%w: workload %s is named twice", ErrOptions, name)
		}
		if o.Boards > 0 {
			w.Boards = o.Boards
		}
		p.workloads = append(p.workloads, w)
	}
	if o.Boards < 0 {
		return nil, fmt.Errorf("%w: %d boards, want 1 or more, or 0 for the workload's own number", ErrOptions, o.Boards)
	}
	fewest := slices.MinFunc(p.workloads, func(a, b Workload) int { return a.Boards - b.Boards }).Boards
	if len(o.Workers) == 0 {
		cores := min(runtime.GOMAXPROCS(0), fewest)
		p.Workers = []int{1, min(2, cores), cores}
	}
	p.Workers = slices.Clone(p.Workers)
	slices.Sort(p.Workers)
	p.Workers = slices.Compact(p.Workers)
	if p.Workers[0] < 1 {
		return nil, fmt.Errorf("%w: %d workers, want 1 or more", ErrOptions, p.Workers[0])
	}
	if most := p.Workers[len(p.Workers)-1]; most > fewest {
		return nil, fmt.Errorf("%w: %d workers for %d boards, want at most one worker a board", ErrOptions, most, fewest)
	}
	return p, nil
}

// Run measures workloads, for each all numbers of workers in turns. Errors
// wrap ErrOptions or are the context's.
func Run(ctx context.Context, o Options) (*Report, error) {
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	scenes, err := p.record(ctx)
	if err != nil {
		return nil, err
	}
	report := newReport()
	for i := range p.workloads {
		w := &p.workloads[i]
		left := p.whole - time.Since(begin)
		done := float64(recordShare) / ProgressTotal
		each := (1 - done) / float64(len(p.workloads))
		tick := func(part float64) { p.progress(done+each*(float64(i)+part), w.Name) }
		results, err := p.measure(ctx, w, scenes[w.Scene], left/time.Duration(len(p.workloads)-i), tick)
		if err != nil {
			return nil, err
		}
		report.Workloads = append(report.Workloads, results...)
	}
	p.progress(1, "")
	return report, nil
}

// record records the scenes of the plan's workloads, each once.
func (p *plan) record(ctx context.Context) (map[*Scene]*recording, error) {
	var order []*Scene
	sources := map[*Scene]int{}
	for i := range p.workloads {
		w := &p.workloads[i]
		if !slices.Contains(order, w.Scene) {
			order = append(order, w.Scene)
			sources[w.Scene] = w.Scene.Sources
			if p.Quick {
				sources[w.Scene] = w.Scene.QuickSources
			}
		}
		sources[w.Scene] = min(sources[w.Scene], w.Boards)
	}
	made := map[*Scene]*recording{}
	for i, sc := range order {
		tick := func(done, total int) {
			part := (float64(i) + float64(done)/float64(total)) / float64(len(order))
			p.progress(part*recordShare/ProgressTotal, "recording")
		}
		r, err := record(ctx, sc, sources[sc], 0, nil, tick)
		if err != nil {
			return nil, err
		}
		made[sc] = r
	}
	return made, nil
}

// samples is what the rounds of one side gave.
type samples struct {
	step, floor []float64 // ns per board-turn
	ratio       []float64
	allocs      []float64 // a step
}

// settle is longer than workers of a batch look for their next step, on processors
// that the floor needs.
const settle = 5 * time.Millisecond

// measure measures one workload on all numbers of workers, in rounds.
func (p *plan) measure(ctx context.Context, w *Workload, r *recording, window time.Duration, tick func(float64)) ([]Result, error) {
	begin := time.Now()
	script := r.script(w.Boards)
	units, ticks, unitTicks := r.moved(w.Boards)
	var sides []*side
	defer func() {
		for _, s := range sides {
			s.b.Close()
		}
	}()
	for _, workers := range p.Workers {
		s, err := newSide(w, r, w.Boards, workers, &script)
		if err != nil {
			return nil, err
		}
		sides = append(sides, s)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if err := sides[0].b.Rewind(); err != nil {
		return nil, err
	}
	f, err := newFloor(sides[0])
	if err != nil {
		return nil, err
	}
	for _, workers := range p.Workers {
		f.time(workers)
	}
	runtime.GC()
	// The runtime gives up its caches when it collects garbage; a step brings
	// back those that waiting workers need.
	for _, s := range sides {
		if err := s.warm(); err != nil {
			return nil, err
		}
	}

	all := make([]samples, len(sides))
	turns := float64(Turns * w.Boards)
	rounds := 0
	var last time.Duration // what a round took
	for ; rounds < p.fewest || rounds < p.most && time.Since(begin)+last < window; rounds++ {
		tick(max(float64(rounds)/float64(p.most), min(1, float64(time.Since(begin))/float64(window))))
		began := time.Now()
		for i, s := range sides {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			// The first pass is for processors that slept: they come back slowly.
			var before uint64
			var d time.Duration
			for range 2 {
				if err := s.b.Rewind(); err != nil {
					return nil, err
				}
				before = mallocs()
				var err error
				if d, err = s.time(); err != nil {
					return nil, err
				}
			}
			a := &all[i]
			a.allocs = append(a.allocs, float64(mallocs()-before)/Turns)
			time.Sleep(settle)
			step, floor := float64(d)/turns, float64(f.time(p.Workers[i]))/turns
			a.step, a.floor, a.ratio = append(a.step, step), append(a.floor, floor), append(a.ratio, step/floor)
		}
		last = time.Since(began)
	}

	var results []Result
	for i, s := range sides {
		a := &all[i]
		res := Result{
			Name: w.Name, Workers: p.Workers[i], Boards: w.Boards, NsPerBoardTurn: median(a.step), FloorRatio: median(a.ratio),
			AllocsPerStep: median(a.allocs),
			FloorNs:       median(a.floor), BestNs: slices.Min(a.step), Rounds: rounds,
			UnitsPerSeat: float64(units) / turns / float64(r.m.Seats()),
			StateBytes:   s.b.BoardBytes(), ArrayBytes: s.outputBytes() / w.Boards,
		}
		res.BoardTurnsPerS = 1e9 / res.NsPerBoardTurn
		res.AntStepsPerS = res.BoardTurnsPerS * float64(unitTicks) / turns
		res.TicksPerTurn = float64(ticks) / turns
		res.TicksPerS, res.NsPerTick = res.BoardTurnsPerS*res.TicksPerTurn, res.NsPerBoardTurn/res.TicksPerTurn
		res.BytesPerBoard = res.StateBytes + res.ArrayBytes
		if p.Workers[0] == 1 {
			res.Speedup = median(ratios(all[0].step, a.step))
			res.FloorSpeedup = median(ratios(all[0].floor, a.floor))
		}
		results = append(results, res)
	}
	return results, nil
}

// mallocs counts the objects that the process has allocated.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// ratios are x over y, one by one.
func ratios(x, y []float64) []float64 {
	r := make([]float64, len(x))
	for i := range r {
		r[i] = x[i] / y[i]
	}
	return r
}

// median is the middle value, the lower one of two.
func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return stat.Quantile(0.5, stat.Empirical, x, nil)
}
