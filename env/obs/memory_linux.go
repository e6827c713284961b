package obs

import "syscall"

// advise asks for large pages. It is a hint: an error changes nothing.
func advise(mem []byte) {
	const madvHugepage = 14
	_ = syscall.Madvise(mem, madvHugepage)
}
