package console

import (
	"bytes"
	"testing"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 1234567: "1,234,567"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 12.4: "12", 999: "999", 1000: "1.00k", 9999: "10.0k", 99960: "100k", 999400: "999k", 999600: "1.00M", 2.5e6: "2.50M", 3e9: "3.00G", 1.5e12: "1500.00G"} {
		if got := Short(v); got != want {
			t.Errorf("Short(%v) = %q, want %q", v, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.00 kB", 3_400_000: "3.40 MB", 5_000_000_000: "5.00 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestText(t *testing.T) {
	if got := Clean("a\x1b[2Jb\nç\xff"); got != "a?[2Jb?ç\uFFFD" {
		t.Errorf("Clean gives %q", got)
	}
	for n, want := range map[int]string{0: "..", 2: "..", 5: "grü..", 6: "grüßen", 9: "grüßen"} {
		if got := Clip("grüßen", n); got != want {
			t.Errorf("Clip to %d gives %q, want %q", n, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	table := NewTable("seat", "policy", ">ants")
	table.Row("\x1b[1ma\x1b[0m", "greedy", 7)
	table.Row("b", "höld", 123)
	table.Row("c")
	var b bytes.Buffer
	table.Write(&b)
	want := "seat  policy  ants\n" +
		"\x1b[1ma\x1b[0m     greedy     7\n" +
		"b     höld     123\n" +
		"c\n"
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// TestNoTerminal: a buffer gets no progress, no colours, and has no size.
func TestNoTerminal(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, 10, "episodes")
	p.Set(3, "1 turns/s")
	p.Set(10, "")
	p.Close()
	if b.Len() != 0 {
		t.Errorf("a bar in a pipe: %q", b.String())
	}
	if rows, cols := Size(&b); rows != 0 || cols != 0 || Color(&b) || IsTerminal(&b) {
		t.Errorf("a buffer is a terminal of %dx%d", rows, cols)
	}
}
