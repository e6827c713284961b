package datasets

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/batch"
)

var errDead = errors.New("the process is dead")

// A mortalDisk fails for good after a number of operations, leaving the one
// that it died in half done: what a crash leaves.
type mortalDisk struct {
	osDisk
	left int
}

func (d *mortalDisk) op() error {
	if d.left <= 0 {
		return errDead
	}
	d.left--
	return nil
}

func (d *mortalDisk) mkdir(dir string) error {
	if err := d.op(); err != nil {
		return err
	}
	return d.osDisk.mkdir(dir)
}

func (d *mortalDisk) create(path string) (diskFile, error) {
	if err := d.op(); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	return &mortalFile{f, d}, err
}

func (d *mortalDisk) rename(from, to string) error {
	if err := d.op(); err != nil {
		return err
	}
	return d.osDisk.rename(from, to)
}

func (d *mortalDisk) remove(path string) error {
	if err := d.op(); err != nil {
		return err
	}
	return d.osDisk.remove(path)
}

func (d *mortalDisk) syncDir(string) error { return d.op() }

type mortalFile struct {
	*os.File
	d *mortalDisk
}

func (f *mortalFile) Write(p []byte) (int, error) {
	if err := f.d.op(); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

func (f *mortalFile) Sync() error { return f.d.op() }

func (f *mortalFile) Close() error {
	_ = f.File.Close()
	return f.d.op()
}

// At whichever operation a writer dies, the folder reads as the beginning of
// the dataset, and resuming leads to the same bytes.
func TestResumeAfterDeathAnywhere(t *testing.T) {
	whole := testPlan(t, nil)
	whole.mustGenerate(t)
	want := folder(t, whole.Out)
	all, err := readAll(whole.Out)
	if err != nil {
		t.Fatal(err)
	}
	stride := 2
	switch {
	case os.Getenv("MYRIANT_LONG") != "":
		stride = 1
	case testing.Short():
		stride = 13
	}
	died := 0
	for ops := 0; ; ops += stride {
		p := testPlan(t, func(o *Options) { o.Boards = 1 + ops%9 })
		_, err := p.generate(context.Background(), &mortalDisk{left: ops}, nil)
		if err == nil {
			break
		}
		if !errors.Is(err, errDead) {
			t.Fatalf("death after %d operations: %v", ops, err)
		}
		died++
		half, err := readAll(p.Out)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("death after %d operations leaves %v", ops, err)
		}
		if diff := cmp.Diff(all[:len(half)], half); diff != "" && len(half) > 0 {
			t.Fatalf("death after %d operations leaves other episodes:\n%s", ops, diff)
		}
		p.Resume = true
		// Every third time the one that resumes dies too.
		if ops%3 == 0 {
			if _, err := p.generate(context.Background(), &mortalDisk{left: ops / 2}, nil); err != nil && !errors.Is(err, errDead) {
				t.Fatalf("second death after %d operations: %v", ops, err)
			}
		}
		s := p.mustGenerate(t)
		if !s.Complete || s.Resumed < len(half) || s.Episodes != len(all) {
			t.Fatalf("after %d operations: %+v", ops, s)
		}
		sameFolder(t, fmt.Sprintf("death after %d operations", ops), folder(t, p.Out), want)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d deaths", died)
	if died*stride < 80 {
		t.Errorf("only %d operations in all", died*stride)
	}
}

// A fullDisk takes a number of bytes.
type fullDisk struct {
	osDisk
	room int64
}

func (d *fullDisk) create(path string) (diskFile, error) {
	f, err := os.Create(path)
	return &fullFile{f, d}, err
}

type fullFile struct {
	*os.File
	d *fullDisk
}

func (f *fullFile) Write(p []byte) (int, error) {
	n := min(int64(len(p)), f.d.room)
	f.d.room -= n
	if _, err := f.File.Write(p[:n]); err != nil {
		return 0, err
	}
	if int(n) < len(p) {
		return int(n), &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return len(p), nil
}

func TestFullDisk(t *testing.T) {
	for _, kind := range Kinds() {
		for _, format := range Formats() {
			t.Run(string(kind)+" "+format, func(t *testing.T) { testFullDisk(t, kind, format) })
		}
	}
}

func testFullDisk(t *testing.T, kind Kind, format string) {
	plan := func() *plan {
		p := testPlan(t, func(o *Options) {
			o.Kind, o.Format = kind, format
			if kind == Steps {
				o.Episodes, o.ShardSize = 8, 600_000
			}
		})
		if kind == Steps {
			p.group = 100_000
		}
		return p
	}
	whole := plan()
	whole.mustGenerate(t)
	want := folder(t, whole.Out)
	total := int64(0)
	for name := range want {
		info, err := os.Stat(filepath.Join(whole.Out, name))
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	for room := int64(0); room < total; room += int64(sparse())*total/12 + 1 {
		p := plan()
		_, err := p.generate(context.Background(), &fullDisk{room: room}, nil)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("with room for %d of %d bytes: %v", room, total, err)
		}
		if _, err := readAll(p.Out); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("with room for %d bytes the folder reads as %v", room, err)
		}
		for name := range folder(t, p.Out) {
			if strings.HasSuffix(name, tempSuffix) {
				t.Errorf("with room for %d bytes %s is left behind", room, name)
			}
		}
		p.Resume = true
		p.mustGenerate(t)
		sameFolder(t, fmt.Sprintf("room for %d bytes", room), folder(t, p.Out), want)
	}
}

func TestCancel(t *testing.T) {
	whole := testPlan(t, nil)
	whole.mustGenerate(t)
	p := testPlan(t, nil)
	choose, steps := p.choose, 0
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	p.choose = func(a *arena) (acts batch.Actions) {
		if steps++; steps == 60 {
			cancel(cause)
		}
		return choose(a)
	}
	if _, err := p.generate(ctx, osDisk{}, nil); !errors.Is(err, cause) {
		t.Fatalf("cancelled: %v", err)
	}
	half, err := readAll(p.Out)
	if err != nil || len(half) == 40 {
		t.Fatalf("%d episodes, %v", len(half), err)
	}
	p.choose, p.Resume = choose, true
	p.mustGenerate(t)
	sameFolder(t, "cancelled", folder(t, p.Out), folder(t, whole.Out))
}

func TestExistingFolder(t *testing.T) {
	ctx := context.Background()
	p := testPlan(t, nil)
	p.mustGenerate(t)
	before := folder(t, p.Out)
	if _, err := p.generate(ctx, osDisk{}, nil); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "40 of 40") {
		t.Errorf("a dataset is there: %v", err)
	}
	for name, c := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"seed":     {func(o *Options) { o.Seed++ }, "seed_plan is"},
		"episodes": {func(o *Options) { o.Episodes++ }, "episodes is 40, not 41"},
		"policies": {func(o *Options) { o.Policies = []string{"a"} }, "policies is"},
		"rules":    {func(o *Options) { o.Rules = "ladder" }, "rules is"},
		"maps":     {func(o *Options) { o.Maps = o.Maps[:2] }, "seed_plan is"},
		"interval": {func(o *Options) { o.CheckpointEvery++ }, "checkpoint_every is 7, not 8"},
		"shards":   {func(o *Options) { o.ShardSize++ }, "shard_size is 1800, not 1801"},
	} {
		q := testPlan(t, c.change)
		q.Out, q.Resume = p.Out, true
		if _, err := q.generate(ctx, osDisk{}, nil); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("resumed with another %s: %v, want %q", name, err, c.want)
		}
	}
	// A whole dataset is left alone, whatever else lies about.
	note := filepath.Join(p.Out, "NOTES.txt")
	if err := os.WriteFile(note, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(p.Out, shardName(77, "arrow")+tempSuffix)
	if err := os.WriteFile(left, []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.Resume = true
	s := p.mustGenerate(t)
	if s.Resumed != 40 || len(s.Removed) != 1 || s.Removed[0] != filepath.Base(left) {
		t.Errorf("resumed when whole: %+v", s)
	}
	if err := os.Remove(note); err != nil {
		t.Errorf("the user's file: %v", err)
	}
	sameFolder(t, "resumed when whole", folder(t, p.Out), before)

	// A listed shard that is damaged is not built upon.
	path := filepath.Join(p.Out, shardName(1, "arrow"))
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := p.generate(ctx, osDisk{}, nil); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), path) {
		t.Errorf("resumed with a damaged shard: %v", err)
	}

	q := testPlan(t, nil)
	if err := os.MkdirAll(q.Out, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(q.Out, "thesis.tex"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, resume := range []bool{false, true} {
		q.Resume = resume
		if _, err := q.generate(ctx, osDisk{}, nil); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "thesis.tex") {
			t.Errorf("a folder of something else (resume: %t): %v", resume, err)
		}
	}
}

