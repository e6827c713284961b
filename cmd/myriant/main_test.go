package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write the outputs in testdata again")

// ran is what a command line led to.
type ran struct {
	code   int
	stdout string
	stderr string
}

func myriant(args ...string) ran { return myriantContext(context.Background(), args...) }

func myriantContext(ctx context.Context, args ...string) ran {
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, &stdout, &stderr)
	return ran{code, stdout.String(), stderr.String()}
}

// ok runs a command that must succeed and write nothing to stderr.
func ok(t *testing.T, args ...string) string {
	t.Helper()
	r := myriant(args...)
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("myriant %s: exit code %d, stderr %q", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(testdata, name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// testdata is the folder, also for tests that go elsewhere.
var testdata = func() string {
	path, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return path
}()

// parseJSON reads JSON that a command printed; unknown fields are errors.
func parseJSON[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// failure is a command line that must fail.
type failure struct {
	args []string
	code int
	part string // of stderr
}

// fails checks that each command line fails, that it says why exactly once, and
// that it does not print its usage.
func fails(t *testing.T, list []failure) {
	t.Helper()
	for _, c := range list {
		r := myriant(c.args...)
		line := "myriant " + strings.Join(c.args, " ")
		if r.code != c.code || !strings.Contains(r.stderr, c.part) {
			t.Errorf("%s: exit code %d, stderr %q, want %d and %q", line, r.code, r.stderr, c.code, c.part)
		}
		if n := strings.Count(r.stderr+r.stdout, c.part); n > 1 {
			t.Errorf("%s: the error is printed %d times: %q", line, n, r.stderr)
		}
		if strings.Contains(r.stdout+r.stderr, "Usage:") {
			t.Errorf("%s: prints its usage: %q", line, r.stderr)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	fails(t, []failure{
		{[]string{"no-such"}, exitUsage, `no command "no-such"`},
		{[]string{"mops"}, exitUsage, `did you mean "maps"?`},
		{[]string{"maps", "shwo"}, exitUsage, `no command "shwo", did you mean "show"?`},
		{[]string{"maps", "shwo"}, exitUsage, "See 'myriant maps --help'."},
		{[]string{"maps", "show"}, exitUsage, "needs a map"},
		{[]string{"maps", "show", "tiny-2p", "extra"}, exitUsage, `one argument too many: "extra"`},
		{[]string{"maps", "show", "--no-such", "tiny-2p"}, exitUsage, "unknown flag: --no-such"},
		{[]string{"maps", "show", "--no-such", "tiny-2p"}, exitUsage, "See 'myriant maps show --help'."},
		{[]string{"maps", "generate", "--seats", "many"}, exitUsage, "--seats"},
		{[]string{"version", "extra"}, exitUsage, `one argument too many: "extra"`},
	})
}

// TestHelp: each command has a summary, each that runs has flags with a
// description, and those that are not obvious have examples that begin with
// the command's own name.
func TestHelp(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		help := ok(t, append(path, "--help")...)
		if cmd.Short == "" || !strings.Contains(help, "Usage:") {
			t.Errorf("%s has no help", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			if !strings.HasPrefix(strings.TrimSpace(line), "myriant ") {
				t.Errorf("%s: example %q", cmd.CommandPath(), line)
				continue
			}
			found, _, err := cmd.Root().Find(strings.Fields(line)[1:])
			if err != nil || !found.Runnable() {
				t.Errorf("%s: example %q runs no command", cmd.CommandPath(), line)
			}
		}
		for line := range strings.Lines(help) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 100 {
				t.Errorf("%s: a line of help of %d characters: %q", cmd.CommandPath(), n, line)
			}
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	walk(newRoot())
	for _, group := range [][]string{nil, {"data"}, {"maps"}, {"replay"}, {"policies"}} {
		if got := ok(t, group...); !strings.Contains(got, "Available Commands:") {
			t.Errorf("myriant %s prints %q", strings.Join(group, " "), got)
		}
	}
}

func TestVersion(t *testing.T) {
	v := parseJSON[versionInfo](t, ok(t, "version", "--json"))
	if v.Go == "" || v.Platform == "" || v.Version == "" {
		t.Errorf("%+v", v)
	}
	if got := ok(t, "version"); !strings.HasPrefix(got, "myriant "+v.Version) {
		t.Errorf("version prints %q", got)
	}
	// What the linker was told goes before the module's version.
	t.Cleanup(func() { version = "" })
	version = "1.2.3"
	if v := parseJSON[versionInfo](t, ok(t, "version", "--json")); v.Version != version {
		t.Errorf("version says %q, want %s", v.Version, version)
	}
	if got := ok(t, "version"); !strings.HasPrefix(got, "myriant 1.2.3") {
		t.Errorf("version prints %q", got)
	}
}
