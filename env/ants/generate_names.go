// Generator options as text, as a command line or a file names a map.

package ants

import (
	"fmt"
	"strconv"
	"strings"
)

// GeneratedPrefix begins the text form of generator options.
const GeneratedPrefix = "generated:"

// String is the text form: generated:FAMILY:key=value,.. with what is 0 left
// out. ParseGenerated reads it back.
func (o GenerateOptions) String() string {
	var b strings.Builder
	b.WriteString(GeneratedPrefix + o.Family)
	sep := byte(':')
	put := func(key string, v uint64) {
		b.WriteByte(sep)
		b.WriteString(key + "=" + strconv.FormatUint(v, 10))
		sep = ','
	}
	if o.Family != CodeClash {
		for _, f := range o.fields() {
			if *f.to > 0 {
				put(f.key, uint64(*f.to))
			}
		}
	}
	put("seed", o.Seed)
	return b.String()
}

type optionField struct {
	key string
	to  *int
}

func (o *GenerateOptions) fields() []optionField {
	return []optionField{
		{"seats", &o.Seats}, {"hills", &o.HillsPerSeat}, {"rows", &o.Rows}, {"cols", &o.Cols}, {"water", &o.WaterPercent},
	}
}

// ParseGenerated reads generator options from their text form, such as
// generated:maze:seats=4,rows=48,cols=64,seed=7. The keys are seats, hills,
// rows, cols, water and seed, each optional. Errors are *MapError.
func ParseGenerated(spec string) (GenerateOptions, error) {
	var o GenerateOptions
	rest, ok := strings.CutPrefix(spec, GeneratedPrefix)
	if !ok {
		return o, mapErrorf(CodeOptions, "%q does not begin with %q", clip(spec), GeneratedPrefix)
	}
	name, list, some := strings.Cut(rest, ":")
	o.Family = name
	seen := ""
	for some {
		var pair string
		pair, list, some = strings.Cut(list, ",")
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return o, mapErrorf(CodeOptions, "%q is no key=value", clip(pair))
		}
		if strings.Contains(seen, ","+key+",") {
			return o, mapErrorf(CodeOptions, "%s is given twice", clip(key))
		}
		seen += "," + key + ","
		if err := o.set(key, value); err != nil {
			return o, err
		}
	}
	if _, err := o.resolve(); err != nil {
		return o, err
	}
	return o, nil
}

func (o *GenerateOptions) set(key, value string) error {
	if key == "seed" {
		v, err := strconv.ParseUint(value, 0, 64)
		if err != nil {
			return mapErrorf(CodeOptions, "seed %q is no 64-bit number", clip(value))
		}
		o.Seed = v
		return nil
	}
	var keys []string
	for _, f := range o.fields() {
		if f.key == key {
			v, err := strconv.Atoi(value)
			if err != nil {
				return mapErrorf(CodeOptions, "%s %q is no number", key, clip(value))
			}
			*f.to = v
			return nil
		}
		keys = append(keys, f.key)
	}
	return mapErrorf(CodeOptions, "no key %q (have %s, seed)", clip(key), strings.Join(keys, ", "))
}

var _ fmt.Stringer = GenerateOptions{}
