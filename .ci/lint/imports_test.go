package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestImports holds the tree to the table.
func TestImports(t *testing.T) {
	g, err := Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	if g.Module != "github.com/myriant-rl/myriant" {
		t.Fatalf("go list found module %q", g.Module)
	}
	imports := 0
	for _, p := range g.Packages {
		imports += len(p.Code) + len(p.Tests)
	}
	t.Logf("%d packages with %d imports against %d rules", len(g.Packages), imports, len(Rules))
	for _, line := range Check(g, Rules) {
		t.Error(line)
	}
}

// TestRulesCatch builds a graph with one package that breaks a rule and
// expects exactly that rule to name it.
func TestRulesCatch(t *testing.T) {
	const m = "example.org/ours"
	// The packages that chains go through. They break no rule themselves.
	base := []Package{
		{Path: m + "/env", Code: []string{"errors"}},
		{Path: m + "/env/ants", Code: []string{m + "/env"}},
		{Path: m + "/env/ants/antsref", Code: []string{m + "/env/ants"}},
		{Path: m + "/env/envtest", Code: []string{m + "/env", "testing"}},
		{Path: m + "/env/helper", Code: []string{m + "/env/ants/antsref"}},
		{Path: m + "/batch/arrowexport", Code: []string{"github.com/apache/arrow/go/v17/arrow", m + "/batch"}},
		{Path: m + "/datasets", Code: []string{"github.com/apache/arrow/go/v17/parquet", m + "/env/ants/antsref"}},
		{Path: m + "/cmd/myriant", Code: []string{"github.com/spf13/cobra", m + "/cmd/internal/match", m + "/datasets"}},
	}
	for _, c := range []struct {
		name  string
		add   Package
		wants []string // each must be part of one line; as many lines as entries
	}{
		{"clean", Package{Path: m + "/batch", Code: []string{"sync", m + "/env/ants"}, Tests: []string{m + "/env/ants/antsref", "pgregory.net/rapid"}}, nil},
		{"env to a third party", Package{Path: m + "/env/replay", Code: []string{"golang.org/x/sys/cpu"}}, []string{"env/replay imports golang.org/x/sys/cpu: env is the bottom"}},
		{"env test to a third party", Package{Path: m + "/env/replay", Tests: []string{"pgregory.net/rapid"}}, nil},
		{"env to batch", Package{Path: m + "/env/replay", Code: []string{m + "/batch"}}, []string{"env is the bottom", "tests of env"}},
		{"env test to batch", Package{Path: m + "/env/replay", Tests: []string{m + "/batch"}}, []string{"env/replay imports " + m + "/batch: tests of env"}},
		{"env sees its name only", Package{Path: m + "/environ", Code: []string{"golang.org/x/sys/cpu"}}, nil},
		{"declarations to the reference", Package{Path: m + "/env/obs", Code: []string{m + "/env/ants/antsref"}}, []string{"must not depend on its reference"}},
		{"declarations to the reference by a detour", Package{Path: m + "/env/obs", Code: []string{m + "/env/helper"}}, []string{"env/helper, which imports " + m + "/env/ants/antsref"}},
		{"batch to the reference", Package{Path: m + "/batch/internal/square", Code: []string{m + "/env/ants/antsref"}}, []string{"independence"}},
		{"batch to the reference by a detour", Package{Path: m + "/batch", Code: []string{m + "/env/helper"}}, []string{"env/helper, which imports"}},
		{"batch to the suite", Package{Path: m + "/batch", Code: []string{m + "/env/envtest"}}, []string{"independence"}},
		{"batch test to bench", Package{Path: m + "/batch", Tests: []string{m + "/bench"}}, []string{"nothing of ours above it"}},
		{"batch to arrow", Package{Path: m + "/batch", Code: []string{"github.com/apache/arrow/go/v17/arrow"}}, []string{"only the exporter"}},
		{"kernel contract to a game", Package{Path: m + "/batch/internal/kernel", Code: []string{m + "/env/ants"}}, []string{"know no game"}},
		{"bits to a game", Package{Path: m + "/batch/internal/bits", Code: []string{m + "/env/ants"}}, []string{"know no game"}},
		{"bench to a command", Package{Path: m + "/bench", Tests: []string{m + "/cmd/myriant"}}, []string{"commands are above them"}},
		{"bench to arrow", Package{Path: m + "/bench", Code: []string{"github.com/apache/arrow/go/v17/arrow"}}, []string{"only the exporter"}},
		{"datasets to a command's package", Package{Path: m + "/datasets/schema", Code: []string{m + "/cmd/internal/match"}}, []string{"commands are above them", "serves commands only"}},
		{"datasets to cobra", Package{Path: m + "/datasets/schema", Code: []string{"github.com/spf13/cobra"}}, []string{"stay under cmd"}},
		{"a command's package", Package{Path: m + "/cmd/internal/match", Code: []string{"github.com/schollz/progressbar/v3", m + "/bench"}}, nil},
		{"a cycle ends", Package{Path: m + "/batch", Code: []string{m + "/batch/arrowexport"}}, nil},
		{"to the build scripts", Package{Path: m + "/bench", Code: []string{m + "/.ci/lint"}}, []string{"build scripts"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := Graph{Module: m, Packages: append(slices.Clone(base), c.add)}
			slices.SortFunc(g.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
			got := Check(g, Rules)
			if len(got) != len(c.wants) {
				t.Fatalf("%d lines, want %d: %q", len(got), len(c.wants), got)
			}
			for _, want := range c.wants {
				if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, want) }) {
					t.Errorf("no line has %q: %q", want, got)
				}
			}
		})
	}
}

