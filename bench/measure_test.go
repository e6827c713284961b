package bench

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var fixedNames = []string{"ants-32x32", "ants-64x96", "ants-8p", "ants-32x32-greedy", "formica", "formica-observed", "formica-scripted"}

func TestRun(t *testing.T) {
	want := []string{"ants-32x32-greedy", "ants-32x32", "formica"}
	o := Options{Workloads: want, Quick: true, Boards: 24, Workers: []int{2, 1}}
	last := 0
	o.Progress = func(done int, note string) {
		if done < last || done > ProgressTotal {
			t.Errorf("progress goes from %d to %d", last, done)
		}
		last = done
	}
	report, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if last != ProgressTotal {
		t.Errorf("progress ends at %d of %d", last, ProgressTotal)
	}
	var names []string
	for i, r := range report.Workloads {
		if r.Workers == 1 {
			names = append(names, r.Name)
		}
		if r.Workers != 1+i%2 || r.Boards != 24 {
			t.Errorf("result %d is of %d workers and %d boards", i, r.Workers, r.Boards)
		}
		for what, v := range map[string]float64{
			"board_turns_per_s": r.BoardTurnsPerS, "ant_steps_per_s": r.AntStepsPerS, "ns_per_board_turn": r.NsPerBoardTurn,
			"ns_per_tick": r.NsPerTick, "ticks_per_s": r.TicksPerS,
			"floor_ratio": r.FloorRatio, "bytes_per_board": float64(r.BytesPerBoard), "floor": r.FloorNs, "best": r.BestNs, "speed-up": r.Speedup, "floor's speed-up": r.FloorSpeedup,
		} {
			if !(v > 0) {
				t.Errorf("%s on %d workers: %s is %v", r.Name, r.Workers, what, v)
			}
		}
		if ticks := r.NsPerBoardTurn / r.NsPerTick; r.Name == "formica" != (ticks > 5) || r.Name != "formica" && ticks != 1 {
			t.Errorf("%s: a turn takes %v ticks", r.Name, ticks)
		}
		if r.BestNs > r.NsPerBoardTurn {
			t.Errorf("%s on %d workers: best %v ns, median %v ns", r.Name, r.Workers, r.BestNs, r.NsPerBoardTurn)
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("workloads (-want +got):\n%s", diff)
	}
}

// Scripts read these names.
func TestReportJSON(t *testing.T) {
	report := newReport()
	report.Workloads = append(report.Workloads, Result{Name: "ants-8p", Workers: 2})
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var rows []map[string]any
	if err := json.Unmarshal(got["workloads"], &rows); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"acceleration", "go", "machine", "workloads"}, keys(got)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	want := []string{
		"allocs_per_step", "ant_steps_per_s", "board_turns_per_s", "boards", "bytes_per_board", "floor_ratio", "name", "ns_per_board_turn", "ns_per_tick",
		"ticks_per_s", "workers",
	}
	if diff := cmp.Diff(want, keys(rows[0])); diff != "" {
		t.Errorf("workload (-want +got):\n%s", diff)
	}
}

func keys[V any](m map[string]V) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

func TestNames(t *testing.T) {
	if diff := cmp.Diff(fixedNames, Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	w, err := Lookup("ants-32x32")
	if err != nil || w.Boards != 4096 {
		t.Errorf("ants-32x32 has %d boards, want 4096 (%v)", w.Boards, err)
	}
}

func TestBadOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"unknown workload":   {Workloads: []string{"chess"}},
		"the same twice":     {Workloads: []string{"ants-8p", "ants-8p"}},
		"negative boards":    {Boards: -1},
		"no workers":         {Workers: []int{0}},
		"too many workers":   {Boards: 4, Workers: []int{5}},
		"far too many":       {Workers: []int{1, 100_000}},
		"negative workers":   {Workers: []int{2, -1}},
		"the empty workload": {Workloads: []string{""}},
	} {
		if _, err := Run(context.Background(), o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: error %v, want ErrOptions", name, err)
		}
	}
	p, err := Options{Boards: 1}.plan()
	if err != nil || !slices.Equal(p.Workers, []int{1}) {
		t.Errorf("one board is measured on %v workers (%v), want 1", p.Workers, err)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{5, 1, 3}, 3}, {[]float64{4, 2}, 2}, {[]float64{9, 1, 3, 5}, 3}} {
		if got := median(c.x); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.x, got, c.want)
		}
	}
}
