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
	"github.com/apache/arrow/go/v17/arrow/array"
)

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
	file   groupFile
	shard  Shard
	size   int64 // raw bytes of the shard
	group  Group // that is open
	listed int64 // bytes of the listed shards

	episodes []*Episode // of the group, of kind orders
	rows     *Rows      // of the group, of kind steps
	sim      *simulator // makes the rows of episodes, of kind steps
}

// A groupFile is a file of groups in one of the formats.
type groupFile interface {
	write(rec arrow.Record) error
	close() error
}

// magic is the bytes of an Arrow file before its first message.
const magic = 8

// maxEpisode is the most raw bytes of an episode of kind steps.
const maxEpisode = 1 << 29

// newShardWriter makes a writer of the shards that the manifest does not list;
// most is the raw bytes of a group.
func newShardWriter(d disk, dir string, m *Manifest, most int64) (*shardWriter, error) {
	enc, err := m.encoder()
	if err != nil {
		return nil, err
	}
	w := &shardWriter{disk: d, dir: dir, manifest: m, most: most, encoder: enc, head: parquetMagic}
	if m.FileFormat == Arrow {
		head, err := enc.head()
		if err == nil {
			head, err = layOutAll(head, magic)
		}
		if err != nil {
			return nil, err
		}
		w.head = magic + int64(len(head))
	}
	for i := range m.Shards {
		w.listed += m.Shards[i].Bytes
	}
	if m.Kind == Steps {
		// The maps were written before.
		d, err := newDataset(dir, m, OpenOptions{AnyEngine: true})
		if err != nil {
			return nil, err
		}
		if w.sim, err = d.newSimulator(); err != nil {
			return nil, err
		}
		w.rows = w.sim.layout.rows()
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
	schema, err := m.Kind.Schema(m.Game)
	if err != nil {
		return nil, err
	}
	return newEncoder(arrow.NewSchema(schema.Fields(), &meta), names), nil
}

// write adds the next episode.
func (w *shardWriter) write(e *Episode) error {
	if w.manifest.Kind == Steps {
		return w.writeSteps(e)
	}
	raw := int64(e.rawBytes())
	if raw > maxShardSize {
		return fmt.Errorf("episode %d takes %d bytes, more than a shard can hold", e.ID, raw)
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
	if w.group.Rows > 0 && w.group.Raw+raw > w.most {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.group.Rows == 0 {
		w.group.First = int(e.ID)
	}
	w.episodes = append(w.episodes, e)
	w.add(1, raw)
	w.count(e)
	return nil
}

// add counts rows of the group.
func (w *shardWriter) add(rows int, raw int64) {
	w.group.Rows += rows
	w.group.Raw += raw
	w.size += raw
	w.shard.Rows += rows
}

// count counts an episode of the shard.
func (w *shardWriter) count(e *Episode) {
	w.shard.Episodes++
	w.shard.Turns += int64(e.Turns)
	w.shard.Orders += e.Orders
}

// writeSteps adds the rows of the next episode. Groups close after the step
// with which they are large enough, shards after such an episode.
func (w *shardWriter) writeSteps(e *Episode) error {
	if w.out == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	before, had := w.size, w.rows.Len()
	raw := w.group.Raw
	err := w.sim.play(e, w.rows, func() error {
		if w.group.Rows == 0 {
			w.group.First = int(e.ID)
		}
		now := w.rows.raw()
		w.add(w.rows.Len()-had, now-raw)
		had, raw = w.rows.Len(), now
		if w.size-before > maxEpisode {
			return fmt.Errorf("episode %d takes more than %d bytes as steps; keep its orders", e.ID, maxEpisode)
		}
		if w.group.Raw < w.most {
			return nil
		}
		had, raw = 0, 0
		return w.flush()
	})
	if err != nil {
		return err
	}
	w.count(e)
	if w.size < w.manifest.ShardSize {
		return nil
	}
	return w.close()
}

func (w *shardWriter) open() error {
	name := shardName(len(w.manifest.Shards), w.manifest.FileFormat)
	f, err := createFile(w.disk, filepath.Join(w.dir, name))
	if err != nil {
		return err
	}
	w.out = &hashedFile{out: f, sum: sha256.New()}
	w.shard = Shard{Name: name, First: w.manifest.First + w.manifest.written()}
	w.size = 0
	w.clear()
	if w.manifest.FileFormat == Parquet {
		w.file, err = newParquetGroups(w.out, w.encoder.schema, &w.encoder.names)
	} else {
		w.file, err = newArrowGroups(w.out, w.encoder.schema)
	}
	if err != nil {
		return w.failure(err)
	}
	return nil
}

// clear begins a group.
func (w *shardWriter) clear() {
	w.group, w.episodes = Group{}, w.episodes[:0]
	if w.rows != nil {
		w.rows.Reset()
	}
}

// flush writes the group.
func (w *shardWriter) flush() error {
	if w.group.Rows == 0 {
		return nil
	}
	from := max(w.out.size, w.head)
	group := sha256.New()
	w.out.part, w.out.from = group, from
	var rec arrow.Record
	var err error
	if w.manifest.Kind == Steps {
		rec = w.rows.Record()
		rec = array.NewRecord(w.encoder.schema, rec.Columns(), rec.NumRows())
	} else {
		rec, err = w.encoder.record(w.episodes)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.shard.Name, err)
	}
	defer rec.Release()
	if err := w.file.write(rec); err != nil {
		return w.failure(err)
	}
	w.group.Offset, w.group.Bytes, w.group.SHA256 = from, w.out.size-from, hex.EncodeToString(group.Sum(nil))
	w.shard.Groups = append(w.shard.Groups, w.group)
	w.out.part, w.out.from = sha256.New(), w.out.size
	w.clear()
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
	if err := w.file.close(); err != nil {
		return w.failure(err)
	}
	if w.out.err != nil {
		return w.failure(w.out.err)
	}
	w.shard.Bytes, w.shard.SHA256 = w.out.size, hex.EncodeToString(w.out.sum.Sum(nil))
	w.shard.Tail = hex.EncodeToString(w.out.part.Sum(nil))
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

// abandon drops the shard that is not whole, and ends the writer.
func (w *shardWriter) abandon() {
	if w.out != nil {
		w.out.out.abandon()
		w.out = nil
	}
	if w.sim != nil {
		w.sim.close()
		w.sim = nil
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
	out  *outFile
	sum  hash.Hash
	part hash.Hash // of the bytes from "from" on, when set
	from int64
	size int64
	err  error
}

func (f *hashedFile) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	f.sum.Write(p[:n])
	if f.part != nil {
		if skip := max(0, f.from-f.size); skip < int64(n) {
			f.part.Write(p[skip:n])
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
