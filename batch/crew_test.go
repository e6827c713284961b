// The workers themselves.

package batch

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// TestCrewPanics: a panic of workers becomes one of the caller, names its
// place, and is over with that.
func TestCrewPanics(t *testing.T) {
	c := newCrew(4, 2)
	defer c.dismiss()
	attempt := func(f func(w int)) (caught string) {
		defer func() {
			if p := recover(); p != nil {
				caught = fmt.Sprint(p)
			}
		}()
		c.run(f, false)
		return ""
	}
	for _, down := range [][]int{{0}, {3}, {1, 2}, {0, 1, 2, 3}} {
		got := attempt(func(w int) {
			for _, d := range down {
				if d == w {
					panic(fmt.Sprintf("worker %d is down", w))
				}
			}
		})
		if want := fmt.Sprintf("worker %d is down", down[0]); !strings.Contains(got, want) || !strings.Contains(got, "crew_test.go") {
			t.Errorf("workers %v panicked and the caller with %q", down, got)
		}
		did := make([]int, 4)
		if got := attempt(func(w int) { did[w]++ }); got != "" || fmt.Sprint(did) != "[1 1 1 1]" {
			t.Errorf("after a panic of workers %v: work done %v, panic %q", down, did, got)
		}
	}
}

// TestCrewsShare: a crew whose processors are taken does its work with fewer
// hands, and with all of them again when it has room. Crews that waited for each
// other's processors once took eighteen times as long, and kept other callers from C
// from running at all.
func TestCrewsShare(t *testing.T) {
	c := newCrew(4, 4)
	defer c.dismiss()
	for _, tt := range []struct{ others, hands int32 }{{0, 4}, {1, 3}, {2, 2}, {3, 1}, {9, 1}, {0, 4}} {
		busy.Add(tt.others)
		var inside atomic.Int32
		var did [4]atomic.Int32
		reached := make(chan struct{})
		c.run(func(w int) {
			defer inside.Add(-1)
			switch n := inside.Add(1); {
			case n == tt.hands: // all of them are here at once
				select {
				case <-reached:
				default:
					close(reached)
				}
			case n > tt.hands:
				t.Errorf("beside %d busy workers, %d of a crew's are at work, want %d", tt.others, n, tt.hands)
			}
			<-reached
			did[w].Add(1)
		}, false)
		for w := range did {
			if n := did[w].Load(); n != 1 {
				t.Errorf("beside %d busy workers, worker %d worked %d times, want once", tt.others, w, n)
			}
		}
		if got := busy.Add(-tt.others); got != 0 {
			t.Fatalf("%d workers are busy when nobody works", got)
		}
	}
}
