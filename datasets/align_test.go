package datasets

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// buffersOf are the file's places of a record batch's buffers, given the message
// and where it begins. Message.header is field 2, RecordBatch.buffers is field 2:
// a vector of structs of offset and length.
func buffersOf(message []byte, begin int64) (places, lengths []int64) {
	size := int(binary.LittleEndian.Uint32(message[4:]))
	meta := message[8 : 8+size]
	v := root(meta).follow(2).follow(2)
	for i := range v.uint(v.at) {
		at := v.at + 4 + 16*i
		places = append(places, begin+8+int64(size)+int64(binary.LittleEndian.Uint64(meta[at:])))
		lengths = append(lengths, int64(binary.LittleEndian.Uint64(meta[at+8:])))
	}
	return places, lengths
}

// TestBuffersAreAligned: every buffer of an Arrow shard begins at a multiple of
// 64 bytes of its file, and lies in its group.
func TestBuffersAreAligned(t *testing.T) {
	stepPlans(t, func(t *testing.T, _ string, plan func(func(*Options)) *plan) {
		for _, kind := range Kinds() {
			p := plan(func(o *Options) { o.Kind = kind })
			p.mustGenerate(t)
			m := mustOpen(t, p.Out).Manifest()
			n := 0
			for _, s := range m.Shards {
				data, err := os.ReadFile(filepath.Join(p.Out, s.Name))
				if err != nil {
					t.Fatal(err)
				}
				for j, g := range s.Groups {
					places, lengths := buffersOf(data[g.Offset:g.Offset+g.Bytes], g.Offset)
					for i, at := range places {
						if lengths[i] == 0 {
							continue
						}
						n++
						if at%64 != 0 || at < g.Offset || at+lengths[i] > g.Offset+g.Bytes {
							t.Errorf("%s, group %d: buffer %d of %d bytes begins at %d of the file, %d beyond a multiple of 64", s.Name, j, i, lengths[i], at, at%64)
						}
					}
				}
			}
			if n < 50 {
				t.Errorf("%s: only %d buffers", kind, n)
			}
		}
	})
}
