package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"github.com/myriant-rl/myriant/env"
)

// ErrSignature: a dataset that engines of another behaviour made.
var ErrSignature = errors.New("dataset of another engine")

// A Dataset is a folder that was opened for reading: all of it, or the whole
// shards of one that was interrupted. It is safe for concurrent use.
type Dataset struct {
	dir      string
	manifest *Manifest
	game     *game
	rules    string
	maps     map[string]*mapFile // by digest
	encoder  *encoder
	head     []byte // what goes before a group's bytes to read them, of Arrow files
	form     layoutOnce

	mu      sync.Mutex
	checked map[int]bool                   // shards whose hash was compared
	footers map[int]*metadata.FileMetaData // of some shards, cacheSize at most
	cache   []*cached                      // groups read last, the latest first
	idle    []*simulator                   // of readers that have ended, one a processor at most
}

// A cached group is one that is read once: its episodes, or its rows.
type cached struct {
	shard, group int
	once         sync.Once
	episodes     []*Episode
	rows         *Rows
	err          error
}

// cacheSize is how many groups, and footers, are kept.
const cacheSize = 8

// A mapFile is a map that is read when it is first asked for.
type mapFile struct {
	entry MapEntry
	once  sync.Once
	m     env.Map
	err   error
}

// OpenOptions change what Open accepts.
type OpenOptions struct {
	// AnyEngine reads a dataset whose behaviour signature is not this
	// engine's. Episodes may then not play as they were recorded.
	AnyEngine bool
}

// Open opens a dataset. Errors wrap ErrCorrupt, ErrSignature, or are the file
// system's.
func Open(dir string, o OpenOptions) (*Dataset, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return newDataset(dir, m, o)
}

func newDataset(dir string, m *Manifest, o OpenOptions) (*Dataset, error) {
	bad := func(err error) (*Dataset, error) {
		return nil, fmt.Errorf("%w: %s: %v", ErrCorrupt, filepath.Join(dir, manifestName), err)
	}
	d := &Dataset{dir: dir, manifest: m, maps: map[string]*mapFile{}, checked: map[int]bool{}, footers: map[int]*metadata.FileMetaData{}}
	var err error
	if d.game, err = gameNamed(m.Game); err != nil {
		return bad(err)
	}
	if d.rules, err = d.game.rules(string(m.Rules)); err != nil {
		return bad(err)
	}
	if string(m.Rules) != d.rules {
		return bad(fmt.Errorf("rules %s do not say everything, or in another way than %s", clip(m.Rules), clip([]byte(d.rules))))
	}
	if mine := d.game.signature(d.rules); m.Engine.Signature != mine && !o.AnyEngine {
		return nil, fmt.Errorf("%w: %s was made by engine %s, whose behaviour signature of these rules is %q; that of this engine, %s, is %q, so its episodes may play otherwise",
			ErrSignature, dir, m.Engine.Version, m.Engine.Signature, EngineVersion, mine)
	}
	if d.encoder, err = m.encoder(); err != nil {
		return bad(err)
	}
	if m.FileFormat == Arrow {
		if d.head, err = d.encoder.head(); err != nil {
			return bad(err)
		}
	}
	for _, e := range m.Maps {
		d.maps[e.Digest] = &mapFile{entry: e}
	}
	return d, nil
}

// Manifest is the manifest; the caller must not change it.
func (d *Dataset) Manifest() *Manifest { return d.manifest }

// Rules is the rule set's canonical JSON.
func (d *Dataset) Rules() string { return d.rules }

// Len is how many episodes can be read.
func (d *Dataset) Len() int { return d.manifest.written() }

// Map reads one of the dataset's maps. Errors wrap ErrCorrupt or are the file
// system's.
func (d *Dataset) Map(digest string) (env.Map, error) {
	f := d.maps[digest]
	if f == nil {
		return nil, fmt.Errorf("%w: %s: no map %.64q is listed", ErrCorrupt, filepath.Join(d.dir, manifestName), digest)
	}
	f.once.Do(func() {
		path := filepath.Join(d.dir, mapsDir, digest+".json")
		f.m, f.err = d.readMap(path, f.entry)
	})
	return f.m, f.err
}

// maxMap bounds the file that is read as a map.
const maxMap = 16 << 20

