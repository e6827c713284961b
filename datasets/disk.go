// What makes files durable: a temporary name, sync, close, rename, and a sync
// of the folder.

package datasets

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// tempSuffix ends the name of a file that is not whole yet.
const tempSuffix = ".tmp"

// A disk is the file operations that writing takes. Tests break them.
type disk interface {
	mkdir(dir string) error
	create(path string) (diskFile, error)
	rename(from, to string) error
	remove(path string) error
	syncDir(dir string) error
}

type diskFile interface {
	io.Writer
	Sync() error
	Close() error
}

type osDisk struct{}

func (osDisk) mkdir(dir string) error               { return os.MkdirAll(dir, 0o777) }
func (osDisk) create(path string) (diskFile, error) { return os.Create(path) }
func (osDisk) rename(from, to string) error         { return os.Rename(from, to) }
func (osDisk) remove(path string) error             { return os.Remove(path) }

func (osDisk) syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// makeDir makes a folder and sees that its name lasts.
func makeDir(d disk, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.mkdir(dir); err != nil {
		return err
	}
	return d.syncDir(filepath.Dir(dir))
}

// An outFile is a file on its way to its name.
type outFile struct {
	disk disk
	path string
	f    diskFile
}

func createFile(d disk, path string) (*outFile, error) {
	f, err := d.create(path + tempSuffix)
	if err != nil {
		return nil, err
	}
	return &outFile{d, path, f}, nil
}

func (o *outFile) Write(p []byte) (int, error) { return o.f.Write(p) }

// commit makes the file whole and gives it its name.
func (o *outFile) commit() error {
	if err := o.f.Sync(); err != nil {
		o.abandon()
		return err
	}
	err := o.f.Close()
	o.f = nil
	if err == nil {
		err = o.disk.rename(o.path+tempSuffix, o.path)
	}
	if err != nil {
		o.abandon()
		return err
	}
	return o.disk.syncDir(filepath.Dir(o.path))
}

// abandon removes the file; what it cannot remove, resuming will.
func (o *outFile) abandon() {
	if o.f != nil {
		_ = o.f.Close()
	}
	_ = o.disk.remove(o.path + tempSuffix)
}

// writeFile writes a whole file, replacing what has its name.
func writeFile(d disk, path string, data []byte) error {
	o, err := createFile(d, path)
	if err != nil {
		return err
	}
	if _, err := o.Write(data); err != nil {
		o.abandon()
		return err
	}
	return o.commit()
}
