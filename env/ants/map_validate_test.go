package ants

import (
	"errors"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

// TestMapCodes has one bad map or more for every code that reading a map can
// give.
func TestMapCodes(t *testing.T) {
	// good is changed by replacing its parts; the move is by (2, 3).
	const good = `{"id":"x","rows":4,"cols":6,"players":2,"water":[0,2,1,1,0,14,1,1,0,6],"hills":[[0,0],[2,3]],"food":[[1,0],[3,3]]}`
	if _, err := ParseMapJSON([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		code     MapCode
		replaces []string // old and new in turn
	}{
		{"not JSON", CodeSyntax, []string{`{"id"`, `{id`}},
		{"trailing text", CodeSyntax, []string{`[3,3]]}`, `[3,3]]}x`}},
		{"missing field", CodeSyntax, []string{`"rows":4,`, ``}},
		{"missing water", CodeSyntax, []string{`"water":`, `"wetter":`}},
		{"null field", CodeSyntax, []string{`"players":2`, `"players":null`}},
		{"wrong type", CodeSyntax, []string{`"cols":6`, `"cols":"6"`}},
		{"fraction", CodeSyntax, []string{`"cols":6`, `"cols":6.5`}},
		{"hill of one number", CodeSyntax, []string{`[2,3]`, `[2]`}},
		{"food of three numbers", CodeSyntax, []string{`[3,3]`, `[3,3,1]`}},
		{"half a move", CodeSyntax, []string{`"food"`, `"symmetry":{"dr":2},"food"`}},
		{"ant without owner", CodeSyntax, []string{`"food"`, `"ants":[[0,0]],"food"`}},
		{"no rows", CodeSize, []string{`"rows":4`, `"rows":0`}},
		{"too many cols", CodeSize, []string{`"cols":6`, `"cols":256`}},
		{"huge", CodeSize, []string{`"rows":4`, `"rows":1000000000`}},
		{"one player", CodeSize, []string{`"players":2`, `"players":1`}},
		{"eleven players", CodeSize, []string{`"players":2`, `"players":11`}},
		{"odd runs", CodeRuns, []string{`0,6]`, `0]`}},
		{"runs too short", CodeRuns, []string{`0,6]`, `0,5]`}},
		{"runs too long", CodeRuns, []string{`0,6]`, `0,7]`}},
		{"run of nothing", CodeRuns, []string{`0,6]`, `0,6,1,0]`}},
		{"negative run", CodeRuns, []string{`0,14`, `0,-14`}},
		{"run value", CodeRuns, []string{`0,6]`, `2,6]`}},
		{"hill off the board", CodeOutside, []string{`[2,3]`, `[4,3]`}},
		{"food off the board", CodeOutside, []string{`[3,3]`, `[3,-1]`}},
		{"hill of no seat", CodeOwner, []string{`[2,3]]`, `[2,3,2]]`}},
		{"ant of no seat", CodeOwner, []string{`"food"`, `"ants":[[0,0,-1]],"food"`}},
		{"order 4", CodeOrder, []string{`"food"`, `"symmetry":{"dr":1,"dc":0},"food"`}},
		{"order 1", CodeOrder, []string{`"food"`, `"symmetry":{"dr":4,"dc":-6},"food"`}},
		{"default move of another order", CodeOrder, []string{`"players":2`, `"players":3`}},
		{"water open", CodeNotClosedWater, []string{`[0,2,1,1,0,14,`, `[0,17,`}},
		{"hill open", CodeNotClosedHills, []string{`[2,3]]`, `[2,4]]`}},
		{"hills of one seat", CodeHills, []string{`,[2,3]]`, `]`}},
		{"unequal hills", CodeNotClosedHills, []string{`[2,3]]`, `[2,3],[0,4]]`}},
		{"hills in another order", CodeNotClosedHills, []string{`[2,3]]`, `[2,3],[0,4],[0,5],[2,2],[2,1]]`}},
		{"food open", CodeNotClosedFood, []string{`,[3,3]]`, `]`}},
		{"no hills", CodeHills, []string{`[0,0],[2,3]`, ``}},
		{"too many hills", CodeHills, []string{`[2,3]`, strings.Repeat(`[2,3],`, MaxHills) + `[2,3]`}},
		{"hill twice", CodeHillTwice, []string{`[2,3]`, `[2,3],[0,0],[2,3]`}},
		{"hill on water", CodeHillOnWater, []string{`[0,0],[2,3]`, `[0,2],[2,5]`}},
		{"hill walled in", CodeHillWalledIn, []string{
			`[0,2,1,1,0,14,1,1,0,6]`, `[0,1,1,1,0,3,1,1,1,1,0,2,1,1,0,2,0,2,1,1,0,1,1,1,0,1,1,1,0,2,1,1,0,2]`, `[1,0],[3,3]`, ``,
		}},
		{"food on hill", CodeFoodOnHill, []string{`[1,0],[3,3]`, `[0,0],[2,3]`}},
		{"food on water", CodeFoodOnWater, []string{`[1,0],[3,3]`, `[0,2],[2,5]`}},
		{"food twice", CodeFoodTwice, []string{`[1,0],[3,3]`, `[1,0],[3,3],[1,0],[3,3]`}},
		{"too much food", CodeSize, []string{`[1,0]`, strings.Repeat(`[1,0],`, 24) + `[1,0]`}},
		{"food target", CodeFoodTarget, []string{`"food"`, `"food_target":25,"food"`}},
		{"ant on water", CodeAntOnWater, []string{`"food"`, `"ants":[[0,2,0]],"food"`}},
		{"ant twice", CodeAntTwice, []string{`"food"`, `"ants":[[0,1,0],[0,1,1]],"food"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := good
			for i := 0; i < len(c.replaces); i += 2 {
				if !strings.Contains(text, c.replaces[i]) {
					t.Fatalf("the good map has no %s", c.replaces[i])
				}
				text = strings.Replace(text, c.replaces[i], c.replaces[i+1], 1)
			}
			wantCode(t, text, c.code)
		})
	}
}

// TestMapCodesDrawn has the bad boards that are easier to see.
func TestMapCodesDrawn(t *testing.T) {
	for _, c := range []struct {
		name string
		code MapCode
		rows []string // the upper half; the lower is the same moved by half the columns
	}{
		{"hills apart", CodeHillUnreachable, []string{
			"0..%....",
			"...%....",
			"%%%%%%%%",
		}},
		{"land apart", CodeNotConnected, []string{
			"0.......",
			".....%%%",
			".....%.%",
			".....%%%",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &Map{Rows: 2 * len(c.rows), Cols: len(c.rows[0]), Players: 2}
			m.Water = make([]bool, m.Rows*m.Cols)
			m.Symmetry = &Shift{m.Rows / 2, m.Cols / 2}
			for r, row := range c.rows {
				for col, ch := range row {
					cell := int32(r*m.Cols + col)
					switch ch {
					case '%':
						m.Water[cell], m.Water[m.shift(cell)] = true, true
					case '0':
						m.Hills = append(m.Hills, Spot{cell, 0}, Spot{m.shift(cell), 1})
					}
				}
			}
			wantCode(t, string(m.CanonicalJSON()), c.code)
		})
	}
}

// TestMapCodesText has the bad maps of the text form that the recorded cases
// do not.
func TestMapCodesText(t *testing.T) {
	const good = "rows 2\ncols 4\nplayers 2\nm 0..*\nm b.1%\n"
	if _, err := ParseMap([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		code       MapCode
	}{
		{"nothing", "", CodeSyntax},
		{"no rows", "cols 4\nplayers 2\nm 0..*\nm b.1%\n", CodeSyntax},
		{"cols after the drawing", "rows 1\nplayers 2\nm 01\ncols 2\n", CodeSyntax},
		{"cols twice", strings.Replace(good, "cols 4", "cols 4\ncols 4", 1), CodeSyntax},
		{"no number", strings.Replace(good, "cols 4", "cols four", 1), CodeSyntax},
		{"score without numbers", good + "score 1 x\n", CodeSyntax},
		{"hive of another count", good + "hive 1 2 3\n", CodeSyntax},
		{"unknown cell", strings.Replace(good, "b", "z", 1), CodeSyntax},
		{"two bytes a cell", strings.Replace(good, "b.", "é", 1), CodeSyntax},
		{"owner", strings.Replace(good, "b", "c", 1), CodeOwner},
		{"rows out of range", strings.Replace(good, "rows 2", "rows 256", 1), CodeSize},
		{"cols out of range", strings.Replace(good, "cols 4", "cols 99999999", 1), CodeSize},
		{"endless drawing", "cols 1\nplayers 2\n" + strings.Repeat("m .\n", 300) + "rows 2\n", CodeSize},
		{"too many hills", "cols 255\nplayers 2\nrows 1\nm " + strings.Repeat("0", 255) + "\n", CodeHills},
		{"too long", strings.Repeat("#\n", MaxMapBytes), CodeSize},
	} {
		t.Run(c.name, func(t *testing.T) { wantCode(t, c.text, c.code) })
	}
}

func wantCode(t *testing.T, text string, code MapCode) {
	t.Helper()
	m, err := ParseMap([]byte(text))
	var bad *MapError
	if !errors.As(err, &bad) || !errors.Is(err, env.ErrMap) {
		t.Fatalf("got %v, want code %s", err, code)
	}
	if bad.Code != code || bad.Msg == "" {
		t.Errorf("got %v, want code %s", err, code)
	}
	if m != nil {
		t.Error("got a map with the error")
	}
}
