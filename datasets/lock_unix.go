//go:build unix

// Keeping two writers out of one folder.

package datasets

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockDir takes a folder for one writer. The lock ends with the process, so a
// crash leaves none behind.
func lockDir(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w: another process is writing to %s", ErrExists, dir)
		}
		// A file system without locks: go on without.
		return func() {}, nil
	}
	return func() { _ = f.Close() }, nil
}
