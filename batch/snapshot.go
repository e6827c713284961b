package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrSnapshot: bytes that are no snapshot, or one of other boards. Errors of
// Restore wrap it or env.ErrState.
var ErrSnapshot = errors.New("bad snapshot")

const (
	snapshotMagic   = "MYRSNAP\x01"
	snapshotHeader  = len(snapshotMagic) + 8 + 4
	snapshotPrelude = 32 + 3*8 + 4 // map digest, stream, length
)

// rulesTag tells rule sets apart.
func (b *Batch) rulesTag() uint64 {
	sum := sha256.Sum256([]byte(b.cfg.Game + "\x00" + b.k.Rules()))
	return binary.LittleEndian.Uint64(sum[:])
}

func mapTag(digest string) [32]byte { return sha256.Sum256([]byte(digest)) }

// Snapshot returns some boards as bytes: state, generators, statistics and the
// stream of episode seeds. A restored board plays on exactly as the original
// would have.
func (b *Batch) Snapshot(boards []int) ([]byte, error) {
	if err := b.Ready(); err != nil {
		return nil, err
	}
	if err := b.inRange(boards); err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	data := append([]byte(nil), snapshotMagic...)
	data = le.AppendUint64(data, b.rulesTag())
	data = le.AppendUint32(data, uint32(len(boards)))
	for _, i := range boards {
		tag := mapTag(b.cfg.Maps[b.cfg.MapOf[i]].Digest())
		data = append(data, tag[:]...)
		s := b.streams[i]
		data = le.AppendUint64(data, s.seed)
		data = le.AppendUint64(data, s.board)
		data = le.AppendUint64(data, s.episode)
		at := len(data)
		data = le.AppendUint32(data, 0)
		data = b.k.AppendBoard(data, i)
		le.PutUint32(data[at:], uint32(len(data)-at-4))
	}
	return data, nil
}

// Restore puts the boards of a snapshot, in its order, in place of the given
// ones, which must be on the same maps. On an error nothing has changed.
func (b *Batch) Restore(boards []int, data []byte) error {
	if err := b.Ready(); err != nil {
		return err
	}
	before, err := b.Snapshot(boards)
	if err != nil {
		return err
	}
	if err := b.restore(boards, data); err != nil {
		if again := b.restore(boards, before); again != nil {
			panic("batch: a snapshot just taken does not restore: " + again.Error())
		}
		return err
	}
	b.Refresh()
	return nil
}

func (b *Batch) restore(boards []int, data []byte) error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", ErrSnapshot, fmt.Sprintf(format, a...))
	}
	le := binary.LittleEndian
	if len(data) < snapshotHeader || string(data[:len(snapshotMagic)]) != snapshotMagic {
		return bad("no snapshot header")
	}
	if le.Uint64(data[len(snapshotMagic):]) != b.rulesTag() {
		return bad("made under other rules")
	}
	if n := le.Uint32(data[len(snapshotMagic)+8:]); int(n) != len(boards) {
		return bad("%d boards, want %d", n, len(boards))
	}
	rest := data[snapshotHeader:]
	for j, i := range boards {
		if len(rest) < snapshotPrelude {
			return bad("ends inside entry %d", j)
		}
		if tag := mapTag(b.cfg.Maps[b.cfg.MapOf[i]].Digest()); string(tag[:]) != string(rest[:32]) {
			return bad("entry %d is of another map than board %d", j, i)
		}
		n := uint64(le.Uint32(rest[56:]))
		if uint64(len(rest)-snapshotPrelude) < n {
			return bad("ends inside entry %d", j)
		}
		if err := b.k.LoadBoard(i, rest[snapshotPrelude:snapshotPrelude+int(n)]); err != nil {
			return fmt.Errorf("%w: entry %d: %w", ErrSnapshot, j, err)
		}
		b.streams[i] = stream{le.Uint64(rest[32:]), le.Uint64(rest[40:]), le.Uint64(rest[48:])}
		rest = rest[snapshotPrelude+int(n):]
	}
	if len(rest) != 0 {
		return bad("%d bytes after the end", len(rest))
	}
	return nil
}

// Clone makes board dst[j] the same as board src[j], for all j in order. The
// boards of a pair must be on the same map.
func (b *Batch) Clone(dst, src []int) error {
	if err := b.Ready(); err != nil {
		return err
	}
	if len(dst) != len(src) {
		return fmt.Errorf("%w: %d boards to clone onto %d", ErrConfig, len(src), len(dst))
	}
	if err := errors.Join(b.inRange(dst), b.inRange(src)); err != nil {
		return err
	}
	for j, d := range dst {
		if b.cfg.MapOf[d] != b.cfg.MapOf[src[j]] {
			return fmt.Errorf("%w: board %d is on another map than board %d", ErrConfig, d, src[j])
		}
	}
	for j, d := range dst {
		b.k.CopyBoard(d, src[j])
		b.streams[d] = b.streams[src[j]]
	}
	b.Refresh()
	return nil
}

// Mark remembers every board as it is, in memory and without encoding, for
// Rewind: the root of a search, or the start of a measured run.
func (b *Batch) Mark() error {
	if err := b.Ready(); err != nil {
		return err
	}
	b.marked = append(b.marked[:0], b.streams...)
	b.k.Mark()
	return nil
}

// Rewind puts every board back to where it was at the last Mark.
func (b *Batch) Rewind() error {
	if err := b.Ready(); err != nil {
		return err
	}
	if b.marked == nil {
		return fmt.Errorf("%w: rewind without a mark", ErrSnapshot)
	}
	copy(b.streams, b.marked)
	b.k.Rewind()
	b.Refresh()
	return nil
}
