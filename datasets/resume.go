// Beginning a dataset, or going on with one that was interrupted.

package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ErrExists: a folder that already holds something else than what is to be
// written. Errors of Generate wrap it.
var ErrExists = errors.New("output folder is in use")

// ours are the names that an interrupted writer can leave behind.
var ours = regexp.MustCompile(`^(manifest\.json\.tmp|shard-[0-9]{5,}\.[a-z]+(\.tmp)?|maps/[0-9a-f]{64}\.json(\.tmp)?)$`)

// start makes the folder ready for the plan and returns its manifest, with the
// shards that are there already, and the leftovers that were removed.
func (p *plan) start(d disk) (m *Manifest, removed []string, err error) {
	want := p.manifest()
	names, err := listDir(p.Out)
	if err != nil {
		return nil, nil, err
	}
	have, err := readManifest(p.Out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		have = nil
	case err != nil:
		return nil, nil, err
	}
	if len(names) > 0 && !p.Resume {
		if have != nil {
			return nil, nil, fmt.Errorf("%w: %s holds a dataset already (%d of %d episodes); resume it or choose another folder", ErrExists, p.Out, have.written(), have.Episodes)
		}
		return nil, nil, fmt.Errorf("%w: %s is not empty (%s); choose another folder", ErrExists, p.Out, some(names))
	}
	if have != nil {
		if diff := have.difference(want); diff != "" {
			return nil, nil, fmt.Errorf("%w: %s holds another dataset: its %s", ErrExists, p.Out, diff)
		}
		want.Shards, want.Complete = have.Shards, have.Complete
		for i := range want.Shards {
			if err := checkShardFile(p.Out, &want.Shards[i]); err != nil {
				return nil, nil, err
			}
		}
	} else if foreign := slices.DeleteFunc(slices.Clone(names), ours.MatchString); len(foreign) > 0 {
		return nil, nil, fmt.Errorf("%w: %s is no dataset (%s); choose another folder", ErrExists, p.Out, some(foreign))
	}
	removed, err = removeLeftovers(d, p.Out, names, want)
	if err != nil {
		return nil, removed, err
	}
	if err := writeMaps(d, p.Out, p.Maps); err != nil {
		return nil, removed, err
	}
	if have == nil {
		err = want.write(d, p.Out)
	}
	return want, removed, err
}

// listDir lists what is in a folder, and in its folder of maps, with slashes.
// A folder that is not there is empty.
func listDir(dir string) ([]string, error) {
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() != mapsDir || !e.IsDir() {
			names = append(names, e.Name())
			continue
		}
		maps, err := os.ReadDir(filepath.Join(dir, mapsDir))
		if err != nil {
			return nil, err
		}
		for _, m := range maps {
			names = append(names, mapsDir+"/"+m.Name())
		}
	}
	return names, nil
}

// removeLeftovers removes the files of an interrupted writer that the manifest
// does not list.
func removeLeftovers(d disk, dir string, names []string, m *Manifest) (removed []string, err error) {
	keep := map[string]bool{}
	for _, s := range m.Shards {
		keep[s.Name] = true
	}
	for _, mp := range m.Maps {
		keep[mapsDir+"/"+mp.Digest+".json"] = true
	}
	for _, name := range names {
		if !ours.MatchString(name) || keep[name] {
			continue
		}
		if err := d.remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return removed, err
		}
		removed = append(removed, name)
	}
	return removed, nil
}

// some names a few files of many.
func some(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}
