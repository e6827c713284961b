// zstd of Parquet pages, with encoders that are used again: making one takes
// longer than compressing a page.

package datasets

import (
	"io"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

func init() { compress.RegisterCodec(compress.Codecs.Zstd, pagesCodec{}) }

// pagesCodec is zstd at one level whatever is asked, in one thread, so that
// equal pages give equal bytes.
type pagesCodec struct{}

var encoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		panic("datasets: no zstd encoder: " + err.Error())
	}
	return e
}}

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxGroupRaw))
	if err != nil {
		panic("datasets: no zstd decoder: " + err.Error())
	}
	return d
}}

// Encode compresses a page.
func (pagesCodec) Encode(dst, src []byte) []byte {
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	return e.EncodeAll(src, dst[:0])
}

// EncodeLevel is Encode.
func (c pagesCodec) EncodeLevel(dst, src []byte, _ int) []byte { return c.Encode(dst, src) }

// Decode decompresses a page. It panics on damage, as Parquet's readers expect.
func (pagesCodec) Decode(dst, src []byte) []byte {
	d := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(d)
	out, err := d.DecodeAll(src, dst[:0])
	if err != nil {
		panic(err)
	}
	return out
}

// CompressBound is the most bytes that n bytes can take.
func (pagesCodec) CompressBound(n int64) int64 { return n + n>>8 + 64 }

type pagesReader struct{ *zstd.Decoder }

func (r pagesReader) Close() error {
	r.Decoder.Close()
	return nil
}

// NewReader decompresses a stream.
func (pagesCodec) NewReader(r io.Reader) io.ReadCloser {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxGroupRaw))
	if err != nil {
		panic("datasets: no zstd decoder: " + err.Error())
	}
	return pagesReader{d}
}

type pagesWriter struct{ *zstd.Encoder }

func (w pagesWriter) Close() error {
	err := w.Encoder.Close()
	w.Reset(nil)
	encoders.Put(w.Encoder)
	return err
}

// NewWriter compresses a stream.
func (pagesCodec) NewWriter(w io.Writer) io.WriteCloser {
	e := encoders.Get().(*zstd.Encoder)
	e.Reset(w)
	return pagesWriter{e}
}

// NewWriterLevel is NewWriter.
func (c pagesCodec) NewWriterLevel(w io.Writer, _ int) (io.WriteCloser, error) {
	return c.NewWriter(w), nil
}
