// Rows as text.

package datasets

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/myriant-rl/myriant/env/obs"
)

// AppendJSON appends row i as a JSON object of one line, its keys in
// alphabetical order: numbers, booleans, names, lists of numbers, and of what
// Arrow has as binary, bytes in base64.
func (r *Rows) AppendJSON(dst []byte, i int) []byte {
	dst = append(dst, '{')
	for n, k := range r.layout.byName {
		c := &r.Columns[k]
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(strconv.AppendQuote(dst, c.Name), ':')
		entry := c.Entry(i)
		_, binary := r.layout.columns[k].typ.(*arrow.BinaryType)
		switch {
		case binary:
			dst = append(base64.StdEncoding.AppendEncode(append(dst, '"'), entry), '"')
		case c.Names != nil:
			name, err := json.Marshal(c.Names[Of[int32](&Column{Name: c.Name, DType: c.DType, Data: entry})[0]])
			if err != nil {
				panic("datasets: a string that is no JSON: " + err.Error())
			}
			dst = append(dst, name...)
		case c.List || len(c.Shape) > 0:
			dst = append(dst, '[')
			size := c.DType.Size()
			for at := 0; at < len(entry); at += size {
				if at > 0 {
					dst = append(dst, ',')
				}
				dst = c.appendElement(dst, entry[at:at+size])
			}
			dst = append(dst, ']')
		default:
			dst = c.appendElement(dst, entry)
		}
	}
	return append(dst, '}')
}

// alphabetical are the columns in the order of their names.
func (l *layout) alphabetical() []int {
	order := make([]int, len(l.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(l.columns[i].name, l.columns[j].name) })
	return order
}

// appendElement appends one element of a column.
func (c *Column) appendElement(dst, data []byte) []byte {
	one := &Column{Name: c.Name, DType: c.DType, Data: data}
	switch c.DType {
	case obs.Bool:
		return strconv.AppendBool(dst, data[0] != 0)
	case obs.Int8:
		return strconv.AppendInt(dst, int64(int8(data[0])), 10)
	case obs.Int32:
		return strconv.AppendInt(dst, int64(Of[int32](one)[0]), 10)
	case obs.Int64:
		return strconv.AppendInt(dst, Of[int64](one)[0], 10)
	case obs.Uint64:
		return strconv.AppendUint(dst, Of[uint64](one)[0], 10)
	case obs.Float32:
		return strconv.AppendFloat(dst, float64(Of[float32](one)[0]), 'g', -1, 32)
	default:
		return strconv.AppendUint(dst, uint64(data[0]), 10)
	}
}
