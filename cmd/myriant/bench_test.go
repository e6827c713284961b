package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/bench"
)

func TestBench(t *testing.T) {
	var report bench.Report
	out := ok(t, "bench", "--quick", "--workload", "ants-32x32", "--boards", "8", "--workers", "1,2", "--json")
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Workloads) != 2 || report.Workloads[1].Workers != 2 || report.Workloads[0].NsPerBoardTurn <= 0 {
		t.Errorf("report:\n%s", out)
	}
}

// What is paced is told as one line, then a number for each line of the input.
func TestBenchPaced(t *testing.T) {
	p, err := bench.NewPacer(context.Background(), bench.Options{Quick: true, Boards: 8, Workers: []int{1}, Workloads: []string{"ants-32x32", "formica"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out bytes.Buffer
	if err := pace(strings.NewReader("ants-32x32\nformica\nants-32x32\n"), &out, p); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var recorded []bench.Recorded
	if len(lines) != 4 || json.Unmarshal([]byte(lines[0]), &recorded) != nil || len(recorded) != 2 {
		t.Fatalf("%d lines, %d workloads", len(lines), len(recorded))
	}
	for _, line := range lines[1:] {
		if ns, err := strconv.ParseFloat(line, 64); err != nil || !(ns > 0) {
			t.Errorf("a pass took %q", line)
		}
	}
	if err := pace(strings.NewReader("chess\n"), &out, p); !errors.Is(err, bench.ErrOptions) {
		t.Errorf("a workload that is not there: %v", err)
	}
}

func TestBenchUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--workload chess", `no workload "chess" (have ants-32x32, ants-64x96, ants-8p, ants-32x32-greedy, formica, formica-observed, formica-scripted)`},
		{"--workers 0", "0 workers"},
		{"--json --paced", "--paced goes with neither"},
		{"--boards 2 --workers 4", "4 workers for 2 boards"},
		{"--boards -2", "-2 boards"},
		{"--workers many", "invalid argument"},
		{"fast", `one argument too many: "fast"`},
	} {
		r := myriant(append([]string{"bench"}, strings.Fields(c.args)...)...)
		if r.code != exitUsage || !strings.Contains(r.stderr, c.want) || !strings.Contains(r.stderr, "myriant bench --help") {
			t.Errorf("bench %s: exit code %d, stderr %q, want %q", c.args, r.code, r.stderr, c.want)
		}
	}
}

// The tables and the picture, from made-up numbers.
func TestBenchOutput(t *testing.T) {
	report := &bench.Report{Machine: "Some processor, 2 processors, linux/amd64", Go: "go1.26.0", Acceleration: "avx512", Workloads: []bench.Result{
		{
			Name: "ants-32x32", Workers: 1, Boards: 4096, BoardTurnsPerS: 512_820, AntStepsPerS: 41_025_600, NsPerBoardTurn: 1950, FloorRatio: 3.8,
			BytesPerBoard: 7463, FloorNs: 513, BestNs: 1901, Speedup: 1, FloorSpeedup: 1, Rounds: 30, UnitsPerSeat: 40.04, StateBytes: 4953, ArrayBytes: 2510,
		},
		{
			Name: "ants-32x32", Workers: 2, Boards: 4096, BoardTurnsPerS: 1_000_000, AntStepsPerS: 80_000_000, NsPerBoardTurn: 1000, FloorRatio: 3.9,
			BytesPerBoard: 7463, FloorNs: 256, BestNs: 980, Speedup: 1.95, FloorSpeedup: 2, Rounds: 30, UnitsPerSeat: 40.04, StateBytes: 4953, ArrayBytes: 2510,
		},
		{
			Name: "ants-8p", Workers: 2, Boards: 256, BoardTurnsPerS: 20_000, AntStepsPerS: 4_700_000, NsPerBoardTurn: 50_000, FloorRatio: 2.5,
			AllocsPerStep: 0.25, BytesPerBoard: 169_643, FloorNs: 20_000, BestNs: 49_000, Rounds: 5, UnitsPerSeat: 29.6, StateBytes: 59_800, ArrayBytes: 109_843,
		},
	}}
	var out bytes.Buffer
	writeBench(&out, report)
	golden(t, "bench.txt", out.String())
	// A workload whose turns take several ticks has a table of them.
	report.Workloads = append(report.Workloads, bench.Result{
		Name: "formica", Workers: 1, Boards: 2048, BoardTurnsPerS: 20_000, AntStepsPerS: 15_000_000, NsPerBoardTurn: 50_000, FloorRatio: 4, TicksPerS: 150_000,
		NsPerTick: 6667, TicksPerTurn: 7.5, BytesPerBoard: 58_000, FloorNs: 12_500, BestNs: 48_000, Speedup: 1, FloorSpeedup: 1, Rounds: 30, UnitsPerSeat: 25.6, StateBytes: 8000, ArrayBytes: 50_000,
	})
	out.Reset()
	writeBench(&out, report)
	golden(t, "bench-ticks.txt", out.String())
}
