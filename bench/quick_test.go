//go:build !invariants && !race

// The engine's own checks and the race detector allocate and take time.

package bench

import (
	"context"
	"testing"
	"time"
)

// All workloads on few boards: quick mode ends in time, and no step allocates.
func TestQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("short: recording all workloads takes seconds")
	}
	begin := time.Now()
	report, err := Run(context.Background(), Options{Quick: true, Boards: 24, Workers: []int{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begin); d > 40*time.Second {
		t.Errorf("took %v, want at most 40s", d)
	}
	if n := len(report.Workloads); n != 2*len(fixedNames) {
		t.Errorf("%d results, want %d", n, 2*len(fixedNames))
	}
	for _, r := range report.Workloads {
		if r.AllocsPerStep != 0 {
			t.Errorf("%s on %d workers: %v allocations a step", r.Name, r.Workers, r.AllocsPerStep)
		}
	}
}