func (d *Dataset) readMap(path string, want MapEntry) (env.Map, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxMap {
		return nil, fmt.Errorf("%w: %s has %d bytes, want at most %d", ErrCorrupt, path, info.Size(), maxMap)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if sum := hexSum(data); sum != want.Digest {
		return nil, fmt.Errorf("%w: %s has the digest %s", ErrCorrupt, path, sum)
	}
	m, err := d.game.parseMap(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrCorrupt, path, err)
	}
	if rows, cols := m.Size(); m.Digest() != want.Digest || m.Seats() != want.Seats || rows != want.Rows || cols != want.Cols {
		return nil, fmt.Errorf("%w: %s is not the map that the manifest lists", ErrCorrupt, path)
	}
	return m, nil
}

// Episode reads episode e, 0..Len()-1, and of its shard no more than the rows
// around it. Of kind steps the episode is played once to pack its orders.
// Errors wrap ErrCorrupt, ErrReplay, or are the file system's.
func (d *Dataset) Episode(e int) (*Episode, error) {
	if e < 0 || e >= d.Len() {
		return nil, fmt.Errorf("episode %d of %d", e, d.Len())
	}
	if d.manifest.Kind == Steps {
		p := d.newPacker()
		defer p.close()
		return d.repack(p, e)
	}
	i, j := d.find(e)
	first := d.manifest.Shards[i].Groups[j].First
	rows, err := d.episodes(i, j)
	if err != nil {
		return nil, err
	}
	return rows[d.manifest.First+e-first], nil
}

// find tells in which shard and group episode e is, or of kind steps where to
// look for its beginning: it may be in the next group.
func (d *Dataset) find(e int) (shard, group int) {
	e += d.manifest.First
	shards := d.manifest.Shards
	i := sort.Search(len(shards), func(i int) bool { return shards[i].First+shards[i].Episodes > e })
	groups := shards[i].Groups
	j := sort.Search(len(groups), func(j int) bool { return groups[j].First >= e })
	if j == len(groups) || groups[j].First > e || j > 0 && d.manifest.Kind == Steps {
		j--
	}
	return i, j
}

// Episodes reads all episodes in order, each shard's hash first. It ends after
// an error, which wraps ErrCorrupt or is the file system's. Of kind steps each
// is played once to pack its orders, and errors can wrap ErrReplay.
func (d *Dataset) Episodes() iter.Seq2[*Episode, error] {
	if d.manifest.Kind == Steps {
		return d.repackAll
	}
	return func(yield func(*Episode, error) bool) {
		for i := range d.manifest.Shards {
			if err := d.checkShard(i); err != nil {
				yield(nil, err)
				return
			}
			for j := range d.manifest.Shards[i].Groups {
				rows, err := d.episodes(i, j)
				if err != nil {
					yield(nil, err)
					return
				}
				for _, e := range rows {
					if !yield(e, nil) {
						return
					}
				}
			}
		}
	}
}

// checkShard compares a shard's hash once.
func (d *Dataset) checkShard(i int) error {
	d.mu.Lock()
	checked := d.checked[i]
	d.mu.Unlock()
	if checked {
		return nil
	}
	if err := checkShardFile(d.dir, &d.manifest.Shards[i]); err != nil {
		return err
	}
	d.mu.Lock()
	d.checked[i] = true
	d.mu.Unlock()
	return nil
}

