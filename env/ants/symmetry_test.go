package ants

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestAim(t *testing.T) {
	want := [NumAims][2]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}, {2, 1}, {-2, 1}, {2, -1}, {-2, -1}}
	for a := range NumAims {
		if r, c := a.Apply(1, 2); [2]int{r, c} != want[a] {
			t.Errorf("aim %d turns (1,2) to (%d,%d), want %v", a, r, c, want[a])
		}
	}
}

// TestContestSetsOfTranslations compares with Sets: they differ in water only.
func TestContestSetsOfTranslations(t *testing.T) {
	for _, id := range Bundled() {
		m, err := BundledMap(id)
		if err != nil {
			t.Fatal(err)
		}
		contest, err := m.ContestSets()
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		// Boards may have more symmetries than their move; compare where the
		// contest takes the same.
		all := m.ContestOrientations()
		if len(all) == 0 || slices.ContainsFunc(all[0], func(o Orientation) bool { return o.Aim != 0 }) {
			t.Errorf("%s: %d symmetries, the first %v", id, len(all), all)
			continue
		}
		dry := &SetList{Starts: []int32{0}}
		for i := range contest.Len() {
			if set := contest.Set(i); !slices.ContainsFunc(set, func(c int32) bool { return m.Water[c] }) {
				dry.Cells = append(dry.Cells, set...)
				dry.Starts = append(dry.Starts, int32(len(dry.Cells)))
			}
		}
		want := m.Sets()
		if !slices.Equal(dry.Cells, want.Cells) || !slices.Equal(dry.Starts, want.Starts) {
			t.Errorf("%s: %d dry sets, want %d", id, dry.Len(), want.Len())
		}
		near, err := m.ContestVisibleSets(77)
		if err != nil || near.Len() == 0 || near.Len() > contest.Len() {
			t.Errorf("%s: %d visible sets of %d, %v", id, near.Len(), contest.Len(), err)
		}
	}
}

func TestContestAsymmetric(t *testing.T) {
	for _, text := range []string{
		"rows 2\ncols 4\nplayers 2\nm 0.%.\nm .1..\n", // water
		"rows 2\ncols 4\nplayers 2\nm 0.0.\nm .1..\n", // unequal hills
		"rows 2\ncols 4\nplayers 2\nm ....\nm ....\n", // no hills
		"rows 1\ncols 7\nplayers 3\nm 0.1.2..\n",      // distances
	} {
		m, err := ParseMap([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var bad *MapError
		if _, err := m.ContestSets(); !errors.As(err, &bad) || bad.Code != CodeAsymmetric {
			t.Errorf("%q: got %v, want %s", text, err, CodeAsymmetric)
		}
		if lists := m.ContestOrientations(); len(lists) != 0 {
			t.Errorf("%q: symmetries %v", text, lists)
		}
	}
}

// TestContestManySymmetries checks that a bare board ends.
func TestContestManySymmetries(t *testing.T) {
	bare := "rows 50\ncols 50\nplayers 10\n"
	for r := range 50 {
		row := []byte(strings.Repeat(".", 50))
		if r%5 == 0 {
			row[r] = byte('0' + r/5)
		}
		bare += "m " + string(row) + "\n"
	}
	m, err := ParseMap([]byte(bare))
	if err != nil {
		t.Fatal(err)
	}
	if lists := m.ContestOrientations(); len(lists) == 0 || len(lists) > MaxOrientationLists {
		t.Errorf("%d symmetries", len(lists))
	}
}

func BenchmarkContestSets(b *testing.B) {
	m := generated(b, "generated:maze:seats=4,rows=100,cols=100,hills=2,seed=1")
	for b.Loop() {
		if _, err := m.ContestSets(); err != nil {
			b.Fatal(err)
		}
	}
}
