// Numbers for people.

package console

import (
	"fmt"
	"strconv"
)

// Count writes a number with commas between thousands.
func Count[T ~int | ~int32 | ~int64 | ~uint64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	start := 0
	if s[0] == '-' {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Short writes a quantity with three digits or so and k, M or G.
func Short(v float64) string {
	for _, unit := range []string{"", "k", "M"} {
		switch {
		case unit == "" && v < 1000:
			return strconv.FormatFloat(v, 'f', 0, 64)
		case v < 9.995:
			return fmt.Sprintf("%.2f%s", v, unit)
		case v < 99.95:
			return fmt.Sprintf("%.1f%s", v, unit)
		case v < 999.5:
			return fmt.Sprintf("%.0f%s", v, unit)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.2fG", v)
}

// Bytes writes a size: 512 B, 3.40 MB.
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	s := Short(float64(n))
	return s[:len(s)-1] + " " + map[byte]string{'k': "kB", 'M': "MB", 'G': "GB"}[s[len(s)-1]]
}
