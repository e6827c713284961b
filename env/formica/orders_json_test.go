package formica

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the expected text in testdata")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// sample is an observation of phase 12 that may relocate to cells 5 and 6.
func sample() *Observation {
	g := GeometryOf(12)
	return &Observation{Phase: 12, Radius: 12, LegalRelocate: []int32{int32(g.Cell(Hex{-9, 0})), int32(g.Cell(Hex{8, -1}))}}
}

// TestReadOrdersTable: testdata/orders.txt has a message a line and below it,
// indented, what it comes to.
func TestReadOrdersTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "orders.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		out.WriteString(line)
		message := strings.TrimSuffix(line, "\n")
		if message == "" || message[0] == '#' {
			continue
		}
		r := ReadOrders([]byte(message), sample())
		if r.Given {
			target := "none"
			if r.Order.Target != NoCell {
				target = fmt.Sprint(GeometryOf(12).Hexes[r.Order.Target])
			}
			fmt.Fprintf(&out, "  %s %v defend %v target %s\n", r.Order.Mode, r.Order.Alloc, r.Order.Defend, target)
		} else {
			fmt.Fprintf(&out, "  latch stays, closes %v\n", r.Closes)
		}
		if len(r.Codes) > 0 {
			fmt.Fprintf(&out, "  %s\n", r.AppendError(nil, 12))
		}
	}
	golden(t, "orders.txt", out.String())
}

// TestOrdersRoundTrip: what AppendOrders writes, ReadOrders reads back.
func TestOrdersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		food := rapid.IntRange(0, AllocWhole).Draw(t, "food")
		defense := rapid.IntRange(0, AllocWhole-food).Draw(t, "defense")
		o := Order{
			Mode: Mode(rapid.IntRange(0, NumModes-1).Draw(t, "mode")), Defend: rapid.Bool().Draw(t, "defend"),
			Alloc: Alloc{uint16(food), uint16(defense), uint16(AllocWhole - food - defense)}, Target: NoCell,
		}
		if o.Mode == ModeRelocate && rapid.Bool().Draw(t, "with target") {
			o.Target = rapid.SampledFrom(sample().LegalRelocate).Draw(t, "target")
		}
		text := AppendOrders(nil, o, GeometryOf(12), 12)
		if r := ReadOrders(text, sample()); !r.Given || r.Order != o || len(r.Codes) > 0 {
			t.Fatalf("%s came back as %+v, want %+v", text, r, o)
		}
	})
}

// FuzzReadOrders: any text gives a valid order or none, and an error message
// that is JSON exactly when something was wrong.
func FuzzReadOrders(f *testing.F) {
	data, err := os.ReadFile(filepath.Join("testdata", "orders.txt"))
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "{") {
			f.Add([]byte(strings.TrimSuffix(line, "\n")))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := ReadOrders(data, sample())
		if !r.Given && len(r.Codes) != 1 || (len(r.Codes) == 0) != (r.Message == "") {
			t.Fatalf("%q gave %+v", data, r)
		}
		if r.Given {
			if !r.Closes {
				t.Fatalf("%q gave an order and left the seat open", data)
			}
			back, err := DecodeOrder(r.Order.Append(nil), GeometryOf(12).Cells)
			if err != nil || back != r.Order {
				t.Fatalf("%q gave %+v, which encodes as %+v: %v", data, r.Order, back, err)
			}
			if r.Order.Target != NoCell && r.Order.Target != sample().LegalRelocate[0] && r.Order.Target != sample().LegalRelocate[1] {
				t.Fatalf("%q gave the illegal target %d", data, r.Order.Target)
			}
		}
		var message struct {
			Type    string
			Phase   int
			Codes   []string
			Message string
		}
		if err := json.Unmarshal(r.AppendError(nil, 12), &message); err != nil || message.Type != "error" || message.Phase != 12 || len(message.Codes) != len(r.Codes) {
			t.Fatalf("%q gave the error message %s: %v", data, r.AppendError(nil, 12), err)
		}
	})
}