// checkShardFile tells whether a shard's file is what the manifest lists.
func checkShardFile(dir string, s *Shard) (err error) {
	path := filepath.Join(dir, s.Name)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() != s.Bytes {
		return fmt.Errorf("%w: %s has %d bytes, want %d", ErrCorrupt, path, info.Size(), s.Bytes)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != s.SHA256 {
		return fmt.Errorf("%w: %s has the SHA-256 %s, want %s", ErrCorrupt, path, got, s.SHA256)
	}
	return nil
}

// episodes are those of group j of shard i, of kind orders. Nobody may change
// them.
func (d *Dataset) episodes(i, j int) ([]*Episode, error) {
	c := d.cached(i, j)
	return c.episodes, c.err
}

// rows are those of group j of shard i, of kind steps. Nobody may change them.
func (d *Dataset) rows(i, j int) (*Rows, error) {
	c := d.cached(i, j)
	return c.rows, c.err
}

// cached reads a group unless it is one of the last.
func (d *Dataset) cached(i, j int) *cached {
	d.mu.Lock()
	at := slices.IndexFunc(d.cache, func(c *cached) bool { return c.shard == i && c.group == j })
	if at < 0 {
		if len(d.cache) < cacheSize {
			d.cache = append(d.cache, nil)
		}
		at = len(d.cache) - 1
		d.cache[at] = &cached{shard: i, group: j}
	}
	c := d.cache[at]
	copy(d.cache[1:at+1], d.cache[:at])
	d.cache[0] = c
	d.mu.Unlock()
	c.once.Do(func() { c.err = d.group(c) })
	if c.err != nil {
		d.mu.Lock()
		d.cache = slices.DeleteFunc(d.cache, func(o *cached) bool { return o == c })
		d.mu.Unlock()
	}
	return c
}

// group reads a group.
func (d *Dataset) group(c *cached) error {
	i, j := c.shard, c.group
	s := &d.manifest.Shards[i]
	g := &s.Groups[j]
	path := filepath.Join(d.dir, s.Name)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() != s.Bytes {
		return fmt.Errorf("%w: %s has %d bytes, want %d", ErrCorrupt, path, info.Size(), s.Bytes)
	}
	where := func(err error) error { return fmt.Errorf("%s: group %d: %w", path, j, err) }
	data := make([]byte, g.Bytes) // within the file, as was checked
	if _, err := f.ReadAt(data, g.Offset); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if got := hexSum(data); got != g.SHA256 {
		return where(fmt.Errorf("%w: SHA-256 %s, want %s", ErrCorrupt, got, g.SHA256))
	}
	// Buffers are padded, and what is decompressed is kept beside what is not.
	limit := int(min(2*g.Raw+2*g.Bytes+100*int64(len(d.head))+1<<16, maxGroupRaw))
	var rec arrow.Record
	if d.manifest.FileFormat == Parquet {
		meta, err := d.footer(f, i)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		rec, err = d.encoder.readParquetGroup(meta, s.Bytes, j, g.Offset, data, g.Rows, limit)
		if err != nil {
			return where(err)
		}
	} else if rec, err = readArrowGroup(d.head, data, g.Rows, limit); err != nil {
		return where(err)
	}
	if d.manifest.Kind == Steps {
		l, err := d.layout()
		if err != nil {
			return err
		}
		rows, err := l.readRows(rec)
		if err == nil {
			err = d.checkRows(rows, s, g)
		}
		if err != nil {
			return where(err)
		}
		c.rows = rows
		return nil
	}
	episodes, err := readEpisodes(rec)
	if err != nil {
		return where(err)
	}
	for k, e := range episodes {
		if err := d.check(e, uint64(g.First+k)); err != nil {
			return where(err)
		}
	}
	c.episodes = episodes
	return nil
}

// footer is the metadata of a Parquet shard.
func (d *Dataset) footer(f io.ReaderAt, i int) (*metadata.FileMetaData, error) {
	d.mu.Lock()
	meta := d.footers[i]
	d.mu.Unlock()
	if meta != nil {
		return meta, nil
	}
	s := &d.manifest.Shards[i]
	last := s.Groups[len(s.Groups)-1]
	tail := make([]byte, s.Bytes-last.Offset-last.Bytes)
	if _, err := f.ReadAt(tail, last.Offset+last.Bytes); err != nil {
		return nil, err
	}
	if got := hexSum(tail); got != s.Tail {
		return nil, fmt.Errorf("%w: its end has the SHA-256 %s, want %s", ErrCorrupt, got, s.Tail)
	}
	meta, err := readFooter(tail, s.Bytes)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.footers) >= cacheSize {
		clear(d.footers)
	}
	d.footers[i] = meta
	return meta, nil
}

// check tells whether a row can be what the manifest says.
func (d *Dataset) check(e *Episode, want uint64) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: episode %d: %s", ErrCorrupt, want, fmt.Sprintf(format, a...))
	}
	if e.ID != want {
		return bad("numbered %d", e.ID)
	}
	m := d.maps[e.Map]
	if m == nil {
		return bad("on a map that is not listed, %.64q", e.Map)
	}
	if len(e.Seats) != m.entry.Seats {
		return bad("%d seats on a map of %d", len(e.Seats), m.entry.Seats)
	}
	if limit := d.game.maxSteps(d.rules); e.Turns < 1 || e.Turns > limit {
		return bad("%d turns, want 1..%d", e.Turns, limit)
	}
	if n := checkpoints(e.Turns, d.manifest.CheckpointEvery); len(e.Checkpoints) != n {
		return bad("%d checkpoints in %d turns, want %d", len(e.Checkpoints), e.Turns, n)
	}
	return nil
}
