package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// wander plays every seat by draws that depend on the episode's seed, the
// turn and the seat alone: legal orders, and now and then any.
func wander(a *arena) batch.Actions {
	offsets := obs.View[int64](a.b.Array("ant_offsets"))
	masks := a.b.Array("ant_mask").Data
	seats := a.b.Sizes()["S"]
	acts := make([]byte, offsets[len(offsets)-1])
	for i := range a.slots {
		for s := range seats {
			rng := env.RNG(0)
			if e := a.slots[i].e; e != nil {
				rng = env.RNG(env.Derive(e.Seed, uint64(e.Turns), uint64(s)))
			}
			for j := offsets[i*seats+s]; j < offsets[i*seats+s+1]; j++ {
				acts[j] = byte(rng.Below(5))
				if masks[5*j+int64(acts[j])] == 0 && rng.Below(10) > 0 {
					acts[j] = ants.Stay
				}
			}
		}
	}
	return batch.Actions{Head: "ant", Uint8: acts}
}

// testMaps are boards of several sizes and numbers of seats.
func testMaps(t testing.TB) []env.Map {
	t.Helper()
	var maps []env.Map
	for _, id := range []string{"tiny-2p", "open-32x32-2p", "small-3p"} {
		m, err := ants.BundledMap(id)
		if err != nil {
			t.Fatal(err)
		}
		maps = append(maps, m)
	}
	return maps
}

// testPlan is a small dataset of several shards and groups, played by wander.
func testPlan(t testing.TB, change func(*Options)) *plan {
	t.Helper()
	o := Options{
		Out: filepath.Join(t.TempDir(), "data"), Rules: `{"name":"ladder","max_turns":30}`, Maps: testMaps(t), Policies: []string{"a", "b", "a"},
		Episodes: 40, Seed: 1<<60 + 1, ShardSize: 1800, CheckpointEvery: 7, Workers: 1, Boards: 8,
	}
	if change != nil {
		change(&o)
	}
	p, err := o.plan()
	if err != nil {
		t.Fatal(err)
	}
	p.choose = wander
	p.group = 700
	return p
}

func (p *plan) mustGenerate(t testing.TB) *Summary {
	t.Helper()
	s, err := p.generate(context.Background(), osDisk{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// folder maps the names of a folder's files to their hashes.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		sum := sha256.Sum256(data)
		files[filepath.ToSlash(name)] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sameFolder reports where two folders differ.
func sameFolder(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for name, sum := range want {
		if got[name] == "" {
			t.Errorf("%s: %s is missing", what, name)
		} else if got[name] != sum {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s: %s is too much", what, name)
		}
	}
}

func mustOpen(t testing.TB, dir string) *Dataset {
	t.Helper()
	d, err := Open(dir, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// readAll reads every episode that a folder lists.
func readAll(dir string) (episodes []*Episode, err error) {
	d, err := Open(dir, OpenOptions{})
	if err != nil {
		return nil, err
	}
	for e, err := range d.Episodes() {
		if err != nil {
			return episodes, err
		}
		episodes = append(episodes, e)
	}
	if len(episodes) != d.Len() {
		return episodes, fmt.Errorf("%d episodes of %d and no error", len(episodes), d.Len())
	}
	return episodes, nil
}

// sparse is 1, or in short runs how many cases a test skips for each that it
// tries.
func sparse() int {
	if testing.Short() {
		return 8
	}
	return 1
}

func mustHash(t testing.TB, k Kind, game string) string {
	t.Helper()
	hash, err := k.SchemaHash(game)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}
