//go:build cgo && myriant_testing

package main

/*
#include <stdint.h>
*/
import "C"

//export myriant_test_explode
func myriant_test_explode(handle C.uint64_t, board C.int64_t) C.int32_t {
	return C.int32_t(library.Explode(uint64(handle), int64(board)))
}

//export myriant_test_blocks
func myriant_test_blocks() C.int64_t {
	n, _ := library.Memory.Live()
	return C.int64_t(n)
}
