// Writing shards: rows come in the order of the episodes, groups and shards
// close at bounds that depend on the rows alone.

package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// A row is an episode with what its shard counts of it.
type row struct {
	*Episode
	orders int64
}

// A shardWriter writes the shards of a dataset, each listed in the manifest
// once it is whole.
type shardWriter struct {
	disk     disk
	dir      string
	manifest *Manifest
	encoder  *encoder
	head     int64 // bytes of a file before its first group
	most     int64 // raw bytes of a group

	out    *hashedFile
	arrow  *ipc.FileWriter
	shard  Shard
	size   int64 // raw bytes of the shard
	group  []*Episode
	raw    int64 // of the group
	listed int64 // bytes of the listed shards
}

// magic is the bytes of an Arrow file before its first message.
const magic = 8

// newShardWriter makes a writer of the shards that the manifest does not list;
// most is the raw bytes of a group.
func newShardWriter(d disk, dir string, m *Manifest, most int64) (*shardWriter, error) {
	enc, err := m.encoder()
	if err != nil {
		return nil, err
	}
	head, err := enc.head()
	if err != nil {
		return nil, err
	}
	w := &shardWriter{disk: d, dir: dir, manifest: m, most: most, encoder: enc, head: magic + int64(len(head))}
	for i := range m.Shards {
		w.listed += m.Shards[i].Bytes
	}
	return w, nil
}

// encoder is the encoder of the dataset's groups.
func (m *Manifest) encoder() (*encoder, error) {
	keys := []string{"myriant.version", "myriant.kind", "myriant.game", "myriant.rules", "myriant.engine", "myriant.signature", "myriant.schema_hash"}
	values := []string{strconv.Itoa(m.Version), string(m.Kind), m.Game, string(m.Rules), m.Engine.Version, m.Engine.Signature, m.Schema}
	meta := arrow.NewMetadata(keys, values)
	names, err := m.dictionaries()
	if err != nil {
		return nil, err
	}
	return newEncoder(arrow.NewSchema(m.Kind.Schema().Fields(), &meta), names), nil
}

// write adds the row of the next episode.
func (w *shardWriter) write(r row) error {
	raw := int64(r.rawBytes())
	if raw > maxShardSize {
		return fmt.Errorf("episode %d takes %d bytes, more than a shard can hold", r.ID, raw)
	}
	if w.out != nil && w.size+raw > w.manifest.ShardSize {
		if err := w.close(); err != nil {
			return err
		}
	}
	if w.out == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	if len(w.group) > 0 && w.raw+raw > w.most {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.group = append(w.group, r.Episode)
	w.raw += raw
	w.size += raw
	w.shard.Episodes++
	w.shard.Rows++
	w.shard.Turns += int64(r.Turns)
	w.shard.Orders += r.orders
	return nil
}

func (w *shardWriter) open() error {
	name := shardName(len(w.manifest.Shards), w.manifest.FileFormat)
	f, err := createFile(w.disk, filepath.Join(w.dir, name))
	if err != nil {
		return err
	}
	w.out = &hashedFile{out: f, sum: sha256.New()}
	w.shard = Shard{Name: name, First: w.manifest.written()}
	w.size, w.raw, w.group = 0, 0, w.group[:0]
	if w.arrow, err = ipc.NewFileWriter(w.out, shardOptions(w.encoder.schema)...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// flush writes the group.
func (w *shardWriter) flush() error {
	if len(w.group) == 0 {
		return nil
	}
	from := max(w.out.size, w.head)
	group := sha256.New()
	w.out.group, w.out.from = group, from
	rec, err := w.encoder.record(w.group)
	if err != nil {
		return fmt.Errorf("%s: %w", w.shard.Name, err)
	}
	defer rec.Release()
	if err := w.arrow.Write(rec); err != nil {
		return w.failure(err)
	}
	w.out.group = nil
	w.shard.Groups = append(w.shard.Groups, Group{Rows: len(w.group), Offset: from, Bytes: w.out.size - from, Raw: w.raw, SHA256: hex.EncodeToString(group.Sum(nil))})
	w.group, w.raw = w.group[:0], 0
	return nil
}

// failure is the disk's own error where there is one: arrow does not always
// wrap it.
func (w *shardWriter) failure(err error) error {
	if w.out.err != nil {
		err = w.out.err
	}
	return fmt.Errorf("%s: %w", w.shard.Name, err)
}

// close ends the shard, gives it its name, and lists it.
func (w *shardWriter) close() error {
	if w.out == nil {
		return nil
	}
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.arrow.Close(); err != nil {
		return w.failure(err)
	}
	w.shard.Bytes, w.shard.SHA256 = w.out.size, hex.EncodeToString(w.out.sum.Sum(nil))
	out := w.out.out
	w.out = nil
	if err := out.commit(); err != nil {
		return fmt.Errorf("%s: %w", w.shard.Name, err)
	}
	w.manifest.Shards = append(w.manifest.Shards, w.shard)
	w.manifest.Complete = w.manifest.written() == w.manifest.Episodes
	if err := w.manifest.write(w.disk, w.dir); err != nil {
		return err
	}
	w.listed += w.shard.Bytes
	return nil
}

// abandon drops the shard that is not whole.
func (w *shardWriter) abandon() {
	if w.out != nil {
		w.out.out.abandon()
		w.out = nil
	}
}

// bytes is how much was written, the open shard's part too.
func (w *shardWriter) bytes() int64 {
	if w.out == nil {
		return w.listed
	}
	return w.listed + w.out.size
}

// A hashedFile counts and hashes what is written to it. It seeks nowhere, but
// tells where it is, which is all that arrow's writer asks.
type hashedFile struct {
	out   *outFile
	sum   hash.Hash
	group hash.Hash // of the bytes from "from" on, when set
	from  int64
	size  int64
	err   error
}

func (f *hashedFile) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	f.sum.Write(p[:n])
	if f.group != nil {
		if skip := max(0, f.from-f.size); skip < int64(n) {
			f.group.Write(p[skip:n])
		}
	}
	f.size += int64(n)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}

var errSeek = errors.New("a shard is written from front to back")

// Seek tells the position.
func (f *hashedFile) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errSeek
	}
	return f.size, nil
}
