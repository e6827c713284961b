package ants

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCanonicalJSON(t *testing.T) {
	const text = `{"players":2,"preset":"p", "z":{"b":1, "a":[2]},"hills":[[0,0],[2,3]],"cols":6,"rows":4,
		"water":[0,1,0,1,1,1,0,14,1,1,0,2,0,4],"food_target":3,"id":"a \"b\"","symmetry":{"dr":-2,"dc":9}}`
	m, err := ParseMap([]byte(" \n" + text))
	if err != nil {
		t.Fatal(err)
	}
	const canonical = `{"id":"a \"b\"","rows":4,"cols":6,"players":2,"water":[0,2,1,1,0,14,1,1,0,6],"hills":[[0,0],[2,3]],"food":[],` +
		`"symmetry":{"dr":2,"dc":3},"food_target":3}`
	if got := string(m.CanonicalJSON()); got != canonical {
		t.Errorf("canonical JSON is\n%s, want\n%s", got, canonical)
	}
	whole, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSuffix(canonical, "}") + `,"preset":"p","z":{"b":1,"a":[2]}}`; string(whole) != want {
		t.Errorf("JSON is\n%s, want\n%s", whole, want)
	}
	again, err := ParseMapJSON(whole)
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest() != m.Digest() || len(m.Digest()) != 64 {
		t.Errorf("digest %s, was %s", again.Digest(), m.Digest())
	}
}

// TestTextMapAsJSON checks what only maps without a translation need.
func TestTextMapAsJSON(t *testing.T) {
	m, err := ParseMap([]byte("rows 2\ncols 4\nplayers 3\nm 0.2*\nm b2%C\n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"","rows":2,"cols":4,"players":3,"water":[0,6,1,1,0,1],"hills":[[0,0],[0,2,2],[1,1],[1,3,2]],"food":[[0,3]],` +
		`"ants":[[1,0,1],[1,3,2]],"symmetry":null,"food_target":0}`
	// Hill 2 is seat 2's by its place in the list.
	if got := string(m.CanonicalJSON()); got != want {
		t.Errorf("JSON is\n%s, want\n%s", got, want)
	}
	again, err := ParseMap(m.CanonicalJSON())
	if err != nil {
		t.Fatal(err)
	}
	diffMaps(t, "again", again, m)
}
