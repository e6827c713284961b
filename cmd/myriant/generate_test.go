package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/myriant-rl/myriant/datasets"
)

// folder is the hashes of all files of a folder, by path.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		rel, _ := filepath.Rel(dir, path)
		sums[rel] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

var small = []string{"generate", "--map", "tiny-2p", "--max-turns", "40", "--policies", "random,greedy", "--seed", "4"}

// varies is what of a summary depends on the clock and on how well orders pack.
var varies = regexp.MustCompile(`\S+ a second|time +\S+ s|\S+ bits each|size +\S+ \S+`)

func TestGenerate(t *testing.T) {
	t.Chdir(t.TempDir())
	args := append(slices.Clone(small), "--episodes", "12", "--out", "one")
	golden(t, "generate.txt", varies.ReplaceAllString(ok(t, append(args, "--workers", "1")...), "..."))
	d, err := datasets.Open("one", datasets.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Verify(context.Background(), datasets.VerifyOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if m := d.Manifest(); d.Len() != 12 || !m.Complete || !slices.Equal(m.Policies.Names, []string{"random", "greedy"}) {
		t.Errorf("%+v", m)
	}
	args[len(args)-1] = "two"
	r := parseJSON[generateResult](t, ok(t, append(args, "--workers", "3", "--json")...))
	if r.Episodes != 12 || r.Rules != "ladder" || !r.Complete || r.Turns == 0 || r.TurnsPerS == 0 || len(r.Firsts) != 2 || r.Firsts[0].Places+r.Firsts[1].Places < 12 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(folder(t, "one"), folder(t, "two")); diff != "" {
		t.Errorf("three workers write another folder (-one +three):\n%s", diff)
	}
	if got := ok(t, append(args, "--resume")...); !strings.Contains(got, "the dataset was complete; nothing was played") {
		t.Errorf("resuming a complete dataset prints\n%s", got)
	}
}

// TestGenerateInterrupted: the command says how to go on, that line goes on,
// and the folder is then as if nothing had happened.
func TestGenerateInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	args := append(slices.Clone(small), "--episodes", "400", "--shard-size", "8k")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		// Once the first file is whole.
		for ctx.Err() == nil {
			if _, err := os.Stat("data/shard-00000.arrow"); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r := myriantContext(ctx, args...)
	cancel()
	if r.code != exitInterrupted {
		t.Fatalf("exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
	}
	said := regexp.MustCompile(`^myriant: interrupted: data holds (\d+) of 400 episodes in whole files; go on with\n  myriant (.*)\n$`).FindStringSubmatch(r.stderr)
	if said == nil || said[1] == "0" {
		t.Fatalf("stderr %q", r.stderr)
	}
	line := strings.Fields(said[2])
	if want := append([]string{"generate"}, "--episodes", "400", "--map", "tiny-2p", "--max-turns", "40", "--policies", "random,greedy", "--seed", "4", "--shard-size", "8k", "--resume"); !slices.Equal(line, want) {
		t.Errorf("goes on with %q, want %q", line, want)
	}
	if got := ok(t, line...); !strings.Contains(got, "there before") {
		t.Errorf("resuming prints\n%s", got)
	}
	ok(t, append(args, "--out", "whole")...)
	if diff := cmp.Diff(folder(t, "whole"), folder(t, "data")); diff != "" {
		t.Errorf("(-undisturbed +resumed):\n%s", diff)
	}
}

func TestGenerateErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("full", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("full/notes.txt", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	with := func(args ...string) []string { return append(slices.Clone(small), args...) }
	fails(t, []failure{
		{with("--game", "chess"), exitUsage, `--game: unknown game "chess" (have ants, formica)`},
		{with("--map", "nowhere"), exitFailed, `"nowhere" is neither a file nor a bundled map`},
		{with("--policies", "bold"), exitUsage, `--policies: unknown policy "bold"`},
		{with("--episodes", "0"), exitUsage, "--episodes is 0, want 1 or more"},
		{with("--rules", "chess"), exitFailed, `no rule set "chess"`},
		{with("--kind", "pictures"), exitFailed, `no kind "pictures"`},
		{with("--format", "csv"), exitFailed, `no format "csv"`},
		{with("--shard-size", "many"), exitUsage, `no size "many", want a number of bytes such as 512k or 64M`},
		{with("--shard-size", "0"), exitUsage, `no size "0"`},
		{with("--shard-size", "9999999999G"), exitUsage, `no size "9999999999G"`},
		{with("--out", "full"), exitFailed, "full is not empty (notes.txt); choose another folder"},
		{with("--out", "full", "--resume"), exitFailed, "full is no dataset (notes.txt)"},
		{with("extra"), exitUsage, `one argument too many: "extra"`},
	})
	ok(t, with("--episodes", "2", "--out", "done")...)
	fails(t, []failure{
		{with("--episodes", "2", "--out", "done"), exitFailed, "done holds a dataset already (2 of 2 episodes)"},
		{with("--episodes", "3", "--out", "done", "--resume"), exitFailed, "done holds another dataset: its episodes is 2, not 3"},
	})
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "512": 512, "8k": 8 << 10, "8K": 8 << 10, "64M": 64 << 20, "2g": 2 << 30} {
		var b byteSize
		if err := b.Set(text); err != nil || int64(b) != want {
			t.Errorf("%s is %d, %v", text, b, err)
		}
		var again byteSize
		if err := again.Set(b.String()); err != nil || again != b {
			t.Errorf("%s is written as %s", text, b.String())
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"": "''", "data": "data", "a b": "'a b'", "it's": `'it'\''s'`, `{"name":"x"}`: `'{"name":"x"}'`, "generated:open:seats=2,seed=1": "generated:open:seats=2,seed=1"} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}
