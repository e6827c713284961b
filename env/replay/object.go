// JSON objects whose unknown members survive reading and writing: in their
// place, their numbers digit for digit.

package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Limits of untrusted input.
const (
	// MaxBytes bounds the text of a replay, after decompression.
	MaxBytes = 64 << 20
	// maxMembers bounds the members of an object that is taken apart.
	maxMembers = 100
	// maxText bounds a string that is not orders: a name, a reason.
	maxText = 4096
)

// Extra is the members of a JSON object that no field of the Go type holds. It
// remembers the order of all members, so that writing keeps it.
type Extra struct {
	list []member // raw is nil where a field holds the value
	read bool     // the object was read: it is written without what it lacked
}

type member struct {
	name string
	raw  json.RawMessage
}

// Get is the compact JSON of an unknown member, or nil if there is none. The
// caller must not change it.
func (x *Extra) Get(name string) json.RawMessage {
	for _, m := range x.list {
		if m.name == name {
			return m.raw
		}
	}
	return nil
}

// Set adds or replaces an unknown member. A member that a field holds is
// written from the field all the same.
func (x *Extra) Set(name string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return badf(name, "%v", err)
	}
	for i := range x.list {
		if x.list[i].name == name {
			x.list[i].raw = raw
			return nil
		}
	}
	x.list = append(x.list, member{name, raw})
	return nil
}

// compact checks the bounds and the syntax of a whole text. All that follows
// walks its result, which is valid JSON without white space.
func compact(data []byte) ([]byte, error) {
	if len(data) > MaxBytes {
		return nil, badf("", "%d bytes, at most %d", len(data), MaxBytes)
	}
	var b bytes.Buffer
	b.Grow(len(data))
	if json.Compact(&b, data) != nil {
		// Only Unmarshal says where.
		var raw json.RawMessage
		err := json.Unmarshal(data, &raw)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, badf("", "no JSON, at byte %d: %v", syntax.Offset, err)
		}
		return nil, badf("", "no JSON: %v", err)
	}
	return b.Bytes(), nil
}

// skip is the index after the value that starts at i of compact JSON.
func skip(data []byte, i int) int {
	depth := 0
	for ; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
		case '"':
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ':':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// array calls f with each element of an array of at most limit.
func array(path string, raw json.RawMessage, limit int, f func(i int, raw json.RawMessage) error) error {
	if len(raw) == 0 || raw[0] != '[' {
		return badf(path, "%s where an array is wanted", kind(raw))
	}
	for i, n := 1, 0; raw[i] != ']'; n++ {
		if n == limit {
			return badf(path, "more than %d elements", limit)
		}
		end := skip(raw, i)
		if err := f(n, raw[i:end:end]); err != nil {
			return err
		}
		if i = end; raw[i] == ',' {
			i++
		}
	}
	return nil
}

// kind names a JSON value for messages.
func kind(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f', 'n':
		return string(raw)
	}
	return "a number"
}

// object reads the members of one JSON object. It keeps the first error, after
// which its methods return zero values.
type object struct {
	path  string
	extra Extra
	err   error
}

func readObject(path string, raw json.RawMessage) *object {
	o := &object{path: path, extra: Extra{read: true}}
	if len(raw) == 0 || raw[0] != '{' {
		o.err = badf(path, "%s where an object is wanted", kind(raw))
		return o
	}
	for i := 1; raw[i] != '}'; {
		end := skip(raw, i)
		name := text(raw[i:end])
		i = end + 1 // the colon
		end = skip(raw, i)
		if len(o.extra.list) == maxMembers {
			o.err = badf(path, "more than %d members", maxMembers)
			return o
		}
		for _, m := range o.extra.list {
			if m.name == name {
				o.err = badf(o.at(name), "given twice")
				return o
			}
		}
		o.extra.list = append(o.extra.list, member{name, raw[i:end:end]})
		if i = end; raw[i] == ',' {
			i++
		}
	}
	return o
}

// text decodes a JSON string.
func text(raw json.RawMessage) string {
	if inner := raw[1 : len(raw)-1]; plain(inner) {
		return string(inner)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		panic("replay: a valid string does not decode: " + err.Error())
	}
	return s
}

