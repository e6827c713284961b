// Foreign text on a terminal.

package console

import (
	"strings"
	"unicode"
)

// Clean replaces what does not print, such as the escape sequences that a file
// could send to a terminal, by '?'.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

// Clip is Clean, cut to at most n runes.
func Clip(s string, n int) string {
	runes := []rune(Clean(s))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:max(n-2, 0)]) + ".."
}
