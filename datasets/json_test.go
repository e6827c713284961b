package datasets

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/obs"
)

// numbersOf are an entry's elements as encoding/json has numbers.
func numbersOf(c *Column, entry []byte) (list []any) {
	e := &Column{Name: c.Name, DType: c.DType, Data: entry}
	add := func(n int, at func(int) float64) {
		for i := range n {
			list = append(list, at(i))
		}
	}
	switch c.DType {
	case obs.Int32:
		v := Of[int32](e)
		add(len(v), func(i int) float64 { return float64(v[i]) })
	case obs.Uint64:
		v := Of[uint64](e)
		add(len(v), func(i int) float64 { return float64(v[i]) })
	case obs.Float32:
		v := Of[float32](e)
		add(len(v), func(i int) float64 { return float64(v[i]) })
	case obs.Int8:
		add(len(entry), func(i int) float64 { return float64(int8(entry[i])) })
	default:
		add(len(entry), func(i int) float64 { return float64(entry[i]) })
	}
	return list
}

// TestAppendJSON: any reader of JSON reads what the columns have.
func TestAppendJSON(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		p := plan(nil)
		p.mustGenerate(t)
		all := allRows(t, mustOpen(t, p.Out))
		var last []string
		for i := 0; i < all.Len(); i += 1 + all.Len()/200 {
			line := all.AppendJSON([]byte("x"), i)[1:]
			var got map[string]json.RawMessage
			if err := json.Unmarshal(line, &got); err != nil || len(got) != len(all.Columns) || bytes.IndexByte(line, '\n') >= 0 {
				t.Fatalf("%s: %v", line, err)
			}
			for k := range all.Columns {
				c := &all.Columns[k]
				entry, raw := c.Entry(i), got[c.Name]
				var v any
				if err := json.Unmarshal(raw, &v); err != nil {
					t.Fatal(err)
				}
				want := numbersOf(c, entry)
				ok := false
				same := func(a, b any) bool {
					if c.DType == obs.Float32 {
						return float32(a.(float64)) == float32(b.(float64))
					}
					return a == b
				}
				switch v := v.(type) {
				case string:
					if c.Names != nil {
						ok = v == c.Names[int(want[0].(float64))]
						break
					}
					var data []byte
					ok = json.Unmarshal(raw, &data) == nil && bytes.Equal(data, entry)
				case bool:
					ok = c.DType == obs.Bool && v == (entry[0] != 0)
				case []any:
					ok = (c.List || len(c.Shape) > 0) && slices.EqualFunc(v, want, same)
				case float64:
					ok = same(v, want[0])
				}
				if !ok {
					t.Fatalf("row %d: %s is %s, want %v", i, c.Name, clip(raw), want)
				}
			}
			var keys []string
			for dec := json.NewDecoder(bytes.NewReader(line)); ; {
				tok, err := dec.Token()
				if err != nil {
					break
				}
				if s, isString := tok.(string); isString && got[s] != nil && !strings.Contains(s, "/") {
					keys = append(keys, s)
				}
			}
			if !slices.IsSorted(keys) || last != nil && !slices.Equal(keys, last) {
				t.Fatalf("keys are %v", keys)
			}
			last = keys
		}
	})
}