func plain(s []byte) bool {
	for _, c := range s {
		if c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

func (o *object) at(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

func (o *object) fail(name, format string, a ...any) {
	if o.err == nil {
		o.err = badf(o.at(name), format, a...)
	}
}

// take is the value of a member that a field holds, nil if there is none. A
// null counts as none, and stays an unknown member.
func (o *object) take(name string, required bool) json.RawMessage {
	if o.err != nil {
		return nil
	}
	for i := range o.extra.list {
		if m := &o.extra.list[i]; m.name == name && string(m.raw) != "null" {
			raw := m.raw
			m.raw = nil
			return raw
		}
	}
	if required {
		o.fail(name, "missing")
	}
	return nil
}

func (o *object) array(name string, required bool, limit int, f func(i int, raw json.RawMessage) error) {
	if raw := o.take(name, required); raw != nil {
		if err := array(o.at(name), raw, limit, f); err != nil {
			o.err = err
		}
	}
}

func (o *object) integer(name string, required bool) int {
	raw := o.take(name, required)
	if raw == nil {
		return 0
	}
	n, err := integer(o.at(name), raw)
	if err != nil {
		o.err = err
	}
	return int(n)
}

func (o *object) flag(name string) bool {
	raw := o.take(name, false)
	if raw == nil {
		return false
	}
	if s := string(raw); s != "true" && s != "false" {
		o.fail(name, "%s where true or false is wanted", kind(raw))
	}
	return string(raw) == "true"
}

func (o *object) text(name string, required bool) string {
	raw := o.take(name, required)
	if raw == nil {
		return ""
	}
	s, err := shortText(o.at(name), raw)
	if err != nil {
		o.err = err
	}
	return s
}

func (o *object) integers(name string, required bool, limit int) []int32 {
	var list []int32
	o.array(name, required, limit, func(i int, raw json.RawMessage) error {
		n, err := integer(index(o.at(name), i), raw)
		list = append(list, n)
		return err
	})
	return list
}

func (o *object) texts(name string, required bool, limit int) []string {
	var list []string
	o.array(name, required, limit, func(i int, raw json.RawMessage) error {
		s, err := shortText(index(o.at(name), i), raw)
		list = append(list, s)
		return err
	})
	return list
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// integer reads a whole number of 32 bits, written without point or exponent.
func integer(path string, raw json.RawMessage) (int32, error) {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, badf(path, "%s where a whole number of 32 bits is wanted", sample(raw))
	}
	return int32(n), nil
}

func shortText(path string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", badf(path, "%s where a string is wanted", kind(raw))
	}
	if len(raw) > maxText {
		return "", badf(path, "a string of %d bytes, at most %d", len(raw), maxText)
	}
	return text(raw), nil
}

// sample is a value as a message shows it.
func sample(raw json.RawMessage) string {
	if len(raw) > 40 {
		return kind(raw)
	}
	return string(raw)
}

// exactFloat is the largest whole number up to which a reader that keeps
// numbers as 64-bit floats is exact.
const exactFloat = 1 << 53

// A seed is a 64-bit number, and whether it was read as a string.
type seed struct {
	value  uint64
	quoted bool
}

func (o *object) seed(name string, required bool) seed {
	raw := o.take(name, required)
	if raw == nil {
		return seed{}
	}
	s := seed{quoted: raw[0] == '"'}
	digits := string(raw)
	if s.quoted {
		digits = text(raw)
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || strconv.FormatUint(v, 10) != digits {
		o.fail(name, "%s where a whole number of 64 bits is wanted", sample(raw))
	}
	s.value = v
	return s
}

// append writes a string where a float could not hold the number, or where
// there was one, and a number elsewhere.
func (s seed) append(dst []byte) []byte {
	if s.quoted || s.value > exactFloat {
		return fmt.Appendf(dst, `"%d"`, s.value)
	}
	return strconv.AppendUint(dst, s.value, 10)
}

// A field of an object that is being written.
type field struct {
	name string
	// want: written even where the object was read without it.
	want  bool
	write func(dst []byte) []byte
}

// appendObject writes the members in the order they were read in, then the
// fields that are wanted and were not among them.
func appendObject(dst []byte, x *Extra, fields []field) []byte {
	dst = append(dst, '{')
	put := func(name string) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = appendText(dst, name)
		dst = append(dst, ':')
	}
	for _, m := range x.list {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.name })
		switch {
		case i >= 0 && (m.raw == nil || fields[i].want):
			put(m.name)
			dst = fields[i].write(dst)
		case m.raw != nil:
			put(m.name)
			dst = append(dst, m.raw...)
		}
	}
	for _, f := range fields {
		if f.want && !slices.ContainsFunc(x.list, func(m member) bool { return m.name == f.name }) {
			put(f.name)
			dst = f.write(dst)
		}
	}
	return append(dst, '}')
}

func appendText(dst []byte, s string) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		panic("replay: a string does not marshal: " + err.Error())
	}
	return append(dst, raw...)
}

func appendIntegers(dst []byte, list []int32) []byte {
	return appendList(dst, len(list), func(dst []byte, i int) []byte {
		return strconv.AppendInt(dst, int64(list[i]), 10)
	})
}

func appendTexts(dst []byte, list []string) []byte {
	return appendList(dst, len(list), func(dst []byte, i int) []byte { return appendText(dst, list[i]) })
}

func appendList(dst []byte, n int, write func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = write(dst, i)
	}
	return append(dst, ']')
}

// appendLines is appendList with each element on a line of its own.
func appendLines(dst []byte, n int, write func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '\n')
		dst = write(dst, i)
	}
	return append(dst, ']')
}

// The ready-made writers of fields.
func putInt(name string, want bool, v int) field {
	return field{name, want, func(dst []byte) []byte { return strconv.AppendInt(dst, int64(v), 10) }}
}

func putText(name string, want bool, v string) field {
	return field{name, want, func(dst []byte) []byte { return appendText(dst, v) }}
}

func putFlag(name string, want, v bool) field {
	return field{name, want, func(dst []byte) []byte { return strconv.AppendBool(dst, v) }}
}

func putIntegers(name string, want bool, v []int32) field {
	return field{name, want, func(dst []byte) []byte { return appendIntegers(dst, v) }}
}

func putTexts(name string, want bool, v []string) field {
	return field{name, want, func(dst []byte) []byte { return appendTexts(dst, v) }}
}

func putRaw(name string, want bool, raw json.RawMessage) field {
	return field{name, want, func(dst []byte) []byte { return append(dst, raw...) }}
}