func TestTwoWriters(t *testing.T) {
	p := testPlan(t, nil)
	choose := p.choose
	var second error
	p.choose = func(a *arena) batch.Actions {
		if second == nil {
			q := testPlan(t, nil)
			q.Out, q.Resume = p.Out, true
			_, second = q.generate(context.Background(), osDisk{}, nil)
		}
		return choose(a)
	}
	p.mustGenerate(t)
	if !errors.Is(second, ErrExists) {
		t.Errorf("a second writer in the same folder: %v", second)
	}
}

const (
	killedEnv     = "MYRIANT_TEST_KILLED_OUT"
	killedKindEnv = "MYRIANT_TEST_KILLED_KIND"
)

// TestKilledHelper is the process that TestKilled kills.
func TestKilledHelper(t *testing.T) {
	out := os.Getenv(killedEnv)
	if out == "" {
		t.Skip("runs in a process of its own, started by TestKilled")
	}
	kind, format, _ := strings.Cut(os.Getenv(killedKindEnv), " ")
	p := killedPlan(t, Kind(kind), format)
	p.Out, p.Resume = out, true
	p.mustGenerate(t)
}

func killedPlan(t *testing.T, kind Kind, format string) *plan {
	p := testPlan(t, func(o *Options) {
		o.Episodes, o.Rules, o.ShardSize, o.Boards = 400/sparse(), `{"name":"ladder","max_turns":200}`, 5000, 16
		o.Kind, o.Format = kind, format
		if kind == Steps {
			o.Episodes, o.ShardSize = o.Episodes/4, 300_000
		}
	})
	if kind == Steps {
		p.group = 100_000
	}
	return p
}

