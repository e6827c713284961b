package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Package is one of the project's packages and what its files import,
// sorted. Imports of every build tag and platform count.
type Package struct {
	Path  string   // full import path
	Code  []string // imports of files that are no tests
	Tests []string // imports of test files
}

// A Graph is the project's packages in order of path.
type Graph struct {
	Module   string
	Packages []Package
}

// Load reads the graph of the module in the folder root.
func Load(root string) (Graph, error) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Module", "./...", "./.ci/lint/")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Graph{}, fmt.Errorf("go list in %s: %w: %s", root, err, stderr.Bytes())
	}
	var g Graph
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var listed struct {
			ImportPath, Dir string
			Module          struct{ Path string }
		}
		if err := dec.Decode(&listed); err == io.EOF {
			break
		} else if err != nil {
			return Graph{}, fmt.Errorf("go list in %s: %w", root, err)
		}
		p, err := load(listed.ImportPath, listed.Dir)
		if err != nil {
			return Graph{}, err
		}
		g.Module = listed.Module.Path
		g.Packages = append(g.Packages, p)
	}
	slices.SortFunc(g.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return g, nil
}

// load reads the import clauses of all Go files in a folder, whatever their
// build constraints say.
func load(path, dir string) (Package, error) {
	p := Package{Path: path}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return p, err
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return p, err
		}
		list := &p.Code
		if strings.HasSuffix(name, "_test.go") {
			list = &p.Tests
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return p, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
			}
			*list = append(*list, imported)
		}
	}
	for _, list := range []*[]string{&p.Code, &p.Tests} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return p, nil
}

// Check returns one line per import that breaks a rule, in order of rule,
// package and import.
func Check(g Graph, rules []Rule) []string {
	var broken []string
	for _, r := range rules {
		for _, p := range g.Packages {
			if !g.binds(r, p.Path) {
				continue
			}
			imports := p.Code
			if r.Tests {
				imports = slices.Concat(p.Code, p.Tests)
				slices.Sort(imports)
				imports = slices.Compact(imports)
			}
			for _, imported := range imports {
				if way := g.denied(r, imported, map[string]bool{}); way != nil {
					broken = append(broken, fmt.Sprintf("%s imports %s: %s", p.Path, strings.Join(way, ", which imports "), r.Why))
				}
			}
		}
	}
	return broken
}

// denied returns the way from an imported package to one that the rule
// denies: the package itself, or for a deep rule a chain over our own
// packages that the rule does not bind themselves (those have lines of their
// own). It is nil when there is none.
func (g Graph) denied(r Rule, path string, seen map[string]bool) []string {
	if g.matchAny(r.Deny, path) && !g.matchAny(r.Allow, path) {
		return []string{path}
	}
	if !r.Deeply || seen[path] || g.binds(r, path) {
		return nil
	}
	seen[path] = true
	i, found := slices.BinarySearchFunc(g.Packages, path, func(p Package, path string) int { return strings.Compare(p.Path, path) })
	if !found {
		return nil
	}
	for _, next := range g.Packages[i].Code {
		if way := g.denied(r, next, seen); way != nil {
			return append([]string{path}, way...)
		}
	}
	return nil
}

// binds tells whether a rule is about a package.
func (g Graph) binds(r Rule, path string) bool {
	return g.matchAny(r.From, path) && !g.matchAny(r.Not, path)
}

func (g Graph) matchAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return g.match(pattern, path) })
}

// match tells whether an import path fits a pattern of the table.
func (g Graph) match(pattern, path string) bool {
	switch ours := under(g.Module, path); pattern {
	case "third":
		return !ours && hostLike(path)
	case ".":
		return ours
	}
	if !hostLike(pattern) {
		pattern = g.Module + "/" + pattern
	}
	if base, all := strings.CutSuffix(pattern, "/..."); all {
		return under(base, path)
	}
	return path == pattern
}

// under tells whether path is base or below it.
func under(base, path string) bool {
	rest, ok := strings.CutPrefix(path, base)
	return ok && (rest == "" || rest[0] == '/')
}

// hostLike tells whether a path's first element looks like a host, as other
// modules' paths do.
func hostLike(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Index(first, ".") > 0
}
