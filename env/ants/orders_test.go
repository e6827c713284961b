package ants

import (
	"strings"
	"testing"
)

// FuzzOrderLines: any text is read, every action exists, and no ant obeys more
// than one line.
func FuzzOrderLines(f *testing.F) {
	for _, text := range []string{
		"", "o 0 0 e", "O 1 2 N\n\n# no\no 1 2 s", "o -1 -4 w", "o +0 00 e\r\no 0 0 -", "go", "o 99999999999999999999 0 e",
		"o 0 0 e extra", "\x00o 0 0 e", "o 0 0 \xff", "o\t0\v0\fn",
	} {
		f.Add(text)
	}
	m, err := ParseMapText([]byte("rows 3\ncols 4\nplayers 2\nm A.%.\nm ..a*\nm b...\n"))
	if err != nil {
		f.Fatal(err)
	}
	rules, err := RuleSet("contest2011")
	if err != nil {
		f.Fatal(err)
	}
	mine, food := []int32{0, 6}, []int32{7}
	f.Fuzz(func(t *testing.T, text string) {
		actions, lines := ParseOrderLines(text, m, &rules, mine, food)
		if len(actions) != len(mine) {
			t.Fatalf("%d actions for %d ants", len(actions), len(mine))
		}
		moved := 0
		for i, a := range actions {
			if a >= NumActions {
				t.Fatalf("action %d for ant %d", a, i)
			}
			if a != Stay {
				moved++
			}
		}
		valid := 0
		for _, l := range lines {
			if (l.Reason == "") != (l.Verdict == OrderValid) {
				t.Fatalf("line %q: verdict %d for reason %q", l.Text, l.Verdict, l.Reason)
			}
			if l.Verdict == OrderValid {
				valid++
			}
			if l.Index < 0 || l.Index > strings.Count(text, "\n") {
				t.Fatalf("line %q has index %d", l.Text, l.Index)
			}
		}
		if valid != moved {
			t.Fatalf("%d valid lines move %d ants", valid, moved)
		}
	})
}

// TestTextViewNumbers: a seat numbers the others in the order in which it
// hears of them, and is told water once.
func TestTextViewNumbers(t *testing.T) {
	m, err := ParseMapText([]byte("rows 1\ncols 6\nplayers 4\nm .%....\n"))
	if err != nil {
		t.Fatal(err)
	}
	text := NewTextView(m)
	v := &View{Rows: 1, Cols: 6, Seats: 4, Mine: []int32{0}, Foes: []Spot{{Cell: 3, Owner: 3}}, Hills: []Spot{{Cell: 4, Owner: 2}},
		Food: []int32{5}, Water: m.Water, Visible: make([]bool, 6)}
	// Owner 2's hill comes first, then owner 3's ant. Seat 1's own dead is told
	// of, though the cell is out of sight; seat 2's dead is not.
	got := string(text.AppendTurn(nil, 1, v, 1, []Death{{Cell: 2, Owner: 1}, {Cell: 2, Owner: 2}}))
	want := "turn 1\nw 0 1\nh 0 4 1\na 0 0 0\na 0 3 2\nf 0 5\nd 0 2 0\ngo\n"
	if got != want {
		t.Errorf("first text is %q, want %q", got, want)
	}
	v.Foes, v.Hills, v.Food = []Spot{{Cell: 2, Owner: 1}, {Cell: 3, Owner: 3}}, nil, nil
	got = string(text.AppendTurn(nil, 2, v, 1, nil))
	want = "turn 2\na 0 0 0\na 0 2 3\na 0 3 2\ngo\n"
	if got != want {
		t.Errorf("second text is %q, want %q", got, want)
	}
}
