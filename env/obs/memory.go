package obs

import "unsafe"

// Sizes of memory: a cache line, and a large page of the machines that most
// boards are stepped on.
const (
	align    = 64
	hugePage = 2 << 20
)

// Bytes allocates n zero bytes that begin at a cache line. Large ones begin at
// a large page and ask the system for such pages: boards are walked through in
// order, and each page that is small is one more table to look up.
func Bytes(n int) []byte {
	to := align
	if n >= hugePage {
		to = hugePage
	}
	raw := make([]byte, n+to)
	off := 0
	if rem := int(uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % uintptr(to)); rem != 0 {
		off = to - rem
	}
	mem := raw[off : off+n : off+n]
	if n >= hugePage {
		advise(mem)
	}
	return mem
}

// Advise asks the system for large pages for memory that is walked through in
// order. It is a hint: nothing depends on it.
func Advise(mem []byte) { advise(mem) }
