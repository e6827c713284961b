// The workers themselves.

package batch

import (
	"fmt"
	"strings"
	"testing"
)

// TestCrewPanics: a panic of workers becomes one of the caller, names its
// place, and is over with that.
func TestCrewPanics(t *testing.T) {
	c := newCrew(4)
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
