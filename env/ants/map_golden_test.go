package ants

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

func TestGoldenMapTexts(t *testing.T) {
	var file struct {
		Cases []struct {
			Name     string `json:"name"`
			Text     string `json:"map_text"`
			Error    string `json:"error"`
			Scenario int    `json:"scenario"`
			OK       *struct {
				Rows, Cols, Players int
				Hills, Ants, Food   [][]int
			} `json:"ok"`
		} `json:"cases"`
	}
	path := filepath.Join(goldenDir(t), "contest2011", "map_texts.json")
	readJSON(t, path, &file)
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			m, err := ParseMap([]byte(c.Text))
			if c.OK == nil {
				var bad *MapError
				if !errors.As(err, &bad) || !errors.Is(err, env.ErrMap) {
					t.Fatalf("got %v, want a MapError as the engine says %q", err, c.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if m.Rows != c.OK.Rows || m.Cols != c.OK.Cols || m.Players != c.OK.Players {
				t.Errorf("%dx%d of %d players, want %dx%d of %d", m.Rows, m.Cols, m.Players, c.OK.Rows, c.OK.Cols, c.OK.Players)
			}
			// A normal game puts an ant on every hill and ignores ants and food
			// of the map; a scenario keeps them.
			ants, food := m.Hills, []int32(nil)
			if c.Scenario == 1 {
				food = m.Food
				if len(m.Ants) > 0 {
					ants = m.Ants
				}
			}
			if want := spots(m, c.OK.Hills); !slices.Equal(sorted(m.Hills), want) {
				t.Errorf("hills %v, want %v", m.Hills, want)
			}
			if want := spots(m, c.OK.Ants); !slices.Equal(sorted(ants), want) {
				t.Errorf("ants %v, want %v", ants, want)
			}
			var wantFood []int32
			for _, f := range c.OK.Food {
				wantFood = append(wantFood, int32(f[0]*m.Cols+f[1]))
			}
			if !slices.Equal(food, wantFood) {
				t.Errorf("food %v, want %v", food, wantFood)
			}
		})
	}
	t.Logf("checked %d map texts of %s", len(file.Cases), path)
}

func spots(m *Map, list [][]int) []Spot {
	var s []Spot
	for _, e := range list {
		s = append(s, Spot{int32(e[0]*m.Cols + e[1]), uint8(e[2])})
	}
	return sorted(s)
}

// sorted is a copy in order of cells.
func sorted(s []Spot) []Spot {
	s = slices.Clone(s)
	slices.SortFunc(s, func(a, b Spot) int { return int(a.Cell - b.Cell) })
	return s
}

