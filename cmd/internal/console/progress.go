// Progress bars.

package console

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// noteWidth is the terminal width from which there is room for notes.
const noteWidth = 90

// A Progress shows how far some work is. On anything but a terminal it shows
// nothing. It may be used from several goroutines.
type Progress struct {
	bar  *progressbar.ProgressBar
	what string
	wide bool
}

// NewProgress starts a bar over total steps of something: "episodes".
func NewProgress(w io.Writer, total int64, what string) *Progress {
	if !IsTerminal(w) {
		return &Progress{}
	}
	_, cols := Size(w)
	p := &Progress{what: what, wide: cols >= noteWidth}
	p.bar = progressbar.NewOptions64(max(total, 1),
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(min(max(cols-70, 8), 30)),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
	)
	return p
}

// Set tells how many steps are done, with a note such as a rate.
func (p *Progress) Set(done int64, note string) {
	if p.bar == nil {
		return
	}
	if note != "" && p.wide {
		p.bar.Describe(p.what + " " + note)
	}
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
