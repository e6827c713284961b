// Whether output goes to a terminal.

package console

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal tells whether a writer is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Size is the extent of the terminal that a writer is, or 0, 0.
func Size(w io.Writer) (rows, cols int) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, 0
	}
	cols, rows, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return rows, cols
}

// Color tells whether to write colours: to a terminal that has them, unless
// the environment sets NO_COLOR.
func Color(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
