package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"github.com/myriant-rl/myriant/env"
)

const (
	manifestName   = "manifest.json"
	mapsDir        = "maps"
	manifestFormat = "myriant-dataset"
	// maxManifest bounds the file that is read as one.
	maxManifest = 256 << 20
)

// ErrCorrupt: a file of a dataset that is not what its manifest says, or a
// manifest that contradicts itself. The error names the file.
var ErrCorrupt = errors.New("corrupt dataset")

// A Manifest is manifest.json. Everything but the shards and Complete is
// known before the first episode is played.
type Manifest struct {
	Format      string `json:"format"`  // "myriant-dataset"
	Version     int    `json:"version"` // FormatVersion
	Kind        Kind   `json:"kind"`
	FileFormat  string `json:"file_format"` // "arrow"
	Compression string `json:"compression"` // "zstd"
	Engine      Engine `json:"engine"`

	Game   string          `json:"game"`
	Rules  json.RawMessage `json:"rules"`       // every parameter of the rule set, without white space
	Schema string          `json:"schema_hash"` // Kind.SchemaHash

	First           int    `json:"first_episode"` // number of the first one: 0 unless it is a part
	Episodes        int    `json:"episodes"`      // that the dataset has when it is complete; while it is recorded, the most it can have
	Seeds           Seeds  `json:"seed_plan"`
	Policies        Policy `json:"policies"`
	CheckpointEvery int    `json:"checkpoint_every"` // steps
	ShardSize       int64  `json:"shard_size"`       // raw bytes

	Maps     []MapEntry `json:"maps"`
	Shards   []Shard    `json:"shards"`
	Complete bool       `json:"complete"`
}

// An Engine is what played.
type Engine struct {
	Version   string `json:"version"`
	Signature string `json:"signature"` // behaviour signature of the rule set
}

// Seeds are how the seed and the map of an episode follow from its number.
type Seeds struct {
	Seed seedText `json:"seed"`
	// EpisodeSeed and EpisodeMap say so in words; derive is env.Derive.
	EpisodeSeed string `json:"episode_seed"`
	EpisodeMap  string `json:"episode_map"`
}

// seedText is a 64-bit seed as a JSON string, which every reader keeps exact.
type seedText uint64

// MarshalText writes the seed in decimal.
func (s seedText) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(s), 10), nil }

// UnmarshalText reads a decimal seed.
func (s *seedText) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 10, 64)
	*s = seedText(v)
	return err
}

// A Policy entry says who plays.
type Policy struct {
	Names []string `json:"names"`
	Seats string   `json:"seats"` // how the names are given to the seats
}

// A MapEntry is one map of a dataset; the map itself is maps/DIGEST.json.
type MapEntry struct {
	Digest string `json:"digest"`
	ID     string `json:"id"`
	Seats  int    `json:"seats"`
	Rows   int    `json:"rows"`
	Cols   int    `json:"cols"`
}

// A Shard is one file of rows.
type Shard struct {
	Name     string  `json:"name"`
	First    int     `json:"first_episode"` // its number
	Episodes int     `json:"episodes"`
	Rows     int     `json:"rows"`
	Turns    int64   `json:"turns"`  // of all its episodes
	Orders   int64   `json:"orders"` // of all seats and turns
	Bytes    int64   `json:"bytes"`
	SHA256   string  `json:"sha256"`
	Groups   []Group `json:"groups"`
	Tail     string  `json:"tail_sha256"` // of what comes after the last group
}

