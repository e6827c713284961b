// The JSON form of a map:
//
//	{"id":"..","rows":R,"cols":C,"players":P,
//	 "water":[value,run,..],            row-major, value 0 or 1, runs sum to R*C
//	 "hills":[[r,c]..],                 hill i is seat i mod P's
//	 "food":[[r,c]..],
//	 "symmetry":{"dr":..,"dc":..},      or null
//	 "food_target":N}
//
// Absent, symmetry is (R/P, C/P) and id, food and food_target are empty. A
// null symmetry is a board of another symmetry or of none, as the text form
// has. Such a board need not give every seat the same hills, so a hill may
// name its owner as a third number, written only where it is not i mod P. An
// optional "ants":[[r,c,owner]..] holds the ants of a scenario, written only
// where there are any. Other fields are kept and written back after these, in
// order of their names.

package ants

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// MaxMapBytes bounds the text of a map in either form.
const MaxMapBytes = 4 << 20

// MapJSON field names, in the order they are written.
const (
	fieldID       = "id"
	fieldRows     = "rows"
	fieldCols     = "cols"
	fieldPlayers  = "players"
	fieldWater    = "water"
	fieldHills    = "hills"
	fieldFood     = "food"
	fieldAnts     = "ants"
	fieldSymmetry = "symmetry"
	fieldTarget   = "food_target"
)

var mapFields = []string{
	fieldID, fieldRows, fieldCols, fieldPlayers, fieldWater, fieldHills, fieldFood, fieldAnts, fieldSymmetry, fieldTarget,
}

