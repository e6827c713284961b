package abi

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/datasets"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// TestSpecFiles compares specs and the catalog with testdata, but for what
// games or machines say: texts, rules, signatures, kernels.
func TestSpecFiles(t *testing.T) {
	l := newTester(t)
	for name, config := range map[string]string{
		"ants":    `{"boards":4096,"maps":["tiny-2p"],"policies":[["caller","greedy"]],"workers":2}`,
		"formica": `{"game":"formica","boards":2,"workers":1,"autoreset":"same_step"}`,
		"catalog": "",
	} {
		t.Run(name, func(t *testing.T) {
			var out Bytes
			if config == "" {
				l.is("catalog", l.Catalog(&out), OK)
			} else if status, reason := l.Spec([]byte(config), &out); status != OK {
				t.Fatal(reason)
			}
			var tree any
			if err := json.Unmarshal(l.take(out), &tree); err != nil {
				t.Fatal(err)
			}
			prune(t, tree, "")
			got, err := json.MarshalIndent(tree, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			path := filepath.Join("testdata", name+".json")
			if *update {
				if err := os.WriteFile(path, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is out of date, or the spec is wrong (-update writes it):\n%s", path, got)
			}
		})
	}
}

// prune takes out what may change for other reasons, after a look that it is
// there, and writes lists of numbers and names on a line.
func prune(t *testing.T, tree any, name string) {
	switch v := tree.(type) {
	case []any:
		for _, e := range v {
			prune(t, e, name)
		}
	case map[string]any:
		for _, key := range []string{"doc", "rules", "signature", "acceleration", "digest"} {
			text, some := v[key]
			if text == "" && name != "labels" {
				t.Errorf("%s %v: %s is empty", name, v["name"], key)
			}
			if some {
				delete(v, key)
			}
		}
		for key, e := range v {
			prune(t, e, key)
			if list, ok := e.([]any); ok && key != "arrays" && key != "heads" && key != "maps" && key != "rule_sets" && key != "games" {
				line, err := json.Marshal(list)
				if err != nil {
					t.Fatal(err)
				}
				v[key] = string(line)
			}
		}
	}
}

// TestSignatures: the catalog and specs tell the signatures that the games'
// tests hold their engines to.
func TestSignatures(t *testing.T) {
	l := newTester(t)
	var catalog catalogJSON
	if err := json.Unmarshal(l.bytes(0, l.Catalog), &catalog); err != nil {
		t.Fatal(err)
	}
	for _, g := range catalog.Games {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "env", g.Name, "testdata", "signatures.txt"))
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		for _, r := range g.RuleSets {
			fmt.Fprintln(&want, r.Name, r.Signature)
			if s := l.spec(l.create(fmt.Sprintf(`{"game":%q,"rules":%q,"boards":1}`, g.Name, r.Name))); s.Signature != r.Signature || s.RuleSet != r.Name {
				t.Errorf("the spec of %s says %s %s", r.Name, s.RuleSet, s.Signature)
			}
		}
		if want.String() != string(data) {
			t.Errorf("%s: the catalog says\n%s, signatures.txt\n%s", g.Name, want.String(), data)
		}
	}
}

