// The errors of reading a replay.

package replay

import (
	"errors"
	"fmt"
)

// ErrReplay is for bytes that are no replay, and for a replay that no game can
// have made. Errors that wrap it name the member, as in deltas[12].a[1].
var ErrReplay = errors.New("bad replay")

// badf is an error of one member.
func badf(path, format string, a ...any) error {
	msg := fmt.Sprintf(format, a...)
	if path == "" {
		return fmt.Errorf("%w: %s", ErrReplay, msg)
	}
	return fmt.Errorf("%w: %s: %s", ErrReplay, path, msg)
}

// wrapf is badf for a cause that callers may test for too.
func wrapf(path string, cause error) error {
	return fmt.Errorf("%w: %s: %w", ErrReplay, path, cause)
}
