package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env/ants"
)

// mapInfo is what lists tell about a map of Ants.
type mapInfo struct {
	ID           string      `json:"id"`
	Rows         int         `json:"rows"`
	Cols         int         `json:"cols"`
	Seats        int         `json:"seats"`
	Hills        int         `json:"hills"`
	Land         int         `json:"land"`
	WaterPercent float64     `json:"water_percent"`
	Food         int         `json:"food"`
	Symmetry     *ants.Shift `json:"symmetry"`
	Digest       string      `json:"digest"`
}

func TestMapsList(t *testing.T) {
	golden(t, "maps-list.txt", ok(t, "maps", "list"))
	list := parseJSON[[]mapInfo](t, ok(t, "maps", "list", "--json"))
	var ids []string
	for _, m := range list {
		ids = append(ids, m.ID)
		if m.Land == 0 || m.Hills < m.Seats || len(m.Digest) != 64 || m.Symmetry == nil {
			t.Errorf("%+v", m)
		}
	}
	if !slices.Equal(ids, ants.Bundled()) {
		t.Errorf("lists %v, bundled are %v", ids, ants.Bundled())
	}
}

func TestMapsShow(t *testing.T) {
	golden(t, "maps-show.txt", ok(t, "maps", "show", "tiny-2p"))
	if drawn := ok(t, "maps", "show", "tiny-2p", "--plain"); drawn != ok(t, "maps", "show", "tiny-2p") {
		t.Error("--plain changes what a pipe gets")
	}
	want, err := ants.BundledMap("tiny-2p")
	if err != nil {
		t.Fatal(err)
	}
	m, err := ants.ParseMapJSON([]byte(ok(t, "maps", "show", "tiny-2p", "--json")))
	if err != nil || m.Digest() != want.Digest() {
		t.Errorf("--json prints another map: %v", err)
	}
	text, err := ants.ParseMapText([]byte(ok(t, "maps", "show", "tiny-2p", "--text")))
	if err != nil || !slices.Equal(text.Water, want.Water) || !slices.Equal(text.Hills, want.Hills) {
		t.Errorf("--text prints another map: %v", err)
	}
	fails(t, []failure{
		{[]string{"maps", "show", "no-such"}, exitFailed, `"no-such" is neither a file nor a bundled map (have tiny-2p`},
		{[]string{"maps", "show", "./no-such"}, exitFailed, "no such file"},
		{[]string{"maps", "show", "tiny-2p", "--json", "--text"}, exitUsage, "--json and --text exclude each other"},
		{[]string{"maps", "show", "generated:open:seats=9"}, exitFailed, "seats is 9, want 2..8"},
	})
}

func TestMapsGenerate(t *testing.T) {
	dir := t.TempDir()
	asJSON, asText := filepath.Join(dir, "m.json"), filepath.Join(dir, "m.map")
	flags := []string{"maps", "generate", "--family", "cave", "--seats", "3", "--rows", "30", "--cols", "36", "--seed", "5", "--id", "mine"}
	drawn := ok(t, append(flags, "--out", asJSON)...)
	golden(t, "maps-generate.txt", strings.ReplaceAll(drawn, asJSON, "m.json"))
	if got := ok(t, append(flags, "--out", asText)...); !strings.Contains(got, "wrote "+asText+" (text)\n") {
		t.Errorf("does not say that it wrote text: %q", got[len(got)-60:])
	}
	printed := ok(t, append(flags, "--json")...)
	written, err := os.ReadFile(asJSON)
	if err != nil || string(written) != printed {
		t.Errorf("--json prints %q, the file holds %q (%v)", printed, written, err)
	}
	m, err := ants.ParseMap(written)
	if err != nil || m.Name != "mine" || m.Rows != 30 || m.Cols != 36 || m.Players != 3 {
		t.Errorf("wrote %v, %v", m, err)
	}
	verdicts := parseJSON[[]mapVerdict](t, ok(t, "maps", "validate", "--json", asJSON, asText))
	if len(verdicts) != 2 || !verdicts[0].OK || !verdicts[1].OK || id(verdicts[0]) != "mine" || id(verdicts[1]) != "m" {
		t.Errorf("%+v", verdicts)
	}
	// The line above the drawing names a map that draws the same.
	spec, drawing, found := strings.Cut(ok(t, "maps", "generate", "--family", "codeclash", "--seed", "9"), ": ")
	if again := ok(t, "maps", "show", spec); !found || again != spec+": "+drawing {
		t.Errorf("%s draws something else:\n%s", spec, again)
	}
	fails(t, []failure{
		{[]string{"maps", "generate", "--family", "moon"}, exitFailed, `no family "moon" (have open,`},
		{[]string{"maps", "generate", "--seats", "7", "--rows", "24", "--cols", "24"}, exitFailed, "nearest sizes"},
		{[]string{"maps", "generate", "--format", "text"}, exitUsage, "--format needs --out"},
		{[]string{"maps", "generate", "--out", asText, "--format", "png"}, exitUsage, `--format is "png", want json or text`},
		{[]string{"maps", "generate", "--out", filepath.Join(dir, "no", "m.json")}, exitFailed, "no such file or directory"},
		{[]string{"maps", "generate", "--family", "codeclash", "--rows", "64"}, exitFailed, "always 32x32"},
	})
}

func id(v mapVerdict) any { return v.Map.(map[string]any)["id"] }

func TestMapsValidate(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"good.map":  "rows 3\ncols 4\nplayers 2\nm 0...\nm .%%.\nm ...1\n",
		"short.map": "rows 3\ncols 4\nplayers 2\nm 0...\n",
		"run.json":  `{"rows":2,"cols":2,"players":2,"water":[0,5],"hills":[]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{"good.map", "short.map", "run.json", "gone.json"}
	r := myriant(append([]string{"maps", "validate"}, files...)...)
	want := "ok   good.map: 3x4, 2 seats, 2 hills, 17% water, 0 food, no move\n" +
		"BAD  short.map: size: 1 m lines, rows is 3\n" +
		"BAD  run.json: runs: run 0 has length 5, want 1..4\n" +
		"BAD  open gone.json: no such file or directory\n"
	if r.code != exitFailed || r.stdout != want || r.stderr != "myriant: 3 of 4 map files cannot be played on\n" {
		t.Errorf("exit code %d, stderr %q, stdout:\n%s", r.code, r.stderr, r.stdout)
	}
	r = myriant(append([]string{"maps", "validate", "--json"}, files...)...)
	verdicts := parseJSON[[]mapVerdict](t, r.stdout)
	var codes []string
	for _, v := range verdicts {
		codes = append(codes, string(v.Code))
	}
	if r.code != exitFailed || !slices.Equal(codes, []string{"", "size", "runs", ""}) || !verdicts[0].OK || verdicts[3].Error == "" {
		t.Errorf("exit code %d, %+v", r.code, verdicts)
	}
}