func TestGoldenContestFoodSets(t *testing.T) {
	var file struct {
		Maps []struct {
			Map          string
			Orientations [][][3]int `json:"orientation_lists"`
			Sets         [][]int32
			Visible      [][]int32
		}
	}
	readJSON(t, filepath.Join(goldenDir(t), "contest2011", "food_sets.json.gz"), &file)
	dir := filepath.Join(mapsDir(t), "contest2011")
	checked := 0
	for _, g := range file.Maps {
		data, err := os.ReadFile(filepath.Join(dir, g.Map))
		if errors.Is(err, fs.ErrNotExist) {
			data, err = os.ReadFile(filepath.Join(dir, "generated", g.Map))
		}
		if errors.Is(err, fs.ErrNotExist) {
			t.Logf("%s is not among the maps in %s, so its sets are not checked", g.Map, dir)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseMap(data)
		if err != nil {
			t.Fatal(g.Map, err)
		}
		var got [][][3]int
		for _, list := range m.ContestOrientations() {
			var l [][3]int
			for _, o := range list {
				l = append(l, [3]int{int(o.Hill) / m.Cols, int(o.Hill) % m.Cols, int(o.Aim)})
			}
			got = append(got, l)
		}
		if !slices.EqualFunc(got, g.Orientations, slices.Equal) {
			t.Errorf("%s: orientations %v, want %v", g.Map, got, g.Orientations)
		}
		sets, err := m.ContestSets()
		if err != nil {
			t.Fatal(g.Map, err)
		}
		diffSets(t, g.Map+" sets", sets, g.Sets)
		visible, err := m.ContestVisibleSets(77)
		if err != nil {
			t.Fatal(g.Map, err)
		}
		diffSets(t, g.Map+" visible", visible, g.Visible)
		checked++
	}
	t.Logf("checked the contest food sets of %d of %d maps", checked, len(file.Maps))
	if checked < 11 {
		t.Errorf("checked %d maps, want at least 11", checked)
	}
}

func diffSets(t *testing.T, what string, got *SetList, want [][]int32) {
	t.Helper()
	if got.Len() != len(want) {
		t.Errorf("%s: %d sets, want %d", what, got.Len(), len(want))
		return
	}
	for i := range want {
		if !slices.Equal(got.Set(i), want[i]) {
			t.Errorf("%s: set %d is %v, want %v", what, i, got.Set(i), want[i])
			return
		}
	}
}

// TestGoldenMaps reads every real map, and the boards of the recorded lessons
// and matches, and writes each back without loss.
func TestGoldenMaps(t *testing.T) {
	type board struct {
		name string
		data []byte
	}
	var boards []board
	err := filepath.WalkDir(mapsDir(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		boards = append(boards, board{filepath.Base(path), data})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(goldenDir(t), "ladder", "*-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		var file struct {
			Map  json.RawMessage
			Rows []struct{ Map json.RawMessage }
		}
		if filepath.Base(path) == "food-vectors.json" {
			continue
		}
		readJSON(t, path, &file)
		if file.Map == nil {
			file.Map = file.Rows[0].Map
		}
		boards = append(boards, board{filepath.Base(path), file.Map})
	}
	for _, b := range boards {
		m, err := ParseMap(b.data)
		if err != nil {
			t.Errorf("%s: %v", b.name, err)
			continue
		}
		whole, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseMapJSON(whole)
		if err != nil {
			t.Errorf("%s: %v", b.name, err)
			continue
		}
		diffMaps(t, b.name, again, m)
		if strings.HasSuffix(b.name, ".map") {
			text, err := ParseMapText(m.AppendText(nil))
			if err != nil {
				t.Errorf("%s: %v", b.name, err)
				continue
			}
			diffMaps(t, b.name, text, m)
			continue
		}
		if m.Symmetry == nil || m.FoodTarget != len(m.Food) && m.FoodTarget == 0 {
			t.Errorf("%s: symmetry %v, food target %d", b.name, m.Symmetry, m.FoodTarget)
		}
		// Nothing of the file may be lost: compare the JSON values.
		var want, have map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal(b.data, &want), json.Unmarshal(whole, &have)); err != nil {
			t.Fatal(err)
		}
		for name, v := range want {
			if !sameJSON(v, have[name]) {
				t.Errorf("%s: field %s was %.80s, is %.80s", b.name, name, v, have[name])
			}
		}
	}
	t.Logf("read %d maps", len(boards))
	if len(boards) < 50 {
		t.Errorf("found only %d maps", len(boards))
	}
}

func sameJSON(a, b json.RawMessage) bool {
	canon := func(raw json.RawMessage) []byte {
		var v any
		if json.Unmarshal(raw, &v) != nil {
			return nil
		}
		data, err := json.Marshal(v)
		if err != nil {
			return nil
		}
		return data
	}
	return canon(a) != nil && bytes.Equal(canon(a), canon(b))
}

// diffMaps reports in which field two maps differ.
func diffMaps(t interface{ Errorf(string, ...any) }, name string, got, want *Map) {
	switch {
	case got.Name != want.Name, got.Rows != want.Rows, got.Cols != want.Cols, got.Players != want.Players, got.FoodTarget != want.FoodTarget:
		t.Errorf("%s: is %q %dx%d of %d, food target %d; want %q %dx%d of %d, food target %d", name,
			got.Name, got.Rows, got.Cols, got.Players, got.FoodTarget, want.Name, want.Rows, want.Cols, want.Players, want.FoodTarget)
	case !slices.Equal(got.Water, want.Water):
		t.Errorf("%s: other water", name)
	case !slices.Equal(got.Hills, want.Hills):
		t.Errorf("%s: hills %v, want %v", name, got.Hills, want.Hills)
	case !slices.Equal(got.Food, want.Food):
		t.Errorf("%s: food %v, want %v", name, got.Food, want.Food)
	case !slices.Equal(got.Ants, want.Ants):
		t.Errorf("%s: ants %v, want %v", name, got.Ants, want.Ants)
	case (got.Symmetry == nil) != (want.Symmetry == nil), got.Symmetry != nil && *got.Symmetry != *want.Symmetry:
		t.Errorf("%s: symmetry %v, want %v", name, got.Symmetry, want.Symmetry)
	case len(got.Extra) != len(want.Extra):
		t.Errorf("%s: extra fields %v, want %v", name, got.Extra, want.Extra)
	}
	for field, v := range want.Extra {
		if !bytes.Equal(got.Extra[field], v) {
			t.Errorf("%s: extra field %s is %s, want %s", name, field, got.Extra[field], v)
		}
	}
}
