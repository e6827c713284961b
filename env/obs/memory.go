package obs

import "unsafe"

// Sizes of memory: a cache line, and a large page of the machines that most
// boards are stepped on.
const (
	align    = 64
	hugePage = 2 << 20
)

// Align is what n bytes begin at a multiple of: a cache line, or where they
// fill one, a large page.
func Align(n int) int {
	if n >= hugePage {
		return hugePage
	}
	return align
}

// Bytes allocates n zero bytes that begin as Align says. Large ones ask the
// system for large pages: boards are walked through in order, and each page
// that is small is one more table to look up.
func Bytes(n int) []byte {
	to := Align(n)
	raw := make([]byte, n+to)
	off := 0
	if rem := int(uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % uintptr(to)); rem != 0 {
		off = to - rem
	}
	mem := raw[off : off+n : off+n]
	Advise(mem)
	return mem
}

// Advise asks the system for large pages for memory that is walked through in
// order and fills one. It is a hint: nothing depends on it.
func Advise(mem []byte) {
	if len(mem) >= hugePage {
		advise(mem)
	}
}