// TestKilled kills writers at random moments and resumes: every listed shard is
// whole at any time, and at the end the bytes are those of an undisturbed run.
func TestKilled(t *testing.T) {
	for _, kind := range Kinds() {
		for _, format := range Formats() {
			t.Run(string(kind)+" "+format, func(t *testing.T) { testKilled(t, kind, format) })
		}
	}
}

func testKilled(t *testing.T, kind Kind, format string) {
	p := killedPlan(t, kind, format)
	begun := time.Now()
	p.mustGenerate(t)
	takes := time.Since(begun)
	want := folder(t, p.Out)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	kills := 3
	switch {
	case os.Getenv("MYRIANT_LONG") != "":
		kills = 50
	case testing.Short():
		kills = 1
	}
	rng := rand.New(rand.NewPCG(1, 2))
	killed, whole := 0, 0
	// Kills do not add up to one run: when a folder is whole, the next begins.
	for out := ""; killed < kills; {
		if out == "" {
			out = filepath.Join(t.TempDir(), "data")
		}
		cmd := exec.Command(exe, "-test.run=^TestKilledHelper$", fmt.Sprintf("-test.short=%t", testing.Short()))
		cmd.Env = append(os.Environ(), killedEnv+"="+out, killedKindEnv+"="+string(kind)+" "+format)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20*time.Millisecond + time.Duration(rng.Int64N(int64(takes/2)+1)))
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			killed++
		}
		if half, err := readAll(out); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("after %d kills: %v", killed, err)
		} else if len(half) < p.Episodes && killed < kills {
			continue
		}
		q := killedPlan(t, kind, format)
		q.Out, q.Resume = out, true
		q.mustGenerate(t)
		sameFolder(t, fmt.Sprintf("%d kills", killed), folder(t, out), want)
		if whole++; whole > 3*kills+20 {
			t.Fatalf("%d kills in %d whole runs: processes end before they are killed", killed, whole)
		}
		out = ""
	}
	t.Logf("%d kills, %d folders", killed, whole)
}