// A Group is a run of rows that is read at once: one message of an Arrow file,
// one row group of a Parquet file.
type Group struct {
	First  int    `json:"first_episode"` // number of the first row's
	Rows   int    `json:"rows"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	Raw    int64  `json:"raw_bytes"`
	SHA256 string `json:"sha256"`
}

// manifest is the plan's manifest, without shards.
func (p *plan) manifest() *Manifest {
	schema, err := p.Kind.SchemaHash(p.Game)
	if err != nil {
		panic("datasets: a plan without a game: " + err.Error())
	}
	m := &Manifest{
		Format: manifestFormat, Version: FormatVersion, Kind: p.Kind, FileFormat: p.Format, Compression: "zstd",
		Engine: Engine{EngineVersion, p.game.signature(p.Rules)},
		Game:   p.Game, Rules: json.RawMessage(p.Rules), Schema: schema,
		First: p.First, Episodes: p.Episodes,
		Seeds: Seeds{seedText(p.Seed), fmt.Sprintf("derive(seed, %#x, episode)", uint64(seedStream)),
			fmt.Sprintf("maps[derive(seed, %#x, episode) mod %d]", uint64(mapStream), len(p.Maps))},
		Policies:        Policy{p.Policies, "names[seat mod number of names]"},
		CheckpointEvery: p.CheckpointEvery, ShardSize: p.ShardSize,
		Maps: []MapEntry{}, Shards: []Shard{},
	}
	if p.recorded {
		m.Seeds = Seeds{0, recordedPlan, recordedPlan}
		m.Policies.Seats = recordedPlan
	}
	for _, mp := range p.Maps {
		rows, cols := mp.Size()
		m.Maps = append(m.Maps, MapEntry{mp.Digest(), mp.ID(), mp.Seats(), rows, cols})
	}
	return m
}

// recordedPlan stands in a manifest's seed plan for what each row says itself:
// its episodes were played by somebody else, see Record.
const recordedPlan = "recorded"

// dictionaries are the names that rows can have, in the order of the shards'
// dictionaries.
func (m *Manifest) dictionaries() (dictionaries, error) {
	g, err := gameNamed(m.Game)
	if err != nil {
		return dictionaries{}, err
	}
	d := dictionaries{policies: distinct(m.Policies.Names), reasons: distinct(append(g.reasons(string(m.Rules)), Stopped))}
	for _, mp := range m.Maps {
		d.maps = append(d.maps, mp.Digest)
	}
	d.maps = distinct(d.maps)
	return d, nil
}

// distinct drops what was named before.
func distinct(names []string) []string {
	var first []string
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			first = append(first, n)
		}
	}
	return first
}

// encode is the manifest's file.
func (m *Manifest) encode() ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func (m *Manifest) write(d disk, dir string) error {
	data, err := m.encode()
	if err != nil {
		return err
	}
	return writeFile(d, filepath.Join(dir, manifestName), data)
}

// written is how many episodes the listed shards hold.
func (m *Manifest) written() int {
	n := 0
	for i := range m.Shards {
		n += m.Shards[i].Episodes
	}
	return n
}

// readManifest reads a dataset's manifest and checks that it agrees with
// itself. Errors wrap ErrCorrupt or are the file system's.
func readManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxManifest {
		return nil, fmt.Errorf("%w: %s has %d bytes, want at most %d", ErrCorrupt, path, info.Size(), maxManifest)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		// Of another version, it may well have other fields.
		var of struct {
			Format  string `json:"format"`
			Version int    `json:"version"`
		}
		if json.Unmarshal(data, &of) == nil && of.Format == manifestFormat && of.Version != FormatVersion {
			return nil, fmt.Errorf("%w: %s is of format version %d, want %d", ErrCorrupt, path, of.Version, FormatVersion)
		}
		return nil, fmt.Errorf("%w: %s: %v", ErrCorrupt, path, err)
	}
	var rules bytes.Buffer
	if err := json.Compact(&rules, m.Rules); err != nil {
		return nil, fmt.Errorf("%w: %s: rules: %v", ErrCorrupt, path, err)
	}
	m.Rules = rules.Bytes()
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrCorrupt, path, err)
	}
	return m, nil
}

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

func shardName(i int, format string) string { return fmt.Sprintf("shard-%05d.%s", i, format) }

// check tells whether the manifest agrees with itself.
func (m *Manifest) check() error {
	if m.Format != manifestFormat {
		return fmt.Errorf("format %q, want %q", m.Format, manifestFormat)
	}
	if m.Version != FormatVersion {
		return fmt.Errorf("format version %d, want %d", m.Version, FormatVersion)
	}
	if !slices.Contains(Kinds(), m.Kind) {
		return fmt.Errorf("kind %q (have %v)", m.Kind, Kinds())
	}
	if !slices.Contains(Formats(), m.FileFormat) || m.Compression != "zstd" {
		return fmt.Errorf("files of %s with %s compression", m.FileFormat, m.Compression)
	}
	want, err := m.Kind.SchemaHash(m.Game)
	if err != nil {
		return err
	}
	if m.Schema != want {
		return fmt.Errorf("schema hash %s, want %s", m.Schema, want)
	}
	if m.First < 0 || m.Episodes < 1 || m.Episodes > math.MaxInt32-m.First || m.CheckpointEvery < 1 || m.CheckpointEvery > math.MaxInt32 || m.ShardSize < 1 || m.ShardSize > maxShardSize {
		return fmt.Errorf("%d episodes, a checkpoint every %d steps, shards of %d bytes", m.Episodes, m.CheckpointEvery, m.ShardSize)
	}
	if len(m.Policies.Names) == 0 {
		return errors.New("no policies")
	}
	if len(m.Maps) == 0 {
		return errors.New("no maps")
	}
	for i, mp := range m.Maps {
		if !digestForm.MatchString(mp.Digest) {
			return fmt.Errorf("map %d has the digest %q", i, mp.Digest)
		}
	}
	first := m.First
	for i := range m.Shards {
		s := &m.Shards[i]
		if err := s.check(i, first, m); err != nil {
			return fmt.Errorf("shard %d: %w", i, err)
		}
		first += s.Episodes
	}
	if n := first - m.First; n > m.Episodes || m.Complete && n != m.Episodes {
		return fmt.Errorf("shards hold %d of %d episodes (complete: %t)", n, m.Episodes, m.Complete)
	}
	return nil
}

func (s *Shard) check(i, first int, m *Manifest) error {
	if want := shardName(i, m.FileFormat); s.Name != want {
		return fmt.Errorf("named %q, want %q", s.Name, want)
	}
	if s.First != first || s.Episodes < 1 || s.Episodes > math.MaxInt32-first || s.Rows < s.Episodes || m.Kind == Orders && s.Rows != s.Episodes {
		return fmt.Errorf("%d rows for %d episodes from %d, want from %d", s.Rows, s.Episodes, s.First, first)
	}
	if !digestForm.MatchString(s.SHA256) || !digestForm.MatchString(s.Tail) {
		return fmt.Errorf("sha256 %q, of the tail %q", s.SHA256, s.Tail)
	}
	rows, end, at := 0, int64(parquetMagic), first
	for j, g := range s.Groups {
		if g.First < at || g.First >= first+s.Episodes || j == 0 && g.First != first || m.Kind == Orders && g.First != first+rows {
			return fmt.Errorf("group %d begins with episode %d of %d from %d", j, g.First, s.Episodes, first)
		}
		at = g.First
		if g.Rows < 1 || g.Rows > s.Rows-rows || g.Offset < end || g.Bytes < 1 || g.Bytes > s.Bytes || g.Offset > s.Bytes-g.Bytes || g.Raw < 0 || g.Raw > maxGroupRaw || !digestForm.MatchString(g.SHA256) {
			return fmt.Errorf("group %d: %d rows in bytes %d+%d of %d, raw %d", j, g.Rows, g.Offset, g.Bytes, s.Bytes, g.Raw)
		}
		rows += g.Rows
		end = g.Offset + g.Bytes
	}
	if rows != s.Rows {
		return fmt.Errorf("groups hold %d of %d rows", rows, s.Rows)
	}
	return nil
}

// difference names the first field, shards and completeness aside, in which
// two manifests differ; "" when there is none.
func (m *Manifest) difference(o *Manifest) string {
	a, b := reflect.ValueOf(*m), reflect.ValueOf(*o)
	for i := range a.NumField() {
		field := a.Type().Field(i)
		if field.Name == "Shards" || field.Name == "Complete" {
			continue
		}
		x, errX := json.Marshal(a.Field(i).Interface())
		y, errY := json.Marshal(b.Field(i).Interface())
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			return fmt.Sprintf("%s is %s, not %s", field.Tag.Get("json"), clip(x), clip(y))
		}
	}
	return ""
}

// clip shortens a value for an error.
func clip(text []byte) string {
	if len(text) > 200 {
		return string(text[:200]) + ".."
	}
	return string(text)
}

// writeMaps writes the plan's maps.
func writeMaps(d disk, dir string, maps []env.Map) error {
	dir = filepath.Join(dir, mapsDir)
	if err := makeDir(d, dir); err != nil {
		return err
	}
	for _, m := range maps {
		path := filepath.Join(dir, m.Digest()+".json")
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, m.CanonicalJSON()) {
			continue
		}
		if err := writeFile(d, path, m.CanonicalJSON()); err != nil {
			return err
		}
	}
	return nil
}

// removeShards removes the listed shards.
func (m *Manifest) removeShards(d disk, dir string) error {
	var err error
	for i := range m.Shards {
		err = errors.Join(err, d.remove(filepath.Join(dir, m.Shards[i].Name)))
	}
	return err
}

// remove removes the manifest and the maps.
func (m *Manifest) remove(d disk, dir string) error {
	err := d.remove(filepath.Join(dir, manifestName))
	seen := map[string]bool{}
	for _, mp := range m.Maps {
		if !seen[mp.Digest] {
			seen[mp.Digest] = true
			err = errors.Join(err, d.remove(filepath.Join(dir, mapsDir, mp.Digest+".json")))
		}
	}
	return errors.Join(err, d.remove(filepath.Join(dir, mapsDir)))
}
