// Arbitrary bytes: nothing panics, and what can be read can be written.

package replay

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// genericOf decodes any JSON with its numbers as they are written.
func genericOf(t tester, text string) any {
	t.Helper()
	var v any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func addTestdata(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// stable checks what holds of anything that can be read: it can be written,
// what is written reads back to the same text, and Validate thinks the same of
// both.
func stable[R Replay](t *testing.T, data []byte, decode func([]byte) (R, error)) {
	r, err := decode(data)
	if err != nil {
		return
	}
	first, err := r.Encode()
	if err != nil {
		t.Fatalf("read but not written: %v", err)
	}
	again, err := decode(first)
	if err != nil {
		t.Fatalf("written but not read: %v\n%s", err, first)
	}
	second, err := again.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Fatalf("written differently the second time:\n%s\n%s", first, second)
	}
	if a, b := r.Validate(), again.Validate(); (a == nil) != (b == nil) {
		t.Fatalf("valid before %v, after %v", a, b)
	}
}

// short keeps a fuzzed replay to a size that is played in a moment.
func short(replay Replay) bool {
	switch r := replay.(type) {
	case *Formica:
		return r.Config.MaxTicks <= 100 && r.Config.Radius <= 12
	case AntsReplay:
		rules, err := r.Rules()
		return err == nil && rules.MaxTurns <= 100 && len(r.Board().Water) <= 400
	}
	return false
}

func FuzzDecodeEnvelope(f *testing.F) {
	addTestdata(f)
	f.Add([]byte(envelopeText("rules", `{"name":"ladder","hill_tie":"random"}`)))
	f.Add([]byte(envelopeText("deltas", `[{"t":0,"a":["\u00e9x","-"],"x":{}}]`)))
	f.Fuzz(func(t *testing.T, data []byte) { stable(t, data, Decode) })
}

func FuzzDecodeContest(f *testing.F) {
	addTestdata(f)
	f.Fuzz(func(t *testing.T, data []byte) { stable(t, data, DecodeContest) })
}

func FuzzDecodeLesson(f *testing.F) {
	addTestdata(f)
	f.Fuzz(func(t *testing.T, data []byte) { stable(t, data, DecodeLesson) })
}

func FuzzDecodeFormica(f *testing.F) {
	addTestdata(f)
	f.Fuzz(func(t *testing.T, data []byte) { stable(t, data, DecodeFormica) })
}

// Whatever opens can be played to the end or to its first difference.
func FuzzVerify(f *testing.F) {
	addTestdata(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Open(data)
		if err != nil || !short(r) {
			return
		}
		report, err := Verify(r, newBoard)
		if err == nil && !report.Outcome.Done {
			t.Fatalf("no difference, and no end after %d turns", report.Turns)
		}
	})
}
