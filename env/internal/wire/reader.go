// Package wire reads the canonical encodings of states: fixed widths, little
// endian.
package wire

import (
	"encoding/binary"
	"fmt"

	"github.com/myriant-rl/myriant/env"
)

// A Reader takes values off untrusted bytes. After the first error all values
// are zero. What names the value for the error, which wraps env.ErrState.
type Reader struct {
	Data []byte
	Off  int // bytes taken
	Err  error
}

// Take is the next n bytes, or nil. They share the reader's memory.
func (r *Reader) Take(what string, n int) []byte {
	if r.Err != nil {
		return nil
	}
	if len(r.Data)-r.Off < n {
		r.Err = fmt.Errorf("%w: ends at byte %d, inside %s", env.ErrState, len(r.Data), what)
		return nil
	}
	b := r.Data[r.Off : r.Off+n]
	r.Off += n
	return b
}

// U8 is the next byte.
func (r *Reader) U8(what string) uint8 {
	if b := r.Take(what, 1); b != nil {
		return b[0]
	}
	return 0
}

// Flag is the next byte, which must be 0 or 1.
func (r *Reader) Flag(what string) bool {
	v := r.U8(what)
	if r.Err == nil && v > 1 {
		r.Err = fmt.Errorf("%w: %s is %d at byte %d, want 0 or 1", env.ErrState, what, v, r.Off-1)
	}
	return v == 1
}

// U16 is the next two bytes.
func (r *Reader) U16(what string) uint16 {
	if b := r.Take(what, 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 is the next four bytes.
func (r *Reader) U32(what string) uint32 {
	if b := r.Take(what, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// I32 is the next four bytes, signed.
func (r *Reader) I32(what string) int32 { return int32(r.U32(what)) }

// U64 is the next eight bytes.
func (r *Reader) U64(what string) uint64 {
	if b := r.Take(what, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// U16s is the next n pairs of bytes, or nil.
func (r *Reader) U16s(what string, n int) []uint16 {
	b := r.Take(what, 2*n)
	if b == nil {
		return nil
	}
	list := make([]uint16, n)
	for i := range list {
		list[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return list
}
