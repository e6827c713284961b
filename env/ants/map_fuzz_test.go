package ants

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

// fuzzInput bounds the work of one input.
const fuzzInput = 1 << 14

func FuzzParseMapJSON(f *testing.F) {
	for _, id := range []string{"tiny-2p", "small-3p", "codeclash-32x32"} {
		m, err := BundledMap(id)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(m.CanonicalJSON())
	}
	f.Add([]byte(`{"id":"t","rows":2,"cols":4,"players":3,"water":[0,6,1,1,0,1],"hills":[[0,0],[0,2,2],[1,1]],"food":[[0,3]],"ants":[[1,0,1]],"symmetry":null,"x":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzMap(t, data, ParseMapJSON) })
}

func FuzzParseMapText(f *testing.F) {
	m, err := BundledMap("tiny-2p")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.AppendText(nil))
	f.Add([]byte("# c\r\nROWS 2\r\ncols 4\nplayers 3\nscore 1 2 3\nm 0.2*\nm bB%c\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzMap(t, data, ParseMapText) })
}

// fuzzMap checks that a refusal is a coded error and that what is accepted can
// be written and read back.
func fuzzMap(t *testing.T, data []byte, parse func([]byte) (*Map, error)) {
	if len(data) > fuzzInput {
		return
	}
	m, err := parse(data)
	if err != nil {
		var bad *MapError
		if !errors.As(err, &bad) || bad.Code == "" || !errors.Is(err, env.ErrMap) || m != nil {
			t.Fatalf("refused with %v and map %v", err, m)
		}
		return
	}
	if err := m.Validate(); err != nil {
		t.Fatalf("accepted, then: %v", err)
	}
	whole, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseMapJSON(whole)
	if err != nil {
		t.Fatalf("%v in what was written: %s", err, whole)
	}
	if !bytes.Equal(again.CanonicalJSON(), m.CanonicalJSON()) {
		t.Fatalf("reads back as %s, was %s", again.CanonicalJSON(), m.CanonicalJSON())
	}
	text := m.AppendText(nil)
	other, err := ParseMapText(text)
	if err != nil {
		t.Fatalf("%v in the text: %s", err, text)
	}
	if !bytes.Equal(other.AppendText(nil), text) {
		t.Fatalf("the text reads back as %s, was %s", other.AppendText(nil), text)
	}
	m.Sets()
}
