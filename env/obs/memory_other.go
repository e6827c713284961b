//go:build !linux

package obs

func advise([]byte) {}