// TestSpecFits: specs made without a batch are those of the batch, and its
// arrays are as they say.
func TestSpecFits(t *testing.T) {
	l := newTester(t)
	for _, config := range []string{
		`{"boards":1}`,
		`{"boards":7,"maps":["tiny-2p","small-3p"],"policies":[["caller","greedy"],["hunter","caller"]],"autoreset":"same_step"}`,
		`{"boards":6,"maps":["small-3p","tiny-2p"],"map_of":[0,1,1],"policies":[[null],["greedy"]],"options":{"per_owner":true},"planes":"float32"}`,
		`{"boards":3,"policies":[["greedy","hunter"]],"arrays":["planes","ant_offsets","ant_mask","reward"]}`,
		`{"boards":3,"observe":[0,1],"policies":[["greedy","hunter"]],"rewards":{"food":0.5},"zero_sum":true,"hold_bad":true,"workers":2}`,
		`{"boards":2,"arrays":[]}`,
		`{"game":"formica","boards":5,"rules":"duel","policies":[["caller","scripted"]]}`,
	} {
		var out Bytes
		if status, reason := l.Spec([]byte(config), &out); status != OK {
			t.Fatalf("%s: %s", config, reason)
		}
		var without specJSON
		if err := json.Unmarshal(l.take(out), &without); err != nil {
			t.Fatal(err)
		}
		id := l.create(config)
		s := l.spec(id)
		if !reflect.DeepEqual(*s, without) {
			t.Errorf("%s: specs differ:\n%+v\n%+v", config, *s, without)
		}
		l.ok(id, l.Reset(id, 1))
		h, _ := l.find(id)
		if got := h.b.Sizes(); !reflect.DeepEqual(got, s.Sizes) {
			t.Errorf("%s: sizes %v, the spec says %v", config, got, s.Sizes)
		}
		if got := h.b.Config(); !slices.Equal(got.Observe, s.Observe) || got.Workers != s.Workers {
			t.Errorf("%s: seats %v, %d workers; the spec says %v, %d", config, got.Observe, got.Workers, s.Observe, s.Workers)
		}
		table := l.table(id)
		rows := 0
		for _, a := range s.Arrays {
			if a.Row < 0 {
				continue
			}
			rows++
			r := &table[a.Row]
			shape := r.Shape[:r.NDim]
			want := slices.Clone(a.Shape)
			if a.Ragged {
				want[0] = int(shape[0])
			}
			if r.name() != a.Name || dtypeName(r.DType) != a.DType || fmt.Sprint(shape) != fmt.Sprint(want) {
				t.Errorf("%s: row %d is %s %s %v; the spec says %s %s %v", config, a.Row, r.name(), dtypeName(r.DType), shape, a.Name, a.DType, want)
			}
			if uintptr(r.Data)%64 != 0 || r.Block == 0 {
				t.Errorf("%s: array %s lies at %p in block %d", config, a.Name, r.Data, r.Block)
			}
		}
		if s.Autoreset == "same_step" {
			rows *= 2
		}
		if rows != s.Table {
			t.Errorf("%s: %d rows, the spec says %d", config, rows, s.Table)
		}
		for i, m := range s.Maps {
			if got := h.b.Config().Maps[i]; got.Digest() != m.Digest {
				t.Errorf("%s: map %d is %s, the spec says %s", config, i, got.Digest(), m.Digest)
			}
		}
		for b := range s.Boards {
			if got, want := h.b.Config().MapOf[b], s.MapOf[b%len(s.MapOf)]; got != want {
				t.Errorf("%s: board %d is on map %d, the spec says %d", config, b, got, want)
			}
		}
		// The spec is a configuration again.
		again := map[string]any{
			"game": s.Game, "rules": s.Rules, "boards": s.Boards, "map_of": s.MapOf, "policies": s.Policies, "observe": s.Observe,
			"planes": s.Planes, "options": s.Options, "rewards": s.Rewards, "zero_sum": s.ZeroSum, "hold_bad": s.HoldBad, "autoreset": s.Autoreset, "workers": s.Workers,
			"arrays": []string{},
		}
		for _, a := range s.Arrays {
			if a.Row >= 0 {
				again["arrays"] = append(again["arrays"].([]string), a.Name)
			}
		}
		var maps []json.RawMessage
		for _, m := range h.b.Config().Maps {
			maps = append(maps, m.CanonicalJSON())
		}
		again["maps"] = maps
		twice := l.create(string(encode(again)))
		if second := l.spec(twice); !reflect.DeepEqual(second, s) {
			t.Errorf("%s: a batch made from the spec has another:\n%+v\n%+v", config, second, s)
		}
	}
}

// TestDocumented: package main's doc.go shows every field of every form.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var check func(of reflect.Type)
	check = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Slice, reflect.Pointer:
			check(of.Elem())
		case reflect.Struct:
			for i := range of.NumField() {
				if tag := of.Field(i).Tag.Get("json"); tag != "" {
					n++
					if !bytes.Contains(doc, []byte(strconv.Quote(tag))) {
						t.Errorf("doc.go does not show %q", tag)
					}
				}
				check(of.Field(i).Type)
			}
		}
	}
	for _, form := range []any{configJSON{}, specJSON{}, catalogJSON{}, recordJSON{}, datasets.RecordSummary{}} {
		check(reflect.TypeOf(form))
	}
	if n < 70 {
		t.Errorf("only %d fields were looked for", n)
	}
}