// ParseMapJSON reads and validates a map in its JSON form. Errors are
// *MapError.
func ParseMapJSON(data []byte) (*Map, error) {
	if len(data) > MaxMapBytes {
		return nil, mapErrorf(CodeSize, "%d bytes, at most %d", len(data), MaxMapBytes)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, mapErrorf(CodeSyntax, "no JSON object: %v", err)
	}
	m := &Map{}
	r := fieldReader{fields: fields}
	r.read(fieldID, &m.Name, false)
	r.read(fieldRows, &m.Rows, true)
	r.read(fieldCols, &m.Cols, true)
	r.read(fieldPlayers, &m.Players, true)
	r.read(fieldTarget, &m.FoodTarget, false)
	var runs []int
	var hills, food, ants [][]int
	r.read(fieldWater, &runs, true)
	r.read(fieldHills, &hills, true)
	r.read(fieldFood, &food, false)
	r.read(fieldAnts, &ants, false)
	if r.err != nil {
		return nil, r.err
	}
	if err := m.checkSize(); err != nil {
		return nil, err
	}
	if len(hills) > MaxHills {
		return nil, mapErrorf(CodeHills, "%d hills, at most %d", len(hills), MaxHills)
	}
	if cells := m.Rows * m.Cols; len(food) > cells || len(ants) > cells {
		return nil, mapErrorf(CodeSize, "%d food and %d ants on a board of %d cells", len(food), len(ants), cells)
	}
	var err error
	if m.Water, err = parseRuns(runs, m.Rows*m.Cols); err != nil {
		return nil, err
	}
	for i, h := range hills {
		spot, err := m.parseSpot("hill", i, h, 2, i%m.Players)
		if err != nil {
			return nil, err
		}
		m.Hills = append(m.Hills, spot)
	}
	for i, f := range food {
		if len(f) != 2 {
			return nil, mapErrorf(CodeSyntax, "food %d has %d numbers, want [row,col]", i, len(f))
		}
		spot, err := m.parseSpot("food", i, f, 2, 0)
		if err != nil {
			return nil, err
		}
		m.Food = append(m.Food, spot.Cell)
	}
	for i, a := range ants {
		spot, err := m.parseSpot("ant", i, a, 3, 0)
		if err != nil {
			return nil, err
		}
		m.Ants = append(m.Ants, spot)
	}
	if m.Symmetry, err = m.parseShift(fields); err != nil {
		return nil, err
	}
	for name, raw := range fields {
		if slices.Contains(mapFields, name) {
			continue
		}
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err != nil {
			return nil, mapErrorf(CodeSyntax, "field %q: %v", name, err)
		}
		if m.Extra == nil {
			m.Extra = make(map[string]json.RawMessage)
		}
		m.Extra[name] = b.Bytes()
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// fieldReader reads the fields of one object and keeps the first error.
type fieldReader struct {
	fields map[string]json.RawMessage
	err    error
}

func (r *fieldReader) read(name string, to any, required bool) {
	if r.err != nil {
		return
	}
	raw, have := r.fields[name]
	if !have || string(raw) == "null" {
		if required {
			r.err = mapErrorf(CodeSyntax, "field %q is missing", name)
		}
		return
	}
	if err := json.Unmarshal(raw, to); err != nil {
		r.err = mapErrorf(CodeSyntax, "field %q: %v", name, err)
	}
}

// parseShift reads the symmetry field and brings it into range.
func (m *Map) parseShift(fields map[string]json.RawMessage) (*Shift, error) {
	raw, have := fields[fieldSymmetry]
	if !have {
		return &Shift{DR: m.Rows / m.Players, DC: m.Cols / m.Players}, nil
	}
	if string(raw) == "null" {
		return nil, nil
	}
	var s struct{ DR, DC *int }
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, mapErrorf(CodeSyntax, "field %q: %v", fieldSymmetry, err)
	}
	if s.DR == nil || s.DC == nil {
		return nil, mapErrorf(CodeSyntax, "field %q: want null or both dr and dc", fieldSymmetry)
	}
	return &Shift{DR: wrap(*s.DR, m.Rows), DC: wrap(*s.DC, m.Cols)}, nil
}

// wrap is v modulo n, in [0, n).
func wrap(v, n int) int { return (v%n + n) % n }

// parseRuns expands value and run pairs to exactly cells flags.
func parseRuns(runs []int, cells int) ([]bool, error) {
	if len(runs)%2 != 0 {
		return nil, mapErrorf(CodeRuns, "%d numbers, want pairs of value and run", len(runs))
	}
	flags := make([]bool, cells)
	at := 0
	for i := 0; i < len(runs); i += 2 {
		value, run := runs[i], runs[i+1]
		if value != 0 && value != 1 {
			return nil, mapErrorf(CodeRuns, "run %d has value %d, want 0 or 1", i/2, value)
		}
		if run < 1 || run > cells-at {
			return nil, mapErrorf(CodeRuns, "run %d has length %d, want 1..%d", i/2, run, cells-at)
		}
		if value == 1 {
			for j := at; j < at+run; j++ {
				flags[j] = true
			}
		}
		at += run
	}
	if at != cells {
		return nil, mapErrorf(CodeRuns, "runs cover %d of %d cells", at, cells)
	}
	return flags, nil
}

// parseSpot reads [row,col] or [row,col,owner] of at least want numbers.
func (m *Map) parseSpot(what string, i int, n []int, want, owner int) (Spot, error) {
	if len(n) < want || len(n) > 3 {
		return Spot{}, mapErrorf(CodeSyntax, "%s %d has %d numbers, want %d to 3", what, i, len(n), want)
	}
	if n[0] < 0 || n[0] >= m.Rows || n[1] < 0 || n[1] >= m.Cols {
		return Spot{}, mapErrorf(CodeOutside, "%s %d at %d,%d on a board of %dx%d", what, i, n[0], n[1], m.Rows, m.Cols)
	}
	if len(n) == 3 {
		owner = n[2]
	}
	if owner < 0 || owner >= m.Players {
		return Spot{}, mapErrorf(CodeOwner, "%s %d is seat %d's, of %d seats", what, i, owner, m.Players)
	}
	return Spot{Cell: int32(n[0]*m.Cols + n[1]), Owner: uint8(owner)}, nil
}

// MarshalJSON writes the whole map, unknown fields included.
func (m *Map) MarshalJSON() ([]byte, error) { return appendMapJSON(nil, m, true), nil }

// appendMapJSON appends the JSON form on one line, with the unknown fields
// when extra is set. The map must be valid.
func appendMapJSON(dst []byte, m *Map, extra bool) []byte {
	key := func(name string) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = appendJSONString(dst, name)
		dst = append(dst, ':')
	}
	number := func(name string, v int) {
		key(name)
		dst = strconv.AppendInt(dst, int64(v), 10)
	}
	cell := func(c int32) {
		if dst[len(dst)-1] == ']' {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		dst = strconv.AppendInt(dst, int64(int(c)/m.Cols), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(int(c)%m.Cols), 10)
	}
	owner := func(o uint8) {
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(o), 10)
	}
	dst = append(dst, '{')
	key(fieldID)
	dst = appendJSONString(dst, m.Name)
	number(fieldRows, m.Rows)
	number(fieldCols, m.Cols)
	number(fieldPlayers, m.Players)
	key(fieldWater)
	dst = appendRuns(dst, m.Water)
	key(fieldHills)
	dst = append(dst, '[')
	for i, h := range m.Hills {
		cell(h.Cell)
		if int(h.Owner) != i%m.Players {
			owner(h.Owner)
		}
		dst = append(dst, ']')
	}
	dst = append(dst, ']')
	key(fieldFood)
	dst = append(dst, '[')
	for _, c := range m.Food {
		cell(c)
		dst = append(dst, ']')
	}
	dst = append(dst, ']')
	if len(m.Ants) > 0 {
		key(fieldAnts)
		dst = append(dst, '[')
		for _, a := range m.Ants {
			cell(a.Cell)
			owner(a.Owner)
			dst = append(dst, ']')
		}
		dst = append(dst, ']')
	}
	key(fieldSymmetry)
	if m.Symmetry == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, `{"dr":`...)
		dst = strconv.AppendInt(dst, int64(m.Symmetry.DR), 10)
		dst = append(dst, `,"dc":`...)
		dst = strconv.AppendInt(dst, int64(m.Symmetry.DC), 10)
		dst = append(dst, '}')
	}
	number(fieldTarget, m.FoodTarget)
	if extra {
		names := make([]string, 0, len(m.Extra))
		for name := range m.Extra {
			if !slices.Contains(mapFields, name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			key(name)
			dst = append(dst, m.Extra[name]...)
		}
	}
	return append(dst, '}')
}

// appendRuns appends flags as [value,run,..] with maximal runs.
func appendRuns(dst []byte, flags []bool) []byte {
	dst = append(dst, '[')
	for i := 0; i < len(flags); {
		j := i + 1
		for j < len(flags) && flags[j] == flags[i] {
			j++
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		if flags[i] {
			dst = append(dst, '1', ',')
		} else {
			dst = append(dst, '0', ',')
		}
		dst = strconv.AppendInt(dst, int64(j-i), 10)
		i = j
	}
	return append(dst, ']')
}

func appendJSONString(dst []byte, s string) []byte {
	data, err := json.Marshal(s)
	if err != nil {
		panic("ants: a string does not marshal: " + err.Error())
	}
	return append(dst, data...)
}