// TestEveryRuleBinds makes, from each rule's own first patterns, a package that
// breaks it. A rule that objects to nothing would be decoration.
func TestEveryRuleBinds(t *testing.T) {
	const m = "example.org/ours"
	for _, r := range Rules {
		from := strings.TrimSuffix(r.From[0], "/...")
		deny := strings.TrimSuffix(r.Deny[0], "/...")
		switch {
		case from == ".":
			from = "somewhere"
		case deny == ".":
			deny = "cmd/myriant"
		}
		if deny == "." {
			deny = "elsewhere"
		}
		target := deny
		if !hostLike(deny) {
			target = m + "/" + deny
		}
		g := Graph{Module: m, Packages: []Package{{Path: m + "/" + from, Code: []string{target}}}}
		if got := Check(g, []Rule{r}); len(got) != 1 {
			t.Errorf("rule %q says %q about %s importing %s", r.Why, got, from, target)
		}
	}
}

// TestLoad reads a small module from disk: files behind build tags count, and
// test files are told apart.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.org/ours\n\ngo 1.26\n",
		"env/env.go":       "package env\n\nimport _ \"errors\"\n",
		"env/env_simd.go":  "//go:build neverset\n\npackage env\n\nimport _ \"unsafe\"\n",
		"env/env_arm64.go": "package env\n\nimport _ \"sync\"\n",
		"env/env_test.go":  "package env\n\nimport _ \"testing\"\n",
		".ci/lint/lint.go": "package lint\n\nimport _ \"example.org/ours/env\"\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	g, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if g.Module != "example.org/ours" || len(g.Packages) != 2 {
		t.Fatalf("graph %+v", g)
	}
	env := g.Packages[1]
	if want := []string{"errors", "sync", "unsafe"}; env.Path != "example.org/ours/env" || !slices.Equal(env.Code, want) {
		t.Errorf("%s: code imports %q, want %q", env.Path, env.Code, want)
	}
	if want := []string{"testing"}; !slices.Equal(env.Tests, want) {
		t.Errorf("test imports %q, want %q", env.Tests, want)
	}
}

// TestLoadFails: a folder without a module is an error, not an empty graph
// that no rule objects to.
func TestLoadFails(t *testing.T) {
	if g, err := Load(t.TempDir()); err == nil {
		t.Errorf("graph %+v of an empty folder", g)
	}
}
