package formica

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/myriant-rl/myriant/env"
)

// GeneratedPrefix begins the text form of a board that is none of the bundled.
const GeneratedPrefix = "generated:"

// GeneratedBoard makes the board of a text such as "generated:seats=3,radius=12";
// what is not said is as in the default variant. The board's name says both, and
// makes the same board again. Errors wrap env.ErrMap.
func GeneratedBoard(text string) (*Board, error) {
	rest, ok := strings.CutPrefix(text, GeneratedPrefix)
	if !ok {
		return nil, fmt.Errorf("%w: %.40q does not begin with %q", env.ErrMap, text, GeneratedPrefix)
	}
	c, err := Variant(Variants()[0])
	if err != nil {
		return nil, fmt.Errorf("%w: %v", env.ErrMap, err)
	}
	numbers := map[string]*int{"seats": &c.Seats, "radius": &c.Radius}
	for part := range strings.SplitSeq(rest, ",") {
		key, value, _ := strings.Cut(part, "=")
		to := numbers[key]
		if to == nil {
			return nil, fmt.Errorf("%w: %.40q: no key %.20q, want seats or radius", env.ErrMap, text, key)
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, fmt.Errorf("%w: %.40q: %s is %.20q, want a number", env.ErrMap, text, key, value)
		}
		*to = n
	}
	return NewBoard(fmt.Sprintf("%sseats=%d,radius=%d", GeneratedPrefix, c.Seats, c.Radius), c.Seats, c.Radius)
}
