// Arrow files whose buffers begin at multiples of 64 bytes. The arrow library
// writes them at multiples of 8, so messages are laid out anew on their way to
// the file: the same messages, with more padding.

package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// flat is a table in FlatBuffers' form: where it begins in a buffer. What arrow
// has written is trusted.
type flat struct {
	buf []byte
	at  int
}

// root is the table that a buffer begins with an offset to.
func root(buf []byte) flat { return flat{buf, int(binary.LittleEndian.Uint32(buf))} }

func (f flat) uint(at int) int { return int(binary.LittleEndian.Uint32(f.buf[at:])) }

// field is where field i of the table is, 0 if it is absent.
func (f flat) field(i int) int {
	vtable := f.at - int(int32(f.uint(f.at)))
	if 4+2*i >= int(binary.LittleEndian.Uint16(f.buf[vtable:])) {
		return 0
	}
	if o := int(binary.LittleEndian.Uint16(f.buf[vtable+4+2*i:])); o != 0 {
		return f.at + o
	}
	return 0
}

// follow is what field i, an offset, leads to: a table or a vector.
func (f flat) follow(i int) flat {
	at := f.field(i)
	return flat{f.buf, at + f.uint(at)}
}

// Fields of Arrow's tables, as its format numbers them.
const (
	messageType, messageHeader, messageBody = 1, 2, 3 // Message: header_type, header, bodyLength
	dictionaryData                          = 1       // DictionaryBatch: data
	batchBuffers                            = 2       // RecordBatch: buffers, a vector of (offset, length)
	footerDictionaries, footerBatches       = 2, 3    // Footer: vectors of (offset, metaDataLength, bodyLength)

	typeDictionary, typeBatch = 2, 3 // of a message's header

	bufferBytes, blockBytes = 16, 24
	prefixBytes             = 8 // of a message: the mark, and how long its metadata is
)

func padding(n int64) int64 { return -n & (align - 1) }

// A fileBlock is where a message is in a file: how a footer lists it.
type fileBlock struct{ offset, meta, body int64 }

// layOut appends the message that data begins with to dst, so laid out that its
// buffers are aligned in a file in which it begins at offset. n is how much of data
// the message was.
func layOut(dst, data []byte, offset int64) (out []byte, n int, b fileBlock, err error) {
	if len(data) < prefixBytes || binary.LittleEndian.Uint32(data) != 1<<32-1 {
		return nil, 0, b, errors.New("no message")
	}
	meta := append([]byte(nil), data[prefixBytes:prefixBytes+int(binary.LittleEndian.Uint32(data[4:]))]...)
	message := root(meta)
	body := int64(0)
	if at := message.field(messageBody); at != 0 {
		body = int64(binary.LittleEndian.Uint64(meta[at:]))
	}
	n = prefixBytes + len(meta) + int(body)
	batch := message.follow(messageHeader)
	switch meta[message.field(messageType)] {
	case typeDictionary:
		batch = batch.follow(dictionaryData)
	case typeBatch:
	default:
		return append(dst, data[:n]...), n, fileBlock{offset, int64(prefixBytes + len(meta)), body}, nil
	}
	old := data[prefixBytes+len(meta) : n]
	pad := padding(offset + prefixBytes + int64(len(meta)))
	buffers := batch.follow(batchBuffers)
	var laid int64
	type move struct{ from, to, bytes int64 }
	var moves []move
	for i := range buffers.uint(buffers.at) {
		entry := meta[buffers.at+4+i*bufferBytes:]
		from, bytes := int64(binary.LittleEndian.Uint64(entry)), int64(binary.LittleEndian.Uint64(entry[8:]))
		binary.LittleEndian.PutUint64(entry, uint64(laid))
		moves = append(moves, move{from, laid, bytes})
		laid += bytes + padding(bytes)
	}
	if at := message.field(messageBody); at != 0 {
		binary.LittleEndian.PutUint64(meta[at:], uint64(laid))
	}
	dst = append(dst, 0xFF, 0xFF, 0xFF, 0xFF)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(int64(len(meta))+pad))
	dst = append(append(dst, meta...), make([]byte, pad)...)
	at := int64(len(dst))
	dst = append(dst, make([]byte, laid)...)
	for _, m := range moves {
		copy(dst[at+m.to:], old[m.from:m.from+m.bytes])
	}
	return dst, n, fileBlock{offset, prefixBytes + int64(len(meta)) + pad, laid}, nil
}

// layOutAll is layOut of all messages of data, one after the other.
func layOutAll(data []byte, offset int64) (out []byte, err error) {
	for len(data) > 0 {
		var n int
		if out, n, _, err = layOut(out, data, offset+int64(len(out))); err != nil {
			return nil, err
		}
		data = data[n:]
	}
	return out, nil
}

// An aligner takes what arrow writes as a file, and writes it with its buffers
// aligned. It fills io.WriteSeeker as far as arrow needs it.
type aligner struct {
	out     io.Writer
	pos     int64 // of arrow
	offset  int64 // of the file
	pending []byte
	blocks  map[int64]fileBlock // by the offset that arrow knows
}

func (a *aligner) Write(p []byte) (int, error) {
	a.pending = append(a.pending, p...)
	a.pos += int64(len(p))
	return len(p), nil
}

// Seek tells where arrow is, and goes nowhere.
func (a *aligner) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("an Arrow file is written in order")
	}
	return a.pos, nil
}

func (a *aligner) write(p []byte) error {
	n, err := a.out.Write(p)
	a.offset += int64(n)
	return err
}

// flush writes the messages that arrow has written.
func (a *aligner) flush() error {
	if a.offset == 0 && len(a.pending) >= magic {
		if err := a.write(a.pending[:magic]); err != nil {
			return err
		}
		a.pending = a.pending[magic:]
	}
	at := a.pos - int64(len(a.pending))
	var out []byte
	for rest := a.pending; len(rest) > 0; {
		next, n, b, err := layOut(out, rest, a.offset+int64(len(out)))
		if err != nil {
			return err
		}
		a.blocks[at] = b
		out, rest, at = next, rest[n:], at+int64(n)
	}
	a.pending = a.pending[:0]
	return a.write(out)
}

// finish writes the file's end: a footer, in which the blocks are now elsewhere,
// its length, and the magic.
func (a *aligner) finish() error {
	if a.offset == 0 { // a file without groups
		return a.write(a.pending)
	}
	const end = 4 + 6
	size := len(a.pending) - end
	if size < 0 || int(binary.LittleEndian.Uint32(a.pending[size:])) != size {
		return fmt.Errorf("an Arrow footer of %d bytes", size)
	}
	footer := root(a.pending[:size])
	for _, i := range []int{footerDictionaries, footerBatches} {
		if footer.field(i) == 0 {
			continue
		}
		list := footer.follow(i)
		for k := range list.uint(list.at) {
			entry := a.pending[list.at+4+k*blockBytes:]
			b, ok := a.blocks[int64(binary.LittleEndian.Uint64(entry))]
			if !ok {
				return errors.New("an Arrow footer lists what was not written")
			}
			binary.LittleEndian.PutUint64(entry, uint64(b.offset))
			binary.LittleEndian.PutUint32(entry[8:], uint32(b.meta))
			binary.LittleEndian.PutUint64(entry[16:], uint64(b.body))
		}
	}
	return a.write(a.pending)
}
