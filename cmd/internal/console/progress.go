// Progress bars.

package console

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Terminal widths from which there is room for notes and for a bar.
const (
	noteWidth = 90
	barWidth  = 60
)

// A Progress shows how far some work is. On anything but a terminal it shows
// nothing. It may be used from several goroutines.
type Progress struct {
	w    io.Writer
	bar  *progressbar.ProgressBar
	what string
}

// NewProgress starts a bar over total steps of something: "episodes".
func NewProgress(w io.Writer, total int64, what string) *Progress {
	if !IsTerminal(w) {
		return &Progress{}
	}
	_, cols := Size(w)
	width := 0
	if cols >= barWidth {
		width = min(max(cols-70, 8), 30)
	}
	p := &Progress{w: w, what: what}
	p.bar = progressbar.NewOptions64(max(total, 1),
		progressbar.OptionSetWriter(oneLine{w}),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(width),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
	)
	return p
}

// oneLine writes to a terminal that cuts long lines while it does, so that a
// bar wider than the window does not run over many lines.
type oneLine struct{ w io.Writer }

func (o oneLine) Write(p []byte) (int, error) {
	line := append([]byte("\x1b[?7l"), p...)
	if _, err := o.w.Write(append(line, "\x1b[?7h"...)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Set tells how many steps are done, with a note such as a rate.
func (p *Progress) Set(done int64, note string) {
	if p.bar == nil {
		return
	}
	text := p.what
	if _, cols := Size(p.w); note != "" && cols >= noteWidth {
		text += " " + note
	}
	p.bar.Describe(text)
	// The last step ends the bar, which is Close's business.
	if done < p.bar.GetMax64() {
		_ = p.bar.Set64(done)
	}
}

// Close removes the bar, so that what is written next begins at the left. A nil
// Progress has none.
func (p *Progress) Close() {
	if p != nil && p.bar != nil {
		_ = p.bar.Clear()
		_ = p.bar.Exit()
	}
}
